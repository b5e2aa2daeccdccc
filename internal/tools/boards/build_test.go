package main

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"boulier/game/instant/words"
)

// TestBuilder_FindsSoundBoards builds boards of the chosen words: each is without fault, and
// no word stands on two.
func TestBuilder_FindsSoundBoards(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("chosen.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, word := range strings.Fields(line) {
			list = append(list, fold(word))
		}
	}
	b := newBuilder(list, rand.New(rand.NewPCG(7, 0)))
	seen := map[string]bool{}
	for range 4 {
		grid, ok := b.board()
		if !ok {
			t.Fatal("no board was found")
		}
		board, faults := words.ParseBoard(grid)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		for _, w := range board.Words() {
			if seen[w.Text] {
				t.Errorf("%s stands on two boards", w.Text)
			}
			seen[w.Text] = true
		}
	}
	if _, ok := newBuilder([]string{"FROMAGE", "MIEL"}, rand.New(rand.NewPCG(1, 0))).board(); ok {
		t.Error("a board was built of two words")
	}
	if got := fold("éçœàô"); got != "ECOEAO" {
		t.Errorf("folded to %s", got)
	}
}
