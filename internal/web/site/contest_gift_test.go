package site_test

import (
	"net/url"
	"regexp"
	"testing"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/player"
	"boulier/regs/regstest"
)

// TestContest_GiftsDataLeagues is what follows a proclaimed contest in forms: the special gift
// offered, accepted and published, a claim for connection costs, a league of friends, the rules
// by e-mail, and personal data corrected and removed.
func TestContest_GiftsDataLeagues(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:11", "contest:14", "contest:15", "contest:16", "contest:18")
	h := newStaffHouse(t)
	ctx := t.Context()
	h.Join(h.people["anne"], apptest.ProfileOf("anne"))
	bob := h.Predictor("bob")
	m, p, q := h.signIn(t, "manon"), h.signIn(t, "anne"), h.signIn(t, "bob")
	order := func() app.ContestOrder {
		return app.ContestOrder{Request: app.NewRequestID(), By: h.people["manon"], Contest: 1}
	}
	leg := func() app.LegOrder {
		return app.LegOrder{Request: app.NewRequestID(), By: h.people["manon"], Leg: 1}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := h.Contests.CreateContest(ctx, order(), "Coupe", "Le club", contest.DefaultTerms())
	must(err)
	plan := contest.NewPlan(contest.LegScores)
	at := h.Now().Add(time.Hour)
	plan.Title, plan.Fixtures = "Finale", []contest.Fixture{{Home: "Lille", Away: "Brest", StartsAt: at, Limit: at}}
	_, err = h.Contests.AddLeg(ctx, order(), plan)
	must(err)
	must(h.Contests.AnnounceGift(ctx, order(), contest.SpecialGift{Title: "Deux places", Count: 1}))
	must(h.Contests.Announce(ctx, order(), h.Now()))
	must(h.Contests.PublishLeg(ctx, leg(), h.Now()))
	for who, pick := range map[player.ID]contest.Pick{h.people["anne"]: "2-1", bob: "0-0"} {
		_, err := h.Contests.Submit(ctx, app.Submission{Request: app.NewRequestID(), Player: who, Leg: 1, Picks: []contest.Pick{pick}})
		must(err)
	}
	says(t, m.post("/manage/contests/1/offers", 422, url.Values{"gift": {"0"}}), "une fois le concours ou la manche proclamé")
	h.Clock.Move(time.Hour)
	must(app.DoDue(ctx, h.Ground, h.Instant, h.Contests, h.Bingo))
	must(h.Contests.EnterResults(ctx, leg(), []contest.Ending{{Status: contest.Played, Score: contest.Score{Home: 2, Away: 1}}}, "", false))
	must(h.Contests.ProclaimLeg(ctx, leg()))
	must(h.Contests.ProclaimContest(ctx, order()))

	says(t, m.post("/manage/contests/1/offers", 200, url.Values{"gift": {"0"}}), "proposé par courriel", "anne")
	q.get("/offers/1", 404) // another's
	says(t, p.get("/offers/1", 200), "Deux places", "refuser la publication, c’est renoncer")
	says(t, p.post("/offers/1", 422, url.Values{"answer": {"yes"}}), "autorisez la publication")
	says(t, p.post("/offers/1", 200, url.Values{"answer": {"yes"}, "publish": {"yes"}}), "accepté")
	says(t, h.signIn(t, "").get("/contests/1", 200), "Deux places : anne Martin, Lyon")
	says(t, m.post("/manage/offers/1", 422, url.Values{"status": {"sent"}}), "justificatif")
	says(t, m.post("/manage/offers/1", 200, url.Values{"status": {"proved"}}), "1 rue anne, 69001 Lyon", "à envoyer")

	says(t, p.get("/contests/1/costs", 200), "Finale", "2 minutes de communication locale", "facture détaillée")
	claim := url.Values{"contest": {"1"}, "player": {"anne"}, "posted": {h.Now().Format(time.DateOnly)}}
	for _, piece := range app.ClaimPieces[1:] {
		claim.Set("piece-"+piece, "yes")
	}
	says(t, m.post("/manage/claims", 200, claim), "incomplète", "il manque : coordonnées bancaires")
	claim.Del("request")
	claim.Set("piece-bank", "yes")
	says(t, m.post("/manage/claims", 200, claim), "2 minutes de communication locale", "à rembourser")
	claim.Del("request")
	says(t, m.post("/manage/claims", 422, claim), "un seul remboursement")
	says(t, p.get("/contests/1/costs", 200), "à rembourser")

	says(t, p.post("/leagues", 422, url.Values{"league": {""}}), "Nouvelle ligue")
	page := p.post("/leagues", 200, url.Values{"league": {"Les amis"}})
	says(t, page, "1 membre", "Coupe")
	link := regexp.MustCompile(`/leagues/1\?invited=[0-9a-f]{32}`).FindString(page)
	q.get("/leagues/1", 404)
	says(t, q.get(link, 200), "Vous êtes invité")
	q.post("/leagues/1/join", 404, url.Values{"invited": {"x"}})
	says(t, q.post("/leagues/1/join", 200, url.Values{"invited": {link[len("/leagues/1?invited="):]}}), "2 membres", "anne", "bob")
	says(t, q.post("/leagues/1/leave", 200, url.Values{}), "Vous avez quitté la ligue", "Aucune ligue")

	visitor := h.signIn(t, "")
	visitor.post("/contests/rules", 422, url.Values{"email": {"x"}})
	says(t, visitor.post("/contests/rules", 200, url.Values{"email": {"zoe@example.org"}}), "Le règlement part")

	says(t, p.get("/entry/data", 200), "Corriger", "c’est définitif")
	data := url.Values{"given": {"Anne"}, "family": {"Martin"}, "street": {"2 rue du Lac"}, "postcode": {"38000"}, "town": {"Grenoble"},
		"email": {"anne@example.org"}, "reminders": {"yes"}}
	says(t, p.post("/entry/data", 200, data), "Vos données sont corrigées", "2 rue du Lac, 38000 Grenoble")
	p.post("/entry/remove", 422, url.Values{})
	says(t, p.post("/entry/remove", 200, url.Values{"sure": {"yes"}}), "Vos données personnelles sont retirées", "M’inscrire")
	says(t, q.get("/legs/1/ranking", 200), "Joueur "+h.people["anne"].String())
	says(t, q.post("/entry/remove", 200, url.Values{"sure": {"yes"}, "account": {"yes"}}), "Vos données personnelles sont retirées")
	q.get("/entry", 401) // signed out, the account is gone
	h.Sound()
}
