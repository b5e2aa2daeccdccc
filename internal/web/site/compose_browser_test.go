//go:build !race

package site_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestCompose_ByKeyboardAlone composes a game without a mouse: the title and a count, Enter
// to work out, a simulation watched to its end, back to the editor, saved.
func TestCompose_ByKeyboardAlone(t *testing.T) {
	t.Parallel()
	h := newStaffHouse(t)
	tab := h.enter(t, "manon")
	tab.Visit(h.url + "/manage/games/compose")
	keys(tab, "", "Composer un jeu", "[name=title]")
	// The block, the price, four texts; then the counts from 7 letters to 3.
	tab.Do(chromedp.KeyEvent("Les mots du soir" + kb.Tab + "60000"))
	tab.Do(chromedp.Focus(chromedp.CSS("[name=count-3-2]")), chromedp.KeyEvent(kb.Tab+"37200"+kb.Enter))
	tab.WaitFor(`document.querySelector("main").textContent.includes("Part des mises rendue")`)
	tab.Ready()
	if figures := tab.Text(`document.querySelector(".tiles").textContent`); !strings.Contains(figures, "62,000") {
		t.Errorf("37 200 prizes of 2 EUR of 60 000 stakes of 2 EUR: %s", figures)
	}
	tab.Axe()
	tab.Do(chromedp.Focus(chromedp.CSS(".compose button[value=simulate]")), chromedp.KeyEvent(kb.Enter))
	tab.WaitFor(`document.querySelector("main").textContent.includes("Chances de gain")`)
	tab.Ready()
	tab.Axe()
	tab.Do(chromedp.Focus(chromedp.CSS("main a.button[href*=simulation]")), chromedp.KeyEvent(kb.Enter))
	tab.WaitFor(`document.querySelector("[name=count-3-1]")?.value === "37200"`)
	tab.Ready()
	tab.Do(chromedp.Focus(chromedp.CSS(".compose button.button[value=save]")), chromedp.KeyEvent(kb.Enter))
	tab.WaitFor(`document.querySelector("h1")?.textContent.includes("Les mots du soir")`)
	tab.Ready()
	tab.Axe()
}

// TestComposePages_AtEveryWidthAndTheme looks at the editor and a simulation as people will.
func TestComposePages_AtEveryWidthAndTheme(t *testing.T) {
	t.Parallel()
	h := newStaffHouse(t)
	c := h.signIn(t, "manon")
	c.compose(200, with(smallWords(), "do", "save"), "", "")
	c.compose(200, with(smallWords(), "do", "simulate"), "", "")
	tab := h.enter(t, "manon")
	for _, page := range []string{"/manage/games/compose?game=1", "/manage/simulations/1", "/manage/games/1"} {
		tab.Visit(h.url + page)
		tab.Look("compose" + plain.Replace(page))
	}
	// A game that is wrong in two places, on a phone.
	tab.Visit(h.url + "/manage/games/compose?game=1")
	tab.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=title]").value = "";
		document.querySelector("[name=own]").value = "ABC\nDEF";
		document.querySelector(".compose button.button[value=save]").click()`))
	tab.WaitFor(`document.querySelector(".board-faults")`)
	tab.Ready()
	tab.Fits()
	tab.Shot("compose-faults-360")
	tab.Axe()
	// A prize table that is wrong in three lines.
	tab.Visit(h.url + "/manage/games/compose?game=1")
	tab.Do(chromedp.Evaluate[chromedp.Void](`(() => {
		const files = new DataTransfer();
		files.items.add(new File(["count;amount\n7;3,00\nx;2,00\n-1;12,00\n"], "lots.csv"));
		document.querySelector("details.compose-import").open = true;
		document.querySelector("[name=table]").files = files.files;
		document.querySelector("button[value=table]").click();
	})()`))
	tab.WaitFor(`document.querySelector("main").textContent.includes("lots.csv, ligne 2")`)
	tab.Ready()
	tab.Look("compose-table")
}
