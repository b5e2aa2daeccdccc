package app

import (
	"context"

	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// Purse is what a player is shown of the money.
type Purse struct {
	Shown   money.Cents // without the prize of a covered unit (reading I6)
	Version int64       // of what is shown; the number of the live fact
	Covered UnitRef     // the unit in play, zero for none
}

// Purse returns what a player is shown of the money, at one moment.
func (g *Ground) Purse(ctx context.Context, who player.ID) (Purse, error) {
	account, state, err := g.Store.AccountAndState(ctx, playerAccount(who), string(walletOf(who)))
	if err != nil {
		return Purse{}, err
	}
	var w Wallet
	if len(state) > 0 {
		v, err := decodeCell[Wallet](state)
		if err != nil {
			return Purse{}, err
		}
		w = v.(Wallet)
	}
	return Purse{money.Cents(account.Balance) - w.Prize, w.Version, w.Covered}, nil
}

// Uncovering is a player's wish to see a unit whole.
type Uncovering struct {
	Request RequestID // zero when the program does it, for a history that is opened
	Player  player.ID
	Unit    UnitRef // zero: whichever is in play
}

// Uncover ends the play of the unit that a player has in play, and shows its prize in the
// balance (instant:4.4.auto, instant:4.4.interrupted). Nothing is decided by it: the prize
// was in the account since the sale. A unit that is not in play is left as it is.
func (i *Instant) Uncover(ctx context.Context, u Uncovering) error {
	cell := walletOf(u.Player)
	// The account is only read: the live balance is told with both.
	keys := Keys{States: []string{string(cell)}, Accounts: []ledger.Path{playerAccount(u.Player)}}
	if u.Request != (RequestID{}) {
		keys.Request = NewRequest(u.Request, "person/"+u.Player.String(), "instant/uncover", u.Unit)
	}
	_, err := Do(ctx, i.Store, keys, func(tx Tx) (struct{}, error) {
		return struct{}{}, uncoverInside(tx, u.Player, u.Unit)
	})
	return err
}

// uncoverInside uncovers inside a transaction whose keys name the wallet.
func uncoverInside(tx Tx, who player.ID, unit UnitRef) error {
	w, err := walletOf(who).Get(tx)
	if err != nil || w.Covered == (UnitRef{}) || unit != (UnitRef{}) && unit != w.Covered {
		return err
	}
	walletOf(who).Put(tx, Wallet{Version: w.Version + 1})
	return walletOf(who).Append(tx, "unit_uncovered", w.Covered)
}

// Settle uncovers whatever a player has in play: the history, the statement, limits and
// withdrawals begin with it (reading I6).
func (i *Instant) Settle(ctx context.Context, who player.ID) error {
	p, err := i.Purse(ctx, who)
	if err != nil || p.Covered == (UnitRef{}) {
		return err
	}
	return i.Uncover(ctx, Uncovering{Player: who})
}

// touchWallet raises the version of what is shown, when money moves otherwise than by play.
// The keys name the wallet.
func touchWallet(tx Tx, who player.ID) error {
	w, err := walletOf(who).Get(tx)
	if err != nil {
		return err
	}
	w.Version++
	walletOf(who).Put(tx, w)
	return nil
}

// Statement returns the movements of a player's account before a cursor, newest first. The
// unit in play is uncovered first, so that the statement adds up to what is shown.
func (i *Instant) Statement(ctx context.Context, who player.ID, before Cursor, limit int) ([]Movement, error) {
	if err := i.Settle(ctx, who); err != nil {
		return nil, err
	}
	return i.Store.Movements(ctx, playerAccount(who), before, limit)
}

// Held is what the house holds for all players (std:27).
func (g *Ground) Held(ctx context.Context) (money.Cents, error) {
	accounts, err := g.Store.Accounts(ctx, "player:")
	if err != nil {
		return 0, err
	}
	var sum money.Cents
	for _, a := range accounts {
		if a.Unit == ledger.EUR {
			sum += money.Cents(a.Balance)
		}
	}
	return sum, nil
}
