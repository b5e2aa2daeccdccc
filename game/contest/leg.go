package contest

import (
	"slices"
	"strconv"
	"time"

	"boulier/regs"
)

// A LegKind is one of the five types of legs (contest:6). Its text is a stable code.
type LegKind string

// The five types.
const (
	LegNames    LegKind = "names"    // « 6 noms »
	LegScores   LegKind = "scores"   // « Matchs à score »
	LegWinner   LegKind = "winner"   // « Vainqueur du match »
	LegKnockout LegKind = "knockout" // « Vainqueur Finaliste »
	LegQuiz     LegKind = "quiz"     // « QCM »
)

// LegKinds lists the types in the order of the regulation.
var LegKinds = []LegKind{LegNames, LegScores, LegWinner, LegKnockout, LegQuiz}

// A Fixture is an event that a leg is about: a match, a question, or the one competition
// whose places or last eight are predicted. It has a limit of its own (Reading C17).
type Fixture struct {
	Home, Away string    // the two sides of a match
	StartsAt   time.Time // when it begins, as announced
	Limit      time.Time // its line is open while the server's time is before
	Format     Format    // of a match

	// What a quiz asks.
	Question string
	Parent   int      // the main question that a sub-question belongs to, from 1; 0 for none
	Points   Points   // MinQuestionPoints to MaxQuestionPoints
	Offered  []Answer // the answers to choose from
}

// A Plan is what a leg asks and how it is scored. Once slips are taken it stays as it is,
// the times of its fixtures aside.
type Plan struct {
	Kind     LegKind
	Title    string
	Fixtures []Fixture // one a line; for names and knockouts a single one for all lines
	List     []Name    // of names and knockouts: whom a slip may name
	Places   PlaceScale
	Scores   Scale // of matches that may end in a draw
	NoDraw   Scale // of the others
	Winner   Points
	Stages   KnockoutScale
	Count    Count // which goals count (Reading C9)
}

// NewPlan returns an empty plan of a kind with the regulation's scales (contest:6).
func NewPlan(kind LegKind) Plan {
	p := Plan{Kind: kind}
	switch kind {
	case LegNames:
		p.Places = SixPlaces
	case LegScores:
		p.Scores, p.NoDraw = WithDraws, WithoutDraws
	case LegWinner:
		p.Winner = RightWinnerPoints
	case LegKnockout:
		p.Stages = LastEight
	}
	return p
}

// Single reports whether all lines hang on one fixture: names and knockouts.
func (p Plan) Single() bool { return p.Kind == LegNames || p.Kind == LegKnockout }

// Lines returns how many lines a slip has.
func (p Plan) Lines() int {
	switch p.Kind {
	case LegNames:
		return len(p.Places)
	case LegKnockout:
		return len(KnockoutLines)
	default:
		return len(p.Fixtures)
	}
}

// FixtureOf returns the fixture that a line hangs on, both from 0.
func (p Plan) FixtureOf(line int) int {
	if p.Single() {
		return 0
	}
	return line
}

// Limits returns the limit of each line.
func (p Plan) Limits() []time.Time {
	limits := make([]time.Time, p.Lines())
	for i := range limits {
		limits[i] = p.Fixtures[p.FixtureOf(i)].Limit
	}
	return limits
}

// Closes returns the last of the limits.
func (p Plan) Closes() (last time.Time) {
	for _, f := range p.Fixtures {
		if f.Limit.After(last) {
			last = f.Limit
		}
	}
	return last
}

// The refusals of a plan.
var (
	ErrKindUnknown = &regs.Violation{Ref: "contest:5", Code: "leg_kind"}
	ErrLegEmpty    = &regs.Violation{Ref: "contest:4.slip", Code: "leg_empty"}
	ErrListShort   = &regs.Violation{Ref: "contest:6.names", Code: "list_short"}
	ErrListTwice   = &regs.Violation{Ref: "contest:6.names", Code: "list_twice"}
	ErrSideMissing = &regs.Violation{Ref: "contest:6.scores", Code: "side_missing"}
)

// MaxFixtures bounds the fixtures of a leg, MaxList the names to choose from.
const (
	MaxFixtures = 100
	MaxList     = 2000
)

// Check returns why slips cannot be taken on p, or nil: a kind and at least one fixture,
// limits not after the starts (Reading C17), scales that the regulation can mean, enough
// names to fill a slip and none twice, questions worth 1 to 5.
func (p Plan) Check() error {
	if !slices.Contains(LegKinds, p.Kind) {
		return ErrKindUnknown.With("%q", p.Kind)
	}
	n := len(p.Fixtures)
	if n == 0 || n > MaxFixtures || p.Single() && n != 1 {
		return ErrLegEmpty.With("%d fixtures in a leg of kind %s", n, p.Kind)
	}
	for i, f := range p.Fixtures {
		if f.Limit.IsZero() || f.Limit.After(f.StartsAt) {
			return ErrLimitLate.With("fixture %d: limit %s, start %s", i+1, f.Limit, f.StartsAt)
		}
	}
	switch p.Kind {
	case LegNames:
		if err := p.Places.Check(); err != nil {
			return err
		}
		return p.checkList()
	case LegKnockout:
		if err := p.Stages.Check(); err != nil {
			return err
		}
		return p.checkList()
	case LegQuiz:
		return p.Quiz(nil).Check()
	}
	return p.checkMatches()
}

func (p Plan) checkList() error {
	if len(p.List) < p.Lines() || len(p.List) > MaxList {
		return ErrListShort.With("%d names for %d lines", len(p.List), p.Lines())
	}
	seen := make(map[Name]bool, len(p.List))
	for _, name := range p.List {
		if name == "" || seen[name] {
			return ErrListTwice.With("%q", name)
		}
		seen[name] = true
	}
	return nil
}

func (p Plan) checkMatches() error {
	for i, f := range p.Fixtures {
		if f.Home == "" || f.Away == "" || f.Home == f.Away {
			return ErrSideMissing.With("fixture %d: %q against %q", i+1, f.Home, f.Away)
		}
	}
	if p.Kind == LegWinner {
		if p.Winner < 1 || p.Winner > maxScalePoints {
			return ErrScaleIllegal.With("%d points for a right winner", p.Winner)
		}
		return nil
	}
	if err := p.Scores.Check(); err != nil {
		return err
	}
	return p.NoDraw.Check()
}

// Quiz returns the questions of a quiz with the answers that are accepted so far; endings
// is nil as long as there are none.
func (p Plan) Quiz(endings []Ending) Quiz {
	quiz := make(Quiz, len(p.Fixtures))
	for i, f := range p.Fixtures {
		quiz[i] = Question{ID: questionID(i + 1), Points: f.Points, Offered: f.Offered}
		if f.Parent > 0 {
			quiz[i].Parent = questionID(f.Parent)
		}
		if i < len(endings) {
			quiz[i].Accepted = endings[i].Accepted
			quiz[i].Void = endings[i].Status == Void
		}
	}
	return quiz
}

func questionID(n int) QuestionID { return QuestionID(strconv.Itoa(n)) }
