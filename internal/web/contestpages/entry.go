package contestpages

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
	"boulier/player"
)

// mountEntry adds the registration for the contests, the consent of parents, the rules, and
// the case files of managers.
func (s *Section) mountEntry() {
	s.Shell.Handle("GET /entry", s.showEntry, s.May(app.Predict))
	s.Shell.Handle("POST /entry", s.join, s.May(app.Predict))
	s.Shell.Handle("POST /entry/parent", s.askParent, s.May(app.Predict))
	s.Shell.Handle("GET /consent/{token}", s.showConsent)
	s.Shell.Handle("POST /consent/{token}", s.answerConsent)
	s.Shell.Handle("GET /contests/rules", s.contestRules)
	manage := s.May(app.ManageGames)
	s.Shell.Handle("GET /manage/cases", s.showCases, manage)
	s.Shell.Handle("POST /manage/cases", s.openCase, manage)
	s.Shell.Handle("GET /manage/cases/{case}", s.showCase, manage)
	s.Shell.Handle("POST /manage/cases/{case}", s.decideCase, manage)
}

// predicts reports whether somebody may take part in contests.
func (s *Section) predicts(p ui.Person) bool {
	return p.SignedIn() && app.May(s.Who.Roles(p.ID), app.Predict)
}

// An entryPage is somebody's registration as its page shows it.
type entryPage struct {
	app.EntryView
	form  *web.Form
	minor bool // by the birth date of the account
	rules int
	next  string
}

func (s *Section) showEntry(v *web.Visit) error { return s.entryAgain(v, http.StatusOK, nil) }

func (s *Section) entryAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) (err error) {
	p := entryPage{form: form, rules: s.Rules, next: v.Query("next"),
		minor: slices.Contains(s.Who.Roles(v.Person.ID), app.Junior)}
	if form != nil {
		p.next = form.Raw("next")
	}
	if p.EntryView, err = s.Contests.Entry(v.Context(), v.Person.ID); err != nil {
		return err
	}
	return v.ShowStatus(status, legView(v.T("entry.title")), entryBody(p), notices...)
}

// profileIn reads a name and an address.
func profileIn(v *web.Visit, form *web.Form, minor bool) app.Profile {
	p := app.Profile{Given: form.Text("given", 60), Family: form.Text("family", 60), Street: form.Text("street", 120),
		Postcode: form.Text("postcode", 12), Town: form.Text("town", 60), Email: form.Text("email", 254),
		Locale: v.Words.Lang(), Address: v.Address.String()}
	if minor {
		p.Parent, p.ParentEmail = form.Text("parent", 120), form.Text("parent-email", 254)
	}
	for name, email := range map[string]string{"email": p.Email, "parent-email": p.ParentEmail} {
		if email != "" && app.CheckEmail(email) != nil {
			form.Wrong(name, v.T("violation.email_shape"))
		}
	}
	return p
}

func (s *Section) join(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	j := app.Joining{Request: app.RequestID(form.Request), Player: v.Person.ID,
		Profile:  profileIn(v, form, slices.Contains(s.Who.Roles(v.Person.ID), app.Junior)),
		Decency:  form.Agreed("netiquette", true),
		Namesake: form.Agreed("namesake", false)}
	if form.Agreed("rules", true) {
		j.Rules, _ = strconv.Atoi(form.Raw("version"))
	}
	if !form.OK() {
		return s.entryAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	status, err := s.Contests.Join(v.Context(), j)
	if errors.Is(err, app.ErrSamePerson) {
		form.Answer("offer-namesake", "yes")
	}
	if notice, refused := v.Refused(err); refused {
		return s.entryAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	if next := form.Raw("next"); next != "" && status == app.EntryAdmitted {
		return v.Redirect(next, web.Done("entry_joined"))
	}
	said := web.Done("entry_admitted")
	switch status {
	case app.EntryParent:
		said = web.Done("entry_parent")
	case app.EntryProof:
		said = web.Done("entry_proof")
	}
	return v.Redirect("/entry", said)
}

func (s *Section) askParent(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	r := app.ConsentReminder{Request: app.RequestID(form.Request), Player: v.Person.ID, Parent: form.Text("parent", 120),
		Email: form.Text("parent-email", 254)}
	if !form.OK() {
		return s.entryAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.Contests.AskParent(v.Context(), r)
	if notice, refused := v.Refused(err); refused {
		return s.entryAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/entry", web.Done("parent_asked"))
}

// showConsent is where the link of the letter to a parent leads.
func (s *Section) showConsent(v *web.Visit) error {
	view, err := s.Contests.Consent(v.Context(), v.Path("token"))
	if errors.Is(err, app.ErrLink) {
		return v.ShowStatus(http.StatusNotFound, legView(v.T("consent.title")), consentVoidBody())
	}
	if err != nil {
		return err
	}
	return v.Show(legView(v.T("consent.title")), consentBody(view, v.Path("token")))
}

func (s *Section) answerConsent(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	a := app.ConsentAnswer{Request: app.RequestID(form.Request), Token: v.Path("token"), Given: form.Raw("consent") == "yes"}
	if a.Given && !form.Agreed("parent", true) {
		view, err := s.Contests.Consent(v.Context(), a.Token)
		if err != nil {
			return err
		}
		return v.ShowStatus(http.StatusUnprocessableEntity, legView(v.T("consent.title")), consentBody(view, a.Token), form.Notice())
	}
	err = s.Contests.AnswerConsent(v.Context(), a)
	if errors.Is(err, app.ErrLink) {
		return v.ShowStatus(http.StatusNotFound, legView(v.T("consent.title")), consentVoidBody())
	}
	if err != nil {
		return err
	}
	said := web.Done("consent_given")
	if !a.Given {
		said = web.Done("consent_refused")
	}
	return v.Redirect("/consent/"+a.Token, said)
}

// contestRules shows the rules of the contests and the netiquette (contest:18).
func (s *Section) contestRules(v *web.Visit) error {
	r, err := s.Ground.CurrentRules(v.Context())
	if err != nil {
		return err
	}
	return v.Show(legView(v.T("rules.contest.title")), contestRulesBody(r, nil))
}

func (s *Section) showCases(v *web.Visit) error { return s.casesAgain(v, http.StatusOK, nil) }

func (s *Section) casesAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	all, err := s.Contests.Cases(v.Context(), 0)
	if err != nil {
		return err
	}
	slices.Reverse(all)
	return v.ShowStatus(status, legView(v.T("case.list")), casesBody(form, all), notices...)
}

// openCase opens a case file about players whom the manager names by their sign-in names.
func (s *Section) openCase(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	o := app.CaseOpening{Request: app.RequestID(form.Request), By: v.Person.ID,
		Kind: form.Choice("kind", app.CaseMultiple, app.CaseConduct), Text: form.Text("text", 4000)}
	for name := range strings.FieldsFuncSeq(form.Text("players", 400), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		row, err := s.Ground.Store.PersonBySignIn(v.Context(), app.Fold(name))
		if errors.Is(err, app.ErrNotFound) {
			form.Wrong("players", v.T("case.players.unknown", "Name", name))
			continue
		}
		if err != nil {
			return err
		}
		o.Players = append(o.Players, row.ID)
	}
	if !form.OK() {
		return s.casesAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	id, err := s.Contests.OpenCase(v.Context(), o)
	if notice, refused := v.Refused(err); refused {
		return s.casesAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/cases/"+strconv.FormatInt(int64(id), 10), web.Done("case_opened", "Number", strconv.FormatInt(int64(id), 10)))
}

// A casePage is a case file with who is in it.
type casePage struct {
	app.Case
	form   *web.Form
	people []casePerson
}

type casePerson struct {
	id      player.ID
	signIn  string
	entry   app.EntryView
	profile app.Profile
}

func (s *Section) showCase(v *web.Visit) error { return s.caseAgain(v, http.StatusOK, nil) }

func (s *Section) caseAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	id, err := strconv.ParseInt(v.Path("case"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	all, err := s.Contests.Cases(v.Context(), 0)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(c app.Case) bool { return c.ID == app.CaseID(id) })
	if at < 0 {
		return web.NotFound
	}
	p := casePage{Case: all[at], form: form}
	for _, who := range p.Players {
		one := casePerson{id: who}
		row, err := s.Ground.Store.Person(v.Context(), who)
		if err != nil && !errors.Is(err, app.ErrNotFound) {
			return err
		}
		one.signIn = row.SignIn
		if one.entry, err = s.Contests.Entry(v.Context(), who); err != nil {
			return err
		}
		one.profile = one.entry.Profile
		p.people = append(p.people, one)
	}
	return v.ShowStatus(status, legView(v.T("case.number", "Number", id)), caseBody(p), notices...)
}

func (s *Section) decideCase(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(v.Path("case"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	d := app.CaseDecision{Request: app.RequestID(form.Request), By: v.Person.ID, Case: app.CaseID(id), Reason: form.Text("reason", 2000)}
	for _, text := range form.All("away") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return &web.Refusal{Status: http.StatusBadRequest, Detail: "away is not a number"}
		}
		d.Away = append(d.Away, player.ID(n))
	}
	if !form.OK() {
		return s.caseAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.Contests.DecideCase(v.Context(), d)
	if notice, refused := v.Refused(err); refused {
		return s.caseAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/cases/"+strconv.FormatInt(id, 10), web.Done("case_decided", "Number", strconv.FormatInt(id, 10)))
}
