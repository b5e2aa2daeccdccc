package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"boulier/internal/app"
	"boulier/regs"
)

// maxGroup bounds how many requests share a commit.
const maxGroup = 1024

// A call is one Update that waits for its group.
type call struct {
	ctx  context.Context
	keys app.Keys
	fn   func(app.Tx) error

	// alone is set instead of fn for the store's own work, which has a transaction to
	// itself and runs its own statements.
	alone func(ctx context.Context, c *conn) error

	err  error
	done chan error
}

// Update implements app.Store.
func (s *Store) Update(ctx context.Context, keys app.Keys, fn func(tx app.Tx) error) error {
	return s.submit(&call{ctx: ctx, keys: keys, fn: fn, done: make(chan error, 1)})
}

// maintain runs the store's own statements in a transaction of their own.
func (s *Store) maintain(ctx context.Context, fn func(ctx context.Context, c *conn) error) error {
	return s.submit(&call{ctx: ctx, alone: fn, done: make(chan error, 1)})
}

// ErrClosed is returned by calls on a store that is closed or has failed.
var ErrClosed = errors.New("store: closed")

func (s *Store) submit(c *call) error {
	select {
	case s.queue <- c:
	case <-c.ctx.Done():
		return c.ctx.Err()
	case <-s.done:
		return ErrClosed
	}
	select {
	case err := <-c.done:
		return err
	case <-c.ctx.Done():
		// The group goes on without this caller; the answer is kept for the next try.
		return fmt.Errorf("%w: %w", app.ErrUnknown, c.ctx.Err())
	case <-s.done:
		select {
		case err := <-c.done:
			return err
		default:
			return fmt.Errorf("%w: %w", app.ErrUnknown, ErrClosed)
		}
	}
}

// write is the writer: it takes what is waiting and commits it, until Close.
func (s *Store) write() {
	defer close(s.done)
	for {
		var first *call
		select {
		case first = <-s.queue:
		case <-s.stop:
			select {
			case first = <-s.queue: // what was waiting when Close was called
			default:
				return
			}
		}
		group := s.collect(first)
		s.w.run(group)
		for _, c := range group {
			c.done <- c.err
		}
		select {
		case <-s.failed:
			return
		default:
		}
	}
}

// collect returns first and whatever else is waiting and may share its commit. Callers
// that have gone are dropped: nothing of theirs has begun.
func (s *Store) collect(first *call) []*call {
	group := make([]*call, 0, len(s.queue)+1)
	expected := s.crowd + len(s.queue) + 1 // those just answered may come back
	var late <-chan time.Time
	for c := first; ; {
		if err := c.ctx.Err(); err != nil {
			c.done <- err
		} else {
			group = append(group, c)
		}
		if c.alone != nil || len(group) == maxGroup || s.cfg.Single {
			return group
		}
		select {
		case c = <-s.queue:
			continue
		default:
		}
		if s.crowd < crowded || len(group) >= expected-expected/8 {
			s.crowd = len(group)
			return group
		}
		if late == nil {
			late = time.After(linger)
		}
		select {
		case c = <-s.queue:
		case <-late:
			s.crowd = len(group)
			return group
		}
	}
}

// After a crowd has been answered it comes back within a moment. The writer waits that
// moment for most of it, or the crowd would split into two that take turns, each with a
// commit of its own. Few callers never wait.
const (
	crowded = 4
	linger  = time.Millisecond
)

// run makes the group durable and leaves each call's result in it. A call with a
// transaction to itself stands last.
func (w *writer) run(group []*call) {
	n := len(group)
	if n > 0 && group[n-1].alone != nil {
		n--
	}
	if n > 0 {
		w.together(group[:n])
	}
	if n < len(group) {
		w.alone(group[n])
	}
}

// together commits the group at once. A conflict with another node is tried again; what
// else undoes a transaction splits the group in two, and so on, so that whoever is to blame
// fails alone while the others still share commits.
func (w *writer) together(group []*call) {
	err := w.again(func() error { return w.attempt(group) })
	switch {
	case err == nil:
	case errors.Is(err, app.ErrUnknown):
		for _, c := range group {
			c.err = err
		}
	case len(group) > 1:
		w.together(group[:len(group)/2])
		w.together(group[len(group)/2:])
	case w.store.dialect.classify(err) == unique:
		group[0].err = fmt.Errorf("%w: %w", app.ErrTaken, err)
	default:
		group[0].err = err
	}
}

// How often a transaction is tried before it fails: after a conflict, and after meeting a
// key that exists, which may be one that another node has just made.
const (
	conflictTries = 8
	uniqueTries   = 2
)

// again tries a transaction until it succeeds or trying again would not help.
func (w *writer) again(attempt func() error) error {
	for try := 1; ; try++ {
		select {
		case <-w.store.failed: // by an earlier part of the same group
			return fmt.Errorf("%w: %w", app.ErrUnknown, w.store.cause)
		default:
		}
		err := attempt()
		if err == nil || errors.Is(err, app.ErrUnknown) {
			return err
		}
		switch w.store.dialect.classify(err) {
		case conflict, gone:
			if try == conflictTries {
				return err
			}
			// Two nodes that met would meet again if neither stepped back.
			time.Sleep(rand.N(time.Millisecond << try))
		case unique:
			if try == uniqueTries {
				return err
			}
		default:
			return err
		}
	}
}

// attempt runs the group in one transaction. An error means that nothing of it is stored,
// unless it Is ErrUnknown.
func (w *writer) attempt(group []*call) error {
	// The group belongs to nobody: a caller that goes away must not undo its neighbours.
	ctx := context.Background()
	w.reset()
	if err := w.open(ctx); err != nil {
		return err
	}
	err := w.load(ctx, group)
	if err == nil {
		for _, c := range group {
			w.call(c)
		}
		err = w.flush(ctx)
	}
	if err != nil {
		w.forget()
		w.rollback(ctx)
		return err
	}
	if err := w.commit(ctx); err != nil {
		w.forget()
		return err
	}
	w.count()
	w.publish()
	w.settle()
	return nil
}

// commit commits. What the engine says it has undone is an ordinary error; anything else
// leaves the outcome unknown, and stops the store.
func (w *writer) commit(ctx context.Context) error {
	err := w.store.hooks.commit(func() error { return w.conn.word(ctx, "COMMIT") })
	if err == nil {
		w.store.commits.Add(1)
		return nil
	}
	if kind := w.store.dialect.classify(err); kind != broken && kind != gone {
		w.rollback(ctx)
		return fmt.Errorf("store: committing: %w", err)
	}
	return w.store.fail(fmt.Errorf("store: committing: %w", err))
}

// fail stops the store because an outcome is unknown, or because this process is no longer
// the one that its number stands for.
func (s *Store) fail(cause error) error {
	s.cause = cause
	close(s.failed)
	slog.Error("the store has stopped; the process must restart", "cause", cause)
	return fmt.Errorf("%w: %w", app.ErrUnknown, cause)
}

// call runs fn of one call on the group's state. A violation keeps the request and nothing
// else; any other error, and a panic, keep nothing.
func (w *writer) call(c *call) {
	tx := w.begin(c)
	err := guard(tx, c.fn)
	if err == nil {
		err = tx.spoiled
	}
	if tx.fault != nil && !errors.Is(err, tx.fault) {
		err = tx.fault
	}
	var v *regs.Violation
	switch {
	case err == nil:
		tx.keepAnswer(false, tx.answer)
	case errors.As(err, &v):
		tx.undo()
		tx.keepAnswer(true, app.EncodeViolation(v))
	default:
		tx.undo()
	}
	c.err = err
}

func guard(tx *transaction, fn func(app.Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("store: a transaction panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(tx)
}

// alone runs the store's own work in a transaction of its own.
func (w *writer) alone(c *call) {
	ctx := context.Background()
	c.err = w.again(func() error {
		if err := w.open(ctx); err != nil {
			return err
		}
		if err := c.alone(ctx, w.conn); err != nil {
			w.rollback(ctx)
			return err
		}
		return w.commit(ctx)
	})
}

// now returns the time, never before what it returned last.
func (w *writer) now() time.Time {
	t := w.store.cfg.Now().UTC().Truncate(time.Microsecond)
	if t.Before(w.last) {
		t = w.last
	}
	w.last = t
	return t
}
