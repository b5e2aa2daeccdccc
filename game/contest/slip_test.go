package contest

import (
	"errors"
	"testing"
	"time"

	"boulier/regs/regstest"
)

// clock returns the instant on 1 June 2026 in UTC.
func clock(hour, minute int) time.Time {
	return time.Date(2026, 6, 1, hour, minute, 0, 0, time.UTC)
}

func TestArt4Slip_Revise(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:4.slip")
	limits := []time.Time{clock(15, 0), clock(18, 0)}
	first, second := Score{1, 0}, Score{2, 2}
	justBefore := limits[0].Add(-time.Microsecond)
	for _, tc := range []struct {
		name          string
		before, after []Score
		at            time.Time
		changed       bool
		want          error
	}{
		{"a first slip, filled in", nil, []Score{first, second}, clock(9, 0), true, nil},
		{"a line left empty (C5)", nil, []Score{first, NoScore}, clock(9, 0), false, ErrLineEmpty},
		{"the last instant before the limit (C17)", nil, []Score{first, second}, justBefore, true, nil},
		{"at the limit the line is locked", nil, []Score{first, second}, limits[0], false, ErrLineLocked},
		{"at the limit the other line can still be filled", nil, []Score{NoScore, second}, limits[0],
			true, nil},
		{"and must be", nil, []Score{NoScore, NoScore}, limits[0], false, ErrLineEmpty},
		{"a change before", []Score{first, second}, []Score{second, first}, clock(14, 0), true, nil},
		{"nothing changed", []Score{first, second}, []Score{first, second}, clock(14, 0), false, nil},
		{"a locked line changed", []Score{first, second}, []Score{second, second}, clock(15, 1), false,
			ErrLineLocked},
		{"a locked line emptied", []Score{first, second}, []Score{NoScore, second}, clock(15, 1), false,
			ErrLineLocked},
		{"a locked line as it was, the other changed", []Score{first, second}, []Score{first, first},
			clock(15, 1), true, nil},
		{"an open line emptied", []Score{first, second}, []Score{first, NoScore}, clock(15, 1), false,
			ErrLineEmpty},
		{"locked and empty: what cannot be mended is said first", nil, []Score{first, NoScore},
			clock(15, 1), false, ErrLineLocked},
		{"every limit has passed", []Score{first, second}, []Score{first, second}, limits[1], false,
			ErrLegClosed},
		{"too few lines", nil, []Score{first}, clock(9, 0), false, ErrSlipMisshapen},
		{"too many lines", nil, []Score{first, first, first}, clock(9, 0), false, ErrSlipMisshapen},
		{"what was stored has another shape", []Score{first}, []Score{first, second}, clock(9, 0), false,
			ErrSlipMisshapen},
	} {
		changed, err := Revise(NoScore, tc.before, tc.after, limits, tc.at)
		if changed != tc.changed || !errors.Is(err, tc.want) {
			t.Errorf("%s: Revise = %t, %v, want %t, %v", tc.name, changed, err, tc.changed, tc.want)
		}
	}
}

func TestArt4Slip_Contents(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:4.slip", "contest:6.scores", "contest:6.winner", "contest:6.quiz")
	list := []Name{"A", "B", "C"}
	tennis := []Format{BestOf5, BestOf3}
	quiz := Quiz{{ID: "q", Points: 1, Offered: []Answer{"yes", "no"}}, {ID: "free", Points: 1}}
	for _, tc := range []struct {
		name string
		err  error
		want error
	}{
		{"names of the list", CheckNames([]Name{"C", "", "A", ""}, list), nil},
		{"a name twice (C5)", CheckNames([]Name{"C", "A", "C"}, list), ErrNameTwice},
		{"a name on two neighbouring lines", CheckNames([]Name{"", "A", "A"}, list), ErrNameTwice},
		{"a name of another list", CheckNames([]Name{"D"}, list), ErrNameUnknown},
		{"scores that the format allows", CheckScores([]Score{{3, 1}, NoScore}, tennis), nil},
		{"three sets in a best of three (C8)", CheckScores([]Score{{3, 1}, {3, 0}}, tennis),
			ErrScoreIllegal},
		{"a score out of range", CheckScores([]Score{{100, 0}}, []Format{DrawAllowed}), ErrScoreIllegal},
		{"too few scores", CheckScores([]Score{{3, 1}}, tennis), ErrSlipMisshapen},
		{"a draw where one can be",
			CheckWinners([]Outcome{Draw, NoOutcome}, []Format{DrawAllowed, BestOf3}), nil},
		{"a draw where none can be", CheckWinners([]Outcome{Draw}, []Format{DrawBarred}),
			ErrOutcomeIllegal},
		{"no outcome at all", CheckWinners([]Outcome{AwayWin + 1}, []Format{DrawAllowed}),
			ErrOutcomeIllegal},
		{"too many outcomes", CheckWinners([]Outcome{Draw, Draw}, []Format{DrawAllowed}),
			ErrSlipMisshapen},
		{"answers offered, or free", quiz.CheckSlip([]Answer{"no", "anything"}), nil},
		{"an empty answer", quiz.CheckSlip([]Answer{"", ""}), nil},
		{"an answer not offered", quiz.CheckSlip([]Answer{"maybe", ""}), ErrAnswerUnknown},
		{"too few answers", quiz.CheckSlip([]Answer{"no"}), ErrSlipMisshapen},
	} {
		if !errors.Is(tc.err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, tc.err, tc.want)
		}
	}
}

func TestReadingC17_CommonLimit(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:4.slip")
	starts := []time.Time{clock(18, 0), clock(15, 0)}
	if err := CheckCommonLimit(clock(15, 0), starts); err != nil {
		t.Errorf("a limit at the first start: %v", err)
	}
	if err := CheckCommonLimit(clock(15, 1), starts); !errors.Is(err, ErrLimitLate) {
		t.Errorf("a limit after the first start: %v", err)
	}
}

func TestReadingC25_Visible(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:4.slip")
	limit := clock(15, 0)
	for _, tc := range []struct {
		name   string
		viewer int64
		at     time.Time
		want   bool
	}{
		{"one's own, before", 7, clock(9, 0), true},
		{"another's, before", 8, limit.Add(-1), false},
		{"another's, from the limit on", 8, limit, true},
	} {
		if got := Visible(playerID(tc.viewer), 7, limit, tc.at); got != tc.want {
			t.Errorf("%s: Visible = %t, want %t", tc.name, got, tc.want)
		}
	}
}

func TestReadingC14_Counts(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:3.multiple", "contest:4.conduct")
	proclaimed := clock(12, 0)
	for _, tc := range []struct {
		name    string
		d       Departure
		decided time.Time
		want    bool
	}{
		{"stays", Stays, time.Time{}, true},
		{"left at wish", LeftAtWish, clock(9, 0), true},
		{"a multiple account, decided before", ClosedMultiple, clock(11, 59), false},
		{"a multiple account, decided at the proclamation", ClosedMultiple, proclaimed, true},
		{"excluded before", Excluded, clock(11, 59), false},
		{"excluded after", Excluded, clock(12, 1), true},
	} {
		if got := tc.d.Counts(tc.decided, proclaimed); got != tc.want {
			t.Errorf("%s: Counts = %t, want %t", tc.name, got, tc.want)
		}
	}
}

func TestArt13_Annulled(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:13")
	if Annulled([]Status{Void, Awaited}) || Annulled([]Status{Played, Void}) {
		t.Error("a leg with a fixture left is annulled")
	}
	if !Annulled([]Status{Void, Void}) {
		t.Error("a leg with no fixture left is not annulled (C10)")
	}
	defer func() {
		if recover() == nil {
			t.Error("a leg without fixtures passed")
		}
	}()
	Annulled(nil)
}
