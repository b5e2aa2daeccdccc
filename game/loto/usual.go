package loto

import (
	"slices"
	"time"

	"boulier/game/ninety"
	"boulier/money"
)

// An Outline is what a usual plan is made from.
type Outline struct {
	Title        string
	Doors, Start time.Time
	Breaks       []Break
	Ordinary     SeriesRange
	Special      SeriesRange // empty for a day without a car
	Desks        int         // besides the one of the special card
	Rounds       int         // besides the car's
	Cage         bool
	WalkIns      bool
	// In the words of the organizer.
	Voucher, Car, Consolation, CarNote, RoundTitle string
}

// A SeriesRange is the cards of a series that are for sale.
type SeriesRange struct {
	Series   ninety.Series
	From, To int
}

// Usual returns a plan as the regulation describes a day: vouchers for the three stages of
// each round, special cards for the last three prizes and the car, the usual tariff, desks
// with piles of their own, the second one for people with reduced mobility.
func Usual(o Outline) Plan {
	p := Plan{Title: o.Title, Doors: o.Doors, Start: o.Start, Breaks: o.Breaks, WalkIns: o.WalkIns,
		Ordinary: []ninety.Series{o.Ordinary.Series}, Special: o.Special.Series,
		Tariffs: UsualTariffs(), Unclaimed: true}
	if o.Special.Series == "" {
		p.Tariffs = p.Tariffs[:3]
	}
	for i := range o.Desks {
		p.Desks = append(p.Desks, Desk{Number: i + 1, Mobility: i == 1})
		p.Piles = append(p.Piles, piles(o, i)...)
	}
	if o.Special.Series != "" {
		p.Desks = append(p.Desks, Desk{Number: o.Desks + 1, Special: true})
		p.Piles = append(p.Piles, Pile{Desk: o.Desks + 1, Unit: SpecialCard, Series: o.Special.Series,
			From: o.Special.From, To: o.Special.To})
	}
	for i := range o.Rounds {
		series := p.Ordinary
		if i == o.Rounds-1 && o.Special.Series != "" {
			series = []ninety.Series{o.Ordinary.Series, o.Special.Series}
		}
		r := Round{Title: o.RoundTitle, Cage: o.Cage}
		for stage, amount := range []money.Cents{20_00, 40_00, 100_00} {
			r.Prizes = append(r.Prizes, Prize{Stage: Stage(stage + 1), Kind: Voucher, Name: o.Voucher,
				Amount: amount, Smallest: 1_00, Series: series, Consolation: o.Consolation})
		}
		p.Rounds = append(p.Rounds, r)
	}
	if o.Special.Series != "" {
		p.Rounds = append(p.Rounds, Round{Title: o.Car, Cage: o.Cage, Prizes: []Prize{{Stage: StageFullCard,
			Kind: Object, Name: o.Car, Car: true, Series: []ninety.Series{o.Special.Series},
			Consolation: o.Consolation, Note: o.CarNote}}})
	}
	return p
}

// piles gives desk i of the outline its share of the ordinary cards, in whole sheets of six:
// half of them to be sold so, a quarter by three, the rest one by one.
func piles(o Outline, i int) (list []Pile) {
	const six = 6
	sheets := (o.Ordinary.To - o.Ordinary.From + 1) / six
	share := sheets / o.Desks
	at := o.Ordinary.From + i*share*six
	for _, part := range []struct {
		unit   Unit
		sheets int
	}{{SheetOf6, share - share/4 - share/4}, {SheetOf3, share / 4}, {OneCard, share / 4}} {
		if part.sheets == 0 {
			continue
		}
		list = append(list, Pile{Desk: i + 1, Unit: part.unit, Series: o.Ordinary.Series,
			From: at, To: at + part.sheets*six - 1})
		at += part.sheets * six
	}
	return list
}

// Again returns the plan for another day: the same desks, tariff, programme and choices. A
// series that is named takes the place of the old one; piles keep their numbers.
func (p Plan) Again(o Outline) Plan {
	p.Breaks = moved(p, DayPostponed{Doors: o.Doors, Start: o.Start})
	p.Title, p.Doors, p.Start, p.Rehearsal = o.Title, o.Doors, o.Start, false
	instead := map[ninety.Series]ninety.Series{}
	if s := o.Ordinary.Series; s != "" && len(p.Ordinary) > 0 {
		instead[p.Ordinary[0]] = s
	}
	if s := o.Special.Series; s != "" && p.Special != "" {
		instead[p.Special] = s
	}
	other := func(s ninety.Series) ninety.Series {
		if now, ok := instead[s]; ok {
			return now
		}
		return s
	}
	all := func(list []ninety.Series) (now []ninety.Series) {
		for _, s := range list {
			now = append(now, other(s))
		}
		return now
	}
	p.Ordinary, p.Special = all(p.Ordinary), other(p.Special)
	p.Piles = slices.Clone(p.Piles)
	for i := range p.Piles {
		p.Piles[i].Series = other(p.Piles[i].Series)
	}
	p.Rounds = slices.Clone(p.Rounds)
	for i := range p.Rounds {
		p.Rounds[i].Prizes = slices.Clone(p.Rounds[i].Prizes)
		for k := range p.Rounds[i].Prizes {
			p.Rounds[i].Prizes[k].Series = all(p.Rounds[i].Prizes[k].Series)
		}
	}
	return p
}
