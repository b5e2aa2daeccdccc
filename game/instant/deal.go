package instant

// An Outcome is what a unit wins: 0 loses, k wins line k of the table.
type Outcome uint16

// Deal spreads the prizes of a block by lot (instant:3): the exact multiset of the
// table, each order equally likely. Unit i of the block has outcome Deal(…)[i]; units
// are sold strictly in that order (reading I2). The game must have passed Check.
//
// The units first stand in the order of the table, the losers last; then for i from the
// last index down to 1 the units i and src.Uint64n(i+1) change places (Fisher–Yates).
func Deal(g Game, src Source) []Outcome {
	units := make([]Outcome, 0, g.Block)
	for i, p := range g.Table {
		for range p.Count {
			units = append(units, Outcome(i+1))
		}
	}
	units = units[:g.Block] // what follows is zero: the losers
	for i := len(units) - 1; i > 0; i-- {
		j := src.Uint64n(uint64(i) + 1)
		units[i], units[j] = units[j], units[i]
	}
	return units
}

// Count returns how many units of each outcome there are, losers at index 0, or false
// if an outcome is beyond the given number of lines.
func Count(units []Outcome, lines int) ([]int64, bool) {
	counts := make([]int64, lines+1)
	for _, o := range units {
		if int(o) > lines {
			return nil, false
		}
		counts[o]++
	}
	return counts, true
}
