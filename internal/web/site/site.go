// Package site holds the pages of the platform: each file those of one kind of visitor or
// one game. A page reads a form, calls one use case of package app, and shows the answer;
// it knows no rule.
package site

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"

	"github.com/alexedwards/scs/v2"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// Config is what the pages stand on.
type Config struct {
	Ground   *app.Ground
	Instant  *app.Instant
	Cards    *app.Cards
	Loto     *app.Loto
	Bingo    *app.Bingo
	Contests *app.Contests
	Rules    int // the version of the rules in force
	Office   app.Office

	// BingoDemo gives whoever tries the demonstration a terminal and an account; nil elsewhere.
	BingoDemo func() *BingoDemo

	Demo           bool
	Gallery        bool
	Setup          Setup // makes the first administrator; nil: there is one
	TrustedProxies []netip.Prefix
	PerAddress     web.Limit
	Logger         *slog.Logger
}

// A Setup makes the first administrator for whoever has the one-time token: it reports
// whether the token is right, and adds the person unless n is nil.
type Setup func(ctx context.Context, token string, n *app.NewStaff) (bool, error)

// A Site is the pages with what they share: sessions, who is who, the live streams.
type Site struct {
	Config
	people      app.People
	desk        app.Desk
	simulations app.Simulations
	inspection  app.Inspection
	sessions    *scs.SessionManager
	who         *whoCache
	hub         *web.Hub
	shell       *web.Shell
	screens     shownCodes
	tries       *web.Limiter                  // attempts to sign in, by address
	day         atomic.Pointer[bingo.Session] // of the bingo, for its gauges
}

// New returns the site.
func New(c Config) *Site {
	s := &Site{Config: c, people: app.People{Ground: c.Ground}, who: newWhoCache(c.Ground.Now)}
	s.desk, s.inspection = app.Desk{Ground: c.Ground}, app.Inspection{Ground: c.Ground}
	s.sessions = newSessions(c.Ground)
	s.hub = web.NewHub(facts{s})
	s.tries = web.NewLimiter(web.Limit{Rate: 0.2, Burst: 20}, c.Ground.Now)
	s.shell = web.New(web.Config{
		Identify: s.identify, Wallet: s.wallet, Session: s.sessions.LoadAndSave, Navigation: s.navigation,
		Detour: s.detour, Hub: s.hub, MayFollow: s.mayFollow,
		Demo: c.Demo, Gallery: c.Gallery, Version: c.Ground.Version,
		Fingerprint: c.Ground.Sealer.Fingerprint, Zone: c.Ground.Zone, Now: c.Ground.Now,
		Logger: c.Logger, TrustedProxies: c.TrustedProxies, PerAddress: c.PerAddress,
	})
	s.mountVisitor()
	s.mountSetup()
	s.mountPlayer()
	s.mountInstant()
	s.mountVerify()
	if c.Contests != nil {
		s.mountContest()
		s.mountContestManage()
		s.mountShop()
		s.mountEntry()
		s.mountData()
		s.mountOffer()
		s.mountLeague()
	}
	s.mountDesk()
	s.mountManage()
	s.mountCompose()
	s.mountSeries()
	if c.Loto != nil {
		s.mountLoto()
	}
	if c.Bingo != nil {
		s.mountBingo()
		s.mountBingoManage()
		s.mountBingoCash()
		s.mountBingoInspect()
	}
	s.mountAdmin()
	s.mountInspect()
	return s
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.shell.ServeHTTP(w, r) }

// Close ends the live streams, so that the server can stop.
func (s *Site) Close() { s.hub.Close() }

// Hub passes gauges and facts to the live streams.
func (s *Site) Hub() *web.Hub { return s.hub }

// may makes a need of an action of the app's table.
func (s *Site) may(what app.Action) web.Need {
	return web.Allowed(func(p ui.Person) bool { return app.May(s.who.roles(p.ID), what) })
}

// detour leads a person whose password was given by somebody else to its change: nothing
// else can be done before.
func (s *Site) detour(p ui.Person, path string) string {
	if !s.who.mustChange(p.ID) || path == "/password" || path == "/signout" {
		return ""
	}
	return "/password"
}

// navigation returns the links of the masthead.
func (s *Site) navigation(ctx context.Context, p ui.Person) []ui.Link {
	if s.who.mustChange(p.ID) {
		return nil
	}
	links := []ui.Link{{Href: "/", Label: ui.T(ctx, "nav.home")}}
	if s.Contests != nil {
		links = append(links, ui.Link{Href: "/contests", Label: ui.T(ctx, "nav.contests")})
	}
	roles := s.who.roles(p.ID)
	for _, l := range []struct {
		what app.Action
		href string
		key  string
	}{
		{app.Play, "/account", "nav.account"},
		{app.Play, "/history", "nav.history"},
		{app.WorkDesk, "/desk", "nav.desk"},
		{app.ManageGames, "/manage", "nav.manage"},
		{app.EditContests, "/manage/contests", "nav.contests.manage"},
		{app.ManageStaff, "/admin", "nav.admin"},
		{app.Inspect, "/inspect", "nav.inspect"},
	} {
		if p.SignedIn() && app.May(roles, l.what) {
			links = append(links, ui.Link{Href: l.href, Label: ui.T(ctx, l.key)})
		}
	}
	if s.Bingo != nil {
		links = append(links, ui.Link{Href: "/bingo", Label: ui.T(ctx, "nav.bingo")})
	}
	if s.Loto != nil {
		links = append(links, ui.Link{Href: "/loto", Label: ui.T(ctx, "nav.loto")})
	}
	return append(links, ui.Link{Href: "/rules", Label: ui.T(ctx, "nav.rules")})
}

// mayFollow says who may follow a live topic: a wallet is its owner's alone.
func (s *Site) mayFollow(ctx context.Context, p ui.Person, topic string) bool {
	kind, _, _ := strings.Cut(topic, "/")
	switch kind {
	case "wallet":
		return p.SignedIn() && topic == walletTopic(p.ID) || topic == s.terminalWallet(ctx)
	case "bingo":
		return topic == app.BingoSessionTopic || strings.HasPrefix(topic, app.BingoRoundPrefix)
	case "loto":
		return strings.HasPrefix(topic, app.LotoPrefix) // what the hall sees
	case "instant":
		return strings.HasPrefix(topic, issueTopicPrefix)
	case "contest": // its facts say no more than that something has changed
		return strings.HasPrefix(topic, legTopicPrefix) || strings.HasPrefix(topic, contestTopicPrefix)
	case "manage", "ninety":
		roles := s.who.roles(p.ID)
		return p.SignedIn() && (app.May(roles, app.ManageGames) || app.May(roles, app.Inspect))
	}
	return false
}
