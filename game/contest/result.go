package contest

import "boulier/regs"

// Status says where a fixture stands. The zero Status is Awaited.
type Status uint8

// The statuses of a fixture.
const (
	Awaited Status = iota // no result yet: nothing is earned so far
	Played                // played to its end, or awarded by its federation (Reading C11)
	Retired               // one side gave up: the winner counts, the score cannot be exact
	Void                  // walkover, never played or abandoned for good (Readings C8, C10)
)

// An Outcome is how a match ended for its home side, or the side named first.
type Outcome uint8

// The outcomes. The zero Outcome is NoOutcome, an empty line.
const (
	NoOutcome Outcome = iota
	HomeWin           // « 1 »
	Draw              // « N »
	AwayWin           // « 2 »
)

// A Result is how a match ended, in its version of the day: a correction is another
// Result with a reason, and everything is computed anew (Reading C11).
type Result struct {
	Status Status
	Score  Score   // by the leg's Count; without meaning when Awaited or Void
	Winner Outcome // of a Retired match, whose score does not say it; else unused
}

// Full returns the result of a match played to its end.
func Full(s Score) Result { return Result{Status: Played, Score: s} }

// Outcome returns who won, NoOutcome as long as nobody can.
func (r Result) Outcome() Outcome {
	switch r.Status {
	case Played:
		return r.Score.Outcome()
	case Retired:
		return r.Winner
	default:
		return NoOutcome
	}
}

// ErrResultIllegal refuses a result that the sport does not allow, such as a draw in
// tennis (contest:6.scores).
var ErrResultIllegal = &regs.Violation{Ref: "contest:6.scores", Code: "result_illegal"}

// Check returns ErrResultIllegal if a match of format f cannot end as r. The score of a
// retired match is whatever was reached, so only its winner is checked.
func (r Result) Check(f Format) error {
	switch r.Status {
	case Played:
		if f.Check(r.Score) != nil {
			return ErrResultIllegal.With("%s does not end a match of format %s", r.Score, f)
		}
	case Retired:
		if r.Winner != HomeWin && r.Winner != AwayWin || !r.Score.valid() {
			return ErrResultIllegal.With("a retirement at %s needs its winner", r.Score)
		}
	}
	return nil
}

// Annulled reports whether a leg is annulled because none of its fixtures is left: it
// gives no points and has no pot (contest:13, Reading C10). It panics on a leg without
// fixtures, which does not exist.
func Annulled(results []Status) bool {
	if len(results) == 0 {
		panic("contest: a leg without fixtures")
	}
	for _, s := range results {
		if s != Void {
			return false
		}
	}
	return true
}

// A Count says which goals of a match count, a field of each leg that its slip shows
// (Reading C9). Goals of a shoot-out never count, so no Count has them.
type Count uint8

// The two counts. The zero Count is the regulation's default.
const (
	NinetyMinutes Count = iota // with stoppage time
	ExtraTime                  // as it stood after extra time, where there was some
)

// Score returns the score that counts, from the one after 90 minutes and, if extra time
// was played, the one after it (extra is NoScore otherwise).
func (c Count) Score(ninety, extra Score) Score {
	if c == ExtraTime && extra != NoScore {
		return extra
	}
	return ninety
}
