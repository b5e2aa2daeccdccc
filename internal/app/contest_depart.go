package app

import (
	"time"

	"boulier/game/contest"
)

// Departed says why and since when an account takes no further part.
type Departed struct {
	Kind contest.Departure `json:"kind"`
	At   time.Time         `json:"at"`
}

// proclaimedOr returns when the leg was proclaimed, now if it is not: departures decided
// after that change nothing (Reading C14).
func (l LegState) proclaimedOr(c *Contests) time.Time {
	if l.Proclaimed.Count > 0 {
		return l.Proclaimed.At
	}
	return c.Now().Add(time.Second)
}
