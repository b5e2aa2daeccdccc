package store

import (
	"context"
	"fmt"
	"time"

	"boulier/internal/app"
	"boulier/ledger"
)

// nodeBits is how many bits of an identifier name the node; the others are microseconds.
const nodeBits = 10

// maxKnown bounds how many states and accounts the writer keeps from group to group.
const maxKnown = 16384

// A writer holds the connection and the working state of one group: what its keys name as
// it stands after the calls so far, and what is to be written. Where no other process can
// write, it keeps the states and accounts that it knows for the groups that follow.
type writer struct {
	store  *Store
	conn   *conn
	last   time.Time
	lastID int64
	group  uint64 // counts the attempts

	requests map[requestKey]app.Answer
	leases   map[string]lease
	accounts map[ledger.Path]*account
	states   map[string]*state

	// Those of the group, in the order in which they are loaded and written.
	accountList []*account
	stateList   []*state

	runs     [][]run // rows to write, by table
	entries  []entry // events to journal
	erasures []any   // stream and number of each event to erase
	tx       transaction
}

// A run is rows of one table, one after the other, that one statement writes.
type run struct {
	op   op
	flat []any
}

type requestKey struct {
	id    app.RequestID
	actor string
}

type lease struct {
	node    string
	epoch   int64
	expires int64
}

// An account among the keys of the group.
type account struct {
	ledger.Account
	last          int64 // identifier of its latest posting
	prior         int64 // of the one before
	group         uint64
	stored, dirty bool
}

// touch notes that a posting moves the account.
func (a *account) touch(posting int64) {
	if a.last != posting {
		a.prior, a.last = a.last, posting
	}
	a.dirty = true
}

// A state among the keys of the group. Its value is decoded once and encoded once.
type state struct {
	name          string
	number        uint64
	last          int64  // batch of its latest event
	raw           []byte // as loaded; nil when there is none
	value         any
	encode        func(any) ([]byte, error)
	decoded       bool
	group         uint64
	stored, dirty bool
	appended      bool // to its stream
}

// none reports whether there is nothing to keep of the state.
func (s *state) none() bool {
	return s.number == 0 && s.value == nil && (s.encode != nil || s.raw == nil)
}

// An entry is an event to be journaled.
type entry struct {
	stream        string
	number        uint64
	leaf          []byte
	salt, payload []byte
}

// connect takes the writer's connection if there is none.
func (w *writer) connect(ctx context.Context) error {
	if w.conn != nil {
		return nil
	}
	c, err := w.store.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("store: connecting: %w", err)
	}
	w.conn = newConn(c, w.store.dialect)
	for _, text := range w.store.dialect.connected() {
		if err := w.conn.word(ctx, text); err != nil {
			w.close()
			return fmt.Errorf("store: connecting: %w", err)
		}
	}
	return nil
}

// close gives the connection back.
func (w *writer) close() {
	if w.conn == nil {
		return
	}
	w.conn.closeStmts()
	w.conn.Close()
	w.conn = nil
}

// open begins a transaction. A connection that fails here may only have lost its server
// since the last group, so another one is tried before giving up: nothing has begun.
func (w *writer) open(ctx context.Context) (err error) {
	for range 2 {
		if err = w.connect(ctx); err != nil {
			return err
		}
		if err = w.conn.word(ctx, w.store.dialect.begin()); err == nil {
			return nil
		}
		w.close()
	}
	return fmt.Errorf("store: beginning a transaction: %w", err)
}

func (w *writer) rollback(ctx context.Context) {
	if err := w.conn.word(ctx, "ROLLBACK"); err != nil {
		w.close() // the engine has undone it by itself, or the connection is gone
	}
}

// reset forgets the last group, all but the states and accounts that it has settled.
func (w *writer) reset() {
	w.group++
	w.requests = map[requestKey]app.Answer{}
	w.leases = map[string]lease{}
	if w.states == nil || len(w.states)+len(w.accounts) > maxKnown {
		w.forget()
	}
	w.accountList, w.stateList = w.accountList[:0], w.stateList[:0]
	if w.runs == nil {
		w.runs = make([][]run, len(tables))
	}
	for t := range w.runs {
		w.runs[t] = w.runs[t][:0]
	}
	w.entries, w.erasures = w.entries[:0], w.erasures[:0]
}

// forget forgets every state and account: what is stored may differ from them.
func (w *writer) forget() {
	w.accounts = map[ledger.Path]*account{}
	w.states = map[string]*state{}
}

// settle makes of what the group has written, which is now stored, what the next group
// finds; or forgets it, where another process may write.
func (w *writer) settle() {
	if !w.store.dialect.exclusive() {
		w.forget()
		return
	}
	for _, s := range w.stateList {
		if s.dirty {
			s.stored, s.dirty, s.appended = !s.none(), false, false
		}
	}
	for _, a := range w.accountList {
		a.stored, a.dirty = a.stored || a.dirty, false
	}
}

// write adds a row to those of its table. Rows are written in the order in which they were
// asked for, so that one call may remove what an earlier one of the group has inserted.
func (w *writer) write(o op, t *table, values ...any) {
	runs := w.runs[t.id]
	n := len(runs)
	if n == 0 || runs[n-1].op != o {
		if n < cap(runs) { // keeps the room that an earlier group has used
			runs = runs[:n+1]
		} else {
			runs = append(runs, run{})
		}
		runs[n] = run{o, runs[n].flat[:0]}
		w.runs[t.id] = runs
		n++
	}
	runs[n-1].flat = append(runs[n-1].flat, values...)
}

// unwrite takes back the last row of a table.
func (w *writer) unwrite(t *table) {
	runs := w.runs[t.id]
	last := &runs[len(runs)-1]
	last.flat = last.flat[:len(last.flat)-len(t.columns(last.op))]
	if len(last.flat) == 0 {
		w.runs[t.id] = runs[:len(runs)-1]
	}
}
