package loto

import (
	"slices"
	"strings"
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/regs"
)

// A Stage is one of the three things a round is played for, in this order (loto:16).
type Stage int

// The stages.
const (
	StageQuine    Stage = 1 + iota // one line
	StageTwoLines                  // two lines of one card
	StageFullCard                  // « carton plein »
)

// Valid reports whether s is one of the three.
func (s Stage) Valid() bool { return StageQuine <= s && s <= StageFullCard }

// Goal returns what a card must reach for the stage.
func (s Stage) Goal() ninety.Goal {
	return [...]ninety.Goal{0, ninety.Line, ninety.TwoLines, ninety.FullCard}[s]
}

// Wins reports whether the called balls win the stage for card c.
func (s Stage) Wins(c ninety.Card, called ninety.BallSet) bool {
	return c.FullLines(called) >= int(s)
}

// A PrizeKind says what a prize is: only vouchers are shared (loto:14).
type PrizeKind string

// The kinds of prizes.
const (
	Voucher PrizeKind = "voucher"
	Object  PrizeKind = "object"
)

// A Prize is what one stage of a round is played for.
type Prize struct {
	Stage    Stage
	Kind     PrizeKind
	Name     string          // in the words of the organizer: « bon d'achat », « voyage »
	Amount   money.Cents     // of a voucher; the value of an object, 0 if it is not said
	Smallest money.Cents     // the smallest voucher that can be handed out (reading L2)
	Series   []ninety.Series // the cards that play for it (reading L12)
	// Consolation is what whoever loses a tie receives; it is set beforehand (reading L4).
	Consolation string
	Car         bool   // the car: special cards only (loto:car.3)
	Note        string // said with the prize, such as whose the registration costs are
	Picture     string // of the prize, shown in the hall; empty if there is none
}

// A Round is a « partie »: one draw for up to three prizes.
type Round struct {
	Title  string
	Prizes []Prize // by stage, ascending
	Cage   bool    // balls come from a real cage and are typed: there is no proof (reading L17)
}

// Series returns every series that plays in the round, sorted.
func (r Round) Series() (all []ninety.Series) {
	for _, p := range r.Prizes {
		all = append(all, p.Series...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A Tariff is the price of what is sold in one piece: a card, or a sheet of 3 or of 6.
type Tariff struct {
	Unit  Unit
	Price money.Cents
}

// A Unit is what is sold in one piece (loto:7.tariff, loto:car.1).
type Unit string

// The units.
const (
	OneCard     Unit = "card"
	SheetOf3    Unit = "sheet3"
	SheetOf6    Unit = "sheet6"
	SpecialCard Unit = "special" // for the car and the last three prizes
)

// Units lists the units in the order of the tariff.
var Units = []Unit{OneCard, SheetOf3, SheetOf6, SpecialCard}

// Cards returns how many cards a unit holds, 0 for none of the units.
func (u Unit) Cards() int {
	return map[Unit]int{OneCard: 1, SheetOf3: 3, SheetOf6: 6, SpecialCard: 1}[u]
}

// UsualTariffs are those of the regulation (loto:7.tariff, loto:car.1).
func UsualTariffs() []Tariff {
	return []Tariff{{OneCard, 5_00}, {SheetOf3, 12_00}, {SheetOf6, 20_00}, {SpecialCard, 6_00}}
}

// A Desk is a till at the entrance (loto:6, loto:car.2).
type Desk struct {
	Number   int
	Mobility bool // kept for people with reduced mobility
	Special  bool // sells the special card, and only that; it has its sign
}

// A Pile is what is allotted to one desk: following cards of a series, to be sold by units.
type Pile struct {
	Desk     int
	Unit     Unit
	Series   ninety.Series
	From, To int
}

// A Break is a pause of the programme (loto:9).
type Break struct {
	Title  string
	At     time.Time
	Length time.Duration
}

// A Plan is what the organizer sets before the day opens.
type Plan struct {
	Title        string
	Doors, Start time.Time
	Breaks       []Break
	Ordinary     []ninety.Series // on sale
	Special      ninety.Series   // the car's; empty if there is none
	Tariffs      []Tariff
	Desks        []Desk
	Piles        []Pile
	Rounds       []Round

	Consent    bool // sharing needs every winner's word (reading L1)
	FixedTwo   bool // a tie that does not divide is shared by two (reading L2)
	LooseLast  bool // the last number need not be among those claimed (reading L5)
	Online     int  // how many reservations are taken on the public page, 0 for none there
	WalkIns    bool // who has no reservation may enter and buy (reading L16)
	FreeSeries bool // which cards play for the last prizes is the organizer's choice (reading L12)
	Unclaimed  bool // the caller is told how many sold cards have won

	Rehearsal bool     // nobody pays and nothing is won: the players are invented
	Partners  []string // pictures of their logos, shown in the hall
}

// TieIndex returns where the commitment of the tokens of a prize stands among those of the
// day, by the number of its round and its index there.
func (p Plan) TieIndex(round, prize int) int {
	for _, r := range p.Rounds[:round-1] {
		prize += len(r.Prizes)
	}
	return prize
}

// Price returns the price of a unit and whether it is sold at all.
func (p Plan) Price(u Unit) (money.Cents, bool) {
	for _, t := range p.Tariffs {
		if t.Unit == u {
			return t.Price, true
		}
	}
	return 0, false
}

// Knows reports whether a series is on sale (loto:10).
func (p Plan) Knows(s ninety.Series) bool {
	return s != "" && (s == p.Special || slices.Contains(p.Ordinary, s))
}

// Desk returns a desk of the plan.
func (p Plan) Desk(number int) (Desk, bool) {
	i := slices.IndexFunc(p.Desks, func(d Desk) bool { return d.Number == number })
	if i < 0 {
		return Desk{}, false
	}
	return p.Desks[i], true
}

// What a plan can lack. Each says in its detail where.
var (
	ErrPlanTimes       = &regs.Violation{Ref: "loto:1", Code: "loto_times"}
	ErrPlanDesks       = &regs.Violation{Ref: "loto:6", Code: "loto_desks"}
	ErrPlanTariff      = &regs.Violation{Ref: "loto:7.tariff", Code: "loto_tariff"}
	ErrPlanSeries      = &regs.Violation{Ref: "loto:10", Code: "loto_series"}
	ErrPlanPile        = &regs.Violation{Ref: "loto:10", Code: "loto_pile"}
	ErrPlanPrize       = &regs.Violation{Ref: "loto:12", Code: "loto_prize"}
	ErrPlanStages      = &regs.Violation{Ref: "loto:16", Code: "loto_stages"}
	ErrPlanConsolation = &regs.Violation{Ref: "loto:19", Code: "loto_consolation"}
	ErrPlanSpecialDesk = &regs.Violation{Ref: "loto:car.2", Code: "loto_special_desk"}
	ErrPlanCar         = &regs.Violation{Ref: "loto:car.3", Code: "loto_car_cards"}
	ErrPlanLastThree   = &regs.Violation{Ref: "loto:car.4", Code: "loto_last_three"}
)

// A Fault is what keeps a day from opening, and where it stands in the plan; what is not of the
// place is zero.
type Fault struct {
	*regs.Violation
	At Place
}

// A Place is a place in a plan.
type Place struct {
	Round    int // from 1
	Stage    Stage
	Desk     int
	Break    string // its title
	Unit     Unit
	Series   ninety.Series
	From, To int // cards
}

// Faults returns everything that keeps the day from opening, in the order of the clauses.
func (p Plan) Faults() (all []Fault) {
	add := func(v *regs.Violation, at Place, format string, args ...any) {
		all = append(all, Fault{v.With(format, args...), at})
	}
	if p.Doors.IsZero() || !p.Start.After(p.Doors) {
		add(ErrPlanTimes, Place{}, "the doors open before the start")
	}
	for _, b := range p.Breaks {
		if b.At.Before(p.Start) || b.Length <= 0 {
			add(ErrPlanTimes, Place{Break: b.Title}, "the break %q is before the start or has no length", b.Title)
		}
	}
	p.deskFaults(add)
	p.pileFaults(add)
	if len(p.Rounds) == 0 {
		add(ErrPlanPrize, Place{}, "no round")
	}
	for i, r := range p.Rounds {
		p.roundFaults(i+1, r, add)
	}
	if p.Special != "" && !p.FreeSeries {
		p.lastThreeFaults(add)
	}
	return all
}

type adder func(v *regs.Violation, at Place, format string, args ...any)

// deskFaults holds loto:6, loto:7.tariff and loto:car.2.
func (p Plan) deskFaults(add adder) {
	mobility, special, seen := false, false, map[int]bool{}
	for _, d := range p.Desks {
		if d.Number < 1 || seen[d.Number] {
			add(ErrPlanDesks, Place{Desk: d.Number}, "desk %d is there twice or has no number", d.Number)
		}
		seen[d.Number] = true
		mobility = mobility || d.Mobility
		special = special || d.Special
	}
	if len(p.Desks) < 2 || !mobility {
		add(ErrPlanDesks, Place{}, "%d desks; several are needed, one for people with reduced mobility",
			len(p.Desks))
	}
	if p.Special != "" && !special {
		add(ErrPlanSpecialDesk, Place{}, "no desk is dedicated to the special card")
	}
	for _, t := range p.Tariffs {
		if t.Unit.Cards() == 0 || t.Price <= 0 {
			add(ErrPlanTariff, Place{Unit: t.Unit}, "unit %q at %s EUR", t.Unit, t.Price)
		}
	}
	if _, ok := p.Price(OneCard); !ok {
		add(ErrPlanTariff, Place{Unit: OneCard}, "no price of a card")
	}
	if _, ok := p.Price(SpecialCard); !ok && p.Special != "" {
		add(ErrPlanTariff, Place{Unit: SpecialCard}, "no price of the special card")
	}
}

// pileFaults holds that no card can be sold at two desks, nor a special card at an ordinary
// desk or the other way round (loto:10, loto:car.2).
func (p Plan) pileFaults(add adder) {
	if len(p.Ordinary) == 0 {
		add(ErrPlanSeries, Place{}, "no ordinary series is on sale")
	}
	if slices.Contains(p.Ordinary, p.Special) {
		add(ErrPlanSeries, Place{Series: p.Special}, "series %s is both ordinary and special", p.Special)
	}
	if len(p.Piles) == 0 {
		add(ErrPlanPile, Place{}, "no desk has any card")
	}
	for i, q := range p.Piles {
		size := q.Unit.Cards()
		at := Place{Desk: q.Desk, Unit: q.Unit, Series: q.Series, From: q.From, To: q.To}
		desk, ok := p.Desk(q.Desk)
		switch {
		case size == 0 || q.From < 1 || q.To < q.From:
			add(ErrPlanPile, at, "cards %d to %d by %q", q.From, q.To, q.Unit)
			continue
		case (q.From-1)%size != 0 || q.To%size != 0:
			add(ErrPlanPile, at, "cards %s %d to %d are no whole sheets of %d", q.Series, q.From, q.To, size)
		case !ok:
			add(ErrPlanPile, at, "cards %s %d to %d are at desk %d, which is not there", q.Series, q.From,
				q.To, q.Desk)
		case (q.Unit == SpecialCard) != (q.Series == p.Special) || !p.Knows(q.Series):
			add(ErrPlanSeries, at, "series %s is not sold by %q", q.Series, q.Unit)
		case desk.Special != (q.Unit == SpecialCard):
			add(ErrPlanSpecialDesk, at, "desk %d sells special cards only, or none", q.Desk)
		}
		for _, other := range p.Piles[:i] {
			if other.Series == q.Series && other.From <= q.To && q.From <= other.To {
				at.From, at.To = max(q.From, other.From), min(q.To, other.To)
				add(ErrPlanPile, at, "cards %s %d to %d are at two desks or in two piles", q.Series, at.From, at.To)
			}
		}
	}
}

// nothing are words that leave a consolation blank.
var nothing = []string{"", "-", "—", "0", "aucun", "aucune", "none", "néant", "nothing", "rien"}

func (p Plan) roundFaults(no int, r Round, add adder) {
	last := Stage(0)
	if len(r.Prizes) == 0 {
		add(ErrPlanStages, Place{Round: no}, "round %d has no prize", no)
	}
	for _, prize := range r.Prizes {
		at := Place{Round: no, Stage: prize.Stage}
		if !prize.Stage.Valid() || prize.Stage <= last {
			add(ErrPlanStages, Place{Round: no}, "round %d: stages are a line, two lines, the full card, in this order", no)
		}
		last = prize.Stage
		switch {
		case strings.TrimSpace(prize.Name) == "":
			add(ErrPlanPrize, at, "round %d, stage %d: the prize has no name", no, prize.Stage)
		case prize.Kind == Voucher && (prize.Smallest <= 0 || prize.Amount <= 0 ||
			prize.Amount%prize.Smallest != 0):
			add(ErrPlanPrize, at, "round %d, stage %d: %s EUR in vouchers of %s EUR", no, prize.Stage,
				prize.Amount, prize.Smallest)
		case prize.Kind != Voucher && prize.Kind != Object || prize.Amount < 0:
			add(ErrPlanPrize, at, "round %d, stage %d: kind %q", no, prize.Stage, prize.Kind)
		}
		if slices.Contains(nothing, strings.ToLower(strings.TrimSpace(prize.Consolation))) {
			add(ErrPlanConsolation, at, "round %d, stage %d", no, prize.Stage)
		}
		if len(prize.Series) == 0 || slices.ContainsFunc(prize.Series,
			func(s ninety.Series) bool { return !p.Knows(s) }) {
			add(ErrPlanSeries, at, "round %d, stage %d plays with %v", no, prize.Stage, prize.Series)
		}
		if prize.Car && (len(prize.Series) != 1 || prize.Series[0] != p.Special || p.Special == "") {
			add(ErrPlanCar, at, "round %d, stage %d plays with %v", no, prize.Stage, prize.Series)
		}
	}
}

// lastThreeFaults holds that ordinary and special cards play for the last three prizes, the
// car not counted, and special cards for no other (loto:car.4, reading L12).
func (p Plan) lastThreeFaults(add adder) {
	var prizes []Prize
	var places []Place
	for i, r := range p.Rounds {
		for _, prize := range r.Prizes {
			if !prize.Car {
				prizes, places = append(prizes, prize), append(places, Place{Round: i + 1, Stage: prize.Stage})
			}
		}
	}
	for i, prize := range prizes {
		last := i >= len(prizes)-3
		if slices.Contains(prize.Series, p.Special) != last {
			add(ErrPlanLastThree, places[i], "prize %d of %d, %q, plays with %v", i+1, len(prizes), prize.Name,
				prize.Series)
		}
	}
}

// LargeStake is the amount from which a sale line calls for the organizer's attention: the
// law speaks of stakes below 20 EUR and does not say a stake of what (reading L9).
const LargeStake money.Cents = 20_00

// LargeStakes returns the tariffs of which one line alone reaches LargeStake. Nothing is
// refused for it.
func (p Plan) LargeStakes() (list []Tariff) {
	for _, t := range p.Tariffs {
		if t.Price >= LargeStake {
			list = append(list, t)
		}
	}
	return list
}
