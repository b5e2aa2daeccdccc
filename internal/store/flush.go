package store

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"

	"boulier/internal/app"
	"boulier/journal"
)

// flush writes the working state of the group, a table after the other: one bulk statement
// for the rows that follow each other with one op, which is all of them in most tables.
func (w *writer) flush(ctx context.Context) error {
	batch := w.gatherEntries()
	if err := w.gatherStates(batch); err != nil {
		return err
	}
	w.gatherAccounts()
	for _, t := range tables {
		for _, r := range w.runs[t.id] {
			if err := w.conn.bulk(ctx, t, r.op, distinct(t, r)); err != nil {
				return err
			}
		}
	}
	if err := w.conn.erase(ctx, w.erasures); err != nil {
		return err
	}
	return w.notify(ctx)
}

// distinct keeps the last of the rows to save that share a key, for one statement may not
// touch a row twice.
func distinct(t *table, r run) []any {
	n := len(t.columns(r.op))
	if r.op != save || len(r.flat) == n {
		return r.flat
	}
	at := map[[2]any]int{} // no key has more than two columns, or bytes among them
	out := make([]any, 0, len(r.flat))
	for i := 0; i < len(r.flat); i += n {
		var key [2]any
		copy(key[:], r.flat[i:i+t.key])
		if j, ok := at[key]; ok {
			copy(out[j:], r.flat[i:i+n])
			continue
		}
		at[key] = len(out)
		out = append(out, r.flat[i:i+n]...)
	}
	return out
}

// gatherStates turns the states that changed into rows: those that are gone, those that
// are new, the others. A state that did not exist is inserted, so that another node that
// made it meanwhile is noticed. An encoder that panics fails as one that returns an error.
func (w *writer) gatherStates(batch int64) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("store: encoding a state panicked: %v\n%s", p, debug.Stack())
		}
	}()
	var rows [3][]any
	for _, s := range w.stateList {
		if !s.dirty {
			continue
		}
		if s.appended {
			s.last = batch
		}
		body := s.raw
		if s.encode != nil && s.value != nil {
			var err error
			if body, err = s.encode(s.value); err != nil {
				return fmt.Errorf("store: encoding state %s: %w", s.name, err)
			}
		} else if s.encode != nil {
			body = nil
		}
		switch {
		case body == nil && s.number == 0 && s.stored:
			rows[remove] = append(rows[remove], s.name)
		case body == nil && s.number == 0:
		case s.stored:
			rows[save] = append(rows[save], s.name, int64(s.number), s.last, body)
		default:
			rows[insert] = append(rows[insert], s.name, int64(s.number), s.last, body)
		}
	}
	w.writeAll(statesTable, rows)
	return nil
}

func (w *writer) gatherAccounts() {
	var rows [3][]any
	for _, a := range w.accountList {
		if !a.dirty {
			continue
		}
		o := insert
		if a.stored {
			o = save
		}
		rows[o] = append(rows[o], string(a.Path), string(a.Unit), a.Floor, a.Balance,
			int64(a.Moves), a.last)
	}
	w.writeAll(accountsTable, rows)
}

// writeAll adds rows that touch different keys, a run for each op.
func (w *writer) writeAll(t *table, rows [3][]any) {
	for o, flat := range rows {
		if len(flat) > 0 {
			w.write(op(o), t, flat...)
		}
	}
}

// gatherEntries turns the events of the group into journal rows and one batch, which the
// sequencer will place in the tree as a whole. It returns the batch, 0 if there is none.
func (w *writer) gatherEntries() int64 {
	if len(w.entries) == 0 {
		return 0
	}
	batch := w.newID(w.last)
	hashes := make([]byte, 0, len(w.entries)*len(journal.Hash{}))
	for i, e := range w.entries {
		w.write(insert, journalTable, batch, int64(i), e.stream, int64(e.number), e.leaf, e.salt, e.payload)
		h := journal.LeafHash(e.leaf)
		hashes = append(hashes, h[:]...)
	}
	w.write(insert, batchesTable, batch, int64(len(w.entries)), hashes, nil)
	return batch
}

// publish tells who wants to know what the group has changed.
func (w *writer) publish() {
	if w.store.cfg.Committed == nil {
		return
	}
	var c app.Committed
	for _, s := range w.stateList {
		if s.dirty {
			c.States = append(c.States, app.Changed{Name: s.name, Number: s.number, Value: s.value})
		}
	}
	for _, a := range w.accountList {
		c.Accounts = append(c.Accounts, a.Account)
	}
	if len(c.States) > 0 {
		w.store.cfg.Committed(c)
	}
}

// node is this node's name in leases.
func (s *Store) node() string { return strconv.Itoa(s.cfg.Node) }
