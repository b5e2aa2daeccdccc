package contest

import (
	"cmp"
	"slices"
	"time"

	"boulier/regs"
)

// A Candidate is a ranked player and the slip of the last leg that settles ties for
// special gifts (contest:11).
type Candidate struct {
	Ranked

	// ValidatedAt is the server's time of the last validation that changed the slip of
	// the last leg (for a gift of a single leg, of that leg); the zero time if the player
	// sent none.
	ValidatedAt time.Time
	Order       int64 // order of receipt, between validations of the same instant
}

// GiftOrder returns candidates in the order in which special gifts are offered: by rank,
// and within a tie the earliest prediction of the last leg first (contest:11). At the
// same instant the order of receipt decides, and a tied player absent from the last leg
// comes after those present (Reading C18); among such players, for whom the text has no
// answer, the one registered first. Pots are still shared by the ranking with its ties.
func GiftOrder(candidates []Candidate) []Candidate {
	order := slices.Clone(candidates)
	slices.SortFunc(order, func(a, b Candidate) int {
		if a.Rank != b.Rank {
			return cmp.Compare(a.Rank, b.Rank)
		}
		if a.ValidatedAt.IsZero() || b.ValidatedAt.IsZero() {
			if a.ValidatedAt.IsZero() && b.ValidatedAt.IsZero() {
				return cmp.Compare(a.Player, b.Player)
			}
			return b.ValidatedAt.Compare(a.ValidatedAt)
		}
		return cmp.Or(a.ValidatedAt.Compare(b.ValidatedAt), cmp.Compare(a.Order, b.Order))
	})
	return order
}

// ErrGiftLate refuses a special gift announced once its contest is open (contest:11).
var ErrGiftLate = &regs.Violation{Ref: "contest:11", Code: "gift_late"}

// CheckGift returns ErrGiftLate unless a gift is announced before its contest opens.
func CheckGift(announcedAt, opensAt time.Time) error {
	if !announcedAt.Before(opensAt) {
		return ErrGiftLate.With("announced at %s, the contest opens at %s", announcedAt, opensAt)
	}
	return nil
}

// The refusals of an order in the gift shop (contest:12).
var (
	ErrPriceMoved       = &regs.Violation{Ref: "contest:12", Code: "price_moved"}
	ErrNotEnoughNuggets = &regs.Violation{Ref: "contest:12", Code: "not_enough_nuggets"}
)

// CheckOrder says whether a player may take a gift shown at one price, whose price now
// is price, with the nuggets that are free to spend. The order fixes the price shown and
// is refused with ErrPriceMoved if it moved (Reading C22); it needs a balance that covers
// it, else ErrNotEnoughNuggets (contest:12).
func CheckOrder(shown, price, free Nuggets) error {
	switch {
	case shown != price:
		return ErrPriceMoved.With("shown at %s, now %s", shown, price)
	case free < price:
		return ErrNotEnoughNuggets.With("%s free, the gift costs %s", free, price)
	default:
		return nil
	}
}
