package storetest

import (
	"errors"
	"testing"
	"time"

	"boulier/internal/app"
)

var leaseTests = []subtest{
	{"Acquire takes a lease, prolongs it, and raises the epoch once it has lapsed", testAcquire},
	{"a node that starts again takes its own lease anew", testOwnLease},
	{"under a lease that is not held nothing is appended or posted", testNotHeld},
}

// acquire takes the lease of « round/1 » for a minute.
func acquire(t *testing.T, s Store) app.Lease {
	t.Helper()
	l, err := s.Acquire(t.Context(), "round/1", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// act appends an event and moves money under a lease.
func act(t *testing.T, s Store, l app.Lease) error {
	keys := between("bank", player(1))
	keys.States, keys.Lease = []string{"a"}, l
	return s.Update(t.Context(), keys, func(tx app.Tx) error {
		if _, err := add(tx, "a"); err != nil {
			return err
		}
		if _, err := tx.Append("a", "kind", nil); err != nil {
			return err
		}
		return pay(tx, "bank", player(1), 1)
	})
}

func testAcquire(t *testing.T, f *fixture) {
	first := acquire(t, f.store)
	if want := (app.Lease{Scope: "round/1", Epoch: 1}); first != want {
		t.Errorf("the first lease is %+v, want %+v", first, want)
	}
	f.clock.add(59 * time.Second)
	if again := acquire(t, f.store); again != first {
		t.Errorf("prolonged in time it is %+v", again)
	}
	f.clock.add(59 * time.Second)
	if err := act(t, f.store, first); err != nil {
		t.Errorf("acting under a prolonged lease: %v", err)
	}
	f.clock.add(time.Second) // the last moment of the minute is not in it
	if err := act(t, f.store, first); !errors.Is(err, app.ErrLease) {
		t.Errorf("acting under a lapsed lease: %v", err)
	}
	second := acquire(t, f.store)
	if second.Epoch != 2 {
		t.Errorf("after it lapsed the epoch is %d, want 2", second.Epoch)
	}
	if err := act(t, f.store, first); !errors.Is(err, app.ErrLease) {
		t.Errorf("acting under the epoch before: %v", err)
	}
	if err := act(t, f.store, second); err != nil {
		t.Errorf("acting under the new epoch: %v", err)
	}
}

// testOwnLease: what was asked for in an earlier life of the node appends nothing.
func testOwnLease(t *testing.T, f *fixture) {
	first := acquire(t, f.store)
	f.restart()
	second := acquire(t, f.store)
	if second.Epoch != first.Epoch+1 {
		t.Errorf("after a restart the epoch is %d, it was %d", second.Epoch, first.Epoch)
	}
	if err := act(t, f.store, first); !errors.Is(err, app.ErrLease) {
		t.Errorf("acting under the lease of the life before: %v", err)
	}
	if err := act(t, f.store, second); err != nil {
		t.Errorf("acting under the new lease: %v", err)
	}
}

func testNotHeld(t *testing.T, f *fixture) {
	acquire(t, f.store)
	for _, l := range []app.Lease{{Scope: "round/1"}, {Scope: "round/1", Epoch: 2}, {Scope: "round/2", Epoch: 1}} {
		if err := act(t, f.store, l); !errors.Is(err, app.ErrLease) {
			t.Errorf("acting under %+v: %v", l, err)
		}
		keys := app.Keys{States: []string{"a"}, Lease: l}
		f.refused(app.ErrLease, keys, func(tx app.Tx) error {
			tx.Append("a", "kind", nil) // the error is hidden
			return nil
		})
	}
	if _, err := f.store.State(t.Context(), "a"); !errors.Is(err, app.ErrNotFound) || f.balance("bank") != 0 {
		t.Errorf("a call without its lease has written (%v)", err)
	}
}
