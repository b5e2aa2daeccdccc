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
	"boulier/player"
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

// A hooked store lets something happen before and after a transaction that has a key.
type hooked struct {
	app.Store
	has           func(app.Keys) bool
	before, after func()
}

func (s hooked) Update(ctx context.Context, keys app.Keys, fn func(app.Tx) error) error {
	if !s.has(keys) {
		return s.Store.Update(ctx, keys, fn)
	}
	s.before()
	defer s.after()
	return s.Store.Update(ctx, keys, fn)
}

// with returns another program of the same house, on what the given parts replace.
func with(h *apptest.House, store app.Store, sealer app.Sealer) *app.Instant {
	return app.NewInstant(&app.Ground{Store: store, Now: h.Now, Entropy: app.RandomBytes, Sealer: sealer,
		Journal: h.Store, Zone: h.Zone, Version: "test", Log: h.Log})
}

func nothing() {}

// TestArt2_NobodyIsRefusedWhileABlockIsReady turns a block over for a buyer who leaves in the
// middle; whoever comes right then, on another node, gets the first unit of the next block
// (reading I8).
func TestArt2_NobodyIsRefusedWhileABlockIsReady(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2")
	h := apptest.New(t)
	issue := ready(h, 2)
	anne, boris := h.Player("anne", 100_00), h.Player("boris", 2_00)
	for range 12 {
		if _, err := buy(h, anne, issue); err != nil {
			t.Fatal(err)
		}
	}
	gone, leave := context.WithCancel(t.Context())
	came := 0
	ends := hooked{h.Store, func(k app.Keys) bool { return slices.Contains(k.Accounts, ledger.Path("house:instant")) }, nothing, func() {
		came++
		leave()
		if sold, err := buy(h, boris, issue); err != nil || sold.Unit != (app.UnitRef{Block: 2, Number: 1}) {
			t.Errorf("who came between: %v, %v", sold, err)
		}
	}}
	_, err := with(h, ends, h.Vault).BuyUnit(gone, app.Purchase{Request: app.NewRequestID(), Player: anne, Issue: issue})
	t.Log("who left is told:", err)
	if sold, err := buy(h, anne, issue); err != nil || sold.Unit.Block != 2 || came != 1 {
		t.Errorf("who comes later: %v, %v; the block ended %d times", sold, err, came)
	}
}

// TestArt2_BlocksFollowEachOtherInACrowd lets eight buyers empty eight of ten blocks.
func TestArt2_BlocksFollowEachOtherInACrowd(t *testing.T) {
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

// slow opens secrets so slowly that others come meanwhile.
type slow struct{ app.Sealer }

func (s slow) Unseal(keyID, use, id string, sealed []byte) ([]byte, error) {
	time.Sleep(100 * time.Millisecond)
	return s.Sealer.Unseal(keyID, use, id, sealed)
}

// TestHouse5_ACrowdOpensABlockOnce starts the program again with a block on sale: of six
// first buyers one has its secret opened, which is an event.
func TestHouse5_ACrowdOpensABlockOnce(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:5")
	h := apptest.New(t)
	issue := ready(h, 1)
	instants := with(h, h.Store, slow{h.Vault})
	var crowd []player.ID
	for n := range 6 {
		crowd = append(crowd, h.Player(fmt.Sprintf("p%d", n), 2_00))
	}
	var buyers sync.WaitGroup
	for _, id := range crowd {
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

// TestArt2_NoMoreBlocksThanOrdered presses the button that opens an issue twice: the blocks
// are made by another node just before this one keeps its own.
func TestArt2_NoMoreBlocksThanOrdered(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "std:44")
	h := apptest.New(t)
	order := opening(h, 3)
	for range 2 {
		if issue, err := h.Instant.OpenIssue(t.Context(), order); err != nil || issue != 1 {
			t.Fatal(issue, err)
		}
	}
	var once sync.Once
	commits := hooked{h.Store, func(k app.Keys) bool { return slices.Contains(k.States, "next/instant_block") }, func() {
		once.Do(func() {
			if err := h.Instant.MakeWanted(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}, nothing}
	if err := with(h, commits, h.Vault).MakeWanted(t.Context()); err != nil {
		t.Error(err)
	}
	s, _, err := h.Instant.Issue(t.Context(), 1)
	if err != nil || s.Current != 1 || len(s.Ready) != 2 {
		t.Errorf("three blocks were ordered; %d is on sale, %v are ready: %v", s.Current, s.Ready, err)
	}
}
