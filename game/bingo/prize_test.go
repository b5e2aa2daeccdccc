package bingo

import (
	"slices"
	"testing"
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/regs"
	"boulier/regs/regstest"

	"pgregory.net/rapid"
)

func TestArt93_13_SplitPrize(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.13")
	for _, tc := range []struct {
		name   string
		prize  money.Cents
		prices []money.Cents
		want   []money.Cents
	}{
		{"one winner has all", 60_00, []money.Cents{200}, []money.Cents{60_00}},
		{"by the price of the cards", 90_00, []money.Cents{100, 200}, []money.Cents{30_00, 60_00}},
		{"odd cent to the largest remainder", 1001, []money.Cents{100, 200, 100}, []money.Cents{250, 501, 250}},
		{"odd cent of equals to the card sold first (reading B6)", 101, []money.Cents{100, 100}, []money.Cents{51, 50}},
		{"nothing to share", 0, []money.Cents{100, 100}, []money.Cents{0, 0}},
	} {
		if got := SplitPrize(tc.prize, tc.prices); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestArt93_9_Amounts(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.9")
	fixed := []Prize{{Name: "line", Pattern: ninety.Line, Amount: 10_00}, {Name: "bingo", Pattern: ninety.FullCard, Amount: 60_00}}
	for _, tc := range []struct {
		name   string
		sales  money.Cents
		prizes []Prize
		want   []money.Cents
	}{
		{"10 % and 60 %", 100_00, nil, []money.Cents{10_00, 60_00}},
		{"70 % is 70,7 cents: 71 (reading B8)", 1_01, nil, []money.Cents{10, 61}},
		{"one cent", 1, nil, []money.Cents{0, 1}},
		{"nobody bought: nothing", 0, fixed, []money.Cents{0, 0}},
		{"amounts above 70 %", 50_00, fixed, []money.Cents{10_00, 60_00}},
		{"amounts of exactly 70 %", 100_00, fixed, []money.Cents{10_00, 60_00}},
		{"amounts below 70 %: the lack in proportion", 200_00, fixed, []money.Cents{20_00, 120_00}},
	} {
		p := proposal()
		if tc.prizes != nil {
			p.Prizes = tc.prizes
		}
		if got := p.Amounts(tc.sales); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestAmounts_AtLeast70Percent holds the least part of the sales, without a begun cent more
// than the rates say.
func TestAmounts_AtLeast70Percent(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.9")
	rapid.Check(t, func(t *rapid.T) {
		sales := money.Cents(rapid.Int64Range(1, 1e11).Draw(t, "sales"))
		line := Rate(rapid.Int64Range(1, 30_00).Draw(t, "line"))
		bingo := Rate(rapid.Int64Range(int64(LeastRate-line), int64(Whole-line)).Draw(t, "bingo"))
		p := Proposal{Prizes: []Prize{{Rate: line}, {Rate: bingo}}}
		got := p.Amounts(sales)
		sum, exact := got[0]+got[1], int64(sales)*int64(line+bingo)
		if sum*100 < sales*70 || int64(sum)*int64(Whole) < exact || int64(sum-1)*int64(Whole) >= exact {
			t.Errorf("%v of %s EUR", got, sales)
		}
	})
}

func TestArt93_11_Pot(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.11")
	rule := PotRule{Name: "pot", Pattern: ninety.FullCard, Within: 40, Rate: 10 * Percent, Keep: 70 * Percent,
		Cap: 15_000_00, Refill: 70 * Percent}
	if got := (Pot{}).Fed(rule, 10_000_00); got != (Pot{700_00, 300_00}) {
		t.Errorf("fed: %v", got)
	}
	if got := (Pot{14_300_00, 30_000_00}).Won(rule); got != (Pot{15_000_00, 15_000_00}) {
		t.Errorf("won: %v", got)
	}
	if got := (Pot{14_900_00, 0}).Fed(rule, 10_000_00); got != (Pot{15_000_00, 900_00}) {
		t.Errorf("beyond the cap: %v", got)
	}
	if got := (Pot{100_00, 1_00}).Won(rule); got != (Pot{70, 30}) {
		t.Errorf("a small reserve: %v", got)
	}
}

func TestArt93_11_ProposalFaults(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.5", "bingo:93.11")
	if faults := proposal().Faults(); faults != nil {
		t.Fatal(faults)
	}
	pot := PotRule{"pot", ninety.FullCard, 40, 10 * Percent, 70 * Percent, 15_000_00, 70 * Percent}
	for _, tc := range []struct {
		name   string
		change func(*Proposal)
		want   *regs.Violation
	}{
		{"a price above the highest (93.5)", func(p *Proposal) { p.MaxPrice = 1_99 }, ErrProposalPrice},
		{"a price twice", func(p *Proposal) { p.Tracks[1].Price = 1_00 }, ErrProposalPrice},
		{"no price", func(p *Proposal) { p.Tracks = nil }, ErrProposalPrice},
		{"a free card", func(p *Proposal) { p.Tracks[0].Price = 0 }, ErrProposalPrice},
		{"a series at two prices", func(p *Proposal) { p.Tracks[1].Series = []ninety.Series{"B"} }, ErrProposalSeries},
		{"no series", func(p *Proposal) { p.Tracks[1].Series = nil }, ErrProposalSeries},
		{"no time of sale", func(p *Proposal) { p.SaleTime = 0 }, ErrProposalTimes},
		{"no rhythm", func(p *Proposal) { p.Rhythm = 0 }, ErrProposalTimes},
		{"no card for anyone", func(p *Proposal) { p.MostCards = 0 }, ErrProposalCards},
		{"no line", func(p *Proposal) { p.Prizes = []Prize{{"bingo", ninety.FullCard, 70 * Percent, 0}} }, ErrProposalPrizes},
		{"no bingo", func(p *Proposal) { p.Prizes = []Prize{{"line", ninety.Line, 70 * Percent, 0}} }, ErrProposalPrizes},
		{"a pattern twice", func(p *Proposal) { p.Prizes = append(p.Prizes, LinePrize) }, ErrProposalPrizes},
		{"no pattern", func(p *Proposal) { p.Prizes = append(p.Prizes, Prize{"x", 0, 1, 0}) }, ErrProposalPrizes},
		{"a rate and an amount", func(p *Proposal) { p.Prizes[0].Amount = 1 }, ErrProposalPrizes},
		{"69,99 % to prizes (B8)", func(p *Proposal) { p.Prizes[1].Rate-- }, ErrProposalRates},
		{"all and a pot", func(p *Proposal) { p.Prizes[1].Rate = 85 * Percent; p.Pots = []PotRule{pot} }, ErrProposalRates},
		{"a pot within 91 balls", func(p *Proposal) { pot := pot; pot.Within = 91; p.Pots = []PotRule{pot} }, ErrProposalPot},
		{"a pot without cap", func(p *Proposal) { pot := pot; pot.Cap = 0; p.Pots = []PotRule{pot} }, ErrProposalPot},
	} {
		p := proposal()
		p.Prizes = slices.Clone(p.Prizes)
		tc.change(&p)
		if faults := p.Faults(); len(faults) == 0 {
			t.Errorf("%s: no fault", tc.name)
		} else {
			refuses(t, tc.name, faults[0], tc.want)
		}
		_, err := Plan(1, 1, p)
		refuses(t, tc.name, err, ErrProposal)
	}
}

func TestArt93_11_Notice(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.11")
	p, q := proposal(), proposal()
	q.Prizes = []Prize{{"line", ninety.Line, 15 * Percent, 0}, BingoPrize}
	five := noon.Add(5 * 24 * time.Hour)
	if err := p.CheckNotice(q, noon, five); err != nil {
		t.Errorf("five days before: %v", err)
	}
	refuses(t, "a microsecond less", p.CheckNotice(q, noon, five.Add(-time.Microsecond)), ErrNotice)
	q = proposal()
	q.Rhythm *= 2
	if err := p.CheckNotice(q, noon, noon); err != nil {
		t.Errorf("the rhythm needs no notice: %v", err)
	}
	q.Pots = []PotRule{{Name: "pot"}}
	refuses(t, "a new pot", p.CheckNotice(q, noon, noon), ErrNotice)
}
