package app

import (
	"context"
	"errors"
	"time"

	"boulier/game/contest"
)

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
