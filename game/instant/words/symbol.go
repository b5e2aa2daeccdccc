package words

import "math/bits"

// A Symbol is a multiplier (« Bonus », instant:4.6) and the square it frames: factor 2 is
// black on white, factor 3 white on grey.
type Symbol struct {
	Cell   int // Side × row + column
	Factor int // 2 or 3
}

// places returns the squares that a symbol of the factor may frame in the word of that many
// letters: none that a word shares which never carries it (reading I5).
func (b Board) places(letters, factor int) (list []int) {
	var barred [cells]bool
	for _, w := range b.words {
		if (Outcome{len(w.Text), factor}).Amount() == 0 {
			for _, c := range w.Cells() {
				barred[c] = true
			}
		}
	}
	for _, c := range b.Word(letters).Cells() {
		if !barred[c] {
			list = append(list, c)
		}
	}
	return list
}

// A placeSet is a set of places where symbols may stand: bit i is place i. There are at
// most twelve squares, those of the words of 3 to 5 letters, and two factors.
type placeSet uint32

func (s placeSet) size() uint64 { return uint64(bits.OnesCount32(uint32(s))) }

// first returns the lowest place of a set that has one.
func (s placeSet) first() int { return bits.TrailingZeros32(uint32(s)) }

// symbols knows every place of a board, in the order of the squares and then of the
// factors, and which may be taken together.
type symbols struct {
	places []Symbol
	on     [alphabet]placeSet // those that frame this letter
	in     [count]placeSet    // those in this word
	factor [4]placeSet        // those of this factor
	apart  []placeSet         // for each place, the later ones that share no word with it
}

// newSymbols finds the places of a board.
func newSymbols(b Board) *symbols {
	s := &symbols{}
	through := [cells]uint8{}
	legal := map[Symbol]bool{}
	for i, w := range b.words {
		for _, c := range w.Cells() {
			through[c] |= 1 << i
		}
		for factor := 2; factor <= 3; factor++ {
			for _, c := range b.places(len(w.Text), factor) {
				legal[Symbol{c, factor}] = true
			}
		}
	}
	for c := range cells {
		for factor := 2; factor <= 3; factor++ {
			if legal[Symbol{c, factor}] {
				s.places = append(s.places, Symbol{c, factor})
			}
		}
	}
	s.apart = make([]placeSet, len(s.places))
	for i, p := range s.places {
		s.on[b.Letter(p.Cell)-'A'] |= 1 << i
		s.factor[p.Factor] |= 1 << i
		for w := range count {
			if through[p.Cell]>>w&1 != 0 {
				s.in[w] |= 1 << i
			}
		}
		for j, q := range s.places[i+1:] {
			if through[p.Cell]&through[q.Cell] == 0 {
				s.apart[i] |= 1 << (i + 1 + j)
			}
		}
	}
	return s
}

// An offer is the places that the rack of a unit leaves to its symbols.
type offer struct {
	needed placeSet // one of these must be taken, if pays
	free   placeSet // outside the completed word
	pays   bool     // the prize is multiplied
}

// offer returns the places for a rack and what it wins: symbols frame only letters that the
// rack uncovers; the completed word holds the one that multiplies its prize, or none.
func (s *symbols) offer(rack *[RackSize]byte, o Outcome) (of offer) {
	var open, won placeSet
	for _, letter := range rack {
		open |= s.on[letter-'A']
	}
	if o.Letters > 0 {
		won = s.in[o.Letters-shortest]
	}
	if o.Factor > 1 {
		of.pays, of.needed = true, open&won&s.factor[o.Factor]
	}
	of.free = open &^ won
	return of
}

// partners returns the places that may go with place p, one that comes first.
func (s *symbols) partners(of offer, p int) placeSet {
	switch {
	case of.needed>>p&1 != 0 || !of.pays:
		return s.apart[p] & of.free
	default:
		return s.apart[p] & of.needed
	}
}

// arrangements returns in how many ways n symbols, 0 to 2, may stand.
func (s *symbols) arrangements(of offer, n int) (ways uint64) {
	switch {
	case n == 0 && of.pays:
		return 0
	case n == 0:
		return 1
	case n == 1 && of.pays:
		return of.needed.size()
	case n == 1:
		return of.free.size()
	}
	for rest := of.needed | of.free; rest != 0; rest &= rest - 1 {
		ways += s.partners(of, rest.first()).size()
	}
	return ways
}

// arrange returns the arrangement of n symbols of the given rank: they are ordered by their
// first place, then by the second.
func (s *symbols) arrange(of offer, n int, rank uint64) []Symbol {
	switch {
	case n == 0:
		return nil
	case n == 1 && of.pays:
		return []Symbol{s.places[of.needed.at(rank)]}
	case n == 1:
		return []Symbol{s.places[of.free.at(rank)]}
	}
	for rest := of.needed | of.free; ; rest &= rest - 1 {
		p := rest.first()
		with := s.partners(of, p)
		if rank < with.size() {
			return []Symbol{s.places[p], s.places[with.at(rank)]}
		}
		rank -= with.size()
	}
}

// at returns the place of a set that has this many before it.
func (s placeSet) at(rank uint64) int {
	for ; rank > 0; rank-- {
		s &= s - 1
	}
	return s.first()
}
