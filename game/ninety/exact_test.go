package ninety

import (
	"fmt"
	"math/big"
	"testing"
)

// tree is a Source that, run again and again, gives every sequence of answers once, as
// an odometer does.
type tree struct {
	asked, given []uint64
	at           int
}

func (s *tree) Uint64n(n uint64) uint64 {
	if s.at == len(s.given) {
		s.asked, s.given = append(s.asked, n), append(s.given, 0)
	}
	if s.asked[s.at] != n {
		panic("the questions depend on more than the answers")
	}
	s.at++
	return s.given[s.at-1]
}

// product returns the product of the questions: the sequence has the chance 1 in that.
func (s *tree) product() uint64 {
	product := uint64(1)
	for _, n := range s.asked {
		product *= n
	}
	return product
}

// next moves to the next sequence, or returns false after the last.
func (s *tree) next() bool {
	s.at = 0
	for i := len(s.given) - 1; i >= 0; i-- {
		if s.given[i]++; s.given[i] < s.asked[i] {
			return true
		}
		s.asked, s.given = s.asked[:i], s.given[:i]
	}
	return false
}

// TestDeal_IsExactlyUniform deals small sheets with every sequence of answers that a
// source can give, adds up the chances of the sequences that end in the same sheet, and
// finds every valid sheet with the same chance: exactly, with fractions.
func TestDeal_IsExactlyUniform(t *testing.T) {
	t.Parallel()
	for _, g := range []geometry{
		{sizes: []int{3, 3}, cards: 2, perLine: 1},
		{sizes: []int{2, 2, 2}, cards: 2, perLine: 1},
		{sizes: []int{1, 2, 3}, cards: 1, perLine: 2},
		{sizes: []int{1, 1, 1, 3, 2, 1}, cards: 1, perLine: 3},
	} {
		want := list(g)
		tb := newTable(g)
		// By sheet, how often each product of the questions led to it.
		tally := map[Sheet]map[uint64]int64{}
		for src := (&tree{}); ; {
			var s Sheet
			tb.deal(src, &s)
			if tally[s] == nil {
				tally[s] = map[uint64]int64{}
			}
			tally[s][src.product()]++
			if !src.next() {
				break
			}
		}
		if len(tally) != len(want) {
			t.Errorf("%v: %d sheets were dealt, there are %d", g, len(tally), len(want))
		}
		equal := big.NewRat(1, int64(len(want)))
		for s, ways := range tally {
			if !want[s] {
				t.Fatalf("%v: %v is no sheet", g, s)
			}
			sum := new(big.Rat)
			for product, n := range ways {
				sum.Add(sum, new(big.Rat).SetFrac64(n, int64(product)))
			}
			if sum.Cmp(equal) != 0 {
				t.Fatalf("%v: a sheet has the chance %v, want %v", g, sum, equal)
			}
		}
	}
}

// list makes every sheet of a small geometry by trying: each number in each line of each
// card. It knows the rules and nothing of how sheets are dealt.
func list(g geometry) map[Sheet]bool {
	found := map[Sheet]bool{}
	var column []int // of each number
	for col, size := range g.sizes {
		for range size {
			column = append(column, col)
		}
	}
	var s Sheet
	var place func(n int)
	place = func(n int) {
		if n == len(column) {
			if valid(g, &s, column) {
				found[s] = true
			}
			return
		}
		for card := range g.cards {
			for line := range lines {
				set := &s[card].Lines[line]
				if set.Len() < g.perLine && blankBelow(&s[card], line, n, column) {
					before := *set
					*set = set.With(Ball(n + 1))
					place(n + 1)
					*set = before
				}
			}
		}
	}
	place(0)
	return found
}

// blankBelow reports whether the card has no number of n's column in the line or below.
func blankBelow(c *Card, line, n int, column []int) bool {
	for _, l := range c.Lines[line:] {
		for b := range l.All() {
			if column[b-1] == column[n] {
				return false
			}
		}
	}
	return true
}

// valid reports whether full lines leave no column of a card blank.
func valid(g geometry, s *Sheet, column []int) bool {
	for _, c := range s[:g.cards] {
		seen := make([]bool, len(g.sizes))
		for i := range c.Lines {
			if c.Lines[i].Len() != g.perLine {
				return false
			}
			for b := range c.Lines[i].All() {
				seen[column[b-1]] = true
			}
		}
		for _, ok := range seen {
			if !ok {
				return false
			}
		}
	}
	return true
}

// TestTable_CountsSmallGeometries compares totals with lists.
func TestTable_CountsSmallGeometries(t *testing.T) {
	t.Parallel()
	for _, g := range []geometry{
		{[]int{3, 3}, 2, 1}, {[]int{4, 4, 4}, 2, 2}, {[]int{5, 3, 4}, 2, 2},
		{[]int{5, 4}, 3, 1}, {[]int{2, 2, 2}, 2, 1}, {[]int{1, 2, 3}, 1, 2},
	} {
		want := len(list(g))
		if got := newTable(g).cols[0].states[0].total.big(); got.Int64() != int64(want) || want == 0 {
			t.Errorf("%v: the table counts %v sheets, the list has %d", g, got, want)
		}
	}
}

// TestPick_IsExactOnSmallTables asks every state of a small table every number: each way
// is answered as often as there are sheets behind it.
func TestPick_IsExactOnSmallTables(t *testing.T) {
	t.Parallel()
	tb := newTable(geometry{[]int{4, 4, 4}, 2, 2})
	for i := range tb.sizes {
		col, next := &tb.cols[i], tb.cols[i+1].states
		for s := range col.states {
			from, to := col.of(uint16(s))
			got := make([]uint64, to-from)
			total := col.states[s].total[0]
			for u := range total {
				if to-from == 1 {
					got[0] = total // nothing is asked
					break
				}
				src := script{u}
				got[col.pick(&src, uint16(s), next)-from]++
			}
			for k, w := range col.ways[from:to] {
				if want := col.splits[w.split].weight * next[w.next].total[0]; got[k] != want {
					t.Errorf("column %d, state %d, way %d: %d of %d, want %d", i, s, k, got[k], total, want)
				}
			}
		}
	}
}

// script is a Source that gives prepared answers.
type script []uint64

func (s *script) Uint64n(n uint64) uint64 {
	x := (*s)[0]
	*s = (*s)[1:]
	if x >= n {
		panic(fmt.Sprintf("%d is not below %d", x, n))
	}
	return x
}

// TestPick_IsExactAtEveryEnd drives the real table to the edges that chance never meets:
// the last number of each way and the first of the next, in all their bits.
func TestPick_IsExactAtEveryEnd(t *testing.T) {
	t.Parallel()
	tb := sheets()
	edges := 0
	for i := range tb.sizes {
		col, next := &tb.cols[i], tb.cols[i+1].states
		for s := 0; s < len(col.states); s += 1 + len(col.states)/40 {
			st := &col.states[s]
			from, to := col.of(uint16(s))
			end := new(big.Int)
			for k := from; k < to; k++ {
				w := col.ways[k]
				part := new(big.Int).SetUint64(col.splits[w.split].weight)
				end.Add(end, part.Mul(part, next[w.next].total.big()))
				if part.Sign() == 0 || k == to-1 {
					continue
				}
				last := new(big.Int).Sub(end, big.NewInt(1))
				if got := col.pick(answers(last, st.shift), uint16(s), next); got != k {
					t.Fatalf("column %d, state %d: the last of way %d gives way %d", i, s, k, got)
				}
				got := col.pick(answers(end, st.shift), uint16(s), next)
				if got <= k || st.shift > 0 && col.ends[got-1] < col.ends[k] {
					t.Fatalf("column %d, state %d: the number after way %d gives way %d", i, s, k, got)
				}
				edges++
			}
			if end.Cmp(st.total.big()) != 0 {
				t.Fatalf("column %d, state %d: ways sum to %v, total is %v", i, s, end, st.total.big())
			}
			if st.shift > 0 && to-from > 1 { // a number past the total is asked again, and gives no sheet
				again := *answers(end, st.shift)
				again = append(again, 0)
				if got := col.pick(&again, uint16(s), next); got != from || len(again) != 0 {
					t.Fatalf("column %d, state %d: the total itself gives way %d", i, s, got)
				}
			}
		}
	}
	if edges < 1000 {
		t.Errorf("only %d edges were tried", edges)
	}
}

// answers returns the answers that make pick see the number u.
func answers(u *big.Int, shift int) *script {
	s := script{new(big.Int).Rsh(u, uint(shift)).Uint64()}
	for shift > 0 {
		word := min(shift, 32)
		shift -= word
		part := new(big.Int).Rsh(u, uint(shift))
		s = append(s, part.Uint64()&(1<<word-1))
	}
	return &s
}
