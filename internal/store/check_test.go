package store

import (
	"strings"
	"testing"

	"boulier/internal/app"
	"boulier/regs/regstest"
)

// sell makes some sales, places half of them in the tree, erases an event and leaves a
// session.
func sell(t *testing.T, s *Store) {
	t.Helper()
	signer, _, err := zeroKey()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if _, err := buys(t.Context(), s, request(i%3), i%3, nil); err != nil {
			t.Fatal(err)
		}
		if i == 6 {
			if _, err := s.Sequence(t.Context(), signer); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = s.Update(t.Context(), app.Keys{States: []string{"block/1", "empty"}}, func(tx app.Tx) error {
		tx.Insert(app.SessionRow{Token: "t", Data: []byte{}, ExpiresAt: tx.Now()})
		tx.Put("empty", 1, func(any) ([]byte, error) { return []byte{}, nil })
		return tx.Erase("block/1", 2)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCheck_FindsWhatWasChanged(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:1", "house:6", "std:50", "std:52")
	for _, tc := range []struct{ change, fault string }{
		{"UPDATE accounts SET balance=balance+1 WHERE path='player:1'", "its movements say"},
		{"UPDATE accounts SET moves=moves+1 WHERE path='player:1'", "its movements say"},
		{"UPDATE accounts SET floor=1 WHERE path='player:1'", "below its floor"},
		{"DELETE FROM accounts WHERE path='player:1'", "has movements and no balance"},
		{"UPDATE accounts SET balance=balance-5 WHERE path='bank'", "not to zero"},
		{"UPDATE movements SET amount=amount+1 WHERE id=(SELECT min(id) FROM movements) AND line=1", "by its record"},
		{"UPDATE movements SET to_path='player:2' WHERE id=(SELECT min(id) FROM movements)", "by its record"},
		{"UPDATE movements SET to_prior=to_prior+1 WHERE id=(SELECT max(id) FROM movements)", "as the postings before"},
		{"UPDATE accounts SET last=last+1 WHERE path='bank'", "its movements say"},
		{"DELETE FROM movements WHERE id=(SELECT max(id) FROM movements)", "its movements say"},
		{"UPDATE journal SET payload=x'00' WHERE number=1", "something else than its leaf binds"},
		{"UPDATE journal SET leaf=CAST(replace(leaf,'unit_sold','unit_kept') AS BLOB) WHERE number=1",
			"not the one that its batch says"},
		{"UPDATE journal SET number=99 WHERE number=10", "has the leaf of 10"},
		{"DELETE FROM journal WHERE number=3", "has 0 events, and says 1"},
		{"UPDATE journal_batches SET hashes=zeroblob(32) WHERE first_index=3", "not the one that its batch says"},
		{"UPDATE journal_batches SET first_index=50 WHERE first_index=6", "stands at index 50"},
		{"UPDATE journal_batches SET first_index=NULL WHERE first_index=6", "the checkpoint says 7"},
		{"UPDATE journal_tiles SET data=zeroblob(length(data))", "is not what the events give"},
		{"DELETE FROM journal_tiles", "is not what the events give"},
		{"UPDATE journal_checkpoints SET root=zeroblob(32)", "the checkpoint says"},
		{"UPDATE journal_checkpoints SET note=replace(note,'7','8')", "the checkpoint"},
		{"UPDATE states SET number=9 WHERE name='block/1'", "its state says 9"},
		{"DELETE FROM states WHERE name='block/1'", "has events and no state"},
	} {
		t.Run(tc.change, func(t *testing.T) {
			t.Parallel()
			s := open(t, config(Config{Folder: t.TempDir()}))
			sell(t, s)
			if r := sound(t, s); r.Events != 10 || r.Placed != 7 || r.Erased != 1 || r.Movements != 20 || r.Accounts != 5 {
				t.Errorf("before the change the checks count %+v", r)
			}
			if _, err := s.w.conn.ExecContext(t.Context(), tc.change); err != nil {
				t.Fatal(err)
			}
			_, verifier, err := zeroKey()
			if err != nil {
				t.Fatal(err)
			}
			books, err1 := s.CheckLedger(t.Context())
			events, err2 := s.CheckJournal(t.Context(), verifier)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			found := strings.Join(append(books.Faults, events.Faults...), "\n")
			if !strings.Contains(found, tc.fault) {
				t.Errorf("the checks do not find that it %q, but:\n%s", tc.fault, found)
			}
		})
	}
}
