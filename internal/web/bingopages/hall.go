package bingopages

import (
	"boulier/internal/app"
	"boulier/internal/web"
)

// A hallVisit is a visit of the screen of a hall.
type hallVisit struct {
	bingoVisit
	Near app.BingoNear
}

// showBingoHall is the screen of a hall; nobody signs in for what everybody sees.
func (s *Section) showBingoHall(v *web.Visit) error {
	b, err := s.bingoVisit(v)
	if err != nil {
		return err
	}
	h := hallVisit{bingoVisit: b}
	if b.Round.ID != 0 {
		if h.Near, err = s.Bingo.Near(v.Context(), b.Round.ID); err != nil {
			return err
		}
	}
	return v.Show(b.view(v.T("bingo.hall"), true), bingoHallBody(h))
}
