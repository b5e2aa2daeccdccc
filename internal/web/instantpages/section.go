// Package instantpages holds the pages of the instant lotteries: the games on sale, a unit in
// play and in the history, and for managers the games, the issues and their reports, the
// editor of word games and the simulation of a block.
package instantpages

import (
	"github.com/a-h/templ"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
)

// A Section is the instant lotteries' part of the site.
type Section struct {
	*pages.House
	simulations app.Simulations
}

// New returns the section of the instant lotteries of a house.
func New(h *pages.House) *Section { return &Section{House: h} }

// Mount adds the pages.
func (s *Section) Mount() {
	s.mountInstant()
	s.mountManage()
	s.mountCompose()
}

// Home is the games on sale on the home page, and the cursor of what they show.
func (s *Section) Home(v *web.Visit) (part templ.Component, live string, err error) {
	offers, err := s.offers(v.Context())
	return homeInstant(offers), liveOf(offers), err
}

// Tables are the prize tables of the games on sale.
func (s *Section) Tables(v *web.Visit) (templ.Component, error) {
	offers, err := s.offers(v.Context())
	return publishedTables(offers), err
}
