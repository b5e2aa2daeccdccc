package web

import (
	"net/http"
	"slices"

	"boulier/internal/web/locales"
)

// Cookies of the shell. They hold no secret: a choice, or the key of a message.
const (
	languageCookie = "boulier_language"
	themeCookie    = "boulier_theme"
	flashCookie    = "boulier_flash"
)

const yearSeconds = 365 * 24 * 3600

// preferences keeps a choice of language or theme, and comes back to the page.
func (s *Shell) preferences(v *Visit) error {
	if err := v.parse(); err != nil {
		return err
	}
	if lang := v.r.PostForm.Get("language"); slices.Contains(locales.Languages, lang) {
		v.setCookie(languageCookie, lang, yearSeconds)
		if v.Person.SignedIn() && s.config.SetLanguage != nil {
			if err := s.config.SetLanguage(v.Context(), v.Person, lang); err != nil {
				return err
			}
		}
	}
	switch theme := v.r.PostForm.Get("theme"); theme {
	case "light", "dark":
		v.setCookie(themeCookie, theme, yearSeconds)
	case "auto":
		v.setCookie(themeCookie, "", -1)
	}
	return v.Redirect(v.r.PostForm.Get("back"))
}

// themeOf is the theme that the person chose, or empty for the system's.
func themeOf(r *http.Request) string {
	if c, err := r.Cookie(themeCookie); err == nil && (c.Value == "light" || c.Value == "dark") {
		return c.Value
	}
	return ""
}

// Keep stores a value in this browser for so many seconds, such as what authorizes it as a
// terminal; Kept returns it.
func (v *Visit) Keep(name, value string, seconds int) { v.setCookie(name, value, seconds) }

// Kept returns what Keep stored in this browser, or "".
func (v *Visit) Kept(name string) string {
	if c, err := v.r.Cookie(name); err == nil {
		return c.Value
	}
	return ""
}

func (v *Visit) setCookie(name, value string, maxAge int) {
	http.SetCookie(v.w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: Https(v.r, v.shell.config.TrustedProxies),
	})
}
