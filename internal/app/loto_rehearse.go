package app

import (
	"context"
	"encoding/binary"
	"fmt"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/ledger"
	"boulier/money"
)

// salesAtOnce is how many invented sales one transaction makes.
const salesAtOnce = 25

// post moves the money of a day; a rehearsal moves none.
func (d LotoDay) post(tx Tx, kind, ref string, from, to ledger.Path, amount money.Cents) error {
	if d.Session.Plan.Rehearsal {
		return nil
	}
	return post(tx, kind, ref, from, to, amount)
}

// Rehearse makes a copy of a day for practice and opens its doors: invented players have
// bought about half of every pile, nobody has paid, and nothing is won. Everything else is as
// on the day, on every screen. Whoever asks twice with one request gets the same rehearsal.
func (l *Loto) Rehearse(ctx context.Context, a LotoAct, title string) (LotoID, error) {
	d, _, err := l.Day(ctx, a.Day)
	if err != nil {
		return 0, err
	}
	plan := d.Session.Plan
	plan.Title, plan.Rehearsal, plan.WalkIns = title, true, true
	id, err := l.Create(ctx, NewLotoDay{Request: a.Request, By: a.By, Plan: plan})
	if err != nil {
		return 0, err
	}
	r, _, err := l.Day(ctx, id)
	if err != nil || r.Session.Phase != loto.Planning {
		return id, err // it was made before
	}
	if err := l.OpenDay(ctx, LotoAct{Request: NewRequestID(), By: a.By, Day: id}); err != nil {
		return 0, err
	}
	for _, desk := range plan.Desks {
		if err := l.inventSales(ctx, LotoAct{By: a.By, Day: id}, desk); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// inventSales sells about half of a desk's piles to invented players, in chunks.
func (l *Loto) inventSales(ctx context.Context, a LotoAct, desk loto.Desk) error {
	day, cell := lotoCell(a.Day), stockCell(a.Day, desk.Number)
	for more := true; more; {
		var raw [8 * salesAtOnce]byte
		l.Entropy(raw[:])
		err := l.Store.Update(ctx, Keys{States: []string{string(day), string(cell), string(standingOf(a.By))}}, func(tx Tx) error {
			if err := requireBy(tx, a.By, ManageGames); err != nil {
				return err
			}
			d, err := day.Get(tx)
			if err != nil {
				return err
			}
			st, err := cell.Get(tx)
			if err != nil {
				return err
			}
			if !d.Session.Plan.Rehearsal {
				return fmt.Errorf("app: day %d is no rehearsal", a.Day)
			}
			st.Desk, more = desk.Number, false
			for i := range salesAtOnce {
				o, ok := invented(st.Stock, d.Session.Plan, binary.LittleEndian.Uint64(raw[8*i:]))
				if !ok {
					break
				}
				o.At = tx.Now()
				sold, err := st.Sell(d.Session, o)
				if err != nil {
					return err
				}
				st.Stock, more = st.Apply(sold), i == salesAtOnce-1
				if err := appendLoto(tx, cell, a.By, []loto.Event{sold}); err != nil {
					return err
				}
			}
			cell.Put(tx, st)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// invented is what an invented player buys, as chance says: one piece of whatever is more than
// half there.
func invented(st loto.Stock, p loto.Plan, chance uint64) (loto.Order, bool) {
	all := map[loto.Unit]int{}
	for _, pile := range p.Piles {
		if pile.Desk == st.Desk {
			all[pile.Unit] += (pile.To - pile.From + 1) / pile.Unit.Cards()
		}
	}
	var units []loto.Unit
	for _, u := range loto.Units {
		if _, priced := p.Price(u); priced && 2*st.Left(p, u) > all[u] {
			units = append(units, u)
		}
	}
	if len(units) == 0 {
		return loto.Order{}, false
	}
	u := units[chance%uint64(len(units))]
	return loto.Order{Items: []loto.Item{{Unit: u, First: ninety.Serial{}}}, Means: loto.ByCash, Inside: true}, true
}
