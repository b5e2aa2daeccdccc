package site

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/a-h/templ"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// mountVisitor adds the pages that need nobody: home, rules, registration, signing in.
func (s *Site) mountVisitor() {
	s.Shell.Handle("GET /{$}", s.home)
	s.Shell.Handle("GET /rules", s.rules)
	s.Shell.Handle("GET /signin", s.showSignIn)
	s.Shell.Handle("POST /signin", s.signIn)
	s.Shell.Handle("POST /signout", s.signOut)
	s.Shell.Handle("GET /register", s.showRegister)
	s.Shell.Handle("POST /register", s.register)
	s.Shell.Handle("GET /password", s.showPassword, web.SignedIn)
	s.Shell.Handle("POST /password", s.changePassword, web.SignedIn)
	s.Shell.Handle("GET /key", s.key)
}

// home shows what can be played now.
func (s *Site) home(v *web.Visit) error {
	first, live, err := s.instant.Home(v)
	if err != nil {
		return err
	}
	sections := []templ.Component{first}
	for _, home := range []func(*web.Visit) (templ.Component, error){s.bingo.Home, s.loto.Home, s.contests.Home} {
		part, err := home(v)
		if err != nil {
			return err
		}
		sections = append(sections, part)
	}
	return v.Show(ui.View{Title: v.T("home.title"), Accent: ui.Instant, Live: live},
		homeBody(v.Person, sections))
}

// rules shows the rules in force.
func (s *Site) rules(v *web.Visit) error {
	r, err := s.Ground.CurrentRules(v.Context())
	if err != nil {
		return err
	}
	tables, err := s.instant.Tables(v)
	if err != nil {
		return err
	}
	accepted := 0
	if s.Plays(v.Person) {
		_, standing, err := s.People.Who(v.Context(), v.Person.ID)
		if err != nil {
			return err
		}
		accepted = standing.Rules
	}
	return v.Show(ui.View{Title: v.T("rules.title"), Accent: ui.Instant}, rulesBody(r, tables, accepted))
}

// key gives the verifier key of the house, for boulier verify --key.
func (s *Site) key(v *web.Visit) error {
	return v.File("boulier-key.txt", "text/plain; charset=utf-8", []byte(s.Ground.Sealer.VerifierKey()+"\n"))
}

func (s *Site) showSignIn(v *web.Visit) error {
	return v.Show(ui.View{Title: v.T("signin.title")}, signInBody(nil, v.Query("next"), s.Demo))
}

// signIn checks who it is. The same words whatever is wrong (std:7).
func (s *Site) signIn(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	name, password := form.Text("name", 100), form.Secret("password", 1024)
	if !form.OK() {
		return s.signInAgain(v, form, form.Notice())
	}
	if !s.Tries.Allow(v.Address.String()) {
		return &web.Refusal{Status: http.StatusTooManyRequests}
	}
	row, standing, err := s.People.SignIn(v.Context(), name, password, v.Address.String())
	if notice, refused := v.Refused(err); refused {
		return s.signInAgain(v, form, notice)
	}
	if err != nil {
		return err
	}
	if err := s.Begin(v.Context(), row.ID, standing.Epoch); err != nil {
		return err
	}
	if standing.MustChange {
		return v.Redirect("/password")
	}
	next := form.Raw("next")
	if next == "" {
		next = landing(standing)
	}
	return v.Redirect(next)
}

// landing is where somebody begins.
func landing(s app.Standing) string {
	for _, l := range []struct {
		what app.Action
		href string
	}{{app.WorkDesk, "/desk"}, {app.ManageGames, "/manage"}, {app.EditContests, "/manage/contests"}, {app.ManageStaff, "/admin"}, {app.Inspect, "/inspect"}} {
		if app.May(s.Roles, l.what) {
			return l.href
		}
	}
	return "/"
}

func (s *Site) signInAgain(v *web.Visit, form *web.Form, notice ui.Notice) error {
	return v.ShowStatus(http.StatusUnprocessableEntity, ui.View{Title: v.T("signin.title")},
		signInBody(form, form.Raw("next"), s.Demo), notice)
}

func (s *Site) signOut(v *web.Visit) error {
	if err := s.Sessions.Destroy(v.Context()); err != nil {
		return err
	}
	return v.Redirect("/", web.Done("signed_out"))
}

func (s *Site) showRegister(v *web.Visit) error {
	if v.Person.SignedIn() {
		return v.Redirect("/")
	}
	return v.Show(ui.View{Title: v.T("register.title")}, registerBody(nil, s.Rules, v.Query("for") == "contests"))
}

// register makes an account and signs in with it.
func (s *Site) register(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	r := app.Registration{Request: app.RequestID(form.Request), SignIn: form.Text("name", 40),
		Password: form.Secret("password", 1024), Name: form.Text("display", 40), Born: form.Date("born"),
		Locale: v.Words.Lang(), Contests: form.Raw("for") == "contests"}
	if n := len([]rune(r.Password)); n > 0 && n < app.MinPassword {
		form.Wrong("password", v.T("register.password.short", "Min", app.MinPassword))
	}
	if form.Agreed("rules", true) {
		r.Rules, _ = strconv.Atoi(form.Raw("version"))
	}
	again := func(n ui.Notice) error {
		return v.ShowStatus(http.StatusUnprocessableEntity, ui.View{Title: v.T("register.title")},
			registerBody(form, s.Rules, r.Contests), n)
	}
	if !form.OK() {
		return again(form.Notice())
	}
	if !s.Tries.Allow(v.Address.String()) {
		return &web.Refusal{Status: http.StatusTooManyRequests}
	}
	id, err := s.People.Register(v.Context(), r)
	if errors.Is(err, app.ErrNameTaken) {
		form.Wrong("name", v.T("violation.name_taken"))
	}
	if notice, refused := v.Refused(err); refused {
		return again(notice)
	}
	if err != nil {
		return err
	}
	if err := s.Begin(v.Context(), id, 0); err != nil {
		return err
	}
	if r.Contests {
		return v.Redirect("/entry", web.Done("registered"))
	}
	return v.Redirect("/", web.Done("registered"))
}

func (s *Site) showPassword(v *web.Visit) error {
	return v.Show(ui.View{Title: v.T("password.title")}, passwordBody(nil, s.Who.MustChange(v.Person.ID)))
}

// changePassword replaces a password that its owner knows, and stays signed in.
func (s *Site) changePassword(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	c := app.PasswordChange{Request: app.RequestID(form.Request), Person: v.Person.ID,
		Old: form.Secret("old", 1024), New: form.Secret("password", 1024), Address: v.Address.String()}
	if n := len([]rune(c.New)); n > 0 && n < app.MinPassword {
		form.Wrong("password", v.T("register.password.short", "Min", app.MinPassword))
	}
	again := func(n ui.Notice) error {
		return v.ShowStatus(http.StatusUnprocessableEntity, ui.View{Title: v.T("password.title")}, passwordBody(form, s.Who.MustChange(v.Person.ID)), n)
	}
	if !form.OK() {
		return again(form.Notice())
	}
	if !s.Tries.Allow(v.Address.String()) {
		return &web.Refusal{Status: http.StatusTooManyRequests}
	}
	err = s.People.ChangePassword(v.Context(), c)
	if notice, refused := v.Refused(err); refused {
		return again(notice)
	}
	if err != nil {
		return err
	}
	_, standing, err := s.People.Who(v.Context(), c.Person)
	if err != nil {
		return err
	}
	if err := s.Begin(v.Context(), c.Person, standing.Epoch); err != nil {
		return err
	}
	return v.Redirect(landing(standing), web.Done("password_changed"))
}
