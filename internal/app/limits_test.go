package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/player"
	"boulier/regs/regstest"
)

// TestStd9_ASaleKeepsWithinThePlayersCap buys up to a cap and excludes the player.
func TestStd9_ASaleKeepsWithinThePlayersCap(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:9", "std:10")
	ctx := context.Background()
	h := apptest.New(t)
	issue := h.OnSale(h.Staff("chef", app.Manager), apptest.SmallGame)
	anne := h.Player("anne", 2000)
	change := func(c app.LimitChange) {
		t.Helper()
		c.Request, c.Player = app.NewRequestID(), anne
		if err := h.Instant.ChangeLimits(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	change(app.LimitChange{Caps: player.Caps{Stakes: 400}})
	for n, want := range []error{nil, nil, app.ErrStakeCap} {
		if _, err := buy(h, anne, issue); !errors.Is(err, want) {
			t.Errorf("purchase %d: %v, want %v", n+1, err, want)
		}
	}
	change(app.LimitChange{Caps: player.Caps{}})
	if _, err := buy(h, anne, issue); !errors.Is(err, app.ErrStakeCap) {
		t.Errorf("taking the cap away held at once: %v", err)
	}
	h.Clock.Move(48 * time.Hour)
	if _, err := buy(h, anne, issue); err != nil {
		t.Errorf("after 48 hours: %v", err)
	}
	change(app.LimitChange{Exclude: 24 * time.Hour})
	before, _ := h.Instant.Purse(ctx, anne)
	if _, err := buy(h, anne, issue); !errors.Is(err, app.ErrExcluded) {
		t.Errorf("excluded: %v", err)
	}
	if after, _ := h.Instant.Purse(ctx, anne); after.Shown != before.Shown {
		t.Errorf("a refused stake moved %d", before.Shown-after.Shown)
	}
}
