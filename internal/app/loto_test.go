package app_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boulier/draw"
	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/journal"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
	"boulier/regs/regstest"
)

// A lotoHall is a house in which a day of hall loto is played.
type lotoHall struct {
	*apptest.House
	t                                  *testing.T
	Loto                               *app.Loto
	cards                              *app.Cards
	organizer, caller, checker, seller player.ID
	special                            player.ID // holds the desk of the special card
	day                                app.LotoID
}

// newLotoHall has two series of cards, made here: A is ordinary, V is special.
func newLotoHall(t *testing.T) *lotoHall {
	t.Helper()
	h, cards, by := hall(t)
	l := &lotoHall{House: h, t: t, cards: cards, Loto: app.NewLoto(h.Ground, cards), organizer: by}
	made(t, cards, order(by, "A", 40))
	made(t, cards, order(by, "V", 10))
	l.caller, l.checker = h.Staff("calla", app.Caller), h.Staff("chekhov", app.Checker)
	l.seller, l.special = h.Staff("sella", app.Cashier), h.Staff("speciosa", app.Cashier)
	return l
}

// order is an order to the day by somebody.
func (l *lotoHall) by(who player.ID) app.LotoOrder {
	return app.LotoOrder{Request: app.NewRequestID(), By: who, Day: l.day}
}

// lotoPlan is a day of rounds with a real cage, so that the test says what comes out, one
// round that the program draws, and the car.
func lotoPlan(morning time.Time) loto.Plan {
	a, both, v := []ninety.Series{"A"}, []ninety.Series{"A", "V"}, []ninety.Series{"V"}
	voucher := func(s loto.Stage, euros int64, series []ninety.Series) loto.Prize {
		return loto.Prize{Stage: s, Kind: loto.Voucher, Name: "Bon d’achat", Amount: money.Cents(100 * euros),
			Smallest: 1_00, Series: series, Consolation: "Un filet garni"}
	}
	object := func(s loto.Stage, name string, series []ninety.Series) loto.Prize {
		return loto.Prize{Stage: s, Kind: loto.Object, Name: name, Series: series, Consolation: "Un jambon"}
	}
	car := object(loto.StageFullCard, "La voiture", v)
	car.Car, car.Note = true, "Les frais d’immatriculation sont à la charge du gagnant."
	return loto.Plan{Title: "Grand loto", Doors: morning, Start: morning.Add(3 * time.Hour),
		Breaks:   []loto.Break{{Title: "Repas", At: morning.Add(4*time.Hour + 30*time.Minute), Length: 75 * time.Minute}},
		Ordinary: a, Special: "V", Tariffs: loto.UsualTariffs(),
		Desks: []loto.Desk{{Number: 1}, {Number: 2, Mobility: true}, {Number: 3, Special: true}},
		Piles: []loto.Pile{{Desk: 1, Unit: loto.OneCard, Series: "A", From: 1, To: 60},
			{Desk: 1, Unit: loto.SheetOf3, Series: "A", From: 61, To: 120},
			{Desk: 1, Unit: loto.SheetOf6, Series: "A", From: 121, To: 180},
			{Desk: 2, Unit: loto.OneCard, Series: "A", From: 181, To: 240},
			{Desk: 3, Unit: loto.SpecialCard, Series: "V", From: 1, To: 60}},
		Rounds: []loto.Round{
			{Title: "Première partie", Cage: true, Prizes: []loto.Prize{voucher(loto.StageQuine, 20, a),
				voucher(loto.StageTwoLines, 30, a), object(loto.StageFullCard, "Téléviseur", a)}},
			{Title: "Deuxième partie", Prizes: []loto.Prize{voucher(loto.StageQuine, 50, a)}},
			{Title: "Dernière partie", Cage: true, Prizes: []loto.Prize{voucher(loto.StageQuine, 100, both),
				voucher(loto.StageTwoLines, 30, both), voucher(loto.StageFullCard, 500, both)}},
			{Title: "La voiture", Cage: true, Prizes: []loto.Prize{car}},
		}}
}

// open plans the day, opens it, and opens the drawers of two desks.
func (l *lotoHall) open(change ...func(*loto.Plan)) {
	l.t.Helper()
	p := lotoPlan(l.Now().Add(time.Hour))
	for _, c := range change {
		c(&p)
	}
	ctx := context.Background()
	id, err := l.Loto.Plan(ctx, app.LotoPlanning{LotoOrder: l.by(l.organizer), Plan: p})
	l.ok(err)
	l.day = id
	l.ok(l.Loto.OpenDay(ctx, l.by(l.organizer)))
	for who, desk := range map[player.ID]app.DeskID{l.seller: 1, l.special: 3} {
		l.ok(l.Desk.Open(ctx, app.DrawerOpening{Request: app.NewRequestID(), Cashier: who, Desk: desk, Float: 100_00}))
	}
}

func (l *lotoHall) ok(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lotoHall) refused(what string, err error, want *regs.Violation) {
	l.t.Helper()
	if !errors.Is(err, want) {
		l.t.Errorf("%s: %v, want %s", what, err, want.Code)
	}
}

// sell sells units to somebody without a reservation who is let in.
func (l *lotoHall) sell(who player.ID, means loto.Means, units ...loto.Unit) loto.CardsSold {
	l.t.Helper()
	sold, err := l.Loto.Sell(context.Background(), l.sale(who, means, units...))
	l.ok(err)
	return sold
}

func (l *lotoHall) sale(who player.ID, means loto.Means, units ...loto.Unit) app.LotoSale {
	o := app.LotoSale{LotoOrder: l.by(who), Means: means, Inside: true}
	for _, u := range units {
		o.Items = append(o.Items, loto.Item{Unit: u})
	}
	return o
}

// state is the day as it stands.
func (l *lotoHall) state() app.LotoState {
	l.t.Helper()
	s, _, err := l.Loto.Day(context.Background(), l.day)
	l.ok(err)
	return s
}

// card is a card as it is printed.
func (l *lotoHall) card(series ninety.Series, number int) ninety.Card {
	l.t.Helper()
	row, err := l.House.Store.Card(context.Background(), ninety.Serial{Series: series, Number: number})
	l.ok(err)
	return row.Card()
}

// typed types numbers from the cage, those that are not out already.
func (l *lotoHall) typed(balls ...ninety.Ball) {
	l.t.Helper()
	for _, b := range balls {
		s := l.state()
		if contains(s.Play.Calls, b) {
			continue
		}
		_, err := l.Loto.Typed(context.Background(), l.by(l.caller), b, len(s.Play.Calls))
		l.ok(err)
	}
}

func contains(list []ninety.Ball, b ninety.Ball) bool {
	for _, c := range list {
		if c == b {
			return true
		}
	}
	return false
}

// tied finds so many cards among those numbered from to, of a series, that can win a stage
// by the same last number, and types all that they need, that number last.
func (l *lotoHall) tied(series ninety.Series, from, to, n int, stage loto.Stage) (cards []string) {
	l.t.Helper()
	out := l.state().Play.Calls
	type need struct {
		number  int
		numbers ninety.BallSet
	}
	for last := ninety.Ball(1); last <= 90; last++ {
		if contains(out, last) {
			continue
		}
		var found []need
		for number := from; number <= to && len(found) < n; number++ {
			c := l.card(series, number)
			var lines []ninety.BallSet
			for _, line := range c.Lines {
				if line.Has(last) {
					lines = append([]ninety.BallSet{line}, lines...)
				} else {
					lines = append(lines, line)
				}
			}
			if !lines[0].Has(last) {
				continue
			}
			var all ninety.BallSet
			for _, line := range lines[:stage] {
				all = all.Union(line)
			}
			found = append(found, need{number, all})
		}
		if len(found) < n {
			continue
		}
		var first ninety.BallSet
		for _, f := range found {
			first = first.Union(f.numbers)
			cards = append(cards, fmt.Sprintf("%s-%d", series, f.number))
		}
		for b := range first.All() {
			if b != last {
				l.typed(b)
			}
		}
		l.typed(last)
		return cards
	}
	l.t.Fatalf("no %d cards share a number", n)
	return nil
}

// claim stops the draw and claims cards, the first by the caller, the others by a checker.
func (l *lotoHall) claim(cards ...string) {
	l.t.Helper()
	ctx := context.Background()
	if l.state().Play.Mode == loto.Drawing {
		_, err := l.Loto.Stop(ctx, l.by(l.caller))
		l.ok(err)
	}
	for i, card := range cards {
		who := l.checker
		if i == 0 {
			who = l.caller
		}
		_, err := l.Loto.Claim(ctx, app.LotoClaim{LotoOrder: l.by(who), Card: card})
		l.ok(err)
	}
}

// check checks what is claimed.
func (l *lotoHall) check() loto.Play {
	l.t.Helper()
	s, err := l.Loto.Check(context.Background(), l.by(l.caller))
	l.ok(err)
	return s.Play
}

func (l *lotoHall) handOver() {
	l.t.Helper()
	_, err := l.Loto.HandOver(context.Background(), l.by(l.caller))
	l.ok(err)
}

// round takes the controls and opens a round.
func (l *lotoHall) round(n int) {
	l.t.Helper()
	ctx := context.Background()
	l.ok(l.Loto.TakeControl(ctx, l.by(l.caller)))
	_, err := l.Loto.Recall(ctx, l.by(l.caller))
	l.ok(err)
	_, err = l.Loto.OpenRound(ctx, l.by(l.caller), n)
	l.ok(err)
}

// awarded are the amounts and consolations that wait to be handed over.
func awarded(p loto.Play) (amounts []money.Cents, consolations int) {
	for _, a := range p.Awards {
		if a.Consolation {
			consolations++
		} else {
			amounts = append(amounts, a.Amount)
		}
	}
	return amounts, consolations
}

// balance is what an account holds.
func (l *lotoHall) balance(path ledger.Path) money.Cents {
	l.t.Helper()
	a, err := l.House.Store.Account(context.Background(), path)
	l.ok(err)
	return money.Cents(a.Balance)
}

// replayed folds the facts of the day over the rules.
func (l *lotoHall) replayed() (s loto.Session, facts int) {
	l.t.Helper()
	entries, err := l.House.Store.Stream(context.Background(), app.LotoDayPrefix+l.day.String(), 0, 10_000)
	l.ok(err)
	for _, e := range entries {
		leaf, err := journal.ParseLeaf(e.Leaf)
		l.ok(err)
		event, err := app.LotoEvent(string(leaf.Kind), e.Payload)
		l.ok(err)
		if event != nil {
			s = s.Apply(event)
		}
	}
	return s, len(entries)
}

// TestLoto_AWholeDay plays a day from the doors to the car.
func TestLoto_AWholeDay(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:2", "loto:3", "loto:4", "loto:5", "loto:7.tariff", "loto:7.payment", "loto:8",
		"loto:10", "loto:11", "loto:12", "loto:14", "loto:15", "loto:16", "loto:17", "loto:18", "loto:20",
		"loto:22", "loto:23", "loto:car.2", "loto:car.3", "loto:car.4", "house:6")
	ctx := context.Background()
	l := newLotoHall(t)
	l.open()
	l.Clock.Move(time.Hour) // the doors

	// Reservations: one free card each, once.
	codes, err := l.Loto.Reserve(ctx, l.by(l.organizer), 3)
	l.ok(err)
	o := l.sale(l.seller, loto.ByCard, loto.OneCard)
	o.Inside, o.Reservation = false, strings.ToLower(codes[0][:4]+" "+codes[0][4:])
	free, err := l.Loto.Sell(ctx, o)
	l.ok(err)
	if len(free.Lots) != 2 || free.Total != 5_00 || free.Lots[1].Price != 0 {
		t.Errorf("a card and the free one: %+v", free)
	}
	o.LotoOrder = l.by(l.seller)
	_, err = l.Loto.Sell(ctx, o)
	l.refused("a reservation shown twice", err, loto.ErrRedeemed)
	if r, err := l.Loto.Reservation(ctx, l.day, codes[0]); err != nil || r.Redeemed.Desk != 1 || r.At.IsZero() {
		t.Errorf("the reservation says %+v, %v", r, err)
	}
	none := l.sale(l.seller, loto.ByCash)
	none.Reservation = codes[1]
	_, err = l.Loto.Sell(ctx, none)
	l.refused("a free card alone", err, loto.ErrFreeAlone)
	out := l.sale(l.seller, loto.ByCash, loto.OneCard)
	out.Inside = false
	_, err = l.Loto.Sell(ctx, out)
	l.refused("no reservation", err, loto.ErrEntry)
	out.LotoOrder, out.Reservation = l.by(l.seller), "AAAA2222"
	_, err = l.Loto.Sell(ctx, out)
	l.refused("a reservation that nobody made", err, loto.ErrNoReserve)

	// Sales by every means, and one that is taken back.
	_, err = l.Loto.Sell(ctx, l.sale(l.seller, loto.ByCheque, loto.OneCard))
	l.refused("a cheque without a document", err, loto.ErrIdentity)
	for range 8 {
		l.sell(l.seller, loto.ByCash, loto.SheetOf6)
		l.sell(l.seller, loto.ByCard, loto.SheetOf3)
	}
	mistake := l.sell(l.seller, loto.ByCash, loto.OneCard, loto.SheetOf3)
	_, err = l.Loto.TakeBack(ctx, l.by(l.seller), mistake.Sale)
	l.ok(err)
	_, err = l.Loto.Sell(ctx, l.sale(l.special, loto.ByCash, loto.OneCard))
	l.refused("an ordinary card at the desk of the special one", err, loto.ErrUnitHere)
	for range 30 {
		l.sell(l.special, loto.ByCash, loto.SpecialCard)
	}
	troubled := l.sell(l.seller, loto.ByCash, loto.SheetOf6)
	unstamped := l.sale(l.seller, loto.ByCash, loto.OneCard)
	unstamped.Unstamped = true
	bare, err := l.Loto.Sell(ctx, unstamped)
	l.ok(err)
	if got := l.balance("loto:1"); got != 5_00+8*32_00+30*6_00+20_00+5_00 {
		t.Errorf("the day has taken %s", got)
	}

	// The first round, with a real cage.
	l.Clock.Move(3 * time.Hour)
	_, err = l.Loto.Recall(ctx, l.by(l.caller))
	l.refused("a caller without the controls", err, loto.ErrNotCaller)
	l.round(1)
	_, err = l.Loto.Call(ctx, l.by(l.caller), 0)
	l.refused("a drawn number beside a cage", err, loto.ErrCageRound)
	late := l.sell(l.seller, loto.ByCash, loto.SheetOf6)

	// A wrong number is typed and corrected, another said wrong and said again.
	quine := l.card("A", 121).Lines[0]
	var first []ninety.Ball
	for b := range quine.All() {
		first = append(first, b)
	}
	wrong := ninety.Ball(1)
	for quine.Has(wrong) {
		wrong++
	}
	l.typed(wrong)
	_, err = l.Loto.Correct(ctx, l.by(l.caller), wrong, first[0], "mal tapé")
	l.ok(err)
	_, err = l.Loto.Repeat(ctx, l.by(l.caller), first[0], "mal dit")
	l.ok(err)
	l.typed(first[:4]...)

	// A false claim: four numbers of the line; the round goes on.
	l.claim("A-121")
	if p := l.check(); p.Mode != loto.Drawing || len(p.Wrong) != 1 || p.Wrong[0].Verdict.Reason != loto.ReasonMissing ||
		len(p.Wrong[0].Verdict.Missing) != 1 {
		t.Errorf("a false claim: %+v", p)
	}
	if _, err := l.Loto.Typed(ctx, l.by(l.caller), first[0], 4); !errors.Is(err, loto.ErrCalled) {
		t.Errorf("a number twice: %v", err)
	}

	// Three on 20 EUR: two keep 10 EUR, by tokens; the third has a consolation. Refused
	// meanwhile: an unstamped card, one of another series, one not sold, one sold late.
	winners := l.tied("A", 121, 168, 3, loto.StageQuine)
	refused := []string{fmt.Sprintf("A-%d", bare.Lots[0].From), "V-1", "A-60", fmt.Sprintf("A-%d", late.Lots[0].From)}
	l.claim(append(winners, refused...)...)
	p := l.check()
	_, err = l.Loto.Claim(ctx, app.LotoClaim{LotoOrder: l.by(l.checker), Card: "A-130"})
	l.refused("a late claim", err, loto.ErrClaimLate)
	var reasons []loto.Reason
	for _, c := range p.Claims[3:] {
		reasons = append(reasons, c.Verdict.Reason)
	}
	want := []loto.Reason{loto.ReasonUnstamped, loto.ReasonSeries, loto.ReasonUnsold, loto.ReasonLateSale}
	if diff := cmp.Diff(want, reasons); diff != "" || p.Mode != loto.Tied || p.Tie.Keep != 2 {
		t.Fatalf("the check: %s, mode %s, keep %d", diff, p.Mode, p.Tie.Keep)
	}
	if v := p.Claims[0].Verdict; !v.Valid || v.Read[0] != p.Calls[len(p.Calls)-1] {
		t.Errorf("the last number is not read first: %+v", v)
	}
	for n, token := range []ninety.Ball{12, 77, 40} {
		s, err := l.Loto.Token(ctx, l.by(l.caller), n, token)
		l.ok(err)
		p = s.Play
	}
	if amounts, consoled := awarded(p); !reflect.DeepEqual(amounts, []money.Cents{10_00, 10_00}) || consoled != 1 ||
		!p.Awards[0].Consolation {
		t.Errorf("20 EUR for 3: %+v", p.Awards)
	}
	l.handOver()
	_, err = l.Loto.HandOver(ctx, l.by(l.caller))
	l.refused("a prize handed over twice", err, loto.ErrNotAwarded)

	// A power cut: another process goes on in the same round.
	l.Loto = app.NewLoto(l.Ground, app.NewCards(l.Ground))

	// 30 EUR for three: ten each, no token.
	winners = l.tied("A", 121, 168, 3, loto.StageTwoLines)
	l.claim(winners...)
	if amounts, consoled := awarded(l.check()); !reflect.DeepEqual(amounts, []money.Cents{10_00, 10_00, 10_00}) || consoled != 0 {
		t.Errorf("30 EUR for 3: %v and %d consolations", amounts, consoled)
	}
	l.handOver()

	// An object: the highest token wins.
	winners = l.tied("A", 121, 168, 2, loto.StageFullCard)
	l.claim(winners...)
	l.check()
	_, err = l.Loto.Token(ctx, l.by(l.caller), 0, 90)
	l.ok(err)
	_, err = l.Loto.Token(ctx, l.by(l.caller), 1, 90)
	l.refused("a token put back", err, loto.ErrTokenTaken)
	s, err := l.Loto.Token(ctx, l.by(l.caller), 1, 1)
	l.ok(err)
	if a := s.Play.Awards; len(a) != 2 || a[0].Consolation || !a[1].Consolation {
		t.Errorf("the television: %+v", a)
	}
	l.handOver()
	_, err = l.Loto.CloseRound(ctx, l.by(l.caller), "")
	l.ok(err)

	// A break, a dispute, and somebody who must leave.
	_, err = l.Loto.Rest(ctx, l.by(l.caller), "Repas", 75)
	l.ok(err)
	_, err = l.Loto.OpenRound(ctx, l.by(l.caller), 2)
	l.refused("a round during the break", err, loto.ErrPaused)
	l.Clock.Move(75 * time.Minute)
	_, err = l.Loto.Continue(ctx, l.by(l.caller))
	l.ok(err)
	l.ok(l.Loto.Decide(ctx, app.LotoDispute{LotoOrder: l.by(l.caller), Question: "Deux mains levées", Decision: "La première"}))
	refund, err := l.Loto.Exclude(ctx, app.LotoExclusion{LotoOrder: l.by(l.organizer), Reason: "a troublé la partie",
		Cards: []string{fmt.Sprintf("A-%d", troubled.Lots[0].From+2)}})
	if l.ok(err); refund != 20_00 {
		t.Errorf("refunded %s", refund)
	}

	// The second round is drawn here; another caller takes over in the middle.
	l.round(2)
	caller := l.caller
	for n := 0; ; n++ {
		s, err = l.Loto.Call(ctx, l.by(l.caller), n)
		l.ok(err)
		if n == 3 {
			l.caller = l.organizer
			l.ok(l.Loto.TakeControl(ctx, l.by(l.caller)))
			_, err = l.Loto.Call(ctx, l.by(caller), 4)
			l.refused("the caller before", err, loto.ErrNotCaller)
			_, err = l.Loto.Call(ctx, l.by(l.caller), 3)
			l.refused("a key pressed twice", err, loto.ErrStale)
		}
		if won := l.won(s, 121, 168, loto.StageQuine); won != "" {
			l.claim(won)
			break
		}
	}
	if amounts, _ := awarded(l.check()); !reflect.DeepEqual(amounts, []money.Cents{50_00}) {
		t.Errorf("a sole winner has %v", amounts)
	}
	l.handOver()
	_, err = l.Loto.CloseRound(ctx, l.by(l.caller), "")
	l.ok(err)
	l.provesRound(2)

	// The last three prizes: special cards play too. 100 EUR for two: fifty each.
	l.round(3)
	winners = l.tied("V", 1, 30, 2, loto.StageQuine)
	l.claim(winners...)
	if amounts, _ := awarded(l.check()); !reflect.DeepEqual(amounts, []money.Cents{50_00, 50_00}) {
		t.Errorf("100 EUR for 2: %v", amounts)
	}
	l.handOver()
	voided := fmt.Sprintf("A-%d", troubled.Lots[0].From)
	l.claim(voided)
	if p := l.check(); p.Wrong[0].Verdict.Reason != loto.ReasonVoid {
		t.Errorf("a card of who was excluded: %+v", p.Wrong)
	}
	winners = l.tied("A", 121, 168, 1, loto.StageTwoLines)
	l.claim(winners...)
	l.check()
	l.handOver()
	winners = l.tied("V", 1, 30, 1, loto.StageFullCard)
	l.claim(winners...)
	l.check()
	l.handOver()
	_, err = l.Loto.CloseRound(ctx, l.by(l.caller), "")
	l.ok(err)

	// The car: special cards only; a tie on it has its consolation.
	l.round(4)
	winners = l.tied("V", 1, 30, 2, loto.StageFullCard)
	l.claim(append(winners, "A-121")...)
	if p := l.check(); p.Claims[2].Verdict.Reason != loto.ReasonSeries || p.Mode != loto.Tied {
		t.Errorf("an ordinary card plays for the car: %+v", p.Claims)
	}
	for n, token := range []ninety.Ball{5, 6} {
		s, err = l.Loto.Token(ctx, l.by(l.caller), n, token)
		l.ok(err)
	}
	if a := s.Play.Awards; !a[0].Consolation || a[1].Consolation {
		t.Errorf("the car: %+v", a)
	}
	l.handOver()
	_, err = l.Loto.CloseRound(ctx, l.by(l.caller), "")
	l.ok(err)
	l.ok(l.Loto.CloseDay(ctx, l.by(l.organizer), ""))

	// The drawer is counted, and the facts give the state again.
	report, err := l.Desk.Close(ctx, app.DrawerClosing{Request: app.NewRequestID(), Cashier: l.seller,
		Counted: app.Count{Cash: 100_00 + 8*20_00 + 5_00 + 20_00, Card: 5_00 + 8*12_00}})
	l.ok(err)
	for _, line := range report.Lines {
		if line.Difference != 0 {
			t.Errorf("the drawer: %+v", line)
		}
	}
	session, facts := l.replayed()
	if diff := cmp.Diff(l.state().Session, session); diff != "" || facts < 100 {
		t.Errorf("%d facts lead elsewhere: %s", facts, diff)
	}
	sums, err := l.House.Store.Sums(ctx)
	l.ok(err)
	for _, s := range sums {
		if s.Balances != 0 || s.Unexplained != 0 || s.BelowFloor != 0 {
			t.Errorf("the ledger: %+v", s)
		}
	}
}

// won names a sold card of series A that has won a stage by the last number, if there is one.
func (l *lotoHall) won(s app.LotoState, from, to int, stage loto.Stage) string {
	called := ninety.BallSet{}.With(s.Play.Calls...)
	for n := from; n <= to; n++ {
		if c := l.card("A", n); stage.Wins(c, called) {
			return fmt.Sprintf("A-%d", n)
		}
	}
	return ""
}

// provesRound draws the numbers of a closed round again from its revealed secret.
func (l *lotoHall) provesRound(round int) {
	l.t.Helper()
	stream := fmt.Sprintf("loto/revealed/%d/%d", l.day, round)
	entries, err := l.House.Store.Stream(context.Background(), stream, 0, 10)
	l.ok(err)
	if len(entries) == 0 {
		l.t.Fatal("nothing is revealed")
	}
	var said struct{ Use, ID, Commitment, Secret, Salt string }
	decode(l.t, entries[0].Payload, &said)
	secret, err := draw.ParseSecret(said.Secret)
	l.ok(err)
	s := l.state()
	if got := draw.Commit(draw.Use(said.Use), draw.ID(said.ID), secret).String(); got != s.Commitments[round-1] {
		l.t.Errorf("the commitment of round %d is %s, not %s", round, s.Commitments[round-1], got)
	}
	order := ninety.Draw(draw.NewStream(draw.Use(said.Use), draw.ID(said.ID), secret, unhex(l.t, said.Salt)))
	for _, r := range s.Results {
		if r.Round == round && !reflect.DeepEqual(order[:len(r.Calls)], r.Calls) {
			l.t.Errorf("round %d called %v, the secret says %v", round, r.Calls, order[:len(r.Calls)])
		}
	}
}

func decode(t *testing.T, payload []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(payload, v); err != nil {
		t.Fatal(err)
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
