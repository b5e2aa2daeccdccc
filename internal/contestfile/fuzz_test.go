package contestfile

import (
	"bytes"
	"errors"
	"testing"

	"boulier/game/contest"
)

// checkError wants every refusal to name its file and a line of it.
func checkError(t *testing.T, text []byte, err error) {
	t.Helper()
	var refused *Error
	if err == nil {
		return
	}
	lines := bytes.Count(text, []byte("\n")) + 1
	if !errors.As(err, &refused) || refused.File != "f.csv" ||
		refused.Line < 1 || refused.Line > lines || refused.Problem == "" {
		t.Errorf("refused by %#v in a file of %d lines", err, lines)
	}
}

func FuzzScores(f *testing.F) {
	f.Add([]byte("fixture,home_score,away_score\nm1,2,1\n"))
	f.Add([]byte("\ufefffixture;home_score;away_score\r\nm1;99;0\r\n"))
	f.Add([]byte("player,fixture,home_score,away_score\nAda,m1,2,1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		results, err := Scores("f.csv", bytes.NewReader(text), contest.DrawBarred)
		checkError(t, text, err)
		if err == nil {
			for fixture, s := range results {
				if fixture == "" || contest.DrawBarred.Check(s) != nil {
					t.Errorf("fixture %q ended %s", fixture, s)
				}
			}
		}
		known := map[FixtureID]contest.Score{"m1": {}}
		predictions, err := PredictedScores("f.csv", bytes.NewReader(text), known)
		checkError(t, text, err)
		if err == nil && len(predictions) > 0 {
			seen := map[string]bool{}
			for _, p := range predictions {
				if p.Player == "" || seen[p.Player] || p.Fixture != "m1" ||
					contest.DrawAllowed.Check(p.Score) != nil {
					t.Errorf("prediction %+v", p)
				}
				seen[p.Player] = true
			}
		}
	})
}

func FuzzNames(f *testing.F) {
	f.Add([]byte("place,name\n1,A\n2,B\n2,C\n"))
	f.Add([]byte("player,slot,name\nAda,1,A\nAda,2,\n"))
	f.Add([]byte("player,stage,name\nAda,quarter,E\nAda,semi,C\n"))
	f.Add([]byte("stage,name\nwinner,A\nquarter,E\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := Places("f.csv", bytes.NewReader(text))
		checkError(t, text, err)
		_, err = Stages("f.csv", bytes.NewReader(text))
		checkError(t, text, err)
		slips, err := PredictedNames("f.csv", bytes.NewReader(text), 6)
		checkError(t, text, err)
		if err == nil {
			for _, s := range slips {
				err := contest.CheckNames(s.Predictions, s.Predictions)
				if err != nil || len(s.Predictions) != 6 {
					t.Errorf("slip %+v: %v", s, err)
				}
			}
		}
		eights, err := PredictedStages("f.csv", bytes.NewReader(text))
		checkError(t, text, err)
		if err == nil {
			for _, s := range eights {
				if err := contest.CheckNames(s.Predictions[:], s.Predictions[:]); err != nil {
					t.Errorf("slip %+v: %v", s, err)
				}
			}
		}
	})
}

func FuzzOutcomesQuizAndPoints(f *testing.F) {
	f.Add([]byte("fixture,outcome\nm1,1\nm2,N\n"))
	f.Add([]byte("player,fixture,outcome\nAda,m1,2\n"))
	f.Add([]byte("question,parent,points,answer\nq,,5,a\nr,q,1,b\nr,q,1,c\n"))
	f.Add([]byte("player,question,answer\nAda,q,a\n"))
	f.Add([]byte("player,points\nAda,3\nBob,4\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := Outcomes("f.csv", bytes.NewReader(text))
		checkError(t, text, err)
		won := map[FixtureID]contest.Outcome{"m1": contest.Draw}
		_, err = PredictedOutcomes("f.csv", bytes.NewReader(text), won)
		checkError(t, text, err)
		quiz, err := Quiz("f.csv", bytes.NewReader(text))
		checkError(t, text, err)
		if err == nil && len(quiz) > 0 {
			if err := quiz.Check(); err != nil {
				t.Errorf("quiz %+v: %v", quiz, err)
			}
		}
		_, err = Answers("f.csv", bytes.NewReader(text), contest.Quiz{{ID: "q", Points: 1}})
		checkError(t, text, err)
		players, standings, err := Points("f.csv", bytes.NewReader(text))
		checkError(t, text, err)
		for i, s := range standings {
			if s.Points < 0 || i > 0 && players[i] <= players[i-1] || int(s.Player) != i+1 {
				t.Errorf("standings %+v of %q", standings, players)
			}
		}
	})
}
