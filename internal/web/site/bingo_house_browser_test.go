//go:build !race

package site_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/regs/regstest"
)

// TestBingoHouse_AtEveryWidthByKeyboard: the cashier opens an account, loads and cashes it out
// by keyboard alone; then every page of the house is looked at as people will.
func TestBingoHouse_AtEveryWidthByKeyboard(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.2", "bingo:93.14")
	h := newStaffHouse(t)
	h.bingoDay(t)
	h.drawer(t, h.people["carla"], 1)
	round := h.selling(t, 1)
	desk := h.enter(t, "carla")
	desk.Visit(h.url + "/desk/bingo")
	keys(desk, kb.Tab+kb.Tab+" "+kb.Tab+kb.Enter, "Carte et code", "a.button[autofocus]")
	desk.Look("bingo-slip")
	pin := desk.Text(`document.querySelector(".slip-pin").textContent`)
	keys(desk, kb.Enter, "Compte anonyme 8", "[name=load]")
	keys(desk, "20"+kb.Enter, "Compte crédité", "a.button[autofocus]")
	if err := h.Bingo.Enter(t.Context(), app.BingoEntry{Terminal: 1, Account: 8, Card: 1, PIN: strings.TrimSpace(pin)}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Bingo.BuyCards(t.Context(), app.BingoPurchase{Request: app.NewRequestID(), Account: 8, Terminal: 1,
		Round: round.ID, Price: 1_00, Count: 8}); err != nil {
		t.Fatal(err)
	}
	manager := h.signIn(t, "manon")
	manager.post("/manage/bingo/proposals", 200, usualRound("title", "Partie riche", "goal-2", "drawn", "name-2", "Coins", "rate-2", "5,5",
		"cell-2-0", "yes", "cell-2-4", "yes", "cell-2-10", "yes", "cell-2-14", "yes", "pot-0", "Or", "potgoal-0", "bingo", "within-0", "42", "feed-0", "10",
		"keep-0", "70", "cap-0", "15000", "refill-0", "70"))
	h.bingoUntil(t, func(_ bingo.Session, r bingo.Round) bool { return len(r.Wins) == 1 })
	manager.post("/bingo/faults", 200, url.Values{"round": {"1"}, "terminal": {"1"}, "what": {"écran noir depuis la boule 12"}})
	lead := h.enter(t, "manon")
	for _, p := range [][2]string{{"session", "/manage/bingo"}, {"faults", "/bingo/faults"}} {
		lead.Visit(h.url + p[1])
		lead.Look("bingo-" + p[0])
	}
	desk.Visit(h.url + "/desk/bingo/accounts/8")
	desk.Look("bingo-account")
	lead.Visit(h.url + "/manage/bingo")
	h.over(t, round.ID)
	h.selling(t, 2) // the page follows by itself
	lead.WaitFor(`document.querySelector("main").textContent.includes("Partie 2 · Partie du soir")`)
	desk.Visit(h.url + "/desk/bingo/accounts/8")
	// From the amount of the load to the button that pays all: means, document, button, amount, button.
	keys(desk, strings.Repeat(kb.Tab, 6)+kb.Enter, "Rendez", "a.button[autofocus]")
	if got := h.Shown(8); got != 0 {
		t.Errorf("%s EUR are left", got)
	}
	for _, p := range [][2]string{{"cash", "/desk/bingo"}, {"idle", "/desk/bingo/idle?days=0"}, {"moves", "/desk/bingo/accounts/8/statement"}} {
		desk.Visit(h.url + p[1])
		desk.Look("bingo-" + p[0])
	}
	for _, p := range [][2]string{{"proposals", "/manage/bingo/proposals"}, {"proposal", "/manage/bingo/proposals/2"},
		{"programme", "/manage/bingo/programme"}, {"halls", "/manage/bingo/halls"}} {
		lead.Visit(h.url + p[1])
		lead.Look("bingo-" + p[0])
	}
	lead.Visit(h.url + "/manage/bingo/halls")
	lead.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".row-acts .quiet").focus()`))
	keys(lead, kb.Enter, "Salles et terminaux", "body")
	lead.WaitFor(`document.querySelector(".code-large")`)
	lead.Look("bingo-code")
	eye := h.enter(t, "ines")
	for _, p := range [][2]string{{"days", "/inspect/bingo"}, {"day", "/inspect/bingo/days/2026-12-01"}, {"round", "/inspect/bingo/rounds/1"}} {
		eye.Visit(h.url + p[1])
		eye.Look("bingo-" + p[0])
	}
	h.Square()
}
