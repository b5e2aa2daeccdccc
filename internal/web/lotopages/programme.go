package lotopages

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"boulier/game/loto"
	"boulier/internal/app"
	"boulier/internal/lotofile"
	"boulier/internal/print"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// maxProgramme bounds the file of a programme, in bytes.
const maxProgramme = 4 << 20

// mountLotoProgramme adds the pages of a programme in a spreadsheet, of pictures, and the
// rehearsal.
func (s *Section) mountLotoProgramme() {
	manage := s.May(app.ManageGames)
	for pattern, page := range map[string]web.Page{
		"GET /manage/loto/{day}/programme.csv":  s.programmeCSV,
		"GET /manage/loto/{day}/programme.xlsx": s.programmeXLSX,
		"POST /manage/loto/{day}/programme":     s.importProgramme,
		"GET /manage/loto/{day}/pictures":       s.showPictures,
		"POST /manage/loto/{day}/pictures":      s.setPicture,
		"POST /manage/loto/{day}/pictures/gone": s.removePicture,
		"POST /manage/loto/{day}/rehearse":      s.rehearse,
	} {
		s.Shell.Handle(pattern, page, manage)
	}
	s.Shell.Handle("GET /pictures/loto/{name}", s.lotoPicture)
}

func (s *Section) programmeCSV(v *web.Visit) error {
	return s.programmeFile(v, "csv", "text/csv; charset=utf-8", print.SheetCSV)
}

func (s *Section) programmeXLSX(v *web.Visit) error {
	return s.programmeFile(v, "xlsx", xlsxKind, print.SheetXLSX)
}

// xlsxKind is the media type of a workbook.
const xlsxKind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// programmeFile sends the programme as a table that can be changed and read again.
func (s *Section) programmeFile(v *web.Visit, ext, kind string, write func(print.Sheet) ([]byte, error)) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	head, rows := lotofile.Table(d.Session.Plan.Rounds, v.Words.Lang())
	part := print.Part{Rows: rows}
	for _, label := range head {
		part.Columns = append(part.Columns, print.Column{Label: label})
	}
	body, err := write(print.Sheet{Made: v.Now(), Parts: []print.Part{part}})
	if err != nil {
		return err
	}
	return v.File("programme-loto-"+d.ID.String()+"."+ext, kind, body)
}

// importProgramme replaces the rounds by those of a table, or shows all that is wrong with it.
func (s *Section) importProgramme(v *web.Visit) error {
	form, file, err := v.Upload("file", maxProgramme)
	if err != nil {
		return err
	}
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	if !form.OK() {
		return s.lotoPlanAgain(http.StatusUnprocessableEntity, d, nil, form.Notice())
	}
	rounds, faults := lotofile.Read(file.Body)
	if len(faults) > 0 {
		return d.ShowStatus(http.StatusUnprocessableEntity, ui.View{Title: d.T("loto.sheet"), Accent: ui.Loto},
			programmeFaultsBody(d, faults), ui.Notice{Tone: ui.Danger, Title: v.Words.N("loto.sheet.faults", int64(len(faults)))})
	}
	p := d.Session.Plan
	for i := range min(len(rounds), len(p.Rounds)) {
		keepPictures(&rounds[i], p.Rounds[i])
	}
	p.Rounds = rounds
	return s.planned(v, d, form, p, lotoManagePath(d.ID))
}

// keepPictures leaves the pictures with the prizes of the same stage and name.
func keepPictures(r *loto.Round, was loto.Round) {
	for i := range r.Prizes {
		for _, p := range was.Prizes {
			if p.Stage == r.Prizes[i].Stage && p.Name == r.Prizes[i].Name {
				r.Prizes[i].Picture = p.Picture
			}
		}
	}
}

func (s *Section) showPictures(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	return s.picturesAgain(http.StatusOK, d, nil)
}

func (s *Section) picturesAgain(status int, d lotoVisit, form *web.Form, notices ...ui.Notice) error {
	return d.ShowStatus(status, ui.View{Title: d.T("loto.pictures"), Accent: ui.Loto}, picturesBody(d, form), notices...)
}

// placeOf reads whose picture it is: « 3/1 », or « 0/0 » for a partner.
func placeOf(text string) (at app.PicturePlace, ok bool) {
	round, prize, _ := strings.Cut(text, "/")
	var err1, err2 error
	at.Round, err1 = strconv.Atoi(round)
	at.Prize, err2 = strconv.Atoi(prize)
	return at, err1 == nil && err2 == nil
}

func (s *Section) setPicture(v *web.Visit) error {
	form, file, err := v.Upload("file", app.MaxLotoPicture)
	if err != nil {
		return err
	}
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	at, ok := placeOf(form.Raw("place"))
	if !ok {
		form.Wrong("place", v.T("form.choice"))
	}
	if !form.OK() {
		return s.picturesAgain(http.StatusUnprocessableEntity, d, form, form.Notice())
	}
	err = s.Loto.SetPicture(v.Context(), d.act(form), at, file.Body)
	return s.pictureDone(d, form, err)
}

func (s *Section) removePicture(v *web.Visit) error {
	form, d, err := s.lotoForm(v)
	if err != nil {
		return err
	}
	at, ok := placeOf(form.Raw("place"))
	if !ok {
		return web.NotFound
	}
	return s.pictureDone(d, nil, s.Loto.RemovePicture(v.Context(), d.act(form), at, form.Raw("partner")))
}

func (s *Section) pictureDone(d lotoVisit, form *web.Form, err error) error {
	if notice, refused := d.Refused(err); refused {
		return s.picturesAgain(http.StatusUnprocessableEntity, d, form, notice)
	}
	if err != nil {
		return err
	}
	return d.Redirect(lotoManagePath(d.ID) + "/pictures")
}

// lotoPicture sends a picture; its name is its digest, so that a browser keeps it.
func (s *Section) lotoPicture(v *web.Visit) error {
	p, err := s.Loto.Picture(v.Context(), v.Path("name"))
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	return v.Picture(p.Kind, p.Body)
}

// rehearse makes a copy of the day with invented players, open for practice.
func (s *Section) rehearse(v *web.Visit) error {
	form, d, err := s.lotoForm(v)
	if err != nil {
		return err
	}
	id, err := s.Loto.Rehearse(v.Context(), d.act(form), v.T("loto.rehearsal.title", "Title", d.Session.Plan.Title))
	if notice, refused := v.Refused(err); refused {
		return s.lotoPlanAgain(http.StatusUnprocessableEntity, d, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(lotoPath(id), web.Done("loto_rehearsal"))
}

// copyOf returns the plan of an earlier day for another, if the form asks for one.
func (s *Section) copyOf(v *web.Visit, form *web.Form, o loto.Outline) (loto.Plan, bool, error) {
	if form.Raw("from") == "" {
		return loto.Plan{}, false, nil
	}
	days, err := s.Loto.Days(v.Context())
	if err != nil {
		return loto.Plan{}, false, err
	}
	i := slices.IndexFunc(days, func(d app.LotoDay) bool { return d.ID.String() == form.Raw("from") })
	if i < 0 {
		form.Wrong("from", v.T("form.choice"))
		return loto.Plan{}, true, nil
	}
	return days[i].Session.Plan.Again(o), true, nil
}
