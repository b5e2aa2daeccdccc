package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"boulier/internal/app"
	"boulier/ledger"
)

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
			s := w.states[name]
			if s == nil {
				s = &state{name: name}
				w.states[name] = s
				names = append(names, name)
			}
			if s.group != w.group {
				s.group = w.group
				w.stateList = append(w.stateList, s)
			}
		}
		for _, path := range c.keys.Accounts {
			a := w.accounts[path]
			if a == nil {
				a = &account{Account: ledger.Open(path)}
				w.accounts[path] = a
				paths = append(paths, string(path))
			}
			if a.group != w.group {
				a.group = w.group
				w.accountList = append(w.accountList, a)
			}
		}
	}
	slices.SortFunc(scopes, byText)
	scopes = slices.Compact(scopes)
	slices.SortFunc(names, byText)
	slices.SortFunc(paths, byText)
	slices.SortFunc(w.stateList, func(a, b *state) int { return cmp.Compare(a.name, b.name) })
	slices.SortFunc(w.accountList, func(a, b *account) int { return cmp.Compare(a.Path, b.Path) })
	d := w.store.dialect
	if err := w.each(ctx, "SELECT id,actor,digest,refused,answer,answer IS NULL FROM requests WHERE "+
		d.anyOf("id", 1), ids, w.scanRequest); err != nil {
		return err
	}
	if err := w.each(ctx, "SELECT scope,node,epoch,expires_at FROM leases WHERE "+
		d.anyOf("scope", 1)+" ORDER BY scope"+d.share(), scopes, w.scanLease); err != nil {
		return err
	}
	if err := w.each(ctx, "SELECT name,number,last,body FROM states WHERE "+
		d.anyOf("name", 1)+" ORDER BY name"+d.lock(), names, w.scanState); err != nil {
		return err
	}
	return w.each(ctx, "SELECT path,unit,floor,balance,moves,last FROM accounts WHERE "+
		d.anyOf("path", 1)+" ORDER BY path"+d.lock(), paths, w.scanAccount)
}

func byText(a, b any) int { return cmp.Compare(a.(string), b.(string)) }

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
	var forgotten bool
	if err := rows.Scan(&id, &key.actor, &digest, &refused, &a.Body, &forgotten); err != nil {
		return err
	}
	if a.Body == nil && !forgotten {
		a.Body = []byte{} // the driver of SQLite reads no bytes as none
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
	var name string
	var number, last int64
	var raw []byte
	if err := rows.Scan(&name, &number, &last, &raw); err != nil {
		return err
	}
	s := w.states[name]
	s.number, s.last, s.raw, s.stored = uint64(number), last, raw, true
	w.saw(last)
	return nil
}

func (w *writer) scanAccount(rows *sql.Rows) error {
	var a account
	var path, unit string
	var moves int64
	if err := rows.Scan(&path, &unit, &a.Floor, &a.Balance, &moves, &a.last); err != nil {
		return err
	}
	a.Path, a.Unit, a.Moves, a.stored = ledger.Path(path), ledger.Unit(unit), uint64(moves), true
	a.group = w.group
	*w.accounts[a.Path] = a
	w.saw(a.last)
	return nil
}
