package contest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"boulier/apportion"
	"boulier/regs"
)

// Nuggets are « pépites », in hundredths (Reading C15). They serve to choose gifts and
// nothing else; they are not money (contest:12).
type Nuggets int64

// Nugget is one whole nugget.
const Nugget Nuggets = 100

// String gives whole nuggets with two decimals, as files hold them.
func (n Nuggets) String() string {
	sign, u := "", uint64(n)
	if n < 0 {
		sign, u = "-", -u
	}
	return fmt.Sprintf("%s%d.%02d", sign, u/100, u%100)
}

// ErrNuggets is returned by ParseNuggets.
var ErrNuggets = errors.New("not an amount of nuggets with at most two decimals")

// ParseNuggets reads an amount such as 200 or 12.5: digits, perhaps a point and one or two
// decimals, up to MaxPot. It returns ErrNuggets for anything else.
func ParseNuggets(s string) (Nuggets, error) {
	whole, part, pointed := strings.Cut(s, ".")
	if pointed && (len(part) == 0 || len(part) > 2) {
		return 0, ErrNuggets
	}
	digits := whole + (part + "00")[:2]
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || whole == "" || Nuggets(n) > MaxPot {
		return 0, ErrNuggets
	}
	return Nuggets(n), nil
}

// A PotRule holds the constants that pots are made of.
type PotRule struct {
	Guaranteed Nuggets // of each leg
	PerSlip    Nuggets // added for each slip validated in the leg
	PerLeg     Nuggets // in the pot of the contest, for each of its legs
	Most       Nuggets // in the pot of a contest
}

// Pots is the regulation's rule (contest:8.leg, contest:8.contest).
var Pots = PotRule{
	Guaranteed: 50 * Nugget,
	PerSlip:    1 * Nugget,
	PerLeg:     100 * Nugget,
	Most:       3000 * Nugget,
}

// ErrPotsIllegal refuses constants of pots (contest:8.leg, contest:8.contest).
var ErrPotsIllegal = &regs.Violation{Ref: "contest:8.leg", Code: "pots_illegal"}

// Check returns ErrPotsIllegal if a constant is negative or above a million nuggets, so
// that no pot of a real contest passes MaxPot.
func (r PotRule) Check() error {
	for _, n := range []Nuggets{r.Guaranteed, r.PerSlip, r.PerLeg, r.Most} {
		if n < 0 || n > 1_000_000*Nugget {
			return ErrPotsIllegal.With("%s nuggets", n)
		}
	}
	return nil
}

// MaxPot bounds every pot, far above any real one: 10¹³ nuggets.
const MaxPot = 10_000_000_000_000 * Nugget

// Leg returns the pot of a leg in which slips players have a validated slip that counts:
// one slip a player, however often it was changed (contest:8.leg, Reading C14). An
// annulled leg has no pot, so it is not asked for (Reading C10).
func (r PotRule) Leg(slips int) Nuggets {
	return r.Guaranteed + Nuggets(slips)*r.PerSlip
}

// Contest returns the pot of a contest of which legs legs are not annulled when it is
// proclaimed (contest:8.contest, Reading C26).
func (r PotRule) Contest(legs int) Nuggets {
	return min(Nuggets(legs)*r.PerLeg, r.Most)
}

// A Sharing holds the percentages of a pot, first rank first.
type Sharing []int64

// TenRanks is the regulation's sharing (contest:9).
var TenRanks = Sharing{25, 20, 15, 10, 9, 8, 6, 4, 2, 1}

// ErrSharingIllegal refuses percentages that cannot be paid (contest:9).
var ErrSharingIllegal = &regs.Violation{Ref: "contest:9", Code: "sharing_illegal"}

// Check returns ErrSharingIllegal if a percentage is negative or above the one before it,
// or if their sum is not between 1 and 100.
func (s Sharing) Check() error {
	var sum int64
	for i, percent := range s {
		if percent < 0 || percent > 100 || i > 0 && percent > s[i-1] {
			return ErrSharingIllegal.With("%d %% for rank %d", percent, i+1)
		}
		sum += percent
	}
	if sum < 1 || sum > 100 {
		return ErrSharingIllegal.With("the percentages sum to %d", sum)
	}
	return nil
}

// Percent returns the percentages that tied players at one rank hold together; each gets
// an equal part of it (contest:9). Three at rank 1 hold 25 + 20 + 15 = 60 %. Ranks beyond
// the last shared one add 0, so three at rank 9 hold 2 + 1 + 0 (Reading C16).
func (s Sharing) Percent(rank, tied int) (sum int64) {
	for r := rank; r < rank+tied && r <= len(s); r++ {
		sum += s[r-1]
	}
	return sum
}

// Split shares a pot over a ranking (contest:9, contest:10): share i goes to player i of
// the ranking. Every member of a tie gets the same, cut down to the hundredth, never
// rounded to the nearest, which would pay more than the pot. What is cut off and the
// percentages that nobody holds are the remainder, kept by the house (Readings C15, C16):
// the shares and the remainder sum to the pot exactly. It panics on a pot below 0 or
// above MaxPot; s must have passed Check, ranking must come from Rank.
func (s Sharing) Split(pot Nuggets, ranking Ranking) (shares []Nuggets, remainder Nuggets) {
	if pot < 0 || pot > MaxPot {
		panic("contest: pot out of range")
	}
	shares, remainder = make([]Nuggets, len(ranking)), pot
	for first := 0; first < len(ranking) && first < len(s); {
		next := first + 1
		for next < len(ranking) && ranking[next].Rank == ranking[first].Rank {
			next++
		}
		tied := next - first
		percent := s.Percent(ranking[first].Rank, tied)
		share := Nuggets(apportion.Part(int64(pot), percent, 100*int64(tied)))
		for i := first; i < next; i++ {
			shares[i] = share
		}
		remainder -= share * Nuggets(tied)
		first = next
	}
	return shares, remainder
}
