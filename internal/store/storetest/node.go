package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/ledger"
)

var nodeTests = []subtest{
	{"a stale epoch appends nothing once another node has the lease", testStale},
	{"a request made on two nodes at once runs once", testOnceOnNodes},
	{"nodes that write the same rows lose nothing", testHammer},
	{"identifiers grow along a stream and an account, though one clock is behind", testSkew},
}

func testStale(t *testing.T, f *fixture) {
	other := f.node(2)
	first := acquire(t, f.store)
	if _, err := other.Acquire(t.Context(), "round/1", time.Minute); !errors.Is(err, app.ErrLease) {
		t.Errorf("another node takes a lease that is held: %v", err)
	}
	if err := act(t, other, first); !errors.Is(err, app.ErrLease) {
		t.Errorf("another node acts under a lease that is not its own: %v", err)
	}
	f.clock.add(time.Minute)
	second := acquire(t, other)
	if err := act(t, f.store, first); !errors.Is(err, app.ErrLease) {
		t.Errorf("the first node acts under its stale epoch: %v", err)
	}
	if err := act(t, other, second); err != nil || f.stored("a") != 1 {
		t.Errorf("the second node acts: %v; the count is %d", err, f.stored("a"))
	}
	if second.Epoch != first.Epoch+1 {
		t.Errorf("the epochs are %d and %d", first.Epoch, second.Epoch)
	}
}

func testOnceOnNodes(t *testing.T, f *fixture) {
	nodes := []Store{f.store, f.node(2)}
	for range 20 {
		r := request("person/1", "ask")
		var got [4]int
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				n, err := app.Do(t.Context(), nodes[i%2], app.Keys{Request: r, States: []string{"a"}},
					func(tx app.Tx) (int, error) { return add(tx, "a") })
				if err != nil {
					t.Error(err)
				}
				got[i] = n
			})
		}
		wg.Wait()
		if got[0] != got[1] || got[1] != got[2] || got[2] != got[3] {
			t.Errorf("one request is answered %v", got)
		}
	}
	if got := f.stored("a"); got != 20 {
		t.Errorf("20 requests have counted %d", got)
	}
}

func testHammer(t *testing.T, f *fixture) {
	const callers, calls = 24, 15
	nodes := []Store{f.store, f.node(2)}
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for i := range calls {
				// Both orders of the same names, and some that nobody has made yet.
				x, y := player(1+(c+i)%3), player(1+(c+i+1)%3)
				fresh := fmt.Sprint("fresh/", i)
				keys := app.Keys{Request: request(fmt.Sprint("person/", c), "pay"),
					Accounts: []ledger.Path{x, "bank", y}, States: []string{"b", fresh, "a"}}
				_, err := app.Do(t.Context(), nodes[c%2], keys, func(tx app.Tx) (int, error) {
					if _, err := tx.Append("b", "kind", []byte("x")); err != nil {
						return 0, err
					}
					if _, err := add(tx, fresh); err != nil {
						return 0, err
					}
					if err := errors.Join(pay(tx, "bank", x, 2), pay(tx, x, y, 1)); err != nil {
						return 0, err
					}
					return add(tx, "a")
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := f.stored("a"); got != callers*calls {
		t.Errorf("%d calls have counted %d", callers*calls, got)
	}
	for i := range calls {
		if got := f.stored(fmt.Sprint("fresh/", i)); got != callers {
			t.Errorf("fresh/%d counts %d, want %d", i, got, callers)
		}
	}
	if got := f.balance("bank"); got != -2*callers*calls {
		t.Errorf("the bank is at %d, want %d", got, -2*callers*calls)
	}
	f.square()
	f.proved(f.sequence(newOperator(t)).Head)
	f.orderly("b", callers*calls)
}

// orderly fails the test unless the events of a stream are dense and stand in the tree in
// the order of their numbers.
func (f *fixture) orderly(stream string, want int) {
	f.t.Helper()
	list, err := f.store.Stream(f.t.Context(), stream, 0, want+1)
	if err != nil || len(list) != want {
		f.t.Fatalf("stream %s has %d events, %v; want %d", stream, len(list), err, want)
	}
	last := int64(-1)
	for i, e := range list {
		if n := parse(f.t, e).Number; n != int64(i)+1 || e.Index <= last {
			f.t.Errorf("event %d of %s has number %d and index %d after %d", i+1, stream, n, e.Index, last)
		}
		last = e.Index
	}
}

func testSkew(t *testing.T, f *fixture) {
	behind, err := f.open(2, func() time.Time { return f.clock.now().Add(-time.Hour) })
	if err != nil {
		t.Fatal(err)
	}
	defer behind.Close()
	for i := range 6 {
		if err := act(t, []Store{f.store, behind}[i%2], app.Lease{}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := f.store.Movements(t.Context(), player(1), app.Cursor{}, 10)
	if err != nil || len(list) != 6 {
		t.Fatalf("Movements returns %d, %v", len(list), err)
	}
	for i, m := range list {
		if want := int64(6 - i); m.ToAfter != want {
			t.Errorf("the statement's line %d leaves %d, want %d", i+1, m.ToAfter, want)
		}
	}
	f.sequence(newOperator(t))
	f.orderly("a", 6)
}
