package app_test

import (
	"testing"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/money"
	"boulier/player"
	"boulier/regs/regstest"
)

// covering buys units for a player until one that wins 15 euros lies covered.
func covering(h *apptest.House, who player.ID, issue instant.IssueID) {
	h.T.Helper()
	for {
		h.Give(who, 2_00)
		sold, err := buy(h, who, issue)
		if err != nil {
			h.T.Fatal(err)
		}
		v, err := h.Instant.Unit(h.T.Context(), who, sold.Unit)
		if err != nil {
			h.T.Fatal(err)
		}
		if v.Prize == 15_00 {
			return
		}
	}
}

// TestArt44Stake_TheBingoGivesNoCoveredPrizeAway: what a cash desk of the bingo shows of an
// account says nothing of a unit that is still covered (reading I6); cards that cost more than
// is shown are paid with the prize, which is shown from then on.
func TestArt44Stake_TheBingoGivesNoCoveredPrizeAway(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.stake", "bingo:93.8")
	h := newBingoHall(t, 1)
	ctx := t.Context()
	anne := h.Player("anne", 2_00)
	covering(h.House, anne, h.OnSale(h.manager, apptest.SmallGame))
	account, err := h.Bingo.OpenAccount(ctx, h.as(h.cashier), anne)
	h.ok(err)
	pin, err := h.Bingo.IssuePIN(ctx, h.as(h.cashier), account)
	h.ok(err)
	h.ok(h.Bingo.Enter(ctx, app.BingoEntry{Terminal: h.terminals[0], Account: account, Card: 1, PIN: pin}))
	before, err := h.Purse(ctx, anne)
	h.ok(err)
	purse, err := h.Bingo.Purse(ctx, account)
	h.ok(err)
	idle, err := h.Bingo.Idle(ctx, h.Now().Add(time.Hour))
	h.ok(err)
	if before.Covered == (app.UnitRef{}) || purse.Balance != before.Shown || len(idle) != 1 || idle[0].Balance != before.Shown {
		t.Fatalf("%+v is shown at the unit; at the desk %d, among the idle %v", before, purse.Balance, idle)
	}
	cards := int(before.Shown/1_00) + 5
	sold, err := h.buy(h.sale(), 0, account, 1_00, cards)
	h.ok(err)
	after, err := h.Purse(ctx, anne)
	h.ok(err)
	want := before.Shown + 15_00 - money.Cents(cards)*1_00
	if after.Shown != want || after.Covered != (app.UnitRef{}) || sold.Count != cards {
		t.Errorf("after %d cards: %+v, want %d and nothing covered", cards, after, want)
	}
}
