package site_test

import (
	"bytes"
	"image"
	"image/png"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/regs/regstest"
)

// local is a time as a form sends it.
func local(h *staffHouse, after time.Duration) string {
	return h.Now().In(h.Zone).Add(after).Format("2006-01-02T15:04")
}

// TestContest_ByForms is a contest in forms without scripts, from the first page of its
// editor to the gift of its player: building, import, slip, results, proclamation, the
// points explained, correction, dispute, shop.
func TestContest_ByForms(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:4.slip", "contest:7", "contest:8.leg", "contest:12", "contest:13.notice")
	h := newStaffHouse(t)
	m, p := h.signIn(t, "manon"), h.signIn(t, "anne")
	h.Join(h.people["anne"], apptest.ProfileOf("anne"))
	says(t, p.get("/contests", 200), "Aucun concours")
	p.get("/manage/contests", 403)
	terms := url.Values{"title": {"Coupe du club"}, "organizer": {"Le club"}, "guaranteed": {"50"}, "per_slip": {"1"},
		"per_leg": {"100"}, "most": {"3000"}, "days": {"14"}}
	says(t, m.post("/manage/contests", 422, terms), "de 15 à 366")
	terms.Set("days", "15")
	terms.Del("request")
	terms.Set("sharing", "60, 50")
	says(t, m.post("/manage/contests", 422, terms), "100 en tout au plus")
	terms.Del("request")
	terms.Set("sharing", "25, 20, 15, 10, 9, 8, 6, 4, 2, 1")
	says(t, m.post("/manage/contests", 200, terms), "Coupe du club", "créé")
	says(t, m.post("/manage/contests/1/legs", 200, url.Values{"leg-title": {"Demi-finales"}, "kind": {"scores"}}), "ajoutée")
	p.get("/contests/1", 404) // nobody sees it before it is announced
	p.get("/legs/1", 404)

	feed := `{"matches":[{"date":"2026-12-02","time":"20:00","team1":"Lille","team2":"Brest"},
		{"date":"2026-12-02","team1":"Lens","team2":"Nice"},{"date":"2027-01-02","time":"20:00","team1":"A","team2":"B"}]}`
	page := m.upload("/manage/legs/1/import", "file", "f.json", feed, 200, url.Values{"from": {"2026-12-01"}, "to": {"2026-12-31"}})
	says(t, page, "2 matchs proposés, rien n’est enregistré", "heure absente du fichier")
	says(t, m.upload("/manage/legs/1/import", "file", "f.json", "{", 422, url.Values{}), "ne se lit pas")
	says(t, m.post("/manage/legs/1/publish", 422, url.Values{"opens": {local(h, 0)}}), "Annoncez d’abord")
	plan := url.Values{"title": {"Demi-finales"}, "count": {"ninety"}, "home0": {"Lille"}, "away0": {"Brest"}, "starts0": {local(h, 2*time.Hour)},
		"format0": {"draw_allowed"}, "home1": {"Lens"}, "away1": {"Nice"}, "starts1": {"x"}, "format1": {"draw_allowed"}}
	says(t, m.post("/manage/legs/1", 422, plan), "date complète")
	plan.Set("starts1", local(h, 3*time.Hour))
	plan.Del("request")
	plan.Set("common", local(h, 3*time.Hour))
	says(t, m.post("/manage/legs/1", 422, plan), "Heure limite commune")
	plan.Del("request")
	plan.Set("common", "")
	scales := url.Values{"scale-outcome": {"4"}, "scale-exact": {"9999"}, "scale-difference": {"1"}, "scale-consolation": {"1"},
		"scale-nodraw-outcome": {"2"}, "scale-nodraw-exact": {"1"}, "scale-draw": {"yes"}}
	for name, value := range scales {
		plan[name] = value
	}
	says(t, m.post("/manage/legs/1", 422, plan), "de 0 à")
	plan.Del("request")
	plan.Set("scale-exact", "2")
	says(t, m.post("/manage/legs/1", 200, plan), "enregistrée")
	if l, _, err := h.Contests.Leg(t.Context(), 1); err != nil || l.Plan.Scores.Outcome != 4 || !l.Plan.Scores.DrawDifference {
		t.Errorf("the scale is %+v (%v), want 4 for the outcome", l.Plan.Scores, err)
	}
	plan.Del("request")
	plan.Set("scale-outcome", "3")
	plan.Set("common", local(h, 90*time.Minute))
	says(t, m.post("/manage/legs/1", 200, plan), "enregistrée")
	if l, _, err := h.Contests.Leg(t.Context(), 1); err != nil || !l.Fixtures[0].Limit.Equal(l.Fixtures[1].Limit) || !l.Fixtures[0].Limit.Before(l.Fixtures[0].StartsAt) {
		t.Errorf("the limits are %+v (%v), want one for both", l.Fixtures, err)
	}
	plan.Del("request")
	plan.Set("common", "")
	says(t, m.post("/manage/legs/1", 200, plan), "enregistrée")
	says(t, m.post("/manage/contests/1/announce", 200, url.Values{"opens": {local(h, 0)}}), "annoncé")
	says(t, m.post("/manage/legs/1/publish", 200, url.Values{"opens": {local(h, 0)}}), "ouverte aux grilles")

	says(t, p.get("/", 200), "Coupe du club", "1 manche ouverte")
	says(t, p.get("/contests/1", 200), "Demi-finales", "cagnotte de 50 pépites", "Pronostiquez à l’avance")
	says(t, p.get("/legs/1", 200), "Lille – Brest", "Heure limite", "CET", "temps réglementaire", "Bon vainqueur")
	says(t, p.post("/legs/1", 422, url.Values{"line0h": {"2"}, "line0a": {"1"}}), "vide")
	says(t, p.post("/legs/1", 422, url.Values{"line0h": {"2"}, "line0a": {"b"}, "line1h": {"0"}, "line1a": {"0"}}), "Rien n’a changé")
	slip := url.Values{"line0h": {"2"}, "line0a": {"1"}, "line1h": {"0"}, "line1a": {"0"}}
	says(t, p.post("/legs/1", 200, slip), "Vous êtes dans les temps", "Grille validée (version 1)", "51")
	says(t, m.get("/legs/1/slips", 200), "scellé")
	says(t, p.get("/legs/1/receipt", 200), "Empreinte", "Version")
	m.post("/legs/1", 403, slip)

	h.Clock.Move(2 * time.Hour) // the first limit has passed; the page was open
	late := url.Values{"line0h": {"3"}, "line0a": {"1"}, "line0kept": {"2-1"}, "line1h": {"1"}, "line1a": {"1"}}
	says(t, p.post("/legs/1", 422, late), "heure limite est passée", "Rien n’a changé")
	late = url.Values{"line0kept": {"2-1"}, "line1h": {"1"}, "line1a": {"1"}}
	says(t, p.post("/legs/1", 200, late), "version 2")
	says(t, m.get("/legs/1/slips", 200), "2–1", "scellé")
	h.Clock.Move(time.Hour)
	if err := app.DoDue(t.Context(), h.Ground, h.Instant, h.Contests, h.Bingo); err != nil {
		t.Fatal(err)
	}
	results := url.Values{"status0": {"played"}, "home0": {"2"}, "away0": {"1"}, "status1": {"played"}, "home1": {"2"}, "away1": {"2"}}
	says(t, m.post("/manage/legs/1/results", 200, results), "points recalculés")
	says(t, p.get("/legs/1", 200), "Classement provisoire", "Bon résultat (3) et score exact (+2)", "Bon résultat (3) et bon écart (+1)", "contest:6.scores")
	says(t, m.post("/manage/legs/1/proclaim", 200, url.Values{}), "la cagnotte est partagée")
	says(t, p.get("/legs/1/ranking", 200), "12,75 pépites")
	says(t, p.get("/legs/1/players/5", 200), "Total : 9 points", "Sel")
	says(t, p.get("/nuggets", 200), "12,75 pépites", "Part de cagnotte")
	results.Del("request")
	results.Set("home1", "1")
	says(t, m.post("/manage/legs/1/results", 422, results), "Un motif est nécessaire")
	results.Del("request")
	results.Set("results-reason", "but validé")
	m.post("/manage/legs/1/results", 200, results)
	m.post("/manage/legs/1/proclaim", 200, url.Values{})
	says(t, p.get("/legs/1/players/5", 200), "Total : 6 points", "les buts d’une équipe")
	says(t, p.post("/legs/1/dispute", 200, url.Values{"text": {"Le but était hors-jeu."}}), "Contestation 1 envoyée", "en attente")
	says(t, m.post("/manage/disputes/1", 200, url.Values{"answer": {"Le but est valable."}, "upheld": {"no"}}), "décidée")
	says(t, p.get("/legs/1/dispute", 200), "rejetée", "Le but est valable.")

	says(t, p.get("/shop", 200), "aucune valeur financière", "acheminement par la poste", "ne pas poursuivre")
	gift := url.Values{"title": {"Tasse"}, "price": {"5"}, "stock": {"1"}}
	says(t, m.post("/manage/gifts", 200, gift), "Tasse")
	var pixels bytes.Buffer
	if err := png.Encode(&pixels, image.NewGray(image.Rect(0, 0, 8, 6))); err != nil {
		t.Fatal(err)
	}
	says(t, m.upload("/manage/gifts/1/picture", "picture", "a.png", "<html>", 422, url.Values{}), "image")
	says(t, m.upload("/manage/gifts/1/picture", "picture", "a.png", pixels.String(), 200, url.Values{}), "à jour")
	if src := regexp.MustCompile(`/shop/pictures/[0-9a-f]+`).FindString(p.get("/shop", 200)); src == "" || len(p.get(src, 200)) == 0 {
		t.Errorf("the picture of the gift is not in the shop: %q", src)
	}
	order := url.Values{"shown": {"5.00"}, "delivery": {"Anne, 1 rue du Bac, Lyon"}, "publish": {"yes"}}
	says(t, p.post("/shop/1", 422, order), "Vos pépites n’ont pas bougé")
	h.Clock.Move(16 * 24 * time.Hour)
	if err := app.DoDue(t.Context(), h.Ground, h.Instant, h.Contests, h.Bingo); err != nil {
		t.Fatal(err)
	}
	order.Del("request")
	says(t, p.post("/shop/1", 200, order), "Commande 1 enregistrée", "épuisé", "7,75 pépites")
	own := p.get("/nuggets/data.json", 200)
	for _, want := range []string{`"sign_in": "anne"`, `"2-1"`, "1 rue du Bac", "Le but était hors-jeu.", `"nuggets_free": "7.75"`} {
		if !strings.Contains(own, want) {
			t.Errorf("what anne may keep lacks %q: %s", want, own)
		}
	}
	m.get("/nuggets/data.json", 403)
	says(t, m.post("/manage/orders/1", 422, url.Values{"status": {"sent"}}), "justificatif")
	says(t, m.post("/manage/orders/1", 200, url.Values{"status": {"proved"}}), "à envoyer")
	says(t, m.post("/manage/contests/1/proclaim", 200, url.Values{}), "sa cagnotte partagée")
	h.Sound()
}
