package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"boulier/game/contest"
	"boulier/game/instant"
)

// DoDue does the work whose time has come. What fails stays due, and does not keep the
// rest from being done.
func DoDue(ctx context.Context, g *Ground, i *Instant, c *Contests, b *Bingo) error {
	rows, err := g.Store.Due(ctx, g.Now(), 100)
	if err != nil {
		return err
	}
	var failed error
	for _, row := range rows {
		if err := doDue(ctx, i, c, b, row); err != nil {
			failed = errors.Join(failed, fmt.Errorf("app: due %s %s: %w", row.Kind, row.Ref, err))
		}
	}
	return failed
}

// DueIn returns how long there is until work is due, at most so long: that much, too, when
// work is due already, since it has just failed then.
func DueIn(ctx context.Context, g *Ground, most time.Duration) time.Duration {
	now := g.Now()
	rows, err := g.Store.Due(ctx, now.Add(most), 1)
	if err != nil || len(rows) == 0 || !rows[0].At.After(now) {
		return most
	}
	return rows[0].At.Sub(now)
}

func doDue(ctx context.Context, i *Instant, c *Contests, b *Bingo, row DueRow) error {
	if row.Kind == DueRunDrop {
		return c.DropRun(ctx, row.Ref)
	}
	id, err := strconv.ParseInt(row.Ref, 10, 64)
	if err != nil {
		return err
	}
	switch row.Kind {
	case DueIssueCloses:
		return i.closeIssue(ctx, IssueOrder{Issue: instant.IssueID(id)}, instant.ByDate)
	case DueLegCloses:
		return c.CloseLeg(ctx, contest.LegID(id))
	case DueLegFinal:
		return c.FinishLeg(ctx, contest.LegID(id))
	case DueContestFinal:
		return c.FinishContest(ctx, contest.ID(id))
	case DueLegScore:
		return c.ScoreDue(ctx, contest.LegID(id))
	case DueContestRank:
		return c.RankDue(ctx, contest.ID(id))
	case DueLegReminder:
		return c.Remind(ctx, contest.LegID(id))
	case DueOffer:
		return c.LapseOffer(ctx, OfferID(id))
	case DueGiftNext:
		return c.GiftNext(ctx, OfferID(id))
	case DueBingo:
		return b.Step(ctx)
	}
	return fmt.Errorf("nobody does this kind of work")
}
