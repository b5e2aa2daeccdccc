package store

import (
	"context"
	"fmt"
	"strconv"

	"boulier/internal/app"
	"boulier/journal"
)

// flush writes the working state of the group: one bulk statement a table and op, always
// in the same order.
func (w *writer) flush(ctx context.Context) error {
	if err := w.gatherStates(); err != nil {
		return err
	}
	w.gatherAccounts()
	w.gatherEntries()
	for _, t := range tables {
		for _, o := range []op{remove, insert, save} {
			if flat := w.flat[o][t.id]; len(flat) > 0 {
				rows := len(flat) / len(t.columns(o))
				w.store.rows[t.id].Add(int64(rows))
				if err := w.conn.bulk(ctx, t, o, unique1(t, o, flat)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// unique1 keeps the last of the rows to save that share a key, for one statement may not
// touch a row twice.
func unique1(t *table, o op, flat []any) []any {
	n := len(t.columns(o))
	if o != save || len(flat) == n {
		return flat
	}
	at := map[string]int{}
	out := flat[:0:0]
	for i := 0; i < len(flat); i += n {
		key := fmt.Sprint(flat[i : i+t.key]...)
		if j, ok := at[key]; ok {
			copy(out[j:], flat[i:i+n])
			continue
		}
		at[key] = len(out)
		out = append(out, flat[i:i+n]...)
	}
	return out
}

// gatherStates turns the states that changed into rows. A state that did not exist is
// inserted, so that another node that made it meanwhile is noticed.
func (w *writer) gatherStates() error {
	for _, s := range w.states {
		if !s.dirty {
			continue
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
			w.add(remove, statesTable, s.name)
		case body == nil && s.number == 0:
		case s.stored:
			w.add(save, statesTable, s.name, int64(s.number), body)
		default:
			w.add(insert, statesTable, s.name, int64(s.number), body)
		}
	}
	return nil
}

func (w *writer) gatherAccounts() {
	for _, a := range w.accounts {
		if !a.dirty {
			continue
		}
		o := insert
		if a.stored {
			o = save
		}
		w.add(o, accountsTable, string(a.Path), string(a.Unit), a.Floor, a.Balance, int64(a.Moves))
	}
}

// gatherEntries turns the events of the group into journal rows and one batch, which the
// sequencer will place in the tree as a whole.
func (w *writer) gatherEntries() {
	if len(w.entries) == 0 {
		return
	}
	batch := w.newID(w.last)
	hashes := make([]byte, 0, len(w.entries)*len(journal.Hash{}))
	for i, e := range w.entries {
		w.add(insert, journalTable, batch, int64(i), e.stream, int64(e.number), e.leaf, e.salt, e.payload)
		h := journal.LeafHash(e.leaf)
		hashes = append(hashes, h[:]...)
	}
	w.add(insert, batchesTable, batch, int64(len(w.entries)), hashes, nil)
}

func (w *writer) add(o op, t *table, values ...any) {
	w.flat[o][t.id] = append(w.flat[o][t.id], values...)
}

// publish tells who wants to know what the group has changed.
func (w *writer) publish() {
	if w.store.cfg.Committed == nil {
		return
	}
	var c app.Committed
	for _, s := range w.states {
		if s.dirty {
			c.States = append(c.States, app.Changed{Name: s.name, Number: s.number, Value: s.value})
		}
	}
	for _, a := range w.accounts {
		if a.dirty {
			c.Accounts = append(c.Accounts, a.Account)
		}
	}
	if len(c.States)+len(c.Accounts) > 0 {
		w.store.cfg.Committed(c)
	}
}

// node is this node's name in leases.
func (s *Store) node() string { return strconv.Itoa(s.cfg.Node) }
