package storetest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"boulier/internal/app"
	"boulier/journal"
)

var journalTests = []subtest{
	{"an event is stored as its leaf, salt and payload, without an index until it is placed", testEvent},
	{"every placed event is proved by the checkpoint, and each checkpoint by the next", testProofs},
	{"events committed before a restart are placed after it", testPlacedLater},
	{"Sequence with nothing new returns the latest checkpoint", testNothingNew},
	{"Entries returns the events from an index on, in their order", testEntries},
	{"Erase removes what an event says, and every proof holds", testErase},
	{"Checkpoint returns ErrNotFound before the first", testNoCheckpoint},
}

// parse reads the leaf of an entry.
func parse(t *testing.T, e app.Entry) journal.Leaf {
	t.Helper()
	leaf, err := journal.ParseLeaf(e.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	return leaf
}

// An operator signs checkpoints.
type operator struct {
	note.Signer
	note.Verifier
}

func newOperator(t *testing.T) operator {
	t.Helper()
	secret, public, err := note.GenerateKey(rand.Reader, "test.example/boulier")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	return operator{signer, verifier}
}

// sequence places what is new and returns the checkpoint, opened.
func (f *fixture) sequence(op operator) journal.Checkpoint {
	f.t.Helper()
	made, err := f.store.Sequence(f.t.Context(), op.Signer)
	if err != nil {
		f.t.Fatal(err)
	}
	got, err := f.store.Checkpoint(f.t.Context())
	if err != nil || got != made {
		f.t.Fatalf("Checkpoint is %+v, %v; Sequence made %+v", got, err, made)
	}
	c, err := journal.Open([]byte(got.Note), op.Verifier)
	if err != nil || c.Size != got.Size {
		f.t.Fatalf("the checkpoint of size %d opens as %+v, %v", got.Size, c, err)
	}
	return c
}

// tiles reads tiles as anybody may.
type tiles struct {
	ctx context.Context
	r   app.Reader
}

func (t tiles) ReadTiles(ids []journal.TileID) (data [][]byte, err error) {
	for _, id := range ids {
		d, err := t.r.Tile(t.ctx, id.Level, id.Index)
		if err != nil {
			return nil, err
		}
		data = append(data, d)
	}
	return data, nil
}

// proved fails the test unless the tree of head holds each entry at its index, and each
// payload is the one that its leaf binds.
func (f *fixture) proved(head journal.Head) {
	f.t.Helper()
	reader := tiles{f.t.Context(), f.store}
	entries, err := f.store.Entries(f.t.Context(), 0, int(head.Size)+1)
	if err != nil || int64(len(entries)) != head.Size {
		f.t.Fatalf("Entries returns %d of %d, %v", len(entries), head.Size, err)
	}
	for i, e := range entries {
		p, err := journal.ProveInclusion(head, int64(i), reader)
		if err != nil {
			f.t.Fatalf("proving entry %d: %v", i, err)
		}
		if err := journal.VerifyInclusion(head, e.Index, journal.LeafHash(e.Leaf), p); err != nil {
			f.t.Errorf("entry %d: %v", i, err)
		}
		if e.Salt != nil && parse(f.t, e).Payload != journal.PayloadDigest(journal.Salt(e.Salt), e.Payload) {
			f.t.Errorf("entry %d: the payload is not what its leaf binds", i)
		}
	}
}

func testEvent(t *testing.T, f *fixture) {
	f.together(f.appends("a/b", nil))
	list, err := f.store.Stream(t.Context(), "a/b", 0, 10)
	if err != nil || len(list) != 1 {
		t.Fatalf("Stream returns %d events, %v", len(list), err)
	}
	e := list[0]
	want := journal.Header{Stream: "a/b", Number: 1, At: f.clock.now(), Kind: "kind"}
	if got := parse(t, e).Header; got != want {
		t.Errorf("the header is %+v, want %+v", got, want)
	}
	if e.Index != -1 || string(e.Payload) != "x" || len(e.Salt) != len(journal.Salt{}) {
		t.Errorf("the event is stored as %+v", e)
	}
}

// fill appends n events in groups of up to forty.
func (f *fixture) fill(n int) {
	for n > 0 {
		var calls []func() error
		for range min(n, 40) {
			calls = append(calls, f.appends(fmt.Sprint("s/", n%3), nil))
			n--
		}
		for _, err := range f.together(calls...) {
			if err != nil {
				f.t.Fatal(err)
			}
		}
	}
}

func testProofs(t *testing.T, f *fixture) {
	op := newOperator(t)
	older := f.sequence(op)
	for _, n := range []int{1, 2, 300, 7, 260} {
		f.fill(n)
		newer := f.sequence(op)
		if newer.Size != older.Size+int64(n) {
			t.Fatalf("%d events after %d give a tree of %d", n, older.Size, newer.Size)
		}
		p, err := journal.ProveConsistency(older.Size, newer.Head, tiles{t.Context(), f.store})
		if err != nil {
			t.Fatal(err)
		}
		if err := journal.VerifyConsistency(older.Head, newer.Head, p); err != nil {
			t.Error(err)
		}
		older = newer
	}
	f.proved(older.Head)
}

func testPlacedLater(t *testing.T, f *fixture) {
	op := newOperator(t)
	f.fill(3)
	f.sequence(op)
	f.fill(4)
	f.restart()
	f.fill(5)
	c := f.sequence(op)
	if c.Size != 12 {
		t.Errorf("the tree has %d leaves, want 12", c.Size)
	}
	f.proved(c.Head)
}

func testNothingNew(t *testing.T, f *fixture) {
	op := newOperator(t)
	if c := f.sequence(op); c.Head != journal.EmptyHead() {
		t.Errorf("the first checkpoint is of %+v", c.Head)
	}
	f.fill(1)
	first, err := f.store.Sequence(t.Context(), op.Signer)
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.store.Sequence(t.Context(), op.Signer)
	if err != nil || again != first {
		t.Errorf("with nothing new: %+v, %v; want %+v", again, err, first)
	}
}

func testEntries(t *testing.T, f *fixture) {
	f.fill(50)
	f.sequence(newOperator(t))
	f.fill(10)
	for _, tc := range []struct {
		first int64
		limit int
		want  int
	}{{0, 7, 7}, {38, 5, 5}, {45, 10, 5}, {50, 5, 0}, {0, 100, 50}} {
		list, err := f.store.Entries(t.Context(), tc.first, tc.limit)
		if err != nil || len(list) != tc.want {
			t.Errorf("Entries(%d, %d) returns %d, %v; want %d", tc.first, tc.limit, len(list), err, tc.want)
		}
		for i, e := range list {
			if e.Index != tc.first+int64(i) {
				t.Errorf("Entries(%d, %d): entry %d has index %d", tc.first, tc.limit, i, e.Index)
			}
		}
	}
	list, err := f.store.Stream(t.Context(), "s/1", 0, 100)
	if err != nil || list[0].Index < 0 || list[len(list)-1].Index != -1 {
		t.Errorf("the first event of a stream has index %d, the last %d (%v)",
			list[0].Index, list[len(list)-1].Index, err)
	}
}

func testErase(t *testing.T, f *fixture) {
	op := newOperator(t)
	f.fill(5)
	before := f.sequence(op)
	erase := app.Keys{States: []string{"s/1"}}
	refused := f.store.Update(t.Context(), erase, func(tx app.Tx) error {
		return errors.Join(tx.Erase("s/1", 2), errNo)
	})
	if !errors.Is(refused, errNo) {
		t.Error(refused)
	}
	f.ok(erase, func(tx app.Tx) error { return tx.Erase("s/1", 1) })
	list, err := f.store.Stream(t.Context(), "s/1", 0, 10)
	if err != nil || len(list) != 2 {
		t.Fatalf("Stream returns %d events, %v", len(list), err)
	}
	if list[0].Salt != nil || list[0].Payload != nil || list[1].Salt == nil || list[1].Payload == nil {
		t.Errorf("event 1 was to be erased: %+v", list)
	}
	if got := f.sequence(op); got.Head != before.Head {
		t.Errorf("erasing changed the tree from %+v to %+v", before.Head, got.Head)
	}
	f.proved(before.Head)
}

func testNoCheckpoint(t *testing.T, f *fixture) {
	if _, err := f.store.Checkpoint(t.Context()); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("Checkpoint returns %v", err)
	}
}
