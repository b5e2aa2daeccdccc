package ninety

import (
	"fmt"
	"iter"
	"slices"
)

// Replay audits a finished round: for each goal, then for each card, it returns after how
// many of the balls in order the card reached the goal, from 1; 0 means that it did not.
// It refuses an order with a ball that is none of the ninety or drawn twice, and a goal
// that is not valid.
//
// It is a second implementation, so that it and Index check each other: it counts
// nothing and keeps no state, but searches for the moment from which on a line of the
// card stands among the balls drawn. Only the cells of a pattern are shared.
func Replay(cards iter.Seq[Card], order []Ball, goals ...Goal) ([][]uint8, error) {
	r, err := newReplay(order)
	if err != nil {
		return nil, err
	}
	for _, g := range goals {
		if !g.Valid() {
			return nil, fmt.Errorf("%b is no goal", g)
		}
	}
	reached := make([][]uint8, len(goals))
	for c := range cards {
		a, b, d := r.when(&c.Lines)
		first, last := min(a, b, d), max(a, b, d)
		for i, g := range goals {
			var at uint8
			switch g {
			case Line:
				at = first
			case TwoLines:
				at = a ^ b ^ d ^ first ^ last // the one in the middle
			case FullCard:
				at = last
			default:
				at, _, _ = r.when(&[lines]BallSet{g.cells(c)})
			}
			if at > r.balls {
				at = 0
			}
			if list := reached[i]; len(list) == cap(list) {
				reached[i] = slices.Grow(list, len(list)+1) // to double: append would copy more often
			}
			reached[i] = append(reached[i], at)
		}
	}
	return reached, nil
}

// replay is the order of a round, made ready for searching.
type replay struct {
	balls uint8
	// drawn[n] is the set of the first n balls. After the last of them come sets of every
	// ball: what is not complete by then is found there.
	drawn [128]BallSet
}

// newReplay returns the replay of an order, or an error for one that cannot be.
func newReplay(order []Ball) (*replay, error) {
	r := &replay{}
	for i, b := range order {
		if !b.Valid() || r.drawn[i].Has(b) {
			return nil, fmt.Errorf("ball %d of the order, %d, is not in the cage", i+1, b)
		}
		r.drawn[i+1] = r.drawn[i].With(b)
	}
	r.balls = uint8(len(order))
	for i := len(order) + 1; i < len(r.drawn); i++ {
		r.drawn[i] = BallSet{^uint64(0), ^uint64(0)}
	}
	return r, nil
}

// when returns after how many balls all of each set are drawn; more than r.balls if never.
func (r *replay) when(sets *[lines]BallSet) (a, b, c uint8) {
	// A search by halves without a branch, for its outcomes cannot be foreseen: a number
	// grows by the step if the balls up to there do not suffice. The three searches go
	// side by side, so that none waits for memory alone.
	var x, y, z int
	for step := 64; step > 0; step >>= 1 {
		x += step & -r.lacks(&sets[0], x+step-1)
		y += step & -r.lacks(&sets[1], y+step-1)
		z += step & -r.lacks(&sets[2], z+step-1)
	}
	return uint8(x), uint8(y), uint8(z)
}

// lacks returns 1 if the first n balls do not hold all of set, else 0.
func (r *replay) lacks(set *BallSet, n int) int {
	have := &r.drawn[n&127]
	lacking := set[0]&^have[0] | set[1]&^have[1]
	return int((lacking | -lacking) >> 63)
}
