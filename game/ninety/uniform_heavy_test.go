//go:build !race

package ninety

import (
	"math"
	"testing"
)

// TestDeal_MakesValidSheets_Heavy checks 100 000 sheets: every card, and the partition.
func TestDeal_MakesValidSheets_Heavy(t *testing.T) {
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

// TestDeal_IsUniformByChiSquare_Heavy compares one card of each of 100 000 sheets with exact
// chances: columns of three, counts by column and by pairs of columns, cells, the line of
// each number, and pairs of numbers. The seed is fixed, and the bound is loose.
func TestDeal_IsUniformByChiSquare_Heavy(t *testing.T) {
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
