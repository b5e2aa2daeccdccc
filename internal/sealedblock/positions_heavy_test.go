//go:build !race

package sealedblock

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"testing"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/games"
	"boulier/regs/regstest"
)

// far is how many standard deviations a result may be from what chance gives: beyond it in
// one of two million. The secrets are fixed, so that a result never changes.
const far = 5

// order draws the order of a block of the game, whose outcomes are the lines of its table.
func order(t *testing.T, g instant.Game, name string) *draw.Block {
	t.Helper()
	counts := []int{int(g.Losers())}
	for _, p := range g.Table {
		counts = append(counts, int(p.Count))
	}
	b, err := draw.NewBlock(draw.ID(name), counts, sha256.Sum256([]byte(name)), []byte("positions"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// chi compares counts with what is expected of each and returns how many standard
// deviations their chi-square is from what chance gives (Wilson and Hilferty).
func chi(counts []int, expected func(i int) float64, freedom int) float64 {
	sum := 0.0
	for i, c := range counts {
		e := expected(i)
		sum += (float64(c) - e) * (float64(c) - e) / e
	}
	k := float64(freedom)
	return (math.Cbrt(sum/k) - (1 - 2/(9*k))) / math.Sqrt(2/(9*k))
}

// even expects as many everywhere.
func even(counts []int) func(int) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	return func(int) float64 { return float64(n) / float64(len(counts)) }
}

// near fails the test if a result is far from chance.
func near(t *testing.T, what string, z float64) {
	t.Helper()
	t.Logf("%s: %+.2f standard deviations", what, z)
	if math.Abs(z) > far || math.IsNaN(z) {
		t.Errorf("%s: %+.2f standard deviations from chance", what, z)
	}
}

// TestArt3_PositionsOfWinnersHeavy looks at the order of whole blocks of the word game: how
// the winners spread over its parts, their runs, the gaps between them, how often they
// follow each other at some distance, and where each line of the table lies on average.
func TestArt3_PositionsOfWinnersHeavy(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "std:28", "std:29", "std:30")
	f, _, err := games.Read("mots-croises")
	if err != nil {
		t.Fatal(err)
	}
	for k := range 2 {
		name := fmt.Sprintf("positions/%d", k)
		b := order(t, f.Game, name)
		wins := make([]bool, b.Size())
		at := make([][]int, len(f.Game.Table)+1)
		for i := range wins {
			o := b.Outcome(i)
			wins[i] = o > 0
			at[o] = append(at[o], i)
		}
		near(t, name+": winners in a thousandth of the block", inParts(wins, 1000))
		near(t, name+": runs", runs(wins))
		near(t, name+": gaps between winners", gaps(wins))
		for _, lag := range []int{1, 2, 3, 7, 64, 1000, 1 << 16} {
			near(t, fmt.Sprintf("%s: winners %d units apart", name, lag), apart(wins, lag))
		}
		for line, positions := range at {
			near(t, fmt.Sprintf("%s: where line %d lies", name, line), middle(positions, len(wins)))
		}
	}
}

// share is the part of the units that win.
func share(wins []bool) float64 {
	n := 0
	for _, w := range wins {
		if w {
			n++
		}
	}
	return float64(n) / float64(len(wins))
}

// inParts spreads the winners over equal parts of the block.
func inParts(wins []bool, parts int) float64 {
	counts := make([]int, parts)
	for i, w := range wins {
		if w {
			counts[i*parts/len(wins)]++
		}
	}
	// A part is drawn without putting back: its count varies less than its mean.
	p, e := share(wins), even(counts)(0)
	sum := 0.0
	for _, c := range counts {
		sum += (float64(c) - e) * (float64(c) - e) / (e * (1 - p))
	}
	k := float64(parts - 1)
	return (math.Cbrt(sum/k) - (1 - 2/(9*k))) / math.Sqrt(2/(9*k))
}

// runs counts the runs of winners and of losers (Wald and Wolfowitz).
func runs(wins []bool) float64 {
	n, count := float64(len(wins)), 1
	for i, w := range wins[1:] {
		if w != wins[i] {
			count++
		}
	}
	p := share(wins)
	mean := 1 + 2*n*p*(1-p)
	return (float64(count) - mean) / math.Sqrt((mean-1)*(mean-2)/(n-1))
}

// gaps counts how many losers stand between one winner and the next: 0, 1, 2 … 24 or more.
func gaps(wins []bool) float64 {
	const most = 24
	counts := make([]int, most+1)
	last, n := -1, 0
	for i, w := range wins {
		if !w {
			continue
		}
		if last >= 0 {
			counts[min(i-last-1, most)]++
			n++
		}
		last = i
	}
	p := share(wins)
	return chi(counts, func(gap int) float64 {
		chance := math.Pow(1-p, float64(gap))
		if gap < most {
			chance *= p
		}
		return chance * float64(n)
	}, most-1) // the share is known from the table: one freedom less
}

// apart counts the winners that have another winner at the distance.
func apart(wins []bool, distance int) float64 {
	count, n := 0, float64(len(wins)-distance)
	for i := distance; i < len(wins); i++ {
		if wins[i] && wins[i-distance] {
			count++
		}
	}
	size, winners := float64(len(wins)), share(wins)*float64(len(wins))
	p := winners / size
	mean := n * winners * (winners - 1) / (size * (size - 1))
	return (float64(count) - mean) / (math.Sqrt(n) * p * (1 - p))
}

// middle compares the mean of positions with the middle of the block.
func middle(positions []int, size int) float64 {
	sum, n := 0.0, float64(len(positions))
	for _, i := range positions {
		sum += float64(i)
	}
	variance := float64(size+1) * (float64(size) - n) / (12 * n)
	return (sum/n - float64(size-1)/2) / math.Sqrt(variance)
}

// TestArt3_PositionsOfTopPrizesHeavy draws many whole blocks of the word game and looks at
// the largest prizes alone: the four of 15 000 EUR, the twenty-four of 1 500 EUR.
func TestArt3_PositionsOfTopPrizesHeavy(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "std:29", "std:30")
	f, _, err := games.Read("mots-croises")
	if err != nil {
		t.Fatal(err)
	}
	const blocks, bins = 100, 20
	top := int(f.Game.Table[0].Count)
	first, second := make([]int, bins), make([]int, bins)
	halves := make([]int, top+1)
	var earliest []float64 // by the chance of being that early
	for k := range blocks {
		b := order(t, f.Game, fmt.Sprintf("top/%d", k))
		size, early, half := b.Size(), -1, 0
		for i := range size {
			switch b.Outcome(i) {
			case 1:
				first[i*bins/size]++
				if early < 0 {
					early = i
				}
				if i < size/2 {
					half++
				}
			case 2:
				second[i*bins/size]++
			}
		}
		halves[half]++
		earliest = append(earliest, 1-math.Pow(1-float64(early)/float64(size), float64(top)))
	}
	near(t, "top prizes in a twentieth of their block", chi(first, even(first), bins-1))
	near(t, "second prizes in a twentieth of their block", chi(second, even(second), bins-1))
	near(t, "top prizes in the first half", chi(halves, func(k int) float64 {
		return blocks * choose(top, k) / math.Pow(2, float64(top))
	}, top))
	slices.Sort(earliest)
	worst := 0.0 // Kolmogorov and Smirnov: 2.7 in one of a million
	for i, u := range earliest {
		worst = max(worst, math.Abs(u-float64(i)/blocks), math.Abs(u-float64(i+1)/blocks))
	}
	if t.Logf("the first top prize of a block: %.2f", worst*math.Sqrt(blocks)); worst*math.Sqrt(blocks) > 2.7 {
		t.Errorf("the first top prize of a block comes too early or too late: %.2f", worst*math.Sqrt(blocks))
	}
}

// choose is the number of ways of taking k of n.
func choose(n, k int) float64 {
	ways := 1.0
	for i := range k {
		ways = ways * float64(n-i) / float64(i+1)
	}
	return ways
}

// TestArt3_PairsOfPositionsHeavy draws very many small blocks: the top prize is as often in
// each position, and it and the second prize in each pair of positions.
func TestArt3_PairsOfPositionsHeavy(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "std:29", "std:30")
	const size, blocks = 30, 60_000
	g := instant.Game{Block: size, Price: 200, Table: instant.Table{{Count: 1, Amount: 1500}, {Count: 1, Amount: 400}, {Count: 6, Amount: 200}}}
	single, pairs := make([]int, size), make([]int, size*size)
	for k := range blocks {
		b := order(t, g, fmt.Sprintf("pair/%d", k))
		top, second := 0, 0
		for i := range size {
			switch b.Outcome(i) {
			case 1:
				top = i
			case 2:
				second = i
			}
		}
		single[top]++
		pairs[top*size+second]++
	}
	near(t, "positions of the top prize", chi(single, even(single), size-1))
	var apart []int
	for at, n := range pairs {
		if at/size != at%size {
			apart = append(apart, n)
		} else if n > 0 {
			t.Error("two prizes on one unit")
		}
	}
	near(t, "pairs of positions", chi(apart, even(apart), len(apart)-1))
}
