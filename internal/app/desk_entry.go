package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// A DeskAct is what an entry of a desk does.
type DeskAct string

// What entries do.
const (
	Load   DeskAct = "load"
	PayOut DeskAct = "payout"
	Undo   DeskAct = "undo"
)

// A DeskEntry is one movement at a desk: the payload of its event, and what a receipt says.
type DeskEntry struct {
	Desk     DeskID  `json:"desk"`
	Number   int64   `json:"number"` // in the desk, dense from 1 over all its drawers
	Drawer   int64   `json:"drawer"`
	Act      DeskAct `json:"act"`
	Undoes   int64   `json:"undoes,omitempty"` // number of the entry that an undo takes back
	Was      DeskAct `json:"was,omitempty"`    // what that entry did
	Means    Means   `json:"means"`
	Document string  `json:"document,omitempty"` // kind of identity document seen for a cheque or a transfer
	// Reference is the number of the cheque that pays, or of the order to the bank.
	Reference string      `json:"reference,omitempty"`
	Player    player.ID   `json:"player"`
	Amount    money.Cents `json:"amount"`
	// Balance is what the player can be told to have afterwards: without the prize of a
	// unit that is still covered (reading I6).
	Balance  money.Cents `json:"balance"`
	Cashier  player.ID   `json:"cashier"`
	At       time.Time   `json:"at"`
	Movement int64       `json:"movement"` // identifier in the ledger
	Event    uint64      `json:"-"`        // number in the stream of the desk
}

// Ref is the number that a receipt shows, such as "1-17": desk and entry.
func (e DeskEntry) Ref() string { return entryRef(e.Desk, e.Number) }

func entryRef(d DeskID, n int64) string { return fmt.Sprintf("%d-%d", d, n) }

// A DeskOrder is what a cashier does to a player's account.
type DeskOrder struct {
	Request RequestID
	Cashier player.ID
	Player  player.ID
	Means   Means // of a pay-out in cash it may be empty
	// Document is the kind of identity document seen; a cheque and a transfer need one.
	Document string
	// Reference is the number of the cheque or of the order to the bank that pays a player.
	Reference string
	Amount    money.Cents
}

// MaxReference bounds a reference, so that no account number of a player fits in.
const MaxReference = 20

// check refuses what no state of the house could allow.
func (o DeskOrder) check(means []Means) error {
	if o.Amount <= 0 || o.Amount > MaxDeskAmount {
		return ErrDeskAmount.With("%s EUR", o.Amount)
	}
	if !slices.Contains(means, o.Means) {
		return ErrMeans.With("means %q", o.Means)
	}
	if o.Document != "" && !slices.Contains(Documents, o.Document) {
		return ErrDocument.With("document %q", o.Document)
	}
	if (o.Means == Cheque || o.Means == Transfer) && o.Document == "" {
		return ErrDocument.With("%s without an identity document", o.Means)
	}
	return nil
}

// Load puts money that a player hands over into the player's account (std:11, std:12).
func (d Desk) Load(ctx context.Context, o DeskOrder) (DeskEntry, error) {
	o.Reference = ""
	if err := o.check(AllMeans); err != nil {
		return DeskEntry{}, err
	}
	return d.enter(ctx, o, Load)
}

// PayOut gives a player money out of the account, never more than there is in it (bingo:93.14):
// cash, never more than the drawer holds, or a cheque or a transfer of the house's bank to
// somebody whose identity document was seen. The unit in play is uncovered first, also when
// the rest is refused (reading I6).
func (d Desk) PayOut(ctx context.Context, o DeskOrder) (DeskEntry, error) {
	if o.Reference = strings.TrimSpace(o.Reference); o.Means == Cash || o.Means == "" {
		o.Means, o.Document, o.Reference = Cash, "", ""
	}
	if err := o.check(PayMeans); err != nil {
		return DeskEntry{}, err
	}
	if n := len(o.Reference); o.Means != Cash && (n == 0 || n > MaxReference) {
		return DeskEntry{}, ErrReference.With("%s with the reference %q", o.Means, o.Reference)
	}
	if err := d.uncover(ctx, o.Cashier, o.Player); err != nil {
		return DeskEntry{}, err
	}
	return d.enter(ctx, o, PayOut)
}

// uncover uncovers what a player has in play, at the word of a cashier.
func (d Desk) uncover(ctx context.Context, cashier, who player.ID) error {
	keys := Keys{States: []string{string(standingOf(cashier)), string(walletOf(who))}}
	return d.Store.Update(ctx, keys, func(tx Tx) error {
		if err := requireBy(tx, cashier, WorkDesk); err != nil {
			return err
		}
		return uncoverInside(tx, who, UnitRef{})
	})
}

// held returns the desk whose drawer a cashier has.
func (d Desk) held(ctx context.Context, cashier player.ID) (DeskID, error) {
	desk, _, err := drawerOf(cashier).Read(ctx, d.Store)
	return desk, err
}

// deskKeys name what an entry of a desk may touch.
func deskKeys(r Request, desk DeskID, m Means, cashier, who player.ID) Keys {
	keys := Keys{
		Request: r,
		States: []string{string(deskCell(desk)), string(drawerOf(cashier)), string(standingOf(cashier)),
			string(standingOf(who)), string(walletOf(who)), string(limitsOf(who))},
		Accounts: []ledger.Path{deskAccount(desk, m), playerAccount(who)},
	}
	if m != Cash {
		keys.Accounts = append(keys.Accounts, bankAccount)
	}
	return keys
}

func (d Desk) enter(ctx context.Context, o DeskOrder, act DeskAct) (DeskEntry, error) {
	params := []any{o.Player, o.Means, o.Document, o.Amount}
	if o.Reference != "" {
		params = append(params, o.Reference)
	}
	request := NewRequest(o.Request, "person/"+o.Cashier.String(), "desk/"+string(act), params)
	return again(func() (DeskEntry, error) {
		desk, err := d.held(ctx, o.Cashier)
		if err != nil {
			return DeskEntry{}, err
		}
		keys := deskKeys(request, desk, o.Means, o.Cashier, o.Player)
		return Do(ctx, d.Store, keys, func(tx Tx) (DeskEntry, error) {
			s, err := openDesk(tx, desk, o.Cashier)
			if err != nil {
				return DeskEntry{}, err
			}
			if err := checkServed(tx, o.Player, act); err != nil {
				return DeskEntry{}, err
			}
			if act == Load {
				if err := d.countDeposit(tx, o.Player, o.Amount); err != nil {
					return DeskEntry{}, err
				}
			}
			return write(tx, s, DeskEntry{Desk: desk, Act: act, Means: o.Means, Document: o.Document, Reference: o.Reference,
				Player: o.Player, Amount: o.Amount, Cashier: o.Cashier})
		})
	})
}

// openDesk returns the state of a desk whose open drawer the cashier holds, or why the
// cashier may not act there; errMoved if the drawer of the keys is another by now.
func openDesk(tx Tx, desk DeskID, cashier player.ID) (DeskState, error) {
	if err := requireBy(tx, cashier, WorkDesk); err != nil {
		return DeskState{}, err
	}
	if held, err := drawerOf(cashier).Get(tx); err != nil || held != desk {
		return DeskState{}, moved(err)
	}
	if desk == 0 {
		return DeskState{}, ErrDrawerClosed.With("person %d has no drawer open", cashier)
	}
	return deskCell(desk).Get(tx)
}

// checkServed refuses whoever has no account to serve. A closed account is paid out and
// takes no more money (std:10).
func checkServed(tx Tx, who player.ID, act DeskAct) error {
	s, err := standingOf(who).Get(tx)
	if err != nil {
		return err
	}
	if !s.Is(Player) {
		return ErrPlayerUnknown.With("person %d has %v", who, s.Roles)
	}
	if s.Status != Active && act == Load {
		return ErrPlayerClosed.With("the account of person %d is closed", who)
	}
	return nil
}

// write carries out an entry: the money, what the player is shown, the event.
func write(tx Tx, s DeskState, e DeskEntry) (DeskEntry, error) {
	own, drawer := playerAccount(e.Player), deskAccount(e.Desk, e.Means)
	e.Drawer, e.Number, e.At = s.Drawer, s.Entries+1, tx.Now()
	from, to := drawer, own
	if e.Act == PayOut || e.Was == Load {
		if err := uncoverInside(tx, e.Player, UnitRef{}); err != nil {
			return e, err
		}
		from, to = own, drawer
	}
	moves := []ledger.Movement{{From: from, To: to, Amount: ledger.Euros(e.Amount)}}
	if banked := e.Means != Cash && (e.Act == PayOut || e.Was == PayOut); banked {
		// The bank pays, not the drawer: what goes through the desk leaves nothing there.
		if e.Act == PayOut {
			moves = append(moves, ledger.Movement{From: drawer, To: bankAccount, Amount: ledger.Euros(e.Amount)})
		} else {
			moves = append([]ledger.Movement{{From: bankAccount, To: drawer, Amount: ledger.Euros(e.Amount)}}, moves...)
		}
	}
	var err error
	e.Movement, err = tx.Post(Posting{Kind: string(e.Act), Ref: e.postingRef(), Moves: moves})
	if short, ok := errors.AsType[*ledger.Short](err); ok {
		return e, ErrBalanceShort.With("%s lacks %s EUR", short.Path, money.Cents(short.Missing))
	}
	if err != nil {
		return e, err
	}
	if cash, err := tx.Account(drawer); err != nil {
		return e, err
	} else if cash.Balance > 0 {
		return e, ErrDrawerShort.With("the drawer lacks %s EUR", money.Cents(cash.Balance))
	}
	if err := touchWallet(tx, e.Player); err != nil {
		return e, err
	}
	if e.Balance, err = shown(tx, e.Player); err != nil {
		return e, err
	}
	if e.Event, err = appendNumbered(tx, string(deskCell(e.Desk)), "desk_"+string(e.Act), e); err != nil {
		return e, err
	}
	s.Entries, s.Last = e.Number, &e
	deskCell(e.Desk).Put(tx, s)
	return e, nil
}

// postingRef names the entry in the ledger, and the one that it takes back.
func (e DeskEntry) postingRef() string {
	if e.Undoes != 0 {
		return e.Ref() + " undoes " + entryRef(e.Desk, e.Undoes)
	}
	return e.Ref()
}

// shown is what a player may be told of the balance inside a transaction.
func shown(tx Tx, who player.ID) (money.Cents, error) {
	a, err := tx.Account(playerAccount(who))
	if err != nil {
		return 0, err
	}
	w, err := walletOf(who).Get(tx)
	return money.Cents(a.Balance) - w.Prize, err
}
