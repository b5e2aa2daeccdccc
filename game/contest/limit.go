package contest

import (
	"time"

	"boulier/regs"
)

// The limits that the regulation counts in days. Days are calendar days of a place,
// Europe/Paris by default; the day after the one that starts the count is day 1, and the
// last day counts to its end (Reading C19).
const (
	AnswerDays  = 15 // to accept a special gift, from its sending (contest:11)
	DisputeDays = 15 // to contest results, from their proclamation (contest:17)
	ClaimDays   = 7  // to post a claim for connection costs, from the play (contest:14)
)

// DaysAfter returns the instant at which day number days after the day of from ends in
// loc: the first midnight that is no longer in time. Clock changes do not matter, since
// days are counted on the calendar (Reading C19).
func DaysAfter(from time.Time, days int, loc *time.Location) time.Time {
	y, m, d := from.In(loc).Date()
	return time.Date(y, m, d+days+1, 0, 0, 0, 0, loc)
}

// The refusals of what comes too late.
var (
	ErrOfferLapsed   = &regs.Violation{Ref: "contest:11", Code: "offer_lapsed"}
	ErrDisputeLate   = &regs.Violation{Ref: "contest:17", Code: "dispute_late"}
	ErrNeedsDecision = &regs.Violation{Ref: "contest:17", Code: "needs_decision"}
	ErrClaimLate     = &regs.Violation{Ref: "contest:14", Code: "claim_late"}
)

// CheckAnswer returns ErrOfferLapsed if the answer to a special gift offered at sentAt
// comes after its 15 days: silence was a refusal, and the next is asked (contest:11,
// Reading C19).
func CheckAnswer(sentAt, at time.Time, loc *time.Location) error {
	if closes := DaysAfter(sentAt, AnswerDays, loc); !at.Before(closes) {
		return ErrOfferLapsed.With("asked at %s, lapsed at %s", at, closes)
	}
	return nil
}

// CheckDispute returns ErrDisputeLate unless a dispute is made within 15 days of the
// proclamation (contest:17, Reading C19).
func CheckDispute(proclaimedAt, at time.Time, loc *time.Location) error {
	if closes := DaysAfter(proclaimedAt, DisputeDays, loc); !at.Before(closes) {
		return ErrDisputeLate.With("made at %s, closed at %s", at, closes)
	}
	return nil
}

// CheckCorrection returns ErrNeedsDecision if a proclaimed result is corrected after the
// 15 days for disputes without a recorded decision of the organizer (contest:17, Reading
// C11). Every correction needs a reason, which is the caller's to ask for.
func CheckCorrection(proclaimedAt, at time.Time, decided bool, loc *time.Location) error {
	if closes := DaysAfter(proclaimedAt, DisputeDays, loc); !at.Before(closes) && !decided {
		return ErrNeedsDecision.With("asked at %s, results are final since %s", at, closes)
	}
	return nil
}

// SpendableAt returns when nuggets credited at a proclamation stop being pending: when
// the days for disputes are over, DisputeDays unless the organizer set another number
// (Reading C20).
func SpendableAt(proclaimedAt time.Time, days int, loc *time.Location) time.Time {
	return DaysAfter(proclaimedAt, days, loc)
}

// CheckClaim returns ErrClaimLate unless a claim for connection costs was posted (its
// postmark) on the day of play or by day 7 after it (contest:14, Reading C24). A postmark
// is a date: postedOn's year, month and day count, not its zone.
func CheckClaim(playedAt, postedOn time.Time, loc *time.Location) error {
	y, m, d := postedOn.Date()
	posted := time.Date(y, m, d, 0, 0, 0, 0, loc)
	py, pm, pd := playedAt.In(loc).Date()
	if closes := DaysAfter(playedAt, ClaimDays, loc); !posted.Before(closes) ||
		posted.Before(time.Date(py, pm, pd, 0, 0, 0, 0, loc)) {
		return ErrClaimLate.With("posted on %s, played at %s", posted.Format(time.DateOnly), playedAt)
	}
	return nil
}

// ConnectionMinutes returns the minutes of local call that validating slips is refunded
// for: 2 for each started three (contest:14, Reading C24).
func ConnectionMinutes(slips int) int { return 2 * ((slips + 2) / 3) }
