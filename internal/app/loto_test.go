package app_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/pgtest"
	"boulier/internal/store"
	"boulier/journal"
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
// 20, 30 and 100 EUR, a round of an object drawn by the program, a last round, the car.
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

// TestLoto_AWholeDay plays a day from the doors to the car.
func TestLoto_AWholeDay(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:2", "loto:3", "loto:4", "loto:5", "loto:7.tariff", "loto:7.payment", "loto:8",
		"loto:10", "loto:12", "loto:13", "loto:14", "loto:15", "loto:16", "loto:17", "loto:20", "loto:22", "loto:23",
		"loto:24", "loto:car.3", "loto:car.4", "house:1", "house:5", "house:6")
	for engine, c := range map[string]store.Config{"SQLite": {Folder: t.TempDir()}, "PostgreSQL": {URL: pgtest.New(t, apptest.Migrate)}} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			lotoHallIn(t, apptest.On(t, c)).wholeDay(t)
		})
	}
}

// wholeDay plays the day.
func (h *lotoHall) wholeDay(t *testing.T) {
	ctx := t.Context()

	// Before the doors.
	code, err := h.Loto.Reserve(ctx, h.as(h.manager), "Famille Le Goff")
	h.ok(err)
	_, err = h.Loto.Sell(ctx, h.order(1, loto.OneCard))
	h.refused("a sale before the doors", err, loto.ErrSaleShut)
	h.Clock.Move(time.Minute)
	h.ok(h.Loto.OpenDay(ctx, h.as(h.manager)))
	if s := h.session(); s.Phase != loto.Open || len(s.Commitments) != 4 || s.Commitments[0] != "" || s.Commitments[1] == "" {
		t.Fatalf("phase %s, commitments %v", s.Phase, s.Commitments)
	}

	// Desks.
	var sold []ninety.Serial
	for range 20 {
		for _, lot := range h.sell(1, loto.SheetOf6).Cards {
			for n := lot.First.Number; n <= lot.Last.Number; n++ {
				sold = append(sold, ninety.Serial{Series: lot.First.Series, Number: n})
			}
		}
	}
	o := h.order(2, loto.OneCard)
	o.Inside, o.Reservation = false, "http://192.168.1.2/loto/1/r/"+code
	entry, err := h.Loto.Sell(ctx, o)
	h.ok(err)
	if entry.Total != 5_00 || len(entry.Cards) != 2 || !entry.Cards[1].Free {
		t.Errorf("with a reservation: %+v", entry)
	}
	o.Request = app.NewRequestID()
	_, err = h.Loto.Sell(ctx, o)
	h.refused("a reservation shown twice", err, loto.ErrRedeemed)
	if r, err := h.Loto.Reservation(ctx, h.day, code); err != nil || r.Desk != 2 || r.Sale != 1 || r.At.IsZero() {
		t.Errorf("when and where the first was: %+v, %v", r, err)
	}
	o.Request, o.Reservation = app.NewRequestID(), ""
	_, err = h.Loto.Sell(ctx, o)
	h.refused("entry without a reservation", err, loto.ErrEntry)
	o = h.order(2, loto.OneCard)
	o.Means = app.Cheque
	_, err = h.Loto.Sell(ctx, o)
	h.refused("a cheque without identity", err, loto.ErrIdentity)
	o.Request, o.Document = app.NewRequestID(), "identity_card"
	_, err = h.Loto.Sell(ctx, o)
	h.ok(err)
	again, err := h.Loto.Sell(ctx, o)
	if err != nil || again.Sale != 2 {
		t.Errorf("the same request: %+v, %v", again, err)
	}
	o = h.order(2, loto.OneCard)
	o.Unstamped = true
	unstamped, err := h.Loto.Sell(ctx, o)
	h.ok(err)
	var special []ninety.Serial
	for range 12 {
		special = append(special, h.sell(3, loto.SpecialCard).Cards[0].First)
	}
	_, err = h.Loto.Sell(ctx, h.order(1, loto.SpecialCard))
	h.refused("a special card at an ordinary desk", err, loto.ErrUnitHere)
	wrong := h.sell(2, loto.OneCard)
	h.ok(h.Loto.TakeBackSale(ctx, h.as(h.cashiers[1]), wrong.Sale))
	disturber := h.sell(2, loto.OneCard).Cards[0].First
	if disturber != wrong.Cards[0].First {
		t.Errorf("the card taken back was %s, the next one sold %s", wrong.Cards[0].First, disturber)
	}

	// The caller.
	h.refused("a caller who is not in control", h.Loto.Recall(ctx, h.as(h.caller)), loto.ErrNotCaller)
	h.refused("a checker who calls", h.Loto.TakeControl(ctx, h.as(h.checker)), app.ErrForbidden)
	h.ok(h.Loto.TakeControl(ctx, h.as(h.manager)))
	h.ok(h.Loto.TakeControl(ctx, h.as(h.caller))) // takes over
	h.refused("the one who called before", h.Loto.Recall(ctx, h.as(h.manager)), loto.ErrNotCaller)
	h.refused("a round before the rules", h.Loto.OpenRound(ctx, h.as(h.caller), 1), loto.ErrNotRecalled)
	h.ok(h.Loto.Recall(ctx, h.as(h.caller)))
	h.ok(h.Loto.OpenRound(ctx, h.as(h.caller), 1))
	late := h.sell(2, loto.OneCard).Cards[0].First
	h.refused("a number drawn beside a real cage", h.Loto.CallNext(ctx, h.as(h.caller), 0), loto.ErrCageRound)

	h.tiesOnVouchers(sold, late, unstamped.Cards[0].First)
	h.ok(h.Loto.CloseRound(ctx, h.as(h.caller), ""))

	// A break, a dispute, an exclusion.
	h.ok(h.Loto.Rest(ctx, h.as(h.caller), "Repas", 75*time.Minute))
	h.refused("a round during the break", h.Loto.OpenRound(ctx, h.as(h.caller), 2), loto.ErrPaused)
	h.Clock.Move(75 * time.Minute)
	h.ok(h.Loto.Continue(ctx, h.as(h.caller)))
	h.ok(h.Loto.Decide(ctx, h.as(h.caller), "Deux mains levées ensemble", "Les deux sont retenues"))
	refund, err := h.Loto.Exclude(ctx, app.Exclusion{LotoAct: h.as(h.caller), Cards: []string{disturber.String()},
		Desk: 2, Reason: "trouble la partie"})
	if err != nil || refund != 5_00 {
		t.Errorf("exclusion: %s, %v", refund, err)
	}

	h.drawnRound(sold, disturber)
	h.lastRound(sold, special)
	h.car(special)

	h.ok(h.Loto.CloseDay(ctx, h.as(h.manager), ""))
	h.afterwards(special)
}

// tiesOnVouchers plays the first round: 20 EUR for 3, 30 EUR for 3, 100 EUR for 2.
func (h *lotoHall) tiesOnVouchers(sold []ninety.Serial, late, unstamped ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	three := h.alike(3, loto.StageQuine, sold)
	last := h.session().Play.Calls[len(h.session().Play.Calls)-1]
	h.ok(h.Loto.Repeat(ctx, h.as(h.caller), last, "mal dit"))
	h.ok(h.Loto.Stop(ctx, h.as(h.caller)))
	for _, s := range []ninety.Serial{late, unstamped, {Series: "B", Number: 1}, {Series: "A", Number: 179}} {
		h.ok(h.Loto.Claim(ctx, h.as(h.checker), app.LotoClaim{Serial: s.String()}))
	}
	h.ok(h.Loto.BeginCheck(ctx, h.as(h.caller)))
	h.refused("a claim after the check began", h.Loto.Claim(ctx, h.as(h.checker),
		app.LotoClaim{Serial: three[0].String()}), loto.ErrClaimLate)
	want := []loto.Reason{loto.ReasonLateSale, loto.ReasonUnstamped, loto.ReasonSeries, loto.ReasonUnsold}
	for i := range want[:3] {
		h.ok(h.Loto.Check(ctx, h.as(h.caller), i, ""))
		if v := h.session().Play.Claims[i].Verdict; v.Reason != want[i] {
			h.t.Errorf("claim %d: %q, want %q", i, v.Reason, want[i])
		}
	}
	// A power cut in the middle of the check: another process goes on.
	h.Loto = app.NewLoto(h.Ground, app.NewCards(h.Ground))
	h.ok(h.Loto.Check(ctx, h.as(h.caller), 3, ""))
	if p := h.session().Play; p.Mode != loto.Drawing {
		h.t.Errorf("after a false claim: %s", p.Mode)
	}
	// The draw goes on where it was; those who were not heard shout now.
	if d, _, _ := h.Loto.Day(ctx, h.day); true {
		if n, err := h.Loto.Winning(ctx, d); err != nil || n < 3 {
			h.t.Errorf("%d sold cards have won, %v", n, err)
		}
	}
	h.claim(three...)
	if p := h.session().Play; p.Mode != loto.Tied || p.Tie.Keep != 2 {
		h.t.Fatalf("20 EUR for 3: %s, %+v", p.Mode, p.Tie)
	}
	for i, token := range []ninety.Ball{12, 80, 45} {
		h.ok(h.Loto.DrawToken(ctx, h.as(h.caller), token, i))
	}
	p := h.session().Play
	if !slices.Equal(amounts(p.Awards), []money.Cents{-1, 10_00, 10_00}) || p.Awards[0].Token != 12 || !p.Awards[0].Consolation {
		h.t.Errorf("20 EUR for 3: %+v", p.Awards)
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
	h.refused("a number corrected after the prize", h.Loto.Correct(ctx, h.as(h.caller), last, 0, "mal tapé"), loto.ErrCorrection)

	// A wrong number typed, and corrected.
	free := ninety.Ball(1)
	for slices.Contains(h.session().Play.Calls, free) {
		free++
	}
	h.typed(free)
	h.ok(h.Loto.Correct(ctx, h.as(h.caller), free, 0, "mal tapé"))

	h.claim(h.alike(3, loto.StageTwoLines, sold)...)
	if p := h.session().Play; p.How != loto.Shared || !slices.Equal(amounts(p.Awards), []money.Cents{10_00, 10_00, 10_00}) {
		h.t.Errorf("30 EUR for 3: %s %+v", p.How, p.Awards)
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
	h.claim(h.alike(2, loto.StageFullCard, sold)...)
	if p := h.session().Play; !slices.Equal(amounts(p.Awards), []money.Cents{50_00, 50_00}) {
		h.t.Errorf("100 EUR for 2: %+v", p.Awards)
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
}

// next draws numbers until a card of those given has won the stage, and returns all that
// have won on that number.
func (h *lotoHall) next(stage loto.Stage, among []ninety.Serial) (won []ninety.Serial) {
	h.t.Helper()
	for {
		p := h.session().Play
		h.ok(h.Loto.CallNext(h.t.Context(), h.as(h.caller), len(p.Calls)))
		calls := h.session().Play.Calls
		called := ninety.BallSet{}.With(calls...)
		for _, s := range among {
			if stage.Wins(h.cards[s], called) && h.cards[s].Numbers().Has(calls[len(calls)-1]) &&
				!stage.Wins(h.cards[s], ninety.BallSet{}.With(calls[:len(calls)-1]...)) {
				won = append(won, s)
			}
		}
		if len(won) > 0 {
			return won
		}
	}
}

// settle ends a stage, whatever the number of its winners.
func (h *lotoHall) settle() {
	h.t.Helper()
	ctx := h.t.Context()
	for h.session().Play.Mode == loto.Tied {
		h.ok(h.Loto.DrawToken(ctx, h.as(h.caller), 0, len(h.session().Play.Tie.Tokens)))
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
}

// drawnRound plays the object: balls and tokens by the program; a card of somebody excluded
// does not win.
func (h *lotoHall) drawnRound(sold []ninety.Serial, excluded ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	h.ok(h.Loto.OpenRound(ctx, h.as(h.caller), 2))
	h.refused("a number typed where the program draws", h.Loto.CallTyped(ctx, h.as(h.caller), 5, 0), loto.ErrCageRound)
	h.ok(h.Loto.CallNext(ctx, h.as(h.caller), 0))
	h.refused("a key pressed twice", h.Loto.CallNext(ctx, h.as(h.caller), 0), loto.ErrStale)
	h.claim(excluded)
	h.Clock.Move(time.Second)
	h.Loto = app.NewLoto(h.Ground, app.NewCards(h.Ground)) // a power cut: the order is the same
	h.claim(h.next(loto.StageFullCard, sold)...)
	h.settle()
	h.ok(h.Loto.CloseRound(ctx, h.as(h.caller), ""))
}

// lastRound plays the last three prizes, for which special cards play too.
func (h *lotoHall) lastRound(sold, special []ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	h.ok(h.Loto.OpenRound(ctx, h.as(h.caller), 3))
	both := slices.Concat(sold, special)
	for _, stage := range []loto.Stage{loto.StageQuine, loto.StageTwoLines, loto.StageFullCard} {
		h.claim(h.next(stage, both)...)
		h.settle()
	}
	h.ok(h.Loto.CloseRound(ctx, h.as(h.caller), ""))
}

// car plays for the car, with a tie that tokens out of a real bag settle.
func (h *lotoHall) car(special []ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	h.ok(h.Loto.OpenRound(ctx, h.as(h.caller), 4))
	two := h.alike(2, loto.StageFullCard, special)
	h.claim(ninety.Serial{Series: "A", Number: 1})
	h.claim(two...)
	h.ok(h.Loto.DrawToken(ctx, h.as(h.caller), 7, 0))
	h.refused("a token put back", h.Loto.DrawToken(ctx, h.as(h.caller), 7, 1), loto.ErrTokenTaken)
	h.ok(h.Loto.DrawToken(ctx, h.as(h.caller), 70, 1))
	if p := h.session().Play; !p.Awards[0].Consolation || p.Awards[1].Consolation || p.Awards[1].Serial != two[1] {
		h.t.Errorf("the car: %+v", p.Awards)
	}
	h.ok(h.Loto.HandOver(ctx, h.as(h.caller)))
	h.ok(h.Loto.CloseRound(ctx, h.as(h.caller), ""))
}

// afterwards checks the money, the replay, and the draws as a stranger would.
func (h *lotoHall) afterwards(special []ninety.Serial) {
	h.t.Helper()
	ctx := h.t.Context()
	account, err := h.Store.Account(ctx, "loto:1")
	h.ok(err)
	// 20 sheets of 6; cards: reservation, cheque, unstamped, late; 12 special ones. The card of
	// whoever was excluded was paid back.
	if want := money.Cents(20*20_00 + 4*5_00 + 12*6_00); money.Cents(account.Balance) != want {
		h.t.Errorf("the day took %s, want %s", money.Cents(account.Balance), want)
	}
	sums, err := h.Store.Sums(ctx)
	h.ok(err)
	for _, s := range sums {
		if s.Balances != 0 || s.Unexplained != 0 {
			h.t.Errorf("the ledger: %+v", s)
		}
	}
	d, _, err := h.Loto.Day(ctx, h.day)
	h.ok(err)
	var events []loto.Event
	revealed := map[int]string{}
	entries, err := h.Store.Stream(ctx, app.LotoPrefix+h.day.String(), 0, 10_000)
	h.ok(err)
	for _, e := range entries {
		leaf, err := journal.ParseLeaf(e.Leaf)
		h.ok(err)
		event, _, err := app.ReadLotoEvent(string(leaf.Kind), e.Payload)
		h.ok(err)
		if event != nil {
			events = append(events, event)
			continue
		}
		var secret struct {
			Round  int
			Secret string
		}
		h.ok(json.Unmarshal(e.Payload, &secret))
		revealed[secret.Round] = secret.Secret
	}
	if got := loto.Replay(events); !reflect.DeepEqual(got, d.Session) {
		h.t.Errorf("the journal replays to\n%+v\nstored is\n%+v", got, d.Session)
	}
	for _, r := range d.Session.Results {
		if d.Session.Plan.Rounds[r.Round-1].Cage {
			continue
		}
		secret, err := draw.ParseSecret(revealed[r.Round])
		h.ok(err)
		id := draw.ID(fmt.Sprintf("%d/%d", h.day, r.Round))
		if draw.Commit(draw.LotoRound, id, secret).String() != d.Session.Commitments[r.Round-1] {
			h.t.Errorf("round %d: not the secret that was committed to", r.Round)
		}
		salt, err := hex.DecodeString(r.Salt)
		h.ok(err)
		order := ninety.Draw(draw.NewStream(draw.LotoRound, id, secret, salt))
		if !slices.Equal(order[:len(r.Calls)], r.Calls) {
			h.t.Errorf("round %d: called %v, the proof gives %v", r.Round, r.Calls, order[:len(r.Calls)])
		}
	}
	stocks, err := h.Loto.Stocks(ctx, d)
	h.ok(err)
	_, lines := loto.Playing(stocks, []ninety.Series{"A", "V"})
	if sum := sha256.Sum256(lines); hex.EncodeToString(sum[:]) != d.Session.Results[2].Salt {
		h.t.Error("the salt of the last round is not the digest of the cards sold")
	}
	report, err := h.Desk.Close(ctx, app.DrawerClosing{Request: app.NewRequestID(), Cashier: h.cashiers[2],
		Counted: app.Count{Cash: 100_00 + money.Cents(len(special))*6_00}})
	h.ok(err)
	if report.Lines[0].Difference != 0 {
		h.t.Errorf("the special desk: %+v", report.Lines)
	}
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
