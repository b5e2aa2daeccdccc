package instantpages

import (
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// history shows every unit ever bought; each can be seen again (instant:4.4.interrupted).
func (s *Section) history(v *web.Visit) error {
	units, err := s.Instant.History(v.Context(), v.Person.ID, pages.CursorOf(v.Query("before")), pages.PageSize+1)
	if err != nil {
		return err
	}
	earlier, later := "", ""
	if len(units) > pages.PageSize {
		units = units[:pages.PageSize]
		last := units[pages.PageSize-1]
		earlier = "/history?before=" + pages.CursorText(last.SoldAt.UnixMicro(), last.Unit.Number)
	}
	if v.Query("before") != "" {
		later = "/history"
	}
	return v.Show(ui.View{Title: v.T("nav.history"), Accent: ui.Instant}, historyBody(units, earlier, later))
}
