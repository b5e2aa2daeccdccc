//go:build !race

package server_test

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"boulier/internal/games"
	"boulier/internal/server"
	"boulier/internal/web/webtest"
)

// BenchmarkFirstPage opens the first page in a browser that has nothing yet, and weighs what
// comes over the wire, fonts included.
func BenchmarkFirstPage(b *testing.B) {
	c := server.Config{Data: b.TempDir()}
	_, text, err := games.Read("patience")
	if err != nil {
		b.Fatal(err)
	}
	prepare(b, c, 1, string(text))
	p := serve(b, c)
	var fonts, rest int
	for b.Loop() {
		tab := webtest.Open(b)
		tab.View(360, "light", true)
		tab.Visit(p.url)
		fonts, rest = tab.Weight()
	}
	b.ReportMetric(float64(fonts+rest)/1000, "kB")
	p.stop(b)
}

// BenchmarkUnitPage opens the page of a unit of the word game in a browser that has nothing
// yet, and weighs what comes over the wire but for the fonts; then draws boards as the
// carousel does, from their text to the painted frame.
func BenchmarkUnitPage(b *testing.B) {
	c := server.Config{Data: b.TempDir()}
	_, text, err := games.Read("mots-croises")
	if err != nil {
		b.Fatal(err)
	}
	issue := prepare(b, c, 1, string(text))
	p := serve(b, c)
	tab := webtest.Open(b)
	tab.View(360, "light", true)
	tab.Visit(p.url + "/signin?next=/instant/" + strconv.FormatInt(int64(issue), 10))
	tab.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=name]").value = "` + buyerName(0) + `";
		document.querySelector("[name=password]").value = "` + password + `"; document.querySelector(".form .button").click()`))
	tab.WaitFor(`document.querySelector("[name=board]")`)
	tab.Ready()
	drawn, err := strconv.ParseFloat(tab.Await(drawBoards), 64)
	if err != nil {
		b.Fatal(err)
	}
	tab.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#issue form > .actions .button").click()`))
	tab.WaitFor(`location.pathname.startsWith("/units/")`)
	tab.Ready()
	unit := tab.Text(`location.href`)
	if _, err := chromedp.Call(tab.Context(), network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true}); err != nil {
		b.Fatal(err)
	}
	var weight int
	for b.Loop() {
		tab.Visit(unit)
		_, weight = tab.Weight()
	}
	b.ReportMetric(float64(weight)/1000, "kB")
	b.ReportMetric(drawn, "ms-a-board")
	p.stop(b)
}
