package store

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"boulier/internal/app"
	"boulier/internal/pgtest"
	"boulier/regs/regstest"
)

func TestCommit_NoAnswerLeavesBefore(t *testing.T) {
	regstest.Covers(t, "house:2")
	onBoth(t, func(t *testing.T, cfg Config) {
		s := open(t, cfg)
		reached, release := make(chan struct{}, 8), make(chan struct{})
		s.hooks.commit = func(do func() error) error {
			reached <- struct{}{}
			<-release
			return do()
		}
		var answered atomic.Int64
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if _, err := buys(t.Context(), s, request(1), 1, nil); err != nil {
					t.Error(err)
				}
				answered.Add(1)
			})
		}
		<-reached
		time.Sleep(50 * time.Millisecond)
		if n := answered.Load(); n != 0 {
			t.Errorf("%d answers left before the commit", n)
		}
		if _, err := s.State(t.Context(), "block/1"); !errors.Is(err, app.ErrNotFound) {
			t.Errorf("a reader sees what is not committed: %v", err)
		}
		close(release)
		wg.Wait()
	})
}

// hold keeps the writer busy until release is called.
func hold(t *testing.T, s *Store) (release func()) {
	t.Helper()
	begun, end := make(chan struct{}), make(chan struct{})
	go s.Update(t.Context(), app.Keys{}, func(app.Tx) error {
		close(begun)
		<-end
		return nil
	})
	<-begun
	return func() { close(end) }
}

var errLost = errors.New("the answer of the engine is lost")

// The fault that hurts most: the write that succeeded but returned an error. The other row
// is the one that failed: nobody can tell them apart.
func TestCommit_OutcomeUnknown(t *testing.T) {
	regstest.Covers(t, "house:2", "std:43", "std:53")
	for _, tc := range []struct {
		name    string
		commits bool
		runs    int64 // how often fn runs in all
	}{{"it succeeded", true, 1}, {"it failed", false, 2}} {
		t.Run(tc.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, cfg Config) {
				s := open(t, cfg)
				if _, err := buys(t.Context(), s, request(1), 1, nil); err != nil {
					t.Fatal(err)
				}
				s.hooks.commit = func(do func() error) error {
					if tc.commits {
						if err := do(); err != nil {
							t.Error(err)
						}
					}
					return errLost
				}
				var runs atomic.Int64
				ran := func() { runs.Add(1) }
				r := request(2)
				_, err := buys(t.Context(), s, r, 2, ran)
				if !errors.Is(err, app.ErrUnknown) || !errors.Is(err, errLost) {
					t.Errorf("the answer is %v, want that the outcome is unknown", err)
				}
				<-s.Failed()
				if !errors.Is(s.Cause(), errLost) {
					t.Errorf("the store stopped because of %v", s.Cause())
				}
				if _, err := buys(t.Context(), s, request(3), 3, nil); !errors.Is(err, ErrClosed) {
					t.Errorf("a store that has failed answers %v", err)
				}
				s.Close()

				s = open(t, cfg)
				for range 2 {
					if n, err := buys(t.Context(), s, r, 2, ran); n != 2 || err != nil {
						t.Errorf("asked again, the answer is %d, %v; want unit 2", n, err)
					}
				}
				if got := runs.Load(); got != tc.runs {
					t.Errorf("the sale ran %d times, want %d", got, tc.runs)
				}
				if a, err := s.Account(t.Context(), "instant:1"); a.Balance != 400 || err != nil {
					t.Errorf("two sales of 200 give %d, %v", a.Balance, err)
				}
				sound(t, s)
			})
		})
	}
}

// A group of several parts, of which one is unknown: the others must not run afterwards.
func TestCommit_UnknownStopsTheRestOfTheGroup(t *testing.T) {
	t.Parallel()
	s := open(t, config(Config{Folder: t.TempDir()}))
	commits := 0
	s.hooks.commit = func(do func() error) error {
		if commits++; commits == 2 {
			return errLost
		}
		return do()
	}
	release := hold(t, s)
	errs := make(chan error, 4)
	for i := range cap(errs) {
		go func() {
			errs <- s.Update(t.Context(), app.Keys{}, func(tx app.Tx) error {
				// All but the first are taken, so that the group falls apart.
				tx.Insert(app.PersonRow{ID: 1, SignIn: fmt.Sprint(i), CreatedAt: tx.Now()})
				return nil
			})
		}()
	}
	for s.Waiting() < cap(errs) {
		time.Sleep(time.Millisecond)
	}
	release()
	for range cap(errs) {
		if err := <-errs; !errors.Is(err, app.ErrUnknown) {
			t.Errorf("a call of the group returns %v, want unknown", err)
		}
	}
}

func TestFull_FailsWhoFillsAlone(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:1", "house:2")
	s := open(t, config(Config{Folder: t.TempDir()}))
	pages := func(more int) {
		t.Helper()
		var n int
		if err := s.reads.QueryRow("PRAGMA page_count").Scan(&n); err != nil {
			t.Fatal(err)
		}
		limit := fmt.Sprintf("PRAGMA max_page_count=%d", n+more)
		if err := s.w.conn.QueryRowContext(t.Context(), limit).Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	pages(40)
	release := hold(t, s)
	errs := make([]error, 6)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			if i == 2 {
				errs[i] = s.Update(t.Context(), app.Keys{}, func(tx app.Tx) error {
					tx.Insert(app.SessionRow{Token: "big", Data: make([]byte, 1<<20), ExpiresAt: tx.Now()})
					return nil
				})
			} else {
				_, errs[i] = buys(t.Context(), s, request(i), i, nil)
			}
		})
	}
	for s.Waiting() < len(errs) {
		time.Sleep(time.Millisecond)
	}
	release()
	wg.Wait()
	for i, err := range errs {
		if full := err != nil && strings.Contains(err.Error(), "full"); full != (i == 2) {
			t.Errorf("call %d returns %v", i, err)
		}
	}
	if r := sound(t, s); r.Movements != 10 {
		t.Errorf("five sales have left %d movements", r.Movements)
	}
	if s.w.conn != nil { // a writer that fell back at its last call begins anew, without the limit
		pages(1000)
	}
	if _, err := buys(t.Context(), s, request(1), 1, nil); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

func TestConflict_IsTriedAgain(t *testing.T) {
	t.Parallel()
	s := open(t, config(Config{URL: pgtest.New(t, migrateEmpty)}))
	tries := 0
	s.hooks.commit = func(do func() error) error {
		if tries++; tries <= 3 {
			return &pgconn.PgError{Code: []string{"40001", "40P01"}[tries%2]}
		}
		return do()
	}
	var runs atomic.Int64
	if n, err := buys(t.Context(), s, request(1), 1, func() { runs.Add(1) }); n != 1 || err != nil {
		t.Errorf("after three conflicts the answer is %d, %v", n, err)
	}
	if runs.Load() != 4 {
		t.Errorf("the sale ran %d times, want 4", runs.Load())
	}
	sound(t, s)
}

// disconnect ends every other connection to the database of s, as a restart of the server
// does.
func disconnect(t *testing.T, dsn string) {
	t.Helper()
	other, err := Open(t.Context(), config(Config{URL: dsn, Node: 9}))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.reads.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname=current_database() AND pid<>pg_backend_pid()`); err != nil {
		t.Fatal(err)
	}
}

func TestConnection_LostOutsideOrInsideATransaction(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:53")
	cfg := config(Config{URL: pgtest.New(t, migrateEmpty)})
	s := open(t, cfg)
	for want := int64(1); want <= 3; want++ {
		var once sync.Once
		n, err := buys(t.Context(), s, request(1), 1, func() {
			if want == 3 {
				once.Do(func() { disconnect(t, cfg.URL) })
			}
		})
		if n != want || err != nil {
			t.Errorf("sale %d is answered %d, %v", want, n, err)
		}
		if want == 1 {
			disconnect(t, cfg.URL)
		}
	}
	cfg.Node = 2 // whose readers have lost nothing
	sound(t, open(t, cfg))
}

func TestClose_AnswersWhoWaits(t *testing.T) {
	// Not parallel: it counts goroutines.
	before := runtime.NumGoroutine()
	s := open(t, config(Config{Folder: t.TempDir()}))
	hold := make(chan struct{})
	s.hooks.commit = func(do func() error) error { <-hold; return do() }
	var answered sync.WaitGroup
	for i := range 20 {
		answered.Go(func() {
			_, err := buys(t.Context(), s, request(i), i, nil)
			if err != nil && !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		})
	}
	time.Sleep(10 * time.Millisecond)
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	close(hold)
	if err := <-closed; err != nil {
		t.Error(err)
	}
	answered.Wait()
	if _, err := buys(t.Context(), s, request(1), 1, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed store answers %v", err)
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
