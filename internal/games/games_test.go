package games

import (
	"strings"
	"testing"

	"boulier/regs/regstest"
)

// TestArt3_GamesOfTheProgram holds what each game that comes with the program gives a
// block: units, prizes, value in cents.
func TestArt3_GamesOfTheProgram(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	want := map[string][3]int64{
		"coffre":        {1_500_000, 317_770, 94_560_000},
		"deux-fois":     {1_000_000, 239_107, 35_000_000},
		"lumieres":      {1_500_000, 341_529, 315_000_000},
		"mots-croises":  {1_500_000, 404_463, 183_012_000},
		"patience":      {750_000, 217_827, 98_996_000},
		"six-cases":     {1_500_000, 404_463, 183_012_000},
		"tous-ensemble": {1_500_000, 475_524, 540_000_000},
	}
	if got := Names(); len(got) != len(want) {
		t.Errorf("the games are %v", got)
	}
	for name, w := range want {
		f, data, err := Read(name)
		if err != nil {
			t.Error(err)
			continue
		}
		prizes, err := f.Game.Table.Prizes()
		if err != nil {
			t.Fatal(err)
		}
		value, err := f.Game.Table.Value()
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]int64{f.Game.Block, prizes, int64(value)}; got != w {
			t.Errorf("%s gives %v, want %v", name, got, w)
		}
		if f.Game.Declared.Prizes == nil || f.Game.Declared.Value == nil {
			t.Errorf("%s does not declare its totals", name)
		}
		if !strings.Contains(f.Source, "Journal officiel") || len(data) == 0 {
			t.Errorf("%s does not say where its table comes from", name)
		}
		if marked := f.Note == "reconstruction, non officielle"; marked != (name == "six-cases" || name == "mots-croises") {
			t.Errorf("%s is marked as a reconstruction: %t", name, marked)
		}
	}
	if n := len(Boards()); n < 12 {
		t.Errorf("the word game has %d boards", n)
	}
	if _, _, err := Read("none"); err == nil {
		t.Error("a game that does not exist was read")
	}
}
