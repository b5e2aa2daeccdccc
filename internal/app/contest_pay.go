package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

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

// ProclaimLeg proclaims the ranking that is shown of a leg and shares its pot, for the first
// time or again after a correction, which books the differences (contest:7, contest:9). The
// ranking is computed anew first.
func (c *Contests) ProclaimLeg(ctx context.Context, o LegOrder) error {
	l, _, err := c.Leg(ctx, o.Leg)
	if err != nil {
		return err
	}
	if l.Proclaimed.Count == 0 { // departures may have been decided since
		if err := c.Score(ctx, o.Leg); err != nil {
			return err
		}
	}
	s, _, err := c.Contest(ctx, l.Contest)
	if err != nil {
		return err
	}
	if l, _, err = c.Leg(ctx, o.Leg); err != nil {
		return err
	}
	pot := s.Terms.Pots.Leg(l.Scored.Slips)
	paid, err := c.shares(ctx, LegScope(l, l.Scored.Run))
	if err != nil {
		return err
	}
	return c.payLeg(ctx, o, l, "leg/proclaim", o.Leg, func(tx Tx, now LegState) (payJob, error) {
		if now.Scored != l.Scored {
			return payJob{}, contest.ErrNotScored.With("the ranking has just changed")
		}
		_, err := now.Proclaim(pot, paid, tx.Now())
		return payJob{Kind: "proclaim", To: now.Scored.Run, Pot: int64(pot), Paid: int64(paid)}, err
	})
}

// payLeg decides a payment that follows from what a leg is, and carries it out. What was
// paid for the leg before is filled in.
func (c *Contests) payLeg(ctx context.Context, o LegOrder, l LegState, name string, params any,
	decide func(tx Tx, now LegState) (payJob, error)) error {
	subject := legSubject(o.Leg)
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), name, params),
		States:   []string{string(legCell(o.Leg)), string(jobCell(subject)), string(standingOf(o.By))},
		Accounts: []ledger.Path{l.pot(), houseNuggets, houseRemainder}}
	_, err := Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, o.By, ManageGames); err != nil {
			return struct{}{}, err
		}
		now, err := getLeg(tx, o.Leg)
		if err != nil {
			return struct{}{}, err
		}
		if err := notBusy(tx, subject); err != nil {
			return struct{}{}, err
		}
		job, err := decide(tx, now)
		if err != nil {
			return struct{}{}, err
		}
		job.By, job.From, job.Free = o.By, now.Proclaimed.Run, !now.FinalAt.IsZero()
		job.WasPot, job.WasLeft = int64(now.Proclaimed.Pot), int64(now.Proclaimed.Remainder)
		return struct{}{}, startJob(tx, subject, now.pot(), job)
	})
	if err != nil {
		return err
	}
	return c.finishLeg(ctx, o.Leg)
}

// AnnulLeg takes a leg out of its contest with a reason (contest:13); one that is proclaimed
// gives back what it paid.
func (c *Contests) AnnulLeg(ctx context.Context, o LegOrder, reason string, decided bool) error {
	l, _, err := c.Leg(ctx, o.Leg)
	if err != nil {
		return err
	}
	if l.Proclaimed.Count == 0 {
		return c.onLeg(ctx, o, "annul", []any{reason, decided}, ManageGames,
			func(tx Tx, l LegState) (contest.LegEvent, error) {
				if l.Proclaimed.Count > 0 {
					return nil, ErrLegBusy.With("it was proclaimed just now")
				}
				return l.Annul(reason, decided, tx.Now(), c.Zone)
			})
	}
	params := []any{o.Leg, []any{reason, decided}}
	return c.payLeg(ctx, o, l, "leg/annul", params, func(tx Tx, now LegState) (payJob, error) {
		_, err := now.Annul(reason, decided, tx.Now(), c.Zone)
		return payJob{Kind: "annul", Reason: reason}, err
	})
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

// finishLeg carries out the job of a leg, if it has one.
func (c *Contests) finishLeg(ctx context.Context, id contest.LegID) error {
	c.working.Lock()
	defer c.working.Unlock()
	subject := legSubject(id)
	job, _, err := jobCell(subject).Read(ctx, c.Store)
	if err != nil || job.Kind == "" {
		return err
	}
	l, _, err := c.Leg(ctx, id)
	if err != nil {
		return err
	}
	s, _, err := c.Contest(ctx, l.Contest)
	if err != nil {
		return err
	}
	if err := c.runJob(ctx, subject, l.pot(), job); err != nil {
		return err
	}
	keys := Keys{States: []string{string(legCell(id)), string(jobCell(subject))},
		Accounts: []ledger.Path{l.pot(), houseNuggets, houseRemainder}}
	err = c.Store.Update(ctx, keys, func(tx Tx) error {
		now, err := getLeg(tx, id)
		if err != nil {
			return err
		}
		var e contest.LegEvent
		switch job.Kind {
		case "proclaim":
			e, err = now.Proclaim(contest.Nuggets(job.Pot), contest.Nuggets(job.Paid), tx.Now())
		case "annul":
			e, err = now.Annul(job.Reason, true, tx.Now(), c.Zone)
		case "release":
			e, err = now.Finish(s.Terms.PendingDays, tx.Now(), c.Zone)
		}
		if err != nil {
			return err
		}
		if err := closePot(tx, subject, now.pot(), job); err != nil {
			return err
		}
		jobCell(subject).Remove(tx)
		if err := now.tell(tx, job.By, e); err != nil {
			return err
		}
		if job.Kind == "proclaim" && job.From == 0 {
			tx.Save(DueRow{Kind: DueLegFinal, Ref: refOf(id),
				At: contest.SpendableAt(now.Proclaimed.At, s.Terms.PendingDays, c.Zone)})
		}
		if job.Kind != "proclaim" {
			tx.Delete(DueRow{Kind: DueLegFinal, Ref: refOf(id)})
		}
		if job.Kind != "release" {
			rankLater(tx, l.Contest)
		}
		if job.From != 0 && job.From != now.Proclaimed.Run {
			dropLater(tx, subject.scope(job.From))
		}
		return nil
	})
	if err != nil || job.Kind == "release" {
		return err
	}
	return c.rankContest(ctx, l.Contest)
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

// ProclaimContest proclaims the ranking of a contest and shares its pot, once every leg is
// proclaimed or annulled, and again after corrections (contest:10).
func (c *Contests) ProclaimContest(ctx context.Context, o ContestOrder) error {
	s, _, err := c.Contest(ctx, o.Contest)
	if err != nil {
		return err
	}
	legs, err := c.Legs(ctx, s)
	if err != nil {
		return err
	}
	plain := make([]contest.Leg, len(legs))
	states := []string{string(contestCell(o.Contest)), string(standingOf(o.By))}
	for i, l := range legs {
		plain[i] = l.Leg
		states = append(states, string(legCell(l.ID)))
	}
	subject := contestSubject(o.Contest)
	paid, err := c.shares(ctx, subject.scope(s.Shown.Run))
	if err != nil {
		return err
	}
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "contest/proclaim", o.Contest),
		States: append(states, string(jobCell(subject))), Accounts: []ledger.Path{s.pot(), houseNuggets, houseRemainder}}
	_, err = Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, o.By, ManageGames); err != nil {
			return struct{}{}, err
		}
		if err := notBusy(tx, subject); err != nil {
			return struct{}{}, err
		}
		now, err := getContest(tx, o.Contest)
		if err != nil {
			return struct{}{}, err
		}
		if now.Shown != s.Shown || len(now.Legs) != len(legs) {
			return struct{}{}, contest.ErrNotScored.With("the ranking has just changed")
		}
		e, err := now.Proclaim(plain, paid, tx.Now())
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, startJob(tx, subject, now.pot(), payJob{Kind: "proclaim", By: o.By, From: now.Proclaimed.Run,
			To: now.Shown.Run, Pot: int64(e.Pot), Paid: int64(paid), WasPot: int64(now.Proclaimed.Pot),
			WasLeft: int64(now.Proclaimed.Remainder), Free: !now.FinalAt.IsZero()})
	})
	if err != nil {
		return err
	}
	return c.finishContest(ctx, o.Contest)
}

// finishContest carries out the job of a contest, if it has one.
func (c *Contests) finishContest(ctx context.Context, id contest.ID) error {
	c.working.Lock()
	defer c.working.Unlock()
	subject := contestSubject(id)
	job, _, err := jobCell(subject).Read(ctx, c.Store)
	if err != nil || job.Kind == "" {
		return err
	}
	s, _, err := c.Contest(ctx, id)
	if err != nil {
		return err
	}
	if err := c.runJob(ctx, subject, s.pot(), job); err != nil {
		return err
	}
	keys := Keys{States: []string{string(contestCell(id)), string(jobCell(subject))},
		Accounts: []ledger.Path{s.pot(), houseNuggets, houseRemainder}}
	return c.Store.Update(ctx, keys, func(tx Tx) error {
		now, err := getContest(tx, id)
		if err != nil {
			return err
		}
		row := DueRow{Kind: DueContestFinal, Ref: fmt.Sprint(id)}
		jobCell(subject).Remove(tx)
		if job.Kind == "release" {
			tx.Delete(row)
			e, err := now.Finish(tx.Now(), c.Zone)
			if err != nil {
				return err
			}
			return now.tell(tx, job.By, e)
		}
		if err := closePot(tx, subject, now.pot(), job); err != nil {
			return err
		}
		p := contest.Proclamation{At: now.Proclaimed.At, Run: job.To, Version: now.Shown.Version, Pot: contest.Nuggets(job.Pot),
			Paid: contest.Nuggets(job.Paid), Remainder: contest.Nuggets(job.Pot - job.Paid), Count: now.Proclaimed.Count + 1}
		if p.At.IsZero() {
			p.At = tx.Now()
			row.At = contest.SpendableAt(p.At, now.Terms.PendingDays, c.Zone)
			tx.Save(row)
		}
		return now.tell(tx, job.By, contest.ContestProclaimed{Proclamation: p})
	})
}

// Release ends the days for disputes of a subject: what was pending may be spent (contest:17,
// Reading C20).
func (c *Contests) release(ctx context.Context, s Subject, run int64, ready func(Tx) error) error {
	keys := Keys{States: []string{string(jobCell(s))}}
	kind, id, err := parseRef(string(s))
	if err != nil {
		return err
	}
	if kind == "leg" {
		keys.States = append(keys.States, string(legCell(contest.LegID(id))))
	} else {
		keys.States = append(keys.States, string(contestCell(contest.ID(id))))
	}
	return c.Store.Update(ctx, keys, func(tx Tx) error {
		if err := notBusy(tx, s); err != nil {
			return err
		}
		if err := ready(tx); err != nil {
			return err
		}
		jobCell(s).Put(tx, payJob{Kind: "release", From: run})
		return nil
	})
}

// FinishLeg is the clock's work at the end of the days for disputes of a leg.
func (c *Contests) FinishLeg(ctx context.Context, id contest.LegID) error {
	if err := c.finishLeg(ctx, id); err != nil { // what a stop has left
		return err
	}
	l, _, err := c.Leg(ctx, id)
	if err != nil {
		return err
	}
	if l.Annulled() || !l.FinalAt.IsZero() {
		return c.Store.Update(ctx, Keys{}, func(tx Tx) error {
			tx.Delete(DueRow{Kind: DueLegFinal, Ref: refOf(id)})
			return nil
		})
	}
	s, _, err := c.Contest(ctx, l.Contest)
	if err != nil {
		return err
	}
	err = c.release(ctx, legSubject(id), l.Proclaimed.Run, func(tx Tx) error {
		now, err := getLeg(tx, id)
		if err != nil {
			return err
		}
		if now.Proclaimed.Run != l.Proclaimed.Run {
			return ErrLegBusy.With("it was corrected just now")
		}
		_, err = now.Finish(s.Terms.PendingDays, tx.Now(), c.Zone)
		return err
	})
	if err != nil {
		return err
	}
	return c.finishLeg(ctx, id)
}

// FinishContest is the same of a contest.
func (c *Contests) FinishContest(ctx context.Context, id contest.ID) error {
	if err := c.finishContest(ctx, id); err != nil {
		return err
	}
	s, _, err := c.Contest(ctx, id)
	if err != nil || !s.FinalAt.IsZero() {
		return err
	}
	err = c.release(ctx, contestSubject(id), s.Proclaimed.Run, func(tx Tx) error {
		now, err := getContest(tx, id)
		if err != nil {
			return err
		}
		if now.Proclaimed.Run != s.Proclaimed.Run {
			return ErrLegBusy.With("it was corrected just now")
		}
		_, err = now.Finish(tx.Now(), c.Zone)
		return err
	})
	if err != nil {
		return err
	}
	return c.finishContest(ctx, id)
}

// Resume carries on with what a stop of the program has cut short.
func (c *Contests) Resume(ctx context.Context) error {
	recs, err := c.Store.States(ctx, jobPrefix, "", readAtOnce)
	if err != nil {
		return err
	}
	var failed error
	for _, rec := range recs {
		if len(rec.Body) == 0 {
			continue
		}
		kind, id, err := parseRef(rec.Name[len(jobPrefix):])
		if err == nil && kind == "leg" {
			err = c.finishLeg(ctx, contest.LegID(id))
		} else if err == nil {
			err = c.finishContest(ctx, contest.ID(id))
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// SpendableAt is when the nuggets of a proclaimed leg may be spent.
func (c *Contests) SpendableAt(s ContestState, p contest.Proclamation) time.Time {
	return contest.SpendableAt(p.At, s.Terms.PendingDays, c.Zone)
}
