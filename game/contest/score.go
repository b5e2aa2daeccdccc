package contest

import (
	"fmt"

	"boulier/regs"
)

// A Score counts the goals (sets, points) of the two sides of a match, home or first
// named first; 0 to MaxCount each. NoScore is an empty line.
type Score struct{ Home, Away int8 }

// NoScore is the line of a slip on which nothing is predicted.
var NoScore = Score{-1, -1}

// MaxCount is the most that one side of a Score can hold.
const MaxCount = 99

func (s Score) String() string { return fmt.Sprintf("%d-%d", s.Home, s.Away) }

// valid reports whether both counts are in range.
func (s Score) valid() bool {
	return 0 <= s.Home && s.Home <= MaxCount && 0 <= s.Away && s.Away <= MaxCount
}

// Outcome returns the winner that the score shows, NoOutcome for NoScore.
func (s Score) Outcome() Outcome {
	switch {
	case s == NoScore:
		return NoOutcome
	case s.Home > s.Away:
		return HomeWin
	case s.Home < s.Away:
		return AwayWin
	default:
		return Draw
	}
}

// A Format says which scores a match can end with.
type Format uint8

// The formats.
const (
	DrawAllowed Format = iota // any score
	DrawBarred                // any score but a draw
	BestOf3                   // sets: 2-0 or 2-1
	BestOf5                   // sets: 3-0, 3-1 or 3-2
)

func (f Format) String() string {
	return [...]string{"draw_allowed", "draw_barred", "best_of_3", "best_of_5"}[f]
}

// ErrScoreIllegal refuses a predicted score that the match cannot end with
// (contest:6.scores, Reading C8).
var ErrScoreIllegal = &regs.Violation{Ref: "contest:6.scores", Code: "score_illegal"}

// Check returns ErrScoreIllegal unless a match of format f can end s (Reading C8).
func (f Format) Check(s Score) error {
	legal := s.valid()
	switch high, low := max(s.Home, s.Away), min(s.Home, s.Away); f {
	case DrawBarred:
		legal = legal && high != low
	case BestOf3:
		legal = legal && high == 2 && low < 2
	case BestOf5:
		legal = legal && high == 3 && low < 3
	}
	if !legal {
		return ErrScoreIllegal.With("%s in a match of format %s", s, f)
	}
	return nil
}

// A Scale holds the points of a leg of type « Matchs à score ». Exact and Difference are
// added to Outcome.
type Scale struct {
	Outcome     Points // right winner, or right draw
	Exact       Points // added for the score itself
	Difference  Points // else added for the goal difference
	Consolation Points // wrong outcome, but the goals of one side right

	// DrawDifference says whether a draw predicted with another score has found the
	// goal difference, which is 0 both times (Reading C6).
	DrawDifference bool
}

// WithDraws is the regulation's scale for sports that allow draws (contest:6.scores).
var WithDraws = Scale{Outcome: 3, Exact: 2, Difference: 1, Consolation: 1, DrawDifference: true}

// WithoutDraws is the regulation's scale for sports where no draw is possible: 2 and 1,
// nothing else (contest:6.scores, Reading C8).
var WithoutDraws = Scale{Outcome: 2, Exact: 1}

// ErrScaleIllegal refuses a scale that the regulation cannot mean (contest:6.scores).
var ErrScaleIllegal = &regs.Violation{Ref: "contest:6.scores", Code: "scale_illegal"}

// maxScalePoints keeps the sums of any slip far from overflow.
const maxScalePoints = 1000

// Check returns ErrScaleIllegal if a value is negative or above 1000, or if a lesser
// achievement is worth more than a better one.
func (s Scale) Check() error {
	for _, p := range []Points{s.Outcome, s.Exact, s.Difference, s.Consolation} {
		if p < 0 || p > maxScalePoints {
			return ErrScaleIllegal.With("%d is not between 0 and %d points", p, maxScalePoints)
		}
	}
	if s.Difference > s.Exact || s.Consolation > s.Outcome {
		return ErrScaleIllegal.With("a lesser achievement is worth more than a better one")
	}
	return nil
}

// ScoreMatch returns what prediction p earns when the match ends r, in a leg of
// type « Matchs à score » whose sport allows draws, by the regulation's scale
// (contest:6.scores).
func ScoreMatch(p, r Score) Points { return WithDraws.Award(p, Full(r)).Points }

// Award returns what prediction p earns in a match whose result is r, and why
// (contest:6.scores).
//
// Reading C7: one exact goal count earns its points only when the outcome is wrong,
// since the sentence that grants it (« Cependant… ») qualifies that case alone.
// Reading C6: a draw predicted with another score has found the difference, unless the
// scale says otherwise. Reading C8: the score of a match that one side gave up cannot be
// exact. Reading C10: a void match earns nothing.
func (s Scale) Award(p Score, r Result) Award {
	switch {
	case r.Status == Awaited:
		return Award{Rule: NotPlayedYet}
	case r.Status == Void:
		return Award{Rule: VoidFixture}
	case p == NoScore:
		return Award{Rule: EmptyLine}
	case r.Status == Retired:
		if p.Outcome() != r.Winner {
			return Award{Rule: WrongOutcome}
		}
		return Award{RightRetired, s.Outcome, s.Outcome, 0}
	}
	outcome := p.Outcome()
	if outcome != r.Score.Outcome() {
		if p.Home == r.Score.Home || p.Away == r.Score.Away {
			return Award{OneCount, s.Consolation, s.Consolation, 0}
		}
		return Award{Rule: WrongOutcome}
	}
	switch {
	case p == r.Score:
		return Award{ExactScore, s.Outcome + s.Exact, s.Outcome, s.Exact}
	case p.Home-p.Away == r.Score.Home-r.Score.Away && (s.DrawDifference || outcome != Draw):
		return Award{RightGap, s.Outcome + s.Difference, s.Outcome, s.Difference}
	default:
		return Award{RightOutcome, s.Outcome, s.Outcome, 0}
	}
}

// Points returns what a whole slip earns. Slip and results hold one line a fixture of
// the leg, in the same order; it panics if their lengths differ.
func (s Scale) Points(slip []Score, results []Result) (sum Points) {
	if len(slip) != len(results) {
		panic("contest: the slip and the leg differ in length")
	}
	for i, r := range results {
		sum += s.Award(slip[i], r).Points
	}
	return sum
}
