// Package face makes the face of a unit, whatever the kind of its game, and has each one
// read by the evaluator, which shares no function with the maker: a face that does not show
// what the unit wins is an error, never shown.
package face

import (
	"fmt"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/game/instant/wordcheck"
	"boulier/game/instant/words"
	"boulier/money"
)

// A Shown is what a unit shows; of another kind than its game's, it is zero.
type Shown struct {
	Alike instant.Face // kind three-alike
	Words words.Face   // kind words
}

// A Maker makes the faces of a game. It never changes and may be shared.
type Maker struct {
	game  instant.Game
	alike *instant.FaceMaker
	// Of a word game: the maker and the reader of each board, and what each line of the
	// table wins.
	boards   []*words.Maker
	readers  []*wordcheck.Board
	outcomes []words.Outcome
}

// New prepares the faces of a game that has passed Check.
func New(g instant.Game) (m *Maker, err error) {
	m = &Maker{game: g}
	switch g.Kind {
	case instant.ThreeAlike:
		m.alike, err = instant.NewFaceMaker(g.Table)
		return m, err
	case instant.Words:
		return m, m.prepareWords()
	}
	return nil, fmt.Errorf("faces of kind %q are not known here: use a newer program", g.Kind)
}

func (m *Maker) prepareWords() error {
	m.outcomes = make([]words.Outcome, 1, len(m.game.Table)+1)
	for _, p := range m.game.Table {
		o, ok := words.OutcomeOf(p.Amount)
		if !ok {
			return fmt.Errorf("face: no word wins %s EUR", p.Amount)
		}
		m.outcomes = append(m.outcomes, o)
	}
	for i, b := range m.game.Words.Boards {
		reader, err := wordcheck.Read(b.Grid())
		if err != nil {
			return fmt.Errorf("face: board %d: %w", i+1, err)
		}
		m.boards = append(m.boards, words.NewMaker(b, m.game.Words.Symbols))
		m.readers = append(m.readers, reader)
	}
	return nil
}

// Make returns the face of a unit: a fixed function of its outcome, its seed and the board
// on which it is played (reading I3), counted from 1, or 0 where the game has none.
func (m *Maker) Make(u draw.Unit, board int) (Shown, error) {
	return m.make(draw.NewFaceKey(u.Seed), u.Outcome, board)
}

// Check makes the face of a unit on every board.
func (m *Maker) Check(u draw.Unit) error {
	key := draw.NewFaceKey(u.Seed)
	if m.alike != nil {
		_, err := m.make(key, u.Outcome, 0)
		return err
	}
	for board := range m.boards {
		if _, err := m.make(key, u.Outcome, board+1); err != nil {
			return fmt.Errorf("on board %d: %w", board+1, err)
		}
	}
	return nil
}

func (m *Maker) make(key draw.FaceKey, outcome uint16, board int) (s Shown, err error) {
	if int(outcome) > len(m.game.Table) {
		return s, fmt.Errorf("outcome %d of a table of %d lines", outcome, len(m.game.Table))
	}
	if board < 0 || board > len(m.boards) || (board == 0) != (m.alike != nil) {
		return s, fmt.Errorf("board %d of a game of %d boards", board, len(m.boards))
	}
	var shown, want money.Cents
	if outcome > 0 {
		want = m.game.Table[outcome-1].Amount
	}
	if m.alike != nil {
		s.Alike, shown, err = m.makeAlike(key, instant.Outcome(outcome))
	} else {
		s.Words, shown, err = m.makeWords(key, outcome, board)
	}
	if err == nil && shown != want {
		err = fmt.Errorf("it shows a prize of %s EUR and wins %s EUR", shown, want)
	}
	return s, err
}

// makeAlike makes a face of six amounts and returns what the evaluator reads in it.
func (m *Maker) makeAlike(key draw.FaceKey, o instant.Outcome) (f instant.Face, won money.Cents, err error) {
	if f, err = m.alike.Make(o, key.Source(0)); err != nil {
		return f, 0, err
	}
	read, err := instant.Evaluate(m.game.Table, f)
	if err == nil && read > 0 {
		won = m.game.Table[read-1].Amount
	}
	return f, won, err
}

// makeWords makes a face on a board and returns what the evaluator reads in it.
func (m *Maker) makeWords(key draw.FaceKey, outcome uint16, board int) (f words.Face, won money.Cents, err error) {
	if f, err = m.boards[board-1].Make(m.outcomes[outcome], key.Source(board)); err != nil {
		return f, 0, err
	}
	var space [2]wordcheck.Symbol
	symbols := space[:0]
	for _, s := range f.Symbols {
		symbols = append(symbols, wordcheck.Symbol{
			Row: s.Cell / words.Side, Col: s.Cell % words.Side, Factor: s.Factor})
	}
	read, err := m.readers[board-1].Judge(f.Rack[:], symbols)
	return f, read.Prize, err
}
