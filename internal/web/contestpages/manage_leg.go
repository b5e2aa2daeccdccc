package contestpages

import (
	"net/http"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

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
