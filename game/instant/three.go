package instant

import (
	"fmt"

	"boulier/money"
)

// zones is the number of amounts that a face of three alike shows, alike the number of
// times that the amount won is shown.
const (
	zones = 6
	alike = 3
)

// A Face is what a unit of the game of three alike shows when it is uncovered: six
// amounts of the table. A winning face holds its amount exactly three times and no other
// more than twice; a losing one holds none more than twice.
type Face [zones]money.Cents

// A FaceMaker makes the faces of a table, each legal face of an outcome equally likely
// (reading I4: no near miss is made on purpose). It never changes and may be shared.
//
// The legal faces of an outcome are ordered as words are in a dictionary, the lines of
// the table being the alphabet. The maker counts the faces that begin in each way, draws
// one rank, and finds the face that holds it: nothing is ever thrown away.
type FaceMaker struct {
	amounts []money.Cents
	losing  ways // all amounts may fill a zone
	winning ways // one amount is won, the others may fill the rest
}

// ways[z][w][s][o] is the number of ways to fill the last z zones when w of them must
// show the amount won, s other amounts have been shown so far, and o of these only once.
type ways [zones + 1][alike + 1][zones + 1][zones + 1]uint64

// NewFaceMaker prepares the faces of a table that has passed Check. It returns an error
// unless the table has 3 to MaxLines lines, for no face could lose with fewer.
func NewFaceMaker(t Table) (*FaceMaker, error) {
	if len(t) < minAmounts || len(t) > MaxLines {
		return nil, fmt.Errorf("instant: no faces for a table of %d amounts", len(t))
	}
	m := &FaceMaker{}
	for _, p := range t {
		m.amounts = append(m.amounts, p.Amount)
	}
	m.losing.fill(len(t))
	m.winning.fill(len(t) - 1)
	return m, nil
}

// fill computes the ways with the given number of amounts besides the one won, shorter
// rests first. No number reaches MaxLines⁶, so that none overflows.
func (f *ways) fill(others int) {
	for s := range zones + 1 {
		for o := range s + 1 {
			f[0][0][s][o] = 1
		}
	}
	for z := 1; z <= zones; z++ {
		for w := range alike + 1 {
			for s := range zones - z + 1 {
				for o := range s + 1 {
					n := uint64(max(others-s, 0)) * f[z-1][w][s+1][o+1]
					if w > 0 {
						n += f[z-1][w-1][s][o]
					}
					if o > 0 {
						n += uint64(o) * f[z-1][w][s][o-1]
					}
					f[z][w][s][o] = n
				}
			}
		}
	}
}

// Faces returns how many legal faces the outcome has, 0 if the table has no such line.
func (m *FaceMaker) Faces(o Outcome) uint64 {
	switch {
	case o == 0:
		return m.losing[zones][0][0][0]
	case int(o) <= len(m.amounts):
		return m.winning[zones][alike][0][0]
	}
	return 0
}

// Make returns a face of the outcome, all its legal faces being equally likely: the one
// whose rank is src.Uint64n of their number. It returns an error if the table has no
// such line.
func (m *FaceMaker) Make(o Outcome, src Source) (Face, error) {
	n := m.Faces(o)
	if n == 0 {
		return Face{}, fmt.Errorf("instant: outcome %d of a table of %d lines", o, len(m.amounts))
	}
	return m.unrank(o, src.Uint64n(n)), nil
}

// unrank returns the face of the given rank among those of the outcome.
func (m *FaceMaker) unrank(outcome Outcome, rank uint64) Face {
	var shown [zones]Outcome // lines shown so far
	f, w := &m.losing, 0
	if outcome > 0 {
		f, w = &m.winning, alike
	}
	s, o := 0, 0
	for i := range zones {
		rest := zones - i - 1
		// How many faces follow if this zone shows the amount won, one not shown yet, or
		// one shown once.
		var won, fresh, again uint64
		if w > 0 {
			won = f[rest][w-1][s][o]
		}
		fresh = f[rest][w][s+1][o+1]
		if o > 0 {
			again = f[rest][w][s][o-1]
		}
		for line := Outcome(1); ; line++ {
			times := 0
			for _, l := range shown[:i] {
				if l == line {
					times++
				}
			}
			isWon := line == outcome
			n := [...]uint64{fresh, again, 0, 0}[times]
			if isWon {
				n = won
			}
			if rank >= n {
				rank -= n
				continue
			}
			shown[i] = line
			switch {
			case isWon:
				w--
			case times == 0:
				s, o = s+1, o+1
			default:
				o--
			}
			break
		}
	}
	var face Face
	for i, line := range shown {
		face[i] = m.amounts[line-1]
	}
	return face
}
