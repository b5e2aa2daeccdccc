package apptest

import (
	"context"

	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// Square fails the test unless the ledger is: balances sum to zero, each is the sum of its
// movements, none is below its floor.
func (h *House) Square() {
	h.T.Helper()
	sums, err := h.Store.Sums(context.Background())
	if err != nil {
		h.T.Fatal(err)
	}
	for _, s := range sums {
		if s.Balances != 0 || s.Unexplained != 0 || s.BelowFloor != 0 {
			h.T.Errorf("the ledger is not square: %+v", s)
		}
	}
}

// Balance returns what an account holds.
func (h *House) Balance(path ledger.Path) money.Cents {
	h.T.Helper()
	a, err := h.Store.Account(context.Background(), path)
	if err != nil {
		h.T.Fatal(err)
	}
	return money.Cents(a.Balance)
}

// Shown returns what a player is shown of the money.
func (h *House) Shown(who player.ID) money.Cents {
	h.T.Helper()
	p, err := h.Purse(context.Background(), who)
	if err != nil {
		h.T.Fatal(err)
	}
	return p.Shown
}
