package bingo

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/regs"
)

// A Prize is a winning combination and what it is worth (bingo:93.11): a part of the sales,
// or an amount fixed beforehand.
type Prize struct {
	Name    string
	Pattern ninety.Goal
	Rate    Rate        // of the sales; 0 if Amount is fixed
	Amount  money.Cents // 0 if it is a part of the sales
}

// The prizes of a usual round (bingo:93.11, reading B8).
var (
	LinePrize  = Prize{Name: "line", Pattern: ninety.Line, Rate: 10 * Percent}
	BingoPrize = Prize{Name: "bingo", Pattern: ninety.FullCard, Rate: 60 * Percent}
)

// A Track is how cards of one price are sold: through the series in their order, each with
// the numbers 1 to Size, and from the last back to the first (reading B4).
type Track struct {
	Price  money.Cents
	Series []ninety.Series
	Size   int
}

// A Proposal is the game proposal that the regulator has authorized (bingo:93.5).
type Proposal struct {
	Title     string
	MaxPrice  money.Cents // of a card
	Tracks    []Track     // one for each price
	MostCards int         // of one player in one round
	SaleTime  time.Duration
	Rhythm    time.Duration // between two balls
	Prizes    []Prize
	Pots      []PotRule
}

// MaxPurchase bounds the cards of one player in a round, whatever a proposal says: a
// terminal has to show them.
const MaxPurchase = 1000

// What a proposal can lack. Each says in its detail where.
var (
	ErrProposalPrice  = &regs.Violation{Ref: "bingo:93.5", Code: "proposal_price"}
	ErrProposalSeries = &regs.Violation{Ref: "bingo:93.8", Code: "proposal_series"}
	ErrProposalTimes  = &regs.Violation{Ref: "bingo:93.1", Code: "proposal_times"}
	ErrProposalCards  = &regs.Violation{Ref: "bingo:93.6", Code: "proposal_cards"}
	ErrProposalPrizes = &regs.Violation{Ref: "bingo:93.11", Code: "proposal_prizes"}
	ErrProposalRates  = &regs.Violation{Ref: "bingo:93.9", Code: "proposal_rates"}
	ErrProposalPot    = &regs.Violation{Ref: "bingo:93.11", Code: "proposal_pot"}
)

type adder func(v *regs.Violation, format string, args ...any)

// Faults returns everything that keeps a proposal from being played.
func (p Proposal) Faults() (all []*regs.Violation) {
	add := func(v *regs.Violation, format string, args ...any) {
		all = append(all, v.With(format, args...))
	}
	p.trackFaults(add)
	if p.SaleTime <= 0 || p.Rhythm <= 0 {
		add(ErrProposalTimes, "sale of %s, a ball each %s", p.SaleTime, p.Rhythm)
	}
	if p.MostCards < 1 || p.MostCards > MaxPurchase {
		add(ErrProposalCards, "%d cards a player, 1 to %d can be", p.MostCards, MaxPurchase)
	}
	p.prizeFaults(add)
	return all
}

func (p Proposal) trackFaults(add adder) {
	if len(p.Tracks) == 0 {
		add(ErrProposalPrice, "no price")
	}
	prices, series := map[money.Cents]bool{}, map[ninety.Series]bool{}
	for _, t := range p.Tracks {
		if t.Price <= 0 || t.Price > p.MaxPrice || prices[t.Price] {
			add(ErrProposalPrice, "a card at %s EUR, the highest is %s EUR", t.Price, p.MaxPrice)
		}
		prices[t.Price] = true
		if len(t.Series) == 0 || t.Size < 1 {
			add(ErrProposalSeries, "no cards at %s EUR", t.Price)
		}
		for _, s := range t.Series {
			if !s.Valid() || series[s] {
				add(ErrProposalSeries, "series %q is none or there twice", s)
			}
			series[s] = true
		}
	}
}

func (p Proposal) prizeFaults(add adder) {
	var rates Rate
	fixed, goals := false, map[ninety.Goal]bool{}
	for _, z := range p.Prizes {
		if !z.Pattern.Valid() || goals[z.Pattern] || strings.TrimSpace(z.Name) == "" {
			add(ErrProposalPrizes, "the prize %q has no pattern of its own or no name", z.Name)
		}
		goals[z.Pattern] = true
		if z.Rate < 0 || z.Amount < 0 || z.Rate > Whole || (z.Rate == 0) == (z.Amount == 0) {
			add(ErrProposalPrizes, "the prize %q is a part of the sales or an amount", z.Name)
		}
		rates, fixed = rates+z.Rate, fixed || z.Amount > 0
	}
	if !goals[ninety.Line] || !goals[ninety.FullCard] {
		add(ErrProposalPrizes, "a round has a line and a bingo to win")
	}
	if rates < LeastRate && !fixed {
		add(ErrProposalRates, "%d hundredths of a percent of the sales go to prizes", rates)
	}
	for i, pot := range p.Pots {
		pot.faults(add)
		rates += pot.Rate
		if slices.ContainsFunc(p.Pots[:i], func(r PotRule) bool { return r.Name == pot.Name }) {
			add(ErrProposalPot, "two pots are called %q: a pot goes on from day to day by its name", pot.Name)
		}
	}
	if rates > Whole {
		add(ErrProposalRates, "%d hundredths of a percent of the sales are given out", rates)
	}
}

// order returns the prizes in the order in which one ball awards them: the line first
// (reading B7), then by how many numbers they ask for, so that the bingo is last.
func (p Proposal) order() []int {
	list := make([]int, len(p.Prizes))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Compare(rank(p.Prizes[a].Pattern), rank(p.Prizes[b].Pattern))
	})
	return list
}

func rank(g ninety.Goal) int {
	switch g {
	case ninety.Line:
		return 0
	case ninety.TwoLines:
		return 10
	}
	return bits.OnesCount32(uint32(g))
}
