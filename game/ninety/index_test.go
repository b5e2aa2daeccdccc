package ninety

import (
	"math"
	"slices"
	"testing"

	"boulier/regs/regstest"

	"pgregory.net/rapid"
)

// deal returns the cards of n uniform sheets.
func deal(src Source, n int) (cards []Card) {
	var s Sheet
	for range n {
		s.Deal(src)
		cards = append(cards, s[:]...)
	}
	return cards
}

// Patterns on the fifteen numbers of a card.
const (
	corners Goal = 1<<0 | 1<<4 | 1<<10 | 1<<14
	cross   Goal = 1<<2 | 0b11111<<5 | 1<<12
)

func TestGoal_Missing(t *testing.T) {
	t.Parallel()
	c := Card{[3]BallSet{
		BallSet{}.With(1, 20, 40, 60, 80), BallSet{}.With(2, 11, 30, 50, 70),
		BallSet{}.With(12, 22, 41, 51, 90),
	}}
	for _, tc := range []struct {
		name  string
		goal  Goal
		drawn BallSet
		want  int
	}{
		{"no ball: a line lacks five", Line, BallSet{}, 5},
		{"no ball: two lines lack ten", TwoLines, BallSet{}, 10},
		{"no ball: the card lacks fifteen", FullCard, BallSet{}, 15},
		{"the nearest line counts", Line, BallSet{}.With(1, 2, 11, 30), 2},
		{"the farthest line does not count", TwoLines, BallSet{}.With(1, 2, 11, 30), 6},
		{"a line is complete", Line, c.Lines[1], 0},
		{"two lines and more", TwoLines, c.Lines[1].Union(c.Lines[2]).With(1), 0},
		{"balls that are not on the card", FullCard, BallSet{}.With(3, 4, 5), 15},
		{"corners are the ends of the outer lines", corners, BallSet{}.With(1, 80, 12), 1},
		{"corners complete", corners, BallSet{}.With(1, 80, 12, 90), 0},
		{"cross: third numbers and the middle line", cross, BallSet{}.With(40, 30, 41), 4},
	} {
		if got := tc.goal.Missing(c, tc.drawn); got != tc.want {
			t.Errorf("%s: missing %d, want %d", tc.name, got, tc.want)
		}
	}
	if got := c.FullLines(c.Lines[0].Union(c.Lines[2]).With(2)); got != 2 {
		t.Errorf("FullLines = %d, want 2", got)
	}
}

// TestIndex_AgreesWithTheDefinition plays random balls and take-backs and asks the index
// everything, card by card. The numbers of cards are on both sides of each word and chunk.
func TestIndex_AgreesWithTheDefinition(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	all := deal(seeded("index"), 64*blocks/perSheet+30)
	goals := []Goal{Line, TwoLines, FullCard, corners, cross}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 63, 64, 65, 64 * blocks, 64*blocks + 1, len(all)}).Draw(t, "n")
		cards := all[:n]
		x := NewIndex(slices.Values(cards), goals...)
		var drawn BallSet
		for range rapid.IntRange(0, 90).Draw(t, "balls") {
			b := Ball(rapid.IntRange(1, 90).Draw(t, "ball"))
			before := drawn
			if drawn.Has(b) {
				if err := x.TakeBack(b); err != nil {
					t.Fatal(err)
				}
				drawn = drawn.Minus(BallSet{}.With(b))
			} else {
				if err := x.Draw(b); err != nil {
					t.Fatal(err)
				}
				drawn = drawn.With(b)
			}
			g := rapid.SampledFrom(goals).Draw(t, "goal")
			var reached []int
			for i, c := range cards {
				if before.Minus(drawn).Len() == 0 && g.Missing(c, drawn) == 0 && g.Missing(c, before) > 0 {
					reached = append(reached, i)
				}
			}
			if got := slices.Collect(x.Reached(g)); !slices.Equal(got, reached) {
				t.Fatalf("goal %b reached by %v, want %v", g, got, reached)
			}
		}
		if x.Drawn() != drawn || x.Len() != n {
			t.Fatalf("the index holds %d balls and %d cards", x.Drawn().Len(), x.Len())
		}
		for _, g := range goals {
			by := map[int][]int{}
			for i, c := range cards {
				want := g.Missing(c, drawn)
				by[want] = append(by[want], i)
				if got := x.Missing(i, g); got != want {
					t.Fatalf("card %d lacks %d for %b, want %d", i, got, g, want)
				}
			}
			for missing := range perCard + 1 {
				if got := slices.Collect(x.At(g, missing)); !slices.Equal(got, by[missing]) ||
					x.Count(g, missing) != len(got) {
					t.Fatalf("%v lack %d for %b, want %v", got, missing, g, by[missing])
				}
			}
		}
	})
}

func TestIndex_Refuses(t *testing.T) {
	t.Parallel()
	x := NewIndex(slices.Values(deal(seeded("refuse"), 1)))
	if err := x.Draw(17); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"a ball twice": x.Draw(17), "ball 0": x.Draw(0), "ball 91": x.Draw(91),
		"taking back what is not drawn": x.TakeBack(18), "taking back ball 200": x.TakeBack(200),
	} {
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	for name, f := range map[string]func(){
		"a goal that is not indexed": func() { x.Count(corners, 0) },
		"no goal at all":             func() { NewIndex(slices.Values([]Card{}), 0) },
		"line and two lines at once": func() { NewIndex(slices.Values([]Card{}), Line|TwoLines) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is accepted", name)
				}
			}()
			f()
		}()
	}
}

func TestIndex_Nearest(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	cards := deal(seeded("nearest"), 10)
	x := NewIndex(slices.Values(cards))
	for b := range cards[17].Lines[1].All() {
		if err := x.Draw(b); err != nil {
			t.Fatal(err)
		}
	}
	got := x.Nearest([]int{3, 17, 40}, Line)
	if got[0] != 17 || x.Missing(got[1], Line) > x.Missing(got[2], Line) {
		t.Errorf("nearest first is %v", got)
	}
	if same := x.Nearest([]int{17, 17}, Line); !slices.Equal(same, []int{17, 17}) {
		t.Errorf("a list with equals becomes %v", same)
	}
}

// TestReplay_AgreesWithTheIndex plays whole and broken-off rounds, with take-backs on the
// way, through both implementations.
func TestReplay_AgreesWithTheIndex(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	goals := []Goal{Line, TwoLines, FullCard, corners, cross}
	for round := range 12 {
		src := seeded("replay" + string(rune('a'+round)))
		cards := deal(src, 400)
		order := Draw(src)[:min(90, 30+8*round)]
		x := NewIndex(slices.Values(cards), goals...)
		want := make([][]uint8, len(goals))
		for g := range want {
			want[g] = make([]uint8, len(cards))
		}
		for i, b := range order {
			if wrong := order[len(order)-1]; i%7 == 3 && wrong != b { // called by mistake
				if x.Draw(wrong) != nil || x.TakeBack(wrong) != nil {
					t.Fatal("a ball could not be taken back")
				}
			}
			if err := x.Draw(b); err != nil {
				t.Fatal(err)
			}
			for g, goal := range goals {
				for card := range x.Reached(goal) {
					want[g][card] = uint8(i + 1)
				}
			}
		}
		got, err := Replay(slices.Values(cards), order, goals...)
		if err != nil {
			t.Fatal(err)
		}
		for g := range goals {
			if !slices.Equal(got[g], want[g]) {
				t.Errorf("round %d: index and replay differ on goal %b", round, goals[g])
			}
		}
	}
}

func TestReplay_Refuses(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]Ball{
		"ball 0": {1, 0}, "ball 91": {91}, "a ball twice": {5, 6, 5},
	} {
		if _, err := Replay(slices.Values([]Card{}), order, Line); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := Replay(slices.Values([]Card{}), nil, 0); err == nil {
		t.Error("no goal is accepted")
	}
}

// choose returns C(n, k).
func choose(n, k int) float64 {
	c := 1.0
	for i := range k {
		c = c * float64(n-i) / float64(k-i)
	}
	return c
}

// TestReplay_ChancesOfARound compares simulated rounds with the exact chances of a card
// after n balls: C(n,15)/C(90,15) for the full card, and by inclusion and exclusion for
// the lines. One card a sheet, since those of a sheet are not independent.
func TestReplay_ChancesOfARound(t *testing.T) {
	t.Parallel()
	const players, rounds = 4000, 25 // of each
	src := seeded("chances")
	goals := []Goal{Line, TwoLines, FullCard}
	var reached [3][91]int
	var sum [3]float64
	for range players {
		cards := deal(src, 1)[:1]
		for range rounds {
			at, err := Replay(slices.Values(cards), Draw(src), goals...)
			if err != nil {
				t.Fatal(err)
			}
			for g := range goals {
				reached[g][at[g][0]]++
				sum[g] += float64(at[g][0])
			}
		}
	}
	const n = players * rounds
	for g, mean := range []float64{11375.0 / 176, 6825.0 / 88, 1365.0 / 16} {
		if got := sum[g] / n; math.Abs(got-mean) > 0.15 { // 5 sigma: the spread is below 9 balls
			t.Errorf("goal %d is reached after %.4f balls in the mean, want %.4f", g, got, mean)
		}
	}
	done := [3]int{}
	for balls := 1; balls <= 90; balls++ {
		five, ten := choose(balls, 5)/choose(90, 5), choose(balls, 10)/choose(90, 10)
		full := choose(balls, 15) / choose(90, 15)
		for g, p := range []float64{3*five - 3*ten + full, 3*ten - 2*full, full} {
			done[g] += reached[g][balls]
			sigma := math.Sqrt(n*p*(1-p)) + 1
			if d := float64(done[g]) - n*p; math.Abs(d) > 5.5*sigma {
				t.Errorf("goal %d after %d balls: %d of %d rounds, want %.1f ± %.1f",
					g, balls, done[g], n, n*p, sigma)
			}
		}
	}
}
