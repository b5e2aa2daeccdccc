package app_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
	"boulier/regs/regstest"
)

// A lotoHall is a house on the day of its loto.
type lotoHall struct {
	*apptest.House
	t                        *testing.T
	manager, caller, checker player.ID
	cashiers                 []player.ID // of desks 1, 2 and 3
	day                      app.LotoID
	cards                    map[ninety.Serial]ninety.Card
}

// lotoPlan is a day with series A and the special series V: a round of a real cage with
// 20, 30 and 100 EUR, a round of an object drawn by the program and one of a real cage, a last
// round, the car.
func lotoPlan(start time.Time) loto.Plan {
	a, both := []ninety.Series{"A"}, []ninety.Series{"A", "V"}
	voucher := func(s loto.Stage, amount money.Cents, series []ninety.Series) loto.Prize {
		return loto.Prize{Stage: s, Kind: loto.Voucher, Name: "Bon d’achat", Amount: amount, Smallest: 1_00,
			Series: series, Consolation: "Un filet garni"}
	}
	object := func(name string, series []ninety.Series) loto.Prize {
		return loto.Prize{Stage: loto.StageFullCard, Kind: loto.Object, Name: name, Series: series, Consolation: "Un jambon"}
	}
	car := object("Voiture", []ninety.Series{"V"})
	car.Car = true
	return loto.Plan{Title: "Grand loto", Doors: start.Add(-3 * time.Hour), Start: start,
		Breaks:   []loto.Break{{Title: "Repas", At: start.Add(90 * time.Minute), Length: 75 * time.Minute}},
		Ordinary: a, Special: "V", Tariffs: loto.UsualTariffs(), Unclaimed: true,
		Desks: []loto.Desk{{Number: 1}, {Number: 2, Mobility: true}, {Number: 3, Special: true}},
		Piles: []loto.Pile{{Desk: 1, Unit: loto.SheetOf6, Series: "A", From: 1, To: 180},
			{Desk: 1, Unit: loto.OneCard, Series: "A", From: 181, To: 240},
			{Desk: 2, Unit: loto.OneCard, Series: "A", From: 241, To: 300},
			{Desk: 3, Unit: loto.SpecialCard, Series: "V", From: 1, To: 60}},
		Rounds: []loto.Round{
			{Title: "Première", Cage: true, Prizes: []loto.Prize{voucher(loto.StageQuine, 20_00, a),
				voucher(loto.StageTwoLines, 30_00, a), voucher(loto.StageFullCard, 100_00, a)}},
			{Title: "Deuxième", Prizes: []loto.Prize{object("Téléviseur", a)}},
			{Title: "Troisième", Cage: true, Prizes: []loto.Prize{object("Vélo", a)}},
			{Title: "Dernière", Prizes: []loto.Prize{voucher(loto.StageQuine, 20_00, both),
				voucher(loto.StageTwoLines, 30_00, both), voucher(loto.StageFullCard, 500_00, both)}},
			{Title: "La voiture", Cage: true, Prizes: []loto.Prize{car}},
		}}
}

// newLotoHall makes the series, the day and the people; the day has not opened.
func newLotoHall(t *testing.T) *lotoHall { return lotoHallIn(t, apptest.New(t)) }

func lotoHallIn(t *testing.T, house *apptest.House) *lotoHall {
	h := &lotoHall{House: house, t: t, cards: map[ninety.Serial]ninety.Card{}}
	h.manager, h.caller = h.Staff("manager", app.Manager), h.Staff("caller", app.Caller)
	h.checker = h.Staff("checker", app.Checker)
	for i := range 3 {
		id := h.Staff(fmt.Sprint("desk", i+1), app.Cashier)
		h.cashiers = append(h.cashiers, id)
		h.ok(h.Desk.Open(t.Context(), app.DrawerOpening{Request: app.NewRequestID(), Cashier: id,
			Desk: app.DeskID(i + 1), Float: 100_00}))
	}
	for series, sheets := range map[ninety.Series]int{"A": 50, "V": 10, "B": 1} {
		made(t, h.Cards, order(h.manager, series, sheets))
		for _, row := range allCards(t, h.Store, series) {
			h.cards[row.Serial()] = row.Card()
		}
	}
	var err error
	h.day, err = h.Loto.Create(t.Context(), app.NewLotoDay{Request: app.NewRequestID(), By: h.manager,
		Plan: lotoPlan(h.Now().Add(3 * time.Hour))})
	h.ok(err)
	return h
}

func (h *lotoHall) ok(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *lotoHall) refused(what string, err error, want *regs.Violation) {
	h.t.Helper()
	if !errors.Is(err, want) {
		h.t.Errorf("%s: %v, want %s", what, err, want.Code)
	}
}

// as is an act of somebody; by the caller without a name.
func (h *lotoHall) as(who player.ID) app.LotoAct {
	return app.LotoAct{Request: app.NewRequestID(), By: who, Day: h.day}
}

func (h *lotoHall) session() loto.Session {
	h.t.Helper()
	d, _, err := h.Loto.Day(h.t.Context(), h.day)
	h.ok(err)
	return d.Session
}

// sell sells at a desk and returns the sale.
func (h *lotoHall) sell(desk int, units ...loto.Unit) app.LotoSold {
	h.t.Helper()
	s, err := h.Loto.Sell(h.t.Context(), h.order(desk, units...))
	h.ok(err)
	return s
}

func (h *lotoHall) order(desk int, units ...loto.Unit) app.LotoSale {
	o := app.LotoSale{LotoAct: h.as(h.cashiers[desk-1]), Means: app.Cash, Inside: true}
	for _, u := range units {
		o.Items = append(o.Items, loto.Item{Unit: u})
	}
	return o
}

// typed calls numbers out of the real cage that are not out yet.
func (h *lotoHall) typed(balls ...ninety.Ball) {
	h.t.Helper()
	for _, b := range balls {
		p := h.session().Play
		if !slices.Contains(p.Calls, b) {
			h.ok(h.Loto.CallTyped(h.t.Context(), h.as(h.caller), b, len(p.Calls)))
		}
	}
}

// claim stops the draw, has cards claimed and checked.
func (h *lotoHall) claim(serials ...ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	h.ok(h.Loto.Stop(ctx, h.as(h.caller)))
	for _, s := range serials {
		h.ok(h.Loto.Claim(ctx, h.as(h.checker), app.LotoClaim{Serial: s.String()}))
	}
	h.ok(h.Loto.BeginCheck(ctx, h.as(h.caller)))
	for i := range serials {
		h.ok(h.Loto.Check(ctx, h.as(h.caller), i, ""))
	}
}

// alike returns n cards among those given that have a number in common which is not out, and
// calls whatever else they need for the stage, then that number.
func (h *lotoHall) alike(n int, stage loto.Stage, among []ninety.Serial) []ninety.Serial {
	h.t.Helper()
	out := h.session().Play.Calls
	for b := ninety.Ball(1); b <= 90; b++ {
		var with []ninety.Serial
		for _, s := range among {
			if h.cards[s].Numbers().Has(b) {
				with = append(with, s)
			}
		}
		if slices.Contains(out, b) || len(with) < n {
			continue
		}
		with = with[:n]
		for _, s := range with {
			card := h.cards[s]
			lines := card.Lines[:]
			slices.SortFunc(lines, func(x, y ninety.BallSet) int { // the line of the number first
				return boolInt(y.Has(b)) - boolInt(x.Has(b))
			})
			for _, l := range lines[:stage] {
				for c := range l.All() {
					if c != b {
						h.typed(c)
					}
				}
			}
		}
		h.typed(b)
		return with
	}
	h.t.Fatalf("no %d cards share a number", n)
	return nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// amounts are what the awards of the stage give, −1 for a consolation.
func amounts(awards []loto.Award) (list []money.Cents) {
	for _, a := range awards {
		if a.Consolation {
			list = append(list, -1)
		} else {
			list = append(list, a.Amount)
		}
	}
	slices.Sort(list)
	return list
}

// TestLoto24_Postponed: cards stay valid on the new day, once they are stamped again.
func TestLoto24_Postponed(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:8", "loto:24")
	h := newLotoHall(t)
	ctx := t.Context()
	h.ok(h.Loto.OpenDay(ctx, h.as(h.manager)))
	card := h.sell(1, loto.OneCard).Cards[0].First
	committed := h.session().Commitments
	doors := h.Now().Add(7 * 24 * time.Hour)
	h.ok(h.Loto.Postpone(ctx, h.as(h.manager), app.Postponement{Doors: doors, Start: doors.Add(3 * time.Hour), Reason: "peu de monde"}))
	h.Clock.Move(7 * 24 * time.Hour)
	h.ok(h.Loto.OpenDay(ctx, h.as(h.manager)))
	if !slices.Equal(h.session().Commitments, committed) {
		t.Error("the postponed day commits anew")
	}
	h.ok(h.Loto.TakeControl(ctx, h.as(h.caller)))
	h.ok(h.Loto.Recall(ctx, h.as(h.caller)))
	h.ok(h.Loto.OpenRound(ctx, h.as(h.caller), 1))
	h.alike(1, loto.StageQuine, []ninety.Serial{card})
	h.claim(card)
	if p := h.session().Play; p.Mode != loto.Drawing {
		t.Errorf("an old stamp: %s", p.Mode)
	}
	if _, err := h.Loto.StampCard(ctx, h.as(h.cashiers[0]), card.String()); err != nil {
		t.Fatal(err)
	}
	h.claim(card)
	if p := h.session().Play; p.Mode != loto.Awarding {
		t.Errorf("stamped again: %s, %+v", p.Mode, p.Claims)
	}
}

// TestLoto_ARehearsalTakesNothing: half of each pile is sold to invented players, desks sell and
// pay back as on the day, and no money moves.
func TestLoto_ARehearsalTakesNothing(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:12", "house:1")
	h := newLotoHall(t)
	ctx := t.Context()
	day, err := h.Loto.Rehearse(ctx, h.as(h.manager), "Répétition")
	h.ok(err)
	h.day = day
	d, _, err := h.Loto.Day(ctx, day)
	h.ok(err)
	stocks, err := h.Loto.Stocks(ctx, d)
	h.ok(err)
	if left := stocks[2].Left(d.Session.Plan, loto.SpecialCard); left != 30 {
		t.Errorf("%d of 60 special cards are left", left)
	}
	card := h.sell(1, loto.SheetOf6).Cards[0].First
	h.ok(h.Loto.TakeControl(ctx, h.as(h.caller)))
	if _, err := h.Loto.Exclude(ctx, app.Exclusion{LotoAct: h.as(h.caller), Cards: []string{card.String()}, Desk: 1, Reason: "bruit"}); err != nil {
		t.Error(err)
	}
	h.sell(1, loto.OneCard)
	account, err := h.Store.Account(ctx, ledger.Path("loto:"+day.String()))
	if err != nil || account.Balance != 0 || account.Moves != 0 {
		t.Errorf("the rehearsal moved money: %+v, %v", account, err)
	}
}

// FuzzReadLotoEvent: whatever stands in a payload is read or refused.
func FuzzReadLotoEvent(f *testing.F) {
	f.Add("ball_called", []byte(`{"by":1,"fact":{"number":1,"ball":42}}`))
	f.Add("prize_awarded", []byte(`{"by":1,"fact":{"awards":[{"serial":"A-1"}],"how":"sole"}}`))
	f.Add("cards_sold", []byte(`{"by":1,"fact":"\u005f\""}`))
	f.Fuzz(func(t *testing.T, kind string, payload []byte) {
		if _, _, err := app.ReadLotoEvent(kind, payload); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}
