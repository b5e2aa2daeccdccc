package instant

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"boulier/game/instant/words"
)

// Limits of a word game.
const (
	MaxBoards = 64        // boards of a game
	MaxWeight = 1_000_000 // of a number of symbols
)

// checkWords finds amounts that no word wins (instant:4.5, instant:4.6), boards that are
// missing, too many or there twice, and weights that leave a face without any number of
// symbols that it may have: a multiplied prize needs one, every other may need none.
func (g Game) checkWords(fs *faults) {
	g.checkAmounts(fs)
	multiplied := false
	for i, p := range g.Table {
		o, ok := words.OutcomeOf(p.Amount)
		if !ok && p.Amount > 0 {
			fs.add("amount_not_reachable", i+1, "amount",
				"no word wins %s EUR: a word of 3 letters wins 2.00, of 4 12.00, of 5 150.00, of 6 "+
					"1500.00, of 7 15000.00, one of 3 to 5 letters also twice that, one of 3 or 4 three times",
				p.Amount)
		}
		multiplied = multiplied || o.Factor > 1
	}
	for n, w := range g.Words.Symbols {
		if w < 0 || w > MaxWeight {
			fs.add("weight_out_of_range", 0, "symbols",
				"the weight of %d symbols is %d: give 0 to %d", n, w, MaxWeight)
		}
	}
	if g.Words.Symbols[0] == 0 {
		fs.add("weight_of_none", 0, "symbols",
			"the weight of no symbol is 0, and some faces can have none: give at least 1")
	}
	if g.Words.Symbols[1] == 0 && multiplied {
		fs.add("weight_of_one", 0, "symbols",
			"the weight of one symbol is 0, and a multiplied prize may need it: give at least 1")
	}
	switch n := len(g.Words.Boards); {
	case n == 0:
		fs.add("no_boards", 0, "boards", "the game has no board: add at least one")
	case n > MaxBoards:
		fs.add("too_many_boards", 0, "boards", "the game has %d boards: keep at most %d", n, MaxBoards)
	}
	first := map[words.Grid]int{}
	for i, b := range g.Words.Boards {
		if j, seen := first[b.Grid()]; seen {
			fs.add("board_twice", i+1, "boards", "this is also board %d: remove one", j)
			continue
		}
		first[b.Grid()] = i + 1
	}
}

// WordsText is the canonical text of what the faces of a word game depend on besides its
// table: the weights of 0, 1 and 2 symbols and the boards in their order, in ASCII lines,
// each ended by a line feed. It is empty for games of another kind.
//
//	boulier/instant/words/v1
//	symbols 60 30 10
//	board
//	.J.....
//	…
func (g Game) WordsText() string {
	if g.Kind != Words {
		return ""
	}
	var b strings.Builder
	w := g.Words.Symbols
	fmt.Fprintf(&b, "boulier/instant/words/v1\nsymbols %d %d %d\n", w[0], w[1], w[2])
	for _, board := range g.Words.Boards {
		b.WriteString("board\n")
		for _, row := range board.Grid() {
			b.WriteString(row + "\n")
		}
	}
	return b.String()
}

// WordsDigest is the SHA-256 of WordsText, zero for games of another kind.
func (g Game) WordsDigest() (digest [32]byte) {
	if g.Kind == Words {
		digest = sha256.Sum256([]byte(g.WordsText()))
	}
	return digest
}
