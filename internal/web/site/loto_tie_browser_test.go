//go:build !race

package site_test

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/web/webtest"
	"boulier/regs/regstest"
)

// tied sells n sheets and finds a number with one line of each that waits for it alone: what
// has to be called for n cards to win at once, and the cards.
func (h *staffHouse) tied(t *testing.T, day app.LotoID, n int) (calls []ninety.Ball, cards []ninety.Serial) {
	t.Helper()
	var items []loto.Item
	for range n {
		items = append(items, loto.Item{Unit: loto.SheetOf6})
	}
	sold, err := h.Loto.Sell(t.Context(), app.LotoSale{LotoAct: app.LotoAct{Request: app.NewRequestID(), By: h.people["carla"], Day: day},
		Items: items, Means: app.Cash, Inside: true})
	if err != nil {
		t.Fatal(err)
	}
	const last ninety.Ball = 45
	for i := range n { // each sheet has the number on one of its cards
		rows, err := h.Ground.Store.Cards(t.Context(), sold.Cards[0].First.Series, 6*i, 6)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, line := range row.Card().Lines {
				if !line.Has(last) {
					continue
				}
				cards = append(cards, row.Serial())
				for b := range line.All() {
					if b != last && !slices.Contains(calls, b) {
						calls = append(calls, b)
					}
				}
			}
		}
	}
	return append(calls, last), cards
}

// TestLoto_TieOnTheScreens has three hands go up on one number: for vouchers of 20 euros, which
// three do not divide, each takes a token from a real bag, the two highest share and the third
// has the consolation (loto:14).
func TestLoto_TieOnTheScreens(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:14", "loto:18", "loto:20")
	h := newStaffHouse(t)
	manager := h.signIn(t, "manon")
	h.plannedLoto(t, manager)
	manager.post("/manage/loto/1/rounds/1", 200, url.Values{"title": {"Les bons"}, "do": {"save"}, "cage": {"yes"},
		"s1-kind": {"voucher"}, "s1-name": {"Bon d’achat"}, "s1-amount": {"20"}, "s1-smallest": {"1"},
		"s1-consolation": {"Un jeu de cartes"}, "s1-series-A": {"yes"}})
	manager.post("/manage/loto/1/do/open", 200, url.Values{})
	const day app.LotoID = 1
	h.drawer(t, h.people["carla"], 1)
	calls, cards := h.tied(t, day, 3)

	caller, hall := h.enter(t, "cali"), webtest.Open(t)
	hall.View(1920, "light", true)
	hall.Visit(h.url + "/")
	hall.Do(chromedp.Evaluate[chromedp.Void](`document.cookie = "boulier_language=fr; path=/"`))
	hall.Visit(h.url + "/loto/1/screen")
	caller.Visit(h.url + "/loto/1/call")
	for _, next := range []string{"Règles rappelées", "Annoncer la partie", "Afficher ce numéro"} {
		press(caller, " ")
		shows(caller, next)
	}
	for i, b := range calls {
		caller.Do(chromedp.KeyEvent(strconv.Itoa(int(b)) + kb.Enter))
		shows(caller, fmt.Sprintf("%d numéro", i+1))
	}
	press(caller, "q")
	for _, card := range cards {
		shows(caller, "Code du carton")
		caller.Do(chromedp.KeyEvent(strings.ToLower(card.String()) + kb.Enter))
		shows(caller, card.String())
	}
	press(caller, kb.F2)
	for _, card := range cards {
		shows(caller, "Contrôler "+card.String())
		press(caller, " ")
	}
	shows(caller, "3 gagnants à égalité. 2 se partagent le lot")
	for i, token := range []string{"12", "88", "41"} {
		caller.WaitFor(`document.activeElement?.name === "ball"`)
		if i == 2 {
			shows(hall, "Égalité")
			whole(t, hall)
			hall.Look("loto-hall-tie")
			caller.Look("loto-caller-tie")
		}
		caller.Do(chromedp.KeyEvent(token + kb.Enter))
		caller.WaitFor(`document.querySelector("main").textContent.includes("Lot remis") || document.querySelectorAll(".hall-claims .ball").length === ` + strconv.Itoa(i+1))
	}
	shows(caller, "Départagé au tirage des pions")
	shows(hall, "Gagné")
	whole(t, hall)
	hall.Look("loto-hall-shared")
	caller.Look("loto-caller-shared")
	said := caller.Text(`[...document.querySelectorAll(".hall-claims li")].map((li) => li.textContent.replace(/\s+/g, " ").trim()).join(" | ")`)
	for _, want := range []string{cards[1].String() + " 88 Bon d’achat 10,00 €", cards[2].String() + " 41 Bon d’achat 10,00 €",
		cards[0].String() + " 12 Un jeu de cartes Lot de consolation"} {
		if !strings.Contains(strings.ReplaceAll(said, "\u00a0", " "), want) {
			t.Errorf("the caller reads %q, not %q", said, want)
		}
	}
	for _, next := range []string{"Clore la partie", "Annoncer la partie"} {
		press(caller, " ")
		shows(caller, next)
	}
	says(t, manager.get("/manage/loto/1/report", 200), cards[1].String(), "10,00", "Un jeu de cartes")
}
