package ninety

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ballSets draws sets of balls and the map that holds the same.
func ballSets(t *rapid.T, label string) (s BallSet, m map[Ball]bool) {
	m = map[Ball]bool{}
	for _, n := range rapid.SliceOf(rapid.IntRange(1, 90)).Draw(t, label) {
		m[Ball(n)] = true
		s = s.With(Ball(n))
	}
	return s, m
}

func TestBallSet_IsASet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, m := ballSets(t, "s")
		u, v := ballSets(t, "u")
		for b := Ball(0); b < 255; b++ {
			if s.Has(b) != m[b] || s.Minus(u).Has(b) != (m[b] && !v[b]) || s.Union(u).Has(b) != (m[b] || v[b]) {
				t.Fatalf("ball %d: %v, %v", b, s, u)
			}
		}
		all := slices.Collect(s.All())
		if s.Len() != len(m) || len(all) != len(m) || !slices.IsSorted(all) {
			t.Fatalf("%v holds %v", m, all)
		}
	})
}

func TestBall_Column(t *testing.T) {
	t.Parallel()
	for ball, want := range map[Ball]int{1: 0, 9: 0, 10: 1, 19: 1, 45: 4, 79: 7, 80: 8, 89: 8, 90: 8} {
		if got := ball.Column(); got != want {
			t.Errorf("%d stands in column %d, want %d", ball, got, want)
		}
	}
	if Ball(0).Valid() || Ball(91).Valid() || !Ball(1).Valid() || !Ball(90).Valid() {
		t.Error("the balls are 1 to 90")
	}
}

func TestDraw_IsAPermutation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		order := Draw(seeded(rapid.String().Draw(t, "seed")))
		slices.Sort(order)
		for i, b := range order {
			if b != Ball(i+1) {
				t.Fatalf("ball %d at rank %d", b, i)
			}
		}
	})
}

// validGrid is a correct card, changed one thing at a time below.
var validGrid = Grid{
	{1, 0, 22, 33, 42, 56, 0, 0, 0},
	{0, 13, 0, 38, 44, 0, 60, 75, 0},
	{8, 18, 23, 0, 0, 0, 67, 0, 90},
}

func TestProfile_Check(t *testing.T) {
	t.Parallel()
	french, noTriple, free := Profile{Min: 1, Max: 3}, Profile{Min: 1, Max: 2}, Profile{Max: 3, AnyOrder: true}
	for _, tc := range []struct {
		name    string
		profile Profile
		change  func(g *Grid)
		want    string // the codes, in order
	}{
		{"valid", french, func(*Grid) {}, ""},
		{"valid without a column of three", noTriple, func(*Grid) {}, ""},
		{"number 91", french, func(g *Grid) { g[2][8] = 91 }, "number_range"},
		{"a number twice", french, func(g *Grid) { g[1][1] = 18 }, "number_twice"},
		{"a number of another column", french, func(g *Grid) { g[0][0] = 10 }, "wrong_column column_order"},
		{"not ascending, with a blank between", french, func(g *Grid) { g[0][0], g[2][0] = 8, 1 }, "column_order"},
		{"not ascending where any order will do", free, func(g *Grid) { g[0][0], g[2][0] = 8, 1 }, ""},
		{"one number too few", french, func(g *Grid) { g[0][2] = 0 }, "line_count"},
		{"one number too many", french, func(g *Grid) { g[2][3] = 39 }, "line_count"},
		{"three in a column", noTriple, func(g *Grid) { g[0][1], g[0][2] = 11, 0 }, "column_count"},
		{"three in a column of the French card", french, func(g *Grid) { g[0][1], g[0][2] = 11, 0 }, ""},
		{"a blank column", french, func(g *Grid) { g[2][8], g[2][3] = 0, 39 }, "column_count"},
		{"a blank column where any number will do", free, func(g *Grid) { g[2][8], g[2][3] = 0, 39 }, ""},
		{"13 numbers", french, func(g *Grid) { g[0][2], g[1][3] = 0, 0 }, "line_count line_count"},
	} {
		g := validGrid
		tc.change(&g)
		var codes []string
		for _, f := range tc.profile.Check(g) {
			codes = append(codes, f.Code)
		}
		if got := strings.Join(codes, " "); got != tc.want {
			t.Errorf("%s: broken rules %q, want %q", tc.name, got, tc.want)
		}
		c, err := g.Card(tc.profile)
		if (err == nil) != (tc.want == "") {
			t.Errorf("%s: Card gives %v", tc.name, err)
		}
		if err == nil && c.Grid() != g {
			t.Errorf("%s: the card's grid is %v", tc.name, c.Grid())
		}
	}
}

func TestProfile_CheckNumbers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		numbers []Ball
		want    string
	}{
		{"any order", []Ball{4, 15, 29, 37, 36, 32, 47, 45, 53, 51, 67, 78, 77, 87, 85}, ""},
		{"a number twice", []Ball{4, 15, 29, 37, 36, 32, 47, 45, 53, 51, 67, 78, 77, 87, 87}, "number_twice"},
		{"0", []Ball{0, 15, 4, 29, 37, 36, 32, 47, 45, 53, 51, 67, 78, 77, 87}, "number_range"},
		{"91", []Ball{4, 15, 29, 37, 36, 32, 47, 45, 53, 51, 67, 78, 77, 87, 91}, "number_range"},
		{"13", []Ball{4, 15, 29, 37, 36, 32, 47, 45, 53, 51, 67, 78, 87}, "card_count"},
		{"a blank column", []Ball{15, 16, 29, 37, 36, 32, 47, 45, 53, 51, 67, 78, 77, 87, 85}, "column_count"},
		{"four in a column", []Ball{4, 15, 29, 37, 36, 32, 31, 45, 53, 51, 67, 78, 77, 87, 85}, "column_count"},
	} {
		var codes []string
		for _, f := range (Profile{Min: 1, Max: 3}).CheckNumbers(tc.numbers) {
			codes = append(codes, f.Code)
		}
		if got := strings.Join(codes, " "); got != tc.want {
			t.Errorf("%s: broken rules %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	a, b := BallSet{}.With(1, 90), BallSet{}.With(2)
	got := Repeats([]BallSet{a, b, a, BallSet{}.With(3), b, a})
	if want := [][2]int{{0, 2}, {1, 4}, {0, 5}}; !slices.Equal(got, want) {
		t.Errorf("repeats are %v, want %v", got, want)
	}
}

func TestSheet_Check(t *testing.T) {
	t.Parallel()
	var s Sheet
	s.Deal(seeded("check"))
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	twice, missing := s, s
	twice[3] = s[1]
	missing[0].Lines[0] = BallSet{}
	for name, s := range map[string]Sheet{"twice": twice, "missing": missing} {
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a sheet with numbers %s: %v", name, err)
		}
	}
}

// TestBall_KeptAsANumber: a list of balls is written as numbers, and read again.
func TestBall_KeptAsANumber(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal([]Ball{7, 90})
	if err != nil || string(text) != "[7,90]" {
		t.Errorf("%s, %v", text, err)
	}
	var again []Ball
	if err := json.Unmarshal(text, &again); err != nil || !slices.Equal(again, []Ball{7, 90}) {
		t.Errorf("read again: %v, %v", again, err)
	}
}
