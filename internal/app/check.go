package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boulier/game/bingo"
	"boulier/game/loto"
	"boulier/journal"
)

// A GamesReport is what a check of the games has gone through and found.
type GamesReport struct {
	Blocks, Rounds, Days, Contests int
	Faults                         []string // in English, the first of them only
}

// CheckGames replays the facts of every game over its rules and compares what they lead to
// with what is stored (house:6). The house may go on meanwhile.
func CheckGames(ctx context.Context, g *Ground) (GamesReport, error) {
	c := gamesCheck{Ground: g, ctx: ctx}
	for _, check := range []func() error{c.instants, c.bingo, c.lotos, c.contests} {
		if err := check(); err != nil {
			return c.report, err
		}
	}
	return c.report, ctx.Err()
}

type gamesCheck struct {
	*Ground
	ctx    context.Context
	report GamesReport
}

// How often a game whose state does not fit its facts is looked at again, since both may have
// moved between two readings, and how many faults are told.
const (
	checkTries = 4
	checkPause = 50 * time.Millisecond
	mostFaults = 100
)

// steady notes the fault that a check finds again and again.
func (c *gamesCheck) steady(check func() error) {
	for try := 1; ; try++ {
		err := check()
		if err == nil || c.ctx.Err() != nil {
			return
		}
		if try == checkTries {
			if len(c.report.Faults) < mostFaults {
				c.report.Faults = append(c.report.Faults, err.Error())
			}
			return
		}
		time.Sleep(checkPause)
	}
}

func (c *gamesCheck) instants() error {
	i := NewInstant(c.Ground)
	issues, err := i.Issues(c.ctx)
	if err != nil {
		return err
	}
	for _, issue := range issues {
		blocks := append(issue.Past[:len(issue.Past):len(issue.Past)], issue.Ready...)
		if issue.Current != 0 {
			blocks = append(blocks, issue.Current)
		}
		for _, id := range blocks {
			c.report.Blocks++
			c.steady(func() error { return i.CheckBlock(c.ctx, id) })
		}
	}
	return nil
}

func (c *gamesCheck) bingo() error {
	b := NewBingo(c.Ground, NewCards(c.Ground))
	last, _, err := nextBingo.Read(c.ctx, c.Store)
	if err != nil {
		return err
	}
	for id := range bingo.RoundID(last) {
		c.report.Rounds++
		c.steady(func() error { return b.ReplayRound(c.ctx, id+1) })
	}
	c.steady(func() error { return b.ReplaySession(c.ctx) })
	c.steady(func() error { return b.ReplayHouse(c.ctx) })
	return nil
}

func (c *gamesCheck) lotos() error {
	l := NewLoto(c.Ground, NewCards(c.Ground))
	days, err := l.Days(c.ctx)
	if err != nil {
		return err
	}
	for _, d := range days {
		c.report.Days++
		c.steady(func() error { return l.ReplayDay(c.ctx, d.ID) })
	}
	return nil
}

func (c *gamesCheck) contests() error {
	contests := NewContests(c.Ground)
	all, err := contests.Contests(c.ctx)
	if err != nil {
		return err
	}
	for _, s := range all {
		c.report.Contests++
		c.steady(func() error { return contests.ReplayContest(c.ctx, s.ID) })
		for _, leg := range s.Legs {
			c.steady(func() error { return contests.ReplayLeg(c.ctx, leg) })
		}
	}
	return nil
}

// ReplayDay folds the facts of a day of loto and returns an error unless they lead to what is
// stored (house:6).
func (l *Loto) ReplayDay(ctx context.Context, id LotoID) error {
	stored, _, err := l.Day(ctx, id)
	if err != nil {
		return err
	}
	var events []loto.Event
	err = l.eachEvent(ctx, string(lotoCell(id)), 0, func(leaf journal.Leaf, payload []byte) error {
		e, _, err := ReadLotoEvent(string(leaf.Kind), payload)
		if err == nil && e != nil {
			events = append(events, e)
		}
		return err
	})
	if err != nil {
		return err
	}
	facts, err1 := encodeFact(loto.Replay(events))
	is, err2 := encodeFact(stored.Session)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if string(facts) != string(is) {
		return fmt.Errorf("app: day %d of loto: its facts lead to %s, stored is %s", id, facts, is)
	}
	return nil
}
