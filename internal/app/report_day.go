package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"boulier/ledger"
	"boulier/money"
)

// A DayReport is what happened to the money in one day of the house's zone (std:26).
type DayReport struct {
	Day      string    // 2006-01-02
	From, To time.Time // closed at the start, open at the end
	At       time.Time // when it was made; a day that goes on is reported so far

	Stakes, Prizes money.Cents
	Sold, Won      int64 // units sold, prizes given
	// Cards of the bingo, what was refunded of them, and what its prizes and pots paid.
	BingoStakes, BingoRefunds, BingoPrizes money.Cents
	Desks                                  []DeskDay
	Difference                             money.Cents // of drawers closed, negative for what was missing
	// Before and After are what the house held for all players (std:27). They differ by
	// what the lines above say and nothing else: Other is zero or something is broken.
	Before, After money.Cents
	Other         money.Cents
}

// Empty reports whether nothing moved.
func (r DayReport) Empty() bool {
	return r.Sold == 0 && r.Won == 0 && r.BingoStakes == 0 && r.BingoRefunds == 0 && r.BingoPrizes == 0 && len(r.Desks) == 0 && r.Difference == 0 && r.Other == 0
}

// Loads and PayOuts are the sums over the desks.
func (r DayReport) Loads() (sum money.Cents) {
	for _, d := range r.Desks {
		sum += d.Loads
	}
	return sum
}

// PayOuts is what the desks paid out.
func (r DayReport) PayOuts() (sum money.Cents) {
	for _, d := range r.Desks {
		sum += d.PayOuts
	}
	return sum
}

// A DeskDay is a day of one desk by one means. What an undo takes back counts against what
// it undoes: a wrong load that was taken back leaves nothing in Loads.
type DeskDay struct {
	Desk           string
	Means          Means
	Loads, PayOuts money.Cents
	Undone         int64 // entries taken back
	Difference     money.Cents
}

// reported are the means of a report in their order.
var reported = append(slices.Clip(AllMeans), Transfer)

// dayOf returns the day that begins at midnight in the zone of the house.
func (g *Ground) dayOf(date time.Time) (from, to time.Time) {
	y, m, d := date.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, g.Zone), time.Date(y, m, d+1, 0, 0, 0, 0, g.Zone)
}

// DayReport returns the report of a day; the date counts, not its zone.
func (g *Ground) DayReport(ctx context.Context, date time.Time) (DayReport, error) {
	from, to := g.dayOf(date)
	r := DayReport{Day: date.Format(day), From: from, To: to}
	// What was asked for before this moment is committed when Update returns, and what
	// comes later has later times: both readings below stop at the same place.
	err := g.Store.Update(ctx, Keys{}, func(tx Tx) error {
		r.At = tx.Now()
		return nil
	})
	if err != nil {
		return r, err
	}
	until := to
	if r.At.Before(until) {
		until = r.At
	}
	flows, err := g.Store.Flows(ctx, from, until)
	if err != nil {
		return r, err
	}
	before, err := g.Store.HeldAt(ctx, from)
	if err != nil {
		return r, err
	}
	after, err := g.Store.HeldAt(ctx, until)
	if err != nil {
		return r, err
	}
	r.Before, r.After = money.Cents(before), money.Cents(after)
	r.add(flows)
	return r, nil
}

// add puts the flows of the day where they belong.
func (r *DayReport) add(flows []Flow) {
	desks := map[[2]string]*DeskDay{}
	desk := func(id string, m Means) *DeskDay {
		key := [2]string{id, string(m)}
		if desks[key] == nil {
			desks[key] = &DeskDay{Desk: id, Means: m}
		}
		return desks[key]
	}
	in := money.Cents(0) // to players, less what came from them
	for _, f := range flows {
		if f.Amount.Unit != ledger.EUR {
			continue // nuggets are not money (contest:12)
		}
		amount := money.Cents(f.Amount.Count)
		if f.To == "player" {
			in += amount
		}
		if f.From == "player" {
			in -= amount
		}
		from, fromMeans, out := deskOf(f.From)
		to, toMeans, into := deskOf(f.To)
		switch {
		case f.Kind == "stake":
			r.Stakes += amount
			r.Sold += f.Count
		case f.Kind == "prize":
			r.Prizes += amount
			r.Won += f.Count
		case f.Kind == "bingo_stake":
			r.BingoStakes += amount
		case f.Kind == "bingo_refund":
			r.BingoRefunds += amount
		case f.Kind == "bingo_prize":
			r.BingoPrizes += amount
		case f.Kind == "bingo_takeback":
			r.BingoPrizes -= amount
		case f.Kind == string(Load) && out:
			desk(from, fromMeans).Loads += amount
		case f.Kind == string(PayOut) && into:
			desk(to, toMeans).PayOuts += amount
		case f.Kind == string(Undo) && into && f.From == "player": // of a load
			d := desk(to, toMeans)
			d.Loads -= amount
			d.Undone += f.Count
		case f.Kind == string(Undo) && out && f.To == "player": // of a pay-out
			d := desk(from, fromMeans)
			d.PayOuts -= amount
			d.Undone += f.Count
		case f.Kind == "difference" && out:
			desk(from, fromMeans).Difference += amount
			r.Difference += amount
		case f.Kind == "difference" && into:
			desk(to, toMeans).Difference -= amount
			r.Difference -= amount
		}
	}
	for _, d := range desks {
		r.Desks = append(r.Desks, *d)
	}
	slices.SortFunc(r.Desks, func(a, b DeskDay) int {
		if len(a.Desk) != len(b.Desk) {
			return len(a.Desk) - len(b.Desk) // numbers, so the shorter comes first
		}
		if a.Desk != b.Desk {
			return strings.Compare(a.Desk, b.Desk)
		}
		return slices.Index(reported, a.Means) - slices.Index(reported, b.Means)
	})
	r.Other = in - (r.Loads() + r.Prizes - r.Stakes - r.PayOuts())
	r.Other -= r.BingoPrizes + r.BingoRefunds - r.BingoStakes
	r.Other += r.After - r.Before - in // nothing, or the accounts do not follow the movements
}
