//go:build !race

package site_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/ledger"
	"boulier/player"
	"boulier/regs/regstest"
)

// deaf serves the house, but answers to buying and to scratching get lost while lost is
// set: what was asked is done, and the browser never hears of it.
func (h *house) deaf(t *testing.T) (url string, lost *atomic.Bool) {
	t.Helper()
	lost = &atomic.Bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if lost.Load() && (r.Method == http.MethodPost || strings.Contains(r.URL.Path, "/zones/")) {
			h.site.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		h.site.ServeHTTP(w, r)
	}))
	t.Cleanup(s.CloseClientConnections)
	return s.URL, lost
}

// TestBuy_Once: a second click, the way back, a second tab with the same form, and an
// answer that is lost all lead to one unit, paid once.
func TestBuy_Once(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:43")
	h := open(t)
	who := h.Player("camille", 500_00)
	url, lost := h.deaf(t)
	h.url = url
	b := tab(t)
	h.signIn(b, "camille")
	b.Visit(h.gamePage())
	run(b, `const buy = document.querySelector("#issue .button"); buy.click(); buy.click(); buy.click()`)
	u := h.bought(t, b, who)
	if n := h.count(t, who); n != 1 {
		t.Fatalf("three clicks bought %d units", n)
	}

	follow(b, `history.back()`)
	run(b, `document.querySelector("#issue form")?.requestSubmit() ?? location.assign("/units/`+u.Unit.String()+`")`)
	if again := h.bought(t, b, who); again.Unit != u.Unit || h.count(t, who) != 1 {
		t.Errorf("back and again: unit %s after %s, %d in all", again.Unit, u.Unit, h.count(t, who))
	}

	// The unit in play is uncovered, so that the game can be bought again.
	b.Visit(h.url + "/history")
	b.Visit(h.gamePage())
	same := b.Text(`document.querySelector("#issue [name=request]").value`)
	first := b.Await(`fetch(document.querySelector("#issue form").action, {method: "POST",
		body: new URLSearchParams({request: "` + same + `"})}).then(r => new URL(r.url).pathname)`)
	run(b, `document.querySelector("#issue form").requestSubmit()`)
	if v := h.bought(t, b, who); "/units/"+v.Unit.String() != first || h.count(t, who) != 2 {
		t.Errorf("the same form from two places: %s and %s, %d units", first, v.Unit, h.count(t, who))
	}

	b.Visit(h.url + "/history")
	b.Visit(h.gamePage())
	lost.Store(true)
	run(b, `document.querySelector("#issue form").requestSubmit()`)
	for h.count(t, who) < 3 {
		time.Sleep(10 * time.Millisecond)
	}
	b.WaitFor(`location.href.startsWith("chrome-error:")`)
	lost.Store(false)
	b.Do(chromedp.Reload()) // sends the form again, as the browser offers
	h.bought(t, b, who)
	if n := h.count(t, who); n != 3 {
		t.Errorf("an answer that was lost: %d units, want 3", n)
	}
	stakes := h.stakes(t, who)
	if stakes != 3 {
		t.Errorf("%d stakes were taken for 3 units", stakes)
	}
}

// TestScratch_AnswerLost: when the end of a unit is not heard, the page says so, offers to
// ask again, and asking again shows the same.
func TestScratch_AnswerLost(t *testing.T) {
	t.Parallel()
	h := open(t)
	who := h.Player("camille", 500_00)
	u := h.buy(t, who)
	url, lost := h.deaf(t)
	h.url = url
	b := tab(t)
	h.signIn(b, "camille")
	b.Visit(h.url + "/units/" + u.Unit.String())
	lost.Store(true)
	b.Do(chromedp.Click(chromedp.CSS(`[data-uncover-all]`)))
	b.WaitFor(`document.querySelector("[data-again]")`)
	b.Axe()
	b.Shot("unanswered-light-360")
	lost.Store(false)
	b.Do(chromedp.Click(chromedp.CSS(`[data-again]`)))
	b.WaitFor(`document.querySelector(".result-won, .result-lost")`)
	b.WaitFor(shown + ` === "` + cents(450_00+u.Prize) + `"`)
}

// stakes counts the stakes that a player has paid.
func (h *house) stakes(t *testing.T, who player.ID) (n int) {
	t.Helper()
	moves, err := h.Store.Movements(t.Context(), ledger.Path("player:"+who.String()), app.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		if m.Kind == "stake" {
			n++
		}
	}
	return n
}

// TestBuy_Refused: too late, a cent short, or staff: a page says so, and nothing moves.
func TestBuy_Refused(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:14", "std:44", "std:57")
	h := open(t)
	poor, rich := h.Player("pauvre", 49_99), h.Player("camille", 500_00)
	b := tab(t)
	h.signIn(b, "pauvre")
	b.Visit(h.gamePage())
	follow(b, `document.querySelector("#issue .button").click()`)
	h.refused(t, b, "Votre solde ne suffit pas")
	if got := b.Text(shown); got != "4999" || h.count(t, poor) != 0 {
		t.Errorf("a cent short: balance %s, %d units", got, h.count(t, poor))
	}

	now := h.Clock.Now()
	order := app.IssueOpening{Request: app.NewRequestID(), By: h.Staff("jeux2", app.Manager),
		Game: 1, Window: instant.Window{Opens: now, Closes: now.Add(10 * time.Minute)}, Blocks: 1}
	issue, err := h.Instant.OpenIssue(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Instant.MakeWanted(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.issue = issue
	c := tab(t)
	h.signIn(c, "camille")
	c.Visit(h.gamePage())
	h.Clock.Move(11 * time.Minute)
	follow(c, `document.querySelector("#issue .button").click()`)
	h.refused(t, c, "trop tard")
	if got := c.Text(shown); got != "50000" || h.count(t, rich) != 0 {
		t.Errorf("too late: balance %s, %d units", got, h.count(t, rich))
	}
	c.Axe()

	d := tab(t)
	h.signIn(d, "jeux")
	h.issue = 1
	d.Visit(h.gamePage())
	if got := d.Text(`document.querySelectorAll("#issue form").length`); got != "0" {
		t.Error("staff is offered to play")
	}
	status := d.Await(`fetch(location.href, {method: "POST", body: new URLSearchParams({request: "` +
		app.NewRequestID().String() + `"})}).then(r => String(r.status))`)
	if status != "403" {
		t.Errorf("staff who buys is answered %s", status)
	}
}

// refused checks a page that says no: why, and that nothing was taken.
func (h *house) refused(t *testing.T, b interface{ Text(string) string }, why string) {
	t.Helper()
	page := b.Text(`document.querySelector("main").innerText`)
	if !strings.Contains(page, why) || !strings.Contains(page, "Rien n’a été débité") {
		t.Errorf("the refusal says %q", page)
	}
}

// TestPassword_MustBeChanged: with a password that somebody else gave, nothing opens but its
// change and the way out.
func TestPassword_MustBeChanged(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:51")
	h := open(t)
	who := h.Player("camille", 500_00)
	err := h.People.ResetPassword(t.Context(), app.Reset{Request: app.NewRequestID(),
		Cashier: h.Staff("caisse", app.Cashier), Person: who, Document: "passport", Password: "given at the desk"})
	if err != nil {
		t.Fatal(err)
	}
	b := tab(t)
	b.Visit(h.url + "/signin")
	follow(b, `document.querySelector("[name=name]").value = "camille";
		document.querySelector("[name=password]").value = "given at the desk";
		document.querySelector(".form .button").click()`)
	for _, path := range []string{"/", "/account", "/history", "/rules", "/account/statement.csv", h.gamePage()[len(h.url):]} {
		if got := b.Await(`fetch("` + path + `").then(r => new URL(r.url).pathname)`); got != "/password" {
			t.Errorf("%s leads to %s", path, got)
		}
	}
	got := b.Await(`fetch("` + h.gamePage() + `", {method: "POST", body: new URLSearchParams({request: "` +
		app.NewRequestID().String() + `"})}).then(r => new URL(r.url).pathname)`)
	if got != "/password" || h.count(t, who) != 0 {
		t.Errorf("buying leads to %s, %d units", got, h.count(t, who))
	}
	b.Axe()
	b.Shot("must-light-360")
	follow(b, `document.querySelector("[name=old]").value = "given at the desk";
		document.querySelector("[name=password]").value = "a long password";
		document.querySelector(".form .button").click()`)
	if got := b.Await(`fetch("/account").then(r => new URL(r.url).pathname)`); got != "/account" {
		t.Errorf("after the change the account leads to %s", got)
	}
}
