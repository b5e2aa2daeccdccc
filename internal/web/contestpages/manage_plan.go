package contestpages

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"boulier/game/contest"
	"boulier/internal/fixturefile"
	"boulier/internal/web"
	"boulier/internal/web/pages"
)

// A planView is the plan of a leg as its form holds it: texts, some of them unfinished.
type planView struct {
	title, starts, limit, list, places, count string
	common                                    string            // one limit for the whole slip (Reading C17)
	scale                                     map[string]string // by the names of scaleFields
	rows                                      []rowView
}

// A rowView is one fixture in the form.
type rowView struct {
	home, away, starts, limit, format string
	question, parent, points, offered string
	doubts                            []fixturefile.Doubt
}

// moreRows is how many empty rows a form offers.
const moreRows = 4

// formats are the formats of matches, in the order of the form.
var formats = []contest.Format{contest.DrawAllowed, contest.DrawBarred, contest.BestOf3, contest.BestOf5}

func (s *Section) minuteText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(s.Ground.Zone).Format(pages.MinuteLayout)
}

// viewOf shows a plan in its form.
func (s *Section) viewOf(p contest.Plan) planView {
	view := planView{title: p.Title, count: countKey(p.Count), scale: scaleTexts(p)}
	var places []string
	for _, n := range p.Places {
		places = append(places, strconv.Itoa(int(n)))
	}
	view.places = strings.Join(places, ",")
	var names []string
	for _, n := range p.List {
		names = append(names, string(n))
	}
	view.list = strings.Join(names, "\n")
	if p.Single() {
		if len(p.Fixtures) > 0 {
			view.starts, view.limit = s.minuteText(p.Fixtures[0].StartsAt), s.minuteText(p.Fixtures[0].Limit)
		}
		return view
	}
	for _, f := range p.Fixtures {
		r := rowView{home: f.Home, away: f.Away, starts: s.minuteText(f.StartsAt), limit: s.minuteText(f.Limit),
			format: f.Format.String(), question: f.Question}
		if p.Kind == contest.LegQuiz {
			r.points = strconv.Itoa(int(f.Points))
			if f.Parent > 0 {
				r.parent = strconv.Itoa(f.Parent)
			}
			var offered []string
			for _, a := range f.Offered {
				offered = append(offered, string(a))
			}
			r.offered = strings.Join(offered, " ; ")
		}
		view.rows = append(view.rows, r)
	}
	if common, ok := commonOf(p); ok {
		view.common = s.minuteText(common)
	}
	return view
}

// typedView shows a form again as it came.
func typedView(form *web.Form) planView {
	view := planView{title: form.Raw("title"), starts: form.Raw("starts"), limit: form.Raw("limit"), list: form.Raw("list"),
		places: form.Raw("places"), count: form.Raw("count"), common: form.Raw("common"), scale: map[string]string{}}
	for _, name := range scaleFields {
		view.scale[name] = form.Raw("scale-" + name)
	}
	view.scale["draw"] = form.Raw("scale-draw")
	for i := 0; i < contest.MaxFixtures && form.Has(fmt.Sprintf("starts%d", i)); i++ {
		of := func(name string) string { return strings.TrimSpace(form.Raw(fmt.Sprintf("%s%d", name, i))) }
		r := rowView{home: of("home"), away: of("away"), starts: of("starts"), limit: of("limit"), format: of("format"),
			question: of("question"), parent: of("parent"), points: of("points"), offered: of("offered")}
		if r.home+r.away+r.question != "" {
			view.rows = append(view.rows, r)
		}
	}
	return view
}

// planIn reads the form of a plan; what is wrong is told beside each answer.
func (s *Section) planIn(v *web.Visit, form *web.Form, was contest.Plan) contest.Plan {
	view := typedView(form)
	p := contest.NewPlan(was.Kind)
	p.Title = form.Text("title", 80)
	scaleIn(form, &p)
	if view.count == "extra" {
		p.Count = contest.ExtraTime
	}
	minute := func(text, name string) time.Time {
		t, err := time.ParseInLocation(pages.MinuteLayout, text, s.Ground.Zone)
		if err != nil {
			form.Wrong(name, v.T("form.date"))
		}
		return t
	}
	pair := func(starts, limit, name string) (a, b time.Time) {
		a = minute(starts, name)
		if b = a; limit != "" {
			b = minute(limit, name)
		}
		return a, b
	}
	if p.Single() {
		f := contest.Fixture{}
		f.StartsAt, f.Limit = pair(view.starts, view.limit, "starts")
		p.Fixtures = []contest.Fixture{f}
		for line := range strings.Lines(view.list) {
			if name := strings.TrimSpace(line); name != "" {
				p.List = append(p.List, contest.Name(name))
			}
		}
		if p.Kind == contest.LegNames {
			p.Places = nil
			for part := range strings.SplitSeq(view.places, ",") {
				n, err := strconv.Atoi(strings.TrimSpace(part))
				if err != nil {
					form.Wrong("places", v.T("leg.places.wrong"))
				}
				p.Places = append(p.Places, contest.Points(n))
			}
		}
		return p
	}
	for i, r := range view.rows {
		f := contest.Fixture{Home: r.home, Away: r.away, Question: r.question}
		f.StartsAt, f.Limit = pair(r.starts, r.limit, fmt.Sprintf("starts%d", i))
		for _, format := range formats {
			if format.String() == r.format {
				f.Format = format
			}
		}
		if p.Kind == contest.LegQuiz {
			n, err := strconv.Atoi(r.points)
			if err != nil {
				form.Wrong(fmt.Sprintf("points%d", i), v.T("form.count", "Min", "1", "Max", "5"))
			}
			f.Points = contest.Points(n)
			f.Parent, _ = strconv.Atoi(r.parent)
			for part := range strings.SplitSeq(r.offered, ";") {
				if a := strings.TrimSpace(part); a != "" {
					f.Offered = append(f.Offered, contest.Answer(a))
				}
			}
		}
		p.Fixtures = append(p.Fixtures, f)
	}
	s.commonLimit(v, form, view.common, &p)
	return p
}
