package app

import (
	"context"
	"strconv"
	"time"

	"boulier/ledger"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// A DeskID is the number of a cash desk, from 1.
type DeskID int64

func (d DeskID) String() string { return strconv.FormatInt(int64(d), 10) }

// MaxDesks bounds the desks of a house.
const MaxDesks DeskID = 99

// Means is how money crosses a desk.
type Means string

// The means of payment.
const (
	Cash     Means = "cash"
	Card     Means = "card"
	Cheque   Means = "cheque"
	Transfer Means = "transfer" // from the bank of the house
)

// AllMeans lists the means by which a drawer takes money, in the order of reports. PayMeans
// lists those by which a player is paid: cash, a cheque or a transfer, and never goods
// (bingo:93.14).
var (
	AllMeans = []Means{Cash, Card, Cheque}
	PayMeans = []Means{Cash, Cheque, Transfer}
)

// deskAccount is what a desk must hold by one means: it runs negative by that amount.
func deskAccount(d DeskID, m Means) ledger.Path {
	return ledger.Path("desk:" + d.String() + ":" + string(m))
}

const (
	bankAccount        ledger.Path = "bank"
	differencesAccount ledger.Path = "house:differences"
)

// What a desk refuses.
var (
	ErrDeskUnknown   = &regs.Violation{Ref: "std:11", Code: "desk_unknown"}
	ErrDeskTaken     = &regs.Violation{Ref: "std:51", Code: "desk_taken"}
	ErrDrawerHeld    = &regs.Violation{Ref: "std:51", Code: "drawer_held"}
	ErrDrawerClosed  = &regs.Violation{Ref: "std:51", Code: "drawer_closed"}
	ErrDrawerShort   = &regs.Violation{Ref: "std:11", Code: "drawer_short"}
	ErrMeans         = &regs.Violation{Ref: "std:11", Code: "means_unknown"}
	ErrDeskAmount    = &regs.Violation{Ref: "std:11", Code: "desk_amount"}
	ErrDocument      = &regs.Violation{Ref: "std:11", Code: "document_missing"}
	ErrReference     = &regs.Violation{Ref: "bingo:93.14", Code: "reference_missing"}
	ErrPlayerUnknown = &regs.Violation{Ref: "std:11", Code: "player_unknown"}
	ErrPlayerClosed  = &regs.Violation{Ref: "std:10", Code: "player_closed"}
)

// MaxDeskAmount bounds one entry of a desk: beyond it somebody has mistyped.
const MaxDeskAmount money.Cents = 100_000_00

// A DeskState is the state of a desk: the drawer that is open on it, if any. It is also the
// stream of what happens there.
type DeskState struct {
	Drawer   int64       `json:"drawer"`            // drawers opened so far; the number of the open one
	Cashier  player.ID   `json:"cashier,omitempty"` // who holds the open drawer, 0 for none
	OpenedAt time.Time   `json:"opened_at,omitzero"`
	Float    money.Cents `json:"float,omitempty"`
	Entries  int64       `json:"entries"`          // entries of this desk so far, over all drawers
	First    int64       `json:"first,omitempty"`  // number of the open drawer's first entry
	Opening  uint64      `json:"opening"`          // number of the event that opened the drawer
	Last     *DeskEntry  `json:"last,omitempty"`   // the drawer's last entry
	Closing  uint64      `json:"closing,omitzero"` // number of the event that closed the last one
}

func deskCell(d DeskID) Cell[DeskState] { return Cell[DeskState]("desk/" + d.String()) }

// drawerOf holds the desk whose drawer a cashier has, 0 for none.
func drawerOf(cashier player.ID) Cell[DeskID] { return Cell[DeskID]("drawer/" + cashier.String()) }

// Desk runs the cash desks.
type Desk struct{ *Ground }

// A DrawerOpening is a cashier's wish to begin.
type DrawerOpening struct {
	Request RequestID
	Cashier player.ID
	Desk    DeskID
	Float   money.Cents // cash in the drawer at the start
}

// drawerOpened is the event of a drawer that opens.
type drawerOpened struct {
	Drawer  int64       `json:"drawer"`
	Cashier player.ID   `json:"cashier"`
	Float   money.Cents `json:"float"`
}

// Open opens a drawer with its float, which comes from the bank. A cashier holds one drawer
// at a time, and a desk has one.
func (d Desk) Open(ctx context.Context, o DrawerOpening) error {
	if o.Desk < 1 || o.Desk > MaxDesks {
		return ErrDeskUnknown.With("desk %d", o.Desk)
	}
	if o.Float < 0 || o.Float > MaxDeskAmount {
		return ErrDeskAmount.With("a float of %s EUR", o.Float)
	}
	cell, own := deskCell(o.Desk), drawerOf(o.Cashier)
	keys := Keys{
		Request:  NewRequest(o.Request, "person/"+o.Cashier.String(), "desk/open", []any{o.Desk, o.Float}),
		States:   []string{string(cell), string(own), string(standingOf(o.Cashier)), string(settingsCell)},
		Accounts: []ledger.Path{deskAccount(o.Desk, Cash), bankAccount},
	}
	_, err := Do(ctx, d.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, o.Cashier, WorkDesk); err != nil {
			return struct{}{}, err
		}
		settings, err := settingsCell.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if int64(o.Desk) > settings.desks() {
			return struct{}{}, ErrDeskUnknown.With("desk %d of %d", o.Desk, settings.desks())
		}
		return struct{}{}, openDrawer(tx, o)
	})
	return err
}

func openDrawer(tx Tx, o DrawerOpening) error {
	cell, own := deskCell(o.Desk), drawerOf(o.Cashier)
	held, err := own.Get(tx)
	if err != nil {
		return err
	}
	if held != 0 {
		return ErrDrawerHeld.With("person %d holds desk %d already", o.Cashier, held)
	}
	s, err := cell.Get(tx)
	if err != nil {
		return err
	}
	if s.Cashier != 0 {
		return ErrDeskTaken.With("person %d holds desk %d", s.Cashier, o.Desk)
	}
	s = DeskState{Drawer: s.Drawer + 1, Cashier: o.Cashier, OpenedAt: tx.Now(), Float: o.Float,
		Entries: s.Entries, First: s.Entries + 1, Closing: s.Closing}
	if o.Float > 0 {
		ref := o.Desk.String() + "/" + strconv.FormatInt(s.Drawer, 10)
		if err := post(tx, "float", ref, deskAccount(o.Desk, Cash), bankAccount, o.Float); err != nil {
			return err
		}
	}
	if s.Opening, err = appendNumbered(tx, string(cell), "drawer_opened",
		drawerOpened{s.Drawer, o.Cashier, o.Float}); err != nil {
		return err
	}
	cell.Put(tx, s)
	own.Put(tx, o.Desk)
	return nil
}
