//go:build !race

package site_test

import (
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"boulier/internal/web/webtest"
)

func TestMain(m *testing.M) { os.Exit(webtest.Run(m)) }

// tab opens a tab in French on a phone.
func tab(t *testing.T) *webtest.Tab {
	t.Helper()
	b := webtest.Open(t)
	french := emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 (test) Chrome/140", AcceptLanguage: "fr-FR"}
	if _, err := chromedp.Call(b.Context(), emulation.SetUserAgentOverride, french); err != nil {
		t.Fatal(err)
	}
	b.View(360, "light", true)
	return b
}

// run runs a script in the page.
func run(b *webtest.Tab, script string) {
	b.Do(chromedp.Evaluate[chromedp.Void](script))
}

// follow does what leads to another page, and waits until that page is ready.
func follow(b *webtest.Tab, script string) {
	run(b, `window.before = 1; `+script)
	b.WaitFor(`window.before === undefined && document.readyState !== "loading"`)
	b.Ready()
}

// signIn signs somebody of the house in.
func (h *house) signIn(b *webtest.Tab, name string) {
	b.Visit(h.url + "/signin")
	follow(b, `document.querySelector("[name=name]").value = "`+name+`";
		document.querySelector("[name=password]").value = "a long password";
		document.querySelector(".form .button").click()`)
	b.WaitFor(`document.querySelector("form[action='/signout']")`)
}
