package ninety

import "sync"

// kind says which columns a card has had so far: its columns of two plus eight times its
// columns of three. A column of one number changes nothing, since the columns are counted.
type kind = uint8

// step is what a column of n numbers adds to the kind of the card that takes them.
var step = [4]kind{1: 0, 2: 1, 3: 8}

// split is one way in which the cards of a sheet, in order, share a column.
type split struct {
	counts [perSheet]uint8
	weight uint64 // in how many ways the column's numbers can be given out like this
}

// state is what the rest of a sheet depends on after some columns: the kinds of the
// cards, in ascending order since cards may be exchanged.
type state struct {
	kinds [perSheet]kind
	total wide   // in how many ways the sheet can be finished from here
	shift int    // total.shifted(shift) has at most 62 bits
	ways  uint32 // where the state's ways start in its column; those of the next follow
}

// way is one split of the next column that leads from a state to a sheet.
type way struct {
	split uint8  // index in the column's splits
	next  uint16 // index in the next column's states
}

// column is one column of the table: its states are those before the column is dealt.
type column struct {
	splits []split
	states []state
	ways   []way
	// ends[i] is the sum of the weights of a state's ways up to ways[i], cut down to the
	// bits from the state's shift up: a decision seldom needs the bits below.
	ends []uint64
}

// table counts, column by column, the sheets that can be finished from each state, so
// that a column can be dealt with the exact chance that uniform sheets need.
type table struct {
	geometry
	cols    []column
	layouts [][]layout // of a card, by its columns of three
}

// sheets is the table of the real sheet, built at its first use.
var sheets = sync.OnceValue(func() *table { return newTable(french) })

// newTable builds the table of a geometry: the states forward, then their totals backward.
func newTable(g geometry) *table {
	t := &table{geometry: g, cols: make([]column, len(g.sizes)+1), layouts: g.layouts()}
	t.cols[0].states = []state{{}}
	for i, size := range g.sizes {
		t.cols[i].splits = splits(g.cards, size)
		t.expand(i)
	}
	last := &t.cols[len(g.sizes)]
	for i := range last.states {
		s := &last.states[i]
		s.total = wide{1}
		for _, k := range s.kinds[:g.cards] {
			s.total = wide{}.plusTimes(s.total, uint64(len(t.layouts[k>>3])))
		}
	}
	for i := len(g.sizes) - 1; i >= 0; i-- {
		t.cols[i].count(&t.cols[i+1])
	}
	return t
}

// splits lists the ways in which cards share size numbers, 1 to 3 each, in lexical order.
func splits(cards, size int) (all []split) {
	var extend func(card, left int, s split)
	extend = func(card, left int, s split) {
		if card == cards {
			if left == 0 {
				all = append(all, s)
			}
			return
		}
		weight := s.weight
		for n := 1; n <= min(lines, left); n++ {
			// C(left, n) ways to choose this card's numbers among those left.
			weight = weight * uint64(left-n+1) / uint64(n)
			s.counts[card], s.weight = uint8(n), weight
			extend(card+1, left-n, s)
		}
	}
	extend(0, size, split{weight: 1})
	return all
}

// possible reports whether a card of kind k after some columns can still be completed:
// what it must hold beyond one number a column fits in the columns left.
func (t *table) possible(k kind, dealt int) bool {
	left := lines*t.perLine - len(t.sizes) - int(k&7) - 2*int(k>>3)
	return 0 <= left && left <= 2*(len(t.sizes)-dealt)
}

// expand finds the ways from each state of column i, and with them the next states.
func (t *table) expand(i int) {
	col, next := &t.cols[i], &t.cols[i+1]
	index := map[uint64]uint16{}
	for s := range col.states {
		from := &col.states[s]
		from.ways = uint32(len(col.ways))
	ways:
		for n := range col.splits {
			kinds := from.kinds
			for c := range kinds[:t.cards] {
				kinds[c] += step[col.splits[n].counts[c]]
				if !t.possible(kinds[c], i+1) {
					continue ways
				}
			}
			sortFew(kinds[:t.cards])
			var key uint64
			for _, k := range kinds {
				key = key<<8 | uint64(k)
			}
			to, ok := index[key]
			if !ok {
				to = uint16(len(next.states))
				index[key] = to
				next.states = append(next.states, state{kinds: kinds})
			}
			col.ways = append(col.ways, way{uint8(n), to})
		}
	}
}

// of returns the range of the ways of state s.
func (c *column) of(s uint16) (from, to int) {
	if int(s)+1 < len(c.states) {
		return int(c.states[s].ways), int(c.states[s+1].ways)
	}
	return int(c.states[s].ways), len(c.ways)
}

// count sets the totals of the column's states from those of the next column, and the
// ends of its ways. A total is a sum over the ways: the numbers of the column given out
// in the way's manner, times all that may follow.
func (c *column) count(next *column) {
	c.ends = make([]uint64, len(c.ways))
	var sums [126]wide // the most ways of any column: six cards sharing eleven numbers
	for s := range c.states {
		from, to := c.of(uint16(s))
		st := &c.states[s]
		for i, w := range c.ways[from:to] {
			st.total = st.total.plusTimes(next.states[w.next].total, c.splits[w.split].weight)
			sums[i] = st.total
		}
		st.shift = max(0, st.total.len()-62)
		for i := range to - from {
			c.ends[from+i] = sums[i].shifted(st.shift)
		}
	}
}
