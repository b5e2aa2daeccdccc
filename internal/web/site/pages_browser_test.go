//go:build !race

package site_test

import (
	"context"
	"strconv"
	"testing"

	"boulier/internal/app"
	"boulier/internal/web/site"
	"boulier/internal/web/webtest"
)

// TestPages_AtEveryWidthAndTheme looks at every screen of visitors and players: nothing is
// wider than the window, axe-core finds nothing, and pictures are kept for eyes.
func TestPages_AtEveryWidthAndTheme(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *site.Config) {
		c.Demo = true
		c.Setup = func(context.Context, string, *app.NewStaff) (bool, error) { return true, nil }
	})
	h.Player("dominique", 0)
	who := h.Player("camille", 2000_00)
	lose := h.buyLike(t, who, lost)
	win := h.buyLike(t, who, won)
	covered := h.buy(t, who)
	issue := "/instant/" + strconv.FormatInt(int64(h.issue), 10)
	look := func(t *testing.T, b *webtest.Tab, pages [][2]string) {
		for _, page := range pages {
			b.Visit(h.url + page[1])
			b.Look(page[0])
		}
	}
	visitor := tab(t)
	look(t, visitor, [][2]string{{"home", "/"}, {"rules", "/rules"}, {"register", "/register"},
		{"signin", "/signin"}, {"setup", "/setup/token"}, {"game", issue}, {"404", "/nowhere"},
		{"401", "/account"}})
	fresh := tab(t)
	h.signIn(fresh, "dominique")
	look(t, fresh, [][2]string{{"account-empty", "/account"}, {"history-empty", "/history"}})
	b := tab(t)
	h.signIn(b, "camille")
	unit := "/units/" + covered.Unit.String()
	look(t, b, [][2]string{{"home-player", "/"}, {"unit", unit}, {"unit-half", unit + "?open=1.2.3"},
		{"won", "/units/" + win.Unit.String() + "?fresh=1"}, {"replay-won", "/units/" + win.Unit.String()},
		{"replay-lost", "/units/" + lose.Unit.String()}, {"game-player", issue}, {"account", "/account"},
		{"history", "/history"}, {"password", "/password"}, {"accept", "/rules/accept"}, {"403", "/desk"}})
}

// TestFirstPage_IsLight weighs what a first visit of the home page brings over the wire,
// fonts included.
func TestFirstPage_IsLight(t *testing.T) {
	t.Parallel()
	h := open(t)
	b := tab(t)
	b.Visit(h.url + "/")
	fonts, rest := b.Weight()
	weight := fonts + rest
	t.Logf("first page: %d bytes over the wire", weight)
	if weight > 100_000 || weight < 75_000 {
		t.Errorf("%d bytes, want at most 100 kB and at least the fonts", weight)
	}
}
