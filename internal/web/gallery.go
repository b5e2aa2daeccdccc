package web

import (
	"context"
	"net/http"
	"strconv"

	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/money"
)

// mountGallery adds the pages that show every part in use.
func (s *Shell) mountGallery() {
	s.Handle("GET /style", showGallery)
	s.Handle("GET /style/example", showExample)
	s.Handle("POST /style/example", postExample)
	s.Handle("GET /style/problem/{status}", showGalleryProblem)
	s.Handle("GET /style/receipt", func(v *Visit) error {
		return v.Show(ui.View{Title: v.T("style.receipt")}, receiptPage(v.Now()))
	})
}

// showGallery answers GET /style?accent=loto.
func showGallery(v *Visit) error {
	accent := ui.Accent(v.Query("accent"))
	switch accent {
	case ui.NoAccent, ui.Instant, ui.Loto, ui.Bingo, ui.Contest:
	default:
		return NotFound
	}
	return v.Show(ui.View{Title: v.T("style.title"), Accent: accent}, gallery(accent, v.Now()))
}

// showGalleryProblem answers with the error page of a status.
func showGalleryProblem(v *Visit) error {
	status, err := strconv.Atoi(v.Path("status"))
	if err != nil || !v.Words.Has("problem."+strconv.Itoa(status)+".title") {
		return NotFound
	}
	if status == http.StatusInternalServerError {
		panic("the gallery shows what a panic looks like")
	}
	return &Refusal{Status: status}
}

// amountText writes an amount in words, for a place of a message.
func amountText(ctx context.Context, c money.Cents) string { return locales.From(ctx).Amount(c) }
