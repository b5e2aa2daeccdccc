// Package contestpages holds the pages of the prediction contests: what players and visitors
// see, the entry, the gift shop, the leagues, and the preparation of contests.
package contestpages

import (
	"fmt"
	"strings"

	"github.com/a-h/templ"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
)

// A Section is the contests' part of the site.
type Section struct {
	*pages.House
	Contests *app.Contests
}

// New returns the section of the contests of a house, nil where it has none.
func New(h *pages.House, c *app.Contests) *Section { return &Section{House: h, Contests: c} }

// On reports whether the house has contests.
func (s *Section) On() bool { return s.Contests != nil }

// Mount adds the pages.
func (s *Section) Mount() {
	s.mountContest()
	s.mountContestManage()
	s.mountShop()
	s.mountEntry()
	s.mountData()
	s.mountOffer()
	s.mountLeague()
}

// Home is the contests on the home page, with their next limits.
func (s *Section) Home(v *web.Visit) (templ.Component, error) {
	list, err := s.announced(v.Context(), s.playing(v.Person))
	return homeContests(list), err
}

// Prefix begins the names of all that is of the contests.
const Prefix = "contest/"

// Changed passes what a commit has done to a contest to the screens that follow it: contests
// and legs by their facts, slips by a gauge of the leg.
func (s *Section) Changed(state app.Changed) {
	switch {
	case MayFollow(state.Name):
		s.Hub.Renew(state.Name)
	case strings.HasPrefix(state.Name, countPrefix):
		if n, ok := state.Value.(int); ok {
			topic := legTopicPrefix + strings.TrimPrefix(state.Name, countPrefix)
			s.Hub.Gauge(topic, "sales", fmt.Appendf(nil, `{"slips":%d}`, n))
		}
	}
}

// MayFollow reports whether anybody may follow a live topic of the contests: its facts say no
// more than that something has changed.
func MayFollow(topic string) bool {
	return strings.HasPrefix(topic, legTopicPrefix) || strings.HasPrefix(topic, contestTopicPrefix)
}
