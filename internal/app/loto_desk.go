package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// LotoReservation is a reservation as it is stored. Holder is what was typed of the person:
// it stands in no journal.
type LotoReservation struct {
	Day    LotoID    `json:"day"`
	Code   string    `json:"code"`
	Holder string    `json:"holder"`
	MadeAt time.Time `json:"made_at"`
	Desk   int       `json:"desk,omitempty"` // that crossed it out, with Sale
	Sale   int       `json:"sale,omitempty"`
	At     time.Time `json:"at,omitzero"`
}

func (r LotoReservation) rule() loto.Reservation {
	return loto.Reservation{Code: r.Code, MadeAt: r.MadeAt, At: r.At,
		Redeemed: loto.SaleRef{Desk: r.Desk, Sale: r.Sale}}
}

func reservationPrefix(id LotoID) string { return "loto/reservation/" + id.String() + "/" }

func reservationCell(id LotoID, code string) Cell[LotoReservation] {
	return Cell[LotoReservation](reservationPrefix(id) + code)
}

// reservationAlphabet has no sign that is read for another.
const reservationAlphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ"

// ReservationCode reads a reservation as it is typed or scanned: the code, or an address
// that ends with it.
func ReservationCode(text string) string {
	text = strings.TrimSpace(text)
	text = text[strings.LastIndexByte(text, '/')+1:]
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(reservationAlphabet, r) {
			return r
		}
		return -1
	}, strings.ToUpper(text))
}

// onlineMade counts the reservations of a day that were taken on its public page.
func onlineMade(id LotoID) counter { return counter("loto/online/" + id.String()) }

// Reserve makes a reservation that the organizer types, and returns its code.
func (l *Loto) Reserve(ctx context.Context, a LotoAct, holder string) (string, error) {
	return l.reserve(ctx, a, "person/"+a.By.String(), holder, false)
}

// ReserveOnline makes a reservation that somebody asks for on the public page (loto:2). Nobody
// signs in for it: the request is known by its identifier and the address it came from.
func (l *Loto) ReserveOnline(ctx context.Context, a LotoAct, address, holder string) (string, error) {
	a.By = 0
	return l.reserve(ctx, a, "visitor/"+address, holder, true)
}

func (l *Loto) reserve(ctx context.Context, a LotoAct, actor, holder string, online bool) (string, error) {
	code := ""
	for raw := [1]byte{}; len(code) < 8; { // thirty signs: 39 bits, which nobody tries at a door
		if l.Entropy(raw[:]); raw[0] < 240 {
			code += string(reservationAlphabet[raw[0]%30])
		}
	}
	cell, day, made := reservationCell(a.Day, code), lotoCell(a.Day), onlineMade(a.Day)
	keys := Keys{Request: NewRequest(a.Request, actor, "loto/reserve", []any{a.Day, holder}),
		States: []string{string(cell), string(day), string(made), string(standingOf(a.By))}}
	return Do(ctx, l.Store, keys, func(tx Tx) (string, error) {
		if !online {
			if err := requireBy(tx, a.By, ManageGames); err != nil {
				return "", err
			}
		}
		d, err := day.Get(tx)
		if err != nil {
			return "", err
		}
		if d.ID == 0 {
			return "", ErrLotoUnknown.With("day %d", a.Day)
		}
		n, err := made.Get(tx)
		if err != nil {
			return "", err
		}
		if err := d.Session.Reservable(online, int(n)); err != nil {
			return "", err
		}
		if online {
			made.Put(tx, n+1)
		}
		cell.Put(tx, LotoReservation{Day: a.Day, Code: code, Holder: holder, MadeAt: tx.Now()})
		return code, cell.Append(tx, "reservation_made", struct {
			By     player.ID `json:"by,omitempty"`
			Online bool      `json:"online,omitempty"`
		}{a.By, online})
	})
}

// Reservation returns a reservation; ErrNotFound if there is none.
func (l *Loto) Reservation(ctx context.Context, id LotoID, code string) (LotoReservation, error) {
	r, _, err := reservationCell(id, ReservationCode(code)).Read(ctx, l.Store)
	if err == nil && r.Code == "" {
		err = ErrNotFound
	}
	return r, err
}

// Reservations returns those of a day, by code.
func (l *Loto) Reservations(ctx context.Context, id LotoID) (list []LotoReservation, err error) {
	for last := ""; ; {
		recs, err := l.Store.States(ctx, reservationPrefix(id), last, readAtOnce)
		if err != nil {
			return nil, err
		}
		for _, rec := range recs {
			last = rec.Name
			v, err := decodeCell[LotoReservation](rec.Body)
			if err != nil {
				return nil, fmt.Errorf("app: state %s: %w", rec.Name, err)
			}
			list = append(list, v.(LotoReservation))
		}
		if len(recs) < readAtOnce {
			return list, nil
		}
	}
}

// A LotoSale is what a desk sells to one person.
type LotoSale struct {
	LotoAct
	Items       []loto.Item
	Means       Means
	Document    string
	Reservation string // as it was typed or scanned
	Inside      bool
	Unstamped   bool
}

// A LotoSold is what the desk hands out.
type LotoSold struct {
	Sale  int           `json:"sale"`
	Desk  DeskID        `json:"desk"`
	Cards []LotoSoldLot `json:"cards"`
	Total money.Cents   `json:"total"`
	Means Means         `json:"means"`
}

// A LotoSoldLot is one piece of a sale.
type LotoSoldLot struct {
	Unit  loto.Unit     `json:"unit"`
	First ninety.Serial `json:"first"`
	Last  ninety.Serial `json:"last"`
	Free  bool          `json:"free,omitempty"`
}

// Sell sells cards at the desk whose drawer the cashier holds (loto:7.tariff to loto:10).
func (l *Loto) Sell(ctx context.Context, o LotoSale) (LotoSold, error) {
	code := ReservationCode(o.Reservation)
	params := []any{o.Day, o.Items, o.Means, o.Document, code, o.Inside, o.Unstamped}
	request := NewRequest(o.Request, "person/"+o.By.String(), "loto/sell", params)
	desks := Desk{l.Ground}
	return again(func() (LotoSold, error) {
		desk, err := desks.held(ctx, o.By)
		if err != nil {
			return LotoSold{}, err
		}
		stock := stockCell(o.Day, int(desk))
		keys := Keys{Request: request, Accounts: []ledger.Path{deskAccount(desk, o.Means), lotoAccount(o.Day)},
			States: []string{string(lotoCell(o.Day)), string(stock), string(deskCell(desk)),
				string(drawerOf(o.By)), string(standingOf(o.By))}}
		if code != "" {
			keys.States = append(keys.States, string(reservationCell(o.Day, code)))
		}
		return Do(ctx, l.Store, keys, func(tx Tx) (LotoSold, error) {
			if _, err := openDesk(tx, desk, o.By); err != nil {
				return LotoSold{}, err
			}
			return sellLoto(tx, desk, o, code)
		})
	})
}

// sellLoto decides and writes a sale inside its transaction.
func sellLoto(tx Tx, desk DeskID, o LotoSale, code string) (LotoSold, error) {
	d, err := lotoCell(o.Day).Get(tx)
	if err != nil {
		return LotoSold{}, err
	}
	cell := stockCell(o.Day, int(desk))
	st, err := cell.Get(tx)
	if err != nil {
		return LotoSold{}, err
	}
	st.Desk = int(desk)
	var r LotoReservation
	if code != "" {
		if r, err = reservationCell(o.Day, code).Get(tx); err != nil {
			return LotoSold{}, err
		}
		if err := r.rule().Redeemable(); err != nil {
			return LotoSold{}, err
		}
	}
	sold, err := st.Sell(d.Session, loto.Order{Items: o.Items, Means: loto.Means(o.Means), Document: o.Document,
		Reservation: code, Inside: o.Inside, Unstamped: o.Unstamped, At: tx.Now()})
	if err != nil {
		return LotoSold{}, err
	}
	ref := fmt.Sprintf("%d/%d-%d", o.Day, desk, sold.Sale)
	err = d.post(tx, "loto_sale", ref, deskAccount(desk, o.Means), lotoAccount(o.Day), sold.Total)
	if err != nil {
		return LotoSold{}, err
	}
	if code != "" {
		r.Desk, r.Sale, r.At = int(desk), sold.Sale, tx.Now()
		reservationCell(o.Day, code).Put(tx, r)
	}
	st.Stock = st.Apply(sold)
	cell.Put(tx, st)
	return soldOf(desk, sold), appendLoto(tx, cell, o.By, []loto.Event{sold})
}

// soldOf is a sale in the terms of a desk.
func soldOf(desk DeskID, s loto.CardsSold) LotoSold {
	out := LotoSold{Sale: s.Sale, Desk: desk, Total: s.Total, Means: Means(s.Means)}
	for _, l := range s.Lots {
		out.Cards = append(out.Cards, LotoSoldLot{Unit: l.Unit, Free: l.Price == 0,
			First: ninety.Serial{Series: l.Series, Number: l.From},
			Last:  ninety.Serial{Series: l.Series, Number: l.From + l.Unit.Cards() - 1}})
	}
	return out
}

// A LotoTill is a desk of a day as its cashier sees it.
type LotoTill struct {
	Desk  DeskID
	Plan  loto.Desk
	Stock loto.Stock
	Last  *LotoSold // that can be taken back
}

// Till returns the till of a cashier; ErrNotFound if no drawer is open.
func (l *Loto) Till(ctx context.Context, d LotoDay, cashier player.ID) (LotoTill, error) {
	desk, err := Desk{l.Ground}.held(ctx, cashier)
	if err != nil {
		return LotoTill{}, err
	}
	if desk == 0 {
		return LotoTill{}, ErrNotFound
	}
	t := LotoTill{Desk: desk}
	t.Plan, _ = d.Session.Plan.Desk(int(desk))
	st, _, err := stockCell(d.ID, int(desk)).Read(ctx, l.Store)
	if err != nil {
		return t, err
	}
	t.Stock = st.Stock
	t.Stock.Desk = int(desk)
	if t.Stock.Last.Sale != 0 {
		last := soldOf(desk, t.Stock.Last)
		t.Last = &last
	}
	return t, nil
}

// TakeBackSale undoes the last sale of the cashier's desk: the money goes back by the means
// it came, the cards back into the pile, the reservation is whole again.
func (l *Loto) TakeBackSale(ctx context.Context, a LotoAct, sale int) error {
	request := NewRequest(a.Request, "person/"+a.By.String(), "loto/takeback", []any{a.Day, sale})
	_, err := again(func() (struct{}, error) {
		desk, err := Desk{l.Ground}.held(ctx, a.By)
		if err != nil {
			return struct{}{}, err
		}
		cell := stockCell(a.Day, int(desk))
		before, _, err := cell.Read(ctx, l.Store)
		if err != nil {
			return struct{}{}, err
		}
		was := before.Last
		means := Means(was.Means)
		keys := Keys{Request: request, Accounts: []ledger.Path{deskAccount(desk, means), lotoAccount(a.Day)},
			States: []string{string(lotoCell(a.Day)), string(cell), string(deskCell(desk)), string(drawerOf(a.By)),
				string(standingOf(a.By)), string(reservationCell(a.Day, was.Reservation))}}
		return Do(ctx, l.Store, keys, func(tx Tx) (struct{}, error) {
			if _, err := openDesk(tx, desk, a.By); err != nil {
				return struct{}{}, err
			}
			return struct{}{}, takeBackLoto(tx, desk, a, sale, was)
		})
	})
	return err
}

func takeBackLoto(tx Tx, desk DeskID, a LotoAct, sale int, was loto.CardsSold) error {
	d, err := lotoCell(a.Day).Get(tx)
	if err != nil {
		return err
	}
	cell := stockCell(a.Day, int(desk))
	st, err := cell.Get(tx)
	if err != nil {
		return err
	}
	last, events, err := st.TakeBack(d.Session, sale)
	if err != nil {
		return err
	}
	if last.Sale != was.Sale {
		return errMoved
	}
	ref := fmt.Sprintf("%d/%d-%d undone", a.Day, desk, sale)
	err = d.post(tx, "loto_sale_undone", ref, lotoAccount(a.Day), deskAccount(desk, Means(last.Means)), last.Total)
	if err != nil {
		return err
	}
	if last.Reservation != "" {
		rc := reservationCell(a.Day, last.Reservation)
		r, err := rc.Get(tx)
		if err != nil {
			return err
		}
		r.Desk, r.Sale, r.At = 0, 0, time.Time{}
		rc.Put(tx, r)
	}
	st.Stock = st.Apply(events[0])
	cell.Put(tx, st)
	return appendLoto(tx, cell, a.By, events)
}

// StampCard stamps the cards of the sale that a card was sold in (loto:8).
func (l *Loto) StampCard(ctx context.Context, a LotoAct, text string) (loto.SaleRef, error) {
	ref, err := l.saleOf(ctx, a.Day, text)
	if err != nil {
		return ref, err
	}
	cell := stockCell(a.Day, ref.Desk)
	keys := Keys{Request: NewRequest(a.Request, "person/"+a.By.String(), "loto/stamp", []any{a.Day, ref}),
		States: []string{string(lotoCell(a.Day)), string(cell), string(standingOf(a.By))}}
	_, err = Do(ctx, l.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, a.By, WorkDesk); err != nil {
			return struct{}{}, err
		}
		d, err := lotoCell(a.Day).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		st, err := cell.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		events, err := st.Stamp(d.Session, ref.Sale)
		if err != nil {
			return struct{}{}, err
		}
		st.Stock = st.Apply(events[0])
		cell.Put(tx, st)
		return struct{}{}, appendLoto(tx, cell, a.By, events)
	})
	return ref, err
}

// saleOf finds the sale of a card.
func (l *Loto) saleOf(ctx context.Context, id LotoID, text string) (loto.SaleRef, error) {
	serial, _ := ReadSerial(text)
	row, err := l.Cards.find(ctx, serial)
	if err != nil {
		return loto.SaleRef{}, err
	}
	d, _, err := l.Day(ctx, id)
	if err != nil {
		return loto.SaleRef{}, err
	}
	stocks, err := l.Stocks(ctx, d)
	if err != nil {
		return loto.SaleRef{}, err
	}
	f := sold(loto.CardFact{}, row.Serial(), d.Session, stocks)
	if !f.Sold {
		return loto.SaleRef{}, loto.ErrSaleUnknown.With("%s is not sold", row.Serial())
	}
	return f.Sale, nil
}

// An Exclusion sends somebody out: the cards of the sales in which the named cards were sold
// are void and paid back in cash out of a desk's drawer (loto:23, reading L10).
type Exclusion struct {
	LotoAct
	Cards  []string
	Desk   DeskID
	Reason string
}

// Exclude excludes a person and returns what is to be paid back.
func (l *Loto) Exclude(ctx context.Context, e Exclusion) (money.Cents, error) {
	if strings.TrimSpace(e.Reason) == "" {
		return 0, loto.ErrReason
	}
	var sales []loto.SaleRef
	for _, text := range e.Cards {
		ref, err := l.saleOf(ctx, e.Day, text)
		if err != nil {
			return 0, err
		}
		if !slices.Contains(sales, ref) {
			sales = append(sales, ref)
		}
	}
	if len(sales) == 0 {
		return 0, loto.ErrSaleUnknown.With("no card is named")
	}
	states := []string{string(deskCell(e.Desk))}
	for _, ref := range sales {
		if name := string(stockCell(e.Day, ref.Desk)); !slices.Contains(states, name) {
			states = append(states, name)
		}
	}
	var refund money.Cents
	err := l.act(ctx, e.LotoAct, lotoDo{name: "exclude", params: []any{sales, e.Desk, e.Reason}, may: CallLoto,
		states: states, money: []ledger.Path{deskAccount(e.Desk, Cash), lotoAccount(e.Day)},
		decide: func(tx Tx, s loto.Session) (events []loto.Event, err error) {
			if s.Phase != loto.Open {
				return nil, loto.ErrDayPhase.With("the day is %q", s.Phase)
			}
			if refund, err = l.voidSales(tx, e, s.Plan.Rehearsal, sales); err != nil {
				return nil, err
			}
			return []loto.Event{loto.PersonExcluded{Sales: sales, Refund: refund},
				loto.ExclusionExplained{Reason: e.Reason}}, nil
		}})
	return refund, err
}

// voidSales voids the sales and pays them back.
func (l *Loto) voidSales(tx Tx, e Exclusion, rehearsal bool, sales []loto.SaleRef) (refund money.Cents, err error) {
	for _, ref := range sales {
		cell := stockCell(e.Day, ref.Desk)
		st, err := cell.Get(tx)
		if err != nil {
			return 0, err
		}
		amount, events, err := st.Void(ref.Sale)
		if err != nil {
			return 0, err
		}
		st.Stock = st.Apply(events[0])
		cell.Put(tx, st)
		if err := appendLoto(tx, cell, e.By, events); err != nil {
			return 0, err
		}
		refund += amount
	}
	if rehearsal {
		return refund, nil
	}
	desk, err := deskCell(e.Desk).Get(tx)
	if err != nil {
		return 0, err
	}
	if desk.Cashier == 0 {
		return 0, ErrDrawerClosed.With("nobody holds desk %d", e.Desk)
	}
	drawer := deskAccount(e.Desk, Cash)
	ref := strconv.FormatInt(int64(e.Day), 10) + " excluded"
	if err := post(tx, "loto_refund", ref, lotoAccount(e.Day), drawer, refund); err != nil {
		return 0, err
	}
	cash, err := tx.Account(drawer)
	if err == nil && cash.Balance > 0 {
		err = ErrDrawerShort.With("the drawer lacks %s EUR", money.Cents(cash.Balance))
	}
	return refund, err
}

// asViolation returns the violation in an error, if there is one.
func asViolation(err error) (*regs.Violation, bool) { return errors.AsType[*regs.Violation](err) }
