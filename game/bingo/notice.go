package bingo

import (
	"slices"
	"time"

	"boulier/regs"
)

// NoticeDays is how long before it applies a change of the prizes is notified to the
// regulator and announced (bingo:93.11, reading B8).
const NoticeDays = 5

// ErrNotice refuses a change of prizes that is notified too late.
var ErrNotice = &regs.Violation{Ref: "bingo:93.11", Code: "notice_short"}

// SamePrizes reports whether two proposals give the same: combinations, percentages, amounts
// and pots.
func (p Proposal) SamePrizes(q Proposal) bool {
	return slices.Equal(p.Prizes, q.Prizes) && slices.Equal(p.Pots, q.Pots)
}

// Applies returns from when a proposal that is notified at a moment can be played: at once
// where one in force gives the same, or where none was in force yet, so that nothing changes;
// NoticeDays later otherwise (bingo:93.11, reading B8).
func (p Proposal) Applies(inForce []Proposal, notified time.Time) time.Time {
	if len(inForce) == 0 || slices.ContainsFunc(inForce, p.SamePrizes) {
		return notified
	}
	return notified.AddDate(0, 0, NoticeDays)
}

// CheckNotice refuses to replace p by q from a moment on, when their prizes differ and the
// change is notified less than NoticeDays before.
func (p Proposal) CheckNotice(q Proposal, notified, from time.Time) error {
	if earliest := q.Applies([]Proposal{p}, notified); from.Before(earliest) {
		return ErrNotice.With("notified at %s, applies from %s, at the earliest %s", notified, from, earliest)
	}
	return nil
}
