package site

import (
	"strconv"
	"time"

	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// mountDay adds the report of a day, for managers and inspectors.
func (s *Site) mountDay() {
	read := s.MayAny(app.ManageGames, app.Inspect)
	s.Shell.Handle("GET /manage/days", s.showDay, read)
	s.Shell.Handle("GET /manage/days.csv", s.dayCSV, read)
}

// dayOf reads the day that is asked for; today by default.
func (s *Site) dayOf(v *web.Visit) time.Time {
	if t, err := time.Parse(time.DateOnly, v.Query("day")); err == nil {
		return t
	}
	return s.Ground.Now().In(s.Ground.Zone)
}

func (s *Site) showDay(v *web.Visit) error {
	r, err := s.Ground.DayReport(v.Context(), s.dayOf(v))
	if err != nil {
		return err
	}
	settings, err := s.Ground.Settings(v.Context())
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("day.title")}, dayBody(r, settings.Operator))
}

func (s *Site) dayCSV(v *web.Visit) error {
	r, err := s.Ground.DayReport(v.Context(), s.dayOf(v))
	if err != nil {
		return err
	}
	head, err := s.SheetHead(v, v.T("day.title"), v.Words.Moment(r.From)+" – "+v.Words.Moment(r.To))
	if err != nil {
		return err
	}
	sheet := print.Sheet{Head: head, Nothing: v.T("report.nothing")}
	if !r.Empty() {
		sheet.Parts = []print.Part{dayPart(v, r), desksPart(v, r)}
	}
	return pages.SheetCSV(v, "boulier-jour-"+r.Day+".csv", sheet)
}

// dayPart is the money of a day: what players had before, what moved, what they had after.
func dayPart(v *web.Visit, r app.DayReport) print.Part {
	part := print.Part{Title: v.T("day.held"), Columns: []print.Column{{Label: v.T("day.line")},
		{Label: v.T("statement.amount"), Numeric: true}}}
	for _, l := range dayLines(r) {
		part.Rows = append(part.Rows, []string{v.T(l.key), pages.Decimal(v.Words, l.amount)})
	}
	return part
}

func desksPart(v *web.Visit, r app.DayReport) print.Part {
	part := print.Part{Title: v.T("day.desks"), Columns: []print.Column{{Label: v.T("receipt.desk")},
		{Label: v.T("drawer.means")}, {Label: v.T("day.loads"), Numeric: true}, {Label: v.T("day.payouts"), Numeric: true},
		{Label: v.T("day.undone"), Numeric: true}, {Label: v.T("drawer.difference"), Numeric: true}}}
	for _, d := range r.Desks {
		part.Rows = append(part.Rows, []string{d.Desk, v.T("means." + string(d.Means)), pages.Decimal(v.Words, d.Loads),
			pages.Decimal(v.Words, d.PayOuts), strconv.FormatInt(d.Undone, 10), pages.Decimal(v.Words, d.Difference)})
	}
	return part
}
