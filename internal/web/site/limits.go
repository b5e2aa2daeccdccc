package site

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/money"
	"boulier/player"
)

// mountLimits adds the page of a player's own limits.
func (s *Site) mountLimits() {
	s.Shell.Handle("GET /account/limits", s.showLimits, s.May(app.Play))
	s.Shell.Handle("POST /account/limits", s.setCaps, s.May(app.Play))
	s.Shell.Handle("POST /account/exclusion", s.exclude, s.May(app.Play))
}

// exclusionDays are the lengths of an exclusion that the page offers.
var exclusionDays = []string{"1", "7", "30", "90", "180", "365"}

func (s *Site) showLimits(v *web.Visit) error {
	if err := s.Instant.Settle(v.Context(), v.Person.ID); err != nil {
		return err
	}
	return s.limitsPage(v, nil, http.StatusOK)
}

func (s *Site) limitsPage(v *web.Visit, form *web.Form, status int, notices ...ui.Notice) error {
	l, used, err := s.Ground.Limits(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	return v.ShowStatus(status, ui.View{Title: v.T("limits.title"), Accent: ui.Instant},
		limitsBody(form, l, used, s.Ground.Now()), notices...)
}

// setCaps changes the caps; an empty box is no cap.
func (s *Site) setCaps(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	cap := func(name string) int64 {
		if strings.TrimSpace(form.Raw(name)) == "" {
			return 0
		}
		return int64(form.Amount(name))
	}
	caps := player.Caps{Deposits: cap("deposits"), Stakes: cap("stakes")}
	if !form.OK() {
		return s.limitsPage(v, form, http.StatusUnprocessableEntity, form.Notice())
	}
	err = s.Instant.ChangeLimits(v.Context(), app.LimitChange{Request: app.RequestID(form.Request),
		Player: v.Person.ID, Caps: caps})
	if notice, refused := v.Refused(err); refused {
		return s.limitsPage(v, form, http.StatusUnprocessableEntity, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/account/limits", web.Done("limits_set"))
}

// exclude keeps the player from playing for a time, at once.
func (s *Site) exclude(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	days, _ := strconv.Atoi(form.Choice("days", exclusionDays...))
	form.Agreed("sure", true)
	if !form.OK() {
		return s.limitsPage(v, form, http.StatusUnprocessableEntity, form.Notice())
	}
	err = s.Instant.ChangeLimits(v.Context(), app.LimitChange{Request: app.RequestID(form.Request),
		Player: v.Person.ID, Exclude: time.Duration(days) * 24 * time.Hour})
	if notice, refused := v.Refused(err); refused {
		return s.limitsPage(v, form, http.StatusUnprocessableEntity, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/account/limits", web.Done("excluded"))
}

// capField shows what was typed when the form came back, and the cap in force otherwise.
func capField(form *web.Form, q ui.Field) ui.Field {
	if form == nil {
		return q
	}
	return form.Field(q)
}

// capNote says what the cap is beside what counts against it.
func capNote(ctx context.Context, cents int64) string {
	if cents == 0 {
		return ui.T(ctx, "limits.none")
	}
	return ui.T(ctx, "limits.of", "Amount", locales.From(ctx).Amount(money.Cents(cents)))
}

func exclusionChoices(ctx context.Context) []ui.Choice {
	out := make([]ui.Choice, 0, len(exclusionDays))
	for _, d := range exclusionDays {
		n, _ := strconv.ParseInt(d, 10, 64)
		out = append(out, ui.Choice{Value: d, Label: ui.N(ctx, "limits.length", n)})
	}
	return out
}
