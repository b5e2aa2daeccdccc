package contest

import (
	"errors"
	"testing"
	"time"

	"boulier/regs/regstest"
)

// paris returns Europe/Paris, where days are counted by default.
func paris(t *testing.T) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func TestReadingC19_DaysAfter(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:11", "contest:17")
	loc := paris(t)
	for _, tc := range []struct {
		name, from, want string
		days             int
	}{
		{"day 15 counts to its end", "2026-06-01T10:00:00+02:00", "2026-06-17T00:00:00+02:00", 15},
		{"the hour does not matter", "2026-06-01T23:59:59+02:00", "2026-06-17T00:00:00+02:00", 15},
		{"the day is that of Paris", "2026-06-01T22:30:00Z", "2026-06-18T00:00:00+02:00", 15},
		{"over the change to summer time", "2026-03-20T10:00:00+01:00", "2026-04-05T00:00:00+02:00", 15},
		{"over the change to winter time", "2026-10-20T10:00:00+02:00", "2026-11-05T00:00:00+01:00", 15},
		{"to the very day of the change", "2026-03-14T10:00:00+01:00", "2026-03-30T00:00:00+02:00", 15},
		{"from the very day of the change", "2026-10-25T02:30:00+02:00", "2026-11-10T00:00:00+01:00", 15},
		{"over February of a leap year", "2028-02-20T10:00:00+01:00", "2028-03-07T00:00:00+01:00", 15},
		{"over the new year", "2026-12-28T10:00:00+01:00", "2027-01-13T00:00:00+01:00", 15},
		{"seven days", "2026-06-01T10:00:00+02:00", "2026-06-09T00:00:00+02:00", 7},
	} {
		from, err := time.Parse(time.RFC3339, tc.from)
		if err != nil {
			t.Fatal(err)
		}
		if got := DaysAfter(from, tc.days, loc).Format(time.RFC3339); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

func TestArt11Art17_FifteenDays(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:11", "contest:17")
	loc := paris(t)
	from := time.Date(2026, 3, 20, 9, 0, 0, 0, loc)
	last := time.Date(2026, 4, 4, 23, 59, 59, 999999000, loc)
	over := time.Date(2026, 4, 5, 0, 0, 0, 0, loc)
	for _, tc := range []struct {
		name string
		err  error
		want error
	}{
		{"an answer in the last instant", CheckAnswer(from, last, loc), nil},
		{"an answer a moment late is a refusal", CheckAnswer(from, over, loc), ErrOfferLapsed},
		{"a dispute in the last instant", CheckDispute(from, last, loc), nil},
		{"a dispute a moment late", CheckDispute(from, over, loc), ErrDisputeLate},
		{"a correction in the 15 days", CheckCorrection(from, last, false, loc), nil},
		{"a correction later (C11)", CheckCorrection(from, over, false, loc), ErrNeedsDecision},
		{"a correction later, by a recorded decision (C11)", CheckCorrection(from, over, true, loc), nil},
	} {
		if !errors.Is(tc.err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, tc.err, tc.want)
		}
	}
	if got := SpendableAt(from, DisputeDays, loc); !got.Equal(over) {
		t.Errorf("nuggets are free at %s, want %s (C20)", got, over)
	}
	if got := SpendableAt(from, 0, loc); !got.Equal(time.Date(2026, 3, 21, 0, 0, 0, 0, loc)) {
		t.Errorf("with no waiting days nuggets are free at %s", got)
	}
}

func TestArt14_ConnectionCosts(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:14")
	for slips, want := range map[int]int{0: 0, 1: 2, 3: 2, 4: 4, 6: 4, 7: 6} {
		if got := ConnectionMinutes(slips); got != want {
			t.Errorf("%d slips: %d minutes, want %d (C24)", slips, got, want)
		}
	}
	loc := paris(t)
	played := time.Date(2026, 6, 1, 23, 30, 0, 0, loc)
	for _, tc := range []struct {
		name   string
		posted time.Time
		want   error
	}{
		{"on the day of play", time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), nil},
		{"on day 7 (C24)", time.Date(2026, 6, 8, 0, 0, 0, 0, time.UTC), nil},
		{"on day 8", time.Date(2026, 6, 9, 0, 0, 0, 0, time.UTC), ErrClaimLate},
		{"before the play", time.Date(2026, 5, 31, 0, 0, 0, 0, time.UTC), ErrClaimLate},
	} {
		if err := CheckClaim(played, tc.posted, loc); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
}

func TestCourse_State(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:4.slip", "contest:17")
	loc := paris(t)
	limits := []time.Time{clock(15, 0), clock(18, 0)}
	open := Course{OpensAt: clock(8, 0), Limits: limits}
	full := Course{OpensAt: clock(8, 0), Limits: limits, Complete: true}
	done := Course{OpensAt: clock(8, 0), Limits: limits, Complete: true, ProclaimedAt: clock(20, 0)}
	for _, tc := range []struct {
		name string
		c    Course
		at   time.Time
		want string
	}{
		{"no opening set", Course{Limits: limits}, clock(9, 0), "draft"},
		{"before its opening", open, clock(7, 59), "draft"},
		{"from its opening on", open, clock(8, 0), "open"},
		{"one limit passed", open, clock(17, 59), "open"},
		{"at the last limit", open, clock(18, 0), "closed"},
		{"results in before the last limit", full, clock(17, 0), "open"},
		{"results in", full, clock(18, 0), "provisional"},
		{"proclaimed", done, clock(20, 0), "proclaimed"},
		{"the last instant for disputes", done, time.Date(2026, 6, 16, 23, 59, 59, 0, loc), "proclaimed"},
		{"final", done, time.Date(2026, 6, 17, 0, 0, 0, 0, loc), "final"},
	} {
		if got := tc.c.State(tc.at, loc).String(); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}
