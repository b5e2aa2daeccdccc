package app

import (
	"context"
	"fmt"

	"boulier/game/bingo"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// A BingoPurchase is a player's wish for cards, from the terminal in which the account is.
type BingoPurchase struct {
	Request  RequestID
	Account  bingo.AccountID
	Terminal bingo.TerminalID
	Round    bingo.RoundID
	Price    money.Cents
	Count    int
}

// BuyCards sells cards of a round: rank, cards, debit, fact and answer are one transaction,
// and the window is checked in it (bingo:93.4, bingo:93.6, bingo:93.8, readings B1 to B3 and
// B14). A unit of an instant lottery in play is thereby left, as by another one: its prize may
// be what the cards are paid with (reading I6). It returns the cards allotted.
func (b *Bingo) BuyCards(ctx context.Context, p BingoPurchase) (bingo.CardsSold, error) {
	who := player.ID(p.Account) // an account has the number of its player
	own, pool, hand := playerAccount(who), bingoAccountOf(p.Round), bingoHandCell(p.Round, who)
	keys := Keys{
		Request: NewRequest(p.Request, "person/"+who.String(), "bingo/buy",
			[]any{p.Account, p.Terminal, p.Round, p.Price, p.Count}),
		Accounts: []ledger.Path{own, pool},
		States: []string{string(bingoSaleCell(p.Round)), string(hand), string(bingoAccountCell(p.Account)),
			string(bingoTerminalCell(p.Terminal)), string(standingOf(who)), string(walletOf(who)),
			string(limitsOf(who)), string(rulesCell), string(disabledCell)},
	}
	return Do(ctx, b.Store, keys, func(tx Tx) (none bingo.CardsSold, err error) {
		if err := mayPlay(tx, p, who); err != nil {
			return none, err
		}
		if err := uncoverInside(tx, who, UnitRef{}); err != nil {
			return none, err
		}
		sale, err := bingoSaleCell(p.Round).Get(tx)
		if err != nil {
			return none, err
		}
		h, err := hand.Get(tx)
		if err != nil {
			return none, err
		}
		wallet, err := tx.Account(own)
		if err != nil {
			return none, err
		}
		events, err := sale.Sell(bingo.Purchase{Player: who, Terminal: p.Terminal, Price: p.Price, Count: p.Count,
			At: tx.Now(), Held: h.Cards(), Credits: money.Cents(wallet.Balance)})
		if err != nil {
			return none, err
		}
		sold := events[0].(bingo.CardsSold)
		cost := sold.Price * money.Cents(sold.Count)
		if err := b.countStake(tx, who, cost); err != nil {
			return none, err
		}
		ref := fmt.Sprintf("%d-%d", p.Round, sold.Rank)
		if err := post(tx, "bingo_stake", ref, own, pool, cost); err != nil {
			return none, err
		}
		bingoSaleCell(p.Round).Put(tx, sale.Apply(sold))
		hand.Put(tx, BingoHand{append(h.Bought[:len(h.Bought):len(h.Bought)], sold), h.Gone})
		if err := touchWallet(tx, who); err != nil {
			return none, err
		}
		return sold, tellBingo(tx, string(bingoSaleCell(p.Round)), sold)
	})
}

// mayPlay refuses whoever may not stake, and a terminal that is revoked or in which the account
// is not.
func mayPlay(tx Tx, p BingoPurchase, who player.ID) error {
	x, err := bingoAccountCell(p.Account).Get(tx)
	if err != nil {
		return err
	}
	if x.Player != who {
		return bingo.ErrNoAccount.With("account %d", p.Account)
	}
	if err := x.At(p.Terminal); err != nil {
		return err
	}
	t, err := bingoTerminalCell(p.Terminal).Get(tx)
	if err != nil {
		return err
	}
	if t.Revoked {
		return ErrBingoRevoked.With("terminal %d", p.Terminal)
	}
	s, err := standingOf(who).Get(tx)
	if err != nil {
		return err
	}
	if s.Status != Active || !May(s.Roles, Play) {
		return ErrNotPlayer.With("person %d has %v, status %s", who, s.Roles, s.Status)
	}
	if err := checkRules(tx, s.Rules); err != nil {
		return err
	}
	return checkEnabledFor(tx, All, AllBingo, PlayerTarget(who))
}
