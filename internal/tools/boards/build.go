package main

import (
	"math/rand/v2"
	"slices"

	"boulier/game/instant/words"
)

// A builder sets words on boards, each on one board at most.
type builder struct {
	rnd  *rand.Rand
	left [words.Side + 1][]string // words by their length
}

func newBuilder(list []string, rnd *rand.Rand) *builder {
	b := &builder{rnd: rnd}
	for _, w := range list {
		if n := len(w); n >= 3 && n <= words.Side {
			b.left[n] = append(b.left[n], w)
		}
	}
	return b
}

// A square grid of letters, 0 where there is none.
type squares [words.Side][words.Side]byte

// A spot is where a word may stand.
type spot struct {
	word     string
	row, col int
	down     bool
}

// board returns a board of words that were not used yet, or false if none is found.
func (b *builder) board() (words.Grid, bool) {
	for range 500 {
		var s squares
		var used []string
		grown := true
		for n := words.Side; n >= 3 && grown; n-- {
			at, ok := b.spot(&s, n)
			if grown = ok; ok {
				s.put(at)
				used = append(used, at.word)
			}
		}
		g := s.grid()
		if _, faults := words.ParseBoard(g); !grown || len(faults) > 0 {
			continue
		}
		for _, word := range used {
			list := &b.left[len(word)]
			*list = slices.DeleteFunc(*list, func(w string) bool { return w == word })
		}
		return g, true
	}
	return words.Grid{}, false
}

// spot returns one of the spots where a word of n letters fits, or false if there is none.
func (b *builder) spot(s *squares, n int) (spot, bool) {
	var fitting []spot
	for _, word := range b.left[n] {
		for line := range words.Side {
			for from := range words.Side - n + 1 {
				for _, at := range []spot{{word, line, from, false}, {word, from, line, true}} {
					if s.fits(at) {
						fitting = append(fitting, at)
					}
				}
			}
		}
	}
	if len(fitting) == 0 {
		return spot{}, false
	}
	return fitting[b.rnd.IntN(len(fitting))], true
}

// at returns the letter of a square, counted along the spot and across it.
func (s *squares) at(p spot, along, across int) byte {
	row, col := p.row+across, p.col+along
	if p.down {
		row, col = p.row+along, p.col+across
	}
	if row < 0 || col < 0 || row >= words.Side || col >= words.Side {
		return 0
	}
	return s[row][col]
}

// fits reports whether a word may stand there: it crosses another unless it is the first,
// and touches none otherwise, so that no other word comes to stand.
func (s *squares) fits(p spot) bool {
	crossings := 0
	for i := range p.word {
		switch s.at(p, i, 0) {
		case p.word[i]:
			crossings++
		case 0:
			if s.at(p, i, -1) != 0 || s.at(p, i, 1) != 0 {
				return false
			}
		default:
			return false
		}
	}
	if s.at(p, -1, 0) != 0 || s.at(p, len(p.word), 0) != 0 {
		return false
	}
	return crossings > 0 && crossings < len(p.word) || *s == squares{}
}

// put sets a word.
func (s *squares) put(p spot) {
	for i := range p.word {
		if p.down {
			s[p.row+i][p.col] = p.word[i]
		} else {
			s[p.row][p.col+i] = p.word[i]
		}
	}
}

// grid writes the squares as a board.
func (s *squares) grid() (g words.Grid) {
	for r, row := range s {
		for _, c := range row {
			if c == 0 {
				c = '.'
			}
			g[r] += string(c)
		}
	}
	return g
}
