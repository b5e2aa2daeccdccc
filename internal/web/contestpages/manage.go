package contestpages

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/fixturefile"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// mountContestManage adds the pages where contests are built, by editors and managers, and
// proclaimed, by managers: who may do what is the use cases' to say.
func (s *Section) mountContestManage() {
	edit := s.May(app.EditContests)
	for pattern, page := range map[string]web.Page{
		"GET /manage/contests":                     s.showManageContests,
		"POST /manage/contests":                    s.createContest,
		"GET /manage/contests/{contest}":           s.showManageContest,
		"POST /manage/contests/{contest}/legs":     s.addLeg,
		"POST /manage/contests/{contest}/gifts":    s.announceGift,
		"POST /manage/contests/{contest}/announce": s.announceContest,
		"POST /manage/contests/{contest}/proclaim": s.proclaimContest,
		"GET /manage/legs/{leg}":                   s.showManageLeg,
		"POST /manage/legs/{leg}":                  s.draftLeg,
		"POST /manage/legs/{leg}/import":           s.importFixtures,
		"POST /manage/legs/{leg}/publish":          s.publishLeg,
		"POST /manage/legs/{leg}/limit":            s.moveLimit,
		"POST /manage/legs/{leg}/results":          s.enterResults,
		"POST /manage/legs/{leg}/results/import":   s.importResults,
		"POST /manage/legs/{leg}/proclaim":         s.proclaimLeg,
		"POST /manage/legs/{leg}/annul":            s.annulLeg,
	} {
		s.Shell.Handle(pattern, page, edit)
	}
}

func manageContestPath(id contest.ID) string { return fmt.Sprintf("/manage/contests/%d", id) }
func manageLegPath(id contest.LegID) string  { return fmt.Sprintf("/manage/legs/%d", id) }

func (s *Section) showManageContests(v *web.Visit) error {
	return s.manageContestsAgain(v, http.StatusOK, nil)
}

func (s *Section) manageContestsAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	list, err := s.Contests.Contests(v.Context())
	if err != nil {
		return err
	}
	slices.Reverse(list)
	return v.ShowStatus(status, legView(v.T("nav.contests.manage")), manageContestsBody(form, list), notices...)
}

// createContest begins a contest with the terms of the form: the regulation's, unless they
// are changed.
func (s *Section) createContest(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	title, organizer := form.Text("title", 80), form.Text("organizer", 80)
	terms := contest.DefaultTerms()
	whole := func(name string) contest.Nuggets {
		return contest.Nuggets(form.Count(name, 0, 1_000_000)) * contest.Nugget
	}
	terms.Pots = contest.PotRule{Guaranteed: whole("guaranteed"), PerSlip: whole("per_slip"), PerLeg: whole("per_leg"), Most: whole("most")}
	if form.Has("sharing") {
		terms.Sharing = nil
		for part := range strings.SplitSeq(form.Raw("sharing"), ",") {
			n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
			if err != nil {
				form.Wrong("sharing", v.T("contest.sharing.wrong"))
			}
			terms.Sharing = append(terms.Sharing, n)
		}
		if form.OK() && terms.Sharing.Check() != nil {
			form.Wrong("sharing", v.T("contest.sharing.wrong"))
		}
	}
	terms.PendingDays = int(form.Count("days", contest.DisputeDays, 366))
	again := func(n ui.Notice) error {
		return s.manageContestsAgain(v, http.StatusUnprocessableEntity, form, n)
	}
	if !form.OK() {
		return again(form.Notice())
	}
	id, err := s.Contests.CreateContest(v.Context(), app.ContestOrder{Request: app.RequestID(form.Request), By: v.Person.ID},
		title, organizer, terms)
	if notice, refused := v.Refused(err); refused {
		return again(notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(manageContestPath(id), web.Done("contest_created", "Title", title))
}

func (s *Section) showManageContest(v *web.Visit) error {
	return s.manageContestAgain(v, http.StatusOK, nil)
}

func (s *Section) manageContestAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	c, _, err := s.contestIn(v)
	if err != nil {
		return err
	}
	card, err := s.contestOf(v.Context(), c, 0, true)
	if err != nil {
		return err
	}
	manages := app.May(s.Who.Roles(v.Person.ID), app.ManageGames)
	return v.ShowStatus(status, legView(c.Title), manageContestBody(form, card, manages, s.Ground.Now().In(s.Ground.Zone)), notices...)
}

// contestForm reads a form about the contest of the address.
func (s *Section) contestForm(v *web.Visit) (*web.Form, app.ContestOrder, error) {
	form, err := v.Form()
	if err != nil {
		return nil, app.ContestOrder{}, err
	}
	c, _, err := s.contestIn(v)
	if err != nil {
		return nil, app.ContestOrder{}, err
	}
	return form, app.ContestOrder{Request: app.RequestID(form.Request), By: v.Person.ID, Contest: c.ID}, nil
}

// done answers an order to a contest: where to go, or the page again with the refusal.
func (s *Section) contestDone(v *web.Visit, form *web.Form, err error, to string, flash web.Flash) error {
	if notice, refused := v.Refused(err); refused {
		return s.manageContestAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(to, flash)
}

func (s *Section) addLeg(v *web.Visit) error {
	form, o, err := s.contestForm(v)
	if err != nil {
		return err
	}
	kinds := make([]string, len(contest.LegKinds))
	for i, k := range contest.LegKinds {
		kinds[i] = string(k)
	}
	p := contest.NewPlan(contest.LegKind(form.Choice("kind", kinds...)))
	p.Title = form.Text("leg-title", 80)
	if !form.OK() {
		return s.manageContestAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	id, err := s.Contests.AddLeg(v.Context(), o, p)
	return s.contestDone(v, form, err, manageLegPath(id), web.Done("leg_added", "Title", p.Title))
}

func (s *Section) announceGift(v *web.Visit) error {
	form, o, err := s.contestForm(v)
	if err != nil {
		return err
	}
	g := contest.SpecialGift{Title: form.Text("gift-title", 120), Count: int(form.Count("gift-count", 1, 1000))}
	if leg := form.Optional("gift-leg", 20); leg != "" && leg != "0" {
		n, err := strconv.ParseInt(leg, 10, 64)
		if err != nil {
			form.Wrong("gift-leg", v.T("form.choice"))
		}
		g.Leg = contest.LegID(n)
	}
	if !form.OK() {
		return s.manageContestAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.Contests.AnnounceGift(v.Context(), o, g)
	return s.contestDone(v, form, err, manageContestPath(o.Contest), web.Done("gift_announced", "Title", g.Title))
}

func (s *Section) announceContest(v *web.Visit) error {
	form, o, err := s.contestForm(v)
	if err != nil {
		return err
	}
	opens := s.Minute(v, form, "opens")
	if !form.OK() {
		return s.manageContestAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.Contests.Announce(v.Context(), o, opens)
	return s.contestDone(v, form, err, manageContestPath(o.Contest), web.Done("contest_announced"))
}

func (s *Section) proclaimContest(v *web.Visit) error {
	form, o, err := s.contestForm(v)
	if err != nil {
		return err
	}
	err = s.Contests.ProclaimContest(v.Context(), o)
	return s.contestDone(v, form, err, manageContestPath(o.Contest), web.Done("contest_proclaimed"))
}

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

func (s *Section) showManageLeg(v *web.Visit) error {
	return s.manageLegAgain(v, http.StatusOK, nil, nil, nil)
}

// A managePage is all that the page of a leg shows to those who build it.
type managePage struct {
	contest app.ContestState
	legCard
	form    *web.Form
	plan    planView
	results []endingView
	now     time.Time
	manages bool
	late    bool // corrections need a recorded decision
}

func (s *Section) manageLegAgain(v *web.Visit, status int, form *web.Form, plan *planView, results []endingView, notices ...ui.Notice) error {
	c, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	p := managePage{contest: c, legCard: k, form: form, now: s.Ground.Now().In(s.Ground.Zone),
		manages: app.May(s.Who.Roles(v.Person.ID), app.ManageGames), plan: s.viewOf(k.Plan), results: results}
	if plan != nil {
		p.plan = *plan
	}
	if p.results == nil {
		p.results = endingViews(k.LegState)
	}
	if k.Proclaimed.Count > 0 {
		p.late = !p.now.Before(contest.DaysAfter(k.Proclaimed.At, contest.DisputeDays, s.Ground.Zone))
	}
	return v.ShowStatus(status, legView(k.Title), manageLegBody(p), notices...)
}

// legForm reads a form about the leg of the address.
func (s *Section) legForm(v *web.Visit) (*web.Form, legCard, app.LegOrder, error) {
	form, err := v.Form()
	if err != nil {
		return nil, legCard{}, app.LegOrder{}, err
	}
	_, k, err := s.legIn(v)
	return form, k, app.LegOrder{Request: app.RequestID(form.Request), By: v.Person.ID, Leg: k.ID}, err
}

func (s *Section) legDone(v *web.Visit, form *web.Form, err error, o app.LegOrder, flash web.Flash) error {
	if notice, refused := v.Refused(err); refused {
		var plan *planView
		if form.Has("title") {
			typed := typedView(form)
			plan = &typed
		}
		return s.manageLegAgain(v, http.StatusUnprocessableEntity, form, plan, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(manageLegPath(o.Leg), flash)
}

func (s *Section) draftLeg(v *web.Visit) error {
	form, k, o, err := s.legForm(v)
	if err != nil {
		return err
	}
	p := s.planIn(v, form, k.Plan)
	if !form.OK() {
		typed := typedView(form)
		return s.manageLegAgain(v, http.StatusUnprocessableEntity, form, &typed, nil, form.Notice())
	}
	return s.legDone(v, form, s.Contests.DraftLeg(v.Context(), o, p), o, web.Done("leg_drafted"))
}

// maxFixtureFile bounds a file of matches, in bytes.
const maxFixtureFile = 2 << 20

func (s *Section) publishLeg(v *web.Visit) error {
	form, _, o, err := s.legForm(v)
	if err != nil {
		return err
	}
	opens := s.Minute(v, form, "opens")
	if !form.OK() {
		return s.manageLegAgain(v, http.StatusUnprocessableEntity, form, nil, nil, form.Notice())
	}
	return s.legDone(v, form, s.Contests.PublishLeg(v.Context(), o, opens), o, web.Done("leg_published"))
}

func (s *Section) moveLimit(v *web.Visit) error {
	form, k, o, err := s.legForm(v)
	if err != nil {
		return err
	}
	fixture := int(form.Count("fixture", 1, int64(max(1, len(k.Fixtures))))) - 1
	starts, limit := s.Minute(v, form, "new-starts"), s.Minute(v, form, "new-limit")
	reason := form.Text("reason", 200)
	if !form.OK() {
		return s.manageLegAgain(v, http.StatusUnprocessableEntity, form, nil, nil, form.Notice())
	}
	return s.legDone(v, form, s.Contests.MoveLimit(v.Context(), o, fixture, starts, limit, reason), o, web.Done("limit_moved"))
}

func (s *Section) proclaimLeg(v *web.Visit) error {
	form, k, o, err := s.legForm(v)
	if err != nil {
		return err
	}
	return s.legDone(v, form, s.Contests.ProclaimLeg(v.Context(), o), o, web.Done("leg_proclaimed", "Title", k.Title))
}

func (s *Section) annulLeg(v *web.Visit) error {
	form, _, o, err := s.legForm(v)
	if err != nil {
		return err
	}
	reason := form.Text("annul-reason", 200)
	form.Agreed("annul-sure", true)
	if !form.OK() {
		return s.manageLegAgain(v, http.StatusUnprocessableEntity, form, nil, nil, form.Notice())
	}
	err = s.Contests.AnnulLeg(v.Context(), o, reason, form.Agreed("decided", false))
	return s.legDone(v, form, err, o, web.Done("leg_annulled"))
}
