package app

import (
	"context"
	"strconv"
	"strings"
	"time"

	"boulier/game/contest"
)

// What a stop of the program may leave undone is on the clock before it begins: DueLegScore the
// ranking of a leg whose slips or results are new, DueContestRank that of a contest, DueRunDrop
// the lines of a ranking that no event names any more.
const (
	DueLegScore    = "contest_leg_score"
	DueContestRank = "contest_rank"
	DueRunDrop     = "contest_run_drop"
)

// resumeAfter is when the clock does what the call that should have done it has not; runKept is
// how long the lines of a ranking stay once another is shown, for who reads them page by page.
const (
	resumeAfter = time.Minute
	runKept     = time.Hour
)

func scoreLater(tx Tx, id contest.LegID) {
	tx.Save(DueRow{Kind: DueLegScore, Ref: refOf(id), At: tx.Now().Add(resumeAfter)})
}

func rankLater(tx Tx, id contest.ID) {
	tx.Save(DueRow{Kind: DueContestRank, Ref: strconv.FormatInt(int64(id), 10), At: tx.Now().Add(resumeAfter)})
}

func dropLater(tx Tx, scope string) {
	tx.Save(DueRow{Kind: DueRunDrop, Ref: scope, At: tx.Now().Add(runKept)})
}

// replaced notes that a run is shown in place of another.
func replaced(tx Tx, s Subject, was, is int64) {
	tx.Delete(DueRow{Kind: DueRunDrop, Ref: s.scope(is)})
	if was != 0 && was != is {
		dropLater(tx, s.scope(was))
	}
}

// ScoreDue computes the ranking of a leg if the call that should have done it was cut short.
func (c *Contests) ScoreDue(ctx context.Context, id contest.LegID) error {
	l, _, err := c.Leg(ctx, id)
	if err != nil {
		return err
	}
	if l.ClosedAt.IsZero() || l.Version == 0 || l.Scored.Version == l.Version || l.Annulled() {
		return c.Store.Update(ctx, Keys{}, func(tx Tx) error {
			tx.Delete(DueRow{Kind: DueLegScore, Ref: refOf(id)})
			return nil
		})
	}
	return c.Score(ctx, id)
}

// RankDue is the same of a contest.
func (c *Contests) RankDue(ctx context.Context, id contest.ID) error {
	c.working.Lock()
	defer c.working.Unlock()
	return c.rankContest(ctx, id)
}

// dropsAtOnce is how many chunks of lines one call of DropRun removes: the clock goes on with
// other work, and comes back.
const dropsAtOnce = 20

// DropRun removes the lines of a ranking that is neither shown nor paid.
func (c *Contests) DropRun(ctx context.Context, scope string) error {
	i := strings.LastIndexByte(scope, '/')
	run, err := strconv.ParseInt(scope[i+1:], 10, 64)
	if err != nil {
		return err
	}
	named, err := c.namesRun(ctx, Subject(scope[:i]), run)
	if err != nil {
		return err
	}
	done := named
	for chunk := 0; !done && chunk < dropsAtOnce; chunk++ {
		rows, err := c.Store.Ranks(ctx, scope, 0, ranksAtOnce)
		if err != nil {
			return err
		}
		done = len(rows) < ranksAtOnce
		if len(rows) == 0 {
			break
		}
		gone := make([]Row, len(rows))
		for i, r := range rows {
			gone[i] = r
		}
		if err := c.Store.Update(ctx, Keys{}, func(tx Tx) error { tx.Delete(gone...); return nil }); err != nil {
			return err
		}
	}
	if !done {
		return nil
	}
	return c.Store.Update(ctx, Keys{}, func(tx Tx) error {
		tx.Delete(DueRow{Kind: DueRunDrop, Ref: scope})
		return nil
	})
}

// namesRun reports whether a run is shown, proclaimed, or being paid.
func (c *Contests) namesRun(ctx context.Context, s Subject, run int64) (bool, error) {
	job, _, err := jobCell(s).Read(ctx, c.Store)
	if err != nil {
		return false, err
	}
	if job.Kind != "" && (job.From == run || job.To == run) {
		return true, nil
	}
	kind, id, err := parseRef(string(s))
	if err != nil {
		return false, err
	}
	if kind == "leg" {
		l, _, err := c.Leg(ctx, contest.LegID(id))
		return l.Scored.Run == run || l.Proclaimed.Run == run, err
	}
	k, _, err := c.Contest(ctx, contest.ID(id))
	return k.Shown.Run == run || k.Proclaimed.Run == run, err
}
