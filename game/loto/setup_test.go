package loto

import (
	"errors"
	"testing"
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/regs"
)

var morning = time.Date(2027, time.March, 7, 7, 0, 0, 0, time.UTC)

// plan is a day of two rounds with vouchers and an object, a last round whose three prizes
// special cards play for too, and the car.
func plan() Plan {
	a, both, v := []ninety.Series{"A"}, []ninety.Series{"A", "V"}, []ninety.Series{"V"}
	voucher := func(s Stage, euros int64, series []ninety.Series) Prize {
		return Prize{Stage: s, Kind: Voucher, Name: "Bon d'achat", Smallest: 1_00,
			Series: series, Consolation: "Un filet garni", Amount: money.Cents(100 * euros)}
	}
	return Plan{
		Title: "Grand loto", Doors: morning.Add(time.Hour), Start: morning.Add(4 * time.Hour),
		Breaks:   []Break{{"Repas", morning.Add(5*time.Hour + 30*time.Minute), 75 * time.Minute}},
		Ordinary: a, Special: "V", Tariffs: UsualTariffs(),
		Desks: []Desk{{Number: 1}, {Number: 2, Mobility: true}, {Number: 3, Special: true}},
		Piles: []Pile{{1, OneCard, "A", 1, 60}, {1, SheetOf3, "A", 61, 90}, {1, SheetOf6, "A", 91, 150},
			{2, OneCard, "A", 151, 180}, {3, SpecialCard, "V", 1, 60}},
		Rounds: []Round{
			{Title: "Première", Prizes: []Prize{voucher(StageQuine, 20, a), voucher(StageTwoLines, 30, a),
				{Stage: StageFullCard, Kind: Object, Name: "Téléviseur", Series: a, Consolation: "Un jambon"}}},
			{Title: "Dernière", Prizes: []Prize{voucher(StageQuine, 100, both), voucher(StageTwoLines, 30, both),
				voucher(StageFullCard, 500, both)}},
			{Title: "La voiture", Prizes: []Prize{{Stage: StageFullCard, Kind: Object, Name: "Voiture", Car: true,
				Series: v, Consolation: "Une trottinette", Note: "Immatriculation à la charge du gagnant"}}},
		},
	}
}

// must fails the test on a violation.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// refuses fails the test unless err is that violation.
func refuses(t *testing.T, what string, err error, want *regs.Violation) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want.Code)
	}
}

// A hall drives a session, and remembers what happened.
type hall struct {
	t *testing.T
	Session
	events []Event
}

// do applies what was decided.
func (h *hall) do(events []Event, err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
	for _, e := range events {
		h.Session = h.Apply(e)
		h.events = append(h.events, e)
	}
}

// openHall is a day on which one round is announced.
func openHall(t *testing.T, change ...func(*Plan)) *hall {
	p := plan()
	for _, c := range change {
		c(&p)
	}
	h := &hall{t: t}
	h.do(h.Change(p))
	h.do(h.OpenDay([]string{"c1", "c2", "c3"}, nil))
	h.do(h.OpenSale())
	h.do(h.TakeControl(7))
	h.do(h.Recall())
	h.round(1)
	return h
}

func (h *hall) round(n int) {
	h.t.Helper()
	h.do(h.OpenRound(RoundOpened{Round: n, Salt: "salt", Upto: []SaleRef{{1, 100}, {2, 100}, {3, 100}}}))
}

// call calls numbers.
func (h *hall) call(balls ...ninety.Ball) {
	h.t.Helper()
	for _, b := range balls {
		h.do(h.Call(b, len(h.Play.Calls)))
	}
}

// card is a card whose lines are 1–5, 11–15 and 21–25 moved up by n: no card that is
// printed, but three lines that a test can read.
func card(n ninety.Ball) (c ninety.Card) {
	for i := range ninety.Ball(3) {
		for k := range ninety.Ball(5) {
			c.Lines[i] = c.Lines[i].With(n + 10*i + k + 1)
		}
	}
	return c
}

// good is the fact of a card that was sold and stamped.
func good(c ninety.Card) CardFact {
	return CardFact{Known: true, Lined: true, Card: c, Sold: true, Stamped: true, Sale: SaleRef{1, 5}}
}

func serial(s ninety.Series, n int) ninety.Serial { return ninety.Serial{Series: s, Number: n} }

// claims stops the draw, has every card claimed and begins the check.
func (h *hall) claims(serials ...ninety.Serial) {
	h.t.Helper()
	h.do(h.Stop())
	for _, s := range serials {
		h.do(h.Claim(Claim{Serial: s, Sale: SaleRef{1, 5}}))
	}
	h.do(h.BeginCheck())
}

// win has so many equal cards win the stage.
func (h *hall) win(n int, series ninety.Series) {
	h.t.Helper()
	var list []ninety.Serial
	for i := range n {
		list = append(list, serial(series, i+1))
	}
	h.claims(list...)
	for i := range n {
		h.do(h.Check(i, good(card(0)), ""))
	}
}
