package contestfile

import (
	"io"

	"boulier/game/contest"
)

// A FixtureID identifies a match within a file of results.
type FixtureID string

// A ScoreLine is one player's prediction of the score of one match.
type ScoreLine struct {
	Player  string
	Fixture FixtureID
	Score   contest.Score
}

// An OutcomeLine is a prediction of the outcome of one match.
type OutcomeLine struct {
	Fixture FixtureID
	Outcome contest.Outcome
}

// A Slip is what one player predicted of a whole leg.
type Slip[P any] struct {
	Player      string
	Predictions P
}

// Scores reads results in the columns fixture,home_score,away_score. A score that a match
// of format f cannot end with is refused.
func Scores(file string, in io.Reader, f contest.Format) (map[FixtureID]contest.Score, error) {
	results, lines := map[FixtureID]contest.Score{}, seen[FixtureID]{}
	err := eachRow(file, in, []string{"fixture", "home_score", "away_score"}, func(r row) error {
		if err := r.filled(0, "fixture"); err != nil {
			return err
		}
		fixture := FixtureID(r.cells[0])
		if err := lines.once(r, fixture, "fixture "+r.cells[0]); err != nil {
			return err
		}
		s, err := r.score(1)
		if err != nil {
			return err
		}
		if contest.Full(s).Check(f) != nil {
			return r.refuse("a match without draws cannot end %s", s)
		}
		results[fixture] = s
		return nil
	})
	return results, err
}

// score reads the two cells from cell on as a score.
func (r row) score(cell int) (contest.Score, error) {
	home, err := r.whole(cell, "home_score", 0, contest.MaxCount)
	if err != nil {
		return contest.NoScore, err
	}
	away, err := r.whole(cell+1, "away_score", 0, contest.MaxCount)
	return contest.Score{Home: int8(home), Away: int8(away)}, err
}

// PredictedScores reads predictions in the columns player,fixture,home_score,away_score,
// in the order of the file. Their fixtures must be among those of results.
func PredictedScores(file string, in io.Reader, results map[FixtureID]contest.Score) (
	[]ScoreLine, error,
) {
	var predictions []ScoreLine
	lines := seen[named]{}
	columns := []string{"player", "fixture", "home_score", "away_score"}
	err := eachRow(file, in, columns, func(r row) error {
		if err := checkLine(r, results, lines); err != nil {
			return err
		}
		s, err := r.score(2)
		predictions = append(predictions, ScoreLine{r.cells[0], FixtureID(r.cells[1]), s})
		return err
	})
	return predictions, err
}

// checkLine checks the cells player,fixture: each pair once, each fixture among results.
func checkLine[R any](r row, results map[FixtureID]R, lines seen[named]) error {
	if err := r.filled(0, "player"); err != nil {
		return err
	}
	if _, ok := results[FixtureID(r.cells[1])]; !ok {
		return r.refuse("unknown fixture %q; it is not in the results", r.cells[1])
	}
	return lines.once(r, named{r.cells[0], r.cells[1]}, "player "+r.cells[0]+" on fixture "+r.cells[1])
}

// outcomes are the outcomes of a match as files spell them.
var outcomes = map[string]contest.Outcome{
	"1": contest.HomeWin, "N": contest.Draw, "2": contest.AwayWin,
}

// outcome reads a cell as 1, N or 2.
func (r row) outcome(cell int) (contest.Outcome, error) {
	o, ok := outcomes[r.cells[cell]]
	if !ok {
		return o, r.refuse("outcome is %q; it must be 1, N or 2", r.cells[cell])
	}
	return o, nil
}

// Outcomes reads results in the columns fixture,outcome.
func Outcomes(file string, in io.Reader) (map[FixtureID]contest.Outcome, error) {
	results, lines := map[FixtureID]contest.Outcome{}, seen[FixtureID]{}
	err := eachRow(file, in, []string{"fixture", "outcome"}, func(r row) error {
		if err := r.filled(0, "fixture"); err != nil {
			return err
		}
		fixture := FixtureID(r.cells[0])
		if err := lines.once(r, fixture, "fixture "+r.cells[0]); err != nil {
			return err
		}
		o, err := r.outcome(1)
		results[fixture] = o
		return err
	})
	return results, err
}

// PredictedOutcomes reads predictions in the columns player,fixture,outcome, by player.
// Their fixtures must be among those of results.
func PredictedOutcomes(file string, in io.Reader, results map[FixtureID]contest.Outcome) (
	[]Slip[[]OutcomeLine], error,
) {
	var s slips[[]OutcomeLine]
	lines := seen[named]{}
	err := eachRow(file, in, []string{"player", "fixture", "outcome"}, func(r row) error {
		if err := checkLine(r, results, lines); err != nil {
			return err
		}
		o, err := r.outcome(2)
		slip := s.of(r.cells[0], func() []OutcomeLine { return nil })
		*slip = append(*slip, OutcomeLine{FixtureID(r.cells[1]), o})
		return err
	})
	return s.all, err
}
