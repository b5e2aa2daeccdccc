package cardfile

import (
	"fmt"
	"strconv"
	"strings"
)

// header says what the columns of a table hold.
type header struct {
	width  int
	first  string         // the name of the first column
	places [shapeCard]int // the columns of the 27 places, by row
	code   int            // the column that names a card, or -1
	series int            // or -1
	sheet  int            // or -1
}

// newHeader returns the header that the fields are, or nil if they are none: a header
// names all 27 places, as L1C1 to L3C9 or as 1 to 27 beside a code.
func newHeader(fields []string) *header {
	at := map[string]int{}
	for i, f := range fields {
		at[strings.ToLower(f)] = i
	}
	h := &header{len(fields), fields[0], [shapeCard]int{}, find(at, "code", "ref", "number", "serial"),
		find(at, "series"), find(at, "sheet")}
	for _, name := range []func(i int) string{
		func(i int) string { return fmt.Sprintf("l%dc%d", i/9+1, i%9+1) },
		func(i int) string { return strconv.Itoa(i + 1) },
	} {
		all := true
		for i := range h.places {
			column, ok := at[name(i)]
			h.places[i], all = column, all && ok
		}
		if all && (h.code >= 0 || name(0) == "l1c1") {
			return h
		}
	}
	return nil
}

// find returns the column with the first of these names, or -1.
func find(at map[string]int, names ...string) int {
	for _, name := range names {
		if i, ok := at[name]; ok {
			return i
		}
	}
	return -1
}

// tableLine reads a line of a table with a header.
func (r *reader) tableLine(fields []string, h *header) error {
	if len(fields) != h.width {
		return r.fail("%d fields under a header of %d", len(fields), h.width)
	}
	var card Card
	if h.code >= 0 {
		if card.Code = fields[h.code]; card.Code == "" {
			return r.fail("the card has no code")
		}
	}
	if h.sheet >= 0 {
		n, err := strconv.Atoi(fields[h.sheet])
		if err != nil || n < 1 {
			return r.fail("%q is not the number of a sheet", clip(fields[h.sheet]))
		}
		card.Sheet = n
	}
	if h.series >= 0 {
		r.join(fields[h.series])
	}
	var at [shapeCard]string
	for i, column := range h.places {
		at[i] = fields[column]
	}
	places, err := r.places(at[:])
	if err != nil {
		return err
	}
	return r.add(places, card)
}
