package site

import (
	"errors"
	"net/http"
	"strconv"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

func (s *Site) showNewPlayer(v *web.Visit) error { return s.newAgain(v, http.StatusOK, nil) }

func (s *Site) newAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	return v.ShowStatus(status, ui.View{Title: v.T("desk.new")},
		newPlayerBody(form, s.temporary(v, form), s.Rules), notices...)
}

// newPlayer opens a player's account at the desk: an adult, who accepts the rules in force.
func (s *Site) newPlayer(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	r := app.Registration{Request: app.RequestID(form.Request), By: v.Person.ID, SignIn: form.Text("name", 40),
		Name: form.Text("display", 40), Born: form.Date("born"), Password: form.Secret("temporary", 100),
		Locale: v.Words.Lang()}
	if form.Agreed("rules", true) {
		r.Rules, _ = strconv.Atoi(form.Raw("version"))
	}
	if !form.OK() {
		return s.newAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	id, err := s.People.Register(v.Context(), r)
	if errors.Is(err, app.ErrNameTaken) {
		form.Wrong("name", v.T("violation.name_taken"))
	}
	if notice, refused := v.Refused(err); refused {
		return s.newAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/desk/players/"+id.String(), web.Done("player_registered"))
}

func (s *Site) showReset(v *web.Visit) error { return s.resetAgain(v, http.StatusOK, nil) }

func (s *Site) resetAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	c, err := s.clientOf(v)
	if err != nil {
		return err
	}
	return v.ShowStatus(status, ui.View{Title: v.T("desk.reset")},
		resetBody(form, c, documentField(v, form, true), s.temporary(v, form)), notices...)
}

// documentField asks which identity document was seen.
func documentField(v *web.Visit, form *web.Form, required bool) ui.Field {
	all := choices(v, "document.", app.Documents)
	hint := ""
	if !required {
		hint = v.T("desk.document.hint")
		all = append([]ui.Choice{{Value: "", Label: v.T("document.none")}}, all...)
	}
	return form.Field(ui.Field{Name: "document", Label: v.T("desk.document"), Hint: hint, Required: required,
		Choices: all})
}

// resetPassword gives a player a temporary password against an identity document.
func (s *Site) resetPassword(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	c, err := s.clientOf(v)
	if err != nil {
		return err
	}
	r := app.Reset{Request: app.RequestID(form.Request), Cashier: v.Person.ID, Person: c.ID,
		Document: form.Choice("document", app.Documents...), Password: form.Secret("temporary", 100)}
	if !form.OK() {
		return s.resetAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.People.ResetPassword(v.Context(), r)
	if notice, refused := v.Refused(err); refused {
		return s.resetAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/desk/players/"+c.ID.String(), web.Done("password_reset"))
}
