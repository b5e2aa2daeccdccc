package proof

import (
	"fmt"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/money"
)

// faceOf draws again the face of a unit, as amounts, from its seed and outcome.
func faceOf(g instant.Game, u draw.Unit) ([]money.Cents, error) {
	switch g.Kind {
	case instant.ThreeAlike:
		faces, err := instant.NewFaceMaker(g.Table)
		if err != nil {
			return nil, err
		}
		face, err := faces.Make(instant.Outcome(u.Outcome), draw.FaceSource(u.Seed))
		if err != nil {
			return nil, err
		}
		won, err := instant.Evaluate(g.Table, face)
		if err != nil {
			return nil, err
		}
		if won != instant.Outcome(u.Outcome) {
			return nil, fmt.Errorf("the face wins as outcome %d, the unit is of outcome %d",
				won, u.Outcome)
		}
		return face[:], nil
	}
	return nil, fmt.Errorf("faces of kind %q are not known here: use a newer program", g.Kind)
}

// prizeOf returns what an outcome wins.
func prizeOf(g instant.Game, outcome uint16) (money.Cents, error) {
	switch {
	case outcome == 0:
		return 0, nil
	case int(outcome) <= len(g.Table):
		return g.Table[outcome-1].Amount, nil
	}
	return 0, fmt.Errorf("outcome %d of a table of %d rows", outcome, len(g.Table))
}
