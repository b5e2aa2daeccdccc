package app_test

import (
	"context"
	"errors"
	"testing"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/regs/regstest"
)

// TestRotateKeys_SealsEverythingAnew rotates twice, once by a double click: each secret has
// the newest key, and the block under it still sells and is proved.
func TestRotateKeys_SealsEverythingAnew(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:51", "house:5")
	ctx := context.Background()
	h := apptest.New(t)
	admin, manager := h.Staff("ada", app.Administrator), h.Staff("manon", app.Manager)
	issue := h.OnSale(manager, apptest.SmallGame)
	office := app.NewOffice(h.Ground, h.Vault, nil)
	order := app.Order{Request: app.NewRequestID(), By: admin}
	for range 2 {
		if err := office.RotateKeys(ctx, order); err != nil {
			t.Fatal(err)
		}
	}
	facts, err := office.Keys(ctx)
	if err != nil || len(facts.Keys) != 2 || facts.Secrets != 1 || facts.Waiting != 0 ||
		facts.Origin != "test.example" {
		t.Errorf("after one rotation: %+v, %v", facts, err)
	}
	order = app.Order{Request: app.NewRequestID(), By: manager}
	if err := office.RotateKeys(ctx, order); !errors.Is(err, app.ErrForbidden) {
		t.Errorf("a manager rotates: %v", err)
	}
	h.Instant = app.NewInstant(h.Ground) // as after a restart: the secret is opened again
	anne := h.Player("anne", 200)
	sold, err := buy(h, anne, issue)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Instant.ExportUnit(ctx, anne, sold.Unit); err != nil {
		t.Error(err)
	}
	events, err := app.Inspection{Ground: h.Ground}.Facts(ctx, "keys", 0, 10)
	if err != nil || len(events) != 2 || events[1].Payload != `{"key":"0002","resealed":1}` {
		t.Errorf("the events of the rotation: %+v, %v", events, err)
	}
}

func TestStd53_ABackupByAButton(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:53")
	ctx := context.Background()
	h := apptest.New(t)
	admin, manager := h.Staff("ada", app.Administrator), h.Staff("manon", app.Manager)
	made := 0
	office := app.NewOffice(h.Ground, h.Vault, func(_ context.Context, name string) ([]app.CopiedFile, error) {
		if made++; made == 1 {
			return nil, errors.New("the stick is full")
		}
		return []app.CopiedFile{{Name: name + ".db", Size: 7, Digest: "d"}, {Name: name + ".keys", Size: 3, Digest: "k"}}, nil
	})
	order := app.Order{Request: app.NewRequestID(), By: admin}
	if _, err := office.Backup(ctx, order); err == nil {
		t.Error("a backup that could not be written is told as made")
	}
	first, err := office.Backup(ctx, order) // pressed again
	if err != nil {
		t.Fatal(err)
	}
	again, err := office.Backup(ctx, order)
	if err != nil || made != 2 || again.Name != first.Name || len(again.Files) != 2 {
		t.Errorf("pressed twice: %d copies, %+v, %v", made, again, err)
	}
	list, err := office.Backups(ctx)
	if err != nil || len(list) != 1 {
		t.Errorf("the list of copies: %+v, %v", list, err)
	}
	if _, err := office.Backup(ctx, app.Order{Request: app.NewRequestID(), By: manager}); !errors.Is(err, app.ErrForbidden) {
		t.Errorf("a manager: %v", err)
	}
	none := app.NewOffice(h.Ground, h.Vault, nil)
	if _, err := none.Backup(ctx, order); !errors.Is(err, app.ErrNoCopy) {
		t.Errorf("without a copy: %v", err)
	}
}

func TestStd25_SettingsKeepBeforeAndAfter(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:25", "std:50")
	ctx := context.Background()
	h := apptest.New(t)
	admin, cashier := h.Staff("ada", app.Administrator), h.Staff("carla", app.Cashier)
	office := app.NewOffice(h.Ground, h.Vault, nil)
	set := func(s app.Settings) error {
		return office.ChangeSettings(ctx, app.SettingsChange{Request: app.NewRequestID(), By: admin, Settings: s})
	}
	want := app.Settings{Operator: "Amicale", Desks: 1}
	if err := set(want); err != nil {
		t.Fatal(err)
	}
	if got, err := h.Settings(ctx); err != nil || got != want {
		t.Errorf("the settings are %+v, %v", got, err)
	}
	if err := set(app.Settings{Operator: "Amicale", Desks: 0}); !errors.Is(err, app.ErrSettings) {
		t.Errorf("no desk: %v", err)
	}
	err := h.Desk.Open(ctx, app.DrawerOpening{Request: app.NewRequestID(), Cashier: cashier, Desk: 2})
	if !errors.Is(err, app.ErrDeskUnknown) {
		t.Errorf("desk 2 of 1: %v", err)
	}
	events, err := app.Inspection{Ground: h.Ground}.Facts(ctx, "settings", 0, 10)
	const payload = `{"by":1,"before":{"operator":"","address":"","desks":0},` +
		`"after":{"operator":"Amicale","address":"","desks":1}}`
	if err != nil || len(events) != 1 || events[0].Payload != payload {
		t.Errorf("the event: %+v, %v", events, err)
	}
}

// TestStd51_AStaffPasswordIsResetByAnAdministrator: not by others, and not a player's.
func TestStd51_AStaffPasswordIsResetByAnAdministrator(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:51")
	ctx := context.Background()
	h := apptest.New(t)
	admin, cashier := h.Staff("ada", app.Administrator), h.Staff("carla", app.Cashier)
	anne := h.Player("anne", 0)
	reset := app.StaffReset{Request: app.NewRequestID(), By: admin, Person: cashier, Password: "another password"}
	if err := h.People.ResetStaffPassword(ctx, reset); err != nil {
		t.Fatal(err)
	}
	_, standing, err := h.People.SignIn(ctx, "carla", "another password", "::1")
	if err != nil || !standing.MustChange {
		t.Errorf("signing in with the new password: %+v, %v", standing, err)
	}
	reset = app.StaffReset{Request: app.NewRequestID(), By: cashier, Person: admin, Password: "another password"}
	if err := h.People.ResetStaffPassword(ctx, reset); !errors.Is(err, app.ErrForbidden) {
		t.Errorf("a cashier resets the administrator: %v", err)
	}
	reset = app.StaffReset{Request: app.NewRequestID(), By: admin, Person: anne, Password: "another password"}
	if err := h.People.ResetStaffPassword(ctx, reset); !errors.Is(err, app.ErrNotStaff) {
		t.Errorf("an administrator resets a player: %v", err)
	}
}
