//go:build !race

package site_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"boulier/internal/games"
	"boulier/regs/regstest"
)

// TestArt3_AWholeBlockSimulatedHeavy has a manager import the word game of the program and
// play its whole block on the page: every unit is sold and read again, the totals are those
// of the regulation, each line has its count and its odds, and today's law is cited.
func TestArt3_AWholeBlockSimulatedHeavy(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "instant:3")
	h := newStaffHouse(t)
	c := h.signIn(t, "manon")
	_, text, err := games.Read("mots-croises")
	if err != nil {
		t.Fatal(err)
	}
	says(t, c.upload("/manage/games", "file", "mots-croises.toml", string(text), 200, url.Values{}), "Mots croisés à gratter", "61,004")
	page := c.post("/manage/games/1/simulate", 200, url.Values{})
	for begun := time.Now(); !strings.Contains(page, "Chances de gain"); page = c.get("/manage/simulations/1", 200) {
		if time.Since(begun) > 3*time.Minute {
			t.Fatal("the simulation does not end")
		}
		says(t, page, "Unités vendues et relues", "%")
		time.Sleep(200 * time.Millisecond)
	}
	says(t, page, "61,004 %", "1 830 120,00 € de lots pour 3 000 000,00 € de mises", "26,964 %", "404 463 lots par bloc",
		"7 lettres 15 000,00 € 4 375 000,0 60 000,00 €", "6 lettres 1 500,00 € 24 62 500,0 36 000,00 €",
		"5 lettres × 2 300,00 € 60 25 000,0", "5 lettres 150,00 € 500 3 000,0", "4 lettres × 3 36,00 € 2 500 600,0",
		"4 lettres × 2 24,00 € 6 000 250,0", "4 lettres 12,00 € 28 000 53,6", "3 lettres × 3 6,00 € 40 000 37,5",
		"3 lettres × 2 4,00 € 88 185 17,0", "3 lettres 2,00 € 239 190 6,3", "Rien — 1 095 537 1,4", "Total — 1 500 000",
		"sous le plancher de 62 %", "décret no 2020-1349 du 4 novembre 2020", "Cet avis n’empêche rien")
	games, err := h.Instant.Games(t.Context())
	if err != nil || len(games) != 1 {
		t.Errorf("a simulation left %d games (%v)", len(games), err)
	}
}
