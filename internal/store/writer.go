package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"boulier/internal/app"
	"boulier/ledger"
)

// nodeBits is how many bits of an identifier name the node; the others are microseconds.
const nodeBits = 10

// A writer holds the connection and the working state of one group: what its keys name as
// it stands after the calls so far, and what is to be written.
type writer struct {
	store  *Store
	conn   *conn
	last   time.Time
	lastID int64

	requests map[requestKey]app.Answer
	leases   map[string]lease
	accounts map[ledger.Path]*account
	states   map[string]*state

	flat    [3][][]any // rows to write by op and table
	entries []entry    // journal
	tx      transaction
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
	stored, dirty bool
}

// A state among the keys of the group. Its value is decoded once and encoded once.
type state struct {
	name          string
	number        uint64
	raw           []byte // as loaded; nil when there is none
	value         any
	encode        func(any) ([]byte, error)
	decoded       bool
	stored, dirty bool
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
	w.conn = &conn{Conn: c, dialect: w.store.dialect, stmts: map[string]*sql.Stmt{}, bulks: map[bulkKey]*sql.Stmt{}}
	return nil
}

// close gives the connection back.
func (w *writer) close() {
	if w.conn == nil {
		return
	}
	for _, s := range w.conn.stmts {
		s.Close()
	}
	for _, s := range w.conn.bulks {
		s.Close()
	}
	w.conn.Close()
	w.conn = nil
}

// lost drops a connection that did not even begin a transaction.
func (w *writer) lost(error) { w.close() }

func (w *writer) rollback(ctx context.Context) {
	if err := w.conn.word(ctx, "ROLLBACK"); err != nil {
		w.close() // the engine has undone it by itself, or the connection is gone
	}
}

// reset forgets the last group.
func (w *writer) reset() {
	w.requests = map[requestKey]app.Answer{}
	w.leases = map[string]lease{}
	w.accounts = map[ledger.Path]*account{}
	w.states = map[string]*state{}
	for o := range w.flat {
		if w.flat[o] == nil {
			w.flat[o] = make([][]any, len(tables))
		}
		for t := range w.flat[o] {
			clear(w.flat[o][t])
			w.flat[o][t] = w.flat[o][t][:0]
		}
	}
	clear(w.entries)
	w.entries = w.entries[:0]
}

// load reads what the keys of the group name, in one statement a table, in the order of
// requests, leases, states, accounts, each sorted: so no two nodes wait for each other.
func (w *writer) load(ctx context.Context, group []*call) error {
	var ids, scopes, names, paths []any
	for _, c := range group {
		if !c.keys.Request.None() {
			ids = append(ids, c.keys.Request.ID[:])
		}
		if c.keys.Lease.Scope != "" {
			scopes = append(scopes, c.keys.Lease.Scope)
		}
		for _, name := range c.keys.States {
			if w.states[name] == nil {
				w.states[name] = &state{name: name}
				names = append(names, name)
			}
		}
		for _, path := range c.keys.Accounts {
			if w.accounts[path] == nil {
				w.accounts[path] = &account{Account: ledger.Open(path)}
				paths = append(paths, string(path))
			}
		}
	}
	slices.SortFunc(names, byText)
	slices.SortFunc(paths, byText)
	d := w.store.dialect
	if err := w.each(ctx, "SELECT id,actor,digest,refused,answer FROM requests WHERE "+d.anyOf("id", 1),
		ids, w.scanRequest); err != nil {
		return err
	}
	if err := w.each(ctx, "SELECT scope,node,epoch,expires_at FROM leases WHERE "+
		d.anyOf("scope", 1)+" ORDER BY scope"+d.share(), scopes, w.scanLease); err != nil {
		return err
	}
	if err := w.each(ctx, "SELECT name,number,body FROM states WHERE "+
		d.anyOf("name", 1)+" ORDER BY name"+d.lock(), names, w.scanState); err != nil {
		return err
	}
	return w.each(ctx, "SELECT path,unit,floor,balance,moves FROM accounts WHERE "+
		d.anyOf("path", 1)+" ORDER BY path"+d.lock(), paths, w.scanAccount)
}

func byText(a, b any) int {
	x, y := a.(string), b.(string)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// each runs a SELECT over a list of keys and scans every row.
func (w *writer) each(ctx context.Context, text string, keys []any, scan func(*sql.Rows) error) error {
	if len(keys) == 0 {
		return nil
	}
	rows, err := w.conn.query(ctx, text, w.store.dialect.list(keys))
	if err != nil {
		return fmt.Errorf("store: loading: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("store: loading: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("store: loading: %w", err)
	}
	return nil
}

func (w *writer) scanRequest(rows *sql.Rows) error {
	var id, digest []byte
	var key requestKey
	var a app.Answer
	var refused int64
	if err := rows.Scan(&id, &key.actor, &digest, &refused, &a.Body); err != nil {
		return err
	}
	copy(key.id[:], id)
	copy(a.Digest[:], digest)
	a.Refused = refused != 0
	w.requests[key] = a
	return nil
}

func (w *writer) scanLease(rows *sql.Rows) error {
	var scope string
	var l lease
	if err := rows.Scan(&scope, &l.node, &l.epoch, &l.expires); err != nil {
		return err
	}
	w.leases[scope] = l
	return nil
}

func (w *writer) scanState(rows *sql.Rows) error {
	var s state
	var number int64
	if err := rows.Scan(&s.name, &number, &s.raw); err != nil {
		return err
	}
	s.number, s.stored = uint64(number), true
	*w.states[s.name] = s
	return nil
}

func (w *writer) scanAccount(rows *sql.Rows) error {
	var a account
	var path, unit string
	var moves int64
	if err := rows.Scan(&path, &unit, &a.Floor, &a.Balance, &moves); err != nil {
		return err
	}
	a.Path, a.Unit, a.Moves, a.stored = ledger.Path(path), ledger.Unit(unit), uint64(moves), true
	*w.accounts[a.Path] = a
	return nil
}
