//go:build !race

package site_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"boulier/internal/web/webtest"
)

// TestSeries_InABrowser is the manager's path by keyboard, and every page at every width
// and in every theme.
func TestSeries_InABrowser(t *testing.T) {
	t.Parallel()
	h := newStaffHouse(t)
	tab := webtest.Open(t)
	tab.Visit(h.url + "/signin")
	tab.Do(chromedp.SendKeys("#name", "manon"), chromedp.SendKeys("#password", password+"\r"))
	tab.WaitFor(`location.pathname !== "/signin"`)
	tab.Visit(h.url + "/manage/series/new")
	tab.Do(chromedp.SendKeys("#name", "A"), chromedp.SendKeys("#sheets", "40\r"))
	tab.WaitFor(`location.pathname === "/manage/series/A"`)
	tab.WaitFor(`document.querySelector("form[action$='/print']")`) // by itself, when the cards are made
	tab.Visit(h.url + "/manage/cards")
	if got := tab.Text(`document.activeElement.id`); got != "serial" {
		t.Errorf("the keyboard is at %q", got)
	}
	tab.Visit(h.url + "/manage/series")
	tab.Look("series-list")
	tab.Visit(h.url + "/manage/series/new")
	tab.Look("series-new")
	tab.Visit(h.url + "/manage/series/A")
	tab.Look("series-one")
	tab.Visit(h.url + "/manage/cards")
	tab.Do(chromedp.SendKeys("#serial", "A-12\r"))
	tab.WaitFor(`document.querySelector(".card90")`)
	tab.Ready()
	tab.Look("series-card")
}
