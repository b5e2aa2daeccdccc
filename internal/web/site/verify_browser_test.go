//go:build !race

package site_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"boulier/internal/web/webtest"
	"boulier/regs/regstest"
)

// offline cuts the network of a tab.
func offline(t *testing.T, b *webtest.Tab) {
	t.Helper()
	cut := network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{
		{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}}}
	if _, err := chromedp.Call(b.Context(), network.EmulateNetworkConditionsByRule, cut); err != nil {
		t.Fatal(err)
	}
	if b.Await(`fetch("/key", {cache: "no-store"}).then(() => "there", () => "cut")`) != "cut" {
		t.Fatal("the network is still there")
	}
}

// verdict is what the verifier in the page has found: the tone of its notice, or nothing.
const verdict = `(document.querySelector(".verdict .notice")?.dataset.tone ?? "")`

// TestVerify_UnitOnItsPage verifies a unit where it stands, by the keyboard, and again with
// the network cut; the whole page stays light.
func TestVerify_UnitOnItsPage(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:52")
	h := open(t)
	who := h.Player("camille", 2000_00)
	u := h.buyLike(t, who, won)
	h.buy(t, who)
	b := tab(t)
	h.signIn(b, "camille")
	b.Visit(h.url + "/units/" + u.Unit.String())
	if at := b.Text(`performance.getEntriesByType("resource").filter((e) => e.name.includes("/verify/")).length`); at != "0" {
		t.Errorf("the page loads %s modules of the verifier that nobody asked for", at)
	}
	tabTo(t, b, "verify-here button")
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.WaitFor(verdict + ` === "success"`)
	text := b.Text(`document.querySelector(".verdict").textContent`)
	for _, want := range []string{h.Ground.Sealer.Fingerprint(), "À sa place", "Fixé d’avance",
		"n° " + strconv.FormatInt(u.Unit.Number, 10)} {
		if !strings.Contains(text, want) {
			t.Errorf("the verdict does not say %q: %s", want, text)
		}
	}
	if strings.Contains(text, "{") || b.Text(`document.querySelectorAll(".checks li").length`) != "9" {
		t.Errorf("a word is missing: %s", text)
	}
	if b.Text(`document.activeElement.className`) != "verdict" {
		t.Error("the keyboard is not on the verdict")
	}
	_, weight := b.Weight()
	t.Logf("the page of a unit: %d bytes over the wire beyond fonts and the worker", weight)
	if weight > 60_000 || weight < 5_000 {
		t.Errorf("the page of a unit weighs %d bytes beyond the fonts, at most 60 kB", weight)
	}
	b.Look("verify-unit")
	offline(t, b)
	run(b, `document.querySelector(".verdict").replaceChildren(); document.querySelector("verify-here button").click()`)
	b.WaitFor(verdict + ` === "success"`)
}

// choose puts a file in the form of the page, and verifies it.
func choose(b *webtest.Tab, script string) {
	run(b, `(() => {
		const files = new DataTransfer();
		files.items.add(new File([`+script+`], "unit.json"));
		const input = document.querySelector("verify-here [name=file]");
		input.files = files.files;
		input.dispatchEvent(new Event("change", {bubbles: true}));
		document.querySelector("verify-here form").requestSubmit();
	})()`)
}

// TestVerify_AFileWithTheNetworkCut verifies a file once the page is loaded: what holds
// holds, and what was changed does not.
func TestVerify_AFileWithTheNetworkCut(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:52")
	h := open(t)
	who := h.Player("camille", 2000_00)
	u := h.buyLike(t, who, won)
	file, err := h.Instant.ExportUnit(context.Background(), who, u.Unit)
	if err != nil {
		t.Fatal(err)
	}
	b := tab(t)
	b.Visit(h.url + "/verify")
	b.WaitFor(`document.querySelector("[data-state]").textContent.startsWith("Prêt")`)
	run(b, `document.querySelector("verify-here form").requestSubmit()`)
	b.WaitFor(`document.querySelector("[data-state]").textContent.startsWith("Choisissez")`)
	b.Look("verify")
	offline(t, b)
	quoted := strconv.QuoteToASCII(string(file))
	choose(b, quoted)
	b.WaitFor(verdict + ` === "success"`)
	choose(b, quoted+`.replace('"prize', '"prise')`)
	b.WaitFor(verdict + ` === "danger"`)
	choose(b, quoted+`.replace(/"face":\[\d+/, '"face":[1')`)
	b.WaitFor(verdict + ` === "danger" && document.querySelector(".checks [data-failed] strong").textContent === "Les montants montrés"`)
	b.Look("verify-refused")
}
