//go:build !race

package site_test

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"boulier/internal/app"
	"boulier/internal/proof"
	"boulier/internal/web/webtest"
	"boulier/money"
	"boulier/player"
	"boulier/regs/regstest"
)

// shown is the balance in the masthead, in cents.
const shown = `document.querySelector(".balance live-amount").textContent.replace(/[^0-9]/g, "")`

// left counts the zones still covered.
const left = `document.querySelectorAll(".zone-cover").length`

// gamePage is the address of the game.
func (h *house) gamePage() string {
	return h.url + "/instant/" + strconv.FormatInt(int64(h.issue), 10)
}

// bought waits for the page of a unit and says which it is, with what only its buyer knows.
func (h *house) bought(t *testing.T, b *webtest.Tab, who player.ID) app.UnitView {
	t.Helper()
	b.WaitFor(`location.pathname.startsWith("/units/")`)
	b.Ready()
	ref, err := app.ParseUnitRef(b.Text(`location.pathname.slice("/units/".length)`))
	if err != nil {
		t.Fatal(err)
	}
	return h.unit(t, who, ref)
}

// box is where a zone stands in the window.
func box(t *testing.T, b *webtest.Tab, zone int) (x, y, w, h float64) {
	t.Helper()
	sides := strings.Split(b.Text(`(r => [r.left, r.top, r.width, r.height])(document.querySelectorAll("scratch-zone")[`+
		strconv.Itoa(zone)+`].getBoundingClientRect())`), ",")
	for i, side := range []*float64{&x, &y, &w, &h} {
		v, err := strconv.ParseFloat(sides[i], 64)
		if err != nil {
			t.Fatal(err)
		}
		*side = v
	}
	return
}

// rub scratches a zone with the mouse, as a person does: to and fro.
func rub(t *testing.T, b *webtest.Tab, zone int) {
	t.Helper()
	x, y, w, h := box(t, b, zone)
	steps := []chromedp.Action[chromedp.Void]{
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x+5, y+5, chromedp.ButtonLeft)}
	for i := range 12 {
		steps = append(steps, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved,
			x+5+float64(i%2)*(w-10), y+4+float64(i)*(h-8)/12, chromedp.ButtonLeft))
	}
	b.Do(append(steps, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x+5, y+h-5, chromedp.ButtonLeft))...)
}

// finger scratches a zone with a finger.
func finger(t *testing.T, b *webtest.Tab, zone int) {
	t.Helper()
	x, y, w, h := box(t, b, zone)
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		if points == nil {
			points = []*input.TouchPoint{}
		}
		p := input.DispatchTouchEventParams{Type: kind, TouchPoints: points}
		if _, err := chromedp.Call(b.Context(), input.DispatchTouchEvent, p); err != nil {
			t.Fatal(err)
		}
	}
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x + 5, Y: y + 5})
	for i := range 12 {
		touch(input.DispatchTouchEventTypeTouchMove,
			&input.TouchPoint{X: x + 5 + float64(i%2)*(w-10), Y: y + 4 + float64(i)*(h-8)/12})
	}
	touch(input.DispatchTouchEventTypeTouchEnd)
}

// saysNothing fails the test when anything on the page of a covered unit tells what it wins:
// what is drawn, what the page was made of, or what came over the live stream.
func saysNothing(t *testing.T, b *webtest.Tab) {
	t.Helper()
	source := b.Await(`fetch(location.href).then(r => r.text())`)
	play := source[strings.Index(source, `class="play"`):strings.Index(source, `id="facts"`)]
	if strings.Contains(play, "€") || strings.Contains(play, "zone-won") {
		t.Errorf("the source of a covered unit holds amounts: %s", play)
	}
	if drawn := b.Text(`document.querySelector(".play").outerHTML`); strings.Contains(drawn, "€") {
		t.Errorf("the page of a covered unit holds amounts: %s", drawn)
	}
}

// TestPlay_ByMouse goes the whole way of a player on a desk: account, stake, six zones,
// balance, history, replay, statement, proof.
func TestPlay_ByMouse(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.3", "instant:4.4.stake", "instant:4.4.manual")
	h := open(t)
	b := tab(t)
	b.View(1280, "dark", false)
	b.Visit(h.url + "/register")
	for _, field := range [][2]string{{"name", "Camille"}, {"password", "une phrase facile"}, {"display", "Camille"}} {
		b.Do(chromedp.Click(chromedp.CSS(`[name=`+field[0]+`]`)), chromedp.KeyEvent(field[1]))
	}
	run(b, `document.querySelector("[name=born]").value = "1990-05-17"`)
	b.Do(chromedp.Click(chromedp.CSS(`[name=rules]`)), chromedp.Click(chromedp.CSS(`.form .button`)))
	b.WaitFor(`document.querySelector(".balance")`)
	id, err := strconv.ParseInt(strings.TrimPrefix(b.Text(`document.querySelector(".balance live-amount").getAttribute("topic")`), "wallet/"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	who := player.ID(id)
	h.Give(who, 900_00)
	b.Visit(h.gamePage())
	balance := money.Cents(900_00)
	for {
		b.Do(chromedp.Click(chromedp.CSS(`#issue .button, #result .button`)))
		u := h.bought(t, b, who)
		balance -= u.Price
		run(b, `window.facts = []; document.addEventListener("live:fact", e => window.facts.push(e.detail))`)
		saysNothing(t, b)
		for zone := range 6 {
			if got := b.Text(shown); got != cents(balance) {
				t.Errorf("with %d zones open the balance shows %s, want %s", zone, got, cents(balance))
			}
			if got := b.Text(`window.facts.length`); got != "0" {
				t.Errorf("with %d zones open %s facts came: %s", zone, got, b.Text(`JSON.stringify(window.facts)`))
			}
			rub(t, b, zone)
			if zone < 5 {
				b.WaitFor(left + ` === ` + strconv.Itoa(5-zone))
			}
		}
		balance += u.Prize
		b.WaitFor(`document.querySelector(".result-won, .result-lost") && ` + shown + ` === "` + cents(balance) + `"`)
		if u.Prize > 0 {
			if marked := b.Text(`[...document.querySelectorAll("[data-won]")].filter(z => z.querySelector(".icon")).length`); marked != "3" {
				t.Errorf("%s zones are marked, want 3", marked)
			}
			h.afterwards(t, b, u, balance)
			return
		}
	}
}

// afterwards looks at a unit that was won: history, replay, statement and proof.
func (h *house) afterwards(t *testing.T, b *webtest.Tab, u app.UnitView, balance money.Cents) {
	t.Helper()
	b.Do(chromedp.Click(chromedp.CSS(`.nav a[href="/history"]`)))
	b.WaitFor(`location.pathname === "/history" && document.querySelector("tbody a")`)
	b.Do(chromedp.Click(chromedp.CSS(`tbody a`)))
	b.WaitFor(`location.pathname === "/units/` + u.Unit.String() + `" && document.querySelector(".replay")`)
	b.Ready()
	var face []string
	for _, c := range u.Face {
		face = append(face, cents(c))
	}
	if got := b.Text(`[...document.querySelectorAll(".zone-face")].map(f => f.textContent.replace(/[^0-9]/g, ""))`); got != strings.Join(face, ",") {
		t.Errorf("the replay shows %s, the unit is %v", got, face)
	}
	if b.Text(`document.querySelector("#result form") === null`) != "true" {
		t.Error("a replay offers to buy")
	}
	file := b.Await(`fetch("/units/` + u.Unit.String() + `/proof").then(r => r.text())`)
	if _, err := proof.Verify("unit.json", strings.NewReader(file), proof.Options{}); err != nil {
		t.Errorf("the exported unit: %v", err)
	}
	b.Visit(h.url + "/account")
	figures := b.Text(`[...document.querySelectorAll("#statement ~ .table-room tbody tr")].map(r =>
		[...r.querySelectorAll("[data-numeric]")].map(c => c.textContent.replace("−", "-").replace(/[^0-9-]/g, "")).join(":"))`)
	var sum int64
	lines := strings.Split(figures, ",")
	slices.Reverse(lines)
	for _, line := range lines {
		amount, after, _ := strings.Cut(line, ":")
		n, err1 := strconv.ParseInt(amount, 10, 64)
		m, err2 := strconv.ParseInt(after, 10, 64)
		if sum += n; err1 != nil || err2 != nil || sum != m {
			t.Errorf("the statement does not add up at %q of %q", line, figures)
		}
	}
	if money.Cents(sum) != balance {
		t.Errorf("the statement leads to %d, the balance is %d", sum, balance)
	}
	rows := csv.NewReader(strings.NewReader(strings.TrimPrefix(
		b.Await(`fetch("/account/statement.csv").then(r => r.text())`), "\ufeff")))
	rows.Comma = ';'
	all, err := rows.ReadAll()
	if err != nil || len(all) != len(lines)+1 {
		t.Errorf("the spreadsheet has %d lines for %d movements (%v)", len(all), len(lines), err)
	}
	// All, the day before it all, and a day long after: the last two hold no movement.
	for _, days := range []string{"", "?from=2026-01-01&to=2026-01-02", "?from=2027-01-01"} {
		if kind := b.Await(`fetch("/account/statement.pdf` + days + `").then(r => r.text()).then(s => s.slice(0, 5))`); kind != "%PDF-" {
			t.Errorf("the statement to print of %q begins with %q", days, kind)
		}
	}
}

func cents(c money.Cents) string { return strconv.FormatInt(int64(c), 10) }

// tabTo presses Tab until the element is reached.
func tabTo(t *testing.T, b *webtest.Tab, selector string) {
	t.Helper()
	for range 40 {
		if b.Text(`document.activeElement.matches("`+selector+`")`) == "true" {
			return
		}
		b.Do(chromedp.KeyEvent(kb.Tab))
	}
	t.Fatalf("the keyboard never reaches %s", selector)
}

// TestPlay_ByKeyboard needs nothing but Tab, Enter and letters; what shows is always
// outlined, and the end of a unit never leaves the keyboard on the button that buys.
func TestPlay_ByKeyboard(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.manual")
	h := open(t)
	who := h.Player("camille", 500_00)
	b := tab(t)
	b.Visit(h.url + "/signin")
	b.WaitFor(`document.activeElement.name === "name"`)
	b.Do(chromedp.KeyEvent("camille"))
	tabTo(t, b, "[name=password]")
	b.Do(chromedp.KeyEvent("a long password" + kb.Enter))
	b.WaitFor(`document.querySelector(".balance")`)
	b.Ready()
	tabTo(t, b, ".offer a")
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.WaitFor(`document.querySelector("#issue form")`)
	b.Ready()
	tabTo(t, b, "#issue form .button")
	b.Do(chromedp.KeyEvent(kb.Enter))
	u := h.bought(t, b, who)
	tabTo(t, b, ".zone-cover")
	if got := b.Text(`getComputedStyle(document.activeElement).outlineStyle`); got != "solid" {
		t.Errorf("the zone with the keyboard is outlined %s", got)
	}
	for zone := range 5 {
		b.Do(chromedp.KeyEvent(kb.Enter))
		b.WaitFor(left + ` === ` + strconv.Itoa(5-zone) + ` && document.activeElement.matches(".zone-cover")`)
	}
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.WaitFor(`document.activeElement.id === "result" && document.querySelector(".result-won, .result-lost")`)
	b.Axe()
	b.Do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Enter))
	if p := h.unit(t, who, u.Unit); p.Covered {
		t.Error("the unit is still covered")
	}
	if units := h.count(t, who); units != 1 {
		t.Errorf("keys held down bought: %d units", units)
	}
	tabTo(t, b, "#result .button")
}

// count is how many units a player has.
func (h *house) count(t *testing.T, who player.ID) int {
	t.Helper()
	rows, err := h.Store.Units(t.Context(), who, app.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	return len(rows)
}

// TestPlay_ByTouch scratches on a phone, leaves in the middle, finds the unit in the
// history, and has the next one uncovered whole.
func TestPlay_ByTouch(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.interrupted", "instant:4.4.auto")
	h := open(t)
	who := h.Player("camille", 500_00)
	b := tab(t)
	h.signIn(b, "camille")
	b.Visit(h.gamePage())
	b.Do(chromedp.Click(chromedp.CSS(`#issue .button`)))
	u := h.bought(t, b, who)
	run(b, `document.querySelector("scratch-card").scrollIntoView({block: "center"})`)
	finger(t, b, 0)
	b.WaitFor(left + ` === 5`)
	finger(t, b, 3)
	b.WaitFor(left + ` === 4`)
	if got := b.Text(shown); got != "45000" {
		t.Errorf("in the middle the balance shows %s", got)
	}
	b.Visit(h.url + "/history")
	if got := b.Text(shown); got != cents(450_00+u.Prize) {
		t.Errorf("the history is open and the balance shows %s", got)
	}
	if got := b.Text(`document.querySelector("tbody a").getAttribute("href")`); got != "/units/"+u.Unit.String() {
		t.Errorf("the history begins with %s", got)
	}
	b.Visit(h.gamePage())
	b.Do(chromedp.Click(chromedp.CSS(`#issue .button[value=auto]`)))
	v := h.bought(t, b, who)
	b.WaitFor(`document.querySelector(".result-won, .result-lost") && location.search === ""`)
	if got, want := b.Text(shown), cents(400_00+u.Prize+v.Prize); got != want {
		t.Errorf("uncovered whole the balance shows %s, want %s", got, want)
	}
	b.Visit(h.gamePage())
	b.Do(chromedp.Click(chromedp.CSS(`#issue .button`)))
	w := h.bought(t, b, who)
	b.Do(chromedp.Click(chromedp.CSS(`[data-uncover-all]`)))
	b.WaitFor(`document.querySelector(".result-won, .result-lost")`)
	b.WaitFor(shown + ` === "` + cents(350_00+u.Prize+v.Prize+w.Prize) + `"`)
	b.Fits()
}

// TestPlay_WithoutScripts: forms alone lead the whole way, zone by zone and all at once.
func TestPlay_WithoutScripts(t *testing.T) {
	t.Parallel()
	h := open(t)
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
	for _, all := range []bool{false, true} {
		b.Do(chromedp.Navigate(h.gamePage()), chromedp.Click(chromedp.CSS(`#issue .button`)))
		b.WaitFor(`location.pathname.startsWith("/units/") && ` + left + ` === 6`)
		if page := b.Text(`document.querySelector(".play").innerHTML`); strings.Contains(page, "€") {
			t.Errorf("a covered unit says %s", page)
		}
		if all {
			b.Do(chromedp.Click(chromedp.CSS(`[data-uncover-all]`)))
		} else {
			for zone := range 6 {
				b.Do(chromedp.Click(chromedp.CSS(`.zone-cover`)))
				b.WaitFor(left + ` === ` + strconv.Itoa(5-zone))
			}
		}
		b.WaitFor(`document.querySelector(".result-won, .result-lost")`)
	}
	purse, err := h.Purse(t.Context(), who)
	if err != nil || purse.Covered != (app.UnitRef{}) || h.count(t, who) != 2 {
		t.Errorf("%d units, still covered %v (%v)", h.count(t, who), purse.Covered, err)
	}
	if got := b.Text(shown); got != cents(purse.Shown) {
		t.Errorf("the balance shows %s, is %d", got, purse.Shown)
	}
}
