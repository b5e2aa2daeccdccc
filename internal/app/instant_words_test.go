package app_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/gamefile"
	"boulier/internal/games"
	"boulier/internal/proof"
	"boulier/regs/regstest"
)

// smallWordGame is a word game of forty units that holds every outcome.
func smallWordGame() string {
	g := instant.Game{Title: "Petits mots", Kind: instant.Words, Block: 40, Price: 200}
	for _, o := range words.Outcomes() {
		g.Table = append(g.Table, instant.Prize{Count: 1, Amount: o.Amount()})
	}
	g.Words = words.Rules{Symbols: words.Weights{6, 3, 1}, Boards: games.Boards()}
	return string(gamefile.Write(gamefile.File{Game: g}))
}

// TestArt4_1_AUnitIsPlayedOnTheBoardChosen sells a whole block, each unit on another board:
// totals are the table's, and each unit is shown again, and proved, on its own board.
func TestArt4_1_AUnitIsPlayedOnTheBoardChosen(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.1", "instant:4.2", "instant:4.4.interrupted", "instant:4.5", "instant:4.6")
	ctx := context.Background()
	h := apptest.New(t)
	issue := h.OnSale(h.Staff("chef", app.Manager), smallWordGame())
	boards, err := h.Instant.Boards(ctx, issue)
	if err != nil || len(boards) != len(games.Boards()) {
		t.Fatalf("%d boards, %v", len(boards), err)
	}
	anne := h.Player("anne", 8000)
	p := app.Purchase{Player: anne, Issue: issue}
	for _, none := range []int{-1, len(boards) + 1} {
		p.Request, p.Board = app.NewRequestID(), none
		if _, err := h.Instant.BuyUnit(ctx, p); !errors.Is(err, app.ErrBoardUnknown) {
			t.Errorf("board %d: %v", none, err)
		}
	}
	won := map[words.Outcome]int{}
	for n := range 40 {
		p.Request, p.Board = app.NewRequestID(), n%(len(boards)+1) // 0 takes the preset one
		sold, err := h.Instant.BuyUnit(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		view, err := h.Instant.Unit(ctx, anne, sold.Unit)
		if err != nil {
			t.Fatal(err)
		}
		w, want := view.Words, max(p.Board, 1)
		if w == nil || w.Number != want || w.Board.Grid() != boards[want-1].Grid() ||
			w.Completed.Amount() != view.Prize || view.Kind != instant.Words {
			t.Fatalf("unit %v on board %d is shown as %+v", sold.Unit, want, view)
		}
		won[w.Completed]++
		if n%8 == 3 {
			file, err := h.Instant.ExportUnit(ctx, anne, sold.Unit)
			if err != nil {
				t.Fatal(err)
			}
			r, err := proof.Verify("unit.json", strings.NewReader(string(file)), proof.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.Join(r.Lines, " "), string(w.Face.Rack[:])) {
				t.Errorf("the proof says %q", r.Lines)
			}
			other := strings.Replace(string(file), `"rack":"`+string(w.Face.Rack[:]), `"rack":"`+swap(w.Face.Rack), 1)
			if _, err := proof.Verify("unit.json", strings.NewReader(other), proof.Options{}); err == nil {
				t.Error("another rack was proved")
			}
		}
	}
	for _, o := range words.Outcomes() {
		if won[o] != 1 {
			t.Errorf("%v was won %d times", o, won[o])
		}
	}
	history, err := h.Instant.History(ctx, anne, app.Cursor{}, 1)
	if err != nil || len(history) != 1 || history[0].Board != max(39%(len(boards)+1), 1) {
		t.Errorf("history: %+v, %v", history, err)
	}
	h.Sound()
}

// swap returns another rack.
func swap(rack [words.RackSize]byte) string {
	if rack[6] = 'Z'; rack[5] == 'Z' {
		rack[0] = 'A'
	}
	rack[0], rack[1] = rack[1], rack[0]
	return string(rack[:])
}

// TestArt4_1_OtherGamesHaveNoBoards refuses a board where there is none.
func TestArt4_1_OtherGamesHaveNoBoards(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.1")
	ctx := context.Background()
	h := apptest.New(t)
	issue := h.OnSale(h.Staff("chef", app.Manager), apptest.SmallGame)
	p := app.Purchase{Request: app.NewRequestID(), Player: h.Player("anne", 1000), Issue: issue, Board: 1}
	if _, err := h.Instant.BuyUnit(ctx, p); !errors.Is(err, app.ErrBoardUnknown) {
		t.Errorf("a board of a game that has none: %v", err)
	}
	if list, err := h.Instant.Boards(ctx, issue); err != nil || len(list) != 0 {
		t.Errorf("%d boards, %v", len(list), err)
	}
}
