package player

import (
	"errors"
	"fmt"
	"time"
)

// The limits that players set for themselves (std:9, std:10). Amounts are in cents, over
// seven days that roll with the day; 0 is no cap.

// Caps bound what a player may put in and stake over seven days.
type Caps struct{ Deposits, Stakes int64 }

// capDays is the length of the window of a cap in days.
const capDays = 7

// raiseDelay is how long a wish for more waits; one for less holds at once.
const raiseDelay = 48 * time.Hour

// The bounds of an exclusion.
const (
	MinExclusion = 24 * time.Hour
	MaxExclusion = 366 * 24 * time.Hour
)

// A Limits is the state of a player's own limits.
type Limits struct {
	Caps     Caps
	Wanted   Caps      // what takes effect at RaiseAt, if that is set
	RaiseAt  time.Time // zero: nothing waits
	Excluded time.Time // excluded before this moment; zero: never
	Days     []DaySum  // the last days with a movement, oldest first
}

// A DaySum is what went in and was staked on a day, counted in days since 1970.
type DaySum struct{ Day, Deposits, Stakes int64 }

// The refusals of limits.
var (
	ErrExcluded    = errors.New("player: excluded at the player's own wish")
	ErrDepositCap  = errors.New("player: over the player's own cap on deposits")
	ErrStakeCap    = errors.New("player: over the player's own cap on stakes")
	ErrCapNegative = errors.New("player: a cap is not negative")
	ErrExclusion   = errors.New("player: an exclusion lasts from a day to a year, and is never shortened")
)

// At returns the limits as they stand at a time: a raise whose time has come has happened.
func (l Limits) At(now time.Time) Limits {
	if !l.RaiseAt.IsZero() && !now.Before(l.RaiseAt) {
		l.Caps, l.Wanted, l.RaiseAt = l.Wanted, Caps{}, time.Time{}
	}
	return l
}

// Change sets other caps. What is stricter holds at once; what is less strict after 48
// hours; a later wish replaces one that waits.
func (l Limits) Change(c Caps, now time.Time) (Limits, error) {
	if c.Deposits < 0 || c.Stakes < 0 {
		return l, ErrCapNegative
	}
	l = l.At(now)
	l.Wanted, l.RaiseAt = Caps{}, time.Time{}
	held := Caps{stricter(l.Caps.Deposits, c.Deposits), stricter(l.Caps.Stakes, c.Stakes)}
	if held != c {
		l.Wanted, l.RaiseAt = c, now.Add(raiseDelay)
	}
	l.Caps = held
	return l, nil
}

// stricter returns the smaller of two caps, of which 0 is none.
func stricter(a, b int64) int64 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return min(a, b)
}

// Exclude keeps the player from staking and depositing for a time, at once.
func (l Limits) Exclude(d time.Duration, now time.Time) (Limits, error) {
	until := now.Add(d)
	if d < MinExclusion || d > MaxExclusion || until.Before(l.Excluded) {
		return l, fmt.Errorf("%w: %s asked for", ErrExclusion, d)
	}
	l.Excluded = until
	return l, nil
}

// Stake counts a stake of some cents; Deposit counts what is put in. They return
// ErrExcluded or the cap that would be passed, and then nothing is counted.
func (l Limits) Stake(cents int64, now time.Time, loc *time.Location) (Limits, error) {
	return l.count(DaySum{Stakes: cents}, now, loc)
}

// Deposit counts what is put in; see Stake.
func (l Limits) Deposit(cents int64, now time.Time, loc *time.Location) (Limits, error) {
	return l.count(DaySum{Deposits: cents}, now, loc)
}

// TakeBack forgets a deposit of some cents that was an error, from the latest days first.
func (l Limits) TakeBack(cents int64) Limits {
	days := append([]DaySum(nil), l.Days...)
	for n := len(days) - 1; n >= 0 && cents > 0; n-- {
		part := min(cents, days[n].Deposits)
		days[n].Deposits -= part
		cents -= part
	}
	l.Days = days
	return l
}

func (l Limits) count(s DaySum, now time.Time, loc *time.Location) (Limits, error) {
	if now.Before(l.Excluded) {
		return l, ErrExcluded
	}
	l = l.At(now)
	today := dayNumber(now, loc)
	kept := make([]DaySum, 0, capDays)
	sum := s
	for _, d := range l.Days {
		if today-d.Day < capDays {
			kept = append(kept, d)
			sum.Deposits += d.Deposits
			sum.Stakes += d.Stakes
		}
	}
	if l.Caps.Deposits > 0 && s.Deposits > 0 && sum.Deposits > l.Caps.Deposits {
		return l, ErrDepositCap
	}
	if l.Caps.Stakes > 0 && s.Stakes > 0 && sum.Stakes > l.Caps.Stakes {
		return l, ErrStakeCap
	}
	if n := len(kept); n > 0 && kept[n-1].Day == today {
		kept[n-1].Deposits += s.Deposits
		kept[n-1].Stakes += s.Stakes
	} else {
		s.Day = today
		kept = append(kept, s)
	}
	l.Days = kept
	return l, nil
}

// Used returns what went in and was staked over the last seven days.
func (l Limits) Used(now time.Time, loc *time.Location) (c Caps) {
	today := dayNumber(now, loc)
	for _, d := range l.Days {
		if today-d.Day < capDays {
			c.Deposits += d.Deposits
			c.Stakes += d.Stakes
		}
	}
	return c
}

// dayNumber counts the days in loc since 1970.
func dayNumber(t time.Time, loc *time.Location) int64 {
	y, m, d := t.In(loc).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / (24 * 3600)
}
