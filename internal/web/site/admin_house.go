package site

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
	"boulier/player"
)

// An offTarget is something that is disabled, with its name.
type offTarget struct {
	app.Disabling
	Target app.Target
	Label  string
	By     string
}

func (s *Site) showPlay(v *web.Visit) error { return s.playAgain(v, http.StatusOK, nil) }

func (s *Site) playAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	off, err := s.Ground.Disabled(v.Context())
	if err != nil {
		return err
	}
	targets, err := s.targets(v)
	if err != nil {
		return err
	}
	known := s.names()
	var list []offTarget
	for _, t := range slices.Sorted(maps.Keys(off)) {
		by, err := known.of(v.Context(), off[t].By)
		if err != nil {
			return err
		}
		label, err := targetName(v.Context(), known, targets, t)
		if err != nil {
			return err
		}
		list = append(list, offTarget{off[t], t, label, by})
	}
	return v.ShowStatus(status, ui.View{Title: v.T("admin.play")}, playBody(adminTabs(v), form, list, targets), notices...)
}

// targetName names what is disabled: a player by name, the rest as it is offered.
func targetName(ctx context.Context, known names, targets []ui.Choice, t app.Target) (string, error) {
	if id, ok := strings.CutPrefix(string(t), "player/"); ok {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return "", err
		}
		return known.of(ctx, player.ID(n))
	}
	for _, c := range targets {
		if c.Value == string(t) {
			return c.Label, nil
		}
	}
	return string(t), nil // an issue that has ended
}

// targets are what can be disabled besides a player: all, each game, each open issue.
func (s *Site) targets(v *web.Visit) ([]ui.Choice, error) {
	out := []ui.Choice{{Value: string(app.All), Label: v.T("admin.play.all")}}
	if s.bingo.On() {
		out = append(out, ui.Choice{Value: string(app.AllBingo), Label: v.T("admin.play.bingo")})
	}
	games, err := s.instant.Games(v.Context())
	if err != nil {
		return nil, err
	}
	for _, g := range games {
		out = append(out, ui.Choice{Value: string(app.GameTarget(g.ID)),
			Label: v.T("admin.play.game", "Name", fmt.Sprintf("%s (%d)", g.Title, g.ID))})
	}
	issues, err := s.Instant.Issues(v.Context())
	for _, i := range issues {
		if !i.Closed {
			out = append(out, ui.Choice{Value: string(app.IssueTarget(i.ID)),
				Label: v.T("admin.play.issue", "Name", fmt.Sprintf("%s (%d)", i.Title, i.ID))})
		}
	}
	return append(out, ui.Choice{Value: "player", Label: v.T("admin.play.player")}), err
}

// switchPlay disables or enables what the form names. A player is named by the sign-in
// name.
func (s *Site) switchPlay(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	order := app.Switching{Request: app.RequestID(form.Request), By: v.Person.ID, Target: app.Target(form.Raw("target")),
		Off: form.Raw("off") == "yes", Reason: form.Text("reason", 200)}
	if order.Target == "player" {
		if order.Target, err = s.playerTarget(v.Context(), form.Text("player", 100)); err != nil {
			if !errors.Is(err, app.ErrPlayerUnknown) {
				return err
			}
			form.Wrong("player", v.T("violation.player_unknown"))
		}
	}
	if !form.OK() {
		return s.playAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.Office.Switch(v.Context(), order)
	if notice, refused := v.Refused(err); refused {
		return s.playAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	if order.Off {
		return v.Redirect("/admin/play", web.Done("play_disabled"))
	}
	return v.Redirect("/admin/play", web.Done("play_enabled"))
}

func (s *Site) playerTarget(ctx context.Context, name string) (app.Target, error) {
	c, err := s.Desk.Find(ctx, name)
	return app.PlayerTarget(c.ID), err
}

func (s *Site) showKeys(v *web.Visit) error {
	facts, err := s.Office.Keys(v.Context())
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("admin.keys")}, keysBody(adminTabs(v), facts))
}

// order reads an order that says nothing more than that it is given.
func order(v *web.Visit) (app.Order, error) {
	form, err := v.Form()
	if err != nil {
		return app.Order{}, err
	}
	return app.Order{Request: app.RequestID(form.Request), By: v.Person.ID}, nil
}

func (s *Site) rotateKeys(v *web.Visit) error {
	o, err := order(v)
	if err != nil {
		return err
	}
	if err := s.Office.RotateKeys(v.Context(), o); err != nil {
		return err
	}
	return v.Redirect("/admin/keys", web.Done("keys_rotated"))
}

func (s *Site) showBackups(v *web.Visit) error { return s.backupsAgain(v, http.StatusOK) }

func (s *Site) backupsAgain(v *web.Visit, status int, notices ...ui.Notice) error {
	list, err := s.Office.Backups(v.Context())
	if err != nil {
		return err
	}
	return v.ShowStatus(status, ui.View{Title: v.T("admin.backups")},
		backupsBody(adminTabs(v), list, s.Office.Copy != nil), notices...)
}

func (s *Site) backup(v *web.Visit) error {
	o, err := order(v)
	if err != nil {
		return err
	}
	_, err = s.Office.Backup(v.Context(), o)
	if notice, refused := v.Refused(err); refused {
		return s.backupsAgain(v, http.StatusUnprocessableEntity, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/admin/backups", web.Done("backup_made"))
}

func (s *Site) showSettings(v *web.Visit) error { return s.settingsAgain(v, http.StatusOK, nil) }

func (s *Site) settingsAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	settings, err := s.Ground.Settings(v.Context())
	if err != nil {
		return err
	}
	return v.ShowStatus(status, ui.View{Title: v.T("admin.settings")},
		settingsBody(adminTabs(v), form, settings, s.Ground.Zone.String()), notices...)
}

func (s *Site) changeSettings(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	c := app.SettingsChange{Request: app.RequestID(form.Request), By: v.Person.ID, Settings: app.Settings{
		Operator: form.Optional("operator", 60), Address: form.Optional("address", 120),
		Desks: form.Count("desks", 1, int64(app.MaxDesks))}}
	if !form.OK() {
		return s.settingsAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.Office.ChangeSettings(v.Context(), c)
	if notice, refused := v.Refused(err); refused {
		return s.settingsAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/admin/settings", web.Done("settings_kept"))
}

// desksText is the number of desks as a form shows it.
func desksText(settings app.Settings) string { return strconv.FormatInt(settings.Desks, 10) }
