package sim

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"boulier/internal/app"
	"boulier/internal/store"
)

// A fault is what may happen to a write.
type fault int

const (
	none    fault = iota
	refused       // it fails, and nothing is kept
	lost          // it succeeds, and the answer is an error: the fault that hurts most
)

// errRefused is what a refused write gets.
var errRefused = errors.New("sim: the write was refused")

// A faulty store is a real one between whose writes and callers something goes wrong.
type faulty struct {
	*store.Store

	mu   sync.Mutex
	next fault
	in   int // writes until then
}

// arm lets a fault happen to the write after so many others.
func (f *faulty) arm(what fault, after int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next, f.in = what, after
}

// take returns what happens to a write.
func (f *faulty) take() fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next == none || f.in > 0 {
		f.in--
		return none
	}
	now := f.next
	f.next = none
	return now
}

// Update implements app.Store.
func (f *faulty) Update(ctx context.Context, keys app.Keys, fn func(tx app.Tx) error) error {
	switch f.take() {
	case refused:
		return errRefused
	case lost:
		if err := f.Store.Update(ctx, keys, fn); err != nil {
			return err // it did not succeed, so there is nothing to lose
		}
		return fmt.Errorf("%w: sim", app.ErrUnknown)
	}
	return f.Store.Update(ctx, keys, fn)
}
