// Package wordcheck says what a face of the word game wins, reading only what a player
// sees and the rules of the game: the board, the rack, the symbols uncovered (instant:4.2,
// instant:4.3, instant:4.5, instant:4.6, readings I4 and I5).
//
// It checks the maker of faces, package words, and so shares no function with it and
// imports nothing of it; tests hold both. The package is pure.
package wordcheck

import (
	"fmt"

	"boulier/money"
)

// size is how many squares a board has across and down.
const size = 7

// A Symbol is a multiplier that a player uncovered.
type Symbol struct{ Row, Col, Factor int }

// Won is what a face wins: the word of how many letters, times which factor. The zero Won
// loses.
type Won struct {
	Letters, Factor int
	Prize           money.Cents
}

// A Board is a board that was read.
type Board struct {
	letter  [size][size]byte // 0 where there is none
	across  [size][size]int  // letters of the word across that goes through, 0 for none
	down    [size][size]int
	needs   [size + 1]uint32 // by length, the letters of the word
	lengths [size + 1]int    // by length, how many words
}

// Read reads a board from its rows, from the top: capitals, and dots for empty squares. It
// returns an error unless there is one word each of 3, 4, 5, 6 and 7 letters, no letter
// twice in any, and no other word.
func Read(rows [size]string) (*Board, error) {
	b := &Board{}
	for r, row := range rows {
		if len(row) != size {
			return nil, fmt.Errorf("wordcheck: row %d has %d squares", r+1, len(row))
		}
		for c := range size {
			if row[c] >= 'A' && row[c] <= 'Z' {
				b.letter[r][c] = row[c]
			} else if row[c] != '.' {
				return nil, fmt.Errorf("wordcheck: row %d holds %q", r+1, row[c])
			}
		}
	}
	for r := range size {
		for c := range size {
			if err := b.readWord(r, c, 0, 1); err != nil {
				return nil, err
			}
			if err := b.readWord(r, c, 1, 0); err != nil {
				return nil, err
			}
		}
	}
	for n := 2; n <= size; n++ {
		if (n == 2) == (b.lengths[n] == 1) || b.lengths[n] > 1 {
			return nil, fmt.Errorf("wordcheck: the board has %d words of %d letters", b.lengths[n], n)
		}
	}
	return b, nil
}

// readWord reads the word that begins in a square and goes on by dr, dc, if one does.
func (b *Board) readWord(r, c, dr, dc int) error {
	if b.at(r, c) == 0 || b.at(r-dr, c-dc) != 0 || b.at(r+dr, c+dc) == 0 {
		return nil
	}
	n := 0
	for b.at(r+n*dr, c+n*dc) != 0 {
		n++
	}
	b.lengths[n]++
	b.needs[n] = 0
	for i := range n {
		at := &b.across
		if dr == 1 {
			at = &b.down
		}
		at[r+i*dr][c+i*dc] = n
		bit := uint32(1) << (b.at(r+i*dr, c+i*dc) - 'A')
		if b.needs[n]&bit != 0 {
			return fmt.Errorf("wordcheck: the word of %d letters holds %c twice",
				n, b.at(r+i*dr, c+i*dc))
		}
		b.needs[n] |= bit
	}
	return nil
}

// at returns the letter of a square, 0 outside the board.
func (b *Board) at(r, c int) byte {
	if r < 0 || c < 0 || r >= size || c >= size {
		return 0
	}
	return b.letter[r][c]
}

// base is what the word of each length wins by itself (instant:4.5).
var base = [size + 1]money.Cents{3: 2_00, 4: 12_00, 5: 150_00, 6: 1_500_00, 7: 15_000_00}

// Judge says what a rack and the symbols uncovered win. It returns an error for a face that
// no unit may show: a rack that is not seven different letters, two words completed, more
// than two symbols, two in one word, a factor other than 2 and 3, a symbol on a square
// that the rack does not uncover or in a word that never carries it.
func (b *Board) Judge(rack []byte, symbols []Symbol) (Won, error) {
	if len(rack) != 7 {
		return Won{}, fmt.Errorf("wordcheck: the rack has %d tiles", len(rack))
	}
	var have uint32
	for _, l := range rack {
		if l < 'A' || l > 'Z' {
			return Won{}, fmt.Errorf("wordcheck: the rack holds %q", l)
		}
		if have>>(l-'A')&1 != 0 {
			return Won{}, fmt.Errorf("wordcheck: the rack holds %c twice", l)
		}
		have |= 1 << (l - 'A')
	}
	var won Won
	for n := 3; n <= size; n++ {
		if b.needs[n]&have != b.needs[n] {
			continue
		}
		if won.Letters != 0 {
			return Won{}, fmt.Errorf("wordcheck: the words of %d and of %d letters are both complete",
				won.Letters, n)
		}
		won = Won{n, 1, base[n]}
	}
	if len(symbols) > 2 {
		return Won{}, fmt.Errorf("wordcheck: %d symbols", len(symbols))
	}
	var carried [size + 1]bool
	for _, s := range symbols {
		if err := b.checkSymbol(s, have); err != nil {
			return Won{}, err
		}
		for _, n := range [2]int{b.across[s.Row][s.Col], b.down[s.Row][s.Col]} {
			if n == 0 {
				continue
			}
			if carried[n] {
				return Won{}, fmt.Errorf("wordcheck: two symbols in the word of %d letters", n)
			}
			carried[n] = true
			if n == won.Letters {
				won.Factor, won.Prize = s.Factor, base[n]*money.Cents(s.Factor)
			}
		}
	}
	return won, nil
}

// checkSymbol refuses a symbol that may not stand where it does (instant:4.6, reading I5).
func (b *Board) checkSymbol(s Symbol, have uint32) error {
	letter := b.at(s.Row, s.Col)
	if letter == 0 {
		return fmt.Errorf("wordcheck: a symbol in row %d, column %d, where no letter is", s.Row+1, s.Col+1)
	}
	if s.Factor != 2 && s.Factor != 3 {
		return fmt.Errorf("wordcheck: a symbol times %d", s.Factor)
	}
	if have>>(letter-'A')&1 == 0 {
		return fmt.Errorf("wordcheck: a symbol on the letter %c, which the rack does not uncover", letter)
	}
	for _, n := range [2]int{b.across[s.Row][s.Col], b.down[s.Row][s.Col]} {
		if n >= 6 || s.Factor == 3 && n == 5 {
			return fmt.Errorf("wordcheck: a symbol times %d in the word of %d letters", s.Factor, n)
		}
	}
	return nil
}
