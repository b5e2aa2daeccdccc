package ninety

import (
	"fmt"
	"iter"
	"math/bits"
	"strconv"
)

// Shape of the game. The lines and columns are those of every card; a sheet holds each
// ball once, so six cards of fifteen numbers make ninety.
const (
	balls    = 90
	lines    = 3
	columns  = 9
	perLine  = 5
	perCard  = lines * perLine
	perSheet = balls / perCard
)

// A Source gives uniform numbers: Uint64n returns one of 0 … n-1, each exactly as
// likely, for any n of at least 1. Package draw holds the real ones.
type Source interface{ Uint64n(n uint64) uint64 }

// A Ball is a number from 1 to 90, on a card or in the cage.
type Ball uint8

// Valid reports whether b is one of the ninety.
func (b Ball) Valid() bool { return 1 <= b && b <= balls }

// Column returns the column of a valid ball on a card, 0 to 8: its tens, with 90 in the
// last.
func (b Ball) Column() int { return min(int(b)/10, columns-1) }

// MarshalJSON writes the number for whoever keeps it: a list of balls is a list of numbers,
// where encoding/json would take it for bytes.
func (b Ball) MarshalJSON() ([]byte, error) { return strconv.AppendUint(nil, uint64(b), 10), nil }

// A BallSet is a set of balls. The zero value is the empty set; sets are compared by ==.
type BallSet [2]uint64

// With returns s with the given valid balls added.
func (s BallSet) With(more ...Ball) BallSet {
	for _, b := range more {
		s[b>>6] |= 1 << (b & 63)
	}
	return s
}

// Has reports whether b is in s.
func (s BallSet) Has(b Ball) bool { return b < 128 && s[b>>6]>>(b&63)&1 == 1 }

// Minus returns the balls of s that are not in t.
func (s BallSet) Minus(t BallSet) BallSet { return BallSet{s[0] &^ t[0], s[1] &^ t[1]} }

// Union returns the balls that are in s or in t.
func (s BallSet) Union(t BallSet) BallSet { return BallSet{s[0] | t[0], s[1] | t[1]} }

// Len returns how many balls s holds.
func (s BallSet) Len() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// All gives the balls of s in ascending order.
func (s BallSet) All() iter.Seq[Ball] {
	return func(yield func(Ball) bool) {
		for word, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(Ball(word<<6 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// A Card is a valid card: three lines of five numbers. The columns need not be stored,
// since a number tells its own. Grid.Card makes a Card and refuses anything else.
type Card struct{ Lines [lines]BallSet }

// Numbers returns the fifteen numbers of c.
func (c Card) Numbers() BallSet { return c.Lines[0].Union(c.Lines[1]).Union(c.Lines[2]) }

// FullLines returns how many lines of c the drawn balls complete: 1 is a quine
// or a line prize, 3 is a full card (« carton plein », « bingo »).
func (c Card) FullLines(drawn BallSet) (n int) {
	for _, line := range c.Lines {
		if line.Minus(drawn).Len() == 0 {
			n++
		}
	}
	return n
}

// Draw returns the ninety balls in the order in which they leave the cage, every order
// exactly as likely: a Fisher–Yates shuffle from the last index down. A round shows them
// one at a time from the first.
func Draw(src Source) []Ball {
	order := make([]Ball, balls)
	for i := range order {
		order[i] = Ball(i + 1)
	}
	for i := len(order) - 1; i > 0; i-- {
		j := src.Uint64n(uint64(i) + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// A Sheet is a sheet of six (« plaque »): its cards hold every number from 1 to 90 once.
type Sheet [perSheet]Card

// Halves returns the two sheets of three that s is cut into, 45 different numbers each.
func (s *Sheet) Halves() (first, second []Card) { return s[:perSheet/2], s[perSheet/2:] }

// Check returns an error that names a number which does not stand on s exactly once.
func (s *Sheet) Check() error {
	var seen BallSet
	for i, c := range s {
		for b := range c.Numbers().All() {
			if seen.Has(b) {
				return fmt.Errorf("number %d stands twice, the second time on card %d of the sheet",
					b, i+1)
			}
			seen = seen.With(b)
		}
	}
	for b := Ball(1); b <= balls; b++ {
		if !seen.Has(b) {
			return fmt.Errorf("number %d is missing from the sheet", b)
		}
	}
	return nil
}
