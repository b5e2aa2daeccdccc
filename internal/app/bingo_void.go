package app

import (
	"context"
	"fmt"
	"slices"

	"boulier/game/bingo"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// VoidRound deems the round that is being played not played, on a manager's order: prizes
// are taken back at once, and every card is refunded by the steps that follow (reading B10).
func (b *Bingo) VoidRound(ctx context.Context, a BingoAct, id bingo.RoundID, reason string) error {
	_, err := again(func() (struct{}, error) {
		seen, _, err := b.Round(ctx, id)
		if err == ErrNotFound {
			return struct{}{}, ErrBingoRound.With("round %d", id)
		}
		if err != nil {
			return struct{}{}, err
		}
		cell, sale := bingoRoundCell(id), bingoSaleCell(id)
		keys := a.keys("void", []any{id, reason}, string(cell), string(sale))
		keys.Accounts = []ledger.Path{bingoAccountOf(id), houseBingo}
		won := shares(seen.Wins)
		for _, x := range won {
			keys.Accounts = append(keys.Accounts, heldAccount(x.who))
		}
		return Do(ctx, b.Store, keys, func(tx Tx) (struct{}, error) {
			if err := requireBy(tx, a.By, ManageGames); err != nil {
				return struct{}{}, err
			}
			r, err := cell.Get(tx)
			if err != nil || len(r.Wins) != len(seen.Wins) {
				return struct{}{}, moved(err)
			}
			s, err := sale.Get(tx)
			if err != nil {
				return struct{}{}, err
			}
			events, err := r.Void(a.By, reason, s)
			if err != nil {
				return struct{}{}, err
			}
			if err := payShares(tx, "bingo_takeback", id, won, func(w player.ID) (ledger.Path, ledger.Path) {
				return heldAccount(w), bingoAccountOf(id)
			}); err != nil {
				return struct{}{}, err
			}
			if err := settleRound(tx, id, events[0].(bingo.RoundVoided).Refund); err != nil {
				return struct{}{}, err
			}
			if s.Tracks != nil { // its sale ends, too, in the same transaction
				sale.Put(tx, s.Apply(events[0]))
				if err := tellBingo(tx, string(sale), events...); err != nil {
					return struct{}{}, err
				}
			}
			return struct{}{}, b.tell(tx, r, events, tx.Now())
		})
	})
	return err
}

// refundVoid refunds the next purchases of a void round, and finishes it after the last.
func (b *Bingo) refundVoid(ctx context.Context, r bingo.Round) error {
	sales, gone, err := b.sales(ctx, r.ID)
	if err != nil {
		return err
	}
	refunded := map[int]int{}
	for _, e := range gone {
		refunded[e.Rank] += len(e.Places)
	}
	for {
		cell := bingoRefundCell(r.ID)
		from, _, err := cell.Read(ctx, b.Store)
		if err != nil {
			return err
		}
		if from >= len(sales) {
			return b.finish(ctx, r)
		}
		to := min(from+refundsAtOnce, len(sales))
		keys := Keys{Lease: b.lease, States: []string{string(cell)}, Accounts: []ledger.Path{bingoAccountOf(r.ID)}}
		for _, e := range sales[from:to] {
			keys.Accounts = append(keys.Accounts, playerAccount(e.Player))
			keys.States = append(keys.States, string(walletOf(e.Player)))
		}
		err = b.Store.Update(ctx, keys, func(tx Tx) error {
			if at, err := cell.Get(tx); err != nil || at != from {
				return moved(err)
			}
			for _, e := range sales[from:to] {
				if n := e.Count - refunded[e.Rank]; n > 0 {
					if err := post(tx, "bingo_refund", fmt.Sprintf("%d-%d", r.ID, e.Rank), bingoAccountOf(r.ID),
						playerAccount(e.Player), e.Price*money.Cents(n)); err != nil {
						return err
					}
					if err := touchWallet(tx, e.Player); err != nil {
						return err
					}
				}
			}
			cell.Put(tx, to)
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// RecordFault records that a terminal fails while a round runs (reading B11).
func (b *Bingo) RecordFault(ctx context.Context, a BingoAct, id bingo.RoundID, t bingo.TerminalID, what string) error {
	cell := bingoRoundCell(id)
	keys := a.keys("fault", []any{id, t, what}, string(cell))
	_, err := Do(ctx, b.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, a.By, TendBingo); err != nil {
			return struct{}{}, err
		}
		r, err := cell.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		events, err := r.RecordFault(t, what, a.By)
		if err != nil {
			return struct{}{}, err
		}
		cell.Put(tx, r.Apply(events[0]))
		return struct{}{}, tellBingo(tx, string(cell), events...)
	})
	return err
}

// RefundFault refunds the cards that a player bought at a terminal whose fault was recorded
// in the round, but for those that won (reading B11).
func (b *Bingo) RefundFault(ctx context.Context, a BingoAct, id bingo.RoundID, t bingo.TerminalID, who player.ID) error {
	b.mu.Lock() // no ball is drawn meanwhile
	defer b.mu.Unlock()
	cell, sale, hand := bingoRoundCell(id), bingoSaleCell(id), bingoHandCell(id, who)
	keys := a.keys("refund", []any{id, t, who}, string(cell), string(sale), string(hand), string(walletOf(who)))
	keys.Accounts = []ledger.Path{bingoAccountOf(id), houseBingo, playerAccount(who)}
	_, err := Do(ctx, b.Store, keys, func(tx Tx) (struct{}, error) {
		return struct{}{}, b.refundFault(tx, a, id, t, who)
	})
	if err == nil {
		b.live = nil // the board is made again, without these cards
	}
	return err
}

func (b *Bingo) refundFault(tx Tx, a BingoAct, id bingo.RoundID, t bingo.TerminalID, who player.ID) error {
	if err := requireBy(tx, a.By, TendBingo); err != nil {
		return err
	}
	sale, hand := bingoSaleCell(id), bingoHandCell(id, who)
	r, err := bingoRoundCell(id).Get(tx)
	if err != nil {
		return err
	}
	s, err := sale.Get(tx)
	if err != nil {
		return err
	}
	h, err := hand.Get(tx)
	if err != nil {
		return err
	}
	h.Gone = slices.Clone(h.Gone)
	refused, done := error(bingo.ErrNoRefund.With("player %d bought nothing at terminal %d", who, t)), false
	for _, bought := range h.Bought {
		if bought.Terminal != t {
			continue
		}
		events, err := r.Refund(bought, h.Gone, a.By)
		if err != nil {
			refused = err
			continue
		}
		e := events[0].(bingo.CardsRefunded)
		from := bingoAccountOf(id)
		if e.House {
			from = houseBingo
		}
		if err := post(tx, "bingo_refund", fmt.Sprintf("%d-%d", id, e.Rank), from, playerAccount(who), e.Amount); err != nil {
			return err
		}
		s, done = s.Apply(e), true
		h.Gone = append(h.Gone, e.Places...)
		if err := tellBingo(tx, string(sale), e); err != nil {
			return err
		}
	}
	if !done {
		return refused
	}
	sale.Put(tx, s)
	hand.Put(tx, h)
	return touchWallet(tx, who)
}
