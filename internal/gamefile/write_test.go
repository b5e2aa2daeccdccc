package gamefile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"boulier/game/instant"
	"boulier/money"
)

// TestWrite_IsReadAsItWas writes games and reads them again, whatever their title holds.
func TestWrite_IsReadAsItWas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := instant.Game{Title: "T" + rapid.StringN(0, 20, 60).Draw(t, "title") + "T",
			Kind: instant.ThreeAlike, Block: 1000, Price: money.Cents(rapid.Int64Range(1, 500).Draw(t, "price"))}
		amount := money.Cents(0)
		for n := range rapid.IntRange(3, 8).Draw(t, "lines") {
			amount += money.Cents(rapid.Int64Range(1, 1000).Draw(t, "more"))
			g.Table = append(g.Table, instant.Prize{Count: int64(n + 1), Amount: amount})
		}
		for i, j := 0, len(g.Table)-1; i < j; i, j = i+1, j-1 { // the largest first
			g.Table[i], g.Table[j] = g.Table[j], g.Table[i]
		}
		if len(g.Check()) > 0 {
			t.Skip("not a sound game")
		}
		f := File{Game: g, Publisher: "Amicale", Source: "une « source »\n\"citée\" \\", Rules: "r", Note: "reconstruction"}
		got, faults := Parse("game.toml", Write(f))
		if len(faults) > 0 {
			t.Fatalf("%v\n%s", faults, Write(f))
		}
		if diff := cmp.Diff(g.Table, got.Game.Table); diff != "" || got.Game.Title != g.Title ||
			got.Game.Price != g.Price || got.Game.Block != g.Block || got.Game.Kind != g.Kind {
			t.Errorf("%+v\n%s", got.Game, diff)
		}
		if got.Publisher != f.Publisher || got.Source != f.Source || got.Rules != f.Rules || got.Note != f.Note {
			t.Errorf("the texts are %+v", got)
		}
	})
}
