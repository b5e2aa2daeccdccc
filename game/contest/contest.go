package contest

import (
	"slices"
	"time"

	"boulier/regs"
)

// A LegID identifies a leg of any contest, an ID a contest.
type (
	LegID int64
	ID    int64
)

// Terms are the constants of a contest, those of the regulation by default.
type Terms struct {
	Pots        PotRule
	Sharing     Sharing
	PendingDays int // from a proclamation until nuggets may be spent (Reading C20)
}

// DefaultTerms are the regulation's.
func DefaultTerms() Terms {
	return Terms{Pots: Pots, Sharing: slices.Clone(TenRanks), PendingDays: DisputeDays}
}

// ErrPendingDays refuses days below those for disputes or above a year (Reading C20).
var ErrPendingDays = &regs.Violation{Ref: "contest:12", Code: "pending_days"}

// Check returns why a contest cannot have these terms, or nil.
func (t Terms) Check() error {
	if err := t.Pots.Check(); err != nil {
		return err
	}
	if t.PendingDays < DisputeDays || t.PendingDays > 366 {
		return ErrPendingDays.With("%d days", t.PendingDays)
	}
	return t.Sharing.Check()
}

// A SpecialGift is put up for the best of a contest or of one leg (contest:11).
type SpecialGift struct {
	Title string
	Leg   LegID // 0: the whole contest
	Count int   // how many of it
}

// A Contest is a sequence of legs (« concours »), event-sourced as a Leg is.
type Contest struct {
	Title      string
	Organizer  string
	Terms      Terms
	Legs       []LegID
	OpensAt    time.Time // zero until it is announced
	Gifts      []SpecialGift
	Shown      Scoring // the ranking of the legs proclaimed so far
	Proclaimed Proclamation
	FinalAt    time.Time
}

// A ContestEvent is a fact in the life of a contest.
type ContestEvent interface{ contestEvent() }

// The facts.
type (
	// ContestCreated begins a contest.
	ContestCreated struct {
		Title, Organizer string
		Terms            Terms
	}
	// LegAdded adds a leg at the end.
	LegAdded struct{ Leg LegID }
	// GiftAnnounced puts up a special gift (contest:11).
	GiftAnnounced struct{ Gift SpecialGift }
	// ContestAnnounced opens the contest from a time on.
	ContestAnnounced struct{ OpensAt time.Time }
	// ContestRanked says which ranking is shown.
	ContestRanked struct{ Scoring }
	// ContestProclaimed shares the pot of the contest (contest:10).
	ContestProclaimed struct{ Proclamation }
	// ContestFinished ends the days for disputes.
	ContestFinished struct{ At time.Time }
)

func (ContestCreated) contestEvent()    {}
func (LegAdded) contestEvent()          {}
func (GiftAnnounced) contestEvent()     {}
func (ContestAnnounced) contestEvent()  {}
func (ContestRanked) contestEvent()     {}
func (ContestProclaimed) contestEvent() {}
func (ContestFinished) contestEvent()   {}

// Apply returns the contest after a fact.
func (c Contest) Apply(e ContestEvent) Contest {
	switch e := e.(type) {
	case ContestCreated:
		c.Title, c.Organizer, c.Terms = e.Title, e.Organizer, e.Terms
	case LegAdded:
		c.Legs = append(slices.Clip(c.Legs), e.Leg)
	case GiftAnnounced:
		c.Gifts = append(slices.Clip(c.Gifts), e.Gift)
	case ContestAnnounced:
		c.OpensAt = e.OpensAt
	case ContestRanked:
		c.Shown = e.Scoring
	case ContestProclaimed:
		c.Proclaimed = e.Proclamation
	case ContestFinished:
		c.FinalAt = e.At
	}
	return c
}

// The refusals of an order to a contest.
var (
	ErrContestTitle     = &regs.Violation{Ref: "contest:13", Code: "contest_title"}
	ErrContestAnnounced = &regs.Violation{Ref: "contest:11", Code: "contest_announced"}
	ErrContestDraft     = &regs.Violation{Ref: "contest:11", Code: "contest_draft"}
	ErrContestOver      = &regs.Violation{Ref: "contest:13", Code: "contest_over"}
	ErrGiftIllegal      = &regs.Violation{Ref: "contest:11", Code: "gift_illegal"}
	ErrLegsPending      = &regs.Violation{Ref: "contest:10", Code: "legs_pending"}
)

// Create begins a contest.
func Create(title, organizer string, terms Terms) (ContestCreated, error) {
	if title == "" || organizer == "" {
		return ContestCreated{}, ErrContestTitle.With("title %q, organizer %q", title, organizer)
	}
	if err := terms.Check(); err != nil {
		return ContestCreated{}, err
	}
	return ContestCreated{title, organizer, terms}, nil
}

// AddLeg adds a leg: also to a contest that has begun, which lengthens it (contest:13).
func (c Contest) AddLeg(id LegID) (LegAdded, error) {
	if c.Proclaimed.Count > 0 {
		return LegAdded{}, ErrContestOver.With("proclaimed at %s", c.Proclaimed.At)
	}
	return LegAdded{id}, nil
}

// AnnounceGift puts up a special gift, before the contest opens and never after
// (contest:11).
func (c Contest) AnnounceGift(g SpecialGift, at time.Time) (GiftAnnounced, error) {
	if g.Title == "" || g.Count < 1 || g.Count > 1000 ||
		g.Leg != 0 && !slices.Contains(c.Legs, g.Leg) {
		return GiftAnnounced{}, ErrGiftIllegal.With("%+v", g)
	}
	if !c.OpensAt.IsZero() {
		if err := CheckGift(at, c.OpensAt); err != nil {
			return GiftAnnounced{}, err
		}
	}
	return GiftAnnounced{g}, nil
}

// Announce shows the contest to everybody and opens it from opensAt on, at once at the
// earliest.
func (c Contest) Announce(opensAt, at time.Time) (ContestAnnounced, error) {
	switch {
	case !c.OpensAt.IsZero():
		return ContestAnnounced{}, ErrContestAnnounced.With("it opens at %s", c.OpensAt)
	case len(c.Legs) == 0:
		return ContestAnnounced{}, ErrLegsPending.With("it has no leg")
	case opensAt.Before(at):
		opensAt = at
	}
	return ContestAnnounced{opensAt}, nil
}

// Rank says that a ranking over the legs is shown.
func (c Contest) Rank(s Scoring) ContestRanked { return ContestRanked{s} }

// Proclaim shares the pot of the contest once every leg is proclaimed or annulled
// (contest:10, Reading C26), and again after corrections.
func (c Contest) Proclaim(legs []Leg, paid Nuggets, at time.Time) (ContestProclaimed, error) {
	pot, err := c.Pot(legs)
	if err != nil {
		return ContestProclaimed{}, err
	}
	if c.Shown.Run == 0 {
		return ContestProclaimed{}, ErrNotScored.With("no ranking is shown")
	}
	if c.Proclaimed.Run == c.Shown.Run {
		return ContestProclaimed{}, ErrNothingToDo.With("proclaimed already")
	}
	p := Proclamation{At: c.Proclaimed.At, Run: c.Shown.Run, Version: c.Shown.Version, Pot: pot, Paid: paid,
		Remainder: pot - paid, Count: c.Proclaimed.Count + 1}
	if p.At.IsZero() {
		p.At = at
	}
	return ContestProclaimed{p}, nil
}

// Pot returns the pot of a contest whose legs stand as given, or ErrLegsPending while one
// is neither proclaimed nor annulled (Reading C26).
func (c Contest) Pot(legs []Leg) (Nuggets, error) {
	counted := 0
	for i, l := range legs {
		switch {
		case l.Annulled():
		case l.Proclaimed.Count == 0:
			return 0, ErrLegsPending.With("leg %d is not proclaimed", i+1)
		default:
			counted++
		}
	}
	if len(legs) == 0 || counted == 0 {
		return 0, ErrLegsPending.With("no leg counts")
	}
	return c.Terms.Pots.Contest(counted), nil
}

// Finish ends the days for disputes of the contest.
func (c Contest) Finish(at time.Time, loc *time.Location) (ContestFinished, error) {
	switch {
	case c.Proclaimed.Count == 0 || at.Before(SpendableAt(c.Proclaimed.At, c.Terms.PendingDays, loc)):
		return ContestFinished{}, ErrLegUnfinished.With("the days are not over")
	case !c.FinalAt.IsZero():
		return ContestFinished{}, ErrNothingToDo.With("final since %s", c.FinalAt)
	}
	return ContestFinished{at}, nil
}
