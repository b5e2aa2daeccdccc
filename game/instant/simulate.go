package instant

import (
	"fmt"
	"math/big"
	"time"
)

// A Simulation is a whole block as its players would meet it.
type Simulation struct {
	Block        Block // after the last unit: stakes, what was paid, units by outcome
	Return       *big.Rat
	HitRate      *big.Rat // units that won, of all
	LongestWait  int64    // the longest run of units that lost
	FirstOfLines []int64  // by line of the table, how many units were sold before its first
}

// Simulate deals a block of the game and sells it to its last unit by the rules of a real
// sale. The game must have passed Check.
func Simulate(g Game, src Source) (s Simulation, err error) {
	s.Block = Block{}.Apply(BlockOpened{1})
	s.FirstOfLines = make([]int64, len(g.Table))
	for i := range s.FirstOfLines {
		s.FirstOfLines[i] = -1
	}
	wait := int64(0)
	for i, o := range Deal(g, src) {
		sold, err := s.Block.Sell(&g, o)
		if err != nil {
			return s, fmt.Errorf("instant: simulating a block: %w", err)
		}
		s.Block = s.Block.Apply(sold)
		if wait++; o > 0 {
			wait = 0
			if s.FirstOfLines[o-1] < 0 {
				s.FirstOfLines[o-1] = int64(i)
			}
		}
		s.LongestWait = max(s.LongestWait, wait)
	}
	s.Return = big.NewRat(int64(s.Block.Paid), int64(s.Block.Stakes))
	s.HitRate = g.HitRate()
	return s, nil
}

// HitRate returns what part of the units of a block wins; the game must have passed Check.
func (g Game) HitRate() *big.Rat { return big.NewRat(g.Block-g.Losers(), g.Block) }

// OneIn returns among how many units, in a block, one wins line k of the table, counted
// from 1; the game must have passed Check.
func (g Game) OneIn(line int) *big.Rat { return big.NewRat(g.Block, g.Table[line-1].Count) }

// A Warning is what a law says of a game that its own rules allow. It is shown to whoever
// opens an issue, and never keeps it from being opened.
type Warning struct {
	Code   string // stable and machine-readable
	Law    string // the text, as it is cited
	Since  time.Time
	Return *big.Rat // of the game
	Low    *big.Rat // the bounds that the law sets
	High   *big.Rat
}

// returnLaws are the texts that bound the return of scratch games, with their dates; the
// latest that is not after a sale counts.
var returnLaws = []struct {
	since     time.Time
	law       string
	low, high int64 // percent
}{
	{time.Date(2019, 10, 17, 0, 0, 0, 0, time.UTC),
		"décret no 2019-1061 du 17 octobre 2019, art. 8, I, 1°", 62, 75},
	{time.Date(2020, 11, 4, 0, 0, 0, 0, time.UTC),
		"code de la sécurité intérieure, art. D. 322-10, 2° (décret no 2020-1349 du 4 novembre 2020)", 62, 75},
}

// Warnings returns what the law of a day says against the game. The regulation of 2006
// returns 61.004 %, which nothing forbade then. The game must have passed Check.
func (g Game) Warnings(at time.Time) []Warning {
	for i := len(returnLaws) - 1; i >= 0; i-- {
		l := returnLaws[i]
		if at.Before(l.since) {
			continue
		}
		w := Warning{Law: l.law, Since: l.since, Return: g.Return(),
			Low: big.NewRat(l.low, 100), High: big.NewRat(l.high, 100)}
		switch {
		case w.Return.Cmp(w.Low) < 0:
			w.Code = "return_below_law"
		case w.Return.Cmp(w.High) > 0:
			w.Code = "return_above_law"
		default:
			return nil
		}
		return []Warning{w}
	}
	return nil
}
