package face

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/internal/games"
	"boulier/regs/regstest"
)

var update = flag.Bool("update", false, "write testdata again; read the diff")

func game(t testing.TB, name string) instant.Game {
	t.Helper()
	f, _, err := games.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return f.Game
}

func unit(i, outcome int) draw.Unit {
	return draw.Unit{Index: i, Outcome: uint16(outcome), Seed: sha256.Sum256(fmt.Appendf(nil, "unit %d", i))}
}

// TestVectors_Words holds the public vectors of faces of the word game, for ever.
func TestVectors_Words(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2", "instant:4.3", "std:28")
	g := game(t, "mots-croises")
	m, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# The text of boards and weights, and its digest:\n%s%x\n# Racks of each board "+
		"by the letters of the word completed, 0 first, then 3 to 7:\n", g.WordsText(), g.WordsDigest())
	for _, b := range m.boards {
		fmt.Fprint(&text, b.Racks(words.Outcome{}))
		for n := 3; n <= 7; n++ {
			fmt.Fprint(&text, " ", b.Racks(words.Outcome{Letters: n, Factor: 1}))
		}
		fmt.Fprintln(&text)
	}
	text.WriteString("# Faces: amount won in cents, seed, board, rack, symbols as cell:factor.\n")
	for i := range 132 {
		outcome, board := i%11, i%12+1
		u := unit(i, outcome)
		s, err := m.Make(u, board)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%d %x %d %s", m.outcomes[outcome].Amount(), u.Seed, board, s.Words.Rack)
		for _, p := range s.Words.Symbols {
			fmt.Fprintf(&text, " %d:%d", p.Cell, p.Factor)
		}
		fmt.Fprintln(&text)
	}
	const path = "testdata/words.txt"
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// TestArt4_5_EveryFaceShowsWhatWasSold makes thousands of faces of each outcome on each
// board: the evaluator finds in each the prize that was sold, whichever board it is (I3).
func TestArt4_5_EveryFaceShowsWhatWasSold(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2", "instant:4.3", "instant:4.5", "instant:4.6")
	m, err := New(game(t, "mots-croises"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 11_000 {
		if err := m.Check(unit(i, i%11)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMake_RefusesAFaceThatShowsAnotherPrize holds that the evaluator decides.
func TestMake_RefusesAFaceThatShowsAnotherPrize(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "instant:4.5")
	for _, name := range []string{"mots-croises", "six-cases"} {
		m, err := New(game(t, name))
		if err != nil {
			t.Fatal(err)
		}
		board := min(len(m.boards), 1)
		if _, err := m.Make(unit(0, 3), board); err != nil {
			t.Fatal(err)
		}
		m.game.Table = append(instant.Table(nil), m.game.Table...)
		m.game.Table[2].Amount, m.game.Table[3].Amount = m.game.Table[3].Amount, m.game.Table[2].Amount
		if _, err := m.Make(unit(0, 3), board); err == nil {
			t.Errorf("%s: a face that shows another line was shown", name)
		}
		if m.Check(unit(0, 3)) == nil {
			t.Errorf("%s: the audit let a face pass that shows another line", name)
		}
		if _, err := m.Make(unit(0, 99), board); err == nil {
			t.Errorf("%s: a face of no outcome was made", name)
		}
		for _, other := range []int{-1, 1 - board, 99} {
			if _, err := m.Make(unit(0, 0), other); err == nil {
				t.Errorf("%s: a face on board %d was made", name, other)
			}
		}
	}
	if _, err := New(instant.Game{Kind: "cards"}); err == nil {
		t.Error("faces of an unknown kind were prepared")
	}
}

func BenchmarkWordFace(b *testing.B) {
	m, err := New(game(b, "mots-croises"))
	if err != nil {
		b.Fatal(err)
	}
	key := draw.NewFaceKey(draw.Seed{1})
	for i := 0; b.Loop(); i++ {
		if _, err := m.make(key, uint16(i%11), i%12+1); err != nil {
			b.Fatal(err)
		}
	}
}
