package contest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"boulier/regs"
	"boulier/regs/regstest"
)

func TestArt6Names_Awards(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.names")
	inOrder := map[Name]int{"A": 1, "B": 2, "C": 3, "D": 4, "E": 5, "F": 6, "G": 7}
	for _, tc := range []struct {
		name   string
		scale  PlaceScale
		slip   []Name
		places map[Name]int
		want   []Points
	}{
		{"the regulation's example: predicted first, finished fourth", SixPlaces, []Name{"A"},
			map[Name]int{"A": 4}, []Points{4}},
		{"all six", SixPlaces, []Name{"A", "B", "C", "D", "E", "F"}, inOrder,
			[]Points{10, 8, 6, 4, 2, 1}},
		{"predicted fourth, finished first: the lesser all the same", SixPlaces,
			[]Name{"E", "F", "G", "A"}, inOrder, []Points{2, 1, 0, 4}},
		{"seventh is worth nothing", SixPlaces, []Name{"G"}, inOrder, []Points{0}},
		{"not classified (C2)", SixPlaces, []Name{"A", "X"}, map[Name]int{"A": 1, "X": 0},
			[]Points{10, 0}},
		{"unknown to the classification (C2)", SixPlaces, []Name{"Y"}, inOrder, []Points{0}},
		{"dead heat for second: both hold place 2 (C4)", SixPlaces, []Name{"A", "B", "C", "D"},
			map[Name]int{"A": 1, "B": 2, "C": 2, "D": 4}, []Points{10, 8, 6, 4}},
		{"dead heat for first: the second named holds place 1", SixPlaces, []Name{"A", "B"},
			map[Name]int{"A": 1, "B": 1}, []Points{10, 8}},
		{"four names", FourPlaces, []Name{"A", "B", "C", "D"}, inOrder, []Points{8, 4, 2, 1}},
		{"two thirds: the fourth named holds place 3", FourTwoThirds, []Name{"A", "B", "C", "D"},
			map[Name]int{"A": 1, "B": 2, "C": 3, "D": 3}, []Points{8, 4, 2, 2}},
		{"two thirds, swapped", FourTwoThirds, []Name{"A", "B", "D", "C"},
			map[Name]int{"A": 1, "B": 2, "C": 3, "D": 3}, []Points{8, 4, 2, 2}},
		{"an empty line", SixPlaces, []Name{"", "B"}, inOrder, []Points{0, 8}},
	} {
		var got []Points
		for _, a := range tc.scale.Awards(tc.slip, tc.places) {
			got = append(got, a.Points)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// TestArt6Names_Explanations: each line says which sentence gave it what.
func TestArt6Names_Explanations(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.names", "contest:6.knockout")
	want := []Award{{PlaceHeld, 4, 10, 4}, {Rule: EmptyLine}, {PlaceUnscored, 0, 6, 0}}
	got := SixPlaces.Awards([]Name{"A", "", "X"}, map[Name]int{"A": 4})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if got := SixPlaces.Awards([]Name{"A"}, nil); got[0] != (Award{}) {
		t.Errorf("before any result: %+v", got[0])
	}
	eight := LastEight.Awards([8]Name{"S", "X"}, map[Name]Stage{"S": SemiFinalist})
	want = []Award{{StageHeld, 5, 10, 5}, {StageUnscored, 0, 8, 0}, {Rule: EmptyLine}}
	if diff := cmp.Diff(want, eight[:3]); diff != "" {
		t.Errorf("knockout (-want +got):\n%s", diff)
	}
	if got := LastEight.Awards([8]Name{"S"}, nil); got[0] != (Award{}) {
		t.Errorf("knockout before any result: %+v", got[0])
	}
}

func TestArt6Names_PlaceScaleCheck(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.names")
	for _, tc := range []struct {
		name  string
		s     PlaceScale
		legal bool
	}{
		{"six", SixPlaces, true},
		{"four", FourPlaces, true},
		{"two thirds", FourTwoThirds, true},
		{"a leg's own, non-increasing (C3)", PlaceScale{5, 5, 1}, true},
		{"one name", PlaceScale{3}, true},
		{"seven", PlaceScale{10, 8, 6, 4, 2, 1, 1}, false},
		{"none", PlaceScale{}, false},
		{"increasing", PlaceScale{2, 3}, false},
		{"negative", PlaceScale{2, -1}, false},
		{"worth nothing", PlaceScale{0, 0}, false},
		{"beyond all reason", PlaceScale{1001}, false},
	} {
		if err := tc.s.Check(); !verdict(err, tc.legal, ErrPlacesIllegal) {
			t.Errorf("%s: Check = %v, want legal %t", tc.name, err, tc.legal)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a slip with more names than places was scored")
		}
	}()
	FourPlaces.Awards(make([]Name, 5), nil)
}

func TestArt6Winner_AwardWinner(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.winner")
	for _, tc := range []struct {
		name string
		p    Outcome
		r    Result
		want Award
	}{
		{"right winner", HomeWin, Full(Score{2, 0}), Award{Rule: RightWinner, Points: 1}},
		{"right draw", Draw, Full(Score{2, 2}), Award{Rule: RightWinner, Points: 1}},
		{"right loser", AwayWin, Full(Score{0, 1}), Award{Rule: RightWinner, Points: 1}},
		{"wrong", AwayWin, Full(Score{2, 0}), Award{Rule: WrongWinner}},
		{"a draw is neither", HomeWin, Full(Score{1, 1}), Award{Rule: WrongWinner}},
		{"by retirement (C8)", AwayWin, Result{Retired, Score{1, 0}, AwayWin},
			Award{Rule: RightWinner, Points: 1}},
		{"void (C10)", HomeWin, Result{Status: Void, Score: Score{1, 0}}, Award{Rule: VoidFixture}},
		{"no result yet", HomeWin, Result{}, Award{Rule: NotPlayedYet}},
		{"nothing predicted", NoOutcome, Full(Score{1, 0}), Award{Rule: EmptyLine}},
	} {
		if got := AwardWinner(tc.p, tc.r.Status, tc.r.Outcome(), RightWinnerPoints); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

func TestArt6Knockout_Awards(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.knockout")
	reached := map[Name]Stage{
		"A": Champion, "B": Finalist, "C": SemiFinalist, "D": SemiFinalist,
		"E": QuarterFinalist, "F": QuarterFinalist, "G": QuarterFinalist, "H": QuarterFinalist,
	}
	for _, tc := range []struct {
		name string
		slip [8]Name
		want Points
	}{
		{"all right: 32, the most", [8]Name{"A", "B", "C", "D", "E", "F", "G", "H"}, 10 + 8 + 2*5 + 4*1},
		{"finalists swapped", [8]Name{"B", "A", "C", "D", "E", "F", "G", "H"}, 8 + 8 + 2*5 + 4*1},
		{"a semi-finalist predicted winner, the winner semi-finalist", [8]Name{"C", "B", "A", "D"},
			5 + 8 + 5 + 5},
		{"the lesser both ways: winner predicted in the quarters", [8]Name{"E", "", "", "", "A"}, 1 + 1},
		{"nobody of the last eight", [8]Name{"S", "T", "U", "V", "W", "X", "Y", "Z"}, 0},
		{"the winner alone", [8]Name{"A"}, 10},
	} {
		if got := Total(LastEight.Awards(tc.slip, reached)); got != tc.want {
			t.Errorf("%s: %d points, want %d", tc.name, got, tc.want)
		}
	}
	for stage, want := range map[Stage]int{
		OutBefore: 0, Champion: 1, Finalist: 1, SemiFinalist: 2, QuarterFinalist: 4,
	} {
		if got := stage.Holders(); got != want {
			t.Errorf("stage %d has %d holders, want %d", stage, got, want)
		}
	}
	for _, s := range []KnockoutScale{{}, {1, 2, 1, 1}, {10, 8, 5, -1}} {
		if err := s.Check(); !errors.Is(err, ErrStagesIllegal) {
			t.Errorf("scale %v: %v", s, err)
		}
	}
	if err := LastEight.Check(); err != nil {
		t.Error(err)
	}
}

func TestArt6Quiz_Awards(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.quiz")
	quiz := Quiz{
		{ID: "q1", Points: 5, Accepted: []Answer{"yes"}},
		{ID: "q1a", Parent: "q1", Points: 2, Accepted: []Answer{"red", "blue"}},
		{ID: "q1b", Parent: "q1", Points: 3, Accepted: []Answer{"7"}},
		{ID: "q2", Points: 1, Accepted: []Answer{"no"}},
		{ID: "q3", Points: 4},
		{ID: "q3a", Parent: "q3", Points: 4, Accepted: []Answer{"x"}},
		{ID: "q4", Points: 4, Accepted: []Answer{"v"}, Void: true},
		{ID: "q4a", Parent: "q4", Points: 4, Accepted: []Answer{"v"}},
	}
	for _, tc := range []struct {
		name string
		slip []Answer
		want []Award
	}{
		{"right, and both sub-answers", []Answer{"yes", "blue", "7", "no", "", "x", "v", "v"}, []Award{
			{Rule: RightAnswer, Points: 5}, {Rule: RightSubAnswer, Points: 2},
			{Rule: RightSubAnswer, Points: 3},
			{Rule: RightAnswer, Points: 1}, {Rule: NotPlayedYet}, {Rule: NotPlayedYet},
			{Rule: VoidFixture}, {Rule: VoidFixture},
		}},
		{"right, one sub-answer wrong", []Answer{"yes", "green", "7", "", "", "", "", ""}, []Award{
			{Rule: RightAnswer, Points: 5}, {Rule: WrongAnswer}, {Rule: RightSubAnswer, Points: 3},
			{Rule: EmptyLine}, {Rule: NotPlayedYet}, {Rule: EmptyLine}, {Rule: VoidFixture},
			{Rule: EmptyLine},
		}},
		{"wrong: its sub-answers are lost (C12)", []Answer{"no", "red", "7", "no", "", "y", "", "w"},
			[]Award{
				{Rule: WrongAnswer}, {Rule: SubAnswerLost}, {Rule: SubAnswerLost},
				{Rule: RightAnswer, Points: 1}, {Rule: NotPlayedYet}, {Rule: WrongAnswer},
				{Rule: VoidFixture}, {Rule: WrongAnswer},
			}},
		{"no answer: its sub-answers are lost", []Answer{"", "red", "", "", "", "", "", ""}, []Award{
			{Rule: EmptyLine}, {Rule: SubAnswerLost}, {Rule: EmptyLine}, {Rule: EmptyLine},
			{Rule: NotPlayedYet}, {Rule: EmptyLine}, {Rule: VoidFixture}, {Rule: EmptyLine},
		}},
	} {
		if diff := cmp.Diff(tc.want, quiz.Awards(tc.slip)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a slip of another length was scored")
		}
	}()
	quiz.Awards(nil)
}

func TestArt6Quiz_Check(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:6.quiz")
	for _, tc := range []struct {
		name  string
		q     Quiz
		legal bool
	}{
		{"one question and one below", Quiz{{ID: "a", Points: 1}, {ID: "b", Parent: "a", Points: 5}},
			true},
		{"the sub-question first", Quiz{{ID: "b", Parent: "a", Points: 5}, {ID: "a", Points: 1}}, true},
		{"worth nothing", Quiz{{ID: "a", Points: 0}}, false},
		{"worth six", Quiz{{ID: "a", Points: 6}}, false},
		{"a sub-question worth six", Quiz{{ID: "a", Points: 1}, {ID: "b", Parent: "a", Points: 6}},
			false},
		{"twice", Quiz{{ID: "a", Points: 1}, {ID: "a", Points: 1}}, false},
		{"no identifier", Quiz{{Points: 1}}, false},
		{"below nothing", Quiz{{ID: "a", Parent: "z", Points: 1}}, false},
		{"below itself", Quiz{{ID: "a", Parent: "a", Points: 1}}, false},
		{"two levels",
			Quiz{{ID: "a", Points: 1}, {ID: "b", Parent: "a", Points: 1}, {ID: "c", Parent: "b", Points: 1}},
			false},
		{"no question", Quiz{}, false},
	} {
		if err := tc.q.Check(); !verdict(err, tc.legal, ErrQuizIllegal) {
			t.Errorf("%s: Check = %v, want legal %t", tc.name, err, tc.legal)
		}
	}
}

// TestRules_EachHasItsCodeAndClause: pages key their words by these codes.
func TestRules_EachHasItsCodeAndClause(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for r := NotPlayedYet; r <= WrongAnswer; r++ {
		if r.String() == "" || seen[r.String()] {
			t.Errorf("rule %d: code %q is empty or stands twice", r, r)
		}
		seen[r.String()] = true
		if _, ok := regs.Lookup(r.Ref()); !ok {
			t.Errorf("rule %s belongs to %q, which is no clause", r, r.Ref())
		}
	}
}

// TestNames_NeverAboveThePerfectSlip: whatever the classification, a slip of different
// names earns at most the sum of the scale, and each line at most its own place.
func TestNames_NeverAboveThePerfectSlip(t *testing.T) {
	t.Parallel()
	all := []Name{"A", "B", "C", "D", "E", "F", "G", "H"}
	rapid.Check(t, func(t *rapid.T) {
		slip := rapid.Permutation(all).Draw(t, "slip")[:6]
		places := map[Name]int{}
		for _, name := range all {
			places[name] = rapid.IntRange(0, 9).Draw(t, "place")
		}
		for i, a := range SixPlaces.Awards(slip, places) {
			if a.Points > SixPlaces[i] || a.Points > SixPlaces.Value(places[slip[i]]) {
				t.Errorf("%s on line %d earns %d at place %d", slip[i], i+1, a.Points, places[slip[i]])
			}
		}
	})
}
