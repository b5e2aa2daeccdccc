package site

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
	"boulier/player"
)

// mountAdmin adds the pages of administrators: people and roles, keys, copies, settings,
// what is disabled.
func (s *Site) mountAdmin() {
	for pattern, page := range map[string]web.Page{
		"GET /admin":                          s.showStaff,
		"GET /admin/staff/new":                s.showNewStaff,
		"POST /admin/staff/new":               s.addStaff,
		"GET /admin/staff/{person}":           s.showMember,
		"POST /admin/staff/{person}":          s.changeMember,
		"POST /admin/staff/{person}/password": s.resetMember,
	} {
		s.Shell.Handle(pattern, page, s.May(app.ManageStaff))
	}
	for pattern, page := range map[string]web.Page{
		"GET /admin/play":      s.showPlay,
		"POST /admin/play":     s.switchPlay,
		"GET /admin/keys":      s.showKeys,
		"POST /admin/keys":     s.rotateKeys,
		"GET /admin/backups":   s.showBackups,
		"POST /admin/backups":  s.backup,
		"GET /admin/settings":  s.showSettings,
		"POST /admin/settings": s.changeSettings,
	} {
		s.Shell.Handle(pattern, page, s.May(app.ManageHouse))
	}
}

// adminTabs are the sides of the administration.
func adminTabs(v *web.Visit) []ui.Link {
	var out []ui.Link
	for _, l := range []struct{ href, key string }{{"/admin", "admin.staff"}, {"/admin/play", "admin.play"},
		{"/admin/keys", "admin.keys"}, {"/admin/backups", "admin.backups"}, {"/admin/settings", "admin.settings"}} {
		here := v.Request().URL.Path
		current := here == l.href || l.href == "/admin" && strings.HasPrefix(here, "/admin/staff")
		out = append(out, ui.Link{Href: l.href, Label: v.T(l.key), Current: current})
	}
	return out
}

func (s *Site) showStaff(v *web.Visit) error {
	members, err := s.People.Staff(v.Context())
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("admin.title")}, staffBody(adminTabs(v), members))
}

func (s *Site) showNewStaff(v *web.Visit) error { return s.newStaffAgain(v, http.StatusOK, nil) }

func (s *Site) newStaffAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	return v.ShowStatus(status, ui.View{Title: v.T("admin.add")},
		newStaffBody(adminTabs(v), form, s.temporary(v, form), roleFields(v, form, nil)), notices...)
}

// roleFields are the boxes of the roles that staff can have.
func roleFields(v *web.Visit, form *web.Form, has []app.Role) []ui.Field {
	var out []ui.Field
	for _, r := range app.StaffRoles {
		f := form.Field(ui.Field{Name: "role_" + string(r), Label: v.T("role." + string(r))})
		if form == nil {
			for _, own := range has {
				f.Checked = f.Checked || own == r
			}
		}
		out = append(out, f)
	}
	return out
}

// chosenRoles reads the boxes.
func chosenRoles(form *web.Form) []app.Role {
	var out []app.Role
	for _, r := range app.StaffRoles {
		if form.Agreed("role_"+string(r), false) {
			out = append(out, r)
		}
	}
	return out
}

func (s *Site) addStaff(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	n := app.NewStaff{Request: app.RequestID(form.Request), By: v.Person.ID, SignIn: form.Text("name", 40),
		Name: form.Text("display", 40), Password: form.Secret("temporary", 100), Locale: v.Words.Lang(),
		Roles: chosenRoles(form)}
	if len(n.Roles) == 0 {
		form.Wrong("roles", v.T("admin.roles.needed"))
	}
	if !form.OK() {
		return s.newStaffAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	id, err := s.People.AddStaff(v.Context(), n)
	if errors.Is(err, app.ErrNameTaken) {
		form.Wrong("name", v.T("violation.name_taken"))
	}
	if notice, refused := v.Refused(err); refused {
		return s.newStaffAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/admin/staff/"+id.String(), web.Done("staff_added"))
}

// memberOf reads the member of staff that the address names.
func (s *Site) memberOf(v *web.Visit) (app.Member, error) {
	id, err := strconv.ParseInt(v.Path("person"), 10, 64)
	if err != nil {
		return app.Member{}, web.NotFound
	}
	row, standing, err := s.People.Who(v.Context(), player.ID(id))
	if errors.Is(err, app.ErrNotFound) || err == nil && (standing.Is(app.Player) || len(standing.Roles) == 0) {
		return app.Member{}, web.NotFound
	}
	return app.Member{PersonRow: row, Standing: standing}, err
}

func (s *Site) showMember(v *web.Visit) error { return s.memberAgain(v, http.StatusOK, nil) }

func (s *Site) memberAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	m, err := s.memberOf(v)
	if err != nil {
		return err
	}
	return v.ShowStatus(status, ui.View{Title: m.Name},
		memberBody(adminTabs(v), form, m, roleFields(v, nil, m.Roles), s.temporary(v, nil)), notices...)
}

func (s *Site) changeMember(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	m, err := s.memberOf(v)
	if err != nil {
		return err
	}
	c := app.StaffChange{Request: app.RequestID(form.Request), By: v.Person.ID, Person: m.ID,
		Roles: chosenRoles(form), Status: app.Active}
	if form.Agreed("closed", false) {
		c.Status = app.Closed
	}
	if len(c.Roles) == 0 {
		form.Wrong("roles", v.T("admin.roles.needed"))
		return s.memberAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.People.ChangeStaff(v.Context(), c)
	if notice, refused := v.Refused(err); refused {
		return s.memberAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/admin", web.Done("staff_changed"))
}

// resetMember gives a member of staff a temporary password.
func (s *Site) resetMember(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	m, err := s.memberOf(v)
	if err != nil {
		return err
	}
	r := app.StaffReset{Request: app.RequestID(form.Request), By: v.Person.ID, Person: m.ID,
		Password: form.Secret("temporary", 100)}
	if !form.OK() {
		return s.memberAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.People.ResetStaffPassword(v.Context(), r)
	if notice, refused := v.Refused(err); refused {
		return s.memberAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/admin/staff/"+m.ID.String(), web.Done("password_reset"))
}
