package app_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/money"
	"boulier/regs/regstest"
)

// TestReadingI8_OpenBlocksAreNotGivenAway: stakes and totals for everyone who may report,
// prizes by amount of an open block for the inspector alone, who leaves a trace.
func TestReadingI8_OpenBlocksAreNotGivenAway(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:21", "instant:2")
	ctx := context.Background()
	h := apptest.New(t)
	manager, inspector := h.Staff("manon", app.Manager), h.Staff("ines", app.Inspector)
	issue := h.OnSale(manager, apptest.SmallGame)
	order := app.IssueOrder{Request: app.NewRequestID(), By: manager, Issue: issue}
	if err := h.Instant.OrderBlocks(ctx, order, 1); err != nil {
		t.Fatal(err)
	}
	if err := h.Instant.MakeWanted(ctx); err != nil {
		t.Fatal(err)
	}
	anne := h.Player("anne", 100_00)
	opened := h.Clock.Now()
	h.Clock.Move(time.Hour)
	for range 12 + 3 {
		if _, err := buy(h, anne, issue); err != nil {
			t.Fatal(err)
		}
	}
	r, err := h.Instant.Report(ctx, issue)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Blocks) != 2 || r.Sold != 15 || r.Stakes != 30_00 || r.Return != (app.Share{Part: 29_00, Whole: 24_00}) {
		t.Fatalf("the report: %+v", r)
	}
	ended, open := r.Blocks[0], r.Blocks[1]
	if ended.Status != instant.BlockEnded || ended.Reason != instant.Exhausted || ended.Unsold() != 0 ||
		ended.Stakes != 24_00 || ended.Paid != 29_00 || !ended.OnSaleAt.Equal(opened) ||
		!ended.EndedAt.Equal(h.Clock.Now()) {
		t.Errorf("the ended block: %+v", ended)
	}
	want := []app.GivenPrize{{15_00, 1, 1}, {4_00, 2, 2}, {2_00, 3, 3}}
	if len(ended.Given) != 3 || ended.Given[0] != want[0] || ended.Given[1] != want[1] || ended.Given[2] != want[2] {
		t.Errorf("an ended block gave %+v, want %+v", ended.Given, want)
	}
	if open.Status != instant.BlockOpen || open.Sold != 3 || open.Unsold() != 9 || open.Given != nil {
		t.Errorf("the open block: %+v", open)
	}
	look := app.GivenLook{By: manager, Issue: issue}
	if _, err := h.Instant.ReportGiven(ctx, look); !errors.Is(err, app.ErrForbidden) {
		t.Errorf("a manager sees prizes given: %v", err)
	}
	look.By = inspector
	if r, err = h.Instant.ReportGiven(ctx, look); err != nil {
		t.Fatal(err)
	}
	var given int64
	for _, g := range r.Blocks[1].Given {
		given += g.Given
	}
	units, err := h.Store.BlockUnits(ctx, int64(open.Block), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range units {
		if u.Prize > 0 {
			given--
		}
	}
	if given != 0 || r.Blocks[1].Given == nil {
		t.Errorf("the inspector sees %+v", r.Blocks[1].Given)
	}
	facts, err := app.Inspection{Ground: h.Ground}.Facts(ctx, "instant/issue/1", 0, 100)
	if err != nil || facts[len(facts)-1].Kind != "given_inspected" {
		t.Errorf("the look left no trace: %+v, %v", facts, err)
	}
	if _, err := h.Instant.Report(ctx, 9); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("no such issue: %v", err)
	}
}

// TestStd26_ADayAddsUp holds a day's report beside what was done that day: a day of the
// house's zone, in which 23:30 UTC is tomorrow.
func TestStd26_ADayAddsUp(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:26", "std:27")
	ctx := context.Background()
	b := newDeskBook(t) // it is 11:00 in Paris on 1 December
	issue := b.OnSale(b.people["manon"], apptest.SmallGame)
	b.run(t, `
		carla open   1           50.00            ok
		carla load   anne        20.00            ok
		carla load   bob          9.00            ok
		carla undo   2               -            ok
		carla load   bob/card    10.00            ok
		carla payout bob          4.00            ok
		carla undo   5               -            ok
		carla payout bob          3.00            ok
		denis open   2               -            ok
		denis load   bob          1.00            ok
		carla close  1           66.00/10.00/0    ok
	`)
	for range 3 {
		if _, err := buy(b.House, b.people["anne"], issue); err != nil {
			t.Fatal(err)
		}
	}
	units, err := b.Store.BlockUnits(ctx, 1, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	var prizes money.Cents
	for _, u := range units {
		prizes += u.Prize
	}
	b.Clock.Move(12*time.Hour + 30*time.Minute) // 23:30 in Paris
	b.run(t, `denis load bob 0.50 ok`)
	b.Clock.Move(time.Hour) // 00:30 in Paris, 23:30 UTC
	b.run(t, `denis load bob 7.00 ok`)
	b.Clock.Move(time.Minute)

	first := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	r, err := b.DayReport(ctx, first)
	if err != nil {
		t.Fatal(err)
	}
	want := []app.DeskDay{
		{Desk: "1", Means: app.Cash, Loads: 20_00, PayOuts: 3_00, Undone: 2, Difference: -1_00},
		{Desk: "1", Means: app.Card, Loads: 10_00},
		{Desk: "2", Means: app.Cash, Loads: 1_50},
	}
	for n := range want {
		if n >= len(r.Desks) || r.Desks[n] != want[n] {
			t.Errorf("desk line %d of %+v, want %+v", n, r.Desks, want[n])
		}
	}
	if r.Stakes != 6_00 || r.Sold != 3 || r.Prizes != prizes || r.Difference != -1_00 || r.Other != 0 ||
		r.Before != 0 || r.After != 28_50-6_00+prizes || r.Day != "2026-12-01" {
		t.Errorf("the day: %+v; prizes %s", r, prizes)
	}
	next, err := b.DayReport(ctx, first.AddDate(0, 0, 1))
	if err != nil || next.Before != r.After || next.Loads() != 7_00 || next.After != r.After+7_00 || next.Other != 0 {
		t.Errorf("the next day so far: %+v, %v", next, err)
	}
	empty, err := b.DayReport(ctx, first.AddDate(0, 0, -1))
	if err != nil || !empty.Empty() || next.Empty() {
		t.Errorf("a day without activity: %+v, %v", empty, err)
	}
}
