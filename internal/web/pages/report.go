package pages

import (
	"boulier/internal/print"
	"boulier/internal/web"
)

// SheetHead is what every report begins with (std:26).
func (h *House) SheetHead(v *web.Visit, title, interval string) (print.Head, error) {
	settings, err := h.Ground.Settings(v.Context())
	if err != nil {
		return print.Head{}, err
	}
	operator := settings.Operator
	if operator == "" {
		operator = v.T("report.nobody")
	}
	return print.Head{Title: title, Lines: [][2]string{
		{v.T("report.operator"), operator},
		{v.T("report.interval"), interval},
		{v.T("report.made"), v.Words.Moment(h.Ground.Now())},
		{v.T("footer.key"), h.Ground.Sealer.Fingerprint()},
	}}, nil
}

// SheetCSV gives a paper as a spreadsheet.
func SheetCSV(v *web.Visit, name string, sheet print.Sheet) error {
	b, err := print.SheetCSV(sheet)
	if err != nil {
		return err
	}
	return v.File(name, "text/csv; charset=utf-8", b)
}
