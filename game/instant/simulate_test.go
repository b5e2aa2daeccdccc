package instant

import (
	"math/big"
	"testing"
	"time"

	"boulier/money"
	"boulier/regs/regstest"
)

func TestArt3_Simulate(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	g := small()
	s, err := Simulate(g, seeded(5))
	if err != nil {
		t.Fatal(err)
	}
	if s.Block.Next != 100 || s.Block.Stakes != 20000 || s.Block.Paid != 13000 {
		t.Errorf("the block ended as %+v", s.Block)
	}
	if s.Return.Cmp(big.NewRat(65, 100)) != 0 || s.HitRate.Cmp(big.NewRat(1, 4)) != 0 {
		t.Errorf("return %s, hit rate %s", s.Return, s.HitRate)
	}
	if g.OneIn(2).Cmp(big.NewRat(25, 1)) != 0 {
		t.Errorf("one in %s wins line 2", g.OneIn(2))
	}
	// The same deal, read by hand.
	wait, longest, first := int64(0), int64(0), []int64{-1, -1, -1}
	for i, o := range Deal(g, seeded(5)) {
		if o == 0 {
			wait++
			longest = max(longest, wait)
			continue
		}
		wait = 0
		if first[o-1] < 0 {
			first[o-1] = int64(i)
		}
	}
	if s.LongestWait != longest {
		t.Errorf("the longest wait is %d, want %d", s.LongestWait, longest)
	}
	for k := range first {
		if s.FirstOfLines[k] != first[k] {
			t.Errorf("line %d comes first after %d units, want %d", k+1, s.FirstOfLines[k], first[k])
		}
	}
}

// TestWarnings_OfTheLawOfTheDay holds the bounds and the dates: today 62 to 75 %.
func TestWarnings_OfTheLawOfTheDay(t *testing.T) {
	t.Parallel()
	today := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		name  string
		at    time.Time
		paid  int64 // of 10 000
		code  string
		since int
	}{
		{"the return of 2006 today", today, 6100, "return_below_law", 2020},
		{"just below", today, 6199, "return_below_law", 2020},
		{"the lower bound", today, 6200, "", 0},
		{"the upper bound", today, 7500, "", 0},
		{"just above", today, 7501, "return_above_law", 2020},
		{"in 2006", time.Date(2006, 12, 11, 0, 0, 0, 0, time.UTC), 6100, "", 0},
		{"the day before the decree of 2019", time.Date(2019, 10, 16, 0, 0, 0, 0, time.UTC), 6100, "", 0},
		{"under the decree of 2019", time.Date(2019, 10, 17, 0, 0, 0, 0, time.UTC), 6100, "return_below_law", 2019},
	} {
		g := Game{Block: 100, Price: 100, Table: Table{{1, money.Cents(tc.paid)}}}
		got := g.Warnings(tc.at)
		switch {
		case tc.code == "" && len(got) > 0:
			t.Errorf("%s: %+v", tc.name, got)
		case tc.code != "" && (len(got) != 1 || got[0].Code != tc.code || got[0].Since.Year() != tc.since):
			t.Errorf("%s: %+v, want %s of %d", tc.name, got, tc.code, tc.since)
		}
	}
}
