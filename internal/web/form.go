package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"boulier/internal/web/ui"
	"boulier/money"
)

// A Form reads the answers to a form and gathers what is wrong with them.
type Form struct {
	// Request identifies this form: it was made with it, and whatever the form does is
	// done once for it. It is a UUIDv7.
	Request uuid.UUID

	visit  *Visit
	values url.Values
	wrong  map[string]string
}

// Form reads the form that was posted. A form without its request identifier is
// damaged: 400.
func (v *Visit) Form() (*Form, error) {
	if err := v.parse(); err != nil {
		return nil, err
	}
	id, err := uuid.Parse(v.r.PostForm.Get("request"))
	if err != nil || id.Version() != 7 || len(v.r.PostForm.Get("request")) != 36 {
		return nil, &Refusal{Status: http.StatusBadRequest, Detail: "no request identifier in the form"}
	}
	return &Form{Request: id, visit: v, values: v.r.PostForm, wrong: make(map[string]string)}, nil
}

// Filled is a form that nobody has sent, with answers to begin with.
func (v *Visit) Filled(values url.Values) *Form {
	return &Form{visit: v, values: values, wrong: make(map[string]string)}
}

// Answer puts an answer into the form in place of the one that was sent.
func (f *Form) Answer(name string, values ...string) { f.values[name] = values }

// Forget takes an answer out of the form.
func (f *Form) Forget(name string) { delete(f.values, name) }

// parse reads the body within the limit of the shell.
func (v *Visit) parse() error {
	if v.r.PostForm != nil {
		return nil
	}
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, v.shell.config.MaxBody)
	if err := v.r.ParseForm(); err != nil {
		if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return large
		}
		return &Refusal{Status: http.StatusBadRequest, Detail: err.Error()}
	}
	return nil
}

// Raw returns an answer as it was sent, to show it again.
func (f *Form) Raw(name string) string { return f.values.Get(name) }

// Has reports whether the form holds an answer of this name at all, be it empty.
func (f *Form) Has(name string) bool { return f.values.Has(name) }

// All returns every answer of a name, such as the boxes that are ticked.
func (f *Form) All(name string) []string { return f.values[name] }

// Text returns an answer without the spaces around it: at least one character, at most
// max of them.
func (f *Form) Text(name string, max int) string {
	s := strings.TrimSpace(f.values.Get(name))
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		f.Wrong(name, f.visit.T("form.missing"))
	case n > max || !utf8.ValidString(s):
		f.Wrong(name, f.visit.T("form.long"))
	case strings.ContainsFunc(s, control):
		f.Wrong(name, f.visit.T("form.control"))
	}
	return s
}

// control reports whether a character is none that anyone types: not every database keeps
// them. Lines may end.
func control(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }

// Secret returns an answer exactly as typed: a password.
func (f *Form) Secret(name string, max int) string {
	s := f.values.Get(name)
	switch {
	case s == "":
		f.Wrong(name, f.visit.T("form.missing"))
	case len(s) > max:
		f.Wrong(name, f.visit.T("form.long"))
	}
	return s
}

// Optional is Text for an answer that may be empty.
func (f *Form) Optional(name string, max int) string {
	if strings.TrimSpace(f.values.Get(name)) == "" {
		return ""
	}
	return f.Text(name, max)
}

// Amount returns an answer in euros that is more than zero.
func (f *Form) Amount(name string) money.Cents {
	c, err := money.Parse(strings.TrimSpace(f.values.Get(name)))
	if err != nil || c <= 0 {
		f.Wrong(name, f.visit.T("form.amount"))
		return 0
	}
	return c
}

// spaces are those that people write between thousands, and that pages show.
var spaces = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "")

// Count returns a whole number from min to max; thousands may stand apart.
func (f *Form) Count(name string, min, max int64) int64 {
	n, err := strconv.ParseInt(spaces.Replace(strings.TrimSpace(f.values.Get(name))), 10, 64)
	if err != nil || n < min || n > max {
		f.Wrong(name, f.visit.T("form.count",
			"Min", f.visit.Words.Count(min), "Max", f.visit.Words.Count(max)))
		return min
	}
	return n
}

// Date returns a day, at midnight UTC.
func (f *Form) Date(name string) time.Time {
	t, err := time.Parse(time.DateOnly, f.values.Get(name))
	if err != nil {
		f.Wrong(name, f.visit.T("form.date"))
	}
	return t
}

// Choice returns one of the values offered.
func (f *Form) Choice(name string, offered ...string) string {
	s := f.values.Get(name)
	if !slices.Contains(offered, s) {
		f.Wrong(name, f.visit.T("form.choice"))
		return ""
	}
	return s
}

// Agreed reports whether a box is ticked; one that is needed and is not is wrong.
func (f *Form) Agreed(name string, needed bool) bool {
	yes := f.values.Get(name) == "yes"
	if needed && !yes {
		f.Wrong(name, f.visit.T("form.missing"))
	}
	return yes
}

// Wrong says in words what is wrong with an answer; the first one counts.
func (f *Form) Wrong(name, words string) {
	if f.wrong[name] == "" {
		f.wrong[name] = words
	}
}

// OK reports whether nothing is wrong.
func (f *Form) OK() bool { return len(f.wrong) == 0 }

// Field gives a question what was answered and what is wrong with it. A nil form gives
// nothing, so that a page builds its questions in one way.
func (f *Form) Field(q ui.Field) ui.Field {
	if f == nil {
		return q
	}
	q.Error = f.wrong[q.Name]
	if q.Type != "password" {
		q.Value = f.values.Get(q.Name)
	}
	q.Checked = f.values.Get(q.Name) == "yes"
	return q
}

// Notice tells that the form came back; the fields say why.
func (f *Form) Notice() ui.Notice {
	return ui.Notice{
		Tone:  ui.Danger,
		Title: f.visit.T("form.wrong.title"),
		Text:  f.visit.T("form.wrong.text"),
	}
}
