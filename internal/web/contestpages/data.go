package contestpages

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// mountData adds the correction and removal of personal data, the claims for connection costs,
// and the rules by e-mail.
func (s *Section) mountData() {
	s.Shell.Handle("GET /entry/data", s.showData, s.May(app.Predict))
	s.Shell.Handle("POST /entry/data", s.correctData, s.May(app.Predict))
	s.Shell.Handle("POST /entry/remove", s.removeData, s.May(app.Predict))
	s.Shell.Handle("POST /contests/rules", s.mailRules)
	s.Shell.Handle("GET /contests/{contest}/costs", s.showCosts, s.May(app.Predict))
	manage := s.May(app.ManageGames)
	s.Shell.Handle("GET /manage/claims", s.showClaims, manage)
	s.Shell.Handle("POST /manage/claims", s.recordClaim, manage)
}

func (s *Section) showData(v *web.Visit) error {
	e, err := s.Contests.Entry(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	p := e.Profile
	values := url.Values{"given": {p.Given}, "family": {p.Family}, "street": {p.Street}, "postcode": {p.Postcode},
		"town": {p.Town}, "email": {p.Email}}
	if !p.NoReminders {
		values.Set("reminders", "yes")
	}
	return s.dataAgain(v, http.StatusOK, v.Filled(values))
}

func (s *Section) dataAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	e, err := s.Contests.Entry(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	if e.Status == app.EntryNone || e.Status == app.EntryRemoved {
		return v.Redirect("/entry")
	}
	junior := slices.Contains(s.Who.Roles(v.Person.ID), app.Junior)
	return v.ShowStatus(status, legView(v.T("data.title")), dataBody(form, e, junior), notices...)
}

func (s *Section) correctData(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	p := profileIn(v, form, false)
	p.NoReminders = !form.Agreed("reminders", false)
	if !form.OK() {
		return s.dataAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.Contests.CorrectProfile(v.Context(), app.ProfileChange{Request: app.RequestID(form.Request), Player: v.Person.ID, Profile: p})
	if notice, refused := v.Refused(err); refused {
		return s.dataAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/entry", web.Done("data_corrected"))
}

func (s *Section) removeData(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	r := app.Removal{Request: app.RequestID(form.Request), Player: v.Person.ID, Account: form.Agreed("account", false)}
	form.Agreed("sure", true)
	if !form.OK() {
		return s.dataAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	gone := r.Account || slices.Contains(s.Who.Roles(v.Person.ID), app.Junior)
	err = s.Contests.RemoveData(v.Context(), r)
	if notice, refused := v.Refused(err); refused {
		return s.dataAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	if gone {
		if err := s.Sessions.Destroy(v.Context()); err != nil {
			return err
		}
		return v.Redirect("/", web.Done("data_removed"))
	}
	return v.Redirect("/entry", web.Done("data_removed"))
}

// mailRules sends the rules to whoever asks (contest:18).
func (s *Section) mailRules(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	email := form.Text("email", 254)
	if !s.Tries.Allow(v.Address.String()) {
		return &web.Refusal{Status: http.StatusTooManyRequests}
	}
	if form.OK() {
		err = s.Contests.MailRules(v.Context(), app.RulesLetter{Request: app.RequestID(form.Request), Email: email, Locale: v.Words.Lang()})
		if errors.Is(err, app.ErrEmail) {
			form.Wrong("email", v.T("violation.email_shape"))
		} else if err != nil {
			return err
		}
	}
	if !form.OK() {
		r, err := s.Ground.CurrentRules(v.Context())
		if err != nil {
			return err
		}
		return v.ShowStatus(http.StatusUnprocessableEntity, legView(v.T("rules.contest.title")), contestRulesBody(r, form), form.Notice())
	}
	return v.Redirect("/contests/rules", web.Done("rules_mailed"))
}

// showCosts is a claim to print and post (contest:14).
func (s *Section) showCosts(v *web.Visit) error {
	c, _, err := s.contestIn(v)
	if err != nil {
		return err
	}
	slips, err := s.Contests.PlayedSlips(v.Context(), c, v.Person.ID)
	if err != nil {
		return err
	}
	e, err := s.Contests.Entry(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	row, err := s.Ground.Store.Person(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	claims, err := s.Contests.Claims(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	settings, err := s.Ground.Settings(v.Context())
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(claims, func(k app.Claim) bool { return k.Contest != c.ID })
	return v.Show(legView(v.T("costs.title")), costsBody(c, slips, e, row.SignIn, own, settings))
}

func (s *Section) showClaims(v *web.Visit) error { return s.claimsAgain(v, http.StatusOK, nil) }

func (s *Section) claimsAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	claims, err := s.Contests.Claims(v.Context(), 0)
	if err != nil {
		return err
	}
	slices.Reverse(claims)
	list, err := s.Contests.Contests(v.Context())
	if err != nil {
		return err
	}
	people := map[string]string{}
	for _, k := range claims {
		p, err := s.Contests.Profile(v.Context(), k.Player)
		if err != nil {
			return err
		}
		people[k.Player.String()] = p.Postal()
		if p.Given == "" {
			people[k.Player.String()] = v.T("entry.gone")
		}
	}
	return v.ShowStatus(status, legView(v.T("claim.list")), claimsBody(form, claims, list, people), notices...)
}

func (s *Section) recordClaim(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	l := app.ClaimLetter{Request: app.RequestID(form.Request), By: v.Person.ID, PostedOn: form.Date("posted")}
	for _, piece := range app.ClaimPieces {
		if form.Agreed("piece-"+piece, false) {
			l.Pieces = append(l.Pieces, piece)
		}
	}
	name := form.Text("player", 60)
	row, err := s.Ground.Store.PersonBySignIn(v.Context(), app.Fold(name))
	if errors.Is(err, app.ErrNotFound) {
		form.Wrong("player", v.T("case.players.unknown", "Name", name))
	} else if err != nil {
		return err
	}
	l.Player = row.ID
	n, err := strconv.ParseInt(form.Raw("contest"), 10, 64)
	if err != nil {
		form.Wrong("contest", v.T("form.choice"))
	}
	l.Contest = contestID(n)
	if !form.OK() {
		return s.claimsAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	k, err := s.Contests.RecordClaim(v.Context(), l)
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	if notice, refused := v.Refused(err); refused {
		return s.claimsAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	if !k.Accepted {
		return v.Redirect("/manage/claims", web.Done("claim_incomplete", "Number", strconv.FormatInt(int64(k.ID), 10)))
	}
	return v.Redirect("/manage/claims", web.Done("claim_accepted", "Number", strconv.FormatInt(int64(k.ID), 10), "Minutes", strconv.Itoa(k.Minutes)))
}

// dayOf reads a day of the form 2006-01-02 as it stands in states.
func dayOf(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}
	}
	return t
}
