package contest

import "boulier/regs"

// A Stage is how far a participant came in a knockout. The zero Stage is OutBefore.
type Stage uint8

// The stages, « Vainqueur, Finaliste, ½ Finalistes, ¼ Finalistes »: each names those who
// came so far and no further.
const (
	OutBefore Stage = iota // not among the last eight
	Champion
	Finalist
	SemiFinalist
	QuarterFinalist
)

// KnockoutLines are the lines of a slip of type « Vainqueur Finaliste »: one winner, one
// finalist, two semi-finalists, four quarter-finalists (contest:6.knockout).
var KnockoutLines = [8]Stage{
	Champion, Finalist, SemiFinalist, SemiFinalist,
	QuarterFinalist, QuarterFinalist, QuarterFinalist, QuarterFinalist,
}

// Holders returns how many participants end at stage s.
func (s Stage) Holders() (n int) {
	for _, line := range KnockoutLines {
		if line == s {
			n++
		}
	}
	return n
}

// A KnockoutScale holds what each participant of the last eight is worth, by stage.
type KnockoutScale struct{ Champion, Finalist, SemiFinalist, QuarterFinalist Points }

// LastEight is the regulation's scale: 10 + 8 + 2 × 5 + 4 × 1, 32 points at most
// (contest:6.knockout).
var LastEight = KnockoutScale{10, 8, 5, 1}

// ErrStagesIllegal refuses a scale of stages (contest:6.knockout).
var ErrStagesIllegal = &regs.Violation{Ref: "contest:6.knockout", Code: "stages_illegal"}

// Check returns ErrStagesIllegal unless the four values, from 0 to 1000, never rise from
// the winner down and the winner is worth something.
func (s KnockoutScale) Check() error {
	values := PlaceScale{s.Champion, s.Finalist, s.SemiFinalist, s.QuarterFinalist}
	if err := values.Check(); err != nil {
		return ErrStagesIllegal.With("values %v", values)
	}
	return nil
}

// Value returns what reaching stage s is worth, 0 for OutBefore.
func (s KnockoutScale) Value(stage Stage) Points {
	return [...]Points{0, s.Champion, s.Finalist, s.SemiFinalist, s.QuarterFinalist}[stage]
}

// Awards returns what each line of a slip earns: the lesser of the value of the stage
// predicted and of the stage reached (contest:6.knockout). The lines of the slip are
// those of KnockoutLines; reached holds the stage of each of the last eight, nil as long
// as there is no result.
func (s KnockoutScale) Awards(slip [8]Name, reached map[Name]Stage) []Award {
	awards := make([]Award, len(slip))
	for i, name := range slip {
		predicted, stage := s.Value(KnockoutLines[i]), reached[name]
		switch {
		case reached == nil:
			awards[i] = Award{Rule: NotPlayedYet}
		case name == "":
			awards[i] = Award{Rule: EmptyLine}
		case stage == OutBefore:
			awards[i] = lesser(StageUnscored, predicted, 0)
		default:
			awards[i] = lesser(StageHeld, predicted, s.Value(stage))
		}
	}
	return awards
}
