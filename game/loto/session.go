package loto

import (
	"slices"
	"strings"
	"time"

	"boulier/game/ninety"
	"boulier/player"
	"boulier/regs"
)

// A Phase says how far the day is.
type Phase string

// The phases.
const (
	Planning Phase = ""        // the plan can be changed
	Opening  Phase = "opening" // committed, and no sale before the checkpoint
	Open     Phase = "open"    // doors, sale, rounds
	Closed   Phase = "closed"
)

// A Mode says what a running round waits for.
type Mode string

// The modes.
const (
	Drawing  Mode = "drawing"  // the next number
	Stopped  Mode = "stopped"  // claims, then the check
	Checking Mode = "checking" // verdicts
	Tied     Mode = "tied"     // consent or tokens
	Awarding Mode = "awarding" // the prize to be handed over
	Over     Mode = "over"     // to be closed: every stage is won
)

// A SaleRef names a sale of a desk; the zero SaleRef is none.
type SaleRef struct{ Desk, Sale int }

// A Play is the round that is being played.
type Play struct {
	Round  int // in the programme, from 1; 0 if none is being played
	Prize  int // index in its prizes
	Mode   Mode
	Salt   string
	Cards  int
	Calls  []ninety.Ball // in the order in which they were called
	Repeat int           // how often the last one was announced again
	Claims []Claim       // of the stop
	Wrong  []Claim       // of the stop before it, when all were refused: the caller says why
	Tie    Tie
	Awards []Award // waiting to be handed over
	How    How
	Won    []Won
}

// A Won is a stage that was won and handed over.
type Won struct {
	Prize  int // index in the prizes of the round
	Calls  int // how many numbers were out
	How    How
	Awards []Award
	Tie    Tie
}

// A Result is a round that was played.
type Result struct {
	Round  int
	Salt   string
	Cards  int
	Calls  []ninety.Ball
	Won    []Won
	Reason string // why a stage was not won
}

// A Pause is a break that is going on.
type Pause struct {
	Title string
	Until time.Time
}

// A Session is the day of a hall loto.
type Session struct {
	Plan        Plan
	Phase       Phase
	Day         int      // counts the days on which it opened: a stamp holds for one (reading L11)
	Commitments []string // of the balls, by round; empty for a real cage
	Ties        []string // of the tokens, by round and prize
	Recalled    bool     // the rules, on this day
	Caller      player.ID
	Play        Play
	Upto        []SaleRef // the last sale of each desk that plays in the round opened last
	Results     []Result
	Pause       Pause
	Disputes    int
}

// set returns the numbers called in the round.
func (p Play) set() ninety.BallSet { return ninety.BallSet{}.With(p.Calls...) }

// last returns the number called last, 0 before the first.
func (p Play) last() ninety.Ball {
	if len(p.Calls) == 0 {
		return 0
	}
	return p.Calls[len(p.Calls)-1]
}

// Plays reports whether the cards of a sale play in the round that was opened last: they
// were sold before.
func (s Session) Plays(sale SaleRef) bool {
	return slices.ContainsFunc(s.Upto, func(u SaleRef) bool {
		return u.Desk == sale.Desk && sale.Sale <= u.Sale
	})
}

// Current returns the round that is being played and the prize that it is played for.
func (s Session) Current() (Round, Prize, bool) {
	if s.Play.Round == 0 {
		return Round{}, Prize{}, false
	}
	r := s.Plan.Rounds[s.Play.Round-1]
	return r, r.Prizes[s.Play.Prize], true
}

// NextRound returns the number of the round to be opened next, 0 if all are played.
func (s Session) NextRound() int {
	next := len(s.Results) + 1
	if s.Play.Round != 0 || next > len(s.Plan.Rounds) {
		return 0
	}
	return next
}

// What the course of a day refuses.
var (
	ErrDayPhase    = &regs.Violation{Ref: "loto:1", Code: "loto_phase"}
	ErrNotCaller   = &regs.Violation{Ref: "std:51", Code: "not_in_control"}
	ErrNotRecalled = &regs.Violation{Ref: "loto:11", Code: "rules_not_recalled"}
	ErrRoundOrder  = &regs.Violation{Ref: "loto:12", Code: "round_order"}
	ErrNoRound     = &regs.Violation{Ref: "loto:12", Code: "no_round"}
	ErrPaused      = &regs.Violation{Ref: "loto:9", Code: "loto_paused"}
	ErrPauseTime   = &regs.Violation{Ref: "loto:9", Code: "pause_time"}
	ErrCalled      = &regs.Violation{Ref: "loto:17", Code: "number_called"}
	ErrNumber      = &regs.Violation{Ref: "loto:12", Code: "number_unknown"}
	ErrStopped     = &regs.Violation{Ref: "loto:13", Code: "draw_stopped"}
	ErrCageEmpty   = &regs.Violation{Ref: "loto:12", Code: "cage_empty"}
	ErrStale       = &regs.Violation{Ref: "std:43", Code: "call_stale"}
	ErrDrawnBall   = &regs.Violation{Ref: "loto:17", Code: "drawn_ball"}
	ErrCageRound   = &regs.Violation{Ref: "loto:12", Code: "cage_round"}
	ErrCorrection  = &regs.Violation{Ref: "loto:17", Code: "correction_late"}
	ErrReason      = &regs.Violation{Ref: "loto:22", Code: "reason_missing"}
	ErrNotAwarded  = &regs.Violation{Ref: "loto:15", Code: "not_awarded"}
	ErrNotOver     = &regs.Violation{Ref: "loto:17", Code: "round_not_over"}
	ErrPostpone    = &regs.Violation{Ref: "loto:24", Code: "postpone_round"}
	ErrPlanFaults  = &regs.Violation{Ref: "loto:12", Code: "loto_plan_faults"}
)

// running refuses whatever needs a round that is being played and no pause.
func (s Session) running() error {
	if s.Play.Round == 0 {
		return ErrNoRound
	}
	if s.Pause != (Pause{}) {
		return ErrPaused
	}
	return nil
}

// Change replaces the plan. Once the day has opened players have paid for what it says, and
// a postponed day keeps it.
func (s Session) Change(p Plan) ([]Event, error) {
	if s.Phase != Planning || s.Day > 0 {
		return nil, ErrDayPhase.With("the day is %q, opened %d times", s.Phase, s.Day)
	}
	return []Event{Planned{p}}, nil
}

// OpenDay commits to the draw of every round. Every consolation must be set by then
// (loto:18, loto:19, reading L4).
func (s Session) OpenDay(commitments, ties []string) ([]Event, error) {
	if s.Phase != Planning {
		return nil, ErrDayPhase.With("the day is %s", s.Phase)
	}
	if faults := s.Plan.Faults(); len(faults) > 0 {
		return nil, faults[0].Violation
	}
	if len(s.Commitments) > 0 { // postponed: nothing was drawn from them
		commitments, ties = s.Commitments, s.Ties
	}
	return []Event{DayOpened{commitments, ties}}, nil
}

// OpenSale begins the sale, when a signed checkpoint covers the commitments.
func (s Session) OpenSale() ([]Event, error) {
	if s.Phase != Opening {
		return nil, ErrDayPhase.With("the day is %s", s.Phase)
	}
	return []Event{SaleOpened{}}, nil
}

// TakeControl gives the calling to a person.
func (s Session) TakeControl(who player.ID) ([]Event, error) {
	if s.Phase != Open {
		return nil, ErrDayPhase.With("the day is %s", s.Phase)
	}
	if s.Caller == who {
		return nil, nil
	}
	return []Event{ControlTaken{who}}, nil
}

// Recall says that the rules were recalled and the stamp checked (loto:11).
func (s Session) Recall() ([]Event, error) {
	if s.Phase != Open {
		return nil, ErrDayPhase.With("the day is %s", s.Phase)
	}
	if s.Recalled {
		return nil, nil
	}
	return []Event{RulesRecalled{}}, nil
}

// OpenRound announces the next round of the programme and its prize (loto:12).
func (s Session) OpenRound(o RoundOpened) ([]Event, error) {
	switch {
	case s.Phase != Open:
		return nil, ErrDayPhase.With("the day is %s", s.Phase)
	case s.Pause != (Pause{}):
		return nil, ErrPaused
	case !s.Recalled:
		return nil, ErrNotRecalled
	case s.Play.Round != 0 || o.Round == 0 || o.Round != s.NextRound():
		return nil, ErrRoundOrder.With("round %d, the next one is %d", o.Round, s.NextRound())
	}
	return []Event{o}, nil
}

// Caged refuses a number that is drawn where a real cage turns, and one that is typed where
// none does (reading L17).
func (s Session) Caged(typed bool) error {
	if r, _, ok := s.Current(); ok && r.Cage != typed {
		return ErrCageRound.With("cage %t, typed %t", r.Cage, typed)
	}
	return nil
}

// Call shows the next number. The page says how many it has seen, so that a key pressed
// twice calls one number. Numbers already out are never repeated (loto:17).
func (s Session) Call(b ninety.Ball, seen int) ([]Event, error) {
	if err := s.running(); err != nil {
		return nil, err
	}
	p := s.Play
	switch {
	case p.Mode != Drawing:
		return nil, ErrStopped.With("the round is %s", p.Mode)
	case seen != len(p.Calls):
		return nil, ErrStale.With("%d numbers are out, the page has seen %d", len(p.Calls), seen)
	case len(p.Calls) == 90:
		return nil, ErrCageEmpty
	case !b.Valid():
		return nil, ErrNumber.With("%d", b)
	case p.set().Has(b):
		return nil, ErrCalled.With("%d is out already", b)
	}
	return []Event{BallCalled{len(p.Calls) + 1, b}}, nil
}

// Correct replaces the last number, typed from a real cage, or takes it back if b is 0. A
// number that the program drew stays drawn. It is refused once a prize was handed over on
// that number, and while a tie is being settled (reading L14).
func (s Session) Correct(was, b ninety.Ball, reason string) ([]Event, error) {
	if err := s.correctable(was, reason); err != nil {
		return nil, err
	}
	p := s.Play
	switch {
	case !s.Plan.Rounds[p.Round-1].Cage:
		return nil, ErrDrawnBall.With("%d was drawn", was)
	case b != 0 && !b.Valid() || b == was:
		return nil, ErrNumber.With("%d", b)
	case b != 0 && p.set().Has(b):
		return nil, ErrCalled.With("%d is out already", b)
	}
	return []Event{CallCorrected{len(p.Calls), was, b, reason}}, nil
}

// Repeat announces the last number again, which was said wrong (reading L14).
func (s Session) Repeat(was ninety.Ball, reason string) ([]Event, error) {
	if err := s.correctable(was, reason); err != nil {
		return nil, err
	}
	return []Event{CallRepeated{len(s.Play.Calls), was, reason}}, nil
}

// correctable refuses to touch a number that is not the last one, or on which a prize
// depends.
func (s Session) correctable(was ninety.Ball, reason string) error {
	if err := s.running(); err != nil {
		return err
	}
	p := s.Play
	switch {
	case strings.TrimSpace(reason) == "":
		return ErrReason
	case was == 0 || was != p.last():
		return ErrStale.With("the last number is %d, not %d", p.last(), was)
	case p.Mode == Tied || p.Mode == Awarding || p.Mode == Over:
		return ErrCorrection.With("the round is %s", p.Mode)
	case slices.ContainsFunc(p.Won, func(w Won) bool { return w.Calls == len(p.Calls) }):
		return ErrCorrection.With("a prize was handed over on %d", was)
	}
	return nil
}

// Answer is the winners' word on sharing: refused by one, tokens decide (reading L1).
func (s Session) Answer(agreed bool) ([]Event, error) {
	if err := s.running(); err != nil {
		return nil, err
	}
	t := s.Play.Tie
	if s.Play.Mode != Tied || !t.Asked {
		return nil, ErrNoTie.With("nobody is asked to share")
	}
	events := []Event{ShareAnswered{agreed}}
	if agreed && t.Keep == len(t.Winners) {
		_, prize, _ := s.Current()
		awards, how := t.settle(prize, s.Play.Claims)
		events = append(events, PrizeAwarded{awards, how})
	}
	return events, nil
}

// Draw takes one token from the bag for whoever is next; the last one settles the tie
// (loto:14). None is put back.
func (s Session) Draw(b ninety.Ball) ([]Event, error) {
	if err := s.running(); err != nil {
		return nil, err
	}
	claim, ok := s.Play.Tie.Next()
	if s.Play.Mode != Tied || !ok {
		return nil, ErrNoTie.With("no token is to be drawn")
	}
	if !b.Valid() {
		return nil, ErrToken.With("%d", b)
	}
	for _, t := range s.Play.Tie.Tokens {
		if t.Ball == b {
			return nil, ErrTokenTaken.With("%d is out of the bag", b)
		}
	}
	events := []Event{TokenDrawn{Token{claim, b}}}
	next := s.Apply(events[0])
	if _, more := next.Play.Tie.Next(); more {
		return events, nil
	}
	_, prize, _ := s.Current()
	awards, how := next.Play.Tie.settle(prize, s.Play.Claims)
	return append(events, PrizeAwarded{awards, how}), nil
}

// HandOver says that the winners have what they won; it can be done once a stage.
func (s Session) HandOver() ([]Event, error) {
	if err := s.running(); err != nil {
		return nil, err
	}
	if s.Play.Mode != Awarding {
		return nil, ErrNotAwarded.With("the round is %s", s.Play.Mode)
	}
	return []Event{PrizeHandedOver{}}, nil
}

// CloseRound lets players clear. A round with a stage that nobody has won is closed only
// with a reason, and never while claims are looked at.
func (s Session) CloseRound(reason string) ([]Event, error) {
	if err := s.running(); err != nil {
		return nil, err
	}
	switch m := s.Play.Mode; {
	case m == Over:
	case m != Drawing:
		return nil, ErrNotOver.With("the round is %s", m)
	case strings.TrimSpace(reason) == "":
		return nil, ErrNotOver.With("a stage is not won and no reason is given")
	}
	return []Event{RoundClosed{reason}}, nil
}

// Rest begins a break of the programme or another one (loto:9).
func (s Session) Rest(title string, until, now time.Time) ([]Event, error) {
	switch {
	case s.Phase != Open:
		return nil, ErrDayPhase.With("the day is %s", s.Phase)
	case s.Pause != (Pause{}):
		return nil, ErrPaused
	case s.Play.Round != 0 && s.Play.Mode != Drawing && s.Play.Mode != Over:
		return nil, ErrStopped.With("the round is %s", s.Play.Mode)
	case !until.After(now):
		return nil, ErrPauseTime.With("until %s", until)
	}
	return []Event{Paused{title, until}}, nil
}

// Continue ends the break.
func (s Session) Continue() ([]Event, error) {
	if s.Pause == (Pause{}) {
		return nil, nil
	}
	return []Event{PauseEnded{}}, nil
}

// Decide records how a dispute was decided (loto:22).
func (s Session) Decide(question, decision string) ([]Event, error) {
	if s.Phase != Open {
		return nil, ErrDayPhase.With("the day is %s", s.Phase)
	}
	if strings.TrimSpace(question) == "" || strings.TrimSpace(decision) == "" {
		return nil, ErrReason
	}
	return []Event{DisputeDecided{question, decision}}, nil
}

// Postpone moves the day. It is refused while a round is being played (loto:24).
func (s Session) Postpone(doors, start, now time.Time, reason string) ([]Event, error) {
	switch {
	case s.Phase != Open:
		return nil, ErrDayPhase.With("the day is %s", s.Phase)
	case s.Play.Round != 0:
		return nil, ErrPostpone.With("round %d is being played", s.Play.Round)
	case strings.TrimSpace(reason) == "":
		return nil, ErrReason
	case !doors.After(now) || !start.After(doors):
		return nil, ErrPlanTimes.With("doors %s, start %s", doors, start)
	}
	return []Event{DayPostponed{doors, start, reason}}, nil
}

// CloseDay ends the day: every round is played, or a reason is given.
func (s Session) CloseDay(reason string) ([]Event, error) {
	switch {
	case s.Phase != Open:
		return nil, ErrDayPhase.With("the day is %s", s.Phase)
	case s.Play.Round != 0:
		return nil, ErrNotOver.With("round %d is being played", s.Play.Round)
	case s.NextRound() != 0 && strings.TrimSpace(reason) == "":
		return nil, ErrReason
	}
	return []Event{DayClosed{reason}}, nil
}
