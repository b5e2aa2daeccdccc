package loto

import (
	"slices"
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/regs"
)

// A Means is how a sale was paid (loto:7.payment).
type Means string

// The means of payment.
const (
	ByCash   Means = "cash"
	ByCard   Means = "card"
	ByCheque Means = "cheque"
)

// AllMeans lists the means in the order of reports.
var AllMeans = []Means{ByCash, ByCard, ByCheque}

// A Lot is what was handed out in one piece: following cards of a series.
type Lot struct {
	Sale   int
	Unit   Unit
	Series ninety.Series
	From   int
	Price  money.Cents // of the whole; 0 for a free card
	At     time.Time   // when it was sold
	Day    int         // on which it was stamped last, 0 if it was not
	Void   bool        // its holder was excluded
}

// holds reports whether a card is in the lot.
func (l Lot) holds(c ninety.Serial) bool {
	return l.Series == c.Series && l.From <= c.Number && c.Number < l.From+l.Unit.Cards()
}

// A Stock is the cards of one desk: what is allotted to it and what it has sold.
type Stock struct {
	Desk  int
	Sales int // made so far; those taken back are counted
	Lots  []Lot
	Last  CardsSold // the last sale, which can be taken back; none if Sale is 0
	Taken []Taking
}

// A Taking is what came in by one means, refunds counted off.
type Taking struct {
	Means  Means
	Amount money.Cents
}

// The events of a Stock.
type (
	// CardsSold is a sale; the free card of a reservation has no price.
	CardsSold struct {
		Sale        int
		Lots        []Lot
		Total       money.Cents
		Means       Means
		Document    string // kind of identity document seen for a cheque
		Reservation string
		At          time.Time
	}
	// SaleTakenBack undoes the last sale: the cards are back in the pile.
	SaleTakenBack struct{ Sale int }
	// CardsStamped stamps the lots of a sale for a day (loto:8, reading L11).
	CardsStamped struct{ Sale, Day int }
	// CardsVoided voids the lots of a sale (loto:23).
	CardsVoided struct {
		Sale   int
		Refund money.Cents
	}
)

// Kind implements Event.
func (CardsSold) Kind() string     { return "cards_sold" }
func (SaleTakenBack) Kind() string { return "sale_taken_back" }
func (CardsStamped) Kind() string  { return "cards_stamped" }
func (CardsVoided) Kind() string   { return "cards_voided" }

// What a desk refuses.
var (
	ErrSaleShut    = &regs.Violation{Ref: "loto:7.tariff", Code: "loto_sale_shut"}
	ErrNothingSold = &regs.Violation{Ref: "loto:7.tariff", Code: "loto_nothing_sold"}
	ErrUnitHere    = &regs.Violation{Ref: "loto:car.2", Code: "unit_not_here"}
	ErrPileEmpty   = &regs.Violation{Ref: "loto:10", Code: "pile_empty"}
	ErrNotInPile   = &regs.Violation{Ref: "loto:10", Code: "not_in_pile"}
	ErrSoldTwice   = &regs.Violation{Ref: "loto:10", Code: "card_sold"}
	ErrLotoMeans   = &regs.Violation{Ref: "loto:7.payment", Code: "loto_means"}
	ErrIdentity    = &regs.Violation{Ref: "loto:7.payment", Code: "cheque_identity"}
	ErrEntry       = &regs.Violation{Ref: "loto:2", Code: "reservation_needed"}
	ErrFreeAlone   = &regs.Violation{Ref: "loto:3", Code: "free_card_alone"}
	ErrRedeemed    = &regs.Violation{Ref: "loto:5", Code: "reservation_redeemed"}
	ErrNoReserve   = &regs.Violation{Ref: "loto:5", Code: "reservation_unknown"}
	ErrReserveShut = &regs.Violation{Ref: "loto:2", Code: "reserve_shut"}
	ErrReserveFull = &regs.Violation{Ref: "loto:2", Code: "reserve_full"}
	ErrExchange    = &regs.Violation{Ref: "loto:8", Code: "no_exchange"}
	ErrSaleUnknown = &regs.Violation{Ref: "loto:10", Code: "sale_unknown"}
	ErrSaleVoid    = &regs.Violation{Ref: "loto:23", Code: "sale_void"}
)

// An Item is one piece of a sale. First names the card that was scanned; zero takes the next
// of the pile. Nobody chooses (loto:7.tariff).
type Item struct {
	Unit  Unit
	First ninety.Serial
}

// An Order is what a desk is about to sell to one person.
type Order struct {
	Items       []Item
	Means       Means
	Document    string // of identity, for a cheque
	Reservation string // redeemed by this sale: one free card
	Inside      bool   // the person is in the hall already: no reservation is asked for
	Unstamped   bool   // the stamp is not on the cards yet
	At          time.Time
}

// A Reservation is a « billet de réservation » (loto:2, loto:4).
type Reservation struct {
	Code     string
	MadeAt   time.Time
	Redeemed SaleRef // the sale that crossed it out, zero if none has
	At       time.Time
}

// Redeemable refuses a reservation that is not known or was crossed out already (loto:4,
// loto:5).
func (r Reservation) Redeemable() error {
	if r.Code == "" {
		return ErrNoReserve
	}
	if r.Redeemed != (SaleRef{}) {
		return ErrRedeemed.With("at %s, desk %d", r.At.Format(time.RFC3339), r.Redeemed.Desk)
	}
	return nil
}

// Reservable refuses a reservation once the day is over; one that is taken online also where
// the organizer takes none there, or no more than were made so, Online of them.
func (s Session) Reservable(online bool, made int) error {
	switch {
	case s.Phase == Closed || s.Plan.Rehearsal && online:
		return ErrDayPhase.With("the day is %q", s.Phase)
	case online && s.Plan.Online == 0:
		return ErrReserveShut
	case online && made >= s.Plan.Online:
		return ErrReserveFull.With("%d of %d are made", made, s.Plan.Online)
	}
	return nil
}

// Sell decides a sale: which cards are handed out and what they cost.
func (st Stock) Sell(s Session, o Order) (CardsSold, error) {
	if err := st.sellable(s, o); err != nil {
		return CardsSold{}, err
	}
	sold := CardsSold{Sale: st.Sales + 1, Means: o.Means, Reservation: o.Reservation, At: o.At}
	taken := map[ninety.Serial]bool{} // the first card of each lot that is sold
	for _, l := range st.Lots {
		taken[ninety.Serial{Series: l.Series, Number: l.From}] = true
	}
	if o.Means == ByCheque {
		sold.Document = o.Document
	}
	day := s.Day
	if o.Unstamped {
		day = 0
	}
	items := o.Items
	if o.Reservation != "" {
		items = append(slices.Clip(items), Item{Unit: OneCard}) // the free card, last
	}
	for i, item := range items {
		price, ok := s.Plan.Price(item.Unit)
		if !ok {
			return CardsSold{}, ErrUnitHere.With("%q has no price", item.Unit)
		}
		if i == len(o.Items) {
			price = 0
		}
		from, err := st.pick(s.Plan, item, taken)
		if err != nil {
			return CardsSold{}, err
		}
		taken[from] = true
		sold.Lots = append(sold.Lots, Lot{Sale: sold.Sale, Unit: item.Unit, Series: from.Series,
			From: from.Number, Price: price, At: o.At, Day: day})
		sold.Total += price
	}
	return sold, nil
}

// sellable holds what does not depend on the piles.
func (st Stock) sellable(s Session, o Order) error {
	switch {
	case s.Phase != Open:
		return ErrSaleShut.With("the day is %q", s.Phase)
	case len(o.Items) == 0 && o.Reservation != "":
		return ErrFreeAlone
	case len(o.Items) == 0:
		return ErrNothingSold
	case !slices.Contains(AllMeans, o.Means):
		return ErrLotoMeans.With("%q", o.Means)
	case o.Means == ByCheque && o.Document == "":
		return ErrIdentity
	case o.Reservation == "" && !o.Inside && !s.Plan.WalkIns:
		return ErrEntry
	}
	return nil
}

// pick returns the first card of a unit: the next of the desk's piles, or the one scanned if
// it is in them. Taken holds the first card of each lot that is sold.
func (st Stock) pick(p Plan, item Item, taken map[ninety.Serial]bool) (ninety.Serial, error) {
	size, found := item.Unit.Cards(), false
	for _, pile := range p.Piles {
		if pile.Desk != st.Desk || pile.Unit != item.Unit {
			continue
		}
		found = true
		if item.First != (ninety.Serial{}) {
			if item.First.Series != pile.Series || item.First.Number < pile.From ||
				item.First.Number > pile.To {
				continue
			}
			first := item.First
			first.Number -= (first.Number - pile.From) % size
			if taken[first] {
				return first, ErrSoldTwice.With("%s is sold", item.First)
			}
			return first, nil
		}
		for n := pile.From; n <= pile.To; n += size {
			if first := (ninety.Serial{Series: pile.Series, Number: n}); !taken[first] {
				return first, nil
			}
		}
	}
	switch {
	case !found:
		return ninety.Serial{}, ErrUnitHere.With("desk %d has no %q", st.Desk, item.Unit)
	case item.First != (ninety.Serial{}):
		return item.First, ErrNotInPile.With("%s is not allotted to desk %d", item.First, st.Desk)
	}
	return ninety.Serial{}, ErrPileEmpty.With("desk %d has no %q left", st.Desk, item.Unit)
}

// Left returns how many units of a kind the desk's piles still hold.
func (st Stock) Left(p Plan, u Unit) (n int) {
	for _, pile := range p.Piles {
		if pile.Desk == st.Desk && pile.Unit == u {
			n += (pile.To - pile.From + 1) / u.Cards()
		}
	}
	for _, l := range st.Lots {
		if l.Unit == u {
			n--
		}
	}
	return n
}

// Free returns what the desk's piles still hold, in the order in which it is handed out: a
// desk that is cut off sells from this.
func (st Stock) Free(p Plan) (list []Pile) {
	sold := map[ninety.Serial]bool{} // the first card of each lot
	for _, l := range st.Lots {
		sold[ninety.Serial{Series: l.Series, Number: l.From}] = true
	}
	for _, pile := range p.Piles {
		if pile.Desk != st.Desk {
			continue
		}
		size, run := pile.Unit.Cards(), false
		for n := pile.From; n <= pile.To; n += size {
			switch {
			case sold[ninety.Serial{Series: pile.Series, Number: n}]:
				run = false
			case run:
				list[len(list)-1].To = n + size - 1
			default:
				rest := pile
				rest.From, rest.To, run = n, n+size-1, true
				list = append(list, rest)
			}
		}
	}
	return list
}

// TakeBack undoes the last sale, when it was a mistake: cards are neither exchanged nor
// refunded once a round plays with them (loto:8).
func (st Stock) TakeBack(s Session, sale int) (CardsSold, []Event, error) {
	if st.Last.Sale == 0 || st.Last.Sale != sale {
		return CardsSold{}, nil, ErrExchange.With("sale %d is not the last one", sale)
	}
	if s.Plays(SaleRef{st.Desk, sale}) {
		return CardsSold{}, nil, ErrExchange.With("a round plays with sale %d", sale)
	}
	return st.Last, []Event{SaleTakenBack{sale}}, nil
}

// Stamp stamps the cards of a sale on the day that is being played (loto:8).
func (st Stock) Stamp(s Session, sale int) ([]Event, error) {
	if s.Phase != Open {
		return nil, ErrSaleShut.With("the day is %q", s.Phase)
	}
	if !slices.ContainsFunc(st.Lots, func(l Lot) bool { return l.Sale == sale }) {
		return nil, ErrSaleUnknown.With("sale %d of desk %d", sale, st.Desk)
	}
	return []Event{CardsStamped{sale, s.Day}}, nil
}

// Void voids the cards of a sale of somebody who is excluded; the refund is what was paid,
// and a free card counts nothing (loto:23, reading L10).
func (st Stock) Void(sale int) (money.Cents, []Event, error) {
	var refund money.Cents
	found := false
	for _, l := range st.Lots {
		if l.Sale != sale {
			continue
		}
		if l.Void {
			return 0, nil, ErrSaleVoid.With("sale %d of desk %d", sale, st.Desk)
		}
		found = true
		refund += l.Price
	}
	if !found {
		return 0, nil, ErrSaleUnknown.With("sale %d of desk %d", sale, st.Desk)
	}
	return refund, []Event{CardsVoided{sale, refund}}, nil
}

// Apply returns the stock after an event.
func (st Stock) Apply(e Event) Stock {
	switch e := e.(type) {
	case CardsSold:
		st.Sales, st.Last = e.Sale, e
		st.Lots = append(slices.Clip(st.Lots), e.Lots...)
		st.Taken = taken(st.Taken, e.Means, e.Total)
	case SaleTakenBack:
		st.Lots = slices.DeleteFunc(slices.Clone(st.Lots), func(l Lot) bool { return l.Sale == e.Sale })
		st.Taken = taken(st.Taken, st.Last.Means, -st.Last.Total)
		st.Last = CardsSold{}
	case CardsStamped:
		st.Lots = slices.Clone(st.Lots)
		for i := range st.Lots {
			if st.Lots[i].Sale == e.Sale {
				st.Lots[i].Day = e.Day
			}
		}
	case CardsVoided:
		st.Lots = slices.Clone(st.Lots)
		for i := range st.Lots {
			if st.Lots[i].Sale == e.Sale {
				st.Lots[i].Void = true
			}
		}
		st.Taken = taken(st.Taken, ByCash, -e.Refund)
	}
	return st
}

func taken(list []Taking, m Means, amount money.Cents) []Taking {
	list = slices.Clone(list)
	i := slices.IndexFunc(list, func(t Taking) bool { return t.Means == m })
	if i < 0 {
		return append(list, Taking{m, amount})
	}
	list[i].Amount += amount
	return list
}

// Find returns the lot that holds a card.
func (st Stock) Find(c ninety.Serial) (Lot, bool) {
	for _, l := range st.Lots {
		if l.holds(c) {
			return l, true
		}
	}
	return Lot{}, false
}
