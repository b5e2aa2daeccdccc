package cardfile

import (
	"fmt"
	"slices"

	"boulier/game/ninety"
)

// A Set is the cards of one file, in its order.
type Set struct {
	File   string
	Series ninety.Series // if the file says one, and only one
	Lined  bool          // the file says in which row each number stands
	Cards  []Card
}

// A Card is one card as a file shows it, right or wrong.
type Card struct {
	Line    int    // where it starts in the file, from 1
	Code    string // its code, reference or number in the file; its rank if there is none
	Sheet   int    // the number of its sheet, if the file says it, else 0
	Grid    ninety.Grid
	Numbers []ninety.Ball // what the file shows instead of a grid, in a set without rows
}

// numbers returns the card's numbers as a set; wrong ones are left out.
func (c *Card) numbers() (s ninety.BallSet) {
	for _, b := range c.Numbers {
		if b.Valid() {
			s = s.With(b)
		}
	}
	for i := range c.Grid {
		s = s.Union(c.row(i))
	}
	return s
}

// row returns the numbers of a row of the grid as a set; wrong ones are left out.
func (c *Card) row(i int) (s ninety.BallSet) {
	for _, b := range c.Grid[i] {
		if b.Valid() {
			s = s.With(b)
		}
	}
	return s
}

// An Error says where a file cannot be read, why, and what to do.
type Error struct {
	File string
	Line int // from 1
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text) }

// maxSize bounds a file: a million cards take 80 MB.
const maxSize = 512 << 20

// Read returns the cards of a file from its content; name is for errors, which are of
// type *Error. A set without any card is refused.
func Read(name string, data []byte) (*Set, error) {
	r := &reader{set: &Set{File: name}, line: 1}
	text, err := r.decode(data)
	if err == nil {
		if first := firstByte(text); first == '[' || first == '{' {
			err = r.json(text)
		} else {
			err = r.lines(text)
		}
	}
	if err == nil && len(r.set.Cards) == 0 {
		err = r.fail("there is no card in this file")
	}
	if err != nil {
		return nil, err
	}
	return r.set, nil
}

// reader is the state of reading one file.
type reader struct {
	set  *Set
	line int
	rows []ninety.Ball // of a card whose other rows are still to come, nine each
	from int           // the line of its first row
	kind shape         // of the file, once known
}

// shape is what a line, or an array of numbers, shows.
type shape int

const (
	unknown    shape = 0
	shapeRow   shape = 9  // one row of a card
	shapeNoRow shape = 15 // the numbers of a card without rows
	shapeCard  shape = 27 // all places of a card
)

// fail returns an error at the current line.
func (r *reader) fail(format string, args ...any) error {
	return &Error{r.set.File, r.line, fmt.Sprintf(format, args...)}
}

// add takes the places of a line or of an array: a row, a whole card, or the numbers of
// a card without rows.
func (r *reader) add(places []ninety.Ball, card Card) error {
	kind := shape(len(places))
	switch {
	case kind != shapeRow && kind != shapeNoRow && kind != shapeCard:
		return r.fail("%d numbers and blanks: a row has 9, a card 27, a card without rows 15",
			len(places))
	case r.kind != unknown && kind != r.kind:
		return r.fail("%d numbers and blanks, after %d: keep one format in a file",
			len(places), r.kind)
	}
	r.kind = kind
	r.set.Lined = kind != shapeNoRow
	card.Line = r.line
	switch kind {
	case shapeNoRow:
		card.Numbers = append([]ninety.Ball(nil), places...)
	case shapeRow:
		if len(r.rows) == 0 {
			r.from = r.line
		}
		if r.rows = append(r.rows, places...); len(r.rows) < int(shapeCard) {
			return nil
		}
		places, card.Line = r.rows, r.from
		r.rows = r.rows[:0]
	}
	if kind != shapeNoRow {
		for i, b := range places {
			card.Grid[i/9][i%9] = b
		}
	}
	if card.Code == "" {
		card.Code = fmt.Sprint(len(r.set.Cards) + 1)
	}
	if list := r.set.Cards; len(list) == cap(list) {
		r.set.Cards = slices.Grow(list, len(list)+64) // to double: append would copy more often
	}
	r.set.Cards = append(r.set.Cards, card)
	return nil
}

// end refuses a card that stops after one or two rows.
func (r *reader) end() error {
	if n := len(r.rows) / 9; n != 0 {
		r.line = r.from
		return r.fail("the card that starts here has %d rows instead of 3", n)
	}
	return nil
}

// join notes the series of a card: a set has one, or none if the cards disagree.
func (r *reader) join(series string) {
	if len(r.set.Cards) == 0 {
		r.set.Series = ninety.Series(series)
	}
	if r.set.Series != ninety.Series(series) || !r.set.Series.Valid() {
		r.set.Series = ""
	}
}
