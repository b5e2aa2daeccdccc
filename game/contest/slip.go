package contest

import (
	"slices"
	"time"

	"boulier/player"
	"boulier/regs"
)

// The refusals of a slip. A slip that is refused changes nothing.
var (
	ErrLegClosed      = &regs.Violation{Ref: "contest:4.slip", Code: "leg_closed"}
	ErrLineLocked     = &regs.Violation{Ref: "contest:4.slip", Code: "line_locked"}
	ErrLineEmpty      = &regs.Violation{Ref: "contest:4.slip", Code: "line_empty"}
	ErrSlipMisshapen  = &regs.Violation{Ref: "contest:4.slip", Code: "slip_misshapen"}
	ErrNameTwice      = &regs.Violation{Ref: "contest:4.slip", Code: "name_twice"}
	ErrNameUnknown    = &regs.Violation{Ref: "contest:4.slip", Code: "name_unknown"}
	ErrOutcomeIllegal = &regs.Violation{Ref: "contest:6.winner", Code: "outcome_illegal"}
	ErrAnswerUnknown  = &regs.Violation{Ref: "contest:6.quiz", Code: "answer_unknown"}
	ErrLimitLate      = &regs.Violation{Ref: "contest:4.slip", Code: "limit_late"}
)

// Revise says whether a player may replace the slip before by after at the server's time
// at, and whether that changes anything (contest:4.slip). Each line has its own limit and
// is open while at < limit (Reading C17); lines that are open must be filled in (Reading
// C5), lines that are locked must stay as they were, empty if need be. before is nil for
// a player's first slip; empty is what an empty line holds. Before and after hold one
// line a limit, in the same order.
//
// It returns ErrLegClosed when every limit has passed, ErrLineLocked, ErrLineEmpty, or
// ErrSlipMisshapen when the number of lines is wrong. Only a slip that changes something
// moves the time that settles ties for gifts (Reading C18).
func Revise[L comparable](empty L, before, after []L, limits []time.Time, at time.Time) (
	changed bool, err error,
) {
	if before == nil {
		before = slices.Repeat([]L{empty}, len(limits))
	}
	if len(after) != len(limits) || len(before) != len(limits) {
		return false, ErrSlipMisshapen.With("%d lines, the leg has %d", len(after), len(limits))
	}
	anyOpen := false
	for i, limit := range limits {
		open := at.Before(limit)
		anyOpen = anyOpen || open
		switch {
		case !open && after[i] != before[i]:
			err = ErrLineLocked.With("line %d: asked at %s, limit %s", i+1, at, limit)
		case open && after[i] == empty && err == nil:
			err = ErrLineEmpty.With("line %d is open until %s", i+1, limit)
		}
		changed = changed || after[i] != before[i]
	}
	if !anyOpen {
		return false, ErrLegClosed.With("asked at %s", at)
	}
	if err != nil {
		return false, err
	}
	return changed, nil
}

// CheckCommonLimit returns ErrLimitLate if one common limit for a whole slip is after the
// start of its first event (Reading C17, option).
func CheckCommonLimit(limit time.Time, starts []time.Time) error {
	for _, start := range starts {
		if limit.After(start) {
			return ErrLimitLate.With("limit %s, an event starts at %s", limit, start)
		}
	}
	return nil
}

// CheckScores returns ErrScoreIllegal if a line that is filled in holds a score that its
// match cannot end with (Reading C8), ErrSlipMisshapen if lines and formats differ in
// number.
func CheckScores(slip []Score, formats []Format) error {
	if len(slip) != len(formats) {
		return ErrSlipMisshapen.With("%d lines, the leg has %d", len(slip), len(formats))
	}
	for i, s := range slip {
		if s == NoScore {
			continue
		}
		if err := formats[i].Check(s); err != nil {
			return err
		}
	}
	return nil
}

// CheckWinners returns ErrOutcomeIllegal if a line holds a draw where the format bars it,
// or no outcome at all, ErrSlipMisshapen if lines and formats differ in number.
func CheckWinners(slip []Outcome, formats []Format) error {
	if len(slip) != len(formats) {
		return ErrSlipMisshapen.With("%d lines, the leg has %d", len(slip), len(formats))
	}
	for i, o := range slip {
		if o > AwayWin || o == Draw && formats[i] != DrawAllowed {
			return ErrOutcomeIllegal.With("line %d in a match of format %s", i+1, formats[i])
		}
	}
	return nil
}

// CheckNames returns ErrNameTwice if a slip names a participant twice (Reading C5), and
// ErrNameUnknown if a name is not in the list of its leg. Empty lines pass.
func CheckNames(slip, list []Name) error {
	for i, name := range slip {
		switch {
		case name == "":
		case slices.Contains(slip[:i], name):
			return ErrNameTwice.With("%q on line %d", name, i+1)
		case !slices.Contains(list, name):
			return ErrNameUnknown.With("%q on line %d", name, i+1)
		}
	}
	return nil
}

// CheckSlip returns ErrAnswerUnknown if an answer is not among those offered,
// ErrSlipMisshapen if lines and questions differ in number. Empty lines pass.
func (q Quiz) CheckSlip(slip []Answer) error {
	if len(slip) != len(q) {
		return ErrSlipMisshapen.With("%d lines, the leg has %d", len(slip), len(q))
	}
	for i, question := range q {
		if len(question.Offered) > 0 && slip[i] != "" &&
			!slices.Contains(question.Offered, slip[i]) {
			return ErrAnswerUnknown.With("%q to question %q", slip[i], question.ID)
		}
	}
	return nil
}

// Visible reports whether viewer may see a line of owner's slip at the server's time at:
// the owner always, everyone else, the organizer included, from the line's limit on
// (Reading C25). The same holds for any figure that would reveal the line.
func Visible(viewer, owner player.ID, limit, at time.Time) bool {
	return viewer == owner || !at.Before(limit)
}

// A Departure is why an account takes no further part.
type Departure uint8

// The departures. The zero Departure is Stays.
const (
	Stays          Departure = iota
	LeftAtWish               // closed at its player's wish: the slips stay in
	ClosedMultiple           // one of several accounts of a person (contest:3.multiple)
	Excluded                 // for the player's conduct (contest:4.conduct)
)

// Counts reports whether the slips of an account count when results are proclaimed:
// those of multiple accounts and of excluded players do not, if that was decided before
// the proclamation (Reading C14).
func (d Departure) Counts(decidedAt, proclaimedAt time.Time) bool {
	if d != ClosedMultiple && d != Excluded {
		return true
	}
	return !decidedAt.Before(proclaimedAt)
}
