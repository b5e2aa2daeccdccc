package proof

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/internal/face"
	"boulier/money"
)

// WordRules are the boards of a word game and the weights of its symbols, as a unit's file
// holds them.
type WordRules struct {
	Symbols words.Weights `json:"symbols"`
	Boards  []words.Grid  `json:"boards"`
}

// RulesOf returns the word rules of a game, nil if it is of another kind.
func RulesOf(g instant.Game) *WordRules {
	if g.Kind != instant.Words {
		return nil
	}
	r := &WordRules{Symbols: g.Words.Symbols}
	for _, b := range g.Words.Boards {
		r.Boards = append(r.Boards, b.Grid())
	}
	return r
}

// A WordFace is what a unit of a word game shows on its board.
type WordFace struct {
	Board   int          `json:"board"` // from 1
	Rack    string       `json:"rack"`  // seven capitals, in the order of the alphabet
	Symbols []WordSymbol `json:"symbols"`
}

// A WordSymbol is a multiplier and its square, 7 × row + column.
type WordSymbol struct {
	Cell   int `json:"cell"`
	Factor int `json:"factor"`
}

// Show sets the face of a unit: the six amounts, or rack and symbols on a board.
func (u *UnitFace) Show(kind instant.Kind, s face.Shown, board int) {
	if kind != instant.Words {
		u.Face = s.Alike[:]
		return
	}
	u.Words = &WordFace{board, string(s.Words.Rack[:]), []WordSymbol{}}
	for _, m := range s.Words.Symbols {
		u.Words.Symbols = append(u.Words.Symbols, WordSymbol{m.Cell, m.Factor})
	}
}

// equal reports whether two faces are the same to the byte.
func (u UnitFace) equal(v UnitFace) bool {
	if (u.Words == nil) != (v.Words == nil) || !slices.Equal(u.Face, v.Face) {
		return false
	}
	return u.Words == nil || u.Words.Board == v.Words.Board && u.Words.Rack == v.Words.Rack &&
		(u.Words.Symbols == nil) == (v.Words.Symbols == nil) && slices.Equal(u.Words.Symbols, v.Words.Symbols)
}

// shows says what a face is, for people.
func (u UnitFace) shows() string {
	if u.Words == nil {
		return amounts(u.Face)
	}
	text := fmt.Sprintf("the letters %s on board %d", u.Words.Rack, u.Words.Board)
	for _, m := range u.Words.Symbols {
		text += fmt.Sprintf(", × %d in row %d, column %d", m.Factor, m.Cell/words.Side+1, m.Cell%words.Side+1)
	}
	return text
}

// board returns the board of a face, 0 if it has none.
func (u UnitFace) board() int {
	if u.Words == nil {
		return 0
	}
	return u.Words.Board
}

// ErrBoards refuses boards or weights that are not those of the block.
var ErrBoards = errors.New("the boards are not those whose digest the block was opened with")

// checkWords adds the word rules to the game, which must be those of the header; a game of
// another kind has none.
func (h Header) checkWords(g *instant.Game, r *WordRules) error {
	if r != nil && g.Kind == instant.Words {
		if len(r.Boards) > instant.MaxBoards {
			return fmt.Errorf("a game of %d boards", len(r.Boards))
		}
		g.Words.Symbols = r.Symbols
		for i, grid := range r.Boards {
			b, faults := words.ParseBoard(grid)
			if len(faults) > 0 {
				return fmt.Errorf("board %d: %s", i+1, faults[0].Text)
			}
			g.Words.Boards = append(g.Words.Boards, b)
		}
	}
	if (r != nil) != (g.Kind == instant.Words) || g.WordsDigest() != h.Boards {
		return ErrBoards
	}
	for _, w := range g.Words.Symbols {
		if w < 0 || w > instant.MaxWeight {
			return fmt.Errorf("a weight of %d", w)
		}
	}
	return nil
}

// faceOf draws again the face of a unit on a board, from its seed and outcome, and has the
// evaluator read it.
func faceOf(g instant.Game, u draw.Unit, board int) (f UnitFace, err error) {
	maker, err := face.New(g)
	if err != nil {
		return f, err
	}
	shown, err := maker.Make(u, board)
	if err != nil {
		return f, err
	}
	f.Show(g.Kind, shown, board)
	return f, nil
}

// amounts shows six amounts.
func amounts(face []money.Cents) string {
	words := make([]string, len(face))
	for i, c := range face {
		words[i] = c.String()
	}
	return strings.Join(words, " ")
}

// prizeOf returns what an outcome wins.
func prizeOf(g instant.Game, outcome uint16) (money.Cents, error) {
	switch {
	case outcome == 0:
		return 0, nil
	case int(outcome) <= len(g.Table):
		return g.Table[outcome-1].Amount, nil
	}
	return 0, fmt.Errorf("outcome %d of a table of %d rows", outcome, len(g.Table))
}
