package store

import (
	"context"
	"database/sql"
	"fmt"

	"boulier/internal/app"
	"boulier/ledger"
)

// A Report is what a check has found.
type Report struct {
	Accounts, Movements    int64 // of the ledger
	Events, Placed, Erased int64 // of the journal; those in its tree; those without payload

	// Faults says what does not hold, in English, the first of them only; None says that
	// there are none.
	Faults []string
}

// maxFaults bounds the faults that a report keeps.
const maxFaults = 100

// None reports whether nothing is wrong.
func (r *Report) None() bool { return len(r.Faults) == 0 }

func (r *Report) fault(format string, args ...any) {
	if len(r.Faults) < maxFaults {
		r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
	}
}

// CheckLedger goes through all movements of one moment: each follows from what both its
// accounts held before, each balance is the sum of its movements and not below its floor,
// and each unit sums to zero. It keeps a balance an account in memory, and no more.
func (s *Store) CheckLedger(ctx context.Context) (r Report, err error) {
	err = s.snapshot(ctx, func(tx *sql.Tx) error {
		held, err := r.checkMovements(ctx, tx)
		if err != nil {
			return err
		}
		return r.checkAccounts(ctx, tx, held)
	})
	return r, err
}

// A holding is what the movements say of an account.
type holding struct {
	unit    ledger.Unit
	balance int64
	moves   uint64
	last    int64 // posting
	prior   int64
}

// touch notes a posting, as the writer does.
func (h *holding) touch(posting, change int64) {
	if h.last != posting {
		h.prior, h.last = h.last, posting
	}
	h.balance += change
	h.moves++
}

func (r *Report) checkMovements(ctx context.Context, q queryer) (map[ledger.Path]*holding, error) {
	held := map[ledger.Path]*holding{}
	of := func(path ledger.Path, unit ledger.Unit) *holding {
		h := held[path]
		if h == nil {
			h = &holding{unit: unit}
			held[path] = h
		}
		return h
	}
	for m, err := range each(ctx, q, scanChained,
		"SELECT "+movementColumns+",from_prior,to_prior FROM movements ORDER BY id, line") {
		if err != nil {
			return nil, err
		}
		r.Movements++
		from, to := of(m.From, m.Amount.Unit), of(m.To, m.Amount.Unit)
		from.touch(m.ID, -m.Amount.Count)
		to.touch(m.ID, m.Amount.Count)
		if m.Amount.Count <= 0 || from == to || from.unit != m.Amount.Unit || to.unit != m.Amount.Unit {
			r.fault("movement %d.%d of %d %s from %s to %s is none that the ledger makes",
				m.ID, m.Line, m.Amount.Count, m.Amount.Unit, m.From, m.To)
		}
		if m.FromAfter != from.balance || m.ToAfter != to.balance {
			r.fault("movement %d.%d leaves %d and %d by its record, %d and %d by those before it",
				m.ID, m.Line, m.FromAfter, m.ToAfter, from.balance, to.balance)
		}
		if m.fromPrior != from.prior || m.toPrior != to.prior {
			r.fault("movement %d.%d names %d and %d as the postings before; they are %d and %d",
				m.ID, m.Line, m.fromPrior, m.toPrior, from.prior, to.prior)
		}
	}
	return held, nil
}

// A chained movement says which postings touched its accounts before.
type chained struct {
	app.Movement
	fromPrior, toPrior int64
}

func scanChained(s scanner) (m chained, err error) {
	m.Movement, err = scanMovement(also{s, []any{&m.fromPrior, &m.toPrior}})
	return m, err
}

// also scans more columns after those asked for.
type also struct {
	scanner
	more []any
}

func (a also) Scan(into ...any) error { return a.scanner.Scan(append(into, a.more...)...) }

func (r *Report) checkAccounts(ctx context.Context, q queryer, held map[ledger.Path]*holding) error {
	sums := map[ledger.Unit]int64{}
	for a, err := range each(ctx, q, scanTouched,
		"SELECT path,unit,floor,balance,moves,last FROM accounts ORDER BY path") {
		if err != nil {
			return err
		}
		r.Accounts++
		sums[a.Unit] += a.Balance
		h := held[a.Path]
		if h == nil {
			h = &holding{unit: a.Unit}
		}
		if got := (holding{a.Unit, a.Balance, a.Moves, a.last, h.prior}); got != *h {
			r.fault("account %s holds %d %s after %d movements, to posting %d; "+
				"its movements say %d %s after %d, to %d",
				a.Path, a.Balance, a.Unit, a.Moves, a.last, h.balance, h.unit, h.moves, h.last)
		}
		if a.Balance < a.Floor {
			r.fault("account %s holds %d, below its floor of %d", a.Path, a.Balance, a.Floor)
		}
		delete(held, a.Path)
	}
	for path := range held {
		r.fault("account %s has movements and no balance", path)
	}
	for unit, sum := range sums {
		if sum != 0 {
			r.fault("the accounts in %s sum to %d, not to zero", unit, sum)
		}
	}
	return nil
}

func scanTouched(s scanner) (a account, err error) {
	a.Account, err = scanAccount(also{s, []any{&a.last}})
	return a, err
}

// CheckEngine asks SQLite whether its file is whole. PostgreSQL has tools of its own.
func (s *Store) CheckEngine(ctx context.Context) (r Report, err error) {
	if s.dialect.name() != "sqlite" {
		return r, nil
	}
	said, err := all(ctx, s.reads, func(row scanner) (text string, err error) {
		err = row.Scan(&text)
		return text, err
	}, "PRAGMA quick_check(10)")
	for _, text := range said {
		if text != "ok" {
			r.fault("the database file: %s", text)
		}
	}
	return r, err
}
