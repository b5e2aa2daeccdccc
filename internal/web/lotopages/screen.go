package lotopages

import (
	"net/http"
	"sync"
	"time"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// screenCookie holds the code of a projector; it opens nothing by itself.
const screenCookie = "boulier_screen"

// How often a screen that waits asks again, and for how long its code counts as shown.
const (
	screenAgain = 3 * time.Second
	screenShown = 30 * time.Second
)

// shownCodes are the codes that screens show now.
type shownCodes struct {
	mu sync.Mutex
	at map[string]time.Time
}

// maxScreens bounds what is remembered of them.
const maxScreens = 1000

// show says that a screen shows a code.
func (s *shownCodes) show(code string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == nil || len(s.at) >= maxScreens {
		s.at = map[string]time.Time{}
	}
	s.at[code] = now
}

// shown reports whether a screen has shown it a moment ago.
func (s *shownCodes) shown(code string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.at[code]
	return ok && now.Sub(at) < screenShown
}

// showScreen is the page of a projector: a code until somebody who calls approves it, then the
// screen of the hall. Nobody types a password where the hall can see it.
func (s *Section) showScreen(v *web.Visit) error {
	code := v.Kept(screenCookie)
	if len(code) != 6 || app.ReservationCode(code) != code {
		code = s.Loto.NewScreenCode()
		v.Keep(screenCookie, code, 24*60*60)
	}
	day, err := s.Loto.ScreenDay(v.Context(), code)
	if err != nil {
		return err
	}
	if day != 0 {
		return v.Redirect(lotoPath(day) + "/screen")
	}
	s.screens.show(code, v.Now())
	v.Again(screenAgain)
	return v.Show(ui.View{Title: v.T("loto.projector"), Accent: ui.Loto, Bare: true}, screenBody(code))
}

// approveScreen has a projector follow a day.
func (s *Section) approveScreen(v *web.Visit) error {
	form, d, err := s.lotoForm(v)
	if err != nil {
		return err
	}
	code := form.Text("code", 20)
	if !form.OK() {
		return s.lotoAgain(http.StatusUnprocessableEntity, d, form, form.Notice())
	}
	err = s.Loto.ApproveScreen(v.Context(), d.act(form), code, func(c string) bool { return s.screens.shown(c, v.Now()) })
	if notice, refused := v.Refused(err); refused {
		return s.lotoAgain(http.StatusUnprocessableEntity, d, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(lotoPath(d.ID), web.Done("loto_screen"))
}
