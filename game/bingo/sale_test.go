package bingo

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
	"boulier/regs/regstest"

	"pgregory.net/rapid"
)

func TestArt93_8_Window(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.1", "bingo:93.8")
	w := Window{noon, noon.Add(time.Minute)}
	for _, tc := range []struct {
		name string
		at   time.Time
		open bool
	}{
		{"a microsecond before it opens", noon.Add(-time.Microsecond), false},
		{"closed at its start (reading B3)", noon, true},
		{"a microsecond before it closes", w.Closes.Add(-time.Microsecond), true},
		{"open at its end (reading B3)", w.Closes, false},
	} {
		if err := w.Check(tc.at); (err == nil) != tc.open {
			t.Errorf("%s: %v", tc.name, err)
		} else if err != nil {
			refuses(t, tc.name, err, ErrSaleClosed)
		}
	}
	if w.Left(noon.Add(20*time.Second)) != 40*time.Second || w.Left(w.Closes.Add(1)) != 0 {
		t.Error("the time left")
	}
	h := selling(t, proposal())
	h.now = h.Round.Sale.Closes
	_, err := h.Sale.Sell(Purchase{Price: 1_00, Count: 1, At: h.now, Credits: 1_00})
	refuses(t, "handled at closing", err, ErrSaleClosed)
}

func TestArt93_6_SellAllOrNothing(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.4", "bingo:93.5", "bingo:93.6")
	h := selling(t, proposal())
	h.buy(7, 1_00, 4)
	for _, tc := range []struct {
		name string
		p    Purchase
		want *regs.Violation
	}{
		{"every credit to the cent", Purchase{Price: 1_00, Count: 3, Credits: 3_00}, nil},
		{"one cent is missing: not even two cards (reading B2)", Purchase{Price: 1_00, Count: 3, Credits: 2_99}, ErrCredits},
		{"a price that is not proposed (93.5)", Purchase{Price: 3_00, Count: 1, Credits: 9_00}, ErrPrice},
		{"no card", Purchase{Price: 1_00, Credits: 9_00}, ErrCount},
		{"fewer than none", Purchase{Price: 1_00, Count: -1, Credits: 9_00}, ErrCount},
		{"as many as a player may hold", Purchase{Price: 2_00, Count: 4, Held: 36, Credits: 80_00}, nil},
		{"one more", Purchase{Price: 2_00, Count: 5, Held: 36, Credits: 80_00}, ErrMost},
	} {
		tc.p.At = noon
		events, err := h.Sale.Sell(tc.p)
		if tc.want != nil {
			refuses(t, tc.name, err, tc.want)
		} else if err != nil || events[0].(CardsSold).Count != tc.p.Count || events[0].(CardsSold).Rank != 2 {
			t.Errorf("%s: %v, %v", tc.name, events, err)
		}
	}
}

func TestArt93_8_SeriesOrder(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.6", "bingo:93.8")
	h := selling(t, proposal(), Cursor{0, 50}, Cursor{0, 60})
	h.buy(1, 1_00, 5)
	h.buy(2, 2_00, 2)
	h.buy(1, 1_00, 10) // runs out in the middle of the request
	want := [][]Run{{{"A", 50, 54}}, {{"C", 60, 60}, {"C", 1, 1}}, {{"A", 55, 60}, {"B", 1, 4}}}
	for i, e := range h.sales {
		if !slices.Equal(e.Runs, want[i]) || e.Rank != i+1 {
			t.Errorf("purchase %d: rank %d, %v, want %v", i+1, e.Rank, e.Runs, want[i])
		}
	}
	if h.sales[2].First != 7 {
		t.Errorf("place %d, want 7", h.sales[2].First)
	}
	h.buy(3, 1_00, 40)
	_, err := h.Sale.Sell(Purchase{Price: 1_00, Count: 6, At: noon, Credits: 6_00})
	refuses(t, "beyond the first number sold of the first series (reading B4)", err, ErrSoldOut)
	h.buy(4, 1_00, 5)
	if last := h.sales[4].Runs; !slices.Equal(last, []Run{{"B", 45, 49}}) {
		t.Errorf("the last cards are %v", last)
	}
	if next := h.Sale.Next(); !slices.Equal(next, []Cursor{{1, 50}, {0, 2}}) {
		t.Errorf("the next round begins at %v", next)
	}
}

func TestArt93_10_Digest(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	sales := []CardsSold{{Price: 1_00, Runs: []Run{{"A", 60, 60}, {"B", 1, 1}}}, {Price: 2_00, Runs: []Run{{"C", 7, 7}}}}
	want := sha256.Sum256([]byte("A,60,100\nB,1,100\nC,7,200\n"))
	if got := Digest(slices.Values(sales)); got != want {
		t.Errorf("digest %x, want %x", got, want)
	}
}

// TestSell_KeepsTheOrder holds what a sale rests on, whatever is bought: no card twice, no
// gap, takings that add up.
func TestSell_KeepsTheOrder(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.8")
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.IntRange(1, 30).Draw(rt, "size")
		p := proposal()
		p.Tracks[0].Size, p.Tracks[1].Size = size, size
		cursor := func() Cursor { return Cursor{0, rapid.IntRange(1, size).Draw(rt, "start")} }
		var s Sale
		s = s.Apply(SaleOpened{Window{noon, noon.Add(1)}, p.Tracks, []Cursor{cursor(), cursor()}, 40, false})
		seen, takings, places := map[ninety.Serial]bool{}, money.Cents(0), 0
		var sold []Sold
		var sales []CardsSold
		for range rapid.IntRange(0, 30).Draw(rt, "purchases") {
			price := money.Cents(100 * rapid.IntRange(1, 2).Draw(rt, "price"))
			events, err := s.Sell(Purchase{Player: 1, Price: price, Count: rapid.IntRange(1, 9).Draw(rt, "count"),
				At: noon, Credits: 1000_00})
			if err != nil {
				continue
			}
			e := events[0].(CardsSold)
			s = s.Apply(e)
			sales = append(sales, e)
			for serial := range e.Serials() {
				if seen[serial] {
					rt.Fatalf("%s twice", serial)
				}
				seen[serial] = true
				places, takings = places+1, takings+price
				sold = append(sold, Sold{Serial: serial, Player: player.ID(1), Price: price})
			}
		}
		if s.Cards != places || s.Takings != takings {
			rt.Errorf("%d cards of %s EUR, want %d of %s", s.Cards, s.Takings, places, takings)
		}
		if err := auditSale(s, sold, sales); err != nil {
			rt.Error(err)
		}
	})
}
