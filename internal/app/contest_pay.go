package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"boulier/game/contest"
	"boulier/ledger"
	"boulier/player"
)

// A payJob is the sharing of a pot under way: long work in chunks, closed by one event. It
// is kept, so that a stop of the program does not lose it or pay anything twice.
type payJob struct {
	Kind    string    `json:"kind"` // proclaim, annul, release
	By      player.ID `json:"by"`
	From    int64     `json:"from"` // the run that was paid before, 0 for none
	To      int64     `json:"to"`   // the run that is to be paid, 0 for none
	Pot     int64     `json:"pot"`
	Paid    int64     `json:"paid"`
	WasPot  int64     `json:"was_pot"`
	WasLeft int64     `json:"was_left"` // the remainder before
	Free    bool      `json:"free"`     // nuggets are no longer pending
	Reason  string    `json:"reason,omitempty"`
	Next    int       `json:"next"` // the first payment not made yet
}

func jobCell(s Subject) Cell[payJob] { return Cell[payJob]("contest/job/" + string(s)) }

const jobPrefix = "contest/job/"

// notBusy refuses an order while a job on the subject is under way.
func notBusy(tx Tx, s Subject) error {
	job, err := jobCell(s).Get(tx)
	if err == nil && job.Kind != "" {
		err = ErrLegBusy.With("%s of %s is under way", job.Kind, s)
	}
	return err
}

// startJob puts the pot in its account, what was left over before included, and remembers
// the work. A pot that shrinks gives the house its part back at the end.
func startJob(tx Tx, s Subject, pot ledger.Path, job payJob) error {
	if job.WasLeft > 0 {
		if err := postNuggets(tx, "remainder_back", string(s), houseRemainder, pot, job.WasLeft); err != nil {
			return err
		}
	}
	if more := job.Pot - job.WasPot; more > 0 {
		if err := postNuggets(tx, "pot", string(s), houseNuggets, pot, more); err != nil {
			return err
		}
	}
	jobCell(s).Put(tx, job)
	return nil
}

func postNuggets(tx Tx, kind, ref string, from, to ledger.Path, amount int64) error {
	_, err := tx.Post(Posting{Kind: kind, Ref: ref, Moves: []ledger.Movement{
		{From: from, To: to, Amount: ledger.Amount{Unit: ledger.Nuggets, Count: amount}}}})
	return err
}

// shares returns what a run pays in all.
func (c *Contests) shares(ctx context.Context, scope string) (sum contest.Nuggets, err error) {
	err = c.eachRank(ctx, scope, func(r RankRow) bool {
		sum += contest.Nuggets(r.Share)
		return r.Share > 0 // shares fall with the rank
	})
	return sum, err
}

// A payment is what a job moves for one player; below zero it is taken back.
type payment struct {
	who    player.ID
	amount int64
}

// payments returns what a job moves, what is taken back first, then by player: the same
// list whenever it is made, for runs never change.
func (c *Contests) payments(ctx context.Context, s Subject, job payJob) ([]payment, error) {
	by := map[player.ID]int64{}
	add := func(run, sign int64) error {
		if run == 0 {
			return nil
		}
		return c.eachRank(ctx, s.scope(run), func(r RankRow) bool {
			if r.Share > 0 {
				by[r.Player] += sign * r.Share
			}
			return r.Share > 0
		})
	}
	if err := errors.Join(add(job.From, -1), add(job.To, 1)); err != nil {
		return nil, err
	}
	var list []payment
	for _, who := range slices.Sorted(maps.Keys(by)) {
		if by[who] != 0 {
			list = append(list, payment{who, by[who]})
		}
	}
	slices.SortStableFunc(list, func(a, b payment) int {
		return cmp.Compare(min(max(a.amount, -1), 1), min(max(b.amount, -1), 1))
	})
	return list, nil
}

// paymentsAtOnce is how many payments one transaction makes.
const paymentsAtOnce = 100

// runJob makes the payments of a job that are not made yet, in chunks. done is called in a
// last transaction of its own, with the job, and must put its closing event.
func (c *Contests) runJob(ctx context.Context, s Subject, pot ledger.Path, job payJob) error {
	list, err := c.payments(ctx, s, job)
	if err != nil {
		return err
	}
	for job.Next < len(list) {
		chunk := list[job.Next:min(job.Next+paymentsAtOnce, len(list))]
		keys := Keys{States: []string{string(jobCell(s))}, Accounts: []ledger.Path{pot, houseMissing}}
		for _, p := range chunk {
			keys.Accounts = append(keys.Accounts, pendingNuggets(p.who), freeNuggets(p.who))
		}
		err := c.Store.Update(ctx, keys, func(tx Tx) error {
			now, err := jobCell(s).Get(tx)
			if err != nil || now.Next != job.Next || now.Kind != job.Kind {
				return errors.Join(err, ErrLegBusy)
			}
			for _, p := range chunk {
				if err := pay(tx, string(s), pot, p, job); err != nil {
					return err
				}
			}
			now.Next += len(chunk)
			jobCell(s).Put(tx, now)
			return nil
		})
		if err != nil {
			return fmt.Errorf("app: %s of %s: %w", job.Kind, s, err)
		}
		job.Next += len(chunk)
	}
	return nil
}

// pay makes one payment. What cannot be taken back, because it was spent, is borne by the
// house: no player owes nuggets.
func pay(tx Tx, ref string, pot ledger.Path, p payment, job payJob) error {
	own := pendingNuggets(p.who)
	if job.Free {
		own = freeNuggets(p.who)
	}
	switch {
	case job.Kind == "release":
		return postNuggets(tx, "release", ref, pendingNuggets(p.who), freeNuggets(p.who), -p.amount)
	case p.amount > 0:
		return postNuggets(tx, "share", ref, pot, own, p.amount)
	}
	owed := -p.amount
	account, err := tx.Account(own)
	if err != nil {
		return err
	}
	if there := min(owed, account.Balance); there > 0 {
		if err := postNuggets(tx, "share_back", ref, own, pot, there); err != nil {
			return err
		}
		owed -= there
	}
	if owed > 0 {
		return postNuggets(tx, "share_missing", ref, houseMissing, pot, owed)
	}
	return nil
}

// closePot empties the account of a pot: what no rank gets is the remainder, what the pot
// shrank by goes back (Readings C15, C16).
func closePot(tx Tx, s Subject, pot ledger.Path, job payJob) error {
	left, back := job.Pot-job.Paid, job.WasPot-job.Pot
	if job.Kind == "release" {
		return nil
	}
	if left > 0 {
		if err := postNuggets(tx, "remainder", string(s), pot, houseRemainder, left); err != nil {
			return err
		}
	}
	if back > 0 {
		return postNuggets(tx, "pot_back", string(s), pot, houseNuggets, back)
	}
	return nil
}
