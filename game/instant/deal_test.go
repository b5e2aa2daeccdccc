package instant

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"boulier/regs/regstest"
)

// script is a source that answers a list of numbers, and fails on any other use.
type script struct {
	t       *testing.T
	bounds  []uint64
	answers []uint64
}

func (s *script) Uint64n(n uint64) uint64 {
	if len(s.bounds) == 0 || s.bounds[0] != n {
		s.t.Fatalf("asked for a number below %d, want bounds %v", n, s.bounds)
	}
	a := s.answers[0]
	s.bounds, s.answers = s.bounds[1:], s.answers[1:]
	return a
}

func TestArt3_Deal(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	g := Game{Block: 5, Price: 1, Table: Table{{1, 10}, {2, 5}}}
	// 1 2 2 0 0, and from the last index down:
	// 4↔0: 0 2 2 0 1; 3↔3; 2↔0: 2 2 0 0 1; 1↔0: 2 2 0 0 1.
	src := &script{t, []uint64{5, 4, 3, 2}, []uint64{0, 3, 0, 0}}
	if got, want := Deal(g, src), []Outcome{2, 2, 0, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("dealt %v, want %v", got, want)
	}
}

// TestArt3_DealEveryOrderOnce runs through every answer that chance can give: each
// arrangement of the multiset comes up equally often, so that none is favoured.
func TestArt3_DealEveryOrderOnce(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	g := Game{Block: 5, Price: 1, Table: Table{{1, 10}, {2, 5}}}
	seen := map[string]int{}
	for a := range uint64(5) {
		for b := range uint64(4) {
			for c := range uint64(3) {
				for d := range uint64(2) {
					src := &script{t, []uint64{5, 4, 3, 2}, []uint64{a, b, c, d}}
					seen[fmt.Sprint(Deal(g, src))]++
				}
			}
		}
	}
	if len(seen) != 30 { // 5! / (1! 2! 2!)
		t.Errorf("%d orders came up, want 30", len(seen))
	}
	for order, n := range seen {
		if n != 4 {
			t.Errorf("%s came up %d times, want 4", order, n)
		}
	}
}

// TestDeal_KeepsTheTable checks that a block holds exactly its table, whatever it is.
func TestDeal_KeepsTheTable(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "house:3")
	rapid.Check(t, func(t *rapid.T) {
		g := Game{Price: 1}
		for range rapid.IntRange(1, 12).Draw(t, "lines") {
			n := rapid.Int64Range(1, 50).Draw(t, "count")
			g.Table = append(g.Table, Prize{n, 1})
			g.Block += n
		}
		g.Block += rapid.Int64Range(0, 200).Draw(t, "losers")
		counts, ok := Count(Deal(g, seeded(rapid.Uint64().Draw(t, "seed"))), len(g.Table))
		if !ok {
			t.Fatal("an outcome beyond the table")
		}
		if counts[0] != g.Losers() {
			t.Errorf("%d losers, want %d", counts[0], g.Losers())
		}
		for i, p := range g.Table {
			if counts[i+1] != p.Count {
				t.Errorf("line %d has %d prizes, want %d", i+1, counts[i+1], p.Count)
			}
		}
	})
}

func TestCount_RefusesAnOutcomeBeyondTheTable(t *testing.T) {
	t.Parallel()
	if _, ok := Count([]Outcome{0, 3}, 2); ok {
		t.Error("outcome 3 of a table of 2 lines was counted")
	}
}

func BenchmarkDeal(b *testing.B) {
	g := Game{Block: 1_500_000, Price: 200, Table: Table{{4463, 2000}, {100_000, 1000}, {300_000, 200}}}
	src := seeded(1)
	for b.Loop() {
		Deal(g, src)
	}
}
