package app_test

import (
	"testing"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/player"
	"boulier/regs/regstest"
)

// rich is a fair with one proclaimed leg whose days are over, and its only player.
func rich(t *testing.T) (*fair, contest.LegID, player.ID) {
	f := newFair(t)
	leg := f.add(f.matches())
	ann := f.Player("ann", 0)
	f.mustSubmit(leg, ann, "2-1", "0-0")
	f.tick(2 * time.Hour)
	f.enter(leg, "", played(2, 1), played(0, 0))
	f.proclaim(leg)
	return f, leg, ann
}

// TestArt12_GiftShop: a gift costs the price shown, out of free nuggets only; the stock ends;
// nothing is sent before identity is proved; a cancelled order gives everything back.
func TestArt12_GiftShop(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:12", "contest:4.identity", "contest:16")
	f, _, ann := rich(t)
	ctx := t.Context()
	set := func(g app.ShopGift) (app.GiftID, error) {
		return f.Contests.SetGift(ctx, app.GiftChange{Request: app.NewRequestID(), By: f.manager, Gift: g})
	}
	_, err := set(app.ShopGift{Title: "Rien", Price: 0, Stock: 1})
	wantErr(t, "a gift for nothing", err, app.ErrGiftPrice)
	mug, err := set(app.ShopGift{Title: "Tasse", Price: 5 * contest.Nugget, Stock: 2})
	if err != nil {
		t.Fatal(err)
	}
	acquire := func(shown contest.Nuggets, publish bool) (app.OrderID, error) {
		return f.Contests.Acquire(ctx, app.Acquisition{Request: app.NewRequestID(), Player: ann, Gift: mug, Shown: shown,
			Delivery: "Ann, 1 rue du Bac, Lyon", Publish: publish})
	}
	_, err = acquire(5*contest.Nugget, true)
	wantErr(t, "with pending nuggets", err, contest.ErrNotEnoughNuggets)
	f.tick(16 * 24 * time.Hour) // 12.75 are free: 25 % of 51
	_, err = acquire(5*contest.Nugget, false)
	wantErr(t, "refuses to be named", err, app.ErrNoConsent)
	_, err = acquire(4*contest.Nugget, true)
	wantErr(t, "the price moved", err, contest.ErrPriceMoved)
	first, err := acquire(5*contest.Nugget, true)
	if err != nil {
		t.Fatal(err)
	}
	second, err := acquire(5*contest.Nugget, true)
	if err != nil {
		t.Fatal(err)
	}
	_, err = acquire(5*contest.Nugget, true)
	wantErr(t, "out of stock", err, app.ErrGiftGone)
	if _, free := f.nuggets(ann); free != 275 {
		t.Errorf("%d are left, want 2.75", free)
	}
	step := func(id app.OrderID, to string) error {
		return f.Contests.Step(ctx, app.OrderStep{Request: app.NewRequestID(), By: f.manager, Order: id, Status: to})
	}
	wantErr(t, "sent without proof", step(first, app.OrderSent), app.ErrNotProved)
	for _, to := range []string{app.OrderProved, app.OrderSent} {
		if err := step(first, to); err != nil {
			t.Fatal(err)
		}
	}
	wantErr(t, "cancelled once sent", step(first, app.OrderCancelled), app.ErrOrderState)
	if err := step(second, app.OrderCancelled); err != nil {
		t.Fatal(err)
	}
	if _, free := f.nuggets(ann); free != 775 {
		t.Errorf("%d after the cancelled order, want 7.75", free)
	}
	if _, err := acquire(5*contest.Nugget, true); err != nil {
		t.Errorf("the gift of a cancelled order is not back in the shop: %v", err)
	}
	if _, err := set(app.ShopGift{ID: mug, Title: "Tasse", Price: 5 * contest.Nugget, Stock: 1, Withdrawn: true}); err != nil {
		t.Fatal(err)
	}
	_, err = acquire(5*contest.Nugget, true)
	wantErr(t, "withdrawn", err, app.ErrGiftGone)
	f.Sound()
}

// TestArt17_Disputes: a dispute is made within fifteen days of the proclamation and decided
// once, for good.
func TestArt17_Disputes(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:17")
	f, leg, ann := rich(t)
	ctx := t.Context()
	open := f.add(f.matches())
	_, err := f.Contests.Object(ctx, app.NewRequestID(), ann, open, "trop tôt")
	wantErr(t, "nothing is proclaimed", err, app.ErrNoDispute)
	id, err := f.Contests.Object(ctx, app.NewRequestID(), ann, leg, "le but était hors-jeu")
	if err != nil {
		t.Fatal(err)
	}
	rule := func() error {
		return f.Contests.Rule(ctx, app.Ruling{Request: app.NewRequestID(), By: f.manager, Dispute: id, Answer: "le but est valable"})
	}
	if err := rule(); err != nil {
		t.Fatal(err)
	}
	wantErr(t, "decided twice", rule(), app.ErrDisputeDecided)
	f.tick(16 * 24 * time.Hour)
	_, err = f.Contests.Object(ctx, app.NewRequestID(), ann, leg, "encore")
	wantErr(t, "after fifteen days", err, contest.ErrDisputeLate)
}
