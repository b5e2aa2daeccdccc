package player

import (
	"errors"
	"testing"
	"time"

	"boulier/regs/regstest"
)

func TestStd9_CapsHoldOverSevenDays(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:9")
	start := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	l, err := Limits{}.Change(Caps{Stakes: 1000, Deposits: 5000}, start)
	if err != nil || l.Caps != (Caps{Stakes: 1000, Deposits: 5000}) {
		t.Fatalf("a first cap holds at once: %+v, %v", l, err)
	}
	for _, tc := range []struct {
		name    string
		days    int
		stake   int64
		deposit int64
		want    error
	}{
		{"within", 0, 600, 0, nil},
		{"to the cent", 1, 400, 0, nil},
		{"a cent over", 2, 1, 0, ErrStakeCap},
		{"deposits are counted apart", 2, 0, 5000, nil},
		{"a deposit over", 3, 0, 1, ErrDepositCap},
		{"on the seventh day the first still counts", 6, 1, 0, ErrStakeCap},
		{"on the eighth it does not", 7, 600, 0, nil},
		{"but the second does", 7, 1, 0, ErrStakeCap},
	} {
		at := start.AddDate(0, 0, tc.days)
		var err error
		if tc.stake > 0 {
			l, err = l.Stake(tc.stake, at, time.UTC)
		} else {
			l, err = l.Deposit(tc.deposit, at, time.UTC)
		}
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
}

func TestStd9_LessAtOnceMoreAfterTwoDays(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:9")
	start := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	l, _ := Limits{}.Change(Caps{Stakes: 1000}, start)
	l, _ = l.Change(Caps{Stakes: 3000}, start)
	if l.Caps.Stakes != 1000 || l.At(start.Add(48*time.Hour-1)).Caps.Stakes != 1000 {
		t.Errorf("a raise held before its time: %+v", l)
	}
	if got := l.At(start.Add(48 * time.Hour)).Caps.Stakes; got != 3000 {
		t.Errorf("after 48 hours the cap is %d, want 3000", got)
	}
	l, _ = l.Change(Caps{Stakes: 500}, start.Add(time.Hour))
	if l.Caps.Stakes != 500 || !l.RaiseAt.IsZero() {
		t.Errorf("a stricter cap did not hold at once, or the raise still waits: %+v", l)
	}
	l, _ = l.Change(Caps{}, start.Add(2*time.Hour))
	if l.Caps.Stakes != 500 || l.At(start.Add(50*time.Hour)).Caps.Stakes != 0 {
		t.Errorf("taking a cap away is a raise: %+v", l)
	}
}

func TestStd10_Exclusion(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:10")
	start := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	if _, err := (Limits{}).Exclude(23*time.Hour, start); !errors.Is(err, ErrExclusion) {
		t.Errorf("less than a day: %v", err)
	}
	l, err := Limits{}.Exclude(7*24*time.Hour, start)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Stake(1, start.Add(7*24*time.Hour-1), time.UTC); !errors.Is(err, ErrExcluded) {
		t.Errorf("a stake while excluded: %v", err)
	}
	if _, err := l.Deposit(1, start, time.UTC); !errors.Is(err, ErrExcluded) {
		t.Errorf("a deposit while excluded: %v", err)
	}
	if _, err := l.Exclude(24*time.Hour, start.Add(time.Hour)); !errors.Is(err, ErrExclusion) {
		t.Errorf("an exclusion was shortened: %v", err)
	}
	if _, err := l.Stake(1, start.Add(7*24*time.Hour), time.UTC); err != nil {
		t.Errorf("after its end: %v", err)
	}
}

func TestTakeBack_GivesBackRoomForADeposit(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	l, _ := Limits{}.Change(Caps{Deposits: 1000}, start)
	l, _ = l.Deposit(400, start, time.UTC)
	l, _ = l.Deposit(600, start.AddDate(0, 0, 1), time.UTC)
	l = l.TakeBack(700)
	if used := l.Used(start.AddDate(0, 0, 1), time.UTC); used.Deposits != 300 {
		t.Errorf("after taking back 7 of 10 EUR %d cents count, want 300", used.Deposits)
	}
}
