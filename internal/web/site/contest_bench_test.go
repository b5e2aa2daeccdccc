package site_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/store"
	"boulier/internal/web"
	"boulier/internal/web/site"
	"boulier/player"
)

// rankedBy makes a proclaimed contest whose ranking has so many lines; the last fifty have names.
func rankedBy(b *testing.B, h *apptest.House, players int) {
	b.Helper()
	ctx := context.Background()
	manager, ann := h.Staff("manon", app.Manager), h.Predictor("ann")
	order := func() app.ContestOrder {
		return app.ContestOrder{Request: app.NewRequestID(), By: manager, Contest: 1}
	}
	leg := func() app.LegOrder { return app.LegOrder{Request: app.NewRequestID(), By: manager, Leg: 1} }
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	_, err := h.Contests.CreateContest(ctx, order(), "Coupe", "Le club", contest.DefaultTerms())
	must(err)
	p, at := contest.NewPlan(contest.LegScores), h.Now().Add(time.Hour)
	p.Title, p.Fixtures = "Finale", []contest.Fixture{{Home: "Lille", Away: "Brest", StartsAt: at, Limit: at}}
	_, err = h.Contests.AddLeg(ctx, order(), p)
	must(err)
	must(h.Contests.Announce(ctx, order(), h.Now()))
	must(h.Contests.PublishLeg(ctx, leg(), h.Now()))
	_, err = h.Contests.Submit(ctx, app.Submission{Request: app.NewRequestID(), Player: ann, Leg: 1, Picks: []contest.Pick{"2-1"}})
	must(err)
	h.Clock.Move(time.Hour)
	must(app.DoDue(ctx, h.Ground, h.Instant, h.Contests, h.Bingo))
	must(h.Contests.EnterResults(ctx, leg(), []contest.Ending{{Status: contest.Played, Score: contest.Score{Home: 2, Away: 1}}}, "", false))
	must(h.Contests.ProclaimLeg(ctx, leg()))
	s, _, err := h.Contests.Contest(ctx, 1)
	must(err)
	scope := fmt.Sprintf("contest/1/%d", s.Shown.Run)
	for first := 2; first <= players; first += 2000 {
		var rows []app.Row
		for place := first; place < min(first+2000, players+1); place++ {
			rows = append(rows, app.RankRow{Scope: scope, Place: int64(place), Player: player.ID(1_000_000 + place), Rank: int64(place/100*100 + 1), Points: int64(players - place)})
			if place > players-50 {
				id := player.ID(1_000_000 + place)
				rows = append(rows, app.PersonRow{ID: id, SignIn: "p" + id.String(), Name: "Joueuse " + id.String(), Born: "1990-01-01", Locale: "fr"})
			}
		}
		must(h.Store.Update(ctx, app.Keys{}, func(tx app.Tx) error { tx.Insert(rows...); return nil }))
	}
}

// BenchmarkRankingPage asks for the first and the last page of a ranking of 1 000 000 players,
// over HTTP.
func BenchmarkRankingPage(b *testing.B) {
	const players = 1_000_000
	h := apptest.On(b, store.Config{Folder: b.TempDir()})
	rankedBy(b, h, players)
	s := site.New(site.Config{Ground: h.Ground, Instant: h.Instant, Contests: h.Contests, Rules: h.Rules,
		Logger: slog.New(slog.DiscardHandler), PerAddress: web.Limit{Rate: 1e6, Burst: 1e6}})
	server := httptest.NewServer(s)
	defer server.Close()
	defer s.Close()
	var took []time.Duration
	for b.Loop() {
		for range 50 {
			for _, query := range []string{"", fmt.Sprintf("?after=%d", players-50)} {
				begun := time.Now()
				r, err := http.Get(server.URL + "/contests/1/ranking" + query)
				if err != nil {
					b.Fatal(err)
				}
				body, err := io.ReadAll(r.Body)
				r.Body.Close()
				if err != nil || r.StatusCode != 200 || query != "" && !strings.Contains(string(body), "Joueuse 2000000") {
					b.Fatalf("status %d (%v)", r.StatusCode, err)
				}
				took = append(took, time.Since(begun))
			}
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/page")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
