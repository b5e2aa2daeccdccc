package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"boulier/internal/pgtest"
)

// TestClaim_OneProcessANumber: a second process with the number of a node is refused while the
// first one works, and gets it as soon as that one is gone; a process that has lost its number
// to another stops.
func TestClaim_OneProcessANumber(t *testing.T) {
	t.Parallel()
	cfg := config(Config{URL: pgtest.New(t, migrateEmpty), Node: 3})
	first := open(t, cfg)
	short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if s, err := Open(short, cfg); !errors.Is(err, ErrNodeTaken) {
		s.Close()
		t.Fatalf("a second process under the same number: %v", err)
	}
	other := cfg
	other.Node = 4
	open(t, other)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := open(t, cfg)

	// The connection that holds the number is cut while a third process waits for it.
	waiting := make(chan *Store)
	go func() {
		s, err := Open(context.Background(), cfg)
		if err != nil {
			t.Error(err)
		}
		waiting <- s
	}()
	var third *Store
	for third == nil {
		if _, err := second.db.Exec(`SELECT pg_terminate_backend(pid) FROM pg_locks
			WHERE locktype='advisory' AND classid=$1 AND objid=$2 AND granted AND database=(SELECT oid FROM pg_database WHERE datname=current_database())`,
			claims, cfg.Node); err != nil {
			t.Fatal(err)
		}
		select {
		case third = <-waiting:
		case <-time.After(50 * time.Millisecond):
		}
	}
	defer third.Close()
	select {
	case <-second.Failed():
		if !errors.Is(second.Cause(), ErrNodeTaken) {
			t.Errorf("it stopped since %v", second.Cause())
		}
	case <-third.Failed():
	case <-time.After(claimFor + 20*time.Second):
		t.Error("two processes work under one number")
	}
}
