package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/regs/regstest"
)

const firstPassword = "a long password" // what apptest gives

// TestStd43_APasswordIsPartOfItsRequest sends each form that gives a password twice, and then
// with another password: the first answer stays, and the other password is not taken for done.
func TestStd43_APasswordIsPartOfItsRequest(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:43", "std:7")
	ctx := context.Background()
	h := apptest.New(t)
	anne, desk := h.Player("anne", 0), h.Staff("carla", app.Cashier)
	boss := h.Staff("ada", app.Administrator)
	give := map[string]func(app.RequestID, string) error{
		"registration": func(id app.RequestID, password string) error {
			_, err := h.People.Register(ctx, app.Registration{Request: id, SignIn: "registration", Password: password, Name: "Zoé",
				Born: time.Date(1990, 1, 2, 0, 0, 0, 0, time.UTC), Locale: "fr", Rules: h.Rules})
			return err
		},
		"staff": func(id app.RequestID, password string) error {
			_, err := h.People.AddStaff(ctx, app.NewStaff{Request: id, By: boss, SignIn: "staff", Name: "S", Password: password,
				Locale: "fr", Roles: []app.Role{app.Cashier}})
			return err
		},
		"anne": func(id app.RequestID, password string) error {
			return h.People.ResetPassword(ctx, app.Reset{Request: id, Cashier: desk, Person: anne, Document: "passport", Password: password})
		},
		"carla": func(id app.RequestID, password string) error {
			return h.People.ResetStaffPassword(ctx, app.StaffReset{Request: id, By: boss, Person: desk, Password: password})
		},
		"ada": func(id app.RequestID, password string) error {
			return h.People.ChangePassword(ctx, app.PasswordChange{Request: id, Person: boss, Old: firstPassword, New: password})
		},
	}
	for _, name := range []string{"registration", "staff", "anne", "carla", "ada"} {
		id := app.NewRequestID()
		for range 2 {
			if err := give[name](id, "the right password"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := give[name](id, "something else entirely"); !errors.Is(err, app.ErrRequestReused) {
			t.Errorf("%s, with another password: %v", name, err)
		}
		if _, _, err := h.People.SignIn(ctx, name, "the right password", "::1"); err != nil {
			t.Errorf("%s signs in: %v", name, err)
		}
		if _, _, err := h.People.SignIn(ctx, name, "something else entirely", "::1"); !errors.Is(err, app.ErrCredentials) {
			t.Errorf("%s signs in with what was refused: %v", name, err)
		}
	}
}

// changing is a store in which something happens whenever a person has been read.
type changing struct {
	app.Store
	then func()
}

func (s changing) PersonBySignIn(ctx context.Context, name string) (app.PersonRow, error) {
	row, err := s.Store.PersonBySignIn(ctx, name)
	s.then()
	return row, err
}

// TestStd7_AnOldPasswordIsNoneAfterItsChange changes a password while a sign-in with the old
// one is being checked, after each of its readings.
func TestStd7_AnOldPasswordIsNoneAfterItsChange(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:7")
	ctx := context.Background()
	h := apptest.New(t)
	for at, name := range []string{"anne", "boris"} {
		id, readings := h.Player(name, 0), 0
		store := changing{h.Store, func() {
			if readings++; readings != at+1 {
				return
			}
			c := app.PasswordChange{Request: app.NewRequestID(), Person: id, Old: firstPassword, New: "another long one"}
			if err := h.People.ChangePassword(ctx, c); err != nil {
				t.Error(err)
			}
		}}
		people := app.People{Ground: &app.Ground{Store: store, Now: h.Now, Entropy: app.RandomBytes, Sealer: h.Vault,
			Journal: h.Store, Zone: h.Zone, Log: h.Log}}
		if _, _, err := people.SignIn(ctx, name, firstPassword, "::1"); !errors.Is(err, app.ErrCredentials) {
			t.Errorf("the old password, changed after reading %d of %d: %v", at+1, readings, err)
		}
	}
}

// TestStd7_AWrongOldPasswordIsAFailedSignIn closes the name after three.
func TestStd7_AWrongOldPasswordIsAFailedSignIn(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:7", "std:24")
	ctx := context.Background()
	h := apptest.New(t)
	anne := h.Player("anne", 0)
	change := func(old string) error {
		return h.People.ChangePassword(ctx, app.PasswordChange{Request: app.NewRequestID(), Person: anne, Old: old,
			New: "another long one", Address: "::1"})
	}
	for range 3 {
		if err := change("not the password"); !errors.Is(err, app.ErrCredentials) {
			t.Error(err)
		}
	}
	if err := change(firstPassword); !errors.Is(err, app.ErrLocked) {
		t.Errorf("the fourth try: %v", err)
	}
	if _, _, err := h.People.SignIn(ctx, "anne", firstPassword, "::1"); !errors.Is(err, app.ErrLocked) {
		t.Errorf("signing in: %v", err)
	}
	failures, err := app.Inspection{Ground: h.Ground}.Facts(ctx, "access", 0, 10)
	if err != nil || len(failures) != 3 {
		t.Errorf("%d failures are recorded: %v", len(failures), err)
	}
}
