//go:build !race

package site_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/player"
)

// TestContest_PagesAroundAContest looks at the screens beside the contests themselves:
// registration, consent, data, special gift, leagues, costs, rules, case files and claims.
func TestContest_PagesAroundAContest(t *testing.T) {
	t.Parallel()
	h := open(t)
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	manager := h.Staff("chef", app.Manager)
	order := func() app.ContestOrder {
		return app.ContestOrder{Request: app.NewRequestID(), By: manager, Contest: 1}
	}
	leg := func() app.LegOrder { return app.LegOrder{Request: app.NewRequestID(), By: manager, Leg: 1} }
	_, err := h.Contests.CreateContest(ctx, order(), "Coupe du club", "Le club", contest.DefaultTerms())
	must(err)
	p, at := contest.NewPlan(contest.LegScores), h.Now().Add(time.Hour)
	p.Title, p.Fixtures = "Finale", []contest.Fixture{{Home: "Lille", Away: "Brest", StartsAt: at, Limit: at}}
	_, err = h.Contests.AddLeg(ctx, order(), p)
	must(err)
	must(h.Contests.AnnounceGift(ctx, order(), contest.SpecialGift{Title: "Deux places pour une finale", Count: 1}))
	must(h.Contests.Announce(ctx, order(), h.Now()))
	must(h.Contests.PublishLeg(ctx, leg(), h.Now()))
	camille, bob := h.Predictor("camille"), h.Predictor("dominique")
	for who, pick := range map[player.ID]contest.Pick{camille: "2-1", bob: "0-0"} {
		_, err := h.Contests.Submit(ctx, app.Submission{Request: app.NewRequestID(), Player: who, Leg: 1, Picks: []contest.Pick{pick}})
		must(err)
	}
	leo := h.Junior("leo")
	q := apptest.ProfileOf("leo")
	q.Address, q.Parent, q.ParentEmail = apptest.ProfileOf("camille").Address, "Zoé Martin", "zoe@example.org"
	h.Join(leo, q)
	var box apptest.Box
	h.Post(&box)
	h.Player("nouvelle", 0)
	h.Clock.Move(time.Hour)
	must(app.DoDue(ctx, h.Ground, h.Instant, h.Contests, h.Bingo))
	must(h.Contests.EnterResults(ctx, leg(), []contest.Ending{{Status: contest.Played, Score: contest.Score{Home: 2, Away: 1}}}, "", false))
	must(h.Contests.ProclaimLeg(ctx, leg()))
	must(h.Contests.ProclaimContest(ctx, order()))
	must(h.Contests.OfferGifts(ctx, order(), 0))
	_, err = h.Contests.RecordClaim(ctx, app.ClaimLetter{Request: app.NewRequestID(), By: manager, Contest: 1, Player: camille, PostedOn: h.Now(), Pieces: app.ClaimPieces[1:]})
	must(err)
	league, err := h.Contests.CreateLeague(ctx, app.LeagueOrder{Request: app.NewRequestID(), By: camille}, "Les amis du dimanche")
	must(err)
	l, err := h.Contests.League(ctx, league, camille, "")
	must(err)
	must(h.Contests.JoinLeague(ctx, app.LeagueOrder{Request: app.NewRequestID(), By: bob, League: league}, l.Token))
	gift, err := h.Contests.SetGift(ctx, app.GiftChange{Request: app.NewRequestID(), By: manager, Gift: app.ShopGift{Title: "Une écharpe", Price: 5 * contest.Nugget, Stock: 3}})
	must(err)
	must(h.Contests.SetGiftPicture(ctx, app.GiftPicture{Request: app.NewRequestID(), By: manager, Gift: gift, File: stripes(t)}))

	look := func(who string, pages ...[2]string) {
		b := tab(t)
		if who != "" {
			h.signIn(b, who)
		}
		for _, page := range pages {
			b.Visit(h.url + page[1])
			b.Look("around-" + page[0])
		}
	}
	consent := ""
	for name, letter := range box.Letters {
		if strings.HasPrefix(name, "consent/") {
			consent = letter.Path
		}
	}
	look("", [2]string{"consent", consent}, [2]string{"rules", "/contests/rules"}, [2]string{"register", "/register?for=contests"})
	look("nouvelle", [2]string{"entry", "/entry"})
	look("leo", [2]string{"parent", "/entry"})
	look("camille", [2]string{"entered", "/entry"}, [2]string{"data", "/entry/data"}, [2]string{"offer", "/offers/1"}, [2]string{"leagues", "/leagues"},
		[2]string{"league", "/leagues/1"}, [2]string{"costs", "/contests/1/costs"}, [2]string{"contest", "/contests/1"}, [2]string{"shop", "/shop"})
	look("chef", [2]string{"cases", "/manage/cases"}, [2]string{"case", "/manage/cases/1"}, [2]string{"claims", "/manage/claims"},
		[2]string{"offers", "/manage/contests/1/offers"}, [2]string{"gifts", "/manage/gifts"})
}

// stripes is a picture.
func stripes(t *testing.T) []byte {
	t.Helper()
	p := image.NewNRGBA(image.Rect(0, 0, 400, 300))
	for y := range 300 {
		for x := range 400 {
			p.Set(x, y, color.NRGBA{uint8(120 + 100*(x/40%2)), 40, uint8(60 + y/4), 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
