package ninety

import "fmt"

// A Grid is the face of a card as it is printed or read: numbers by line and column, 0
// where it is blank. It may break every rule; Profile.Check says which.
type Grid [lines][columns]Ball

// Grid returns the face of c.
func (c Card) Grid() (g Grid) {
	for i, line := range c.Lines {
		for b := range line.All() {
			g[i][b.Column()] = b
		}
	}
	return g
}

// Card returns the card that g shows, or the first fault that keeps it from being one
// under the profile.
func (g Grid) Card(p Profile) (c Card, err error) {
	if faults := p.Check(g); faults != nil {
		return Card{}, faults[0]
	}
	for i, line := range g {
		for _, b := range line {
			if b != 0 {
				c.Lines[i] = c.Lines[i].With(b)
			}
		}
	}
	return c, nil
}

// A Profile is a national variant of the card. The French card has 1 to 3 numbers in a
// column, in ascending order. The other rules are those of every card.
type Profile struct {
	Min, Max int  // how many numbers a column holds
	AnyOrder bool // whether the numbers of a column may stand in any order
}

// A Fault is one rule that a card breaks. The code is stable, for programs; the detail
// says in English where.
type Fault struct{ Code, Detail string }

func (f Fault) Error() string { return f.Code + ": " + f.Detail }

// Check returns every rule of the profile that g breaks, or nil.
func (p Profile) Check(g Grid) (faults []Fault) {
	add := func(code, format string, args ...any) {
		faults = append(faults, Fault{code, fmt.Sprintf(format, args...)})
	}
	var seen BallSet
	var inColumn [columns]int
	var last [columns]Ball
	for i, line := range g {
		count := 0
		for col, b := range line {
			if b == 0 {
				continue
			}
			count++
			inColumn[col]++
			if !b.Valid() {
				add("number_range", "line %d, column %d: %d is not from 1 to 90", i+1, col+1, b)
				continue
			}
			if seen.Has(b) {
				add("number_twice", "line %d, column %d: %d is there twice", i+1, col+1, b)
			}
			seen = seen.With(b)
			if b.Column() != col {
				add("wrong_column", "line %d: %d is in column %d and belongs in %d",
					i+1, b, col+1, b.Column()+1)
			}
			if b < last[col] && !p.AnyOrder {
				add("column_order", "column %d: %d is below %d", col+1, b, last[col])
			}
			last[col] = b
		}
		if count != perLine {
			add("line_count", "line %d has %d numbers instead of %d", i+1, count, perLine)
		}
	}
	return p.checkColumns(faults, inColumn)
}

// checkColumns adds the columns with too few or too many numbers.
func (p Profile) checkColumns(faults []Fault, inColumn [columns]int) []Fault {
	for col, n := range inColumn {
		if n < p.Min || n > p.Max {
			faults = append(faults, Fault{"column_count", fmt.Sprintf(
				"column %d has %d numbers instead of %d to %d", col+1, n, p.Min, p.Max)})
		}
	}
	return faults
}

// CheckNumbers is Check for a card known by its numbers alone, without lines. Such a
// card can only play for the full card.
func (p Profile) CheckNumbers(numbers []Ball) (faults []Fault) {
	var seen BallSet
	var inColumn [columns]int
	for _, b := range numbers {
		switch {
		case !b.Valid():
			faults = append(faults, Fault{"number_range", fmt.Sprintf("%d is not from 1 to 90", b)})
			continue
		case seen.Has(b):
			faults = append(faults, Fault{"number_twice", fmt.Sprintf("%d is there twice", b)})
		}
		seen = seen.With(b)
		inColumn[b.Column()]++
	}
	if len(numbers) != perCard {
		faults = append(faults, Fault{"card_count",
			fmt.Sprintf("%d numbers instead of %d", len(numbers), perCard)})
	}
	return p.checkColumns(faults, inColumn)
}

// Repeats finds the sets that stand more than once in a list: cards, given by their
// numbers, or lines. It returns pairs of indexes, the first of the equals and a later
// one, in the order of the later.
func Repeats(sets []BallSet) (pairs [][2]int) {
	first := make(map[BallSet]int32, len(sets))
	for i, s := range sets {
		if j, again := first[s]; again {
			pairs = append(pairs, [2]int{int(j), i})
			continue
		}
		first[s] = int32(i)
	}
	return pairs
}
