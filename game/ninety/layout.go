package ninety

// geometry is the shape of a sheet. There is one real shape; tests build small ones,
// whose sheets can all be listed. A card always has three lines.
type geometry struct {
	sizes   []int // how many numbers each column of the sheet holds
	cards   int   // at most 6
	perLine int   // numbers in a line of a card
}

// french is the shape of the real sheet.
var french = geometry{[]int{9, 10, 10, 10, 10, 10, 10, 10, 11}, perSheet, perLine}

// twos returns how many columns of two numbers a card has whose columns of three number
// threes; the other columns hold one. A negative result means that there is no such card.
func (g geometry) twos(threes int) int {
	return lines*g.perLine - len(g.sizes) - 2*threes
}

// layout says in which lines the numbers of a card's columns stand: three bits a column,
// first for its columns of one number from left to right, then, from bit 32, for its
// columns of two. A column of three numbers leaves no choice.
type layout uint64

// layouts returns, by the number of columns of three, every layout of such a card. All
// cards with the same column counts have the same layouts up to the order of columns.
func (g geometry) layouts() (byThrees [][]layout) {
	for threes := 0; g.twos(threes) >= 0; threes++ {
		twos := g.twos(threes)
		ones := len(g.sizes) - twos - threes
		var found []layout
		var extend func(column int, done layout, filled [lines]int)
		extend = func(column int, done layout, filled [lines]int) {
			if column == ones+twos {
				want := g.perLine - threes
				if filled == [lines]int{want, want, want} {
					found = append(found, done)
				}
				return
			}
			for line := range lines {
				next, mask, at := filled, 1<<line, 3*column
				if column < ones {
					next[line]++
				} else { // of two numbers: the line is the one left blank
					for i := range next {
						next[i]++
					}
					next[line]--
					mask, at = 7&^mask, 32+3*(column-ones)
				}
				extend(column+1, done|layout(mask)<<at, next)
			}
		}
		extend(0, 0, [lines]int{})
		byThrees = append(byThrees, found)
	}
	return byThrees
}

// take returns the lines of the next column, which holds count numbers, as three bits,
// and what is left of the layout.
func (l layout) take(count uint8) (mask uint8, rest layout) {
	const low = 1<<32 - 1
	switch count {
	case 1:
		return uint8(l & 7), l&^low | (l&low)>>3
	case 2:
		return uint8(l >> 32 & 7), l&low | (l&^low)>>3&^low
	}
	return 7, l
}
