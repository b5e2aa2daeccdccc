package pages

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"time"

	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/web"
	"boulier/internal/web/ui"
	"boulier/money"
)

// A statement is the movements of a person's account in an interval, oldest first
// (std:15).
type statement struct {
	who      ui.Person
	from, to time.Time // closed at the start, open at the end
	made     time.Time
	opening  money.Cents // the balance before the first movement
	moves    []app.Movement
}

// readStatement reads the interval that the address asks for, in days of the house's zone;
// without dates everything up to now.
func (h *House) readStatement(v *web.Visit, who ui.Person) (statement, error) {
	st := statement{who: who, made: h.Ground.Now()}
	st.to = st.made.Add(time.Microsecond)
	for name, end := range map[string]*time.Time{"from": &st.from, "to": &st.to} {
		if v.Query(name) == "" {
			continue
		}
		day, err := time.ParseInLocation(time.DateOnly, v.Query(name), h.Ground.Zone)
		if err != nil {
			return st, &web.Refusal{Status: http.StatusBadRequest, Detail: "not a date: " + name}
		}
		if name == "to" {
			day = day.AddDate(0, 0, 1)
		}
		*end = day
	}
	before, opened := app.Cursor{}, false
	for {
		moves, err := h.Instant.Statement(v.Context(), who.ID, before, 500)
		if err != nil {
			return st, err
		}
		for _, m := range moves {
			before = app.Cursor{At: m.ID, Line: m.Line}
			if m.At.Before(st.from) && !opened {
				_, st.opening = signed(who, m)
				opened = true
			}
			if !m.At.Before(st.from) && m.At.Before(st.to) {
				st.moves = append(st.moves, m)
			}
		}
		if len(moves) < 500 || moves[len(moves)-1].At.Before(st.from) {
			slices.Reverse(st.moves)
			return st, nil
		}
	}
}

// StatementAsCSV gives somebody's statement as a spreadsheet.
func (h *House) StatementAsCSV(v *web.Visit, who ui.Person) error {
	st, err := h.readStatement(v, who)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	out.WriteString("\ufeff")
	w := csv.NewWriter(&out)
	w.Comma = ';'
	w.Write([]string{v.T("statement.when"), v.T("statement.what"), v.T("statement.ref"),
		v.T("statement.amount"), v.T("statement.after"), v.T("statement.id")})
	for _, m := range st.moves {
		amount, after := signed(st.who, m)
		w.Write([]string{m.At.In(h.Ground.Zone).Format(time.DateTime), v.T("movement." + m.Kind), m.Ref,
			Decimal(v.Words, amount), Decimal(v.Words, after), CursorText(m.ID, m.Line)})
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return v.File("boulier-releve.csv", "text/csv; charset=utf-8", out.Bytes())
}

// StatementAsPDF gives somebody's statement on paper, with a checkpoint that covers all of it.
func (h *House) StatementAsPDF(v *web.Visit, who ui.Person) error {
	st, err := h.readStatement(v, who)
	if err != nil {
		return err
	}
	checkpoint, err := h.Ground.CheckpointNow(v.Context())
	if err != nil {
		return err
	}
	head, err := h.statementHead(v, st, checkpoint)
	if err != nil {
		return err
	}
	p := print.Statement{
		Title: v.T("account.statement"), Made: st.made, Empty: v.T("account.empty"),
		Head: head,
		Columns: [5]string{v.T("statement.id"), v.T("statement.when"), v.T("statement.what"),
			v.T("statement.amount"), v.T("statement.after")},
		Opening: st.opening, Before: v.T("statement.before"), Total: v.T("statement.total"), Page: v.T("statement.page"),
		Amount: v.Words.Amount,
	}
	for _, m := range st.moves {
		amount, after := signed(st.who, m)
		p.Lines = append(p.Lines, print.StatementLine{ID: CursorText(m.ID, m.Line), When: v.Words.Moment(m.At),
			What: strings.TrimSpace(v.T("movement."+m.Kind) + " " + m.Ref), Amount: amount, After: after})
	}
	var out bytes.Buffer
	if err := print.WriteStatement(&out, p); err != nil {
		return err
	}
	return v.File("boulier-releve.pdf", "application/pdf", out.Bytes())
}

// statementHead says whose statement it is, of which time, and which checkpoint covers it
// (std:26).
func (h *House) statementHead(v *web.Visit, st statement, c app.CheckpointRecord) ([][2]string, error) {
	settings, err := h.Ground.Settings(v.Context())
	if err != nil {
		return nil, err
	}
	operator := cmp.Or(settings.Operator, v.T("brand.name"))
	if settings.Address != "" {
		operator += ", " + settings.Address
	}
	_, root, _ := strings.Cut(c.Note, "\n")
	_, root, _ = strings.Cut(root, "\n")
	root, _, _ = strings.Cut(root, "\n")
	interval := v.T("statement.until", "To", v.Words.Moment(st.to.Add(-time.Microsecond)))
	if !st.from.IsZero() {
		interval = v.T("statement.between", "From", v.Words.Moment(st.from),
			"To", v.Words.Moment(st.to.Add(-time.Microsecond)))
	}
	return [][2]string{
		{v.T("statement.operator"), operator},
		{v.T("statement.player"), st.who.Name + ", " + st.who.ID.String()},
		{v.T("statement.interval"), interval},
		{v.T("statement.made"), v.Words.Moment(st.made)},
		{v.T("statement.checkpoint"), v.T("statement.checkpoint.value", "Size", v.Words.Count(c.Size), "Root", root)},
		{v.T("footer.key"), h.Ground.Sealer.Fingerprint()},
	}, nil
}
