package app_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/ledger"
	"boulier/regs/regstest"
)

// opening imports the small game and opens an issue of so many blocks for an hour; none is
// made yet.
func opening(h *apptest.House, blocks int) app.IssueOpening {
	h.T.Helper()
	boss := h.Staff("chef", app.Manager)
	game, faults, err := h.Instant.ImportGame(h.T.Context(), app.GameImport{Request: app.NewRequestID(), By: boss,
		Name: "g.toml", File: []byte(apptest.SmallGame)})
	if err != nil || len(faults) > 0 {
		h.T.Fatal(err, faults)
	}
	now := h.Now()
	return app.IssueOpening{Request: app.NewRequestID(), By: boss, Game: game, Blocks: blocks,
		Window: instant.Window{Opens: now, Closes: now.Add(time.Hour)}}
}

// ready opens an issue of so many blocks of twelve units, all made.
func ready(h *apptest.House, blocks int) instant.IssueID {
	h.T.Helper()
	issue, err := h.Instant.OpenIssue(h.T.Context(), opening(h, blocks))
	if err != nil {
		h.T.Fatal(err)
	}
	if err := h.Instant.MakeWanted(h.T.Context()); err != nil {
		h.T.Fatal(err)
	}
	return issue
}

// TestArt2_NobodyIsRefusedWhileABlockIsReady lets eight buyers empty eight of ten
// blocks: whoever comes as a block ends gets a unit of the next one (reading I8).
func TestArt2_NobodyIsRefusedWhileABlockIsReady(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2")
	h := apptest.New(t)
	issue := ready(h, 10)
	var buyers sync.WaitGroup
	for n := range 8 {
		id := h.Player(fmt.Sprintf("p%d", n), 24_00)
		buyers.Go(func() {
			for range 12 {
				if _, err := buy(h, id, issue); err != nil {
					t.Error(err)
				}
			}
		})
	}
	buyers.Wait()
	s, _, err := h.Instant.Issue(t.Context(), issue)
	if err != nil || s.Current != 8 || len(s.Past) != 7 || len(s.Ready) != 2 {
		t.Errorf("after 96 sales block %d is on sale, %v have ended, %v are ready: %v", s.Current, s.Past, s.Ready, err)
	}
}

// leaving is a store whose buyer leaves as soon as the house's result has been written.
type leaving struct {
	app.Store
	leave func()
}

func (s leaving) Update(ctx context.Context, keys app.Keys, fn func(app.Tx) error) error {
	err := s.Store.Update(ctx, keys, func(tx app.Tx) error {
		if slices.Contains(keys.Accounts, ledger.Path("house:instant")) {
			s.leave()
		}
		return fn(tx)
	})
	return err
}

// TestArt2_TheNextBlockDoesNotWaitForABuyerWhoLeft has the buyer who finds the block empty
// leave while it is turned over: the next buyer gets the first unit of the next block.
func TestArt2_TheNextBlockDoesNotWaitForABuyerWhoLeft(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2")
	h := apptest.New(t)
	issue := ready(h, 2)
	anne := h.Player("anne", 100_00)
	for range 12 {
		if _, err := buy(h, anne, issue); err != nil {
			t.Fatal(err)
		}
	}
	gone, leave := context.WithCancel(t.Context())
	var ground app.Ground
	ground.Store, ground.Now, ground.Entropy, ground.Sealer = leaving{h.Store, leave}, h.Now, app.RandomBytes, h.Vault
	ground.Journal, ground.Zone, ground.Version, ground.Log = h.Store, h.Zone, "test", h.Log
	_, err := app.NewInstant(&ground).BuyUnit(gone, app.Purchase{Request: app.NewRequestID(), Player: anne, Issue: issue})
	if gone.Err() == nil {
		t.Fatal("the buyer did not leave")
	}
	t.Log("who left is told:", err)
	sold, err := buy(h, anne, issue)
	if err != nil || sold.Unit.Block != 2 {
		t.Errorf("the next buyer: %v, %v", sold, err)
	}
}

// TestArt2_ACrowdOpensABlockOnce starts the program again with a block on sale: of six
// first buyers one has its secret opened, which is an event (house:5).
func TestArt2_ACrowdOpensABlockOnce(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:5")
	h := apptest.New(t)
	issue := ready(h, 1)
	instants := app.NewInstant(h.Ground) // a start of the program
	var buyers sync.WaitGroup
	for n := range 6 {
		id := h.Player(fmt.Sprintf("p%d", n), 2_00)
		buyers.Go(func() {
			if _, err := instants.BuyUnit(t.Context(), app.Purchase{Request: app.NewRequestID(), Player: id, Issue: issue}); err != nil {
				t.Error(err)
			}
		})
	}
	buyers.Wait()
	list, err := h.Store.Stream(t.Context(), "secret/instant/block/1", 0, 100)
	if err != nil || len(list) != 1 {
		t.Errorf("the secret was opened %d times: %v", len(list), err)
	}
}

// TestArt2_NoMoreBlocksThanOrdered presses the button that opens an issue twice: both
// answers have its blocks made, also in two programs.
func TestArt2_NoMoreBlocksThanOrdered(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "std:44")
	h := apptest.New(t)
	order := opening(h, 3)
	var presses sync.WaitGroup
	for _, i := range []*app.Instant{h.Instant, h.Instant, app.NewInstant(h.Ground), app.NewInstant(h.Ground)} {
		presses.Go(func() {
			if _, err := i.OpenIssue(t.Context(), order); err != nil {
				t.Error(err)
			}
			if err := i.MakeWanted(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	presses.Wait()
	s, _, err := h.Instant.Issue(t.Context(), 1)
	if err != nil || s.Current != 1 || len(s.Ready) != 2 {
		t.Errorf("three blocks were ordered; %d is on sale, %v are ready: %v", s.Current, s.Ready, err)
	}
}
