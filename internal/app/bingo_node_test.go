package app_test

import (
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/pgtest"
	"boulier/internal/store"
	"boulier/regs/regstest"
)

// TestHouse6_ADayIsRunByOneNode opens two nodes on one PostgreSQL: the one that has begun the
// day runs it, the other stands by, and takes over when the first has been silent.
func TestHouse6_ADayIsRunByOneNode(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:6")
	dsn := pgtest.New(t, apptest.Migrate)
	h := newBingoHallOn(t, store.Config{URL: dsn, Node: 1}, 1)
	ctx := t.Context()
	other, err := store.Open(ctx, store.Config{URL: dsn, Node: 2, Now: h.Now, Entropy: app.RandomBytes})
	h.ok(err)
	t.Cleanup(func() { other.Close() })
	ground := &app.Ground{Store: other, Now: h.Now, Entropy: app.RandomBytes, Sealer: h.Vault, Journal: other,
		Zone: h.Zone, Version: "test", Log: h.Log}
	two := app.NewBingo(ground, app.NewCards(ground))
	phase := func(want bingo.Phase, when string) {
		t.Helper()
		if r, _, err := h.Bingo.Round(ctx, 1); err != nil || r.Phase != want {
			t.Errorf("%s the round is %v, %v; want %v", when, r.Phase, err, want)
		}
	}
	h.ok(h.Bingo.Step(ctx))
	phase(bingo.Committed, "after a step of the first node")
	h.ok(two.Step(ctx))
	phase(bingo.Committed, "after a step of the node that stands by")
	h.Clock.Move(6 * time.Second)
	h.ok(two.Step(ctx))
	phase(bingo.Selling, "after the second node took over")
	r, _, err := h.Bingo.Round(ctx, 1)
	h.ok(err)
	for h.Now().Add(2 * time.Second).Before(r.Due()) { // the second node gives signs of life
		h.Clock.Move(2 * time.Second)
		h.ok(two.Step(ctx))
	}
	h.Clock.Move(r.Due().Sub(h.Now()))
	h.ok(h.Bingo.Step(ctx))
	phase(bingo.Selling, "after a step of the node that has lost the day")
	h.ok(two.Step(ctx))
	phase(bingo.Over, "after a step of the node that has it: nobody has bought")
}
