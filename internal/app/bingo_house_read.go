package app

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"boulier/game/bingo"
	"boulier/journal"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// A BingoPurse is an electronic account with its money, as a cash desk sees it.
type BingoPurse struct {
	BingoAccount
	Name    string      // shown to others; empty for an anonymous account
	Balance money.Cents // what can be played or paid out, without the prize of a covered unit
	Held    money.Cents // prizes of a round that is not over (reading B10)
	MovedAt time.Time   // of the last movement, zero if there was none
}

// Anonymous reports whether nothing is known of the holder.
func (p BingoPurse) Anonymous() bool { return p.Name == "" }

// Purse returns an electronic account with its money; ErrNotFound if there is none.
func (b *Bingo) Purse(ctx context.Context, id bingo.AccountID) (BingoPurse, error) {
	a, err := b.Account(ctx, id)
	if err != nil {
		return BingoPurse{}, err
	}
	p := BingoPurse{BingoAccount: a}
	if p.Name, err = b.NameOf(ctx, a.Player); err != nil {
		return p, err
	}
	own, err := b.Ground.Purse(ctx, a.Player)
	if err != nil {
		return p, err
	}
	held, err := b.Store.Account(ctx, heldAccount(a.Player))
	if err != nil {
		return p, err
	}
	p.Balance, p.Held = own.Shown, money.Cents(held.Balance)
	p.MovedAt, err = b.movedAt(ctx, a.Player)
	return p, err
}

// movedAt returns when the money of a player moved last.
func (b *Bingo) movedAt(ctx context.Context, who player.ID) (time.Time, error) {
	last, err := b.Store.Movements(ctx, playerAccount(who), Cursor{}, 1)
	if err != nil || len(last) == 0 {
		return time.Time{}, err
	}
	return last[0].At, nil
}

// PINDay returns the session day for which a PIN that is given now holds.
func (b *Bingo) PINDay(ctx context.Context) (string, error) {
	s, err := b.Session(ctx)
	return b.pinDay(s, b.Now()), err
}

// Idle returns the electronic accounts that hold money and whose money has not moved since a
// moment, the one that rests longest first. The money stays the holder's.
func (b *Bingo) Idle(ctx context.Context, since time.Time) ([]BingoPurse, error) {
	accounts, err := readSnakes[BingoAccount](ctx, b.Store, bingoAccountPrefix)
	if err != nil {
		return nil, err
	}
	balances, err := b.Store.Accounts(ctx, "player:")
	if err != nil {
		return nil, err
	}
	has := map[ledger.Path]money.Cents{}
	for _, a := range balances {
		if a.Unit == ledger.EUR {
			has[a.Path] = money.Cents(a.Balance)
		}
	}
	var list []BingoPurse
	for _, a := range accounts {
		p := BingoPurse{BingoAccount: a, Balance: has[playerAccount(a.Player)], Held: has[heldAccount(a.Player)]}
		if p.Balance == 0 {
			continue
		}
		own, err := b.Ground.Purse(ctx, a.Player)
		if err != nil {
			return nil, err
		}
		p.Balance = own.Shown
		if p.MovedAt, err = b.movedAt(ctx, a.Player); err != nil {
			return nil, err
		}
		if p.MovedAt.Before(since) {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b BingoPurse) int { return a.MovedAt.Compare(b.MovedAt) })
	for i := range list {
		if list[i].Name, err = b.NameOf(ctx, list[i].Player); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// FindAccount returns the electronic account that a cashier asks for: by its card, by its
// number, or by the sign-in name of its player. A card that was replaced is refused.
func (b *Bingo) FindAccount(ctx context.Context, text string) (bingo.AccountID, error) {
	text = strings.TrimSpace(text)
	if card, ok := ParseBingoCard(text); ok {
		a, err := b.Account(ctx, card.Account)
		switch {
		case errors.Is(err, ErrNotFound):
			return 0, bingo.ErrNoAccount.With("account %d", card.Account)
		case err == nil && card.Card != a.Card:
			return 0, bingo.ErrBlocked.With("card %d, good is %d", card.Card, a.Card)
		}
		return card.Account, err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	id := bingo.AccountID(n)
	if err != nil {
		row, err := b.Store.PersonBySignIn(ctx, Fold(text))
		if errors.Is(err, ErrNotFound) {
			return 0, bingo.ErrNoAccount.With("no sign-in name %q", Fold(text))
		}
		if err != nil {
			return 0, err
		}
		id = bingo.AccountID(row.ID)
	}
	_, err = b.Account(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return 0, bingo.ErrNoAccount.With("account %d", id)
	}
	return id, err
}

// A BingoDay is a day of play as its minutes tell it.
type BingoDay struct {
	Day              string
	OpenedAt         time.Time
	ClosedAt         time.Time // zero while it is open
	OpenedBy, Closer player.ID
	Facts            []BingoFact
	Rounds           []BingoDayRound
}

// A BingoDayRound is a round of a day.
type BingoDayRound struct {
	ID     bingo.RoundID
	Number int
	Last   bool
	Void   bool
	Ended  bool
	At     time.Time // when it was taken
}

// A BingoFact is an event with its time.
type BingoFact struct {
	At    time.Time
	Event bingo.Event
}

// bingoDays says where each day begins in the stream of the session.
type bingoDays struct{ List []bingoDayAt }

type bingoDayAt struct {
	Day   string
	After int64 // number of the event before the one that opened it
}

const bingoDaysCell snakeCell[bingoDays] = "bingo/days"

// noteDay says where a day that opens begins.
func noteDay(tx Tx, day string, opening uint64) error {
	l, err := bingoDaysCell.Get(tx)
	if err != nil {
		return err
	}
	bingoDaysCell.Put(tx, bingoDays{append(slices.Clip(l.List), bingoDayAt{day, int64(opening) - 1})})
	return nil
}

// Days returns the days of play, newest first.
func (b *Bingo) Days(ctx context.Context) ([]string, error) {
	l, _, err := readSnake(ctx, b.Store, bingoDaysCell)
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	list := make([]string, 0, len(l.List))
	for _, d := range slices.Backward(l.List) {
		list = append(list, d.Day)
	}
	return list, err
}

// Day returns a day of play from the journal; ErrNotFound if there is none.
func (b *Bingo) Day(ctx context.Context, day string) (BingoDay, error) {
	l, _, err := readSnake(ctx, b.Store, bingoDaysCell)
	if err != nil {
		return BingoDay{}, err
	}
	i := slices.IndexFunc(l.List, func(d bingoDayAt) bool { return d.Day == day })
	if i < 0 {
		return BingoDay{}, ErrNotFound
	}
	d := BingoDay{Day: day}
	err = b.eachEvent(ctx, string(bingoSession), uint64(l.List[i].After), func(leaf journal.Leaf, payload []byte) error {
		e, err := factOf(bingoKinds, string(leaf.Kind), payload)
		if err != nil || e == nil {
			return err
		}
		if opened, ok := e.(bingo.SessionOpened); ok && opened.Day != day {
			return errStopped
		}
		d.tell(leaf.At, e)
		return nil
	})
	if errors.Is(err, errStopped) {
		err = nil
	}
	return d, err
}

// tell adds an event of the session to the day.
func (d *BingoDay) tell(at time.Time, e bingo.Event) {
	d.Facts = append(d.Facts, BingoFact{at, e})
	switch e := e.(type) {
	case bingo.SessionOpened:
		d.OpenedAt, d.OpenedBy = at, e.By
	case bingo.RoundStarted:
		d.Rounds = append(d.Rounds, BingoDayRound{ID: e.Round, Number: e.Number, Last: e.Last, At: at})
	case bingo.RoundFinished:
		for i := range d.Rounds {
			if d.Rounds[i].ID == e.Round {
				d.Rounds[i].Ended, d.Rounds[i].Void = true, e.Void
			}
		}
	case bingo.SessionClosed:
		d.ClosedAt, d.Closer = at, e.By
	}
}

// A BingoRecord is a round as the journal and the ledger hold it: every card in the order of
// sale, every ball, every share, every cent (bingo:93.7).
type BingoRecord struct {
	Round bingo.Round
	Sale  bingo.Sale
	Sold  []BingoSold
	Gone  []bingo.CardsRefunded
	Facts []BingoFact // of the round
	Moves []Movement  // of its account, oldest first
}

// A BingoSold is a purchase with its time.
type BingoSold struct {
	At time.Time
	bingo.CardsSold
}

// Record returns a round whole; ErrNotFound if there is none.
func (b *Bingo) Record(ctx context.Context, id bingo.RoundID) (r BingoRecord, err error) {
	if r.Round, _, err = b.Round(ctx, id); err != nil {
		return r, err
	}
	if r.Sale, err = b.Sale(ctx, id); err != nil {
		return r, err
	}
	if err = b.eachEvent(ctx, string(bingoRoundCell(id)), 0, func(l journal.Leaf, payload []byte) error {
		e, err := factOf(bingoKinds, string(l.Kind), payload)
		if err == nil && e != nil {
			r.Facts = append(r.Facts, BingoFact{l.At, e})
		}
		return err
	}); err != nil {
		return r, err
	}
	if err = b.eachEvent(ctx, string(bingoSaleCell(id)), 0, func(l journal.Leaf, payload []byte) error {
		e, err := factOf(bingoKinds, string(l.Kind), payload)
		switch e := e.(type) {
		case bingo.CardsSold:
			r.Sold = append(r.Sold, BingoSold{l.At, e})
		case bingo.CardsRefunded:
			r.Gone = append(r.Gone, e)
		}
		return err
	}); err != nil {
		return r, err
	}
	r.Moves, err = b.allMoves(ctx, bingoAccountOf(id))
	return r, err
}

// allMoves reads every movement of an account, oldest first.
func (b *Bingo) allMoves(ctx context.Context, path ledger.Path) (list []Movement, err error) {
	before := Cursor{}
	for {
		moves, err := b.Store.Movements(ctx, path, before, 500)
		if err != nil {
			return nil, err
		}
		list = append(list, moves...)
		if len(moves) < 500 {
			slices.Reverse(list)
			return list, nil
		}
		last := moves[len(moves)-1]
		before = Cursor{At: last.ID, Line: last.Line}
	}
}

// Flow sums the movements of a kind that came into the round's account, less those that left.
func (r BingoRecord) Flow(kind string) (sum money.Cents) {
	for _, m := range r.Moves {
		switch {
		case m.Kind != kind:
		case m.To == bingoAccountOf(r.Round.ID):
			sum += money.Cents(m.Amount.Count)
		default:
			sum -= money.Cents(m.Amount.Count)
		}
	}
	return sum
}

// Prizes returns what the round's prizes and pots paid; nothing where it is void.
func (r BingoRecord) Prizes() (sum money.Cents) {
	if r.Round.Phase == bingo.Void {
		return 0
	}
	for _, w := range r.Round.Wins {
		sum += w.Amount
	}
	return sum
}
