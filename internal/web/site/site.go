// Package site composes the pages of the platform. The games are sections of their own
// (instantpages, bingopages, lotopages, contestpages) on what all share (pages); here is the
// rest, each file the pages of one kind of visitor. A page reads a form, calls one use case of
// package app, and shows the answer; it knows no rule.
package site

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/bingopages"
	"boulier/internal/web/contestpages"
	"boulier/internal/web/instantpages"
	"boulier/internal/web/lotopages"
	"boulier/internal/web/pages"
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
	BingoDemo func() *bingopages.Demo

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

// A Site is the house with its sections.
type Site struct {
	*pages.House
	Office   app.Office
	Setup    Setup
	instant  *instantpages.Section
	bingo    *bingopages.Section
	loto     *lotopages.Section
	contests *contestpages.Section
}

// New returns the site.
func New(c Config) *Site {
	h := pages.New(c.Ground)
	h.Instant, h.Cards, h.Rules, h.Demo = c.Instant, c.Cards, c.Rules, c.Demo
	s := &Site{House: h, Office: c.Office, Setup: c.Setup}
	s.instant = instantpages.New(h)
	s.bingo = bingopages.New(h, c.Bingo, c.BingoDemo)
	s.loto = lotopages.New(h, c.Loto)
	s.contests = contestpages.New(h, c.Contests)
	h.Hub = web.NewHub(facts{s})
	h.Shell = web.New(web.Config{
		Identify: h.Identify, Wallet: s.wallet, Session: h.KeepSessions(c.TrustedProxies), Navigation: s.navigation,
		Detour: s.detour, Hub: h.Hub, MayFollow: s.mayFollow,
		Demo: c.Demo, Gallery: c.Gallery, Version: c.Ground.Version,
		Fingerprint: c.Ground.Sealer.Fingerprint, Zone: c.Ground.Zone, Now: c.Ground.Now,
		Logger: c.Logger, TrustedProxies: c.TrustedProxies, PerAddress: c.PerAddress,
	})
	s.mountVisitor()
	s.mountSetup()
	s.mountPlayer()
	s.mountVerify()
	s.mountDesk()
	s.mountDay()
	s.mountSeries()
	s.mountAdmin()
	s.mountInspect()
	s.instant.Mount()
	if s.bingo.On() {
		s.bingo.Mount()
	}
	if s.loto.On() {
		s.loto.Mount()
	}
	if s.contests.On() {
		s.contests.Mount()
	}
	return s
}

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.Shell.ServeHTTP(w, r) }

// Close ends the live streams, so that the server can stop.
func (s *Site) Close() { s.Hub.Close() }

// detour leads a person whose password was given by somebody else to its change: nothing
// else can be done before.
func (s *Site) detour(p ui.Person, path string) string {
	if !s.Who.MustChange(p.ID) || path == "/password" || path == "/signout" {
		return ""
	}
	return "/password"
}

// navigation returns the links of the masthead.
func (s *Site) navigation(ctx context.Context, p ui.Person) []ui.Link {
	if s.Who.MustChange(p.ID) {
		return nil
	}
	links := []ui.Link{{Href: "/", Label: ui.T(ctx, "nav.home")}}
	if s.contests.On() {
		links = append(links, ui.Link{Href: "/contests", Label: ui.T(ctx, "nav.contests")})
	}
	roles := s.Who.Roles(p.ID)
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
	if s.bingo.On() {
		links = append(links, ui.Link{Href: "/bingo", Label: ui.T(ctx, "nav.bingo")})
	}
	if s.loto.On() {
		links = append(links, ui.Link{Href: "/loto", Label: ui.T(ctx, "nav.loto")})
	}
	return append(links, ui.Link{Href: "/rules", Label: ui.T(ctx, "nav.rules")})
}

// mayFollow says who may follow a live topic: a wallet is its owner's alone.
func (s *Site) mayFollow(ctx context.Context, p ui.Person, topic string) bool {
	kind, _, _ := strings.Cut(topic, "/")
	switch kind {
	case "wallet":
		return p.SignedIn() && topic == pages.WalletTopic(p.ID) || topic == s.bingo.TerminalWallet(ctx)
	case "bingo":
		return bingopages.MayFollow(topic)
	case "loto":
		return lotopages.MayFollow(topic)
	case "instant":
		return instantpages.MayFollow(topic)
	case "contest":
		return contestpages.MayFollow(topic)
	case "manage", "ninety":
		roles := s.Who.Roles(p.ID)
		return p.SignedIn() && (app.May(roles, app.ManageGames) || app.May(roles, app.Inspect))
	}
	return false
}
