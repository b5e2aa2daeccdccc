package storetest

import (
	"testing"
	"time"

	"boulier/internal/app"
)

var timeTests = []subtest{
	{"Now is the clock's time in UTC to the microsecond, one for the whole call", testNow},
	{"Now never goes back, not even over a restart", testTimeNeverBack},
	{"NewID returns a number that no other call returns, larger than all before", testNewID},
}

func testNow(t *testing.T, f *fixture) {
	f.clock.add(1234567 * time.Nanosecond)
	f.ok(app.Keys{}, func(tx app.Tx) error {
		want := f.clock.now().Truncate(time.Microsecond)
		if got := tx.Now(); !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("Now is %v, want %v", got, want)
		}
		f.clock.add(time.Second)
		if got := tx.Now(); !got.Equal(want) {
			t.Errorf("Now has become %v inside one call", got)
		}
		return nil
	})
}

// times runs a call that journals an event and a movement, and returns its time and an
// identifier.
func (f *fixture) times() (at time.Time, id int64) {
	f.t.Helper()
	keys := between("bank", player(1))
	keys.States = []string{"a"}
	f.ok(keys, func(tx app.Tx) error {
		at, id = tx.Now(), tx.NewID()
		if _, err := tx.Append("a", "kind", nil); err != nil {
			return err
		}
		return pay(tx, "bank", player(1), 1)
	})
	return at, id
}

func testTimeNeverBack(t *testing.T, f *fixture) {
	last, _ := f.times()
	for _, restart := range []bool{false, true} {
		f.clock.add(-time.Hour)
		if restart {
			f.restart()
		}
		at, _ := f.times()
		if at.Before(last) {
			t.Errorf("restarted: %v: time went back from %v to %v", restart, last, at)
		}
		last = at
	}
}

func testNewID(t *testing.T, f *fixture) {
	last := int64(0)
	larger := func(id int64) {
		if id <= last {
			t.Errorf("identifier %d comes after %d", id, last)
		}
		last = id
	}
	f.ok(app.Keys{}, func(tx app.Tx) error {
		for range 3 { // the clock stands still
			larger(tx.NewID())
		}
		return nil
	})
	f.clock.add(-time.Hour)
	_, id := f.times()
	larger(id)
	f.ok(between("bank", player(1)), func(tx app.Tx) error {
		larger(tx.NewID())
		return pay(tx, "bank", player(1), 1)
	})
	f.restart()
	_, id = f.times()
	larger(id)
}
