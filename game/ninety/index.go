package ninety

import (
	"cmp"
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// An Index knows, at every ball of a round, how far each card is from each goal. A card
// is known by its place in the list that the index was built from, from 0.
//
// Cards are held by columns of bits: one operation on words counts 64 of them, and a ball
// costs one pass over the words in which it could stand. A million cards take 36 MB, and
// 12 MB more for each pattern. An Index is for one goroutine.
type Index struct {
	cards    int
	drawn    BallSet
	patterns []Goal
	chunks   []*chunk
}

// blocks is how many words of 64 cards a chunk holds: enough that a ball reads memory in long
// runs, few enough that a small round takes little. The numbers of two balls must not fall on
// the same lines of the processor's cache while cards are added: blocks is 8 times an odd number.
const blocks = 136

// chunk is a part of the index: 64·blocks cards.
type chunk struct {
	hits     [balls][blocks][lines]uint64 // the cards that have a ball in each line
	missing  [blocks][lines]lineLanes     // how many numbers each line still lacks
	reached  [lines]reached               // by the last ball: one line, two, all three
	patterns []patternChunk
}

// patternChunk is what a chunk holds for one pattern.
type patternChunk struct {
	hits    [balls][blocks]uint64 // the cards that need a ball
	missing [blocks]lanes
	reached reached
}

// reached holds the cards that reached a goal on the last ball.
type reached struct {
	some  uint64 // 0 if no block has any: seldom has one before the end of a round
	cards [blocks]uint64
}

// set notes the cards of a block.
func (r *reached) set(block int, cards uint64) {
	r.cards[block] = cards
	r.some |= cards
}

// NewIndex returns the index of a round of these cards, in which no ball is drawn yet.
// Line, TwoLines and FullCard are always indexed; patterns are those given here. It
// panics on a pattern that is not valid.
func NewIndex(cards iter.Seq[Card], patterns ...Goal) *Index {
	x := &Index{}
	for _, g := range patterns {
		if !g.Valid() {
			panic(fmt.Sprintf("ninety: %b is no goal", g))
		}
		if g < FullCard && !slices.Contains(x.patterns, g) {
			x.patterns = append(x.patterns, g)
		}
	}
	for c := range cards {
		at := x.cards % (64 * blocks)
		if at == 0 {
			x.chunks = append(x.chunks, newChunk(x.patterns))
		}
		x.chunks[len(x.chunks)-1].add(&c, at, x.patterns)
		x.cards++
	}
	return x
}

// newChunk returns a chunk of cards on which nothing is drawn.
func newChunk(patterns []Goal) *chunk {
	ch := &chunk{patterns: make([]patternChunk, len(patterns))}
	line := every(perLine)
	for block := range blocks {
		for i := range lines {
			ch.missing[block][i] = lineLanes(line[:])
		}
		for p, g := range patterns {
			ch.patterns[p].missing[block] = every(bits.OnesCount(uint(g)))
		}
	}
	return ch
}

// add puts a card at a place of the chunk.
func (ch *chunk) add(c *Card, at int, patterns []Goal) {
	block, bit := at/64, uint64(1)<<(at%64)
	for i, line := range c.Lines {
		for word, w := range line {
			for ; w != 0; w &= w - 1 {
				ch.hits[word<<6+bits.TrailingZeros64(w)-1][block][i] |= bit
			}
		}
	}
	for p, g := range patterns {
		for b := range g.cells(*c).All() {
			ch.patterns[p].hits[b-1][block] |= bit
		}
	}
}

// Draw records that ball b was drawn. It refuses a ball that is none of the ninety or is
// drawn already.
func (x *Index) Draw(b Ball) error {
	if !b.Valid() || x.drawn.Has(b) {
		return fmt.Errorf("ball %d is not in the cage", b)
	}
	x.drawn = x.drawn.With(b)
	for _, ch := range x.chunks {
		ch.draw(b)
	}
	return nil
}

// draw counts ball b on the cards of the chunk.
func (ch *chunk) draw(b Ball) {
	one, two, three := &ch.reached[0], &ch.reached[1], &ch.reached[2]
	one.some, two.some, three.some = 0, 0, 0
	hits := &ch.hits[b-1]
	for i := range blocks {
		hit, missing := &hits[i], &ch.missing[i]
		a := missing[0].less(hit[0])
		b := missing[1].less(hit[1])
		c := missing[2].less(hit[2])
		// A ball stands in one line of a card, so it completes one line at most.
		made := a&hit[0] | b&hit[1] | c&hit[2]
		all := a & b & c
		several := a&b | c&(a|b)
		one.set(i, made&^several)
		two.set(i, made&several&^all)
		three.set(i, made&all)
	}
	for p := range ch.patterns {
		pc := &ch.patterns[p]
		pc.reached.some = 0
		for i, hit := range pc.hits[b-1] {
			pc.missing[i].less(hit)
			pc.reached.set(i, pc.missing[i].are(0)&hit)
		}
	}
}

// TakeBack undoes Draw of ball b, whichever ball came after it. It refuses a ball that is
// not drawn. Until the next ball Reached gives no card.
func (x *Index) TakeBack(b Ball) error {
	if !x.drawn.Has(b) {
		return fmt.Errorf("ball %d is not drawn", b)
	}
	x.drawn = x.drawn.Minus(BallSet{}.With(b))
	for _, ch := range x.chunks {
		for i := range blocks {
			for line, hit := range &ch.hits[b-1][i] {
				ch.missing[i][line].more(hit)
			}
		}
		ch.reached = [lines]reached{}
		for p := range ch.patterns {
			pc := &ch.patterns[p]
			for i, hit := range pc.hits[b-1] {
				pc.missing[i].more(hit)
			}
			pc.reached = reached{}
		}
	}
	return nil
}

// Len returns the number of cards.
func (x *Index) Len() int { return x.cards }

// Drawn returns the balls drawn.
func (x *Index) Drawn() BallSet { return x.drawn }

// pattern returns the place of an indexed pattern, or -1 for the usual goals. It panics
// on any other goal, which NewIndex should have been given.
func (x *Index) pattern(g Goal) int {
	if g == Line || g == TwoLines || g == FullCard {
		return -1
	}
	p := slices.Index(x.patterns, g)
	if p < 0 {
		panic(fmt.Sprintf("ninety: goal %b is not indexed", g))
	}
	return p
}

// lacks returns how many balls each card of a block lacks for g; p is x.pattern(g).
func (ch *chunk) lacks(block int, g Goal, p int) lanes {
	if p >= 0 {
		return ch.patterns[p].missing[block]
	}
	m := &ch.missing[block]
	switch g {
	case FullCard:
		return m[0].plus(m[1]).add(m[2])
	case Line:
		low, _ := m[0].sorted(m[1])
		low, _ = low.sorted(m[2])
		return lanes{low[0], low[1], low[2]}
	}
	low, high := m[0].sorted(m[1])
	high, _ = high.sorted(m[2])
	return low.plus(high)
}

// Missing returns how many more balls a card needs for g, at the least.
func (x *Index) Missing(card int, g Goal) int {
	at := card % (64 * blocks)
	n := x.chunks[card/(64*blocks)].lacks(at/64, g, x.pattern(g))
	return n.value(at % 64)
}

// at calls yield for each word of 64 cards with the cards that lack exactly missing balls
// for g, and the first of the 64, until it returns false.
func (x *Index) at(g Goal, missing int, yield func(first int, set uint64) bool) {
	p := x.pattern(g)
	for first := 0; first < x.cards; first += 64 {
		n := x.chunks[first/(64*blocks)].lacks(first/64%blocks, g, p)
		set := n.are(missing)
		if left := x.cards - first; left < 64 {
			set &= 1<<left - 1 // places past the last card
		}
		if !yield(first, set) {
			return
		}
	}
}

// Count returns how many cards lack exactly missing balls for g; 0 means that they have
// reached it.
func (x *Index) Count(g Goal, missing int) (n int) {
	x.at(g, missing, func(_ int, set uint64) bool {
		n += bits.OnesCount64(set)
		return true
	})
	return n
}

// At gives, in their order, the cards that lack exactly missing balls for g.
func (x *Index) At(g Goal, missing int) iter.Seq[int] {
	return func(yield func(int) bool) {
		x.at(g, missing, func(first int, set uint64) bool { return each(first, set, yield) })
	}
}

// Reached gives, in their order, the cards that reached g on the last ball drawn.
func (x *Index) Reached(g Goal) iter.Seq[int] {
	p := x.pattern(g)
	return func(yield func(int) bool) {
		for i, ch := range x.chunks {
			r := ch.reachedBy(g, p)
			if r.some == 0 {
				continue
			}
			for block, set := range r.cards {
				if !each(64*(blocks*i+block), set, yield) {
					return
				}
			}
		}
	}
}

// reachedBy returns who reached g on the last ball; p is x.pattern(g).
func (ch *chunk) reachedBy(g Goal, p int) *reached {
	switch {
	case p >= 0:
		return &ch.patterns[p].reached
	case g == Line:
		return &ch.reached[0]
	case g == TwoLines:
		return &ch.reached[1]
	}
	return &ch.reached[2]
}

// each calls yield with first plus the place of each card of set, until it returns false.
func each(first int, set uint64, yield func(int) bool) bool {
	for ; set != 0; set &= set - 1 {
		if !yield(first + bits.TrailingZeros64(set)) {
			return false
		}
	}
	return true
}

// Nearest returns the given cards, a player's for instance, those nearest to g first and
// the others in the order given.
func (x *Index) Nearest(cards []int, g Goal) []int {
	return slices.SortedStableFunc(slices.Values(cards), func(a, b int) int {
		return cmp.Compare(x.Missing(a, g), x.Missing(b, g))
	})
}
