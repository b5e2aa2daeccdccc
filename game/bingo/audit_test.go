package bingo

import (
	"slices"
	"testing"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/regs/regstest"
)

func TestAudit_FindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.8", "bingo:93.9", "bingo:93.13")
	for _, tc := range []struct {
		name   string
		tamper func(h *table)
	}{
		{"a winner is left out", func(h *table) { h.Wins[0].Winners = h.Wins[0].Winners[:1] }},
		{"another card wins", func(h *table) { h.Wins[0].Winners[0].Serial.Number = 9 }},
		{"two cents from one share to another", func(h *table) { h.Wins[0].Winners[0].Share -= 2; h.Wins[0].Winners[1].Share += 2 }},
		{"a cent more", func(h *table) { h.Wins[0].Winners[0].Share++ }},
		{"a prize is kept", func(h *table) { h.Wins = h.Wins[1:] }},
		{"won a ball late", func(h *table) { h.Wins[0].Ball++ }},
		{"a smaller prize", func(h *table) { h.Amounts[1]-- }},
		{"another order", func(h *table) { h.Balls[0], h.Balls[5] = h.Balls[5], h.Balls[0] }},
		{"sales made smaller", func(h *table) { h.Sales-- }},
		{"another price", func(h *table) { h.sold[1].Price = 1_00 }},
		{"a card given to another player", func(h *table) { h.sold[1].Player = 9 }},
		{"a gap in the numbers", func(h *table) { h.sales[2].Runs[0] = Run{"A", 3, 3} }},
		{"a card twice", func(h *table) { h.sales[2].Runs[0] = Run{"A", 1, 1} }},
		{"a purchase out of order", func(h *table) { h.sales[0], h.sales[2] = h.sales[2], h.sales[0] }},
		{"a card that was not sold", func(h *table) { h.sold = append(h.sold, h.sold[0]) }},
		{"other numbers on a card that did not win", func(h *table) { h.sold[2].Card = card(60) }},
		{"another digest", func(h *table) { h.Digest = "00" }},
		{"a refund that nobody asked for", func(h *table) { h.refunds = []CardsRefunded{{Places: []int{0}, Left: 2, House: true}} }},
	} {
		h := hand(t, proposal(), []money.Cents{1_00, 2_00, 1_00}, card(0), card(0), card(50))
		h.draw(slices.Concat(seq(1, 5), []ninety.Ball{90}, seq(11, 15), seq(21, 25))...)
		h.audit()
		tc.tamper(h)
		if err := Audit(h.Round, h.Sale, h.sold, h.sales, h.refunds); err == nil {
			t.Errorf("%s: not found", tc.name)
		}
	}
}
