package loto

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/regs"
	"boulier/regs/regstest"

	"pgregory.net/rapid"
)

// selling is a day on which cards are sold.
func selling(change ...func(*Plan)) Session {
	p := plan()
	for _, c := range change {
		c(&p)
	}
	return Replay([]Event{Planned{p}, DayOpened{Commitments: []string{"c"}}, SaleOpened{}})
}

func items(units ...Unit) (list []Item) {
	for _, u := range units {
		list = append(list, Item{Unit: u})
	}
	return list
}

// TestLoto7_Sell holds the tariff and who may buy what where.
func TestLoto7_Sell(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:2", "loto:3", "loto:4", "loto:7.tariff", "loto:7.payment", "loto:10",
		"loto:car.1", "loto:car.2")
	scan := func(u Unit, s ninety.Serial) []Item { return []Item{{u, s}} }
	for _, tc := range []struct {
		name  string
		desk  int
		order Order
		want  *regs.Violation
		total money.Cents
		cards int
	}{
		{"a card", 1, Order{Items: items(OneCard), Means: ByCash, Inside: true}, nil, 5_00, 1},
		{"a sheet of 3", 1, Order{Items: items(SheetOf3), Means: ByCard, Inside: true}, nil, 12_00, 3},
		{"a sheet of 6", 1, Order{Items: items(SheetOf6), Means: ByCash, Inside: true}, nil, 20_00, 6},
		{"two cards and a sheet of 6", 1, Order{Items: items(OneCard, OneCard, SheetOf6), Means: ByCash,
			Inside: true}, nil, 30_00, 8},
		{"a special card at its desk", 3, Order{Items: items(SpecialCard), Means: ByCash, Inside: true}, nil, 6_00, 1},
		{"a special card at another desk", 1, Order{Items: items(SpecialCard), Means: ByCash, Inside: true},
			ErrUnitHere, 0, 0},
		{"a card at the special desk", 3, Order{Items: items(OneCard), Means: ByCash, Inside: true}, ErrUnitHere, 0, 0},
		{"a cheque with an identity document", 1, Order{Items: items(OneCard), Means: ByCheque,
			Document: "identity_card", Inside: true}, nil, 5_00, 1},
		{"a cheque without", 1, Order{Items: items(OneCard), Means: ByCheque, Inside: true}, ErrIdentity, 0, 0},
		{"another means", 1, Order{Items: items(OneCard), Means: "bitcoin", Inside: true}, ErrLotoMeans, 0, 0},
		{"nobody enters without a reservation", 1, Order{Items: items(OneCard), Means: ByCash}, ErrEntry, 0, 0},
		{"a reservation gives one free card", 1, Order{Items: items(OneCard), Means: ByCash, Reservation: "R1"},
			nil, 5_00, 2},
		{"a free card alone does not let in (reading L8)", 1, Order{Means: ByCash, Reservation: "R1"}, ErrFreeAlone,
			0, 0},
		{"nothing", 1, Order{Means: ByCash, Inside: true}, ErrNothingSold, 0, 0},
		{"the pile as it was scanned", 1, Order{Items: scan(SheetOf6, serial("A", 97)), Means: ByCash, Inside: true},
			nil, 20_00, 6},
		{"a card of another desk", 1, Order{Items: scan(OneCard, serial("A", 151)), Means: ByCash, Inside: true},
			ErrNotInPile, 0, 0},
		{"a card of another series", 1, Order{Items: scan(OneCard, serial("B", 1)), Means: ByCash, Inside: true},
			ErrNotInPile, 0, 0},
	} {
		st := Stock{Desk: tc.desk}
		sold, err := st.Sell(selling(), tc.order)
		if tc.want != nil {
			refuses(t, tc.name, err, tc.want)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		cards := 0
		for _, l := range sold.Lots {
			cards += l.Unit.Cards()
		}
		if sold.Total != tc.total || cards != tc.cards {
			t.Errorf("%s: %s EUR for %d cards, want %s for %d", tc.name, sold.Total, cards, tc.total, tc.cards)
		}
	}
	if _, err := (Stock{Desk: 1}).Sell(Session{Plan: plan()}, Order{Items: items(OneCard), Means: ByCash}); !errors.Is(err, ErrSaleShut) {
		t.Errorf("a sale before the day opens: %v", err)
	}
	walk := selling(func(p *Plan) { p.WalkIns = true })
	if _, err := (Stock{Desk: 1}).Sell(walk, Order{Items: items(OneCard), Means: ByCash}); err != nil {
		t.Errorf("without a reservation where the organizer admits others (reading L16): %v", err)
	}
}

func TestLoto10_NoCardIsSoldTwice(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:10", "house:3")
	s := selling()
	rapid.Check(t, func(rt *rapid.T) {
		stocks := []Stock{{Desk: 1}, {Desk: 2}, {Desk: 3}}
		for i := range rapid.IntRange(1, 80).Draw(rt, "sales") {
			d := rapid.IntRange(0, 2).Draw(rt, "desk")
			o := Order{Means: ByCash, Inside: true, At: morning.Add(time.Duration(i) * time.Second)}
			o.Items = items(rapid.SliceOfN(rapid.SampledFrom(Units), 1, 3).Draw(rt, "units")...)
			sold, err := stocks[d].Sell(s, o)
			if err != nil {
				continue
			}
			stocks[d] = stocks[d].Apply(sold)
			if rapid.Bool().Draw(rt, "back") {
				_, events, err := stocks[d].TakeBack(s, sold.Sale)
				if err != nil {
					rt.Fatal(err)
				}
				stocks[d] = stocks[d].Apply(events[0])
			}
		}
		seen := map[ninety.Serial]bool{}
		cards, _ := Playing(stocks, []ninety.Series{"A", "V"})
		for _, c := range cards {
			if seen[c] {
				rt.Fatalf("%s was sold twice", c)
			}
			seen[c] = true
		}
	})
}

// TestLoto10_WhatIsFreeIsHandedOutNext: what a desk sells on its own while it is cut off is
// what the house would have handed out.
func TestLoto10_WhatIsFreeIsHandedOutNext(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:10", "loto:7.tariff")
	s := selling()
	rapid.Check(t, func(rt *rapid.T) {
		st := Stock{Desk: rapid.IntRange(1, 3).Draw(rt, "desk")}
		for range rapid.IntRange(0, 40).Draw(rt, "sales") {
			u := rapid.SampledFrom(Units).Draw(rt, "unit")
			free := st.Free(s.Plan)
			var of []Pile
			left := 0
			for _, p := range free {
				if p.Unit == u {
					of = append(of, p)
					left += (p.To - p.From + 1) / u.Cards()
				}
			}
			if left != st.Left(s.Plan, u) {
				rt.Fatalf("%d of %s are free, %d are left", left, u, st.Left(s.Plan, u))
			}
			o := Order{Items: items(u), Means: ByCash, Inside: true, At: morning}
			if left > 0 && rapid.Bool().Draw(rt, "scanned") { // any of those that are free
				p := rapid.SampledFrom(of).Draw(rt, "pile")
				o.Items[0].First = ninety.Serial{Series: p.Series, Number: rapid.IntRange(p.From, p.To).Draw(rt, "card")}
			}
			sold, err := st.Sell(s, o)
			if (err == nil) != (left > 0) {
				rt.Fatalf("%d of %s are free: %v", left, u, err)
			}
			if err != nil {
				continue
			}
			if o.Items[0].First == (ninety.Serial{}) && (sold.Lots[0].From != of[0].From || sold.Lots[0].Series != of[0].Series) {
				rt.Fatalf("handed out %+v, free are %+v", sold.Lots[0], of)
			}
			st = st.Apply(sold)
		}
	})
}

func TestLoto4_ReservationsOnce(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:4", "loto:5")
	r := Reservation{Code: "R1"}
	if err := r.Redeemable(); err != nil {
		t.Error(err)
	}
	r.Redeemed, r.At = SaleRef{1, 4}, morning
	refuses(t, "a reservation shown twice", r.Redeemable(), ErrRedeemed)
	refuses(t, "a reservation that nobody made", Reservation{}.Redeemable(), ErrNoReserve)
}

// TestLoto2_ReservationsTakenOnline: as many as the organizer wants, until the day is over.
func TestLoto2_ReservationsTakenOnline(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:2")
	for _, tc := range []struct {
		name   string
		s      Session
		online bool
		made   int
		want   error
	}{
		{"typed by the organizer", Session{}, false, 99, nil},
		{"typed on the day", Session{Phase: Open}, false, 0, nil},
		{"typed afterwards", Session{Phase: Closed}, false, 0, ErrDayPhase},
		{"none online", Session{}, true, 0, ErrReserveShut},
		{"the last one online", Session{Plan: Plan{Online: 300}}, true, 299, nil},
		{"one too many online", Session{Plan: Plan{Online: 300}}, true, 300, ErrReserveFull},
		{"on the day, online", Session{Phase: Open, Plan: Plan{Online: 300}}, true, 0, nil},
		{"afterwards, online", Session{Phase: Closed, Plan: Plan{Online: 300}}, true, 0, ErrDayPhase},
		{"for a rehearsal", Session{Phase: Open, Plan: Plan{Online: 300, Rehearsal: true}}, true, 0, ErrDayPhase},
	} {
		if err := tc.s.Reservable(tc.online, tc.made); !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
}

func TestLoto8_StampsAndExchange(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:8", "loto:24")
	s := selling()
	st := Stock{Desk: 1}
	st = st.Apply(must[CardsSold](t)(st.Sell(s, Order{Items: items(OneCard), Means: ByCash, Inside: true, Unstamped: true})))
	if l, ok := st.Find(serial("A", 1)); !ok || l.Day != 0 {
		t.Errorf("lot %+v", l)
	}
	for _, e := range must[[]Event](t)(st.Stamp(s, 1)) {
		st = st.Apply(e)
	}
	if l, _ := st.Find(serial("A", 1)); l.Day != s.Day {
		t.Errorf("stamped: %+v", l)
	}
	_, err := st.Stamp(s, 9)
	refuses(t, "a sale that was not made", err, ErrSaleUnknown)

	// Postponed: the cards stay valid, the stamps do not (reading L11).
	later := Replay([]Event{Planned{plan()}, DayOpened{}, SaleOpened{}, DayPostponed{}, DayOpened{}, SaleOpened{}})
	if l, _ := st.Find(serial("A", 1)); l.Day == later.Day {
		t.Error("the stamp of the first day holds on the second")
	}

	st = st.Apply(must[CardsSold](t)(st.Sell(s, Order{Items: items(OneCard), Means: ByCard, Inside: true})))
	_, _, err = st.TakeBack(s, 1)
	refuses(t, "an exchange of an earlier sale", err, ErrExchange)
	played := s
	played.Upto = []SaleRef{{1, 2}}
	_, _, err = st.TakeBack(played, 2)
	refuses(t, "a refund once a round plays with the card", err, ErrExchange)
	_, events, err := st.TakeBack(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	st = st.Apply(events[0])
	if _, ok := st.Find(serial("A", 2)); ok || st.Left(s.Plan, OneCard) != 59 {
		t.Errorf("taken back: %+v, %d left", st.Lots, st.Left(s.Plan, OneCard))
	}
}

func TestLoto23_Exclusion(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:23")
	s := selling()
	st := Stock{Desk: 1}
	st = st.Apply(must[CardsSold](t)(st.Sell(s, Order{Items: items(SheetOf3, OneCard), Means: ByCard, Reservation: "R1"})))
	refund, events, err := st.Void(1)
	if err != nil || refund != 17_00 {
		t.Fatalf("refund %s, %v: the sheet and the card, the free card counts nothing (reading L10)", refund, err)
	}
	st = st.Apply(events[0])
	cards, _ := Playing([]Stock{st}, []ninety.Series{"A"})
	if len(cards) != 0 {
		t.Errorf("%v still play", cards)
	}
	_, _, err = st.Void(1)
	refuses(t, "the same refund twice", err, ErrSaleVoid)
	_, _, err = st.Void(2)
	refuses(t, "a sale that was not made", err, ErrSaleUnknown)
}

// TestLoto_PlayingDigestLines are what anyone can hash again (reading L17).
func TestLoto_PlayingDigestLines(t *testing.T) {
	t.Parallel()
	a := Stock{Desk: 1, Lots: []Lot{{Sale: 1, Unit: SheetOf6, Series: "A", From: 91, Price: 20_00, At: morning.Add(2)}}}
	b := Stock{Desk: 2, Lots: []Lot{{Sale: 1, Unit: OneCard, Series: "A", From: 151, Price: 5_00, At: morning.Add(1)},
		{Sale: 1, Unit: OneCard, Series: "A", From: 152, At: morning.Add(1)},
		{Sale: 2, Unit: OneCard, Series: "V", From: 1, Price: 6_00, At: morning}}}
	cards, lines := Playing([]Stock{a, b}, []ninety.Series{"A"})
	want := "A,151,500\nA,152,0\nA,91,334\nA,92,334\nA,93,333\nA,94,333\nA,95,333\nA,96,333\n"
	if string(lines) != want || len(cards) != 8 {
		t.Errorf("%q, want %q", lines, want)
	}
	if got := Upto([]Stock{{Desk: 1, Sales: 4}}); !reflect.DeepEqual(got, []SaleRef{{1, 4}}) {
		t.Error(got)
	}
}
