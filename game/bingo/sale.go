package bingo

import (
	"crypto/sha256"
	"iter"
	"slices"
	"strconv"
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// What a purchase is refused for. Nothing is charged then (reading B2).
var (
	ErrPrice    = &regs.Violation{Ref: "bingo:93.5", Code: "price_unknown"}
	ErrCount    = &regs.Violation{Ref: "bingo:93.6", Code: "count_unknown"}
	ErrMost     = &regs.Violation{Ref: "bingo:93.6", Code: "most_cards"}
	ErrCredits  = &regs.Violation{Ref: "bingo:93.6", Code: "credits_short"}
	ErrSoldOut  = &regs.Violation{Ref: "bingo:93.8", Code: "sold_out"}
	ErrTerminal = &regs.Violation{Ref: "bingo:93.3", Code: "terminal_out"}
)

// A Cursor stands before the next card of a track: its series, by index, and its number.
type Cursor struct{ Series, Number int }

// after returns the cursor after n more cards, and the cursor's own card for n of 0.
func (c Cursor) after(t Track, n int) Cursor {
	at := c.Number - 1 + n
	return Cursor{(c.Series + at/t.Size) % len(t.Series), at%t.Size + 1}
}

// A Run is cards of a series with following numbers.
type Run struct {
	Series   ninety.Series
	From, To int
}

// A Purchase is a request to buy cards, as the central server received it (bingo:93.6).
type Purchase struct {
	Player   player.ID
	Terminal TerminalID
	Price    money.Cents // of each card
	Count    int
	At       time.Time   // server time, inside the transaction that writes
	Held     int         // cards that the player has in the round already
	Credits  money.Cents // on the account
}

// The events of a Sale, besides SaleOpened, and RoundVoided, which ends it.
type (
	// CardsSold is an allocation: the answer to the purchase of this rank of arrival.
	CardsSold struct {
		Rank     int // from 1, without gap
		Player   player.ID
		Terminal TerminalID
		Price    money.Cents
		First    int // place of the first card in the order of sale, from 0
		Count    int
		Runs     []Run
	}
	// CardsRefunded takes cards out of the round (reading B11). Their numbers are not sold
	// again: this event is the gap (reading B5).
	CardsRefunded struct {
		Rank   int
		Places []int
		Left   int // how many balls were out
		Amount money.Cents
		House  bool // whether the house bears it: the sale had closed
		Reason string
		By     player.ID
	}
)

// Kind implements Event.
func (CardsSold) Kind() string     { return "cards_sold" }
func (CardsRefunded) Kind() string { return "cards_refunded" }

// A Sale is what a purchase needs to know of a round: small, whatever was sold.
type Sale struct {
	Window  Window
	Tracks  []Track
	Starts  []Cursor // of each track, where the round began
	Sold    []int    // cards of each track
	Most    int
	Ranks   int // purchases that were answered with cards
	Cards   int // sold, with those that have left the round
	Takings money.Cents
	Left    int         // cards refunded
	Back    money.Cents // refunded before the sale closed
	House   money.Cents // refunded afterwards, borne by the house
	Void    bool        // whether the round is void: nothing is sold any more
}

// Sell allots the cards of a purchase, all or none, in series order (bingo:93.6, bingo:93.8).
func (s Sale) Sell(p Purchase) ([]Event, error) {
	if err := s.Window.Check(p.At); err != nil {
		return nil, err
	}
	if s.Void {
		return nil, ErrSaleClosed.With("the round is void")
	}
	i := slices.IndexFunc(s.Tracks, func(t Track) bool { return t.Price == p.Price })
	switch {
	case i < 0:
		return nil, ErrPrice.With("no card at %s EUR", p.Price)
	case p.Count < 1 || p.Count > MaxPurchase:
		return nil, ErrCount.With("%d cards", p.Count)
	case p.Held+p.Count > s.Most:
		return nil, ErrMost.With("%d cards held and %d asked, %d at most", p.Held, p.Count, s.Most)
	}
	t := s.Tracks[i]
	if left := t.Size - s.Sold[i]; p.Count > left {
		return nil, ErrSoldOut.With("%d cards asked, %d left", p.Count, left)
	}
	cost, err := p.Price.Times(int64(p.Count))
	if err != nil {
		return nil, err
	}
	if p.Credits < cost {
		return nil, ErrCredits.With("%s EUR asked, %s EUR on the account", cost, p.Credits)
	}
	return []Event{CardsSold{s.Ranks + 1, p.Player, p.Terminal, p.Price, s.Cards, p.Count,
		t.runs(s.Starts[i].after(t, s.Sold[i]), p.Count)}}, nil
}

// runs returns the next n cards of a track.
func (t Track) runs(c Cursor, n int) (list []Run) {
	for n > 0 {
		k := min(n, t.Size-c.Number+1)
		list = append(list, Run{t.Series[c.Series], c.Number, c.Number + k - 1})
		c, n = c.after(t, k), n-k
	}
	return list
}

// Next returns the cursors from which the round after this one sells: the first card follows
// the last one of this round, also when it was void (reading B5).
func (s Sale) Next() []Cursor {
	next := slices.Clone(s.Starts)
	for i, t := range s.Tracks {
		next[i] = next[i].after(t, s.Sold[i])
	}
	return next
}

// Apply returns the sale after an event.
func (s Sale) Apply(e Event) Sale {
	switch e := e.(type) {
	case SaleOpened:
		s = Sale{Window: e.Window, Tracks: e.Tracks, Starts: e.Starts, Most: e.Most,
			Sold: make([]int, len(e.Tracks))}
	case CardsSold:
		i := slices.IndexFunc(s.Tracks, func(t Track) bool { return t.Price == e.Price })
		s.Sold = slices.Clone(s.Sold)
		s.Sold[i] += e.Count
		s.Ranks, s.Cards = e.Rank, s.Cards+e.Count
		s.Takings += e.Price * money.Cents(e.Count)
	case RoundVoided:
		s.Void = true
	case CardsRefunded:
		s.Left += len(e.Places)
		if e.House {
			s.House += e.Amount
		} else {
			s.Back += e.Amount
		}
	}
	return s
}

// Serials gives the serials of an allocation in their order.
func (e CardsSold) Serials() iter.Seq[ninety.Serial] {
	return func(yield func(ninety.Serial) bool) {
		for _, r := range e.Runs {
			for n := r.From; n <= r.To; n++ {
				if !yield(ninety.Serial{Series: r.Series, Number: n}) {
					return
				}
			}
		}
	}
}

// Digest returns the digest of the cards sold: SHA-256 of a line « series,number,price » for
// each, in order of sale, the price in cents. It is the salt of the draw (reading B13), so
// that no ball can be known before the last card is sold. Refunded cards were sold, too.
func Digest(sales iter.Seq[CardsSold]) (sum [sha256.Size]byte) {
	h := sha256.New()
	var line []byte
	for e := range sales {
		for s := range e.Serials() {
			line = append(append(line[:0], s.Series...), ',')
			line = append(strconv.AppendInt(line, int64(s.Number), 10), ',')
			line = append(strconv.AppendInt(line, int64(e.Price), 10), '\n')
			h.Write(line)
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Faces returns the digest of what the cards sold show: SHA-256 of a line « series,number »
// and the fifteen numbers of the card, line after line, for each card in order of sale, all
// with commas between. It is published with Digest, before the first ball, so that no card
// can be said to have been another one later.
func Faces(sold []Sold) (sum [sha256.Size]byte) {
	h := sha256.New()
	var line []byte
	for i := range sold {
		s := &sold[i]
		line = append(append(line[:0], s.Serial.Series...), ',')
		line = strconv.AppendInt(line, int64(s.Serial.Number), 10)
		for _, numbers := range s.Card.Lines {
			for b := range numbers.All() {
				line = strconv.AppendInt(append(line, ','), int64(b), 10)
			}
		}
		h.Write(append(line, '\n'))
	}
	return [sha256.Size]byte(h.Sum(nil))
}
