package site

import (
	"net/http"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// mountSetup adds the page that makes the first administrator. Its address holds the
// one-time token that the server wrote in its log.
func (s *Site) mountSetup() {
	if s.Setup == nil {
		return
	}
	s.Shell.Handle("GET /setup/{token}", s.showSetup)
	s.Shell.Handle("POST /setup/{token}", s.setUp)
}

func (s *Site) showSetup(v *web.Visit) error {
	right, err := s.Setup(v.Context(), v.Path("token"), nil)
	if err != nil {
		return err
	}
	if !right {
		return web.NotFound
	}
	return v.Show(ui.View{Title: v.T("setup.title")}, setupBody(nil, v.Path("token")))
}

func (s *Site) setUp(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	n := app.NewStaff{Request: app.RequestID(form.Request), SignIn: form.Text("name", 40),
		Name: form.Text("display", 40), Password: form.Secret("password", 1024), Locale: v.Words.Lang()}
	again := func(notice ui.Notice) error {
		return v.ShowStatus(http.StatusUnprocessableEntity, ui.View{Title: v.T("setup.title")},
			setupBody(form, v.Path("token")), notice)
	}
	if !form.OK() {
		return again(form.Notice())
	}
	right, err := s.Setup(v.Context(), v.Path("token"), &n)
	if notice, refused := v.Refused(err); refused {
		return again(notice)
	}
	if err != nil {
		return err
	}
	if !right {
		return web.NotFound
	}
	return v.Redirect("/signin", web.Done("set_up"))
}
