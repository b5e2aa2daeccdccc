package app_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/ledger"
	"boulier/regs/regstest"
)

// rulesOfSales returns the versions of the rules under which the sales of the only block say
// they were made, in order.
func rulesOfSales(t *testing.T, h *apptest.House) (versions []int) {
	t.Helper()
	streams, err := h.Store.Streams(t.Context(), "instant/sales/", "", 2)
	if err != nil || len(streams) != 1 {
		t.Fatalf("%d streams of sales, %v", len(streams), err)
	}
	facts, err := h.Store.Stream(t.Context(), streams[0].Name, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		var sale struct {
			Rules int `json:"rules"`
		}
		if err := json.Unmarshal(f.Payload, &sale); err != nil {
			t.Fatal(err)
		}
		versions = append(versions, sale.Rules)
	}
	return versions
}

// TestArt5_TheVersionAcceptedIsRecorded holds that a stake is taken under the version in
// force and no other: nothing before it is accepted, neither an older nor a later one, and
// each sale says which (instant:1, instant:5, std:47).
func TestArt5_TheVersionAcceptedIsRecorded(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:1", "instant:5", "std:6", "std:47")
	h := apptest.New(t)
	issue := h.OnSale(h.Staff("chef", app.Manager), smallWordGame())
	anne := h.Player("anne", 1000)
	if _, err := buy(h, anne, issue); err != nil {
		t.Fatal(err)
	}
	r, err := h.EnactRules(t.Context(), []byte("the rules, changed"))
	if err != nil || r.InForce() != 2 {
		t.Fatalf("version %d is in force, %v", r.InForce(), err)
	}
	own := ledger.Path("player:" + anne.String())
	had := h.Balance(own)
	late := app.Purchase{Request: app.NewRequestID(), Player: anne, Issue: issue}
	for range 2 { // refused, and refused again when it is sent again
		if _, err := h.Instant.BuyUnit(t.Context(), late); !errors.Is(err, app.ErrRulesVersion) {
			t.Errorf("a stake under rules that are no longer in force: %v", err)
		}
	}
	for _, version := range []int{0, 1, 3} {
		if err := h.People.AcceptRules(t.Context(), app.NewRequestID(), anne, version); !errors.Is(err, app.ErrRulesVersion) {
			t.Errorf("version %d was accepted while 2 is in force: %v", version, err)
		}
	}
	if now := h.Balance(own); now != had {
		t.Errorf("what was refused cost %s", had-now)
	}
	if err := h.People.AcceptRules(t.Context(), app.NewRequestID(), anne, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := buy(h, anne, issue); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(rulesOfSales(t, h)); got != "[1 2]" {
		t.Errorf("the sales were made under versions %s, want [1 2]", got)
	}
	// The same texts again are no new version, and ask nobody.
	if r, err = h.EnactRules(t.Context(), []byte("the rules, changed")); err != nil || r.InForce() != 2 {
		t.Errorf("the same texts made version %d, %v", r.InForce(), err)
	}
	for i, v := range r.Versions {
		if v.Number != i+1 || len(v.Digest) != 64 || v.Since.IsZero() {
			t.Errorf("version %d is kept as %+v", i+1, v)
		}
	}
	h.Sound()
}
