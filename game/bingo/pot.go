package bingo

import (
	"strings"

	"boulier/apportion"
	"boulier/game/ninety"
	"boulier/money"
)

// A PotRule says how a pot grows from round to round, and how it is won: by a pattern that
// is complete within some balls (bingo:93.11, reading B8).
type PotRule struct {
	Name    string
	Pattern ninety.Goal
	Within  int         // balls
	Rate    Rate        // of the sales of each round
	Keep    Rate        // of that, what goes to the pot; the others go to its reserve
	Cap     money.Cents // of the pot; what is beyond goes to the reserve
	Refill  Rate        // of the reserve, what refills a pot that was won, up to Cap
}

func (r PotRule) faults(add adder) {
	switch {
	case strings.TrimSpace(r.Name) == "":
		add(ErrProposalPot, "a pot has no name, by which it goes on from day to day")
	case !r.Pattern.Valid(), r.Within < 1 || r.Within > 90:
		add(ErrProposalPot, "the pot %q is won by no pattern within 1 to 90 balls", r.Name)
	case r.Rate < 0, r.Keep < 0, r.Keep > Whole, r.Refill < 0, r.Refill > Whole, r.Cap <= 0:
		add(ErrProposalPot, "the pot %q has rates outside the whole or no cap", r.Name)
	}
}

// A Pot is what was accumulated.
type Pot struct{ Amount, Reserve money.Cents }

// Fed returns the pot after a round of these sales. Nothing is lost: what enters the pot and
// its reserve is the rate's part of the sales.
func (p Pot) Fed(r PotRule, sales money.Cents) Pot {
	in := money.Cents(apportion.Part(int64(sales), int64(r.Rate), int64(Whole)))
	kept := money.Cents(apportion.Part(int64(in), int64(r.Keep), int64(Whole)))
	kept = max(0, min(kept, r.Cap-p.Amount))
	return Pot{p.Amount + kept, p.Reserve + in - kept}
}

// Won returns the pot after it was won: refilled from its reserve.
func (p Pot) Won(r PotRule) Pot {
	refill := money.Cents(apportion.Part(int64(p.Reserve), int64(r.Refill), int64(Whole)))
	refill = min(refill, r.Cap)
	return Pot{refill, p.Reserve - refill}
}
