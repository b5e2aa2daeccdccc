// Package lotopages holds the pages of the hall loto: the screen of the hall, the caller, the
// checker, the desks, and the preparation of a day.
package lotopages

import (
	"strings"

	"github.com/a-h/templ"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
)

// A Section is the loto's part of the site.
type Section struct {
	*pages.House
	Loto    *app.Loto
	screens shownCodes
}

// New returns the section of the lotos of a house, nil where it has none.
func New(h *pages.House, l *app.Loto) *Section { return &Section{House: h, Loto: l} }

// On reports whether the house has lotos.
func (s *Section) On() bool { return s.Loto != nil }

// Mount adds the pages.
func (s *Section) Mount() { s.mountLoto() }

// Home is the lotos on the home page that are not over.
func (s *Section) Home(v *web.Visit) (templ.Component, error) {
	if !s.On() {
		return homeLotos(nil), nil
	}
	days, err := s.Loto.Days(v.Context())
	return homeLotos(days), err
}

// MayFollow reports whether anybody may follow a live topic of the lotos: what the hall sees.
func MayFollow(topic string) bool { return strings.HasPrefix(topic, app.LotoPrefix) }
