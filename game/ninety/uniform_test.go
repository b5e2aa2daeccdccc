package ninety

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// arrival counts, by column and state of the real table, in how many ways the columns
// before lead there. Times the state's total, and over the number of sheets, that is the
// exact chance of the state under uniform sheets. It calls visit for each way with its
// chance, if visit is not nil.
func arrival(visit func(col int, st *state, sp *split, next uint16, chance float64)) [][]*big.Int {
	tb := sheets()
	all := new(big.Float).SetInt(tb.cols[0].states[0].total.big())
	ways := [][]*big.Int{{big.NewInt(1)}}
	for i := range tb.sizes {
		col := &tb.cols[i]
		next := make([]*big.Int, len(tb.cols[i+1].states))
		for s := range next {
			next[s] = new(big.Int)
		}
		for s := range col.states {
			from, to := col.of(uint16(s))
			for _, w := range col.ways[from:to] {
				sp := &col.splits[w.split]
				n := new(big.Int).SetUint64(sp.weight)
				n.Mul(n, ways[i][s])
				next[w.next].Add(next[w.next], n)
				if visit != nil {
					n.Mul(n, tb.cols[i+1].states[w.next].total.big())
					chance := new(big.Float).SetInt(n)
					p, _ := chance.Quo(chance, all).Float64()
					visit(i, &col.states[s], sp, w.next, p)
				}
			}
		}
		ways = append(ways, next)
	}
	return ways
}

// float returns x as near as a float64 can.
func (x wide) float() float64 {
	f, _ := new(big.Float).SetInt(x.big()).Float64()
	return f
}

// The exact chances that a card of a uniform sheet has 0, 1, 2 or 3 columns of three.
var threesOnSheet = []string{
	"125346936384521803080998415/322785260617209232452153182",
	"162803746662671681744166447/322785260617209232452153182",
	"50969093369661363562726720/484177890925813848678229773",
	"982772985362257877755760/484177890925813848678229773",
}

// TestTable_ColumnsOfThree computes the chances exactly, for a card of a sheet and, for
// comparison, for a card drawn alone.
func TestTable_ColumnsOfThree(t *testing.T) {
	t.Parallel()
	tb := sheets()
	cards := make([]*big.Int, 4) // by columns of three, over all sheets and their six cards
	for k := range cards {
		cards[k] = new(big.Int)
	}
	last := len(tb.sizes)
	for s, ways := range arrival(nil)[last] {
		st := &tb.cols[last].states[s]
		for _, k := range st.kinds {
			cards[k>>3].Add(cards[k>>3], new(big.Int).Mul(ways, st.total.big()))
		}
	}
	all := new(big.Int).Mul(tb.cols[0].states[0].total.big(), big.NewInt(perSheet))
	got := make([]*big.Rat, 4)
	for k := range got {
		got[k] = new(big.Rat).SetFrac(cards[k], all)
	}
	sum := new(big.Rat)
	for k, p := range got {
		sum.Add(sum, p)
		if p.String() != threesOnSheet[k] {
			t.Errorf("a card of a sheet has %d columns of three with chance %v, want %s", k, p, threesOnSheet[k])
		}
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("the chances sum to %v", sum)
	}
	for k, want := range []string{"38.83", "50.44", "10.53", "0.20"} {
		if percent := new(big.Rat).Mul(got[k], big.NewRat(100, 1)); percent.FloatString(2) != want {
			t.Errorf("%d columns of three: %s %%, want %s %%", k, percent.FloatString(2), want)
		}
	}
}

// cardsByThrees counts all cards by their columns of three, column by column.
func cardsByThrees() (layouts, cards [4]*big.Int) {
	for k := range cards {
		layouts[k], cards[k] = new(big.Int), new(big.Int)
	}
	var walk func(col, numbers, threes int, ways *big.Int)
	walk = func(col, numbers, threes int, ways *big.Int) {
		if col == columns {
			if numbers == perCard {
				n := big.NewInt(int64(len(sheets().layouts[threes])))
				layouts[threes].Add(layouts[threes], n)
				cards[threes].Add(cards[threes], n.Mul(n, ways))
			}
			return
		}
		for count := int64(1); count <= lines && numbers+int(count) <= perCard; count++ {
			choices := new(big.Int).Binomial(int64(french.sizes[col]), count)
			next := threes
			if count == lines {
				next++
			}
			walk(col+1, numbers+int(count), next, choices.Mul(choices, ways))
		}
	}
	walk(0, 0, 0, big.NewInt(1))
	return layouts, cards
}

// TestLayouts_CountAllCards counts every layout and every card there is.
func TestLayouts_CountAllCards(t *testing.T) {
	t.Parallel()
	layouts, cards := cardsByThrees()
	allLayouts, allCards := new(big.Int), new(big.Int)
	for k := range cards {
		allLayouts.Add(allLayouts, layouts[k])
		allCards.Add(allCards, cards[k])
	}
	if allLayouts.String() != "735210" || allCards.String() != "3669688706217187500" {
		t.Errorf("%v layouts and %v cards, want 735210 and 3669688706217187500", allLayouts, allCards)
	}
	for k, want := range []string{"32.01", "53.34", "14.29", "0.35"} {
		percent := new(big.Rat).Mul(new(big.Rat).SetFrac(cards[k], allCards), big.NewRat(100, 1))
		if percent.FloatString(2) != want {
			t.Errorf("a card drawn alone has %d columns of three in %s %%, want %s", k, percent.FloatString(2), want)
		}
	}
}

// TestDeal_MakesValidSheets checks 100 000 sheets: every card, and the partition.
func TestDeal_MakesValidSheets(t *testing.T) {
	t.Parallel()
	src := seeded("valid")
	var s Sheet
	for n := range 100_000 {
		s.Deal(src)
		if err := s.Check(); err != nil {
			t.Fatalf("sheet %d: %v", n, err)
		}
		for i, c := range s {
			if faults := (Profile{Min: 1, Max: 3}).Check(c.Grid()); faults != nil {
				t.Fatalf("sheet %d, card %d: %v", n, i, faults)
			}
		}
		first, second := s.Halves()
		for _, half := range [][]Card{first, second} {
			if union := half[0].Numbers().Union(half[1].Numbers()).Union(half[2].Numbers()); union.Len() != 45 {
				t.Fatalf("sheet %d: a sheet of three has %d numbers", n, union.Len())
			}
		}
	}
}

// chi tests counts against chances by chi-square and returns how many standard deviations
// the result is from what chance gives (Wilson and Hilferty). The chances sum to 1.
func chi(counts []int, chances []float64) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	sum := 0.0
	for i, c := range counts {
		want := chances[i] * float64(n)
		sum += (float64(c) - want) * (float64(c) - want) / want
	}
	k := float64(len(counts) - 1)
	return (math.Cbrt(sum/k) - (1 - 2/(9*k))) / math.Sqrt(2/(9*k))
}

// expected holds exact chances for one card of a uniform sheet.
type expected struct {
	count [columns][lines + 1]float64                // the column holds so many numbers
	pair  [columns - 1][lines + 1][lines + 1]float64 // this column and the next do
}

// expectedCounts computes them from the table: the six cards are alike, so a card's chance
// is the mean over the seats of a way.
func expectedCounts() *expected {
	e := &expected{}
	tb := sheets()
	// then[col][state][kind][d]: a card of that kind in that state takes d next.
	then := make([][]map[kind][lines + 1]float64, columns+1)
	for i := range then {
		then[i] = make([]map[kind][lines + 1]float64, len(tb.cols[i].states))
	}
	type seatWay struct {
		col, count int
		next       uint16
		kind       kind
		p          float64
	}
	var all []seatWay
	arrival(func(col int, st *state, sp *split, next uint16, p float64) {
		for seat, k := range st.kinds {
			d := sp.counts[seat]
			e.count[col][d] += p / perSheet
			all = append(all, seatWay{col, int(d), next, k + step[d], p})
		}
	})
	for i := range tb.sizes {
		col := &tb.cols[i]
		for s := range col.states {
			from, to := col.of(uint16(s))
			st := &col.states[s]
			total := st.total.float()
			seats := map[kind]float64{}
			for _, k := range st.kinds {
				seats[k]++
			}
			then[i][s] = map[kind][lines + 1]float64{}
			for _, w := range col.ways[from:to] {
				sp := &col.splits[w.split]
				rest := tb.cols[i+1].states[w.next].total.float()
				for seat, k := range st.kinds {
					d := then[i][s][k]
					d[sp.counts[seat]] += float64(sp.weight) * rest / total / seats[k]
					then[i][s][k] = d
				}
			}
		}
	}
	for _, w := range all {
		if w.col+1 < columns {
			for d, p := range then[w.col+1][w.next][w.kind] {
				e.pair[w.col][w.count][d] += w.p * p / perSheet
			}
		}
	}
	return e
}

// TestDeal_IsUniformByChiSquare compares one card of each of 100 000 sheets with exact
// chances: columns of three, counts by column and by pairs of columns, cells, the line of
// each number, and pairs of numbers. The seed is fixed, and the bound is loose.
func TestDeal_IsUniformByChiSquare(t *testing.T) {
	t.Parallel()
	const n, bound = 100_000, 5.0
	e := expectedCounts()
	src := seeded("chi-square")
	var counts [columns][lines + 1]int
	var next [columns - 1][lines + 1][lines + 1]int
	var cell [lines][columns]int
	var where [balls + 1][lines + 1]int // by number: not on the card, or the line
	var pairs [balls + 1][balls + 1]int
	var s Sheet
	for i := range n {
		s.Deal(src)
		c := s[i%perSheet] // each place of the sheet in turn
		var in [columns]int
		for l, line := range c.Lines {
			for b := range line.All() {
				in[b.Column()]++
				cell[l][b.Column()]++
				where[b][l+1]++
			}
		}
		for col, k := range in {
			counts[col][k]++
			if col > 0 {
				next[col-1][in[col-1]][k]++
			}
		}
		for a := range c.Numbers().All() {
			for b := range c.Numbers().All() {
				if a < b {
					pairs[a][b]++
				}
			}
		}
	}
	report := func(what string, got []int, chances []float64) {
		if z := chi(got, chances); z > bound || math.IsNaN(z) {
			t.Errorf("%s: %.1f standard deviations from uniform: %v", what, z, got)
		}
	}
	for col := range columns {
		report("counts of a column", counts[col][1:], e.count[col][1:])
		mean := e.count[col][1] + 2*e.count[col][2] + 3*e.count[col][3]
		if want := float64(french.sizes[col]) / perSheet; math.Abs(mean-want) > 1e-9 {
			t.Errorf("column %d holds %v numbers in the mean, want %v", col, mean, want)
		}
		for l := range lines {
			report("a cell", []int{cell[l][col], n - cell[l][col]}, []float64{mean / 3, 1 - mean/3})
		}
		if col > 0 {
			var got []int
			var want []float64
			for a := 1; a <= lines; a++ {
				got = append(got, next[col-1][a][1:]...)
				want = append(want, e.pair[col-1][a][1:]...)
			}
			report("counts of two columns", got, want)
		}
	}
	numbersAndPairs(e, n, where, pairs, report)
}

// numbersAndPairs reports the line of each number and the pairs of numbers.
func numbersAndPairs(e *expected, n int, where [balls + 1][lines + 1]int,
	pairs [balls + 1][balls + 1]int, report func(string, []int, []float64),
) {
	first := 1
	for col, size := range french.sizes {
		for rank := range size {
			b := first + rank
			where[b][0] = n - where[b][1] - where[b][2] - where[b][3]
			report("the line of a number", where[b][:], lineOf(rank, size, e.count[col]))
			for other := rank + 1; other < size; other++ {
				p := 0.0
				for k := 2; k <= lines; k++ {
					p += e.count[col][k] * float64(k*(k-1)) / float64(size*(size-1))
				}
				got := pairs[b][first+other]
				report("two numbers of a column", []int{got, n - got}, []float64{p, 1 - p})
			}
			if col+1 < columns {
				p := 0.0
				for x := 1; x <= lines; x++ {
					for y := 1; y <= lines; y++ {
						p += e.pair[col][x][y] * float64(x*y) / float64(size*french.sizes[col+1])
					}
				}
				for other := range french.sizes[col+1] {
					got := pairs[b][first+size+other]
					report("numbers of two columns", []int{got, n - got}, []float64{p, 1 - p})
				}
			}
		}
		first += size
	}
}

// lineOf returns the chances that the number of that rank in a column of size numbers is
// not on a card, or is in line 1, 2 or 3. The numbers of a card's column are any of the
// column's, and so are their lines.
func lineOf(rank, size int, count [lines + 1]float64) []float64 {
	chances := []float64{1, 0, 0, 0}
	for _, lines := range [][]int{{1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}} {
		k := len(lines)
		p := count[k]
		if k < 3 {
			p /= 3
		}
		for place, line := range lines { // place numbers of the card are smaller, the rest larger
			q := p * choose(rank, place) * choose(size-1-rank, k-1-place) / choose(size, k)
			chances[line] += q
			chances[0] -= q
		}
	}
	return chances
}

// TestWide_IsArithmetic compares the wide integers with big ones.
func TestWide_IsArithmetic(t *testing.T) {
	t.Parallel()
	limit := new(big.Int).Lsh(big.NewInt(1), 320)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) (x wide) {
			words := rapid.IntRange(0, 5).Draw(t, label+" words")
			for i := range words {
				x[i] = rapid.Uint64().Draw(t, label)
			}
			return x
		}
		x, y, n := draw("x"), draw("y"), rapid.Uint64().Draw(t, "n")
		want := new(big.Int).Mul(y.big(), new(big.Int).SetUint64(n))
		want.Add(want, x.big()).Mod(want, limit)
		if got := x.plusTimes(y, n).big(); got.Cmp(want) != 0 {
			t.Fatalf("%v + %v × %d = %v, want %v", x, y, n, got, want)
		}
		if x.less(y) != (x.big().Cmp(y.big()) < 0) || x.len() != x.big().BitLen() {
			t.Fatalf("%v and %v are out of order", x, y)
		}
		shift := rapid.IntRange(0, 319).Draw(t, "shift")
		high := new(big.Int).Rsh(x.big(), uint(shift))
		if got := x.shifted(shift); got != new(big.Int).And(high, new(big.Int).SetUint64(math.MaxUint64)).Uint64() {
			t.Fatalf("%v from bit %d is %d", x, shift, got)
		}
		if high.IsUint64() {
			low := x
			for i := range low {
				if at := shift - 64*i; at <= 0 {
					low[i] = 0
				} else if at < 64 {
					low[i] &= 1<<at - 1
				}
			}
			if got := place(high.Uint64(), shift, low); got != x {
				t.Fatalf("%v is put together as %v", x, got)
			}
		}
	})
}
