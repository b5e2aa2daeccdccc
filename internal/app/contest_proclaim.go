package app

import (
	"context"
	"fmt"

	"boulier/game/contest"
	"boulier/ledger"
)

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
