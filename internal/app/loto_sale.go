package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// lotoAccount holds what a day has taken, refunds counted off.
func lotoAccount(id LotoID) ledger.Path { return ledger.Path("loto:" + id.String()) }

// A LotoSale is what a desk sells to one person. The desk is the one whose drawer the seller
// holds.
type LotoSale struct {
	LotoOrder
	Items       []loto.Item
	Means       loto.Means
	Document    string
	Reservation string
	Inside      bool
	Unstamped   bool
}

// saleKeys name what a sale may touch.
func saleKeys(r Request, by player.ID, day LotoID, desk DeskID, m loto.Means, code string) Keys {
	k := Keys{Request: r, States: []string{string(lotoCell(day)), string(stockCell(day, int(desk))),
		string(deskCell(desk)), string(drawerOf(by)), string(standingOf(by))},
		Accounts: []ledger.Path{deskAccount(desk, Means(m)), lotoAccount(day)}}
	if code != "" {
		k.States = append(k.States, string(reservationCell(day, code)))
	}
	return k
}

// Sell sells cards and sheets of the desk's own piles, and gives the free card of a
// reservation, which is crossed out by it (loto:4, loto:7.tariff).
func (l *Loto) Sell(ctx context.Context, o LotoSale) (loto.CardsSold, error) {
	o.Reservation = foldTicket(o.Reservation)
	if !slices.Contains(loto.AllMeans, o.Means) {
		return loto.CardsSold{}, loto.ErrLotoMeans.With("%q", o.Means)
	}
	if o.Means == loto.ByCheque && !slices.Contains(Documents, o.Document) {
		return loto.CardsSold{}, loto.ErrIdentity.With("document %q", o.Document)
	}
	request := NewRequest(o.Request, "person/"+o.By.String(), "loto/sell",
		[]any{o.Day, fmt.Sprint(o.Items), o.Means, o.Document, o.Reservation, o.Inside, o.Unstamped})
	return again(func() (loto.CardsSold, error) {
		desk, err := l.Desk.held(ctx, o.By)
		if err != nil {
			return loto.CardsSold{}, err
		}
		keys := saleKeys(request, o.By, o.Day, desk, o.Means, o.Reservation)
		return Do(ctx, l.Store, keys, func(tx Tx) (loto.CardsSold, error) { return l.sellInside(tx, o, desk) })
	})
}

func (l *Loto) sellInside(tx Tx, o LotoSale, desk DeskID) (sold loto.CardsSold, err error) {
	if _, err := openDesk(tx, desk, o.By); err != nil {
		return sold, err
	}
	s, err := lotoCell(o.Day).Get(tx)
	if err != nil {
		return sold, err
	}
	cell := stockCell(o.Day, int(desk))
	st, err := cell.Get(tx)
	if err != nil {
		return sold, err
	}
	st.Desk = int(desk)
	var ticket loto.Reservation
	if o.Reservation != "" {
		if ticket, err = reservationCell(o.Day, o.Reservation).Get(tx); err != nil {
			return sold, err
		}
		if err := ticket.Redeemable(); err != nil {
			return sold, err
		}
	}
	sold, err = st.Sell(s.Session, loto.Order{Items: o.Items, Means: o.Means, Document: o.Document,
		Reservation: o.Reservation, Inside: o.Inside, Unstamped: o.Unstamped, At: tx.Now()})
	if err != nil {
		return sold, err
	}
	if err := post(tx, "loto_sale", lotoSaleRef(o.Day, st.Desk, sold.Sale), deskAccount(desk, Means(o.Means)),
		lotoAccount(o.Day), sold.Total); err != nil {
		return sold, err
	}
	if ticket.Code != "" {
		ticket.Redeemed, ticket.At = loto.SaleRef{Desk: st.Desk, Sale: sold.Sale}, tx.Now()
		reservationCell(o.Day, ticket.Code).Put(tx, ticket)
	}
	cell.Put(tx, st.Apply(sold))
	return sold, cell.Append(tx, sold.Kind(), sold)
}

func lotoSaleRef(day LotoID, desk, sale int) string { return fmt.Sprintf("%d/%d-%d", day, desk, sale) }

// TakeBack undoes the last sale of the seller's desk: cards go back to the pile, money to
// the buyer, and the reservation counts again. It is refused once a round plays with it.
func (l *Loto) TakeBack(ctx context.Context, o LotoOrder, sale int) (loto.CardsSold, error) {
	request := NewRequest(o.Request, "person/"+o.By.String(), "loto/take_back", []any{o.Day, sale})
	return again(func() (loto.CardsSold, error) {
		desk, err := l.Desk.held(ctx, o.By)
		if err != nil {
			return loto.CardsSold{}, err
		}
		cell := stockCell(o.Day, int(desk))
		before, _, err := cell.Read(ctx, l.Store)
		if err != nil {
			return loto.CardsSold{}, err
		}
		last := before.Last
		if last.Means == "" {
			last.Means = loto.ByCash
		}
		keys := saleKeys(request, o.By, o.Day, desk, last.Means, last.Reservation)
		return Do(ctx, l.Store, keys, func(tx Tx) (loto.CardsSold, error) {
			if _, err := openDesk(tx, desk, o.By); err != nil {
				return loto.CardsSold{}, err
			}
			s, err := lotoCell(o.Day).Get(tx)
			if err != nil {
				return loto.CardsSold{}, err
			}
			st, err := cell.Get(tx)
			if err != nil || st.Last.Sale != before.Last.Sale {
				return loto.CardsSold{}, moved(err)
			}
			st.Desk = int(desk)
			was, events, err := st.TakeBack(s.Session, sale)
			if err != nil {
				return was, err
			}
			if err := post(tx, "loto_taken_back", lotoSaleRef(o.Day, st.Desk, sale), lotoAccount(o.Day),
				deskAccount(desk, Means(was.Means)), was.Total); err != nil {
				return was, err
			}
			if was.Reservation != "" {
				ticket, err := reservationCell(o.Day, was.Reservation).Get(tx)
				if err != nil {
					return was, err
				}
				ticket.Redeemed, ticket.At = loto.SaleRef{}, time.Time{}
				reservationCell(o.Day, was.Reservation).Put(tx, ticket)
			}
			return was, tellStock(tx, cell, &st, events)
		})
	})
}

// tellStock applies events to the stock of a desk and journals them.
func tellStock(tx Tx, cell Cell[loto.Stock], st *loto.Stock, events []loto.Event) error {
	for _, e := range events {
		*st = st.Apply(e)
		if err := cell.Append(tx, e.Kind(), e); err != nil {
			return err
		}
	}
	cell.Put(tx, *st)
	return nil
}

// Stamp stamps every card of the sale in which a card was sold, on the day that is being
// played (loto:8, reading L11).
func (l *Loto) Stamp(ctx context.Context, o LotoOrder, card string) (loto.SaleRef, error) {
	s, serial, ref, err := l.saleOf(ctx, o.Day, card)
	if err != nil {
		return ref, err
	}
	cell := stockCell(o.Day, ref.Desk)
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "loto/stamp", []any{o.Day, serial}),
		States: []string{string(lotoCell(s.ID)), string(cell), string(standingOf(o.By))}}
	return Do(ctx, l.Store, keys, func(tx Tx) (loto.SaleRef, error) {
		if err := requireBy(tx, o.By, WorkDesk); err != nil {
			return ref, err
		}
		now, err := lotoCell(o.Day).Get(tx)
		if err != nil {
			return ref, err
		}
		st, err := cell.Get(tx)
		if err != nil {
			return ref, err
		}
		st.Desk = ref.Desk
		events, err := st.Stamp(now.Session, ref.Sale)
		if err != nil {
			return ref, err
		}
		return ref, tellStock(tx, cell, &st, events)
	})
}

// saleOf finds the sale in which a card was sold.
func (l *Loto) saleOf(ctx context.Context, day LotoID, card string) (LotoState, ninety.Serial, loto.SaleRef, error) {
	s, _, err := l.Day(ctx, day)
	if err != nil {
		return s, ninety.Serial{}, loto.SaleRef{}, err
	}
	serial, err := l.serialOf(ctx, card)
	if err != nil {
		return s, serial, loto.SaleRef{}, err
	}
	stocks, err := l.Stocks(ctx, s)
	if err != nil {
		return s, serial, loto.SaleRef{}, err
	}
	for _, st := range stocks {
		if lot, ok := st.Find(serial); ok {
			return s, serial, loto.SaleRef{Desk: st.Desk, Sale: lot.Sale}, nil
		}
	}
	return s, serial, loto.SaleRef{}, loto.ErrSaleUnknown.With("%s is not sold", serial)
}

// A LotoExclusion is an organizer's decision to exclude somebody, who holds these cards.
type LotoExclusion struct {
	LotoOrder
	Cards  []string
	Reason string
}

// Exclude voids the cards of every sale in which one of the cards was sold, and pays back in
// cash, at the desk that sold them, what was paid (loto:23, reading L10).
func (l *Loto) Exclude(ctx context.Context, o LotoExclusion) (money.Cents, error) {
	var refs []loto.SaleRef
	for _, card := range o.Cards {
		_, _, ref, err := l.saleOf(ctx, o.Day, card)
		if err != nil {
			return 0, err
		}
		if !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	if len(refs) == 0 {
		return 0, loto.ErrSaleUnknown.With("no card")
	}
	if strings.TrimSpace(o.Reason) == "" {
		return 0, loto.ErrReason
	}
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "loto/exclude", []any{o.Day, refs, o.Reason}),
		States:   []string{string(lotoCell(o.Day)), string(standingOf(o.By))},
		Accounts: []ledger.Path{lotoAccount(o.Day)}}
	for _, r := range refs {
		if name := string(stockCell(o.Day, r.Desk)); !slices.Contains(keys.States, name) {
			keys.States = append(keys.States, name)
			keys.Accounts = append(keys.Accounts, deskAccount(DeskID(r.Desk), Cash))
		}
	}
	return Do(ctx, l.Store, keys, func(tx Tx) (money.Cents, error) { return l.excludeInside(tx, o, refs) })
}

func (l *Loto) excludeInside(tx Tx, o LotoExclusion, refs []loto.SaleRef) (total money.Cents, err error) {
	if err := requireBy(tx, o.By, ManageGames); err != nil {
		return 0, err
	}
	s, err := lotoCell(o.Day).Get(tx)
	if err != nil {
		return 0, err
	}
	for _, r := range refs {
		cell := stockCell(o.Day, r.Desk)
		st, err := cell.Get(tx)
		if err != nil {
			return 0, err
		}
		st.Desk = r.Desk
		refund, events, err := st.Void(r.Sale)
		if err != nil {
			return 0, err
		}
		drawer := deskAccount(DeskID(r.Desk), Cash)
		if refund > 0 {
			if err := post(tx, "loto_refund", lotoSaleRef(o.Day, r.Desk, r.Sale), lotoAccount(o.Day), drawer,
				refund); err != nil {
				return 0, err
			}
		}
		if cash, err := tx.Account(drawer); err != nil {
			return 0, err
		} else if cash.Balance > 0 {
			return 0, ErrDrawerShort.With("desk %d lacks %s EUR", r.Desk, money.Cents(cash.Balance))
		}
		if err := tellStock(tx, cell, &st, events); err != nil {
			return 0, err
		}
		total += refund
	}
	return total, tellDay(tx, &s, []loto.Event{loto.PersonExcluded{Sales: refs, Refund: total, Reason: o.Reason}})
}

// ticketLetters are those of a reservation's code: none is taken for another.
const ticketLetters = "23456789ABCDEFGHJKMNPQRSTVWXYZ"

// foldTicket reads a code as people type it or as its QR code holds it.
func foldTicket(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(ticketLetters, r) {
			return r
		}
		return -1
	}, text)
}

// MaxReservations is how many reservations one order makes.
const MaxReservations = 500

// Reserve makes reservations of a day and returns their codes.
func (l *Loto) Reserve(ctx context.Context, o LotoOrder, count int) ([]string, error) {
	if count < 1 || count > MaxReservations {
		return nil, loto.ErrNoReserve.With("%d reservations", count)
	}
	codes := make([]string, count)
	names := []string{string(lotoCell(o.Day)), string(standingOf(o.By))}
	for i := range codes {
		var raw [8]byte
		for l.Entropy(raw[:]); slices.ContainsFunc(raw[:], func(b byte) bool { return b >= 240 }); {
			l.Entropy(raw[:])
		}
		for k, b := range raw {
			raw[k] = ticketLetters[int(b)%len(ticketLetters)]
		}
		codes[i] = string(raw[:])
		names = append(names, string(reservationCell(o.Day, codes[i])))
	}
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "loto/reserve", []any{o.Day, count}), States: names}
	return Do(ctx, l.Store, keys, func(tx Tx) ([]string, error) {
		if err := requireBy(tx, o.By, ManageGames); err != nil {
			return nil, err
		}
		s, err := lotoCell(o.Day).Get(tx)
		if err != nil {
			return nil, err
		}
		if s.ID == 0 || s.Phase == loto.Closed {
			return nil, loto.ErrDayPhase.With("the day is %q", s.Phase)
		}
		for _, code := range codes {
			reservationCell(o.Day, code).Put(tx, loto.Reservation{Code: code, MadeAt: tx.Now()})
		}
		return codes, lotoCell(o.Day).Append(tx, "reservations_made", struct {
			Count int       `json:"count"`
			By    player.ID `json:"by"`
		}{count, o.By})
	})
}

// Reservations returns the reservations of a day, by their codes.
func (l *Loto) Reservations(ctx context.Context, id LotoID) (list []loto.Reservation, err error) {
	prefix := lotoTicketRoot + id.String() + "/"
	for last := ""; ; {
		recs, err := l.Store.States(ctx, prefix, last, readAtOnce)
		if err != nil {
			return nil, err
		}
		for _, rec := range recs {
			last = rec.Name
			v, err := decodeCell[loto.Reservation](rec.Body)
			if err != nil {
				return nil, err
			}
			list = append(list, v.(loto.Reservation))
		}
		if len(recs) < readAtOnce {
			return list, nil
		}
	}
}

// Reservation returns one by its code as it is typed; ErrNoReserve if there is none.
func (l *Loto) Reservation(ctx context.Context, id LotoID, code string) (loto.Reservation, error) {
	r, _, err := reservationCell(id, foldTicket(code)).Read(ctx, l.Store)
	if err == nil && r.Code == "" || errors.Is(err, ErrNotFound) {
		return r, loto.ErrNoReserve.With("%q", code)
	}
	return r, err
}
