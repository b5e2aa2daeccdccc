package words

import (
	"fmt"
	"strings"
)

// Side is how many squares a board has across and down (reading I9), cells how many in all.
const (
	Side  = 7
	cells = Side * Side
)

// The lengths of the words of a board, one word of each (instant:4.2).
const (
	shortest = 3
	longest  = 7
	count    = longest - shortest + 1
)

// A Grid is a board as it is written: rows from the top, each of seven letters A–Z or dots.
type Grid [Side]string

// A Word is a word of a board and where its first letter stands.
type Word struct {
	Text     string
	Row, Col int // from 0
	Down     bool
}

// Cells returns the squares of the word in its order; a square is Side × row + column.
func (w Word) Cells() []int {
	step := 1
	if w.Down {
		step = Side
	}
	list := make([]int, len(w.Text))
	for i := range list {
		list[i] = Side*w.Row + w.Col + i*step
	}
	return list
}

// A Board is a board without fault (« plateau de jeu », instant:4.2). Its words are the runs
// of two letters or more, across or down, so that no word stands there by accident.
type Board struct {
	grid  Grid
	words [count]Word
}

// Grid returns the board as it is written.
func (b Board) Grid() Grid { return b.grid }

// Letter returns the letter of a square, 0 if it has none.
func (b Board) Letter(cell int) byte {
	if c := b.grid[cell/Side][cell%Side]; c != '.' {
		return c
	}
	return 0
}

// Word returns the word of that many letters, 3 to 7.
func (b Board) Word(letters int) Word { return b.words[letters-shortest] }

// Words returns the five words, the shortest first.
func (b Board) Words() [count]Word { return b.words }

// A Fault is one thing wrong with a board.
type Fault struct {
	Code string // stable and machine-readable
	Row  int    // from 1; 0 for the whole board
	Text string // what is wrong and what to do, in English
}

// faults gathers what ParseBoard finds.
type faults []Fault

func (fs *faults) add(code string, row int, format string, args ...any) {
	*fs = append(*fs, Fault{code, row, fmt.Sprintf(format, args...)})
}

// ParseBoard returns the board, or every fault of it (instant:4.2): letters and squares,
// five words of 3 to 7 letters with no letter twice, all hanging together, each of which
// some rack completes alone and may carry the multipliers that its prize can have.
func ParseBoard(g Grid) (Board, []Fault) {
	var fs faults
	for i, row := range g {
		if len(row) != Side {
			fs.add("board_size", i+1, "the row has %d squares: write %d letters or dots", len(row), Side)
			continue
		}
		if bad := strings.TrimLeft(row, ".ABCDEFGHIJKLMNOPQRSTUVWXYZ"); bad != "" {
			fs.add("board_letter", i+1, "the row holds %q: write capitals A to Z without accents, "+
				"and a dot for an empty square", bad[:1])
		}
	}
	if len(fs) > 0 {
		return Board{}, fs
	}
	b := Board{grid: g}
	b.findWords(&fs)
	if len(fs) > 0 {
		return Board{}, fs
	}
	b.checkHold(&fs)
	b.checkReach(&fs)
	if len(fs) > 0 {
		return Board{}, fs
	}
	return b, nil
}

// runs returns every run of two letters or more, across and down.
func (b Board) runs() (list []Word) {
	for _, down := range []bool{false, true} {
		for line := range Side {
			var run Word
			for i := range Side + 1 {
				at := Word{Row: line, Col: i, Down: down}
				if down {
					at.Row, at.Col = i, line
				}
				if i < Side && b.Letter(Side*at.Row+at.Col) != 0 {
					if run.Text == "" {
						run = at
					}
					run.Text += string(b.Letter(Side*at.Row + at.Col))
					continue
				}
				if len(run.Text) > 1 {
					list = append(list, run)
				}
				run = Word{}
			}
		}
	}
	return list
}

// findWords sets the words, and finds those that are too short, too many, missing, or hold
// a letter twice.
func (b *Board) findWords(fs *faults) {
	for _, w := range b.runs() {
		row, n := w.Row+1, len(w.Text)
		if n < shortest {
			fs.add("accidental_word", row, "the letters %s touch and make a word of their own: "+
				"move a word", w.Text)
			continue
		}
		if first := b.words[n-shortest].Text; first != "" {
			fs.add("word_length_twice", row, "%s and %s both have %d letters: keep one word of each "+
				"length", first, w.Text, n)
			continue
		}
		b.words[n-shortest] = w
		for i := range w.Text {
			if strings.IndexByte(w.Text, w.Text[i]) < i {
				fs.add("letter_twice", row, "%s holds the letter %c twice: take another word",
					w.Text, w.Text[i])
				break
			}
		}
	}
	for i, w := range b.words {
		if w.Text == "" {
			fs.add("word_length_missing", 0, "there is no word of %d letters: set one", i+shortest)
		}
	}
}

// checkHold finds letters that stand in no word, and words that hang on no other.
func (b *Board) checkHold(fs *faults) {
	var through [cells]uint8 // words through each square
	for i, w := range b.words {
		for _, c := range w.Cells() {
			through[c] |= 1 << i
		}
	}
	reached := uint8(1)
	for range count { // each turn reaches further words, if there are any
		for _, t := range through {
			if t&reached != 0 {
				reached |= t
			}
		}
	}
	for c, t := range through {
		if t == 0 && b.Letter(c) != 0 {
			fs.add("letter_alone", c/Side+1, "the letter %c stands in no word: remove it", b.Letter(c))
		}
	}
	for i, w := range b.words {
		if reached>>i&1 == 0 {
			fs.add("words_apart", w.Row+1, "%s does not hang together with %s: let the words cross",
				w.Text, b.words[0].Text)
		}
	}
}

// checkReach finds prizes that the board cannot show. A word that holds all letters of
// another never stands complete alone; any other does, for words that hang together have
// 21 letters at most, and five others are left to fill the rack. A word needs a square
// for each multiplier that it may carry (instant:4.6).
func (b *Board) checkReach(fs *faults) {
	for _, w := range b.words {
		for _, in := range b.words {
			if w != in && lettersOf(w.Text)&^lettersOf(in.Text) == 0 {
				fs.add("outcome_unreachable", in.Row+1, "%s holds all letters of %s, and could not be "+
					"completed alone: take another word", in.Text, w.Text)
			}
		}
	}
	for _, o := range Outcomes() {
		if o.Factor > 1 && len(b.places(o.Letters, o.Factor)) == 0 {
			w := b.Word(o.Letters)
			fs.add("no_place_for_symbol", w.Row+1, "no letter of %s may carry the symbol × %d: "+
				"let fewer longer words cross it", w.Text, o.Factor)
		}
	}
}
