package contest

import "time"

// A State is where a leg stands.
type State uint8

// The states of a leg, in order.
const (
	Draft       State = iota // being built, seen by its editors alone
	Open                     // slips are validated and changed
	Closed                   // every limit has passed
	Provisional              // all results are in: points and ranks are shown, nothing is paid
	Proclaimed               // the pot is shared; disputes are admissible
	Final                    // the days for disputes are over
	Cancelled                // annulled: no points, no pot (Reading C10)
)

func (s State) String() string {
	return [...]string{
		"draft", "open", "closed", "provisional", "proclaimed", "final",
		"cancelled"}[s]
}

// A Course is what people decided about a leg; the clock does the rest. Zero times are
// decisions not taken.
type Course struct {
	OpensAt      time.Time   // from when slips are taken
	Limits       []time.Time // of its lines; open while the time is before one of them
	Complete     bool        // every fixture has a result or is void
	ProclaimedAt time.Time
}

// State returns where the leg stands at the server's time at (contest:4.slip,
// contest:17). What depends on the clock alone needs nobody to press a button: opening,
// closing, and the end of the 15 days.
func (c Course) State(at time.Time, loc *time.Location) State {
	if !c.ProclaimedAt.IsZero() {
		if at.Before(DaysAfter(c.ProclaimedAt, DisputeDays, loc)) {
			return Proclaimed
		}
		return Final
	}
	if c.OpensAt.IsZero() || at.Before(c.OpensAt) {
		return Draft
	}
	for _, limit := range c.Limits {
		if at.Before(limit) {
			return Open
		}
	}
	if c.Complete {
		return Provisional
	}
	return Closed
}
