package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/note"

	"boulier/internal/pgtest"
	"boulier/regs/regstest"
)

// everything returns every row of every table as text.
func everything(t *testing.T, s *Store) (rows []string) {
	t.Helper()
	for _, table := range tables {
		for row, err := range each(t.Context(), s.reads, table.scanRow, table.selectAll()+
			" ORDER BY "+names(table.cols[:table.key])) {
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, fmt.Sprintf("%s %q", table.name, row))
		}
	}
	return rows
}

// A copy of each engine is restored on each, and copied again from there.
func TestCopy_RestoresOnEitherEngine(t *testing.T) {
	regstest.Covers(t, "std:53")
	onBoth(t, func(t *testing.T, cfg Config) {
		s := open(t, cfg)
		sell(t, s)
		want := everything(t, s)
		file := filepath.Join(t.TempDir(), "copy.db")
		if err := s.Copy(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		for _, to := range []Config{{Folder: t.TempDir()}, {URL: pgtest.New(t, migrateEmpty)}, {URL: pgtest.New(t, nothing), Folder: t.TempDir()}} {
			if to.Folder != "" { // what a restore has left that was cut off
				if err := os.WriteFile(filepath.Join(to.Folder, DatabaseFile+".part"), []byte("cut off"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := Restore(t.Context(), file, to, nil); err != nil {
				t.Fatal(err)
			}
			restored := open(t, config(to))
			if diff := cmp.Diff(want, everything(t, restored)); diff != "" {
				t.Errorf("restored into %v:\n%s", to, diff)
			}
			if left, _ := filepath.Glob(filepath.Join(to.Folder, "*.part")); len(left) > 0 {
				t.Errorf("%v are left", left)
			}
			again := filepath.Join(t.TempDir(), "again.db")
			if err := restored.Copy(t.Context(), again); err != nil {
				t.Error(err)
			}
			if n, err := buys(t.Context(), restored, request(1), 1, nil); n != 11 || err != nil {
				t.Errorf("the next unit after a restore is %d, %v", n, err)
			}
			sound(t, restored)
			if err := Restore(t.Context(), file, to, nil); !errors.Is(err, ErrOwned) && !errors.Is(err, ErrNotEmpty) {
				t.Errorf("restoring over a database that is in use: %v", err)
			}
			restored.Close()
			if err := Restore(t.Context(), file, to, nil); !errors.Is(err, ErrNotEmpty) {
				t.Errorf("restoring over a database: %v", err)
			}
		}
	})
}

func nothing(string) error { return nil }

func TestCopy_WhileSalesGoOn(t *testing.T) {
	regstest.Covers(t, "std:53")
	onBoth(t, func(t *testing.T, cfg Config) {
		s := open(t, cfg)
		ctx, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for buyer := range 8 {
			wg.Go(func() {
				for ctx.Err() == nil {
					if _, err := buys(t.Context(), s, request(buyer), buyer, nil); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		signer, verifier, err := zeroKey()
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		for i := range 3 {
			if _, err := s.Sequence(t.Context(), signer); err != nil {
				t.Error(err)
			}
			sound(t, s) // of one moment, while sales go on
			if err := s.Copy(t.Context(), filepath.Join(folder, fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		}
		stop()
		wg.Wait()
		to := Config{Folder: t.TempDir()}
		if err := Restore(t.Context(), filepath.Join(folder, "2"), to, verifier); err != nil {
			t.Fatal(err)
		}
		if r := sound(t, open(t, config(to))); r.Events == 0 || r.Movements != 2*r.Events {
			t.Errorf("the copy has %d events and %d movements", r.Events, r.Movements)
		}
	})
}

func TestCopy_Refusals(t *testing.T) {
	t.Parallel()
	s := open(t, config(Config{Folder: t.TempDir()}))
	sell(t, s)
	folder := t.TempDir()
	file := filepath.Join(folder, "copy")
	if err := s.Copy(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if err := s.Copy(t.Context(), file); err == nil {
		t.Error("a copy was written over another")
	}
	change := func(name, text string) string {
		t.Helper()
		changed := filepath.Join(folder, name)
		if err := copyFile(file, changed); err != nil {
			t.Fatal(err)
		}
		db, err := openFile(changed, "")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
		return changed
	}
	junk := filepath.Join(folder, "junk")
	if err := os.WriteFile(junk, []byte("not a database at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		file string
		want error
	}{
		"a changed balance":       {change("balance", "UPDATE accounts SET balance=balance+1"), ErrDamaged},
		"a changed payload":       {change("payload", "UPDATE journal SET payload=x'00' WHERE number=1"), ErrDamaged},
		"a newer schema":          {change("newer", "INSERT INTO goose_db_version (version_id,is_applied) VALUES (99,1)"), ErrNewer},
		"another sort of file":    {junk, nil},
		"a database of another":   {change("other", "DROP TABLE journal"), nil},
		"a file that is not here": {filepath.Join(folder, "absent"), os.ErrNotExist},
	} {
		to := t.TempDir()
		err := Restore(t.Context(), tc.file, Config{Folder: to}, nil)
		if err == nil || tc.want != nil && !errors.Is(err, tc.want) {
			t.Errorf("%s is answered %v, want %v", name, err, tc.want)
		}
		if _, err := os.Stat(filepath.Join(to, DatabaseFile)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s was restored in part (%v)", name, err)
		}
	}
	// What another key has signed, or what was cut off, is none of this house's.
	signer, verifier, err := zeroKey()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sequence(t.Context(), signer); err != nil {
		t.Fatal(err)
	}
	left, fresh, other := filepath.Join(folder, "left.boulier.part"), filepath.Join(folder, "fresh.boulier.part"), filepath.Join(folder, "left.part")
	for _, name := range []string{left, left + "-journal", fresh, other} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * leftAfter)
	if err := errors.Join(os.Chtimes(left, long, long), os.Chtimes(other, long, long)); err != nil {
		t.Fatal(err)
	}
	signed := filepath.Join(folder, "signed.boulier")
	if err := s.Copy(t.Context(), signed); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{left: false, left + "-journal": false, fresh: true, other: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	_, public, err := note.GenerateKey(rand.Reader, "test.example/boulier")
	if err != nil {
		t.Fatal(err)
	}
	another, err := note.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if err := Restore(t.Context(), signed, Config{Folder: to}, another); !errors.Is(err, ErrDamaged) || Holds(to) {
		t.Errorf("restored under another key: %v", err)
	}
	for _, name := range []string{DatabaseFile + ".part", DatabaseFile, DatabaseFile + "-wal"} {
		text := "left of a database that was lost"
		if name == DatabaseFile {
			text = ""
		}
		if err := os.WriteFile(filepath.Join(to, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Restore(t.Context(), signed, Config{Folder: to}, verifier); err != nil || !Holds(to) {
		t.Errorf("restored again: %v", err)
	}
	if _, err := os.Stat(filepath.Join(to, DatabaseFile+"-wal")); err == nil {
		t.Error("a part of the lost database is left")
	}
	// The store itself refuses to copy what is not sound.
	if _, err := s.w.conn.ExecContext(t.Context(), "UPDATE accounts SET balance=1 WHERE path='bank'"); err != nil {
		t.Fatal(err)
	}
	if err := s.Copy(t.Context(), filepath.Join(folder, "unsound")); !errors.Is(err, ErrDamaged) {
		t.Errorf("a database that is not sound is copied: %v", err)
	}
}
