//go:build !race

package site_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"boulier/internal/app"
	"boulier/internal/web/static"
	"boulier/regs/regstest"
)

// TestVerify_WordUnitWithTheNetworkCut has the browser itself verify a unit of the word game
// that wins by a symbol, again with the network cut, and refuse its file with any byte
// changed.
func TestVerify_WordUnitWithTheNetworkCut(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2", "instant:4.6", "std:52")
	h := openWords(t)
	who := h.Player("camille", 500_00)
	u := h.buyOn(t, who, 7, func(u app.UnitView) bool { return u.Words.Completed.Factor > 1 })
	file, err := h.Instant.ExportUnit(context.Background(), who, u.Unit)
	if err != nil {
		t.Fatal(err)
	}
	b := tab(t)
	h.signIn(b, "camille")
	b.Visit(h.url + "/units/" + u.Unit.String())
	run(b, `document.querySelector("verify-here button").click()`)
	b.WaitFor(verdict + ` === "success"`)
	text := b.Text(`document.querySelector(".verdict").textContent`)
	for _, want := range []string{"plateau 7", string(u.Words.Face.Rack[:]), h.Ground.Sealer.Fingerprint()} {
		if !strings.Contains(text, want) {
			t.Errorf("the verdict does not say %q: %s", want, text)
		}
	}
	b.Axe()
	b.Fits()
	b.Await(`import("` + static.URL("verify/verify.mjs") + `").then((m) => { window.verify = m.verify; return "" })`)
	offline(t, b)
	run(b, `document.querySelector(".verdict").replaceChildren(); document.querySelector("verify-here button").click()`)
	b.WaitFor(verdict + ` === "success"`)
	held := b.Text(`(() => {
		const file = new TextEncoder().encode(` + strconv.QuoteToASCII(string(file)) + `);
		if (!verify({ file }).ok) return "nothing";
		const held = [];
		for (let at = 0; at < file.length; at += 5) {
			const xor = 1 << (at / 5) % 7;
			file[at] ^= xor;
			if (verify({ file }).ok) held.push(at);
			file[at] ^= xor;
		}
		return held.length + " of " + file.length;
	})()`)
	if !strings.HasPrefix(held, "0 of ") {
		t.Errorf("with a byte changed, held: %s", held)
	}
}
