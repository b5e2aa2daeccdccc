// Package bingopages holds the pages of the interconnected bingo: the hall, the terminals, the
// desk that leads the day, the electronic accounts, and what the inspector reads of it.
package bingopages

import (
	"strings"
	"sync/atomic"

	"github.com/a-h/templ"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
)

// A Section is the bingo's part of the site.
type Section struct {
	*pages.House
	Bingo *app.Bingo
	lent  func() *Demo                  // what the demonstration lends; nil elsewhere
	day   atomic.Pointer[bingo.Session] // for the gauges
}

// New returns the section of a bingo, nil where the house has none.
func New(h *pages.House, b *app.Bingo, lent func() *Demo) *Section {
	return &Section{House: h, Bingo: b, lent: lent}
}

// On reports whether the house has a bingo.
func (s *Section) On() bool { return s.Bingo != nil }

// Mount adds the pages.
func (s *Section) Mount() {
	s.mountBingo()
	s.mountBingoManage()
	s.mountBingoCash()
	s.mountBingoInspect()
}

// Home is the bingo on the home page, while it is open.
func (s *Section) Home(v *web.Visit) (templ.Component, error) {
	b, err := s.bingoVisit(v)
	return homeBingo(b), err
}

// MayFollow reports whether anybody may follow a live topic of the bingo.
func MayFollow(topic string) bool {
	return topic == app.BingoSessionTopic || strings.HasPrefix(topic, app.BingoRoundPrefix)
}
