package words

import "fmt"

// Weights say how often a face has 0, 1 or 2 symbols, among the numbers that its outcome
// and its rack allow.
type Weights [3]int64

// Rules are what a word game sets besides its table.
type Rules struct {
	Symbols Weights
	Boards  []Board // the first is preset (instant:4.1)
}

// A Face is what a unit shows on a board when it is uncovered.
type Face struct {
	Rack    [RackSize]byte // capitals, in the order of the alphabet
	Symbols []Symbol       // by square; two at most
}

// Uncovers reports whether the rack holds a letter: its squares are then to be scratched
// (instant:4.4.manual).
func (f Face) Uncovers(letter byte) bool {
	for _, l := range f.Rack {
		if l == letter {
			return true
		}
	}
	return false
}

// A Maker makes the faces of a board. It never changes and may be shared.
//
// Every rack that an outcome allows is equally likely, and so is every arrangement of its
// symbols (reading I4: no near miss is made on purpose). The maker counts the racks that
// begin in each way, draws one rank, and finds the rack that holds it: nothing is ever
// thrown away.
type Maker struct {
	weights Weights
	with    [alphabet]uint8      // words that hold each letter: bit 0 is that of 3 letters
	racks   [count + 1]rackCount // that complete no word, then that of 3 letters and so on
	symbols *symbols
}

// NewMaker prepares the faces of a board.
func NewMaker(b Board, w Weights) *Maker {
	m := &Maker{weights: w, symbols: newSymbols(b)}
	for i, word := range b.words {
		for k := range word.Text {
			m.with[word.Text[k]-'A'] |= 1 << i
		}
	}
	m.racks[0].fill(&m.with, 0)
	for i := range count {
		m.racks[i+1].fill(&m.with, 1<<i)
	}
	return m
}

// racksOf returns the racks of an outcome, or nil if there is no such outcome.
func (m *Maker) racksOf(o Outcome) *rackCount {
	switch {
	case o == Outcome{}:
		return &m.racks[0]
	case o.Amount() > 0:
		return &m.racks[o.Letters-shortest+1]
	}
	return nil
}

// Racks returns how many racks the outcome has, 0 if there is no such outcome.
func (m *Maker) Racks(o Outcome) uint64 {
	if r := m.racksOf(o); r != nil {
		return r.total()
	}
	return 0
}

// Make returns a face of the outcome. It takes three numbers: the rank of the rack, which
// number of symbols by the weights, the rank of their arrangement. It returns an error if
// there is no such outcome, or the weights leave no number of symbols for it.
func (m *Maker) Make(o Outcome, src Source) (Face, error) {
	racks := m.racksOf(o)
	if racks == nil {
		return Face{}, fmt.Errorf("words: nobody wins with %d letters times %d", o.Letters, o.Factor)
	}
	rack := racks.unrank(&m.with, src.Uint64n(racks.total()))
	of := m.symbols.offer(&rack, o)
	var ways [len(m.weights)]uint64
	var sum uint64
	for n, weight := range m.weights {
		if ways[n] = m.symbols.arrangements(of, n); ways[n] > 0 {
			sum += uint64(weight)
		}
	}
	if sum == 0 {
		return Face{}, fmt.Errorf("words: the weights %v leave no symbols for %d letters times %d",
			m.weights, o.Letters, o.Factor)
	}
	at, n := src.Uint64n(sum), 0
	for ; ways[n] == 0 || at >= uint64(m.weights[n]); n++ {
		if ways[n] > 0 {
			at -= uint64(m.weights[n])
		}
	}
	return Face{rack, m.symbols.arrange(of, n, src.Uint64n(ways[n]))}, nil
}
