package instantpages

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/web"
	"boulier/internal/web/pages"
)

// An issuePage is a report with what its page needs besides.
type issuePage struct {
	app.IssueReport
	wanted            int
	operator          string
	now               time.Time
	manages, inspects bool
}

// making reports whether blocks are still to be made.
func (p issuePage) making() bool { return !p.Closed && len(p.Blocks) < p.wanted }

// other is what the report sums besides one block: a live figure adds to it.
func (p issuePage) other(b app.BlockReport) (sold int64, stakes, paid int64) {
	return p.Sold - b.Sold, int64(p.Stakes - b.Stakes), int64(p.Paid - b.Paid)
}

// open returns the block on sale.
func (p issuePage) open() (app.BlockReport, bool) {
	for _, b := range p.Blocks {
		if b.Status == instant.BlockOpen {
			return b, true
		}
	}
	return app.BlockReport{}, false
}

// issueSheet is the report of an issue as rows.
func (s *Section) issueSheet(v *web.Visit) (print.Sheet, error) {
	r, err := s.reportOf(v)
	if err != nil {
		return print.Sheet{}, err
	}
	head, err := s.SheetHead(v, v.T("report.issue", "Title", r.Title, "Number", strconv.FormatInt(int64(r.Issue), 10)),
		v.Words.Moment(r.Window.Opens)+" – "+v.Words.Moment(endOf(r)))
	if err != nil {
		return print.Sheet{}, err
	}
	head.Lines = append(head.Lines, [2]string{v.T("report.return"), v.T("instant.percent", "Number", percentText(v.Words, r.Return))})
	sheet := print.Sheet{Head: head, Nothing: v.T("report.nothing"), Made: s.Ground.Now()}
	sheet.Parts = append(sheet.Parts, s.blocksPart(v, r))
	for _, b := range r.Blocks {
		if b.Given != nil {
			sheet.Parts = append(sheet.Parts, givenPart(v, r.Kind, b))
		}
	}
	return sheet, nil
}

// endOf is when an issue ended, or its published date.
func endOf(r app.IssueReport) time.Time {
	if r.Closed {
		return r.ClosedAt
	}
	return r.Window.Closes
}

func (s *Section) blocksPart(v *web.Visit, r app.IssueReport) print.Part {
	part := print.Part{Title: v.T("report.blocks"), Columns: []print.Column{
		{Label: v.T("report.block")}, {Label: v.T("report.status")}, {Label: v.T("report.onsale")},
		{Label: v.T("report.ended")}, {Label: v.T("report.sold"), Numeric: true}, {Label: v.T("report.unsold"), Numeric: true},
		{Label: v.T("report.stakes"), Numeric: true}, {Label: v.T("report.paid"), Numeric: true}}}
	for _, b := range r.Blocks {
		part.Rows = append(part.Rows, []string{strconv.Itoa(int(b.Number)), v.T(statusKey(b)),
			momentOrNone(v, b.OnSaleAt), momentOrNone(v, b.EndedAt), strconv.FormatInt(b.Sold, 10),
			strconv.FormatInt(b.Unsold(), 10), pages.Decimal(v.Words, b.Stakes), pages.Decimal(v.Words, b.Paid)})
	}
	if len(r.Blocks) > 0 {
		part.Rows = append(part.Rows, []string{v.T("report.total"), "", "", "", strconv.FormatInt(r.Sold, 10), "",
			pages.Decimal(v.Words, r.Stakes), pages.Decimal(v.Words, r.Paid)})
	}
	return part
}

// givenPart is the prizes of a block by amount, and what wins each in a word game; it exists
// only where they may be seen.
func givenPart(v *web.Visit, kind instant.Kind, b app.BlockReport) print.Part {
	part := print.Part{Title: v.T("report.given", "Number", strconv.Itoa(int(b.Number))), Columns: []print.Column{
		{Label: v.T("instant.table.amount"), Numeric: true}, {Label: v.T("instant.table.count"), Numeric: true},
		{Label: v.T("report.given.count"), Numeric: true}}}
	if kind == instant.Words {
		part.Columns = slices.Insert(part.Columns, 0, print.Column{Label: v.T("words.table.word")})
	}
	for _, g := range b.Given {
		row := []string{pages.Decimal(v.Words, g.Amount), strconv.FormatInt(g.Count, 10), strconv.FormatInt(g.Given, 10)}
		if kind == instant.Words {
			row = slices.Insert(row, 0, outcomeOf(v.Words, g.Amount))
		}
		part.Rows = append(part.Rows, row)
	}
	return part
}

func momentOrNone(v *web.Visit, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return v.Words.Moment(t)
}

// statusKey is the message of a block's status.
func statusKey(b app.BlockReport) string {
	switch {
	case b.Status == instant.BlockEnded && b.Reason != "":
		return "block.ended." + string(b.Reason)
	case b.Status == instant.BlockOpen:
		return "block.open"
	case b.Status == instant.BlockBroken:
		return "block.broken"
	case b.Revealed:
		return "block.unused"
	}
	return "block.ready"
}

func (s *Section) reportCSV(v *web.Visit) error {
	sheet, err := s.issueSheet(v)
	if err != nil {
		return err
	}
	return pages.SheetCSV(v, fmt.Sprintf("boulier-emission-%s.csv", v.Path("issue")), sheet)
}

func (s *Section) reportPDF(v *web.Visit) error {
	sheet, err := s.issueSheet(v)
	if err != nil {
		return err
	}
	pdf, err := print.SheetPDF(sheet)
	if err != nil {
		return err
	}
	return v.File(fmt.Sprintf("boulier-emission-%s.pdf", v.Path("issue")), "application/pdf", pdf)
}
