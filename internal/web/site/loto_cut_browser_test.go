//go:build !race

package site_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"boulier/game/loto"
	"boulier/internal/app"
	"boulier/regs/regstest"
)

// A cable is the network between a browser and the house, that can be cut: at once, or so
// that what is sent arrives and the answer is lost.
type cable struct {
	url  string
	cut  atomic.Bool
	deaf atomic.Bool
}

func (h *staffHouse) cable(t *testing.T) *cable {
	t.Helper()
	to, err := url.Parse(h.url)
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{}
	proxy := httputil.NewSingleHostReverseProxy(to)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.cut.Load() {
			panic(http.ErrAbortHandler)
		}
		if r.Method == http.MethodPost && c.deaf.Load() {
			c.cut.Store(true)
			proxy.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		proxy.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = nil
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

// TestLoto_ADeskIsCutOff: a desk without a network goes on selling from its own pile; what it
// sold is shown as not confirmed, survives a reload, and is sent once.
func TestLoto_ADeskIsCutOff(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:7.tariff", "loto:10", "house:1", "house:2")
	h := newStaffHouse(t)
	day := h.lotoDay(t)
	h.drawer(t, h.people["carla"], 1)
	desk, net := h.enter(t, "carla"), h.cable(t)
	page := net.url + "/loto/" + day.String() + "/desk"
	desk.View(1280, "light", true)
	desk.Visit(page)
	sales := func() int {
		d, _, err := h.Loto.Day(t.Context(), day)
		if err != nil {
			t.Fatal(err)
		}
		stocks, err := h.Loto.Stocks(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return stocks[0].Sales
	}
	sell := func(keys ...string) {
		for _, k := range keys {
			press(desk, k)
		}
	}
	sell("6", "e")
	shows(desk, "Vente 1")
	desk.WaitFor(`document.querySelector("[data-waiting]").hidden`)

	// The second sale arrives and its answer is lost; the third and fourth do not leave.
	net.deaf.Store(true)
	sell("6", "e")
	shows(desk, "A-7 → A-12")
	desk.WaitFor(`document.querySelectorAll(".till-waiting li").length === 1`)
	sell("6", "3", "c")
	desk.WaitFor(`document.querySelectorAll(".till-waiting li").length === 2`)
	shows(desk, "A-13 → A-18")
	shows(desk, "32,00")
	sell("1", "h")
	shows(desk, "Un chèque demande une pièce d’identité")
	sell("e")
	desk.WaitFor(`document.querySelectorAll(".till-waiting li").length === 3`)
	if text := desk.Text(`document.querySelector(".till-waiting").innerText`); strings.Count(text, "non confirmé") != 3 {
		t.Errorf("not confirmed: %q", text)
	}
	desk.Do(chromedp.Focus(chromedp.CSS("[name=reservation]")), chromedp.KeyEvent("ABCDEFGH"))
	desk.Do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	sell("1", "e")
	shows(desk, "Une réservation ne se vérifie que connecté")
	desk.Look("loto-desk-cut")
	if n := sales(); n != 2 {
		t.Errorf("%d sales have arrived, want 2", n)
	}
	// The same drawer sells the same card on another machine meanwhile: that should not be.
	if _, err := h.Loto.Sell(t.Context(), app.LotoSale{LotoAct: app.LotoAct{Request: app.NewRequestID(), By: h.people["carla"], Day: day},
		Items: []loto.Item{{Unit: loto.OneCard}}, Means: app.Cash}); err != nil {
		t.Fatal(err)
	}

	// The network comes back: each sale is done once, the one that is refused says why.
	net.deaf.Store(false)
	net.cut.Store(false)
	desk.WaitFor(`document.querySelectorAll(".till-waiting li").length === 1`)
	desk.WaitFor(`document.querySelector(".till-waiting").innerText.includes("déjà vendu")`)
	if n := sales(); n != 4 {
		t.Errorf("%d sales, want 4", n)
	}
	desk.Do(chromedp.Click(chromedp.CSS("[data-noted]:not([hidden])")))
	desk.WaitFor(`document.querySelector("[data-waiting]").hidden`)

	// Cut off again, and the page is closed: the sale leaves when it is opened again.
	desk.Visit(page)
	net.cut.Store(true)
	sell("6", "e")
	desk.WaitFor(`document.querySelectorAll(".till-waiting li").length === 1`)
	desk.Do(chromedp.Navigate("about:blank"))
	net.cut.Store(false)
	desk.Visit(page)
	shows(desk, "Vente 5")
	desk.WaitFor(`document.querySelector("[data-waiting]").hidden`)
	if n := sales(); n != 5 {
		t.Errorf("%d sales, want 5", n)
	}
	// The first and the last card of a pile are scanned: the sum is there before it is paid.
	desk.Do(chromedp.Focus(chromedp.CSS("[name=scan]")), chromedp.KeyEvent("a-31"))
	desk.Do(chromedp.Focus(chromedp.CSS("[name=last]")), chromedp.KeyEvent("a-48"))
	desk.WaitFor(`document.querySelector("[name=sheet6]").value === "3" && document.querySelector("[data-sum]").textContent.startsWith("60,00")`)
	desk.Do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	sell("e")
	shows(desk, "Vente 6")
	desk.WaitFor(`document.querySelector("main").innerText.includes("A-43 → A-48")`)
}
