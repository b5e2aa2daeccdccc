package app

import (
	"context"
	"time"

	"boulier/game/bingo"
	"boulier/player"
)

// A BingoAccount is an electronic account with the digest of its PIN.
type BingoAccount struct {
	bingo.Account
	PIN string // under argon2id, in the PHC form
}

func bingoAccountCell(id bingo.AccountID) snakeCell[BingoAccount] {
	return snakeCell[BingoAccount](bingoAccountPrefix + number(id))
}

// tell applies and appends events of an account.
func (a *BingoAccount) tell(tx Tx, events []bingo.Event) error {
	for _, e := range events {
		a.Account = a.Apply(e)
	}
	bingoAccountCell(a.ID).Put(tx, *a)
	return tellBingo(tx, string(bingoAccountCell(a.ID)), events...)
}

// Account returns an electronic account; ErrNotFound if there is none.
func (b *Bingo) Account(ctx context.Context, id bingo.AccountID) (BingoAccount, error) {
	a, _, err := readSnake(ctx, b.Store, bingoAccountCell(id))
	return a, err
}

// OpenAccount opens the electronic account of a player, or an anonymous one for an adult who
// gives no name when of is 0 (bingo:93.2). The account has the number of its player, whose
// money a desk loads and pays out (bingo:93.14).
func (b *Bingo) OpenAccount(ctx context.Context, a BingoAct, of player.ID) (bingo.AccountID, error) {
	return again(func() (bingo.AccountID, error) {
		who := of
		if who == 0 {
			var err error
			if who, err = nextPersonID(ctx, b.Store); err != nil {
				return 0, err
			}
		}
		id := bingo.AccountID(who)
		keys := a.keys("account", of, string(nextPerson), string(standingOf(who)), string(bingoAccountCell(id)), string(rulesCell))
		return Do(ctx, b.Store, keys, func(tx Tx) (bingo.AccountID, error) {
			if err := requireBy(tx, a.By, WorkDesk); err != nil {
				return 0, err
			}
			if of == 0 {
				if err := anonymous(tx, who, a.By); err != nil {
					return 0, err
				}
			} else if err := checkServed(tx, who, Load); err != nil {
				return 0, err
			}
			var account BingoAccount
			return id, account.tell(tx, bingo.OpenAccount(id, who, a.By))
		})
	})
}

// anonymous registers a player of whom nothing is known but a number; who opens the account
// has seen that the person is of age and accepts the rules.
func anonymous(tx Tx, who, by player.ID) error {
	n, err := next(tx, nextPerson)
	if err != nil || player.ID(n) != who {
		return moved(err)
	}
	rules, err := rulesCell.Get(tx)
	if err != nil {
		return err
	}
	s := Standing{Roles: []Role{Player}, Status: Active, Rules: rules.InForce()}
	standingOf(who).Put(tx, s)
	return standingOf(who).Append(tx, "person_registered", personRegistered{who, s.Roles, s.Rules, by.String()})
}

// onAccount runs one act of a cashier on an account.
func (b *Bingo) onAccount(ctx context.Context, a BingoAct, id bingo.AccountID, name string, params any,
	decide func(tx Tx, x *BingoAccount) ([]bingo.Event, error)) error {
	keys := a.keys(name, []any{id, params}, string(bingoAccountCell(id)), string(bingoSession))
	_, err := Do(ctx, b.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, a.By, WorkDesk); err != nil {
			return struct{}{}, err
		}
		x, err := bingoAccountCell(id).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		events, err := decide(tx, &x)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, x.tell(tx, events)
	})
	return err
}

// IssuePIN gives the account a PIN that holds for the day of the session (bingo:93.3), and
// returns it: six digits, shown this once. Only its digest is kept.
func (b *Bingo) IssuePIN(ctx context.Context, a BingoAct, id bingo.AccountID) (string, error) {
	var pin string
	for raw := [1]byte{}; len(pin) < 6; {
		if b.Entropy(raw[:]); raw[0] < 250 {
			pin += string('0' + rune(raw[0]%10))
		}
	}
	hash, err := HashPassword(b.Entropy, pin)
	if err != nil {
		return "", err
	}
	fresh := false
	err = b.onAccount(ctx, a, id, "pin", nil, func(tx Tx, x *BingoAccount) ([]bingo.Event, error) {
		s, err := bingoSession.Get(tx)
		if err != nil {
			return nil, err
		}
		events, err := x.IssuePIN(b.pinDay(s, tx.Now()), a.By)
		x.PIN, fresh = hash, true
		return events, err
	})
	if !fresh {
		pin = ""
	}
	return pin, err
}

// pinDay is the session day for which a PIN is given or asked: that of the open session, which
// may go on after midnight; before it opens, the day on which it can.
func (b *Bingo) pinDay(s bingo.Session, now time.Time) string {
	if s.Open {
		return s.Day
	}
	return now.In(b.Zone).Format(day)
}

// BlockAccount makes a lost card worthless.
func (b *Bingo) BlockAccount(ctx context.Context, a BingoAct, id bingo.AccountID, reason string) error {
	return b.onAccount(ctx, a, id, "block", reason, func(_ Tx, x *BingoAccount) ([]bingo.Event, error) {
		return x.Block(a.By, reason)
	})
}

// ReissueCard makes a new card for a blocked account; it needs a new PIN.
func (b *Bingo) ReissueCard(ctx context.Context, a BingoAct, id bingo.AccountID) error {
	return b.onAccount(ctx, a, id, "reissue", nil, func(_ Tx, x *BingoAccount) ([]bingo.Event, error) {
		return x.Reissue(a.By)
	})
}

// A BingoEntry is an account presented at a terminal.
type BingoEntry struct {
	Terminal bingo.TerminalID
	Account  bingo.AccountID
	Card     int
	PIN      string
}

// Enter presents an account at a terminal (bingo:93.3); it leaves any other. A wrong PIN is
// journaled as well as refused, and the third locks the account.
func (b *Bingo) Enter(ctx context.Context, e BingoEntry) error {
	cell := bingoAccountCell(e.Account)
	_, err := again(func() (struct{}, error) {
		seen, _, err := readSnake(ctx, b.Store, cell)
		if err == ErrNotFound {
			return struct{}{}, bingo.ErrNoAccount.With("account %d", e.Account)
		}
		if err != nil {
			return struct{}{}, err
		}
		right := CheckPassword(seen.PIN, e.PIN)
		var refused error
		keys := Keys{States: []string{string(cell), string(bingoSession), string(bingoTerminalCell(e.Terminal))}}
		if err := b.Store.Update(ctx, keys, func(tx Tx) error {
			x, err := cell.Get(tx)
			if err != nil || x.PIN != seen.PIN {
				return moved(err)
			}
			t, err := bingoTerminalCell(e.Terminal).Get(tx)
			if err != nil {
				return err
			}
			if t.ID == 0 {
				return ErrBingoTerminal.With("terminal %d", e.Terminal)
			}
			if t.Revoked {
				return ErrBingoRevoked.With("terminal %d", e.Terminal)
			}
			s, err := bingoSession.Get(tx)
			if err != nil {
				return err
			}
			var events []bingo.Event
			events, refused = x.Enter(bingo.Entry{Terminal: e.Terminal, Card: e.Card, Day: b.pinDay(s, tx.Now()), Right: right})
			if len(events) == 0 {
				return refused
			}
			return x.tell(tx, events)
		}); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, refused
	})
	return err
}

// Leave takes an account out of a terminal.
func (b *Bingo) Leave(ctx context.Context, id bingo.AccountID, t bingo.TerminalID) error {
	cell := bingoAccountCell(id)
	return b.Store.Update(ctx, Keys{States: []string{string(cell)}}, func(tx Tx) error {
		x, err := cell.Get(tx)
		if err != nil {
			return err
		}
		events, err := x.Leave(t)
		if err != nil {
			return err
		}
		return x.tell(tx, events)
	})
}
