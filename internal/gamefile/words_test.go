package gamefile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/regs/regstest"
)

// wordGame is a sound word game: line 4 is its weights, 5 to 7 its prize, 8 to 17 its board.
const wordGame = `title = "Mots"
block = 100
price = 2
kind = "words"
symbols = [6, 3, 1]
[[prizes]]
count = 4
amount = 4
[[boards]]
rows = [
  "FROMAGE",
  "I.....C",
  "G..MIEL",
  "U.....A",
  "EPI...I",
  "......R",
  ".......",
]
`

func TestArt4_WordGameFile(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "instant:4.2")
	f, faults := Parse("g.toml", []byte(wordGame))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	g := f.Game
	if g.Kind != instant.Words || g.Words.Symbols != (words.Weights{6, 3, 1}) || len(g.Words.Boards) != 1 ||
		g.Words.Boards[0].Word(6).Text != "ECLAIR" {
		t.Errorf("%+v", g)
	}
	again, faults := Parse("g.toml", Write(f))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if again.Game.WordsText() != g.WordsText() || again.Game.TableText() != g.TableText() || g.WordsText() == "" {
		t.Errorf("written and read again it is %q", again.Game.WordsText())
	}
}

func TestArt4_WordGameFileFaults(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "instant:4.2", "instant:4.5", "instant:4.6")
	cut := wordGame[strings.Index(wordGame, "[[boards]]"):]
	for _, tc := range []struct {
		name, old, new string
		want           []string
	}{
		{"an amount that no word wins", "amount = 4", "amount = 5", []string{"8:amount_not_reachable"}},
		{"four times 2 euros", "amount = 4", "amount = 8", []string{"8:amount_not_reachable"}},
		{"twice 1500 euros", "amount = 4", "amount = 3000", []string{"8:amount_not_reachable"}},
		{"three times 150 euros", "amount = 4", "amount = 450", []string{"8:amount_not_reachable"}},
		{"an amount twice", "[[boards]]", "[[prizes]]\ncount=1\namount=4\n[[boards]]", []string{"11:amount_twice"}},
		{"no symbols", "symbols = [6, 3, 1]\n", "", []string{"1:missing_key"}},
		{"two weights", "[6, 3, 1]", "[6, 3]", []string{"5:not_weights"}},
		{"a weight that is text", "[6, 3, 1]", `[6, 3, "1"]`, []string{"5:not_weights"}},
		{"a negative weight", "[6, 3, 1]", "[6, 3, -1]", []string{"5:weight_out_of_range"}},
		{"a weight too large", "[6, 3, 1]", "[6, 3, 1000001]", []string{"5:weight_out_of_range"}},
		{"no weight for none", "[6, 3, 1]", "[0, 3, 1]", []string{"5:weight_of_none"}},
		{"no weight for one, which a prize needs", "[6, 3, 1]", "[6, 0, 1]", []string{"5:weight_of_one"}},
		{"no boards", cut, "", []string{"1:missing_key"}},
		{"boards is a number", wordGame[strings.Index(wordGame, "[[prizes]]"):],
			"boards = 3\n[[prizes]]\ncount = 4\namount = 4\n", []string{"6:not_boards"}},
		{"no rows", "rows", "row", []string{"9:missing_key", "10:unknown_key"}},
		{"six rows", "  \".......\",\n", "", []string{"10:not_rows"}},
		{"a row that is a number", `"......."`, "7", []string{"10:not_rows"}},
		{"a row too short", `"......."`, `"......"`, []string{"17:board_size"}},
		{"a letter twice", "MIEL", "MEEL", []string{"13:letter_twice"}},
		{"two letters that touch", `"......."`, `"....AB."`, []string{"17:accidental_word"}},
		{"a board twice", "title", cut + "x", nil},
		{"a key of a board too many", "[[boards]]", "[[boards]]\nname = \"x\"", []string{"10:unknown_key"}},
		{"another kind", `"words"`, `"three-alike"`, []string{"5:key_of_another_kind", "6:too_few_amounts", "9:key_of_another_kind"}},
	} {
		text := strings.Replace(wordGame, tc.old, tc.new, 1)
		if tc.want == nil {
			text, tc.want = wordGame+cut, []string{"19:board_twice"}
		}
		_, faults := Parse("g.toml", []byte(text))
		var got []string
		for _, f := range brief(faults) {
			got = append(got, strings.TrimPrefix(f, "g.toml:"))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
	if _, faults := Parse("g.toml", []byte(strings.Replace(strings.Replace(wordGame, "amount = 4", "amount = 2", 1),
		"[6, 3, 1]", "[6, 0, 0]", 1))); len(faults) > 0 {
		t.Errorf("a game without symbols is refused: %v", faults)
	}
}
