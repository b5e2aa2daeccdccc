package contest

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"boulier/regs/regstest"
)

func TestArt6Scores_ScoreMatch(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores")
	for _, tc := range []struct {
		name string
		p, r Score
		want Points
	}{
		{"exact score", Score{2, 1}, Score{2, 1}, 5},
		{"right winner, right gap", Score{2, 1}, Score{3, 2}, 4},
		{"right winner, wrong gap", Score{2, 0}, Score{3, 2}, 3},
		{"right draw, other score: the gap is 0 both times (reading C6)", Score{1, 1}, Score{2, 2}, 4},
		{"exact draw", Score{0, 0}, Score{0, 0}, 5},
		{"wrong winner, one exact count (reading C7)", Score{2, 1}, Score{2, 3}, 1},
		{"draw predicted, one exact count", Score{1, 1}, Score{1, 4}, 1},
		{"right winner, one exact count earns no extra", Score{2, 0}, Score{2, 1}, 3},
		{"mirror: the gap is signed, no side is right", Score{2, 1}, Score{1, 2}, 0},
		{"a count that is the other side's", Score{2, 1}, Score{0, 2}, 0},
		{"nothing right", Score{1, 0}, Score{2, 3}, 0},
		{"the widest score", Score{99, 0}, Score{1, 0}, 3},
	} {
		if got := ScoreMatch(tc.p, tc.r); got != tc.want {
			t.Errorf("%s: ScoreMatch(%v, %v) = %d, want %d", tc.name, tc.p, tc.r, got, tc.want)
		}
	}
}

func TestArt6Scores_Award(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores", "contest:13")
	strictDraws := WithDraws
	strictDraws.DrawDifference = false
	for _, tc := range []struct {
		name  string
		scale Scale
		p     Score
		r     Result
		want  Award
	}{
		{"exact", WithDraws, Score{2, 1}, Full(Score{2, 1}), Award{ExactScore, 5, 3, 2}},
		{"gap", WithDraws, Score{2, 1}, Full(Score{1, 0}), Award{RightGap, 4, 3, 1}},
		{"outcome", WithDraws, Score{2, 1}, Full(Score{5, 0}), Award{RightOutcome, 3, 3, 0}},
		{"one count", WithDraws, Score{2, 1}, Full(Score{2, 2}), Award{OneCount, 1, 1, 0}},
		{"nothing", WithDraws, Score{2, 1}, Full(Score{0, 0}), Award{Rule: WrongOutcome}},
		{"C6 set otherwise: a draw has no gap", strictDraws, Score{1, 1}, Full(Score{2, 2}),
			Award{RightOutcome, 3, 3, 0}},
		{"C6 set otherwise: the exact draw stays", strictDraws, Score{1, 1}, Full(Score{1, 1}),
			Award{ExactScore, 5, 3, 2}},
		{"C6 set otherwise: wins keep the gap", strictDraws, Score{2, 1}, Full(Score{1, 0}),
			Award{RightGap, 4, 3, 1}},
		{"no draw: exact", WithoutDraws, Score{3, 1}, Full(Score{3, 1}), Award{ExactScore, 3, 2, 1}},
		{"no draw: the gap adds nothing", WithoutDraws, Score{3, 0}, Full(Score{3, 2}),
			Award{RightOutcome, 2, 2, 0}},
		{"no draw: no consolation", WithoutDraws, Score{3, 1}, Full(Score{2, 3}),
			Award{Rule: WrongOutcome}},
		{"retired: the winner counts, even behind (C8)", WithoutDraws, Score{0, 2},
			Result{Retired, Score{1, 0}, AwayWin}, Award{RightRetired, 2, 2, 0}},
		{"retired: the score is never exact (C8)", WithoutDraws, Score{2, 0},
			Result{Retired, Score{2, 0}, HomeWin}, Award{RightRetired, 2, 2, 0}},
		{"retired: the other won", WithoutDraws, Score{2, 0}, Result{Retired, Score{1, 0}, AwayWin},
			Award{Rule: WrongOutcome}},
		{"void earns nothing (C10)", WithDraws, Score{2, 1}, Result{Status: Void, Score: Score{2, 1}},
			Award{Rule: VoidFixture}},
		{"no result yet", WithDraws, Score{0, 0}, Result{}, Award{Rule: NotPlayedYet}},
		{"an empty line is not a draw", WithDraws, NoScore, Full(Score{1, 1}), Award{Rule: EmptyLine}},
		{"awarded by the federation: its score counts (C11)", WithDraws, Score{3, 0}, Full(Score{3, 0}),
			Award{ExactScore, 5, 3, 2}},
	} {
		if got := tc.scale.Award(tc.p, tc.r); got != tc.want {
			t.Errorf("%s: Award(%v, %v) = %+v, want %+v", tc.name, tc.p, tc.r, got, tc.want)
		}
	}
}

// TestArt5_NoMinimum: « aucun point minimal »: a slip with nothing right is worth 0.
func TestArt5_NoMinimum(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:5")
	slip := []Score{{3, 0}, {2, 1}, NoScore}
	results := []Result{Full(Score{0, 1}), Full(Score{0, 0}), Full(Score{1, 1})}
	if got := WithDraws.Points(slip, results); got != 0 {
		t.Errorf("a slip with nothing right earns %d points", got)
	}
	six := SixPlaces.Awards([]Name{"A", "B", "C", "D", "E", "F"}, map[Name]int{"G": 1, "A": 7})
	if got := Total(six); got != 0 {
		t.Errorf("six names out of place earn %d points", got)
	}
}

func TestArt6Scores_PointsOfASlip(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores", "contest:13")
	slip := []Score{{2, 1}, {1, 1}, {0, 2}, NoScore}
	results := []Result{Full(Score{2, 1}), Full(Score{0, 0}), {Status: Void}, Full(Score{0, 0})}
	if got, want := WithDraws.Points(slip, results), Points(5+4); got != want {
		t.Errorf("Points = %d, want %d", got, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("a slip of another length was scored")
		}
	}()
	WithDraws.Points(slip[:3], results)
}

// verdict reports whether err is what a check should say of what is legal, or is not: nil,
// or the refusal want.
func verdict(err error, legal bool, want error) bool {
	if legal {
		return err == nil
	}
	return errors.Is(err, want)
}

func TestArt6Scores_FormatCheck(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores")
	for _, tc := range []struct {
		f     Format
		s     Score
		legal bool
	}{
		{DrawAllowed, Score{0, 0}, true},
		{DrawAllowed, Score{99, 99}, true},
		{DrawAllowed, Score{100, 0}, false},
		{DrawAllowed, Score{0, -1}, false},
		{DrawAllowed, NoScore, false},
		{DrawBarred, Score{88, 87}, true},
		{DrawBarred, Score{88, 88}, false},
		{BestOf3, Score{2, 0}, true},
		{BestOf3, Score{1, 2}, true},
		{BestOf3, Score{2, 2}, false},
		{BestOf3, Score{1, 0}, false},
		{BestOf3, Score{3, 1}, false},
		{BestOf5, Score{3, 2}, true},
		{BestOf5, Score{0, 3}, true},
		{BestOf5, Score{3, 3}, false},
		{BestOf5, Score{2, 0}, false},
		{BestOf5, Score{4, 1}, false},
	} {
		if err := tc.f.Check(tc.s); !verdict(err, tc.legal, ErrScoreIllegal) {
			t.Errorf("%s.Check(%s) = %v, want legal %t", tc.f, tc.s, err, tc.legal)
		}
	}
}

func TestArt6Scores_ResultCheck(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores")
	for _, tc := range []struct {
		name  string
		r     Result
		f     Format
		legal bool
	}{
		{"tennis does not end in a draw", Full(Score{2, 2}), BestOf5, false},
		{"a finished match", Full(Score{3, 2}), BestOf5, true},
		{"a retirement stands at any score", Result{Retired, Score{1, 1}, AwayWin}, BestOf5, true},
		{"a retirement needs its winner", Result{Retired, Score{1, 1}, NoOutcome}, BestOf5, false},
		{"nobody draws by retiring", Result{Retired, Score{1, 1}, Draw}, DrawAllowed, false},
		{"a retirement with an absurd score", Result{Retired, Score{-1, 1}, AwayWin}, BestOf5, false},
		{"a walkover has no score", Result{Status: Void}, BestOf5, true},
		{"nothing yet", Result{}, BestOf3, true},
	} {
		if err := tc.r.Check(tc.f); !verdict(err, tc.legal, ErrResultIllegal) {
			t.Errorf("%s: Check = %v, want legal %t", tc.name, err, tc.legal)
		}
	}
}

// TestReadingC9_Count: 90 minutes by default, and never the goals of a shoot-out.
func TestReadingC9_Count(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores")
	var byDefault Count
	ninety, extra := Score{2, 2}, Score{3, 3}
	if got := byDefault.Score(ninety, extra); got != ninety {
		t.Errorf("by default %s counts, want the 90 minutes", got)
	}
	if got := ExtraTime.Score(ninety, extra); got != extra {
		t.Errorf("with extra time %s counts, want %s", got, extra)
	}
	if got := ExtraTime.Score(Score{1, 0}, NoScore); got != (Score{1, 0}) {
		t.Errorf("without extra time played %s counts, want 1-0", got)
	}
}

func TestArt6Scores_ScaleCheck(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.scores")
	for _, tc := range []struct {
		name  string
		s     Scale
		legal bool
	}{
		{"the regulation's", WithDraws, true},
		{"the regulation's without draws", WithoutDraws, true},
		{"negative", Scale{Outcome: 3, Exact: -1}, false},
		{"beyond all reason", Scale{Outcome: 1001}, false},
		{"a gap above the exact score", Scale{Outcome: 3, Exact: 1, Difference: 2}, false},
		{"a consolation above the outcome", Scale{Outcome: 1, Exact: 1, Consolation: 2}, false},
	} {
		if err := tc.s.Check(); !verdict(err, tc.legal, ErrScaleIllegal) {
			t.Errorf("%s: Check = %v, want legal %t", tc.name, err, tc.legal)
		}
	}
}

func anyScore() *rapid.Generator[Score] {
	return rapid.Custom(func(t *rapid.T) Score {
		return Score{rapid.Int8Range(0, 9).Draw(t, "home"), rapid.Int8Range(0, 9).Draw(t, "away")}
	})
}

// TestScale_MirrorAndBounds: swapping home and away changes nothing, nothing beats the
// exact score, and the award's figures add up to its points.
func TestScale_MirrorAndBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, r := anyScore().Draw(t, "prediction"), anyScore().Draw(t, "result")
		for _, s := range []Scale{WithDraws, WithoutDraws} {
			a := s.Award(p, Full(r))
			if b := s.Award(Score{p.Away, p.Home}, Full(Score{r.Away, r.Home})); a != b {
				t.Errorf("%v for %s-%s is %+v, mirrored %+v", s, p, r, a, b)
			}
			if best := s.Award(r, Full(r)); a.Points > best.Points || (p != r && a.Points == best.Points) {
				t.Errorf("%s against %s earns %d, the exact score %d", p, r, a.Points, best.Points)
			}
			if a.Points != a.Base+a.Other {
				t.Errorf("%+v does not add up", a)
			}
		}
	})
}
