package storetest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"boulier/internal/app"
	"boulier/ledger"
)

var updateTests = []subtest{
	{"Update commits if fn returns nil, and what it commits survives a restart", testCommits},
	{"after a violation only the request and that answer are kept", testViolation},
	{"after any other error nothing is kept", testFault},
	{"a repeated request gets the first answer", testRepeated},
	{"a request answered nothing is answered still", testEmptyAnswer},
	{"an identifier used for something else is refused", testReused},
	{"two actors may use one identifier", testActors},
	{"a request made twice in one group runs once", testTwiceTogether},
	{"no call harms another that shares its commit", testNeighbours},
	{"a call sees those before it, and nothing of those refused", testSees},
	{"a cancelled caller does not undo its neighbours", testCancelled},
	{"what keys do not name cannot be touched, even if fn hides the error", testKeys},
	{"work without a request runs each time", testNoRequest},
}

func testCommits(t *testing.T, f *fixture) {
	f.ok(app.Keys{States: []string{"a"}}, func(tx app.Tx) error {
		_, err := add(tx, "a")
		return err
	})
	f.restart()
	if got := f.stored("a"); got != 1 {
		t.Errorf("the count is %d after a restart, want 1", got)
	}
}

// asks makes a request that raises count a and answers what it is, or fails with err.
func (f *fixture) asks(r app.Request, err error) (int, error) {
	return app.Do(f.t.Context(), f.store, app.Keys{Request: r, States: []string{"a"}}, func(tx app.Tx) (int, error) {
		n, failed := add(tx, "a")
		return n, errors.Join(err, failed)
	})
}

func testViolation(t *testing.T, f *fixture) {
	r := request("person/1", "ask")
	for _, now := range []error{errNo, nil} { // the second time nothing would refuse it
		if _, err := f.asks(r, now); !errors.Is(err, errNo) {
			t.Errorf("the answer is %v, want the violation", err)
		}
	}
	if got := f.stored("a"); got != 0 {
		t.Errorf("a refused request has written %d", got)
	}
}

func testFault(t *testing.T, f *fixture) {
	r := request("person/1", "ask")
	if _, err := f.asks(r, errFault); !errors.Is(err, errFault) {
		t.Errorf("the answer is %v, want the fault", err)
	}
	if got, err := f.asks(r, nil); got != 1 || err != nil {
		t.Errorf("after a fault the same request is answered %d, %v; want 1", got, err)
	}
}

func testRepeated(t *testing.T, f *fixture) {
	r := request("person/1", "ask")
	f.asks(r, nil)
	f.asks(request("person/1", "ask"), nil)
	f.restart()
	if got, err := f.asks(r, nil); got != 1 || err != nil {
		t.Errorf("the repeated request is answered %d, %v; want 1", got, err)
	}
	if got := f.stored("a"); got != 2 {
		t.Errorf("two requests have counted %d", got)
	}
}

func testEmptyAnswer(t *testing.T, f *fixture) {
	keys := app.Keys{Request: request("person/1", "ask")}
	f.ok(keys, func(tx app.Tx) error { return nil })
	f.ok(keys, func(tx app.Tx) error {
		if prior, ok := tx.Prior(); !ok || prior.Body == nil || len(prior.Body) > 0 {
			t.Errorf("the prior answer is %v, %v; want no bytes, but an answer", prior.Body, ok)
		}
		return nil
	})
}

func testReused(t *testing.T, f *fixture) {
	r := request("person/1", "ask")
	f.asks(r, nil)
	r.Digest[0]++
	if _, err := f.asks(r, nil); !errors.Is(err, app.ErrRequestReused) {
		t.Errorf("other content is answered %v, want %v", err, app.ErrRequestReused)
	}
	r.Digest[0]--
	if got, err := f.asks(r, nil); got != 1 || err != nil {
		t.Errorf("the first content is answered %d, %v; want 1 as before", got, err)
	}
}

func testActors(t *testing.T, f *fixture) {
	r := request("person/1", "ask")
	f.asks(r, nil)
	r.Actor = "person/2"
	if got, err := f.asks(r, nil); got != 2 || err != nil {
		t.Errorf("the other actor is answered %d, %v; want 2", got, err)
	}
}

func testTwiceTogether(t *testing.T, f *fixture) {
	r, other := request("person/1", "ask"), request("person/2", "ask")
	reused := r
	reused.Digest[0]++
	got := make([]int, 4)
	call := func(i int, r app.Request) func() error {
		return func() (err error) { got[i], err = f.asks(r, nil); return err }
	}
	errs := f.together(call(0, r), call(1, other), call(2, r), call(3, reused))
	if errs[0] != nil || errs[1] != nil || errs[2] != nil || got[0] != 1 || got[1] != 2 || got[2] != 1 {
		t.Errorf("the answers are %v with %v, want 1, 2 and 1 again", got, errs)
	}
	if !errors.Is(errs[3], app.ErrRequestReused) {
		t.Errorf("other content is answered %v, want %v", errs[3], app.ErrRequestReused)
	}
}

func testNeighbours(t *testing.T, f *fixture) {
	pays := func(end func() error) func() error {
		return f.update(app.Keys{Request: request("person/1", "pay"), States: []string{"a"},
			Accounts: []ledger.Path{"bank", player(1)}}, func(tx app.Tx) error {
			if err := pay(tx, "bank", player(1), 100); err != nil {
				return err
			}
			if _, err := tx.Append("a", "paid", nil); err != nil {
				return err
			}
			if _, err := add(tx, "a"); err != nil {
				return err
			}
			tx.Insert(app.SessionRow{Token: tx.Now().String(), Data: []byte{1}})
			return end()
		})
	}
	fine := func() error { return nil }
	errs := f.together(
		pays(func() error { return errNo }), pays(fine), pays(func() error { return errFault }),
		pays(func() error { panic("at the disco") }))
	if !errors.Is(errs[0], errNo) || errs[1] != nil || !errors.Is(errs[2], errFault) ||
		errs[3] == nil || !strings.Contains(errs[3].Error(), "at the disco") {
		t.Errorf("the calls return %v", errs)
	}
	if got := f.balance(player(1)); got != 100 {
		t.Errorf("one of four paid 100, and the balance is %d", got)
	}
	events, err := f.store.Stream(t.Context(), "a", 0, 10)
	if err != nil || len(events) != 1 || f.stored("a") != 1 {
		t.Errorf("the stream has %d events (%v), the state counts %d; want 1", len(events), err, f.stored("a"))
	}
	f.square()
}

func testSees(t *testing.T, f *fixture) {
	var seen []int
	see := func(end error) func() error {
		return f.update(app.Keys{States: []string{"a"}}, func(tx app.Tx) error {
			n, err := add(tx, "a")
			seen = append(seen, n)
			return errors.Join(end, err)
		})
	}
	f.together(see(nil), see(errFault), see(nil), see(errNo), see(nil))
	if want := []int{1, 2, 2, 3, 3}; len(seen) != 5 || [5]int(seen) != [5]int(want) {
		t.Errorf("the calls saw %v, want %v", seen, want)
	}
}

func testCancelled(t *testing.T, f *fixture) {
	counts := func(ctx context.Context, r app.Request, cancel context.CancelFunc) func() error {
		return func() error {
			return f.store.Update(ctx, app.Keys{Request: r, States: []string{"a"}}, func(tx app.Tx) error {
				if _, done := tx.Prior(); done {
					return nil
				}
				cancel()
				_, err := add(tx, "a")
				return err
			})
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := request("person/1", "count")
	nothing := func() {}
	errs := f.together(counts(t.Context(), app.Request{}, nothing), counts(ctx, r, cancel),
		counts(t.Context(), app.Request{}, nothing))
	if errs[0] != nil || errs[2] != nil || errs[1] != nil && !errors.Is(errs[1], app.ErrUnknown) {
		t.Errorf("the calls return %v; want no error, or unknown for the cancelled one", errs)
	}
	if err := counts(t.Context(), r, nothing)(); err != nil || f.stored("a") != 3 {
		t.Errorf("asked again: %v, and the count is %d; want 3", err, f.stored("a"))
	}
}

func testKeys(t *testing.T, f *fixture) {
	for name, touch := range map[string]func(tx app.Tx){
		"Get":     func(tx app.Tx) { tx.Get("b", decodeCount) },
		"Put":     func(tx app.Tx) { tx.Put("b", count{}, encodeCount) },
		"Append":  func(tx app.Tx) { tx.Append("b", "kind", nil) },
		"Erase":   func(tx app.Tx) { tx.Erase("b", 1) },
		"Account": func(tx app.Tx) { tx.Account("bank") },
		"Post":    func(tx app.Tx) { pay(tx, "bank", player(1), 1) },
		"Floor":   func(tx app.Tx) { tx.SetFloor("bank", 0) },
	} {
		for _, end := range []error{nil, errNo} {
			err := f.store.Update(t.Context(), app.Keys{States: []string{"a"}}, func(tx app.Tx) error {
				touch(tx)
				return end
			})
			if !errors.Is(err, app.ErrKey) {
				t.Errorf("%s outside the keys, then %v: Update returns %v", name, end, err)
			}
		}
	}
}

func testNoRequest(t *testing.T, f *fixture) {
	for want := 1; want <= 2; want++ {
		if got, err := f.asks(app.Request{}, nil); got != want || err != nil {
			t.Errorf("run %d gives %d, %v", want, got, err)
		}
	}
}
