package site_test

import (
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/money"
	"boulier/player"
)

// A bingoHouse is a house with a bingo: people who run it, three terminals of a hall, cards.
type bingoHouse struct {
	*house
	t                *testing.T
	manager, cashier player.ID
	codes            []string
	terminals        []bingo.TerminalID
	guests           []guest
}

// A guest is somebody with an account.
type guest struct {
	account bingo.AccountID
	pin     string
}

// bingoProposal sells cards at 1 EUR and at 2 EUR, a ball each three seconds.
func bingoProposal() bingo.Proposal {
	return bingo.Proposal{Title: "Soirée", MaxPrice: 2_00, MostCards: 30,
		Tracks: []bingo.Track{{Price: 1_00, Series: []ninety.Series{"A"}, Size: 240},
			{Price: 2_00, Series: []ninety.Series{"B"}, Size: 240}},
		SaleTime: time.Minute, Rhythm: 3 * time.Second, Prizes: []bingo.Prize{bingo.LinePrize, bingo.BingoPrize},
		Pots: []bingo.PotRule{{Name: "d’or", Pattern: ninety.FullCard, Within: 40, Rate: 10 * bingo.Percent,
			Keep: 70 * bingo.Percent, Cap: 15_000_00, Refill: 70 * bingo.Percent}}}
}

// openBingo opens a house whose session day has so many rounds.
func openBingo(t *testing.T, rounds int) *bingoHouse {
	t.Helper()
	h := &bingoHouse{house: open(t), t: t}
	h.prepare()
	h.openDay(rounds)
	return h
}

// prepare makes the people, the cards and the terminals.
func (h *bingoHouse) prepare() {
	h.t.Helper()
	ctx := h.t.Context()
	h.manager, h.cashier = h.Staff("animation", app.Manager), h.Staff("caisse", app.Cashier)
	h.ok(h.Desk.Open(ctx, app.DrawerOpening{Request: app.NewRequestID(), Cashier: h.cashier, Desk: 1, Float: 500_00}))
	for _, series := range []ninety.Series{"A", "B"} {
		h.ok(h.Cards.Order(ctx, app.MadeSeries{Request: app.NewRequestID(), By: h.manager, Name: series, Sheets: 40, Value: 1_00}))
	}
	h.ok(h.Cards.MakeWanted(ctx))
	for _, name := range []string{"Terminal 1", "Terminal 2", "Terminal 3"} {
		id, code, err := h.Bingo.AddTerminal(ctx, h.as(h.manager), "Salle des fêtes", name)
		h.ok(err)
		h.terminals, h.codes = append(h.terminals, id), append(h.codes, code)
	}
}

// openDay opens the session day.
func (h *bingoHouse) openDay(rounds int) {
	h.t.Helper()
	var programme []bingo.Proposal
	for range rounds {
		programme = append(programme, bingoProposal())
	}
	h.ok(h.Bingo.OpenSession(h.t.Context(), h.as(h.manager), programme))
}

func (h *bingoHouse) ok(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *bingoHouse) as(who player.ID) app.BingoAct {
	return app.BingoAct{Request: app.NewRequestID(), By: who}
}

// due does what is due now.
func (h *bingoHouse) due() {
	h.t.Helper()
	h.ok(app.DoDue(h.t.Context(), h.Ground, h.Instant, h.Contests, h.Bingo))
}

// sale brings the day to the open sale of the next round.
func (h *bingoHouse) sale() bingo.RoundID {
	h.t.Helper()
	for range 5 {
		h.due()
		if now, err := h.Bingo.Look(h.t.Context()); err == nil && now.Session.Playing != 0 && now.Round.Phase == bingo.Selling {
			return now.Round.ID
		}
	}
	h.t.Fatal("no sale opens")
	return 0
}

// on lets the clock go on to what is next in the round.
func (h *bingoHouse) on(id bingo.RoundID) bingo.Round {
	h.t.Helper()
	r, _, err := h.Bingo.Round(h.t.Context(), id)
	h.ok(err)
	if at := r.Due(); at.After(h.Now()) {
		h.Clock.Move(at.Sub(h.Now()))
	}
	h.due()
	r, _, err = h.Bingo.Round(h.t.Context(), id)
	h.ok(err)
	return r
}

// guest opens an anonymous account with money, and returns its card and PIN.
func (h *bingoHouse) guest(cents money.Cents) (app.BingoCard, string) {
	h.t.Helper()
	ctx := h.t.Context()
	id, err := h.Bingo.OpenAccount(ctx, h.as(h.cashier), 0)
	h.ok(err)
	_, err = h.Desk.Load(ctx, app.DeskOrder{Request: app.NewRequestID(), Cashier: h.cashier, Player: player.ID(id),
		Means: app.Cash, Amount: cents})
	h.ok(err)
	pin, err := h.Bingo.IssuePIN(ctx, h.as(h.cashier), id)
	h.ok(err)
	h.guests = append(h.guests, guest{id, pin})
	return app.BingoCard{Account: id, Card: 1}, pin
}
