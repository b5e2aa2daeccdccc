package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"boulier/game/contest"
	"boulier/player"
)

// nextRun numbers the computations of rankings.
const nextRun counter = "next/contest_run"

// A Subject is what has a ranking and a pot: "leg/7" or "contest/3".
type Subject string

func legSubject(id contest.LegID) Subject   { return Subject("leg/" + refOf(id)) }
func contestSubject(id contest.ID) Subject  { return Subject(fmt.Sprintf("contest/%d", id)) }
func (s Subject) scope(run int64) string    { return fmt.Sprintf("%s/%d", s, run) }
func LegScope(l LegState, run int64) string { return legSubject(l.ID).scope(run) }

// departuresCell holds the accounts whose slips do not count (Reading C14).
const departuresCell Cell[Departures] = "contest/departures"

// Departures are accounts that take no further part, by player.
type Departures map[player.ID]Departed

// CloseLeg counts the slips of a leg when its last limit has passed. The count is read
// inside the transaction, whose time is past the limit: every slip in time is in it. Then
// the ranking is computed, if there is something to rank by.
func (c *Contests) CloseLeg(ctx context.Context, id contest.LegID) error {
	keys := Keys{States: []string{string(legCell(id)), string(countCell(id))}}
	err := c.Store.Update(ctx, keys, func(tx Tx) error {
		l, err := getLeg(tx, id)
		if err != nil {
			return err
		}
		row := DueRow{Kind: DueLegCloses, Ref: refOf(id)}
		if l.Annulled() || !l.ClosedAt.IsZero() {
			tx.Delete(row)
			return nil
		}
		if closes := l.Closes(); tx.Now().Before(closes) { // it was moved meanwhile
			row.At = closes
			tx.Save(row)
			return nil
		}
		n, err := countCell(id).Get(tx)
		if err != nil {
			return err
		}
		e, err := l.Close(n, tx.Now())
		if err != nil {
			return err
		}
		tx.Delete(row)
		scoreLater(tx, id)
		return l.tell(tx, 0, e)
	})
	if err != nil {
		return err
	}
	return c.Score(ctx, id)
}

// Score computes the ranking of a leg from all its slips and the current endings, and shows
// it (contest:7). Nothing is incremented: it may run again at any time.
func (c *Contests) Score(ctx context.Context, id contest.LegID) error {
	c.working.Lock()
	defer c.working.Unlock()
	l, _, err := c.Leg(ctx, id)
	if err != nil || l.ClosedAt.IsZero() || l.Version == 0 {
		return err
	}
	s, _, err := c.Contest(ctx, l.Contest)
	if err != nil {
		return err
	}
	gone, _, err := departuresCell.Read(ctx, c.Store)
	if err != nil {
		return err
	}
	standings := make([]contest.Standing, 0, l.Slips)
	err = c.eachSlip(ctx, l, func(slip slipState, picks []contest.Pick) error {
		if d := gone[slip.Player]; !d.Kind.Counts(d.At, l.proclaimedOr(c)) {
			return nil
		}
		standings = append(standings, contest.Standing{Player: slip.Player,
			Points: contest.Total(l.Awards(picks, l.Endings))})
		return nil
	})
	if err != nil {
		return err
	}
	run, err := c.writeRanking(ctx, legSubject(id), contest.Rank(standings), s.Terms.Sharing,
		s.Terms.Pots.Leg(len(standings)))
	if err != nil {
		return err
	}
	return c.Store.Update(ctx, Keys{States: []string{string(legCell(id))}}, func(tx Tx) error {
		now, err := getLeg(tx, id)
		if err != nil {
			return err
		}
		e, err := now.Show(contest.Scoring{Run: run, Version: l.Version, Slips: len(standings)})
		if errors.Is(err, contest.ErrNotScored) {
			return nil // results were entered meanwhile: their own call scores them
		}
		if err != nil {
			return err
		}
		tx.Delete(DueRow{Kind: DueLegScore, Ref: refOf(id)})
		replaced(tx, legSubject(id), now.Scored.Run, run)
		return now.tell(tx, 0, e)
	})
}

// ranksAtOnce is how many lines of a ranking one transaction writes.
const ranksAtOnce = 2000

// writeRanking writes a ranking with its shares of a pot under a run of its own. Nobody
// sees it until an event names the run.
func (c *Contests) writeRanking(ctx context.Context, subject Subject, ranking contest.Ranking,
	sharing contest.Sharing, pot contest.Nuggets) (run int64, err error) {
	shares, _ := sharing.Split(pot, ranking)
	err = c.Store.Update(ctx, Keys{States: []string{string(nextRun)}}, func(tx Tx) (err error) {
		if run, err = next(tx, nextRun); err == nil { // unless an event names it by then
			tx.Save(DueRow{Kind: DueRunDrop, Ref: subject.scope(run), At: tx.Now().Add(runKept)})
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	scope := subject.scope(run)
	for first := 0; first < len(ranking); first += ranksAtOnce {
		rows := make([]Row, 0, ranksAtOnce)
		for i := first; i < min(first+ranksAtOnce, len(ranking)); i++ {
			r := ranking[i]
			rows = append(rows, RankRow{Scope: scope, Place: int64(i + 1), Player: r.Player,
				Rank: int64(r.Rank), Points: int64(r.Points), Share: int64(shares[i])})
		}
		if err := c.Store.Update(ctx, Keys{}, func(tx Tx) error { tx.Insert(rows...); return nil }); err != nil {
			return 0, err
		}
	}
	return run, nil
}

// eachRank reads a whole ranking.
func (c *Contests) eachRank(ctx context.Context, scope string, fn func(RankRow) bool) error {
	for after := int64(0); ; {
		rows, err := c.Store.Ranks(ctx, scope, after, 5000)
		if err != nil {
			return err
		}
		for _, r := range rows {
			after = r.Place
			if !fn(r) {
				return nil
			}
		}
		if len(rows) < 5000 {
			return nil
		}
	}
}

// rankContest computes the ranking of a contest: the sum of the points over its proclaimed
// legs (contest:10), annulled ones left out.
func (c *Contests) rankContest(ctx context.Context, id contest.ID) error {
	s, _, err := c.Contest(ctx, id)
	if err != nil {
		return err
	}
	legs, err := c.Legs(ctx, s)
	if err != nil {
		return err
	}
	var sums [][]contest.Standing
	counted := 0
	for _, l := range legs {
		if l.Proclaimed.Count == 0 || l.Annulled() {
			continue
		}
		counted++
		list := make([]contest.Standing, 0, l.Scored.Slips)
		err := c.eachRank(ctx, LegScope(l, l.Proclaimed.Run), func(r RankRow) bool {
			list = append(list, contest.Standing{Player: r.Player, Points: contest.Points(r.Points)})
			return true
		})
		if err != nil {
			return err
		}
		sums = append(sums, list)
	}
	ranking := contest.Rank(contest.Sum(sums...))
	run, err := c.writeRanking(ctx, contestSubject(id), ranking, s.Terms.Sharing, s.Terms.Pots.Contest(counted))
	if err != nil {
		return err
	}
	return c.Store.Update(ctx, Keys{States: []string{string(contestCell(id))}}, func(tx Tx) error {
		now, err := getContest(tx, id)
		if err != nil {
			return err
		}
		tx.Delete(DueRow{Kind: DueContestRank, Ref: strconv.FormatInt(int64(id), 10)})
		replaced(tx, contestSubject(id), now.Shown.Run, run)
		return now.tell(tx, 0, now.Rank(contest.Scoring{Run: run, Version: now.Shown.Version + 1, Slips: len(ranking)}))
	})
}

// A RankPage is a part of a ranking, with the names shown.
type RankPage struct {
	Rows  []RankRow
	Names map[player.ID]string
	More  bool
	Own   *RankRow // of whoever looks, if ranked
}

// Ranking returns a page of a ranking after a place.
func (c *Contests) Ranking(ctx context.Context, scope string, after int64, limit int, viewer player.ID) (p RankPage, err error) {
	if p.Rows, err = c.Store.Ranks(ctx, scope, after, limit+1); err != nil {
		return p, err
	}
	if len(p.Rows) > limit {
		p.Rows, p.More = p.Rows[:limit], true
	}
	ids := make([]player.ID, len(p.Rows))
	for i, r := range p.Rows {
		ids[i] = r.Player
	}
	if p.Names, err = c.Names(ctx, ids); err != nil {
		return p, err
	}
	own, err := c.Store.RankOf(ctx, scope, viewer)
	if errors.Is(err, ErrNotFound) {
		return p, nil
	}
	if err == nil && !slices.ContainsFunc(p.Rows, func(r RankRow) bool { return r.Player == viewer }) {
		p.Names[viewer] = ""
	}
	p.Own = &own
	return p, err
}

// LegRanking is the ranking of a leg that is shown, ContestRanking that of a contest.
func (c *Contests) LegRanking(ctx context.Context, l LegState, after int64, limit int, viewer player.ID) (RankPage, error) {
	return c.Ranking(ctx, LegScope(l, l.ShownRun()), after, limit, viewer)
}

// ContestRanking is the ranking over the legs proclaimed so far.
// Shares are told once the contest is proclaimed: until then its pot still grows.
func (c *Contests) ContestRanking(ctx context.Context, s ContestState, after int64, limit int, viewer player.ID) (RankPage, error) {
	p, err := c.Ranking(ctx, contestSubject(s.ID).scope(s.Shown.Run), after, limit, viewer)
	if s.Proclaimed.Count == 0 {
		for i := range p.Rows {
			p.Rows[i].Share = 0
		}
	}
	return p, err
}

// ShownRun is the run of the ranking that is shown: the proclaimed one, the provisional one
// before.
func (l LegState) ShownRun() int64 {
	if l.Proclaimed.Count > 0 {
		return l.Proclaimed.Run
	}
	return l.Scored.Run
}
