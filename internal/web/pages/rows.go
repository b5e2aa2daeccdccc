package pages

import (
	"strconv"
	"strings"

	"boulier/internal/web"
)

// Rows are questions of a form that are asked several times over, once a row, such as desks:
// a row is added and removed by a button, without scripts too. Cells are the names of the
// questions; the first one stands for its row. Row 2 asks « desk-2-number ».
type Rows struct {
	Name  string
	Cells []string
}

// Field is the name of a question in a row, from 0.
func (r Rows) Field(row int, cell string) string {
	return r.Name + "-" + strconv.Itoa(row) + "-" + cell
}

// Count is how many rows a form asks for.
func (r Rows) Count(f *web.Form) (n int) {
	for f.Has(r.Field(n, r.Cells[0])) {
		n++
	}
	return n
}

// Add puts a row with answers, in the order of the cells, at the end.
func (r Rows) Add(f *web.Form, answers ...string) {
	n := r.Count(f)
	for i, cell := range r.Cells {
		text := ""
		if i < len(answers) {
			text = answers[i]
		}
		f.Answer(r.Field(n, cell), text)
	}
}

// remove takes a row out; those below move up.
func (r Rows) remove(f *web.Form, row int) {
	last := r.Count(f) - 1
	for _, cell := range r.Cells {
		for i := row; i < last; i++ {
			f.Answer(r.Field(i, cell), f.Raw(r.Field(i+1, cell)))
		}
		f.Forget(r.Field(last, cell))
	}
}

// AddButton and GoneButton are the values of the buttons named « rows ».
func (r Rows) AddButton() string { return r.Name + "-add" }

// GoneButton is the value of the button that removes a row.
func (r Rows) GoneButton(row int) string { return r.Name + "-gone-" + strconv.Itoa(row) }

// Changed does what such a button asks for, and reports whether one was pressed. Nothing is
// saved by it: the form is shown again.
func (r Rows) Changed(f *web.Form) bool {
	pressed := f.Raw("rows")
	if pressed == r.AddButton() {
		r.Add(f)
		return true
	}
	text, ok := strings.CutPrefix(pressed, r.Name+"-gone-")
	row, err := strconv.Atoi(text)
	if !ok || err != nil || row < 0 || row >= r.Count(f) {
		return false
	}
	r.remove(f, row)
	return true
}

// Empty reports whether nothing is answered in a row: it counts as none.
func (r Rows) Empty(f *web.Form, row int) bool {
	for _, cell := range r.Cells {
		if strings.TrimSpace(f.Raw(r.Field(row, cell))) != "" {
			return false
		}
	}
	return true
}
