package app_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/player"
	"boulier/regs/regstest"
)

// TestStd4_DisableOnDemand disables all play, a game, an issue, a player: what is named
// sells nothing, the rest goes on, and what was sold concludes.
func TestStd4_DisableOnDemand(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:4", "std:24", "std:25")
	ctx := context.Background()
	h := apptest.New(t)
	manager, admin := h.Staff("manon", app.Manager), h.Staff("ada", app.Administrator)
	one := h.OnSale(manager, apptest.SmallGame)
	two := h.OnSale(manager, strings.Replace(apptest.SmallGame, "Petit", "Autre", 1))
	anne, bob := h.Player("anne", 10000), h.Player("bob", 10000)
	office := app.NewOffice(h.Ground, h.Vault, nil)
	turn := func(by player.ID, target app.Target, off bool, reason string) error {
		return office.Switch(ctx, app.Switching{Request: app.NewRequestID(), By: by, Target: target,
			Off: off, Reason: reason})
	}
	for _, tc := range []struct {
		target app.Target
		// who may still buy what: anne of issue one, anne of issue two, bob of issue one
		anneOne, anneTwo, bobOne bool
	}{
		{app.All, false, false, false},
		{app.GameTarget(1), false, true, false},
		{app.IssueTarget(two), true, false, true},
		{app.PlayerTarget(anne), false, false, true},
	} {
		sold, err := buy(h, anne, one)
		if err != nil {
			t.Fatal(err)
		}
		if err := turn(admin, tc.target, true, "essai"); err != nil {
			t.Fatal(err)
		}
		for n, try := range []struct {
			got  error
			want bool
		}{
			{second(buy(h, anne, one)), tc.anneOne},
			{second(buy(h, anne, two)), tc.anneTwo},
			{second(buy(h, bob, one)), tc.bobOne},
		} {
			if (try.got == nil) != try.want || try.got != nil && !errors.Is(try.got, app.ErrDisabled) {
				t.Errorf("%s disabled, purchase %d: %v", tc.target, n, try.got)
			}
		}
		if _, err := h.Instant.Unit(ctx, anne, sold.Unit); err != nil {
			t.Errorf("%s disabled, a unit sold before: %v", tc.target, err)
		}
		if err := turn(admin, tc.target, false, "fini"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := buy(h, anne, two); err != nil {
		t.Errorf("everything is enabled again: %v", err)
	}
	facts, err := app.Inspection{Ground: h.Ground}.Facts(ctx, "disabled", 0, 100)
	if err != nil || len(facts) != 8 {
		t.Fatalf("%d events of switching, want 8: %v", len(facts), err)
	}
	if f := facts[0]; f.Kind != "play_disabled" || f.Payload != `{"target":"all","by":2,"reason":"essai"}` {
		t.Errorf("the event says %s %s", f.Kind, f.Payload)
	}
}

func second[T any](_ T, err error) error { return err }

func TestStd4_Refusals(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:4", "std:51")
	h := apptest.New(t)
	admin, manager := h.Staff("ada", app.Administrator), h.Staff("manon", app.Manager)
	anne := h.Player("anne", 0)
	office := app.NewOffice(h.Ground, h.Vault, nil)
	for _, tc := range []struct {
		name   string
		by     player.ID
		target app.Target
		off    bool
		reason string
		want   error
	}{
		{"a manager", manager, app.All, true, "x", app.ErrForbidden},
		{"no reason", admin, app.All, true, "  ", app.ErrReasonNeeded},
		{"a long reason", admin, app.All, true, strings.Repeat("x", 501), app.ErrReasonNeeded},
		{"no issue", admin, app.IssueTarget(7), true, "x", app.ErrTarget},
		{"no game", admin, app.GameTarget(7), true, "x", app.ErrTarget},
		{"a member of staff", admin, app.PlayerTarget(manager), true, "x", app.ErrTarget},
		{"nonsense", admin, "issue/01", true, "x", app.ErrTarget},
		{"enabled already", admin, app.PlayerTarget(anne), false, "x", app.ErrAsBefore},
		{"a player", admin, app.PlayerTarget(anne), true, "x", nil},
		{"disabled already", admin, app.PlayerTarget(anne), true, "x", app.ErrAsBefore},
	} {
		err := office.Switch(context.Background(), app.Switching{Request: app.NewRequestID(), By: tc.by,
			Target: tc.target, Off: tc.off, Reason: tc.reason})
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
}
