package store_test

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"boulier/internal/pgtest"
	"boulier/internal/store"
	"boulier/internal/store/storetest"
	"boulier/regs/regstest"
)

func entropy(p []byte) { rand.Read(p) }

// migrate makes an empty database ready to be copied for each test.
func migrate(dsn string) error {
	s, err := store.Open(context.Background(), store.Config{URL: dsn, Now: time.Now, Entropy: entropy})
	if err != nil {
		return err
	}
	return s.Close()
}

// opener opens the database of a configuration.
func opener(t *testing.T, cfg store.Config) storetest.Open {
	return func(node int, now func() time.Time) (storetest.Store, error) {
		cfg.Node, cfg.Now, cfg.Entropy = node, now, entropy
		return store.Open(t.Context(), cfg)
	}
}

func sqlite(t *testing.T) storetest.Open { return opener(t, store.Config{Folder: t.TempDir()}) }

func postgres(t *testing.T) storetest.Open {
	return opener(t, store.Config{URL: pgtest.New(t, migrate)})
}

func TestStore_SQLite(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:1", "house:2", "house:6", "std:14", "std:43", "std:53")
	storetest.Run(t, sqlite)
}

func TestStore_PostgreSQL(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:1", "house:2", "house:6", "std:14", "std:43", "std:53")
	storetest.Run(t, postgres)
	storetest.RunNodes(t, postgres)
}

// One process owns a data folder: a second one would write under its feet.
func TestOpen_RefusesAFolderInUse(t *testing.T) {
	t.Parallel()
	open := sqlite(t)
	first, err := open(1, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(2, time.Now); !errors.Is(err, store.ErrOwned) {
		t.Errorf("a second Open returns %v, want %v", err, store.ErrOwned)
	}
	first.Close()
	again, err := open(2, time.Now)
	if err != nil {
		t.Fatalf("after the first is closed: %v", err)
	}
	again.Close()
}
