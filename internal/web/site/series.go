package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// mountSeries adds the pages of the series of cards.
func (s *Site) mountSeries() {
	manage := s.May(app.ManageGames)
	for pattern, page := range map[string]web.Page{
		"GET /manage/series":                 s.showAllSeries,
		"GET /manage/series/new":             s.showNewSeries,
		"POST /manage/series/new":            s.makeSeries,
		"POST /manage/series/import":         s.importSeries,
		"GET /manage/series/{series}":        s.showSeries,
		"POST /manage/series/{series}/print": s.printSeries,
		"GET /manage/cards":                  s.showLook,
		"POST /manage/cards":                 s.lookCard,
	} {
		s.Shell.Handle(pattern, page, manage)
	}
}

func seriesPath(name ninety.Series) string { return "/manage/series/" + string(name) }

func seriesTopic(name ninety.Series) string { return seriesTopicPrefix + string(name) }

// CardsMade tells the page of a series how many of its cards are stored.
func (s *Site) CardsMade(name ninety.Series, done, total int) {
	s.Hub.Gauge(seriesTopic(name), "progress", fmt.Appendf(nil, `{"done":%d,"total":%d}`, done, total))
}

func (s *Site) showAllSeries(v *web.Visit) error {
	all, err := s.Cards.AllSeries(v.Context())
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("series.title"), Accent: ui.Loto}, allSeriesBody(all))
}

func (s *Site) showNewSeries(v *web.Visit) error {
	return s.newSeriesAgain(v, http.StatusOK, nil, nil)
}

func (s *Site) newSeriesAgain(v *web.Visit, status int, form *web.Form, faults []app.SeriesFault,
	notices ...ui.Notice) error {
	return v.ShowStatus(status, ui.View{Title: v.T("series.new"), Accent: ui.Loto},
		newSeriesBody(form, faults), notices...)
}

// seriesFields are what both forms ask; each form has names of its own.
type seriesFields struct {
	name          ninety.Series
	title, colour string
}

func readSeriesFields(v *web.Visit, form *web.Form, prefix string) (f seriesFields) {
	f.name = ninety.Series(strings.ToUpper(form.Text(prefix+"name", 8)))
	f.title = form.Text(prefix+"title", 40)
	if f.colour = form.Optional(prefix+"colour", 20); f.colour != "" {
		if _, err := print.ParseColour(f.colour); err != nil {
			form.Wrong(prefix+"colour", v.T("series.colour.wrong"))
		}
	}
	return f
}

// makeSeries orders a series; its cards are made behind the answer.
func (s *Site) makeSeries(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	f := readSeriesFields(v, form, "")
	o := app.MadeSeries{Request: app.RequestID(form.Request), By: v.Person.ID, Name: f.name, Title: f.title,
		Colour: f.colour, Sheets: int(form.Count("sheets", 1, app.MaxSheets)), Value: amountOrNone(v, form, "value")}
	if !form.OK() {
		return s.newSeriesAgain(v, http.StatusUnprocessableEntity, form, nil, form.Notice())
	}
	err = s.Cards.Order(v.Context(), o)
	if notice, refused := v.Refused(err); refused {
		return s.newSeriesAgain(v, http.StatusUnprocessableEntity, form, nil, notice)
	}
	if err != nil {
		return err
	}
	ctx := context.WithoutCancel(v.Context())
	go func() {
		if err := s.Cards.MakeWanted(ctx); err != nil {
			s.Ground.Log.Error("a series could not be made; it is tried again at the next order or start", "error", err)
		}
	}()
	return v.Redirect(seriesPath(f.name), web.Done("series_ordered", "Name", string(f.name)))
}

// maxCardFile bounds a file that is uploaded, in bytes: half a million cards. Larger ones
// are for the command line.
const maxCardFile = 64 << 20

// importSeries registers a printer's file, or shows all that is wrong with it.
func (s *Site) importSeries(v *web.Visit) error {
	form, file, err := v.Upload("file", maxCardFile)
	if err != nil {
		return err
	}
	f := readSeriesFields(v, form, "p-")
	order := app.SeriesFile{Request: app.RequestID(form.Request), By: v.Person.ID, Name: f.name, Title: f.title,
		Colour: f.colour, Profile: form.Choice("p-profile", profiles...), Value: amountOrNone(v, form, "p-value"),
		File: file.Name, Body: file.Body}
	if !form.OK() {
		return s.newSeriesAgain(v, http.StatusUnprocessableEntity, form, nil, form.Notice())
	}
	series, faults, err := s.Cards.Import(v.Context(), order)
	if len(faults) > 0 {
		return s.newSeriesAgain(v, http.StatusUnprocessableEntity, form, faults, ui.Notice{Tone: ui.Danger,
			Title: v.Words.N("series.faults", int64(len(faults))), Text: v.T("series.faults.text")})
	}
	if notice, refused := v.Refused(err); refused {
		return s.newSeriesAgain(v, http.StatusUnprocessableEntity, form, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(seriesPath(series.Name), web.Done("series_imported", "Name", string(series.Name)))
}

// profiles are the national variants of cards, in the order of the form.
var profiles = []string{"fr", "no-triple", "free"}

func (s *Site) showSeries(v *web.Visit) error { return s.seriesAgain(v, http.StatusOK, nil) }

func (s *Site) seriesAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	series, number, err := s.Cards.Series(v.Context(), ninety.Series(v.Path("series")))
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	live := ""
	if !series.Registered {
		live = seriesTopic(series.Name) + ":" + strconv.FormatUint(number, 10)
	}
	return v.ShowStatus(status, ui.View{Title: v.T("series.one", "Name", string(series.Name)), Accent: ui.Loto, Live: live},
		seriesBody(form, series), notices...)
}

// maxLogos bounds the partners' logos of a printing, in bytes together.
const maxLogos = 4 << 20

// printSeries sends the cards asked for as a PDF, made outside any transaction.
func (s *Site) printSeries(v *web.Visit) error {
	form, logos, err := v.Uploads("logos", maxLogos)
	if err != nil {
		return err
	}
	series, _, err := s.Cards.Series(v.Context(), ninety.Series(v.Path("series")))
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	first, last := int64(series.First), int64(series.Last)
	o := app.CardPrint{Request: app.RequestID(form.Request), By: v.Person.ID, Series: series.Name,
		From: int(form.Count("from", first, last)), To: int(form.Count("to", first, last)),
		Title: series.Title, Value: v.Words.Amount(series.Value),
		Labels: print.CardLabels{Series: v.T("series.word"), Card: v.T("series.card"), Stamp: v.T("series.stamp")}}
	for _, file := range logos {
		o.Logos = append(o.Logos, file.Body)
	}
	o.PerPage, _ = strconv.Atoi(form.Choice("layout", "2", "3", "6"))
	if !form.OK() {
		return s.seriesAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	name := fmt.Sprintf("cartons-%s-%d-%d.pdf", series.Name, o.From, o.To)
	err = s.Cards.Print(v.Context(), o, func() io.Writer { return v.Stream(name, "application/pdf") })
	if notice, refused := v.Refused(err); refused {
		return s.seriesAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	return v.Cut(err)
}

func (s *Site) showLook(v *web.Visit) error {
	return v.Show(ui.View{Title: v.T("series.look"), Accent: ui.Loto}, lookBody(nil, nil))
}

// lookCard shows a card; a code is sent in a form so that no address keeps it.
func (s *Site) lookCard(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	show := func(status int, found *app.CardFound, notices ...ui.Notice) error {
		return v.ShowStatus(status, ui.View{Title: v.T("series.look"), Accent: ui.Loto}, lookBody(form, found), notices...)
	}
	serial, code := app.ReadSerial(form.Text("serial", 60))
	if typed := form.Optional("code", 20); typed != "" {
		code = typed
	}
	if !form.OK() {
		return show(http.StatusUnprocessableEntity, nil, form.Notice())
	}
	found, err := s.Cards.Look(v.Context(), v.Person.ID, serial, code)
	if notice, refused := v.Refused(err); refused {
		return show(http.StatusNotFound, nil, notice)
	}
	if err != nil {
		return err
	}
	return show(http.StatusOK, &found)
}
