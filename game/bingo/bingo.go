package bingo

import (
	"time"

	"boulier/regs"
)

// ErrSaleClosed refuses a purchase made outside the sale window (bingo:93.8).
var ErrSaleClosed = &regs.Violation{Ref: "bingo:93.8", Code: "sale_closed"}

// A Window is the sale window of a round, closed at its start, open at its end
// (reading B3).
type Window struct{ Opens, Closes time.Time }

// Check returns ErrSaleClosed unless at is in the window.
func (w Window) Check(at time.Time) error {
	if at.Before(w.Opens) || !at.Before(w.Closes) {
		return ErrSaleClosed.With("asked at %s, window is [%s, %s)", at, w.Opens, w.Closes)
	}
	return nil
}

// Left returns the time left of the sale, which every terminal shows (bingo:93.1).
func (w Window) Left(at time.Time) time.Duration { return max(0, w.Closes.Sub(at)) }

// A RoundID names a round, a TerminalID a terminal of a hall.
type (
	RoundID    int64
	TerminalID int64
)

// An Event is a fact of an Account, a Sale, a Round or a Session.
type Event interface {
	// Kind is the stable word that names the event in a journal.
	Kind() string
}

// A Rate is a part of the sales of a round, in hundredths of a percent.
type Rate int64

// The whole, and the least part of the sales that goes to prizes (reading B8).
const (
	Percent   Rate = 100
	Whole          = 100 * Percent
	LeastRate      = 70 * Percent
)
