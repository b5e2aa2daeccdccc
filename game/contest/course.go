package contest

import (
	"slices"
	"time"

	"boulier/regs"
)

// A Leg is a « manche » over time: what it asks, and what has been decided about it. Each
// decision is a method that returns an event or a violation, and Apply alone changes a
// leg, so that its events give it again.
type Leg struct {
	Plan
	OpensAt  time.Time // zero while the leg is a draft
	Slips    int       // players with a slip that counts, once closed
	ClosedAt time.Time // when the close was carried out

	Endings []Ending // one a fixture, in the version of the day
	Version int      // of the endings: how often they were entered

	Scored     Scoring // the ranking that is shown
	Proclaimed Proclamation
	FinalAt    time.Time
	AnnulledAt time.Time // by an order of the organizer
}

// A Scoring is a computed ranking: its run, and the version of the endings behind it.
type Scoring struct {
	Run     int64
	Version int
	Slips   int // ranked
}

// A Proclamation is what was proclaimed, in its version of the day (contest:7, contest:9).
type Proclamation struct {
	At        time.Time // of the first one: the days for disputes count from it
	Run       int64
	Version   int
	Pot       Nuggets
	Paid      Nuggets
	Remainder Nuggets
	Count     int // 1 for the first one, more after corrections
}

// A LegEvent is a fact in the life of a leg.
type LegEvent interface{ legEvent() }

// The facts.
type (
	// LegDrafted replaces the plan of a leg that is not published.
	LegDrafted struct{ Plan Plan }
	// LegPublished opens a leg from a time on.
	LegPublished struct{ OpensAt time.Time }
	// LimitMoved gives a fixture another start and another limit (contest:13).
	LimitMoved struct {
		Fixture         int // from 0
		StartsAt, Limit time.Time
		Reason          string
	}
	// LegClosed counts the slips when every limit has passed.
	LegClosed struct {
		At    time.Time
		Slips int
	}
	// ResultsEntered is a new version of the endings (Reading C11).
	ResultsEntered struct {
		Endings []Ending
		Version int
		Reason  string // of a correction
	}
	// LegScored says which ranking is shown.
	LegScored struct{ Scoring }
	// LegProclaimed shares the pot, for the first time or anew after a correction.
	LegProclaimed struct{ Proclamation }
	// LegFinished ends the days for disputes.
	LegFinished struct{ At time.Time }
	// LegAnnulled takes a leg out of its contest (contest:13).
	LegAnnulled struct {
		At     time.Time
		Reason string
	}
)

func (LegDrafted) legEvent()     {}
func (LegPublished) legEvent()   {}
func (LimitMoved) legEvent()     {}
func (LegClosed) legEvent()      {}
func (ResultsEntered) legEvent() {}
func (LegScored) legEvent()      {}
func (LegProclaimed) legEvent()  {}
func (LegFinished) legEvent()    {}
func (LegAnnulled) legEvent()    {}

// Apply returns the leg after a fact. What it shares with l is never changed in place.
func (l Leg) Apply(e LegEvent) Leg {
	switch e := e.(type) {
	case LegDrafted:
		l.Plan = e.Plan
	case LegPublished:
		l.OpensAt = e.OpensAt
		l.Endings = make([]Ending, len(l.Fixtures))
	case LimitMoved:
		l.Fixtures = slices.Clone(l.Fixtures)
		l.Fixtures[e.Fixture].StartsAt, l.Fixtures[e.Fixture].Limit = e.StartsAt, e.Limit
	case LegClosed:
		l.ClosedAt, l.Slips = e.At, e.Slips
	case ResultsEntered:
		l.Endings, l.Version = e.Endings, e.Version
	case LegScored:
		l.Scored = e.Scoring
	case LegProclaimed:
		l.Proclaimed = e.Proclamation
	case LegFinished:
		l.FinalAt = e.At
	case LegAnnulled:
		l.AnnulledAt = e.At
	}
	return l
}

// Annulled reports whether the leg gives no points and has no pot: by an order, or because
// no fixture is left (contest:13, Reading C10).
func (l Leg) Annulled() bool {
	if !l.AnnulledAt.IsZero() {
		return true
	}
	if len(l.Endings) == 0 {
		return false
	}
	statuses := make([]Status, len(l.Endings))
	for i, e := range l.Endings {
		statuses[i] = e.Status
	}
	return Annulled(statuses)
}

// Complete reports whether nothing more is awaited.
func (l Leg) Complete() bool {
	return len(l.Endings) > 0 &&
		!slices.ContainsFunc(l.Endings, func(e Ending) bool { return !e.Settled() })
}

// State returns where the leg stands at the server's time at.
func (l Leg) State(at time.Time, loc *time.Location) State {
	if l.Annulled() {
		return Cancelled
	}
	c := Course{OpensAt: l.OpensAt, Complete: l.Complete(), ProclaimedAt: l.Proclaimed.At}
	if !l.OpensAt.IsZero() {
		c.Limits = l.Limits()
	}
	return c.State(at, loc)
}

// The refusals of an order to a leg.
var (
	ErrLegPublished  = &regs.Violation{Ref: "contest:13", Code: "leg_published"}
	ErrLegNotOpen    = &regs.Violation{Ref: "contest:4.slip", Code: "leg_not_open"}
	ErrLimitPast     = &regs.Violation{Ref: "contest:13", Code: "limit_past"}
	ErrFixture       = &regs.Violation{Ref: "contest:13", Code: "fixture_unknown"}
	ErrReason        = &regs.Violation{Ref: "contest:17", Code: "contest_reason"}
	ErrResultEarly   = &regs.Violation{Ref: "contest:13", Code: "result_early"}
	ErrNotComplete   = &regs.Violation{Ref: "contest:7", Code: "not_complete"}
	ErrNotScored     = &regs.Violation{Ref: "contest:7", Code: "not_scored"}
	ErrLegAnnulled   = &regs.Violation{Ref: "contest:13", Code: "leg_annulled"}
	ErrNothingToDo   = &regs.Violation{Ref: "contest:13", Code: "nothing_to_do"}
	ErrAnnulInstead  = &regs.Violation{Ref: "contest:13", Code: "annul_instead"}
	ErrLegUnfinished = &regs.Violation{Ref: "contest:17", Code: "leg_unfinished"}
)

// Draft replaces the plan of a leg that is not published yet. A plan may be unfinished:
// Publish checks it.
func (l Leg) Draft(p Plan) (LegDrafted, error) {
	if !l.OpensAt.IsZero() {
		return LegDrafted{}, ErrLegPublished.With("it opens at %s", l.OpensAt)
	}
	return LegDrafted{p}, nil
}

// Publish opens a leg from opensAt on. Every limit must come after it.
func (l Leg) Publish(opensAt time.Time) (LegPublished, error) {
	if !l.OpensAt.IsZero() {
		return LegPublished{}, ErrLegPublished.With("it opens at %s", l.OpensAt)
	}
	if err := l.Check(); err != nil {
		return LegPublished{}, err
	}
	for i, limit := range l.Limits() {
		if !opensAt.Before(limit) {
			return LegPublished{}, ErrLimitPast.With("line %d: limit %s, opens %s", i+1, limit, opensAt)
		}
	}
	return LegPublished{opensAt}, nil
}

// MoveLimit gives a fixture another start and limit, at any time before its limit passes
// (contest:13). After it, others have seen the line (Reading C25): it stays closed.
func (l Leg) MoveLimit(fixture int, startsAt, limit time.Time, reason string, at time.Time) (LimitMoved, error) {
	switch {
	case l.OpensAt.IsZero():
		return LimitMoved{}, ErrLegNotOpen.With("it is a draft")
	case l.Annulled():
		return LimitMoved{}, ErrLegAnnulled.With("at %s", l.AnnulledAt)
	case fixture < 0 || fixture >= len(l.Fixtures):
		return LimitMoved{}, ErrFixture.With("fixture %d of %d", fixture+1, len(l.Fixtures))
	case reason == "":
		return LimitMoved{}, ErrReason.With("a moved limit needs one")
	case !at.Before(l.Fixtures[fixture].Limit):
		return LimitMoved{}, ErrLimitPast.With("it passed at %s", l.Fixtures[fixture].Limit)
	case limit.After(startsAt):
		return LimitMoved{}, ErrLimitLate.With("limit %s, start %s", limit, startsAt)
	}
	return LimitMoved{fixture, startsAt, limit, reason}, nil
}

// Submit says whether a player may replace the slip before by after, and whether that
// changes anything (contest:4.slip). before is nil for a first slip.
func (l Leg) Submit(before, after []Pick, at time.Time) (changed bool, err error) {
	switch {
	case l.OpensAt.IsZero() || at.Before(l.OpensAt):
		return false, ErrLegNotOpen.With("asked at %s, opens at %s", at, l.OpensAt)
	case l.Annulled():
		return false, ErrLegAnnulled.With("at %s", l.AnnulledAt)
	}
	if err := l.CheckPicks(after); err != nil {
		return false, err
	}
	return Revise("", before, after, l.Limits(), at)
}

// Close counts the slips once every limit has passed.
func (l Leg) Close(slips int, at time.Time) (LegClosed, error) {
	if l.OpensAt.IsZero() || at.Before(l.Closes()) {
		return LegClosed{}, ErrLegUnfinished.With("it closes at %s", l.Closes())
	}
	if !l.ClosedAt.IsZero() {
		return LegClosed{}, ErrNothingToDo.With("closed at %s", l.ClosedAt)
	}
	return LegClosed{at, slips}, nil
}

// Enter makes a new version of the endings: given holds one a fixture, those still awaited
// as the zero Ending. No result is taken before the limit of its fixture. Once results are
// proclaimed it is a correction, which needs a reason, and after the days for disputes a
// recorded decision (contest:17, Reading C11).
func (l Leg) Enter(given []Ending, reason string, decided bool, at time.Time, loc *time.Location) (ResultsEntered, error) {
	switch {
	case l.OpensAt.IsZero() || at.Before(l.OpensAt):
		return ResultsEntered{}, ErrLegNotOpen.With("opens at %s", l.OpensAt)
	case !l.AnnulledAt.IsZero():
		return ResultsEntered{}, ErrLegAnnulled.With("at %s", l.AnnulledAt)
	case len(given) != len(l.Fixtures):
		return ResultsEntered{}, ErrFixture.With("%d endings for %d fixtures", len(given), len(l.Fixtures))
	}
	for i, e := range given {
		if e.Settled() && e.Status != Void && at.Before(l.Fixtures[i].Limit) {
			return ResultsEntered{}, ErrResultEarly.With("fixture %d: limit %s", i+1, l.Fixtures[i].Limit)
		}
		if err := l.checkEnding(i, e); err != nil {
			return ResultsEntered{}, err
		}
		if !e.Settled() && l.Proclaimed.Count > 0 {
			return ResultsEntered{}, ErrNotComplete.With("fixture %d was proclaimed", i+1)
		}
	}
	if l.Proclaimed.Count > 0 {
		if !slices.ContainsFunc(given, func(e Ending) bool { return e.Status != Void }) {
			return ResultsEntered{}, ErrAnnulInstead.With("no fixture would be left")
		}
		if reason == "" {
			return ResultsEntered{}, ErrReason.With("a correction needs one")
		}
		if err := CheckCorrection(l.Proclaimed.At, at, decided, loc); err != nil {
			return ResultsEntered{}, err
		}
	}
	return ResultsEntered{given, l.Version + 1, reason}, nil
}

// Show says that a ranking of the current endings is shown. A ranking of older endings is
// stale and is not shown.
func (l Leg) Show(s Scoring) (LegScored, error) {
	if s.Version != l.Version || l.ClosedAt.IsZero() {
		return LegScored{}, ErrNotScored.With("run of version %d, now %d", s.Version, l.Version)
	}
	return LegScored{s}, nil
}

// Proclaim proclaims the ranking that is shown and shares pot, of which paid goes to the
// players. Every fixture must have an ending. The first proclamation starts the days for
// disputes; later ones, after corrections, do not start them again.
func (l Leg) Proclaim(pot, paid Nuggets, at time.Time) (LegProclaimed, error) {
	switch {
	case l.Annulled():
		return LegProclaimed{}, ErrLegAnnulled.With("at %s", l.AnnulledAt)
	case l.ClosedAt.IsZero() || !l.Complete():
		return LegProclaimed{}, ErrNotComplete.With("results are awaited")
	case l.Scored.Run == 0 || l.Scored.Version != l.Version:
		return LegProclaimed{}, ErrNotScored.With("shown is version %d, now %d", l.Scored.Version, l.Version)
	case l.Proclaimed.Run == l.Scored.Run:
		return LegProclaimed{}, ErrNothingToDo.With("proclaimed already")
	case paid < 0 || paid > pot:
		panic("contest: more is paid than the pot holds")
	}
	p := Proclamation{At: l.Proclaimed.At, Run: l.Scored.Run, Version: l.Version, Pot: pot, Paid: paid,
		Remainder: pot - paid, Count: l.Proclaimed.Count + 1}
	if p.At.IsZero() {
		p.At = at
	}
	return LegProclaimed{p}, nil
}

// Finish ends the days for disputes; what was pending may be spent from then on (Reading
// C20, days being DisputeDays by default).
func (l Leg) Finish(days int, at time.Time, loc *time.Location) (LegFinished, error) {
	switch {
	case l.Proclaimed.Count == 0:
		return LegFinished{}, ErrLegUnfinished.With("nothing is proclaimed")
	case at.Before(SpendableAt(l.Proclaimed.At, days, loc)):
		return LegFinished{}, ErrLegUnfinished.With("final at %s", SpendableAt(l.Proclaimed.At, days, loc))
	case !l.FinalAt.IsZero():
		return LegFinished{}, ErrNothingToDo.With("final since %s", l.FinalAt)
	}
	return LegFinished{at}, nil
}

// Annul takes the leg out of its contest, with a reason (contest:13). One that is
// proclaimed gives its pot back, within the limits of a correction (contest:17).
func (l Leg) Annul(reason string, decided bool, at time.Time, loc *time.Location) (LegAnnulled, error) {
	switch {
	case reason == "":
		return LegAnnulled{}, ErrReason.With("an annulment needs one")
	case !l.AnnulledAt.IsZero():
		return LegAnnulled{}, ErrLegAnnulled.With("at %s", l.AnnulledAt)
	case l.Proclaimed.Count > 0:
		if err := CheckCorrection(l.Proclaimed.At, at, decided, loc); err != nil {
			return LegAnnulled{}, err
		}
	}
	return LegAnnulled{at, reason}, nil
}
