package app_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/proof"
	"boulier/money"
	"boulier/player"
	"boulier/regs/regstest"
)

func buy(h *apptest.House, who player.ID, issue instant.IssueID) (app.Sold, error) {
	return h.Instant.BuyUnit(context.Background(),
		app.Purchase{Request: app.NewRequestID(), Player: who, Issue: issue})
}

// TestArt3_ABlockGivesExactlyItsTable sells a block to its last unit: each prize of the
// table is given, no more and no less, and the ledger stays square.
func TestArt3_ABlockGivesExactlyItsTable(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "instant:3", "house:3")
	ctx := context.Background()
	h := apptest.New(t)
	issue := h.OnSale(h.Staff("chef", app.Manager), apptest.SmallGame)
	anne := h.Player("anne", 2400)
	prizes := map[money.Cents]int{}
	for n := range 12 {
		sold, err := buy(h, anne, issue)
		if err != nil {
			t.Fatal(err)
		}
		if sold.Unit.Number != int64(n+1) {
			t.Errorf("purchase %d got unit %d", n+1, sold.Unit.Number)
		}
		view, err := h.Instant.Unit(ctx, anne, sold.Unit)
		if err != nil {
			t.Fatal(err)
		}
		prizes[view.Prize]++
	}
	if prizes[1500] != 1 || prizes[400] != 2 || prizes[200] != 3 || prizes[0] != 6 {
		t.Errorf("the block gave %v", prizes)
	}
	h.Give(anne, 200)
	if _, err := buy(h, anne, issue); !errors.Is(err, app.ErrNotOnSale) {
		t.Errorf("unit 13 of 12: %v", err)
	}
	sums, err := h.Store.Sums(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sums {
		if s.Balances != 0 || s.Unexplained != 0 || s.BelowFloor != 0 {
			t.Errorf("the ledger is not square: %+v", s)
		}
	}
}

// TestArt44Stake_APrizeIsNotShownBeforeItIsUncovered holds reading I6: the account has the
// prize from the sale on, and what is shown does not give it away.
func TestArt44Stake_APrizeIsNotShownBeforeItIsUncovered(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.stake", "instant:4.4.interrupted")
	ctx := context.Background()
	h := apptest.New(t)
	issue := h.OnSale(h.Staff("chef", app.Manager), apptest.SmallGame)
	anne := h.Player("anne", 2400)
	shown := money.Cents(2400)
	for range 12 {
		sold, err := buy(h, anne, issue)
		if err != nil {
			t.Fatal(err)
		}
		p, err := h.Instant.Purse(ctx, anne)
		if err != nil {
			t.Fatal(err)
		}
		if shown -= 200; p.Shown != shown || p.Covered != sold.Unit {
			t.Errorf("after the sale %d is shown with %v in play, want %d", p.Shown, p.Covered, shown)
		}
		request := app.Uncovering{Request: app.NewRequestID(), Player: anne, Unit: sold.Unit}
		for range 2 { // pressed twice
			if err := h.Instant.Uncover(ctx, request); err != nil {
				t.Fatal(err)
			}
		}
		view, err := h.Instant.Unit(ctx, anne, sold.Unit)
		if err != nil {
			t.Fatal(err)
		}
		shown += view.Prize
		if p, _ = h.Instant.Purse(ctx, anne); p.Shown != shown || p.Covered != (app.UnitRef{}) {
			t.Errorf("after uncovering %d is shown, want %d", p.Shown, shown)
		}
	}
	history, err := h.Instant.History(ctx, anne, app.Cursor{}, 50)
	if err != nil || len(history) != 12 || history[0].Unit.Number != 12 {
		t.Errorf("history: %v, %v", history, err)
	}
}

func TestArt44Stake_Refusals(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.stake", "std:14", "std:57", "std:44")
	ctx := context.Background()
	h := apptest.New(t)
	manager := h.Staff("chef", app.Manager)
	issue := h.OnSale(manager, apptest.SmallGame)
	poor, anne := h.Player("poor", 199), h.Player("anne", 1000)
	for _, tc := range []struct {
		name string
		who  player.ID
		want error
	}{
		{"short by a cent", poor, app.ErrBalanceShort},
		{"staff", manager, app.ErrNotPlayer},
		{"nobody", 99, app.ErrNotPlayer},
	} {
		if _, err := buy(h, tc.who, issue); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
	p := app.Purchase{Request: app.NewRequestID(), Player: anne, Issue: issue}
	first, err := h.Instant.BuyUnit(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := h.Instant.BuyUnit(ctx, p); err != nil || again != first {
		t.Errorf("the same request got %v, %v; the first time %v", again, err, first)
	}
	if purse, _ := h.Instant.Purse(ctx, anne); purse.Shown != 800 {
		t.Errorf("charged %d for one request", 1000-purse.Shown)
	}
	h.Clock.Move(7 * 24 * time.Hour)
	if _, err := buy(h, anne, issue); !errors.Is(err, instant.ErrIssueClosed) {
		t.Errorf("after the closing date: %v", err)
	}
}

// TestArt44Stake_AnAnswerOutlivesItsIssue asks again, after the end of the issue, what was
// answered before it: the purchase and the refusal alike.
func TestArt44Stake_AnAnswerOutlivesItsIssue(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.stake", "std:43", "house:2")
	ctx := context.Background()
	h := apptest.New(t)
	manager := h.Staff("chef", app.Manager)
	issue := h.OnSale(manager, apptest.SmallGame)
	bought := app.Purchase{Request: app.NewRequestID(), Player: h.Player("anne", 400), Issue: issue}
	late := app.Purchase{Request: app.NewRequestID(), Player: bought.Player, Issue: issue}
	sold, err := h.Instant.BuyUnit(ctx, bought)
	if err != nil {
		t.Fatal(err)
	}
	order := app.IssueOrder{Request: app.NewRequestID(), By: manager, Issue: issue}
	if err := h.Instant.CloseIssue(ctx, order); err != nil {
		t.Fatal(err)
	}
	if again, err := h.Instant.BuyUnit(ctx, bought); err != nil || again != sold {
		t.Errorf("unit %s was sold; asked again, the answer is %s, %v", sold.Unit, again.Unit, err)
	}
	for range 2 {
		if _, err := h.Instant.BuyUnit(ctx, late); !errors.Is(err, instant.ErrIssueClosed) {
			t.Errorf("after the end: %v", err)
		}
	}
	late.Issue++
	if _, err := h.Instant.BuyUnit(ctx, late); !errors.Is(err, app.ErrRequestReused) {
		t.Errorf("the form of one issue sent to another: %v", err)
	}
}

// TestExportUnit_IsVerifiedFromTheFileAlone exports a unit of an open and of a closed block.
func TestExportUnit_IsVerifiedFromTheFileAlone(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:5")
	ctx := context.Background()
	h := apptest.New(t)
	manager := h.Staff("chef", app.Manager)
	issue := h.OnSale(manager, apptest.SmallGame)
	anne := h.Player("anne", 1000)
	sold, err := buy(h, anne, issue)
	if err != nil {
		t.Fatal(err)
	}
	check := func() {
		file, err := h.Instant.ExportUnit(ctx, anne, sold.Unit)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := proof.Verify("unit.json", strings.NewReader(string(file)),
			proof.Options{Key: h.Vault.VerifierKey()}); err != nil {
			t.Error(err)
		}
	}
	check()
	order := app.IssueOrder{Request: app.NewRequestID(), By: manager, Issue: issue}
	if err := h.Instant.CloseIssue(ctx, order); err != nil {
		t.Fatal(err)
	}
	check()
	if _, err := h.Instant.ExportUnit(ctx, h.Player("bob", 0), sold.Unit); !errors.Is(err, app.ErrUnitOfAnother) {
		t.Errorf("somebody else's unit: %v", err)
	}
}
