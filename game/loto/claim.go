package loto

import (
	"slices"

	"boulier/game/ninety"
	"boulier/regs"
)

// A Claim is a shout of « quine »: one card (loto:13).
type Claim struct {
	Serial ninety.Serial
	Sale   SaleRef // which sale the card was sold in, zero if it was not
	// Typed are the numbers of a card that the house does not know, in lines of five.
	Typed   [][]ninety.Ball
	Checked bool
	Verdict Verdict
}

// A CardFact is what the house knows of a claimed card.
type CardFact struct {
	Known   bool // of a registered series
	Lined   bool // it is known in which line each number stands
	Card    ninety.Card
	Sale    SaleRef
	Sold    bool
	Void    bool // its holder was excluded (loto:23)
	Stamped bool // on the day that is being played (loto:8)
}

// A Reason says why a claim is not valid, by its violation's code; empty if it is valid.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	ReasonUnknown   Reason = "card_unknown"
	ReasonSeries    Reason = "series_refused" // loto:10, loto:car.3
	ReasonUnsold    Reason = "card_unsold"
	ReasonLateSale  Reason = "card_sold_late" // after the round was opened (reading L17)
	ReasonVoid      Reason = "card_void"
	ReasonUnstamped Reason = "card_unstamped" // loto:8
	ReasonMissing   Reason = "numbers_missing"
	ReasonLast      Reason = "last_not_among" // reading L5
)

// Reasons lists them all.
var Reasons = []Reason{ReasonUnknown, ReasonSeries, ReasonUnsold, ReasonLateSale, ReasonVoid,
	ReasonUnstamped, ReasonMissing, ReasonLast}

// A Verdict is what a check says.
type Verdict struct {
	Valid   bool
	Reason  Reason
	Read    []ninety.Ball // what the checker reads out: the last number first (loto:15)
	Missing []ninety.Ball // of the nearest line or lines, ascending
	Vouched string        // why the caller took a card that the house does not know
}

// judge checks a claim for the prize that is being played for (loto:15).
func (s Session) judge(c Claim, fact CardFact) Verdict {
	p := s.Play
	prize := s.Plan.Rounds[p.Round-1].Prizes[p.Prize]
	switch {
	case !fact.Known:
		return Verdict{Reason: ReasonUnknown}
	case !slices.Contains(prize.Series, c.Serial.Series):
		return Verdict{Reason: ReasonSeries}
	case !fact.Sold:
		return Verdict{Reason: ReasonUnsold}
	case fact.Void:
		return Verdict{Reason: ReasonVoid}
	case !s.Plays(fact.Sale):
		return Verdict{Reason: ReasonLateSale}
	case !fact.Stamped:
		return Verdict{Reason: ReasonUnstamped}
	}
	stage := prize.Stage
	if !fact.Lined {
		stage = StageFullCard
	}
	return s.read(stage, linesOf(fact.Card))
}

// Look says what a check of a card would find now; false if no round is being played. Nothing
// is decided by it.
func (s Session) Look(c ninety.Serial, fact CardFact) (Verdict, bool) {
	if s.Play.Round == 0 {
		return Verdict{}, false
	}
	return s.judge(Claim{Serial: c}, fact), true
}

// linesOf returns the three lines of a card.
func linesOf(c ninety.Card) (lines [][]ninety.Ball) {
	for _, l := range c.Lines {
		lines = append(lines, slices.Collect(l.All()))
	}
	return lines
}

// read looks at lines for the nearest ones that win the stage: what is missing, whether the
// last number called is among them, and what is read out.
func (s Session) read(stage Stage, lines [][]ninety.Ball) Verdict {
	called := s.Play.set()
	last := s.Play.last()
	type line struct {
		numbers, missing []ninety.Ball
		last             bool
	}
	var near []line
	for _, numbers := range lines {
		l := line{numbers: numbers, last: slices.Contains(numbers, last)}
		for _, b := range numbers {
			if !called.Has(b) {
				l.missing = append(l.missing, b)
			}
		}
		near = append(near, l)
	}
	// The nearest lines first; among equals the one that the last number stands in.
	slices.SortStableFunc(near, func(a, b line) int {
		if d := len(a.missing) - len(b.missing); d != 0 {
			return d
		}
		if a.last == b.last {
			return 0
		}
		if a.last {
			return -1
		}
		return 1
	})
	v := Verdict{}
	among := false
	for _, l := range near[:min(int(stage), len(near))] {
		v.Missing = append(v.Missing, l.missing...)
		among = among || l.last
		for _, b := range l.numbers {
			if called.Has(b) {
				v.Read = append(v.Read, b)
			}
		}
	}
	slices.Sort(v.Missing)
	if i := slices.Index(v.Read, last); i > 0 {
		v.Read = slices.Insert(slices.Delete(v.Read, i, i+1), 0, last)
	}
	switch {
	case len(v.Missing) > 0 || len(near) < int(stage):
		v.Reason = ReasonMissing
	case !among && !s.Plan.LooseLast:
		v.Reason = ReasonLast
	default:
		v.Valid = true
	}
	return v
}

// What claims and checks refuse.
var (
	ErrNoClaimNow   = &regs.Violation{Ref: "loto:13", Code: "no_claim_now"}
	ErrClaimLate    = &regs.Violation{Ref: "loto:15", Code: "claim_late"}
	ErrClaimTwice   = &regs.Violation{Ref: "loto:15", Code: "claim_twice"}
	ErrClaimUnknown = &regs.Violation{Ref: "loto:15", Code: "claim_unknown"}
	ErrNoClaims     = &regs.Violation{Ref: "loto:15", Code: "no_claims"}
	ErrChecked      = &regs.Violation{Ref: "loto:15", Code: "claim_checked"}
	ErrTypedLines   = &regs.Violation{Ref: "loto:15", Code: "typed_lines"}
	ErrVouch        = &regs.Violation{Ref: "loto:22", Code: "vouch_reason"}
)

// maxClaims is how many claims one stop holds: there are 90 tokens in the bag.
const maxClaims = 90

// Stop stops the draw: somebody shouts (loto:13). It can be done before the first number of
// a stage too, since one ball may complete several.
func (s Session) Stop() ([]Event, error) {
	if err := s.running(); err != nil {
		return nil, err
	}
	if s.Play.Mode != Drawing || len(s.Play.Calls) == 0 {
		return nil, ErrNoClaimNow.With("the round is %s after %d numbers", s.Play.Mode, len(s.Play.Calls))
	}
	return []Event{DrawStopped{}}, nil
}

// Resume lets the draw go on when nobody claims after all.
func (s Session) Resume() ([]Event, error) {
	if err := s.running(); err != nil {
		return nil, err
	}
	if s.Play.Mode != Stopped || len(s.Play.Claims) > 0 {
		return nil, ErrNoClaimNow.With("the round is %s with %d claims", s.Play.Mode, len(s.Play.Claims))
	}
	return []Event{DrawResumed{}}, nil
}

// Claim adds a claim to the stop. Once the check has begun it is too late (loto:15,
// reading L6).
func (s Session) Claim(c Claim) ([]Event, error) {
	if err := s.running(); err != nil {
		return nil, err
	}
	switch p := s.Play; {
	case p.Mode == Checking || p.Mode == Tied || p.Mode == Awarding:
		return nil, ErrClaimLate.With("%s was claimed after the check began", c.Serial)
	case p.Mode != Stopped:
		return nil, ErrNoClaimNow.With("the draw is not stopped")
	case len(p.Claims) == maxClaims:
		return nil, ErrNoClaimNow.With("%d claims", maxClaims)
	case slices.ContainsFunc(p.Claims, func(d Claim) bool { return d.Serial == c.Serial }):
		return nil, ErrClaimTwice.With("%s is claimed already", c.Serial)
	}
	for _, line := range c.Typed {
		if !fiveNumbers(line) {
			return nil, ErrTypedLines.With("%v is no line of five different numbers", line)
		}
	}
	return []Event{ClaimMade{Claim{Serial: c.Serial, Sale: c.Sale, Typed: c.Typed}}}, nil
}

func fiveNumbers(line []ninety.Ball) bool {
	var set ninety.BallSet
	for _, b := range line {
		if !b.Valid() {
			return false
		}
		set = set.With(b)
	}
	return len(line) == 5 && set.Len() == 5
}

// BeginCheck closes the list of claims (loto:15).
func (s Session) BeginCheck() ([]Event, error) {
	if err := s.running(); err != nil {
		return nil, err
	}
	if s.Play.Mode != Stopped || len(s.Play.Claims) == 0 {
		return nil, ErrNoClaims.With("the round is %s with %d claims", s.Play.Mode, len(s.Play.Claims))
	}
	return []Event{CheckBegan{}}, nil
}

// Check gives the verdict on one claim; with the last one it says who has won, if anybody.
// A card that the house does not know is taken on its typed numbers only with a reason,
// which is recorded (loto:22).
func (s Session) Check(claim int, fact CardFact, vouch string) ([]Event, error) {
	if err := s.running(); err != nil {
		return nil, err
	}
	p := s.Play
	switch {
	case p.Mode != Checking:
		return nil, ErrNoClaims.With("the check has not begun")
	case claim < 0 || claim >= len(p.Claims):
		return nil, ErrClaimUnknown.With("claim %d of %d", claim, len(p.Claims))
	case p.Claims[claim].Checked:
		return nil, ErrChecked.With("claim %d has its verdict", claim)
	}
	c := p.Claims[claim]
	v := s.judge(c, fact)
	if vouch != "" {
		if fact.Known || len(c.Typed) == 0 {
			return nil, ErrVouch.With("only a card that is not known is taken on its typed numbers")
		}
		v = s.read(s.Plan.Rounds[p.Round-1].Prizes[p.Prize].Stage, c.Typed)
		v.Vouched = vouch
	}
	events := []Event{ClaimChecked{claim, v}}
	next := s.Apply(events[0])
	if slices.ContainsFunc(next.Play.Claims, func(c Claim) bool { return !c.Checked }) {
		return events, nil
	}
	return append(events, next.conclude()...), nil
}

// conclude says what follows once every claim has its verdict.
func (s Session) conclude() []Event {
	var winners []int
	for i, c := range s.Play.Claims {
		if c.Verdict.Valid {
			winners = append(winners, i)
		}
	}
	prize := s.Plan.Rounds[s.Play.Round-1].Prizes[s.Play.Prize]
	switch len(winners) {
	case 0:
		return []Event{ClaimsRejected{}}
	case 1:
		return []Event{PrizeAwarded{Awards: []Award{{Claim: winners[0],
			Serial: s.Play.Claims[winners[0]].Serial, Amount: prize.Amount}}, How: Sole}}
	}
	tie := newTie(s.Plan, prize, s.Play.Claims, winners)
	events := []Event{TieFound{tie}}
	if tie.Keep == len(winners) && !tie.Asked {
		awards, how := tie.settle(prize, s.Play.Claims)
		events = append(events, PrizeAwarded{awards, how})
	}
	return events
}
