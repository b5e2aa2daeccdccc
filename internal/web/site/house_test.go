package site_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/store"
	"boulier/internal/web"
	"boulier/internal/web/site"
	"boulier/money"
	"boulier/player"
)

// fete is a game with amounts as people know them, in a block small enough for a test:
// thirty units win, ten do not.
const fete = `title = "Petite fête"
source = "table d’essai"
note = "reconstruction, non officielle"
kind = "three-alike"
block = 40
price = 50.00

[[prizes]]
count = 1
amount = 1000.00

[[prizes]]
count = 4
amount = 50.00

[[prizes]]
count = 25
amount = 2.00
`

// A house is a platform with its pages, one game on sale, and a browser's way to it.
type house struct {
	*apptest.House
	url   string
	issue instant.IssueID
	site  *site.Site
	pages *httptest.Server
}

// open starts a house. The browser speaks French, light, on a phone, until told otherwise.
func open(t *testing.T, change ...func(*site.Config)) *house {
	t.Helper()
	var pages *site.Site
	h := &house{House: apptest.On(t, store.Config{Folder: t.TempDir(), Committed: func(c app.Committed) {
		if pages != nil {
			pages.Committed(c)
		}
	}})}
	h.issue = h.OnSale(h.Staff("jeux", app.Manager), fete)
	c := site.Config{Ground: h.Ground, Instant: h.Instant, Contests: h.Contests, Bingo: h.Bingo, Rules: h.Rules, Logger: slog.New(slog.DiscardHandler),
		PerAddress: web.Limit{Rate: 1e6, Burst: 1e6}}
	for _, f := range change {
		f(&c)
	}
	pages = site.New(c)
	h.site = pages
	h.pages = httptest.NewServer(pages)
	h.url = h.pages.URL
	t.Cleanup(func() {
		pages.Close()
		h.pages.Close()
	})
	return h
}

// buy buys a unit by program, and says what it is.
func (h *house) buy(t *testing.T, who player.ID) app.UnitView {
	t.Helper()
	sold, err := h.Instant.BuyUnit(context.Background(),
		app.Purchase{Request: app.NewRequestID(), Player: who, Issue: h.issue})
	if err != nil {
		t.Fatal(err)
	}
	return h.unit(t, who, sold.Unit)
}

// unit is a unit as its buyer sees it.
func (h *house) unit(t *testing.T, who player.ID, ref app.UnitRef) app.UnitView {
	t.Helper()
	u, err := h.Instant.Unit(context.Background(), who, ref)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// buyLike buys until a unit is won, or lost, as wished, and leaves it in play.
func (h *house) buyLike(t *testing.T, who player.ID, wanted func(money.Cents) bool) app.UnitView {
	t.Helper()
	for range 40 {
		if u := h.buy(t, who); wanted(u.Prize) {
			return u
		}
	}
	t.Fatal("no such unit in the block")
	return app.UnitView{}
}

func won(prize money.Cents) bool  { return prize > 0 }
func lost(prize money.Cents) bool { return prize == 0 }
