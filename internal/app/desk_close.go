package app

import (
	"context"
	"strconv"
	"time"

	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// A Count is what a cashier counted at the end, by means: coins and notes, card slips,
// cheques.
type Count struct {
	Cash   money.Cents `json:"cash"`
	Card   money.Cents `json:"card"`
	Cheque money.Cents `json:"cheque"`
}

func (c Count) by(m Means) money.Cents {
	switch m {
	case Cash:
		return c.Cash
	case Card:
		return c.Card
	}
	return c.Cheque
}

// A DrawerClosing is a cashier's wish to end.
type DrawerClosing struct {
	Request RequestID
	Cashier player.ID
	Counted Count
}

// A DrawerLine is one means of a closed drawer. The difference is what is there too much,
// negative for what is missing.
type DrawerLine struct {
	Means      Means       `json:"means"`
	Due        money.Cents `json:"due"`
	Counted    money.Cents `json:"counted"`
	Difference money.Cents `json:"difference"`
}

// A DrawerReport is a closed drawer: the payload of its event.
type DrawerReport struct {
	Desk     DeskID       `json:"desk"`
	Drawer   int64        `json:"drawer"`
	Cashier  player.ID    `json:"cashier"`
	OpenedAt time.Time    `json:"opened_at"`
	ClosedAt time.Time    `json:"closed_at"`
	Float    money.Cents  `json:"float"`
	Entries  int64        `json:"entries"`
	Lines    []DrawerLine `json:"lines"`
}

// reconcile holds what was counted beside what is due by one means, and returns the
// movements that bring the account of the desk to zero: the difference, gained or lost by
// the house, and all that was counted to the bank.
func reconcile(desk DeskID, m Means, due, counted money.Cents) (line DrawerLine, difference, handed *ledger.Movement) {
	line = DrawerLine{Means: m, Due: due, Counted: counted, Difference: counted - due}
	account := deskAccount(desk, m)
	switch {
	case line.Difference > 0:
		difference = &ledger.Movement{From: account, To: differencesAccount, Amount: ledger.Euros(line.Difference)}
	case line.Difference < 0:
		difference = &ledger.Movement{From: differencesAccount, To: account, Amount: ledger.Euros(-line.Difference)}
	}
	if counted > 0 {
		handed = &ledger.Movement{From: bankAccount, To: account, Amount: ledger.Euros(counted)}
	}
	return line, difference, handed
}

// Close closes a drawer: what was counted goes to the bank, what is too much or missing is
// recorded as a movement of its own, and the desk owes nothing any more (peers: a daily
// report that matches the cash drawer). A closed drawer takes no entry and no undo.
func (d Desk) Close(ctx context.Context, c DrawerClosing) (DrawerReport, error) {
	for _, m := range AllMeans {
		if n := c.Counted.by(m); n < 0 || n > 1000*MaxDeskAmount {
			return DrawerReport{}, ErrDeskAmount.With("counted %s EUR in %s", n, m)
		}
	}
	request := NewRequest(c.Request, "person/"+c.Cashier.String(), "desk/close", c.Counted)
	return again(func() (DrawerReport, error) {
		desk, err := d.held(ctx, c.Cashier)
		if err != nil {
			return DrawerReport{}, err
		}
		keys := Keys{Request: request,
			States: []string{string(deskCell(desk)), string(drawerOf(c.Cashier)), string(standingOf(c.Cashier))},
			Accounts: []ledger.Path{deskAccount(desk, Cash), deskAccount(desk, Card), deskAccount(desk, Cheque),
				bankAccount, differencesAccount}}
		return Do(ctx, d.Store, keys, func(tx Tx) (DrawerReport, error) {
			s, err := openDesk(tx, desk, c.Cashier)
			if err != nil {
				return DrawerReport{}, err
			}
			return closeDrawer(tx, desk, s, c)
		})
	})
}

func closeDrawer(tx Tx, desk DeskID, s DeskState, c DrawerClosing) (DrawerReport, error) {
	r := DrawerReport{Desk: desk, Drawer: s.Drawer, Cashier: c.Cashier, OpenedAt: s.OpenedAt,
		ClosedAt: tx.Now(), Float: s.Float, Entries: s.Entries - s.First + 1}
	ref := desk.String() + "/" + strconv.FormatInt(s.Drawer, 10)
	for _, m := range AllMeans {
		account, err := tx.Account(deskAccount(desk, m))
		if err != nil {
			return r, err
		}
		line, difference, handed := reconcile(desk, m, money.Cents(-account.Balance), c.Counted.by(m))
		r.Lines = append(r.Lines, line)
		for _, p := range []struct {
			kind string
			move *ledger.Movement
		}{{"difference", difference}, {"handed_over", handed}} {
			if p.move == nil {
				continue
			}
			if _, err := tx.Post(Posting{Kind: p.kind, Ref: ref, Moves: []ledger.Movement{*p.move}}); err != nil {
				return r, err
			}
		}
	}
	n, err := appendNumbered(tx, string(deskCell(desk)), "drawer_closed", r)
	if err != nil {
		return r, err
	}
	deskCell(desk).Put(tx, DeskState{Drawer: s.Drawer, Entries: s.Entries, Closing: n})
	drawerOf(c.Cashier).Remove(tx)
	return r, nil
}
