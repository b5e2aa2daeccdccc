//go:build !race

package site_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"boulier/internal/app"
	"boulier/internal/web/webtest"
	"boulier/player"
	"boulier/regs/regstest"
)

// covered counts the zones that can be scratched now.
const covered = `document.querySelectorAll("scratch-zone:not([data-locked]) .zone-cover").length`

// ended says that the unit is whole and its result is shown.
const ended = `document.querySelector(".result-won, .result-lost")`

// framed counts the framed letters shown beside the board.
const framed = `document.querySelectorAll(".bonus .letter[data-factor]").length`

// zoneIndex is where a zone stands among those of the page: the rack, then the letters of
// the board.
func zoneIndex(t *testing.T, b *webtest.Tab, zone int) int {
	t.Helper()
	n, err := strconv.Atoi(b.Text(`[...document.querySelectorAll("scratch-zone")].findIndex(z => z.getAttribute("number") === "` +
		strconv.Itoa(zone) + `")`))
	if err != nil || n < 0 {
		t.Fatalf("zone %d is not on the page (%v)", zone, err)
	}
	return n
}

// centre brings the card where the mouse and the finger reach it.
func centre(b *webtest.Tab, selector string) {
	run(b, `document.querySelector("`+selector+`").scrollIntoView({block: "center", behavior: "instant"})`)
}

// unspoken fails the test when anything on the page of a covered unit tells what lies under
// a zone that is not open.
func unspoken(t *testing.T, b *webtest.Tab, u app.UnitView, open int) {
	t.Helper()
	for what, text := range map[string]string{
		"source": b.Await(`fetch("/units/` + u.Unit.String() + `").then(r => r.text())`),
		"page":   b.Text(`document.querySelector(".play").outerHTML`),
	} {
		if keys := strings.Count(text, "data-key"); what == "page" && keys > open || what == "source" && keys > 0 {
			t.Errorf("the %s of a covered unit tells %d letters of the rack, %d are open", what, keys, open)
		}
		if strings.Contains(text, "data-factor") || strings.Contains(text, "data-won") {
			t.Errorf("the %s of a covered unit tells a symbol or a word: %s", what, text)
		}
	}
}

// showsWhole fails the test unless the page shows the whole unit as it is.
func showsWhole(t *testing.T, b *webtest.Tab, u app.UnitView) {
	t.Helper()
	if got, want := b.Text(`[...document.querySelectorAll(".rack .letter")].map(l => l.textContent.trim()).join("")`),
		string(u.Words.Face.Rack[:]); got != want {
		t.Errorf("the rack shows %s, it is %s", got, want)
	}
	var want []string
	for _, zone := range squares(u) {
		factor := ""
		for _, s := range u.Words.Face.Symbols {
			if s.Cell == zone-8 {
				factor = strconv.Itoa(s.Factor)
			}
		}
		want = append(want, fmt.Sprintf("%d%c%s", zone, u.Words.Board.Letter(zone-8), factor))
	}
	if got := b.Text(`[...document.querySelectorAll(".words-board scratch-zone")].map(z => z.getAttribute("number") +
		z.querySelector(".letter").firstChild.textContent.trim() + (z.querySelector(".letter").dataset.factor ?? ""))`); got != strings.Join(want, ",") {
		t.Errorf("the board shows %s, want %s", got, strings.Join(want, ","))
	}
	won := []string{}
	if n := u.Words.Completed.Letters; n > 0 {
		marked := map[int]bool{}
		for _, cell := range u.Words.Board.Word(n).Cells() {
			marked[8+cell] = true
		}
		for _, zone := range squares(u) {
			if marked[zone] {
				won = append(won, strconv.Itoa(zone))
			}
		}
	}
	if got := b.Text(`[...document.querySelectorAll(".words-board [data-won]")].map(z => z.getAttribute("number"))`); got != strings.Join(won, ",") {
		t.Errorf("lit up are %s, want %v", got, won)
	}
	factor := "undefined"
	if u.Words.Completed.Factor > 1 {
		factor = strconv.Itoa(u.Words.Completed.Factor)
	}
	if got := b.Text(`document.querySelector(".bonus-square[data-counts] .letter")?.dataset.factor`); got != factor {
		t.Errorf("the « Bonus » square shows %s, want %s", got, factor)
	}
	if got, want := b.Text(framed), fmt.Sprint(len(u.Words.Face.Symbols)); got != want {
		t.Errorf("%s framed letters stand beside the board, want %s", got, want)
	}
}

// TestWords_ByMouse pages through the boards, plays on the fourth, scratches where nothing is
// to be scratched, asks what is left, and finds the unit again as it was.
func TestWords_ByMouse(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.1", "instant:4.2", "instant:4.3", "instant:4.4.stake", "instant:4.4.manual", "instant:4.6")
	h := openWords(t)
	who := h.Player("camille", 500_00)
	b := tab(t)
	b.View(1280, "light", true)
	h.signIn(b, "camille")
	b.Visit(h.gamePage())
	if got := b.Text(`document.querySelector("[name=board]:checked").value`); got != "1" {
		t.Errorf("board %s is preset", got)
	}
	if n := b.Text(`document.querySelectorAll("[name=board]").length`); n < "12" {
		t.Errorf("%s boards are offered, want 12 or more", n)
	}
	for i := range 3 {
		b.Do(chromedp.Click(chromedp.CSS(`[data-step="1"]`)))
		b.WaitFor(`document.querySelector("[name=board]:checked").value === "` + strconv.Itoa(i+2) + `"`)
	}
	b.Axe()
	b.Do(chromedp.Click(chromedp.CSS(`#issue form > .actions .button`)))
	u := h.bought(t, b, who)
	if u.Words.Number != 4 {
		t.Fatalf("the unit is played on board %d, 4 was chosen", u.Words.Number)
	}
	unspoken(t, b, u, 0)
	centre(b, "scratch-card")
	toScratch := squares(u)
	b.Do(chromedp.Click(chromedp.CSS(`.words-board scratch-zone .zone-cover`)))
	b.WaitFor(`document.querySelector("[data-message]").textContent.includes("ne se gratte pas")`)
	for tile := range 7 {
		rub(t, b, tile)
		b.WaitFor(`document.querySelectorAll(".rack .letter").length === ` + strconv.Itoa(tile+1) +
			` && document.querySelectorAll(".rack .zone-cover").length === ` + strconv.Itoa(6-tile))
		unspoken(t, b, u, tile+1)
	}
	lit := b.Text(`[...document.querySelectorAll(".words-board scratch-zone:not([data-locked])")].map(z => z.getAttribute("number"))`)
	if want := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(toScratch)), ","), "[]"); lit != want {
		t.Errorf("lit are %s, want %s", lit, want)
	}
	b.Do(chromedp.Click(chromedp.CSS(`[data-show-remains]`)))
	b.WaitFor(`document.querySelector("[data-message]").textContent.includes("pas finie")`)
	if got := b.Text(`document.querySelectorAll("[data-remains]").length`); got != strconv.Itoa(len(toScratch)) {
		t.Errorf("%s zones are pointed at, %d are left", got, len(toScratch))
	}
	b.Axe()
	b.Shot("words-remains-light-1280")
	if p := h.unit(t, who, u.Unit); !p.Covered {
		t.Error("the play ended before the last letter was scratched")
	}
	for i, zone := range toScratch { // the window is made small, then large, in the middle
		if i == 0 || i == len(toScratch)/2 {
			b.View([]int64{360, 1920}[min(i, 1)], webtest.Themes[min(i, 1)], true)
			centre(b, ".words-board")
		}
		rub(t, b, zoneIndex(t, b, zone))
		if i < len(toScratch)-1 {
			b.WaitFor(covered + ` === ` + strconv.Itoa(len(toScratch)-1-i))
			open := 0
			for _, s := range u.Words.Face.Symbols {
				if slices.Contains(toScratch[:i+1], 8+s.Cell) {
					open++
				}
			}
			if got := b.Text(framed + ` + " " + document.querySelector("[data-framed]:not([hidden])").dataset.framed`); got != fmt.Sprintf("%d %d", open, open) {
				t.Errorf("%d framed letters are uncovered, beside the board are %s", open, got)
			}
		}
	}
	b.WaitFor(ended)
	showsWhole(t, b, u)
	b.WaitFor(shown + ` === "` + cents(498_00+u.Prize) + `"`)
	b.Axe()
	b.Visit(h.url + "/history")
	b.Do(chromedp.Click(chromedp.CSS(`tbody a`)))
	b.WaitFor(`location.pathname === "/units/` + u.Unit.String() + `" && document.querySelector(".replay")`)
	showsWhole(t, b, u)
	if b.Text(`document.querySelector("#result form") === null`) != "true" {
		t.Error("a replay offers to buy")
	}
}

// TestWords_ByKeyboard needs nothing but Tab, arrows and Enter.
func TestWords_ByKeyboard(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.1", "instant:4.4.manual")
	h := openWords(t)
	who := h.Player("camille", 500_00)
	b := tab(t)
	h.signIn(b, "camille")
	b.View(1920, "dark", true)
	b.Visit(h.gamePage())
	tabTo(t, b, "[name=board]")
	b.Do(chromedp.KeyEvent(kb.ArrowRight))
	b.WaitFor(`document.querySelector("[name=board]:checked").value === "2"`)
	tabTo(t, b, "#issue .actions .button")
	b.Do(chromedp.KeyEvent(kb.Enter))
	u := h.bought(t, b, who)
	if u.Words.Number != 2 {
		t.Fatalf("the unit is played on board %d, 2 was chosen", u.Words.Number)
	}
	tabTo(t, b, ".zone-cover")
	for i := range 7 + len(squares(u)) {
		if i == 7 {
			b.View(360, "light", true)
		}
		if at := b.Text(`document.activeElement.className + getComputedStyle(document.activeElement).outlineStyle`); at != "zone-coversolid" {
			t.Fatalf("after %d zones the keyboard is on %q", i, at)
		}
		b.Do(chromedp.KeyEvent(kb.Enter))
		b.WaitFor(`document.querySelectorAll("scratch-zone[data-open]").length > ` + strconv.Itoa(i))
	}
	b.WaitFor(ended + ` && document.activeElement.id === "result"`)
	showsWhole(t, b, u)
	b.Do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Enter))
	if n := h.count(t, who); n != 1 {
		t.Errorf("keys held down bought: %d units", n)
	}
}

// TestWords_ByTouch scratches on a phone, leaves at each step and finds the unit in the
// history, used up; then has one uncovered whole.
func TestWords_ByTouch(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.interrupted", "instant:4.4.auto")
	h := openWords(t)
	who := h.Player("camille", 500_00)
	b := tab(t)
	h.signIn(b, "camille")
	for i, step := range []int{0, 3, 7, 8} { // before the rack, in it, after it, on the board
		b.View([]int64{360, 1280, 1920, 360}[i], webtest.Themes[i%2], true)
		b.Visit(h.gamePage())
		b.Do(chromedp.Click(chromedp.CSS(`#issue form > .actions .button`)))
		u := h.bought(t, b, who)
		centre(b, ".rack")
		for tile := range min(step, 7) {
			finger(t, b, tile)
			b.WaitFor(`document.querySelectorAll(".rack .zone-cover").length === ` + strconv.Itoa(6-tile))
		}
		if step > 7 {
			centre(b, ".words-board")
			zone := squares(u)[0]
			finger(t, b, zoneIndex(t, b, zone))
			b.WaitFor(`document.querySelector("scratch-zone[number='` + strconv.Itoa(zone) + `']").open`)
		}
		if p := h.unit(t, who, u.Unit); !p.Covered {
			t.Errorf("left at step %d, the unit is whole already", step)
		}
		b.Fits()
		b.Visit(h.url + "/history")
		if got := b.Text(`document.querySelector("tbody a").getAttribute("href")`); got != "/units/"+u.Unit.String() {
			t.Errorf("left at step %d, the history begins with %s", step, got)
		}
		b.Visit(h.url + "/units/" + u.Unit.String())
		b.WaitFor(`document.querySelector(".replay")`)
		showsWhole(t, b, u)
	}
	b.Visit(h.gamePage())
	b.Do(chromedp.Click(chromedp.CSS(`#issue .button[value=auto]`)))
	u := h.bought(t, b, who)
	b.WaitFor(ended)
	showsWhole(t, b, u)
	if n := h.count(t, who); n != 5 {
		t.Errorf("%d units were bought, want one for each confirmation, 5", n)
	}
}

// TestWords_WithoutScripts: forms alone lead the whole way; a letter that is not to be
// scratched is refused, and what is left is said.
func TestWords_WithoutScripts(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.1", "instant:4.4.manual")
	h := openWords(t)
	who := h.Player("camille", 500_00)
	b := tab(t)
	off := emulation.SetScriptExecutionDisabledParams{Value: true}
	if _, err := chromedp.Call(b.Context(), emulation.SetScriptExecutionDisabled, off); err != nil {
		t.Fatal(err)
	}
	b.Do(chromedp.Navigate(h.url+"/signin"),
		chromedp.Click(chromedp.CSS(`[name=name]`)), chromedp.KeyEvent("camille"),
		chromedp.Click(chromedp.CSS(`[name=password]`)), chromedp.KeyEvent("a long password"+kb.Enter))
	b.WaitFor(`document.querySelector(".balance")`)
	b.Do(chromedp.Navigate(h.gamePage()), chromedp.Click(chromedp.CSS(`.board-choice:nth-child(2)`)),
		chromedp.Click(chromedp.CSS(`#issue form > .actions .button`)))
	b.WaitFor(`location.pathname.startsWith("/units/")`)
	ref, err := app.ParseUnitRef(b.Text(`location.pathname.slice("/units/".length)`))
	if err != nil {
		t.Fatal(err)
	}
	u := h.unit(t, who, ref)
	if u.Words.Number != 2 {
		t.Errorf("the unit is played on board %d, 2 was chosen", u.Words.Number)
	}
	b.Do(chromedp.Click(chromedp.CSS(`.words-board .zone-cover`)))
	b.WaitFor(`location.search.includes("say=locked") && document.querySelector("[data-message]").textContent.includes("ne se gratte pas")`)
	for left := 6; left >= 0; left-- {
		b.Do(chromedp.Click(chromedp.CSS(`.rack .zone-cover`)))
		b.WaitFor(`document.readyState === "complete" && document.querySelectorAll(".rack .zone-cover").length === ` + strconv.Itoa(left))
	}
	b.Do(chromedp.Click(chromedp.CSS(`[data-show-remains]`)))
	b.WaitFor(`document.querySelectorAll("[data-remains]").length === ` + strconv.Itoa(len(squares(u))))
	for left := len(squares(u)) - 1; left >= 0; left-- {
		b.Do(chromedp.Click(chromedp.CSS(`.words-board scratch-zone:not([data-locked]) .zone-cover`)))
		b.WaitFor(`document.readyState === "complete" && ` + covered + ` === ` + strconv.Itoa(left))
	}
	b.WaitFor(ended)
	showsWhole(t, b, u)
}

// TestWords_AnswerLost: the answer is lost when a tile, a square and the end are asked for;
// the page says so, and goes on when it is asked again.
func TestWords_AnswerLost(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.interrupted")
	h := openWords(t)
	who := h.Player("camille", 500_00)
	u := h.buy(t, who)
	url, lost := h.deaf(t)
	h.url = url
	b := tab(t)
	h.signIn(b, "camille")
	b.Visit(h.url + "/units/" + u.Unit.String())
	touch := func(zone int) {
		run(b, `document.querySelector("scratch-zone[number='`+strconv.Itoa(zone)+`'] .zone-cover").click()`)
	}
	open := 0
	for _, zone := range append([]int{1, 2, 3, 4, 5, 6, 7}, squares(u)...) {
		if zone == 3 || zone == squares(u)[0] {
			lost.Store(true)
			touch(zone)
			b.WaitFor(`document.querySelector("[data-again]")`)
			lost.Store(false)
			b.Do(chromedp.Click(chromedp.CSS(`[data-again]`)))
			b.WaitFor(`!document.querySelector("[data-again]")`)
		}
		if zone == squares(u)[len(squares(u))-1] { // the end is recorded, and its answer lost
			run(b, `window.there = fetch; window.fetch = (at, how) => there(at, how).then(a => how?.method === "POST" ? Promise.reject(new TypeError("lost")) : a)`)
			touch(zone)
			b.WaitFor(`document.querySelector("[data-again]")`)
			if h.unit(t, who, u.Unit).Covered {
				t.Error("the unit is whole, and in play for the house")
			}
			run(b, `window.fetch = there; document.querySelector("[data-again]").click()`)
			break
		}
		touch(zone)
		open++
		b.WaitFor(`document.querySelectorAll("scratch-zone[data-open]").length >= ` + strconv.Itoa(open))
	}
	b.WaitFor(ended)
	showsWhole(t, b, u)
	b.WaitFor(shown + ` === "` + cents(498_00+u.Prize) + `"`)
}

// TestWords_ServerKilled: the program stops after a tile and after a square; the page goes on
// when it is back, and a unit left meanwhile is in the history, as it was.
func TestWords_ServerKilled(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.interrupted")
	folder := t.TempDir()
	s, stop := started(t, folder, "127.0.0.1:0")
	who, issue := fill(t, s, petitsMots(t))
	h := &house{url: s.URL(), issue: issue}
	b := tab(t)
	h.signIn(b, "camille")
	b.Visit(h.gamePage())
	run(b, `document.querySelector("#issue form > .actions .button").click()`)
	b.WaitFor(`location.pathname.startsWith("/units/")`)
	b.Ready()
	ref, err := app.ParseUnitRef(b.Text(`location.pathname.slice("/units/".length)`))
	if err != nil {
		t.Fatal(err)
	}
	u, err := s.Instant.Unit(t.Context(), who, ref)
	if err != nil {
		t.Fatal(err)
	}
	for i, zone := range append([]int{1, 2, 3, 4, 5, 6, 7}, squares(u)...) {
		touch := `document.querySelector("scratch-zone[number='` + strconv.Itoa(zone) + `'] .zone-cover")?.click()`
		if zone == 4 || zone == squares(u)[0] {
			stop()
			b.WaitFor(`!document.querySelector("[data-lost]").hidden`)
			run(b, touch)
			b.WaitFor(`document.querySelector("[data-again]")`)
			_, stop = started(t, folder, strings.TrimPrefix(h.url, "http://"))
			b.WaitFor(`document.querySelector("[data-lost]").hidden && !document.querySelector("[data-again]")`)
		}
		run(b, touch)
		b.WaitFor(`document.querySelectorAll("scratch-zone[data-open]").length > ` + strconv.Itoa(i))
	}
	b.WaitFor(ended)
	showsWhole(t, b, u)
	b.WaitFor(shown + ` === "` + cents(498_00+u.Prize) + `"`)
	b.Visit(h.url + "/history")
	if got := b.Text(`document.querySelector("tbody a").getAttribute("href")`); got != "/units/"+ref.String() {
		t.Errorf("the history begins with %s", got)
	}
}

// TestWordsUnit_IsLight weighs the page of a unit, scripts and styles with it, but for the
// fonts, in a browser that has nothing yet.
func TestWordsUnit_IsLight(t *testing.T) {
	t.Parallel()
	h := openWords(t)
	u := h.buy(t, h.Player("camille", 500_00))
	b := tab(t)
	h.signIn(b, "camille")
	cold := network.SetCacheDisabledParams{CacheDisabled: true}
	if _, err := chromedp.Call(b.Context(), network.SetCacheDisabled, cold); err != nil {
		t.Fatal(err)
	}
	b.Visit(h.url + "/units/" + u.Unit.String())
	_, weight := b.Weight()
	t.Logf("page of a unit: %d bytes over the wire, but for the fonts", weight)
	if weight > 60_000 || weight < 10_000 {
		t.Errorf("%d bytes, want at most 60 kB and at least the scripts", weight)
	}
}

// buyOn buys by program until a unit is like what is wanted, on a board.
func (h *house) buyOn(t *testing.T, who player.ID, board int, wanted func(app.UnitView) bool) app.UnitView {
	t.Helper()
	for range 60 {
		sold, err := h.Instant.BuyUnit(t.Context(), app.Purchase{Request: app.NewRequestID(), Player: who, Issue: h.issue, Board: board})
		if err != nil {
			t.Fatal(err)
		}
		if u := h.unit(t, who, sold.Unit); wanted(u) {
			return u
		}
	}
	t.Fatal("no such unit in the block")
	return app.UnitView{}
}

// TestWordsPages_AtEveryWidthAndTheme looks at the pages of the word game: nothing is wider
// than the window, axe-core finds nothing, and pictures are kept for eyes.
func TestWordsPages_AtEveryWidthAndTheme(t *testing.T) {
	t.Parallel()
	h := openWords(t)
	who := h.Player("camille", 500_00)
	times := func(f int) func(app.UnitView) bool {
		return func(u app.UnitView) bool { return u.Words.Completed.Factor == f }
	}
	double := h.buyOn(t, who, 3, times(2))
	triple := h.buyOn(t, who, 5, times(3))
	lose := h.buyOn(t, who, 2, times(0))
	now := h.buyOn(t, who, 4, func(u app.UnitView) bool { return len(squares(u)) > 2 })
	unit := "/units/" + now.Unit.String()
	half := unit + "?open=1.2.3.4.5.6.7." + strconv.Itoa(squares(now)[0]) + "." + strconv.Itoa(squares(now)[2])
	b := tab(t)
	look := func(name, page string) {
		b.Visit(h.url + page)
		b.Look(name)
	}
	issue := "/instant/" + strconv.FormatInt(int64(h.issue), 10)
	look("words-visitor", issue)
	h.signIn(b, "camille")
	look("words-unit", unit)
	look("words-half", half)
	look("words-left", half+"&say=remains")
	look("words-double", "/units/"+double.Unit.String()+"?fresh=1")
	look("words-triple", "/units/"+triple.Unit.String()+"?fresh=1")
	look("words-lost", "/units/"+lose.Unit.String())
	look("words-rules", "/rules")
	// All is uncovered now, so that a unit can be bought.
	b.Visit(h.url + "/history")
	look("words-game", issue+"?board=4")
}
