package contestpages

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/web"
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

func manageLegPath(id contest.LegID) string { return fmt.Sprintf("/manage/legs/%d", id) }

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
