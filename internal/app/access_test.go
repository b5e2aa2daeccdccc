package app_test

import (
	"errors"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/regs/regstest"
)

// TestStd24_AddressesAreForgottenInTime erases what two of three failed sign-ins said, and no
// more when asked again; the journal is whole, and new failures are told.
func TestStd24_AddressesAreForgottenInTime(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:24", "house:6")
	h := apptest.New(t)
	ctx := t.Context()
	fail := func() {
		t.Helper()
		if _, _, err := h.People.SignIn(ctx, "nobody", "not a password", "203.0.113.9"); !errors.Is(err, app.ErrCredentials) {
			t.Fatal(err)
		}
	}
	fail()
	fail()
	h.Clock.Move(time.Hour)
	fail()
	for _, want := range []int{2, 0} {
		if n, err := h.People.ForgetAddresses(ctx, h.Now()); err != nil || n != want {
			t.Errorf("%d erased, %v; want %d", n, err, want)
		}
	}
	h.Clock.Move(time.Hour)
	fail()
	facts, err := app.Inspection{Ground: h.Ground}.Facts(ctx, "access", 0, 10)
	if err != nil || len(facts) != 4 {
		t.Fatal(facts, err)
	}
	for i, f := range facts {
		if erased := i < 2; f.Erased != erased || erased != (f.Payload == "") {
			t.Errorf("failure %d: %+v", i+1, f)
		}
	}
	if _, err := h.CheckpointNow(ctx); err != nil {
		t.Fatal(err)
	}
	if r, err := h.Store.CheckJournal(ctx, nil); err != nil || !r.None() || r.Erased != 2 {
		t.Errorf("the journal: %+v, %v", r, err)
	}
}
