package server_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/internal/store"
	"boulier/regs/regstest"
)

// backedUp makes a house that has signed, and returns its key folder and the two files of its backup.
func backedUp(t *testing.T) (folder, database, keys string) {
	t.Helper()
	data, out := t.TempDir(), t.TempDir()
	s, err := server.Open(t.Context(), server.Config{Data: data, Listen: "127.0.0.1:0", Version: "test",
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Store.Close()
	folder = filepath.Join(data, "keys")
	_, signed := s.Ground.CheckpointNow(t.Context())
	_, copied := server.House{Store: s.Store, Keys: folder}.Backup(t.Context(), out, "copy")
	if err := errors.Join(signed, copied); err != nil {
		t.Fatal(err)
	}
	return folder, filepath.Join(out, "copy.boulier"), filepath.Join(out, "copy.keys")
}

// TestStd53_RestoreWholeOrNotAtAll: a restore that is refused leaves the folder as it was, and
// one that was cut off is run again.
func TestStd53_RestoreWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:53")
	folder, database, keys := backedUp(t)
	_, _, foreign := backedUp(t)
	junk := filepath.Join(t.TempDir(), "junk")
	if err := os.WriteFile(junk, []byte("neither a database nor keys"), 0o600); err != nil {
		t.Fatal(err)
	}
	seal, err := os.ReadFile(filepath.Join(folder, "seal-0001.key"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, database, keys string
		there                string // in the key folder before, as seal-0001.key
		restored             bool
	}{
		{"sound", database, keys, "", true},
		{"cut off after a key", database, keys, string(seal), true},
		{"no keys", database, junk, "", false},
		{"keys of another house", database, foreign, "", false},
		{"no database", junk, keys, "", false},
		{"a folder with keys of another house", database, keys, "other", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data := t.TempDir()
			folder := filepath.Join(data, "keys")
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if tc.there != "" {
				if err := os.WriteFile(filepath.Join(folder, "seal-0001.key"), []byte(tc.there), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			restore := func() error {
				return server.Restore(t.Context(), tc.database, tc.keys,
					store.Config{Folder: data, Now: time.Now, Entropy: app.RandomBytes}, folder)
			}
			if err := restore(); (err == nil) != tc.restored {
				t.Errorf("restored: %v", err)
			}
			list, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			if tc.there != "" {
				want = 1
			}
			if tc.restored {
				want = 2
			}
			if len(list) != want || store.Holds(data) != tc.restored {
				t.Errorf("the key folder holds %v, a database is there: %v", list, store.Holds(data))
			}
			if tc.restored {
				if err := restore(); !errors.Is(err, store.ErrNotEmpty) || !store.Holds(data) {
					t.Errorf("restored over it: %v", err)
				}
			}
		})
	}
}
