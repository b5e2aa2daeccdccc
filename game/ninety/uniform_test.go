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
