package instant

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boulier/money"
	"boulier/regs/regstest"
)

func TestArt3_Check(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	type at struct {
		Code  string
		Line  int
		Where string
	}
	for _, tc := range []struct {
		name  string
		spoil func(g *Game)
		want  []at
	}{
		{"a sound game", func(*Game) {}, nil},
		{"declared sums that hold", func(g *Game) {
			g.Declared = Declared{ptr(int64(25)), ptr(money.Cents(13000)), []*money.Cents{nil, ptr(money.Cents(4000))}}
		}, nil},
		{"both totals are to be reached exactly", func(g *Game) {
			g.Declared = Declared{Prizes: ptr(int64(24)), Value: ptr(money.Cents(13001))}
		}, []at{{"prizes_total_differs", 0, "prizes_total"}, {"value_total_differs", 0, "value_total"}}},
		{"totals that are declared higher", func(g *Game) {
			g.Declared = Declared{Prizes: ptr(int64(26)), Value: ptr(money.Cents(12999))}
		}, []at{{"prizes_total_differs", 0, "prizes_total"}, {"value_total_differs", 0, "value_total"}}},
		{"a line total that is not count × amount", func(g *Game) {
			g.Declared.Lines = []*money.Cents{ptr(money.Cents(5000)), nil, ptr(money.Cents(3999))}
		}, []at{{"line_total_differs", 3, "line_total"}}},
		{"no title", func(g *Game) { g.Title = "" }, []at{{"no_title", 0, "title"}}},
		{"unknown kind", func(g *Game) { g.Kind = "dice" }, []at{{"unknown_kind", 0, "kind"}}},
		{"no unit", func(g *Game) { g.Block = 0 }, []at{{"block_not_positive", 0, "block"}}},
		{"negative block", func(g *Game) { g.Block = -1 }, []at{{"block_not_positive", 0, "block"}}},
		{"block one too large", func(g *Game) { g.Block = MaxBlock + 1 }, []at{{"block_too_large", 0, "block"}}},
		{"free units", func(g *Game) { g.Price = 0 }, []at{{"price_not_positive", 0, "price"}}},
		{"stakes out of range", func(g *Game) { g.Price = math.MaxInt64 / 99 }, []at{{"stakes_overflow", 0, "price"}}},
		{"no prize", func(g *Game) { g.Table = nil }, []at{{"no_prizes", 0, "prizes"}}},
		{"count 0", func(g *Game) { g.Table[1].Count = 0 }, []at{{"count_not_positive", 2, "count"}}},
		{"negative amount", func(g *Game) { g.Table[0].Amount = -1 }, []at{{"amount_not_positive", 1, "amount"}}},
		{"one prize more than units", func(g *Game) { g.Table[2].Count = 96 },
			[]at{{"more_prizes_than_units", 0, "block"}}},
		{"every unit wins", func(g *Game) { g.Table[2].Count = 95 }, nil},
		{"an amount twice", func(g *Game) { g.Table = append(g.Table, Prize{1, 1000}) },
			[]at{{"amount_twice", 4, "amount"}}},
		{"two amounts: no losing face", func(g *Game) { g.Table = g.Table[:2] },
			[]at{{"too_few_amounts", 0, "prizes"}}},
		{"counts out of range", func(g *Game) { g.Table[0].Count, g.Table[1].Count = math.MaxInt64, math.MaxInt64 },
			[]at{{"line_overflow", 1, "amount"}, {"line_overflow", 2, "amount"},
				{"prizes_overflow", 0, "prizes"}, {"value_overflow", 0, "prizes"}}},
		{"too many lines", func(g *Game) { g.Table = amounts(MaxLines + 1) },
			[]at{{"too_many_lines", 0, "prizes"}}},
		{"every fault at once", func(g *Game) { *g = Game{Kind: ThreeAlike} },
			[]at{{"no_title", 0, "title"}, {"block_not_positive", 0, "block"},
				{"price_not_positive", 0, "price"}, {"no_prizes", 0, "prizes"}}},
		{"a bare table knows no game: any positive amounts", func(g *Game) {
			*g = Game{Block: 2, Price: 1, Table: Table{{1, 7}, {1, 7}}}
		}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			g := small()
			tc.spoil(&g)
			var got []at
			for _, f := range g.Check() {
				got = append(got, at{f.Code, f.Line, f.Where})
				if !strings.ContainsAny(f.Text, ":") {
					t.Errorf("%s does not say what to do: %s", f.Code, f.Text)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestArt3_ReturnAndDigest(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	g := small()
	if got := g.Return().FloatString(3); got != "0.650" {
		t.Errorf("the return is %s, want 0.650", got)
	}
	if got := g.Losers(); got != 75 {
		t.Errorf("%d units lose, want 75", got)
	}
	want := "boulier/instant/table/v1\nblock 100\nprice 200\n1 5000\n4 1000\n20 200\n"
	if got := g.TableText(); got != want {
		t.Errorf("table text %q, want %q", got, want)
	}
	other := small()
	other.Table[2].Count++
	if g.TableDigest() == other.TableDigest() {
		t.Error("two tables have one digest")
	}
}
