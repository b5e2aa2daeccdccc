// Package storetest is the contract of app.Store: what a store promises, a subtest a
// sentence. Both engines of package store must pass it.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"boulier/internal/app"
	"boulier/ledger"
	"boulier/regs"
)

// A Store is what the use cases see of a store and what the program asks of it besides.
type Store interface {
	app.Store
	Acquire(ctx context.Context, scope string, ttl time.Duration) (app.Lease, error)
	Sequence(ctx context.Context, signer note.Signer) (app.CheckpointRecord, error)
	Forget(ctx context.Context, before time.Time) (int64, error)
	ExpireSessions(ctx context.Context, at time.Time) (int64, error)
	Waiting() int
	Close() error
}

// Open opens a database as the node of a number. Unless several nodes may share it, it is
// opened again only once it is closed.
type Open func(node int, now func() time.Time) (Store, error)

// A subtest holds what a sentence promises.
type subtest struct {
	name string
	run  func(t *testing.T, f *fixture)
}

// Run checks what each store promises. fresh gives an empty database, gone when t ends.
func Run(t *testing.T, fresh func(t *testing.T) Open) {
	run(t, fresh, updateTests, timeTests, stateTests, rowTests, ledgerTests, journalTests,
		leaseTests, retentionTests)
}

// RunNodes checks what a store that several nodes may share promises besides.
func RunNodes(t *testing.T, fresh func(t *testing.T) Open) { run(t, fresh, nodeTests) }

func run(t *testing.T, fresh func(t *testing.T) Open, lists ...[]subtest) {
	for _, list := range lists {
		for _, test := range list {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				f := &fixture{t: t, open: fresh(t), clock: &clock{at: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}}
				f.store = f.node(1)
				test.run(t, f)
			})
		}
	}
}

// A fixture is a database of one subtest's own, open as node 1, and its clock.
type fixture struct {
	t     *testing.T
	open  Open
	clock *clock
	store Store
}

// node opens the database as one more node.
func (f *fixture) node(n int) Store {
	f.t.Helper()
	s, err := f.open(n, f.clock.now)
	if err != nil {
		f.t.Fatalf("opening node %d: %v", n, err)
	}
	f.t.Cleanup(func() { s.Close() })
	return s
}

// restart closes the store and opens it again.
func (f *fixture) restart() {
	f.t.Helper()
	if err := f.store.Close(); err != nil {
		f.t.Fatal(err)
	}
	f.store = f.node(1)
}

// clock stands still until it is set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// ok runs fn and fails the test unless it commits.
func (f *fixture) ok(keys app.Keys, fn func(tx app.Tx) error) {
	f.t.Helper()
	if err := f.store.Update(f.t.Context(), keys, fn); err != nil {
		f.t.Fatalf("Update: %v", err)
	}
}

// refused runs fn and fails the test unless Update returns an error that Is want.
func (f *fixture) refused(want error, keys app.Keys, fn func(tx app.Tx) error) {
	f.t.Helper()
	if err := f.store.Update(f.t.Context(), keys, fn); !errors.Is(err, want) {
		f.t.Fatalf("Update returned %v, want %v", err, want)
	}
}

// together has the calls wait for the writer in their order, so that they share a group,
// and returns their errors.
func (f *fixture) together(calls ...func() error) []error {
	f.t.Helper()
	held, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var wg sync.WaitGroup
	wg.Go(func() {
		f.store.Update(f.t.Context(), app.Keys{}, func(app.Tx) error {
			once.Do(func() { close(held) })
			<-release
			return nil
		})
	})
	<-held
	errs := make([]error, len(calls))
	for i, call := range calls {
		wg.Go(func() { errs[i] = call() })
		for f.store.Waiting() <= i {
			time.Sleep(100 * time.Microsecond)
		}
	}
	close(release)
	wg.Wait()
	return errs
}

// update returns a call for together.
func (f *fixture) update(keys app.Keys, fn func(tx app.Tx) error) func() error {
	return func() error { return f.store.Update(f.t.Context(), keys, fn) }
}

// count is the state that the subtests keep.
type count struct{ N int }

func decodeCount(b []byte) (any, error) {
	var c count
	err := json.Unmarshal(b, &c)
	return c, err
}

func encodeCount(v any) ([]byte, error) { return json.Marshal(v) }

// add raises a count by one and returns what it is then.
func add(tx app.Tx, name string) (int, error) {
	v, err := tx.Get(name, decodeCount)
	if err != nil {
		return 0, err
	}
	c, _ := v.(count)
	c.N++
	tx.Put(name, c, encodeCount)
	return c.N, nil
}

// stored returns a count as it is stored, 0 if there is none.
func (f *fixture) stored(name string) int {
	f.t.Helper()
	r, err := f.store.State(f.t.Context(), name)
	if errors.Is(err, app.ErrNotFound) {
		return 0
	}
	if err != nil {
		f.t.Fatal(err)
	}
	v, err := decodeCount(r.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return v.(count).N
}

// balance returns what an account holds.
func (f *fixture) balance(path ledger.Path) int64 {
	f.t.Helper()
	a, err := f.store.Account(f.t.Context(), path)
	if err != nil {
		f.t.Fatal(err)
	}
	return a.Balance
}

// square fails the test unless the ledger adds up.
func (f *fixture) square() {
	f.t.Helper()
	sums, err := f.store.Sums(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	for _, s := range sums {
		if s.Balances != 0 || s.Unexplained != 0 || s.BelowFloor != 0 {
			f.t.Errorf("the ledger is not square: %+v", s)
		}
	}
}

func request(actor, action string) app.Request {
	return app.NewRequest(app.NewRequestID(), actor, action, nil)
}

// pay moves cents from one account to another.
func pay(tx app.Tx, from, to ledger.Path, cents int64) error {
	_, err := tx.Post(app.Posting{Kind: "pay", Moves: []ledger.Movement{
		{From: from, To: to, Amount: ledger.Amount{Unit: ledger.EUR, Count: cents}}}})
	return err
}

func between(from, to ledger.Path) app.Keys {
	return app.Keys{Accounts: []ledger.Path{from, to}}
}

func player(n int) ledger.Path { return ledger.Path("player:" + strconv.Itoa(n)) }

var (
	errNo    = &regs.Violation{Ref: "house:1", Code: "no"}
	errFault = errors.New("a fault")
)
