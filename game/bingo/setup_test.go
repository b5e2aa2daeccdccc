package bingo

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/ninety"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

var noon = time.Date(2027, time.March, 7, 12, 0, 0, 0, time.UTC)

// proposal sells cards at 1 EUR of the series A and B and at 2 EUR of C, 60 of each.
func proposal() Proposal {
	return Proposal{Title: "Après-midi", MaxPrice: 2_00, MostCards: 40,
		Tracks:   []Track{{1_00, []ninety.Series{"A", "B"}, 60}, {2_00, []ninety.Series{"C"}, 60}},
		SaleTime: time.Minute, Rhythm: 3 * time.Second, Prizes: []Prize{LinePrize, BingoPrize}}
}

// refuses fails the test unless err is that violation.
func refuses(t *testing.T, what string, err error, want *regs.Violation) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want.Code)
	}
}

// cards returns n cards of uniform sheets.
func cards(series string, n int) (list []ninety.Card) {
	src := draw.NewStream(draw.NinetySheets, draw.ID(series), draw.Secret{1}, nil)
	var s ninety.Sheet
	for len(list) < n {
		s.Deal(src)
		list = append(list, s[:]...)
	}
	return list[:n]
}

// card is a card whose lines are 1–5, 11–15 and 21–25 moved up by n: no card that is sold,
// but three lines that a test can read.
func card(n ninety.Ball) (c ninety.Card) {
	for i := range ninety.Ball(3) {
		for k := range ninety.Ball(5) {
			c.Lines[i] = c.Lines[i].With(n + 10*i + k + 1)
		}
	}
	return c
}

// A table drives a round, and remembers what happened.
type table struct {
	t *testing.T
	Round
	Sale  Sale
	now   time.Time
	faces func(ninety.Serial) ninety.Card
	board *Board

	sold    []Sold
	sales   []CardsSold
	refunds []CardsRefunded
	events  []Event
}

// do applies what was decided.
func (h *table) do(events []Event, err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
	for _, e := range events {
		h.Round, h.Sale = h.Round.Apply(e), h.Sale.Apply(e)
		h.events = append(h.events, e)
		switch e := e.(type) {
		case CardsSold:
			h.sales = append(h.sales, e)
			for s := range e.Serials() {
				h.sold = append(h.sold, Sold{s, h.faces(s), e.Player, e.Price})
			}
		case CardsRefunded:
			h.refunds = append(h.refunds, e)
			if h.board != nil {
				h.board.Leave(e.Places...)
			}
		}
	}
}

// selling is a round whose sale is open.
func selling(t *testing.T, p Proposal, starts ...Cursor) *table {
	t.Helper()
	faces := map[ninety.Series][]ninety.Card{}
	h := &table{t: t, now: noon, faces: func(s ninety.Serial) ninety.Card {
		if faces[s.Series] == nil {
			faces[s.Series] = cards(string(s.Series), 60)
		}
		return faces[s.Series][s.Number-1]
	}}
	if starts == nil {
		starts = slices.Repeat([]Cursor{{0, 1}}, len(p.Tracks))
	}
	h.do(Plan(17, 1, p))
	h.do(h.Commit("c", Witness{}))
	h.do(h.OpenSale(noon, starts, false))
	return h
}

// buy sells cards to a player who has enough.
func (h *table) buy(who player.ID, price money.Cents, n int) {
	h.t.Helper()
	h.do(h.Sale.Sell(Purchase{Player: who, Terminal: TerminalID(who), Price: price, Count: n, At: h.now, Credits: 1000_00}))
}

// close ends the sale.
func (h *table) close(pots ...Pot) {
	h.t.Helper()
	h.now = h.Round.Sale.Closes
	sum, faces := Digest(slices.Values(h.sales)), Faces(h.sold)
	h.do(h.Close(h.now, h.Sale, hex.EncodeToString(sum[:]), hex.EncodeToString(faces[:]), pots))
	h.board = NewBoard(h.Proposal, h.sold)
	for _, e := range h.refunds {
		h.board.Leave(e.Places...)
	}
}

// draw draws balls until the round is over.
func (h *table) draw(balls ...ninety.Ball) {
	h.t.Helper()
	for _, b := range balls {
		if h.Phase != Drawing {
			return
		}
		h.now = h.Due()
		h.do(h.Draw(b, h.board, h.now))
	}
}

// audit holds that the events give the state, and that the round was played right.
func (h *table) audit() {
	h.t.Helper()
	var r Round
	var s Sale
	for _, e := range h.events {
		r, s = r.Apply(e), s.Apply(e)
	}
	if got, want := fmt.Sprintf("%+v %+v", r, s), fmt.Sprintf("%+v %+v", h.Round, h.Sale); got != want {
		h.t.Errorf("replayed to %s\nwant %s", got, want)
	}
	if err := Audit(r, s, h.sold, h.sales, h.refunds); err != nil {
		h.t.Error(err)
	}
}

// seq returns the balls from one to another.
func seq(from, to ninety.Ball) (list []ninety.Ball) {
	for b := from; b <= to; b++ {
		list = append(list, b)
	}
	return list
}
