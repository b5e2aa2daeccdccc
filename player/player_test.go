package player

import (
	"testing"
	"time"

	"boulier/regs/regstest"
)

func TestStd5_Adult(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:5")
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	for _, tc := range []struct {
		name string
		born time.Time
		now  time.Time
		want bool
	}{
		{"the day before", day(2008, 7, 2), time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC), false},
		{"the birthday", day(2008, 7, 2), time.Date(2026, 7, 2, 12, 0, 0, 0, time.UTC), true},
		{"already the birthday in Paris", day(2008, 7, 2), time.Date(2026, 7, 1, 22, 30, 0, 0, time.UTC), true},
		{"not yet in Paris", day(2008, 7, 2), time.Date(2026, 7, 1, 21, 59, 0, 0, time.UTC), false},
		{"29 February, on 28 February", day(2008, 2, 29), day(2026, 2, 28), false},
		{"29 February, on 1 March", day(2008, 2, 29), day(2026, 3, 1), true},
	} {
		if got := Adult(tc.born, tc.now, paris); got != tc.want {
			t.Errorf("%s: Adult = %t, want %t", tc.name, got, tc.want)
		}
	}
}
