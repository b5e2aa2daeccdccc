//go:build !race

package app_test

import (
	"errors"
	"testing"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/gamefile"
	"boulier/internal/games"
	"boulier/internal/pgtest"
	"boulier/internal/store"
	"boulier/player"
	"boulier/regs/regstest"
)

// gameOnSale puts a game that comes with the program on sale, with one block.
func gameOnSale(t *testing.T, h *apptest.House, name string) (gamefile.File, player.ID, instant.IssueID) {
	t.Helper()
	file, text, err := games.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	manager := h.Staff("chef", app.Manager)
	return file, manager, h.OnSale(manager, string(text))
}

// closeAndVerify closes the issue and checks its only block in every way there is. It
// returns how many units of each outcome were sold, losers first.
func closeAndVerify(t *testing.T, h *apptest.House, manager player.ID, issue instant.IssueID) [instant.MaxLines + 1]uint32 {
	t.Helper()
	order := app.IssueOrder{Request: app.NewRequestID(), By: manager, Issue: issue}
	if err := h.Instant.CloseIssue(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	h.Sound()
	if err := apptest.VerifyBlock(t.Context(), h.Instant, 1); err != nil {
		t.Error(err)
	}
	given, err := apptest.Given(t.Context(), h.Instant, 1)
	if err != nil {
		t.Fatal(err)
	}
	return given
}

// TestArt3_AWholeBlockGivesItsTableHeavy sells « Patience », 750 000 units, to the last
// one: each prize of the table is given as often as the table says.
func TestArt3_AWholeBlockGivesItsTableHeavy(t *testing.T) {
	regstest.Covers(t, "instant:2", "instant:3", "house:1", "house:3", "house:5", "house:6")
	h := apptest.New(t)
	file, manager, issue := gameOnSale(t, h, "patience")
	crowd := h.Crowd(1000, int64(file.Game.Price)*file.Game.Block)
	if err := h.SellAtOnce(crowd, issue, int(file.Game.Block), func(int, app.Sold) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := buy(h, crowd[0], issue); !errors.Is(err, app.ErrNotOnSale) {
		t.Errorf("one unit more than the block holds: %v", err)
	}
	given := closeAndVerify(t, h, manager, issue)
	if int64(given[0]) != file.Game.Losers() {
		t.Errorf("%d units have lost, want %d", given[0], file.Game.Losers())
	}
	for k, prize := range file.Game.Table {
		if int64(given[k+1]) != prize.Count {
			t.Errorf("the prize of %s EUR was given %d times, want %d", prize.Amount, given[k+1], prize.Count)
		}
	}
}

// TestArt3_AStartedBlockStaysWithinItsTableHeavy sells the first 50 000 units of « Deux
// fois », at half a euro, on each engine: no prize is given more often than the table says.
func TestArt3_AStartedBlockStaysWithinItsTableHeavy(t *testing.T) {
	regstest.Covers(t, "instant:3", "house:1", "house:3", "house:5", "house:6")
	const units = 50_000
	for _, engine := range []struct {
		name   string
		config func(t *testing.T) store.Config
	}{
		{"SQLite", func(t *testing.T) store.Config { return store.Config{Folder: t.TempDir()} }},
		{"PostgreSQL", func(t *testing.T) store.Config { return store.Config{URL: pgtest.New(t, apptest.Migrate)} }},
	} {
		t.Run(engine.name, func(t *testing.T) {
			h := apptest.On(t, engine.config(t))
			file, manager, issue := gameOnSale(t, h, "deux-fois")
			crowd := h.Crowd(512, int64(file.Game.Price)*units)
			if err := h.SellAtOnce(crowd, issue, units, func(int, app.Sold) {}); err != nil {
				t.Fatal(err)
			}
			given := closeAndVerify(t, h, manager, issue)
			sold := given[0]
			if int64(given[0]) > file.Game.Losers() {
				t.Errorf("%d units have lost, the table has %d", given[0], file.Game.Losers())
			}
			for k, prize := range file.Game.Table {
				sold += given[k+1]
				if int64(given[k+1]) > prize.Count {
					t.Errorf("the prize of %s EUR was given %d times, the table has %d", prize.Amount, given[k+1],
						prize.Count)
				}
			}
			if sold != units {
				t.Errorf("%d units are sold, want %d", sold, units)
			}
		})
	}
}
