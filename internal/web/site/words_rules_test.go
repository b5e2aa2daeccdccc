package site_test

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boulier/internal/web/pages"
	"boulier/regs"
	"boulier/regs/regstest"
)

// TestArt6_TheRulesPage holds what the rules page says of the word game to whoever reads it,
// signed in or not: every clause in some part, the reference of the Journal officiel, from
// when it applies with the general rules, the table of each game on sale and what it returns.
func TestArt6_TheRulesPage(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:1", "instant:6", "std:38", "std:39")
	var stated []string
	for _, part := range pages.RuleParts {
		stated = append(stated, strings.Split(part.Clauses, ", ")...)
	}
	for _, c := range regs.All() {
		if c.Ref.Game() == "instant" && !slices.Contains(stated, string(c.Ref)) {
			t.Errorf("no part of the rules states %s", c.Ref)
		}
	}
	for _, ref := range stated {
		if _, ok := regs.Lookup(regs.Ref(ref)); !ok && !strings.HasPrefix(ref, "std:") {
			t.Errorf("the rules state %s, which the register does not hold", ref)
		}
	}
	h := newStaffHouse(t)
	h.OnSale(h.people["manon"], petitsMots(t))
	page := h.signIn(t, "").get("/rules", 200)
	says(t, page, "Journal officiel n° 281 du 5 décembre 2006", "ECOZ0699428X", "11 décembre 2006",
		"règlement général du 5 avril 2001 avec toutes ses modifications", "Version 1, en vigueur depuis",
		"404 463 lots, 1 830 120 €", "61,004 %",
		"Petits mots", "reconstruction, non officielle", "4 lettres × 3")
	// Every amount of the regulation, how symbols multiply, what an interruption does.
	says(t, page, "2 € pour trois lettres", "12 € pour quatre", "150 € pour cinq",
		"1 500 € pour six", "15 000 € pour sept", "ne s’additionnent pas",
		"par 2 (noir sur blanc, mots de trois à cinq lettres)", "par 3 (blanc sur gris, mots de trois ou quatre lettres)",
		"aucun dans les mots de six ou sept lettres", "l’unité est utilisée", "Elle vous attend dans l’historique")
}

// TestArt5_NewRulesAreAcceptedBeforeTheNextStake walks a player through a change of the
// rules: asked at the next stake, charged nothing until then, sent back to the game; the
// page of the rules says which version was accepted.
func TestArt5_NewRulesAreAcceptedBeforeTheNextStake(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:1", "instant:5", "std:6")
	h := newStaffHouse(t)
	issue := h.OnSale(h.people["manon"], petitsMots(t))
	anne := h.people["anne"]
	h.Give(anne, 10_00)
	game := "/instant/" + strconv.FormatInt(int64(issue), 10)
	c := h.signIn(t, "anne")
	says(t, c.get("/rules", 200), "Vous avez accepté la version 1, celle en vigueur.")
	if _, err := h.EnactRules(t.Context(), []byte("the rules, changed")); err != nil {
		t.Fatal(err)
	}
	says(t, c.get("/rules", 200), "Vous aviez accepté la version 1", "Version 2, en vigueur depuis")
	page := c.post(game, 200, url.Values{"board": {"3"}})
	says(t, page, "Nouvelles règles", "J’accepte ces règles")
	if !strings.Contains(page, `name="next" value="`+game+`"`) {
		t.Error("whoever accepts is not led back to the game")
	}
	if had := h.Shown(anne); had != 10_00 {
		t.Errorf("asked for an acceptance, the player has %s left", had)
	}
	c.post("/rules/accept", 422, url.Values{"version": {"1"}, "next": {game}})
	page = c.post("/rules/accept", 200, url.Values{"version": {"2"}, "next": {game}})
	says(t, page, "Règles acceptées", "Jouez")
	says(t, c.get("/rules", 200), "Vous avez accepté la version 2, celle en vigueur.")
	says(t, c.post(game, 200, url.Values{"board": {"3"}}), "Unité")
	if had := h.Shown(anne); had != 8_00 {
		t.Errorf("after one unit the player is shown %s", had)
	}
}
