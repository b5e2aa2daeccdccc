package ninety

// A Goal is what a card can reach in a round. Line, TwoLines and FullCard are the usual
// ones. Any other non-zero set of its 15 lowest bits is a pattern (four corners, cross,
// picture…): bit 5·l + k stands for number k of line l, both from 0 and from left to right.
//
// A pattern counts the numbers of a line and not its columns: a column is blank on some
// cards, and a pattern with fewer numbers for some would favour them. So the four corners
// are the first and the last number of the upper and of the lower line.
type Goal uint32

const (
	FullCard Goal = 1<<perCard - 1     // « carton plein », « bingo »: all fifteen numbers
	Line     Goal = 1 << perCard       // any one line of the card
	TwoLines Goal = 1 << (perCard + 1) // any two lines of one card
)

// Valid reports whether g can be reached: one of the constants, or a pattern.
func (g Goal) Valid() bool { return 0 < g && g <= Line || g == TwoLines }

// Missing returns how many more balls c needs for g when these are drawn, at the least. This
// is the definition; an Index answers the same for all its cards at once.
func (g Goal) Missing(c Card, drawn BallSet) int {
	var left [lines]int
	for i, line := range c.Lines {
		left[i] = line.Minus(drawn).Len()
	}
	all := left[0] + left[1] + left[2]
	switch g {
	case Line:
		return min(left[0], left[1], left[2])
	case TwoLines:
		return all - max(left[0], left[1], left[2])
	case FullCard:
		return all
	}
	return g.cells(c).Minus(drawn).Len()
}

// cells returns the numbers of c that the pattern g asks for.
func (g Goal) cells(c Card) (want BallSet) {
	for i, line := range c.Lines {
		k := i * perLine
		for b := range line.All() {
			if g>>k&1 == 1 {
				want = want.With(b)
			}
			k++
		}
	}
	return want
}
