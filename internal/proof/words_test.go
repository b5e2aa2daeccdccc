package proof

import (
	"fmt"
	"strings"
	"testing"

	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/money"
	"boulier/regs/regstest"
)

// wordShop sells units of a word game, unit i on board i % 2 + 1. The change is made before
// the header is recorded.
func wordShop(t testing.TB, change func(s *shop)) *shop {
	t.Helper()
	return newShop(t, func(s *shop) {
		s.game.Kind, s.header.Kind = instant.Words, instant.Words
		s.table = []Prize{{1, 15000}, {2, 600}, {3, 400}}
		s.game.Table = nil
		for _, p := range s.table {
			s.game.Table = append(s.game.Table, instant.Prize{Count: p.Count, Amount: p.Amount})
		}
		s.game.Words = words.Rules{Symbols: words.Weights{6, 3, 1}}
		for _, grid := range []words.Grid{
			{"FROMAGE", "I.....C", "G..MIEL", "U.....A", "EPI...I", "......R", "......."},
			{".......", "PORT..F", ".C....O", ".E..L.U", "TAMBOUR", ".N..T.M", "......I"},
		} {
			b, faults := words.ParseBoard(grid)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			s.game.Words.Boards = append(s.game.Words.Boards, b)
		}
		s.header.Table, s.header.Boards = s.game.TableDigest(), s.game.WordsDigest()
		block, err := s.header.Draw([]int{6, 1, 2, 3}, s.secret)
		if err != nil {
			t.Fatal(err)
		}
		s.block = block
		s.header.Root = Hash(block.Tree().Root())
		if change != nil {
			change(s)
		}
	})
}

// wordFiles returns the exports of the shop of the word game by name, as testdata holds
// them: a unit that wins with a symbol, and the block.
func wordFiles(t testing.TB) map[string][]byte {
	t.Helper()
	s := wordShop(t, nil)
	b, sales := s.closed()
	for i := range sales {
		u := s.unit(i)
		if u.Unit.Outcome == 2 && len(u.Unit.Words.Symbols) > 0 { // 6.00: three letters, times three
			return map[string][]byte{"words-unit.json": unitText(t, u), "words-block.jsonl": blockText(t, b, sales)}
		}
	}
	t.Fatal("no unit sold wins three times three letters")
	return nil
}

func TestArt4_VerifyWordUnit(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "instant:4.1", "instant:4.2", "std:37")
	s := wordShop(t, nil)
	for i := range 7 {
		holds(t, unitText(t, s.unit(i)), Options{}, fmt.Sprintf("on board %d", i%2+1))
	}
	b, sales := s.closed()
	holds(t, blockText(t, b, sales), Options{}, "7 units were sold")
	for _, tc := range []struct {
		board int
		words string
	}{
		{3 - sales[2].Board, "f: the sales are not those"}, {0, "f:4: a sale on board 0"}, {instant.MaxBoards + 1, "f:4: a sale on board 65"},
	} {
		sales[2].Board = tc.board
		refused(t, fmt.Sprintf("board %d", tc.board), blockText(t, b, sales), Options{}, tc.words)
	}
}

func TestVerifyWordUnit_Refusals(t *testing.T) {
	t.Parallel()
	s := wordShop(t, nil)
	for _, tc := range []struct {
		name   string
		change func(u *Unit)
		words  string
	}{
		{"another rack", func(u *Unit) { u.Unit.Words.Rack = "ABCDEFG" }, "face: its seed gives"},
		{"a symbol more", func(u *Unit) {
			u.Unit.Words.Symbols = append(u.Unit.Words.Symbols, WordSymbol{3, 2})
		}, "face: its seed gives"},
		{"another board", func(u *Unit) { u.Unit.Words.Board = 1 }, "face: its seed gives"},
		{"a board that is none", func(u *Unit) { u.Unit.Words.Board = 3 }, "board 3 of a game of 2"},
		{"no board", func(u *Unit) { u.Unit.Words.Board = 0 }, "board 0 of a game of 2"},
		{"amounts too", func(u *Unit) { u.Unit.Face = []money.Cents{1} }, "face: its seed gives"},
		{"amounts alone", func(u *Unit) { u.Unit.Words, u.Unit.Face = nil, []money.Cents{1} }, "board 0 of a game of 2"},
		{"no boards", func(u *Unit) { u.Words = nil }, "the boards are not those"},
		{"a board less", func(u *Unit) { u.Words.Boards = u.Words.Boards[:1] }, "the boards are not those"},
		{"boards exchanged", func(u *Unit) {
			u.Words.Boards[0], u.Words.Boards[1] = u.Words.Boards[1], u.Words.Boards[0]
		}, "the boards are not those"},
		{"other weights", func(u *Unit) { u.Words.Symbols[0]++ }, "the boards are not those"},
		{"a spoilt board", func(u *Unit) { u.Words.Boards[0][0] = "FROMAGEX" }, "board 1: the row has 8"},
		{"too many boards", func(u *Unit) {
			u.Words.Boards = make([]words.Grid, instant.MaxBoards+1)
		}, "a game of 65 boards"},
		{"the sale of another board", func(u *Unit) {
			u.Sale.Payload = strings.Replace(u.Sale.Payload, `"board":2`, `"board":1`, 1)
		}, "is not the one of its leaf"},
	} {
		u := s.unit(3)
		tc.change(&u)
		refused(t, tc.name, unitText(t, u), Options{}, tc.words)
	}
	bare := wordShop(t, func(s *shop) { s.header.Boards = Hash{} })
	refused(t, "no boards in the header", unitText(t, bare.unit(3)), Options{}, "a digest of boards is of word games")
	odd := wordShop(t, func(s *shop) {
		s.game.Words.Symbols[2] = -1
		s.header.Boards = s.game.WordsDigest()
		block, err := s.header.Draw([]int{6, 1, 2, 3}, s.secret)
		if err != nil {
			t.Fatal(err)
		}
		s.block, s.header.Root = block, Hash(block.Tree().Root())
	})
	unit := odd.block.Unit(3)
	path, err := odd.block.Tree().Prove(3, odd.block.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	shown := UnitFace{Index: 3, Outcome: unit.Outcome, Seed: Hash(unit.Seed), Proof: Path(path),
		Words: &WordFace{2, "ABCDEFG", []WordSymbol{}}}
	refused(t, "a negative weight", unitText(t, odd.export(3, shown)), Options{}, "a weight of -1")
}
