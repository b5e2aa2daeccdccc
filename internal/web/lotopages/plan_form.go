package lotopages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// The questions that a plan asks once a row.
var (
	breakRows = pages.Rows{Name: "break", Cells: []string{"title", "at", "minutes"}}
	deskRows  = pages.Rows{Name: "desk", Cells: []string{"number", "mobility", "special"}}
	pileRows  = pages.Rows{Name: "pile", Cells: []string{"desk", "unit", "series", "from", "to"}}
)

// planAnswers are the answers of the form of a plan.
func (s *Section) planAnswers(v *web.Visit, p loto.Plan) *web.Form {
	zone := s.Ground.Zone
	yes := func(on bool) string {
		if on {
			return "yes"
		}
		return ""
	}
	a := url.Values{"title": {p.Title}, "date": {p.Start.In(zone).Format(time.DateOnly)},
		"doors": {p.Doors.In(zone).Format("15:04")}, "start": {p.Start.In(zone).Format("15:04")},
		"online": {strconv.Itoa(p.Online)}, "consent": {yes(p.Consent)}, "two": {yes(p.FixedTwo)}, "loose": {yes(p.LooseLast)},
		"walkins": {yes(p.WalkIns)}, "series": {yes(p.FreeSeries)}, "unclaimed": {yes(p.Unclaimed)}}
	for _, t := range p.Tariffs {
		a.Set("price-"+string(t.Unit), pages.AmountText(v.Words, t.Price))
	}
	for _, series := range p.Ordinary {
		a.Set("role-"+string(series), "ordinary")
	}
	a.Set("role-"+string(p.Special), "special")
	f := v.Filled(a)
	for _, b := range p.Breaks {
		breakRows.Add(f, b.Title, b.At.In(zone).Format("15:04"), strconv.Itoa(int(b.Length/time.Minute)))
	}
	for _, d := range p.Desks {
		deskRows.Add(f, strconv.Itoa(d.Number), yes(d.Mobility), yes(d.Special))
	}
	for _, q := range p.Piles {
		pileRows.Add(f, strconv.Itoa(q.Desk), string(q.Unit), string(q.Series), strconv.Itoa(q.From), strconv.Itoa(q.To))
	}
	return f
}

// changeLotoPlan changes what the day is as a whole: times, breaks, series, tariff, desks,
// piles, choices.
func (s *Section) changeLotoPlan(v *web.Visit) error {
	form, d, err := s.lotoForm(v)
	if err != nil {
		return err
	}
	for _, rows := range []pages.Rows{breakRows, deskRows, pileRows} {
		if rows.Changed(form) {
			return s.lotoPlanAgain(http.StatusOK, d, form, ui.Notice{Tone: ui.Info, Title: v.T("loto.rows.unsaved")})
		}
	}
	all, err := s.Cards.AllSeries(v.Context())
	if err != nil {
		return err
	}
	p := s.planOf(v, form, d.Session.Plan, all)
	if !form.OK() {
		return s.lotoPlanAgain(http.StatusUnprocessableEntity, d, form, form.Notice())
	}
	return s.planned(v, d, form, p, lotoManagePath(d.ID))
}

// planOf reads the plan that a form makes of another one.
func (s *Section) planOf(v *web.Visit, form *web.Form, p loto.Plan, all []app.SeriesState) loto.Plan {
	date := form.Date("date")
	p.Title = form.Text("title", 60)
	p.Doors, p.Start = s.clockOn(v, form, "doors", date), s.clockOn(v, form, "start", date)
	p.Tariffs = nil
	for _, u := range loto.Units {
		if name := "price-" + string(u); u == loto.OneCard || strings.TrimSpace(form.Raw(name)) != "" {
			p.Tariffs = append(p.Tariffs, loto.Tariff{Unit: u, Price: form.Amount(name)})
		}
	}
	p.Ordinary, p.Special = nil, ""
	for _, of := range all {
		switch role := form.Raw("role-" + string(of.Name)); {
		case role == "ordinary":
			p.Ordinary = append(p.Ordinary, of.Name)
		case role == "special" && p.Special != "":
			form.Wrong("role-"+string(of.Name), v.T("loto.role.twice"))
		case role == "special":
			p.Special = of.Name
		}
	}
	p.Breaks, p.Desks, p.Piles = s.breaksOf(v, form, date), desksOf(form), pilesOf(form, all)
	p.Consent, p.FixedTwo, p.LooseLast = form.Agreed("consent", false), form.Agreed("two", false), form.Agreed("loose", false)
	p.Online = int(form.Count("online", 0, 100_000))
	p.WalkIns, p.FreeSeries, p.Unclaimed = form.Agreed("walkins", false), form.Agreed("series", false), form.Agreed("unclaimed", false)
	return p
}

func (s *Section) breaksOf(v *web.Visit, form *web.Form, date time.Time) (list []loto.Break) {
	for i := range breakRows.Count(form) {
		if !breakRows.Empty(form, i) {
			list = append(list, loto.Break{Title: form.Text(breakRows.Field(i, "title"), 60),
				At:     s.clockOn(v, form, breakRows.Field(i, "at"), date),
				Length: time.Duration(form.Count(breakRows.Field(i, "minutes"), 1, 600)) * time.Minute})
		}
	}
	return list
}

func desksOf(form *web.Form) (list []loto.Desk) {
	for i := range deskRows.Count(form) {
		if !deskRows.Empty(form, i) {
			list = append(list, loto.Desk{Number: int(form.Count(deskRows.Field(i, "number"), 1, int64(app.MaxDesks))),
				Mobility: form.Agreed(deskRows.Field(i, "mobility"), false), Special: form.Agreed(deskRows.Field(i, "special"), false)})
		}
	}
	return list
}

func pilesOf(form *web.Form, all []app.SeriesState) (list []loto.Pile) {
	var units, names []string
	for _, u := range loto.Units {
		units = append(units, string(u))
	}
	for _, s := range all {
		names = append(names, string(s.Name))
	}
	for i := range pileRows.Count(form) {
		field := func(cell string) string { return pileRows.Field(i, cell) }
		if strings.TrimSpace(form.Raw(field("desk"))+form.Raw(field("from"))+form.Raw(field("to"))) == "" {
			continue // unit and series are never empty
		}
		list = append(list, loto.Pile{Desk: int(form.Count(field("desk"), 1, int64(app.MaxDesks))),
			Unit: loto.Unit(form.Choice(field("unit"), units...)), Series: ninety.Series(form.Choice(field("series"), names...)),
			From: int(form.Count(field("from"), 1, 99_999_999)), To: int(form.Count(field("to"), 1, 99_999_999))})
	}
	return list
}

// registered keeps the series whose cards are all there.
func registered(all []app.SeriesState) []app.SeriesState {
	return slices.DeleteFunc(slices.Clone(all), func(s app.SeriesState) bool { return !s.Registered })
}
