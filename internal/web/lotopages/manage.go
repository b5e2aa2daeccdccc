package lotopages

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// mountLotoManage adds the pages of the organizer.
func (s *Section) mountLotoManage() {
	manage := s.May(app.ManageGames)
	for pattern, page := range map[string]web.Page{
		"GET /manage/loto":                       s.showNewLoto,
		"POST /manage/loto":                      s.newLoto,
		"GET /manage/loto/{day}":                 s.showLotoPlan,
		"POST /manage/loto/{day}/plan":           s.changeLotoPlan,
		"GET /manage/loto/{day}/rounds/{round}":  s.showRoundPlan,
		"POST /manage/loto/{day}/rounds/{round}": s.changeRoundPlan,
		"POST /manage/loto/{day}/do/{act}":       s.lotoDayAct,
		"GET /manage/loto/{day}/reservations":    s.showReservations,
		"POST /manage/loto/{day}/reservations":   s.reserve,
		"GET /manage/loto/{day}/report":          s.showLotoReport,
		"GET /manage/loto/{day}/report.pdf":      s.lotoReportPDF,
		"GET /manage/loto/{day}/report.csv":      s.lotoReportCSV,
		"GET /manage/loto/{day}/report.xlsx":     s.lotoReportXLSX,
		"GET /manage/loto/{day}/board.html":      s.lotoBoard,
	} {
		s.Shell.Handle(pattern, page, manage)
	}
	s.mountLotoProgramme()
	s.mountLotoPrint()
	s.Shell.Handle("GET /loto", s.showLotos)
	s.Shell.Handle("GET /loto/{day}/rules.pdf", s.lotoRulesPDF)
}

func lotoManagePath(id app.LotoID) string { return "/manage/loto/" + id.String() }

// showLotos lists the days, the next ones first.
func (s *Section) showLotos(v *web.Visit) error {
	days, err := s.Loto.Days(v.Context())
	if err != nil {
		return err
	}
	slices.Reverse(days)
	return v.Show(ui.View{Title: v.T("nav.loto"), Accent: ui.Loto}, lotosBody(days, app.May(s.Who.Roles(v.Person.ID), app.ManageGames)))
}

func (s *Section) showNewLoto(v *web.Visit) error { return s.newLotoAgain(v, http.StatusOK, nil) }

func (s *Section) newLotoAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	series, err := s.Cards.AllSeries(v.Context())
	if err != nil {
		return err
	}
	days, err := s.Loto.Days(v.Context())
	if err != nil {
		return err
	}
	return v.ShowStatus(status, ui.View{Title: v.T("loto.new"), Accent: ui.Loto},
		newLotoBody(form, series, days, v.Now()), notices...)
}

// clockOn reads a time of day on a date, in the zone of the house.
func (s *Section) clockOn(v *web.Visit, form *web.Form, name string, date time.Time) time.Time {
	t, err := time.Parse("15:04", strings.TrimSpace(form.Raw(name)))
	if err != nil {
		form.Wrong(name, v.T("loto.clock"))
		return time.Time{}
	}
	y, m, d := date.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), 0, 0, s.Ground.Zone)
}

// newLoto makes a day from the usual plan.
func (s *Section) newLoto(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	date := form.Date("date")
	o := loto.Outline{Title: form.Text("title", 60), Doors: s.clockOn(v, form, "doors", date),
		Start: s.clockOn(v, form, "start", date), Desks: int(form.Count("desks", 2, 20)),
		Rounds: int(form.Count("rounds", 1, 60)), Cage: form.Agreed("cage", false), WalkIns: form.Agreed("walkins", false),
		Voucher: v.T("loto.usual.voucher"), Car: v.T("loto.usual.car"), Consolation: form.Text("consolation", 80),
		CarNote: v.T("loto.usual.car.note"), RoundTitle: v.T("loto.round")}
	if err := s.fillSeries(v, form, "ordinary", &o.Ordinary); err != nil {
		return err
	}
	if form.Raw("special") != "" {
		if err := s.fillSeries(v, form, "special", &o.Special); err != nil {
			return err
		}
	}
	if !form.OK() {
		return s.newLotoAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	o.Breaks = []loto.Break{{Title: v.T("loto.usual.meal"), At: o.Start.Add(90 * time.Minute), Length: 75 * time.Minute},
		{Title: v.T("loto.usual.interval"), At: o.Start.Add(270 * time.Minute), Length: 30 * time.Minute}}
	plan, copied, err := s.copyOf(v, form, o)
	if err != nil {
		return err
	}
	if !form.OK() {
		return s.newLotoAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	if !copied {
		plan = loto.Usual(o)
	}
	id, err := s.Loto.Create(v.Context(), app.NewLotoDay{Request: app.RequestID(form.Request), By: v.Person.ID, Plan: plan})
	if notice, refused := v.Refused(err); refused {
		return s.newLotoAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(lotoManagePath(id), web.Done("loto_made"))
}

// fillSeries reads a registered series and its cards.
func (s *Section) fillSeries(v *web.Visit, form *web.Form, name string, r *loto.SeriesRange) error {
	got, _, err := s.Cards.Series(v.Context(), ninety.Series(strings.ToUpper(form.Text(name, 8))))
	if errors.Is(err, app.ErrNotFound) || err == nil && !got.Registered {
		form.Wrong(name, v.T("violation.series_unknown"))
		return nil
	}
	*r = loto.SeriesRange{Series: got.Name, From: got.First, To: got.Last}
	return err
}

func (s *Section) showLotoPlan(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	return s.lotoPlanAgain(http.StatusOK, d, nil)
}

func (s *Section) lotoPlanAgain(status int, d lotoVisit, form *web.Form, notices ...ui.Notice) error {
	var faults []loto.Fault
	if d.Session.Phase == loto.Planning {
		var err error
		if faults, err = s.Loto.Faults(d.Context(), d.Session.Plan); err != nil {
			return err
		}
	}
	all, err := s.Cards.AllSeries(d.Context())
	if err != nil {
		return err
	}
	plan := form
	if plan == nil || !plan.Has("online") { // another form of the page was sent, or none
		plan = s.planAnswers(d.Visit, d.Session.Plan)
	}
	return d.ShowStatus(status, ui.View{Title: d.Session.Plan.Title, Accent: ui.Loto},
		lotoPlanBody(d, form, plan, s.Ground.Zone, faults, all), notices...)
}

// planned replaces the plan.
func (s *Section) planned(v *web.Visit, d lotoVisit, form *web.Form, p loto.Plan, to string) error {
	err := s.Loto.ChangePlan(v.Context(), d.act(form), p)
	if notice, refused := v.Refused(err); refused {
		return s.lotoPlanAgain(http.StatusUnprocessableEntity, d, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(to, web.Done("loto_changed"))
}

// roundOf reads which round of the plan the address names; one past the last is a new one.
func (s *Section) roundOf(v *web.Visit) (lotoVisit, int, loto.Round, error) {
	d, err := s.loto(v)
	if err != nil {
		return d, 0, loto.Round{}, err
	}
	n, err := strconv.Atoi(v.Path("round"))
	rounds := d.Session.Plan.Rounds
	switch {
	case err != nil || n < 1 || n > len(rounds)+1:
		return d, 0, loto.Round{}, web.NotFound
	case n > len(rounds) && len(rounds) > 0:
		r := rounds[0]
		r.Prizes = slices.Clone(r.Prizes)
		return d, n, r, nil
	case n > len(rounds):
		return d, n, loto.Round{}, nil
	}
	return d, n, rounds[n-1], nil
}

func (s *Section) showRoundPlan(v *web.Visit) error {
	d, n, r, err := s.roundOf(v)
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("loto.round.title", "Number", n, "Title", r.Title), Accent: ui.Loto}, roundPlanBody(d, nil, n, r))
}

// changeRoundPlan changes, adds or removes a round of the programme.
func (s *Section) changeRoundPlan(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	d, n, r, err := s.roundOf(v)
	if err != nil {
		return err
	}
	p := d.Session.Plan
	p.Rounds = slices.Clone(p.Rounds)
	if form.Raw("do") == "remove" && n <= len(p.Rounds) {
		p.Rounds = slices.Delete(p.Rounds, n-1, n)
		return s.planned(v, d, form, p, lotoManagePath(d.ID))
	}
	r = loto.Round{Title: form.Text("title", 60), Cage: form.Agreed("cage", false)}
	for stage := loto.StageQuine; stage.Valid(); stage++ {
		if form.Raw(stageField(stage, "kind")) != "" {
			r.Prizes = append(r.Prizes, prizeOf(form, stage, p))
		}
	}
	if !form.OK() {
		return v.ShowStatus(http.StatusUnprocessableEntity, ui.View{Title: v.T("loto.round"), Accent: ui.Loto},
			roundPlanBody(d, form, n, r), form.Notice())
	}
	if n <= len(p.Rounds) {
		keepPictures(&r, p.Rounds[n-1])
	}
	if n > len(p.Rounds) {
		p.Rounds = append(p.Rounds, r)
	} else {
		p.Rounds[n-1] = r
	}
	return s.planned(v, d, form, p, lotoManagePath(d.ID))
}

func stageField(s loto.Stage, name string) string { return fmt.Sprintf("s%d-%s", s, name) }

// prizeOf reads the prize of a stage. A car is an object for special cards alone.
func prizeOf(form *web.Form, stage loto.Stage, p loto.Plan) loto.Prize {
	field := func(name string) string { return stageField(stage, name) }
	kind := form.Choice(field("kind"), "voucher", "object", "car")
	out := loto.Prize{Stage: stage, Kind: loto.PrizeKind(kind), Name: form.Text(field("name"), 80),
		Consolation: form.Text(field("consolation"), 80), Note: form.Optional(field("note"), 120)}
	if kind == "car" {
		out.Kind, out.Car = loto.Object, true
	}
	if out.Kind == loto.Voucher {
		out.Amount, out.Smallest = form.Amount(field("amount")), form.Amount(field("smallest"))
	}
	for _, s := range append(slices.Clip(p.Ordinary), p.Special) {
		if s != "" && form.Agreed(field("series-"+string(s)), false) {
			out.Series = append(out.Series, s)
		}
	}
	return out
}

// postponement reads to when the day is moved, and why.
func (s *Section) postponement(v *web.Visit, form *web.Form) app.Postponement {
	date := form.Date("date")
	return app.Postponement{Doors: s.clockOn(v, form, "doors", date), Start: s.clockOn(v, form, "start", date),
		Reason: form.Text("reason", 200)}
}

// lotoDayAct opens, postpones or closes the day.
func (s *Section) lotoDayAct(v *web.Visit) error {
	form, d, err := s.lotoForm(v)
	if err != nil {
		return err
	}
	switch v.Path("act") {
	case "open":
		err = s.Loto.OpenDay(v.Context(), d.act(form))
	case "postpone":
		p := s.postponement(v, form)
		if !form.OK() {
			return s.lotoPlanAgain(http.StatusUnprocessableEntity, d, form, form.Notice())
		}
		err = s.Loto.Postpone(v.Context(), d.act(form), p)
	case "close":
		err = s.Loto.CloseDay(v.Context(), d.act(form), form.Raw("reason"))
	default:
		return web.NotFound
	}
	again := func(status int, d lotoVisit, notices ...ui.Notice) error {
		now, err := s.loto(v)
		if err != nil {
			return err
		}
		return s.lotoPlanAgain(status, now, nil, notices...)
	}
	return d.asked(err, again, lotoManagePath(d.ID))
}

// showReservations lists the reservations, and makes one.
func (s *Section) showReservations(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	return s.reservationsAgain(http.StatusOK, d, nil)
}

func (s *Section) reservationsAgain(status int, d lotoVisit, form *web.Form, notices ...ui.Notice) error {
	list, err := s.Loto.Reservations(d.Context(), d.ID)
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b app.LotoReservation) int { return b.MadeAt.Compare(a.MadeAt) })
	return d.ShowStatus(status, ui.View{Title: d.T("loto.reservations"), Accent: ui.Loto}, reservationsBody(d, form, list), notices...)
}

func (s *Section) reserve(v *web.Visit) error {
	form, d, err := s.lotoForm(v)
	if err != nil {
		return err
	}
	holder := form.Text("holder", 80)
	if !form.OK() {
		return s.reservationsAgain(http.StatusUnprocessableEntity, d, form, form.Notice())
	}
	code, err := s.Loto.Reserve(v.Context(), d.act(form), holder)
	if notice, refused := v.Refused(err); refused {
		return s.reservationsAgain(http.StatusUnprocessableEntity, d, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(lotoPath(d.ID) + "/r/" + code)
}

// faultWords says what keeps a day from opening, and where it stands.
func faultWords(v lotoVisit, f loto.Fault) string {
	var at []string
	if f.At.Round > 0 {
		at = append(at, v.T("loto.round.edit", "Number", f.At.Round))
	}
	if f.At.Stage.Valid() {
		at = append(at, stageName(v.Context(), f.At.Stage))
	}
	if f.At.Desk > 0 {
		at = append(at, v.T("desk.number", "Number", strconv.Itoa(f.At.Desk)))
	}
	if f.At.Unit.Cards() > 0 {
		at = append(at, v.T("loto.unit."+string(f.At.Unit)))
	}
	if f.At.To > 0 {
		at = append(at, v.T("loto.at.cards", "Series", string(f.At.Series), "From", f.At.From, "To", f.At.To))
	} else if f.At.Series != "" {
		at = append(at, v.T("loto.pile.series")+" "+string(f.At.Series))
	}
	if f.At.Break != "" {
		at = append(at, f.At.Break)
	}
	words := v.T("violation." + f.Code)
	if len(at) > 0 {
		words = v.T("loto.at", "Place", strings.Join(at, ", "), "Words", words)
	}
	return words
}
