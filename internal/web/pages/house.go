// Package pages holds what all pages stand on: who is who and what they may do, the sessions,
// the live streams, the drawer of a cashier, and the parts that pages share. The sections of
// the site are beside it, one package each: instantpages, bingopages, lotopages and
// contestpages, which never import each other. Package site composes them and holds the rest.
package pages

import (
	"github.com/alexedwards/scs/v2"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// A House is what all pages stand on. The site makes the hub and the shell, for these ask
// every section.
type House struct {
	Ground  *app.Ground
	Instant *app.Instant
	Cards   *app.Cards
	Rules   int // the version of the rules in force
	Demo    bool

	People     app.People
	Desk       app.Desk
	Inspection app.Inspection
	Sessions   *scs.SessionManager
	Who        *WhoCache
	Hub        *web.Hub
	Shell      *web.Shell
	Tries      *web.Limiter // attempts to sign in, by address
}

// New returns the house that stands on g, still without hub and shell.
func New(g *app.Ground) *House {
	return &House{Ground: g, People: app.People{Ground: g}, Desk: app.Desk{Ground: g},
		Inspection: app.Inspection{Ground: g}, Sessions: newSessions(g), Who: newWhoCache(g.Now),
		Tries: web.NewLimiter(web.Limit{Rate: 0.2, Burst: 20}, g.Now)}
}

// May makes a need of an action of the app's table.
func (h *House) May(what app.Action) web.Need {
	return web.Allowed(func(p ui.Person) bool { return app.May(h.Who.Roles(p.ID), what) })
}

// MayAny makes a need that one of several actions of the app's table fulfils.
func (h *House) MayAny(actions ...app.Action) web.Need {
	return web.Allowed(func(p ui.Person) bool {
		for _, what := range actions {
			if app.May(h.Who.Roles(p.ID), what) {
				return true
			}
		}
		return false
	})
}

// Can reports whether the visitor may do it.
func (h *House) Can(v *web.Visit, what app.Action) bool {
	return app.May(h.Who.Roles(v.Person.ID), what)
}

// Plays reports whether the person is a player.
func (h *House) Plays(p ui.Person) bool {
	return p.SignedIn() && app.May(h.Who.Roles(p.ID), app.Play)
}
