package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/store"
	"boulier/player"
)

// tenMatches is a leg of ten matches whose limit is at a time.
func tenMatches(limit time.Time) contest.Plan {
	p := contest.NewPlan(contest.LegScores)
	p.Title = "Dix matchs"
	for i := range 10 {
		p.Fixtures = append(p.Fixtures, contest.Fixture{Home: fmt.Sprint("A", i), Away: fmt.Sprint("B", i), StartsAt: limit, Limit: limit})
	}
	return p
}

func tenPicks(rng *rand.Rand) []contest.Pick {
	picks := make([]contest.Pick, 10)
	for i := range picks {
		picks[i] = contest.Pick(fmt.Sprintf("%d-%d", rng.IntN(5), rng.IntN(4)))
	}
	return picks
}

// openFair is a house with one open leg of ten matches.
func openFair(b *testing.B, c store.Config, limit func(now time.Time) time.Time) (*fair, contest.LegID) {
	b.Helper()
	f := &fair{House: apptest.On(b, c)}
	f.manager, f.editor = f.Staff("manon", app.Manager), f.Staff("edgar", app.Editor)
	var err error
	if f.contest, err = f.Contests.CreateContest(b.Context(), app.ContestOrder{Request: app.NewRequestID(), By: f.editor},
		"Coupe", "Le club", contest.DefaultTerms()); err != nil {
		b.Fatal(err)
	}
	return f, f.add(tenMatches(limit(f.Now())))
}

// fillSlips puts n slips of ten matches in a leg, sealed as Submit seals them, in chunks.
func (f *fair) fillSlips(leg contest.LegID, n int) error {
	const chunk = 500
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	next := make(chan int)
	for range 8 {
		all.Go(func() {
			for first := range next {
				if err := f.fillSome(leg, first, min(chunk, n-first)); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	for first := 0; first < n; first += chunk {
		next <- first
	}
	close(next)
	all.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	count := fmt.Sprintf("contest/count/%d", leg)
	return f.Ground.Store.Update(context.Background(), app.Keys{States: []string{count}}, func(tx app.Tx) error {
		tx.Put(count, n, func(v any) ([]byte, error) { return json.Marshal(v) })
		return nil
	})
}

func (f *fair) fillSome(leg contest.LegID, first, n int) error {
	rng := rand.New(rand.NewPCG(7, uint64(first)))
	type slip struct {
		Leg       contest.LegID `json:"leg"`
		Player    player.ID     `json:"player"`
		Version   int           `json:"version"`
		ChangedAt time.Time     `json:"changed_at"`
		Order     int64         `json:"order"`
		Digest    string        `json:"digest"`
		Key       string        `json:"key"`
		Sealed    []byte        `json:"sealed"`
	}
	slips := map[string]slip{}
	var keys app.Keys
	for i := range n {
		who := player.ID(1_000_000 + first + i)
		picks := tenPicks(rng)
		body, err := json.Marshal(map[string]any{"salt": "00112233445566778899aabbccddeeff", "picks": picks})
		if err != nil {
			return err
		}
		s := slip{Leg: leg, Player: who, Version: 1, ChangedAt: f.Now(), Order: int64(who),
			Digest: app.SlipDigest(leg, who, 1, "00112233445566778899aabbccddeeff", picks)}
		s.Key, s.Sealed = f.Vault.Seal("contest/slip", fmt.Sprintf("%d/%d/1", leg, who), body)
		name := fmt.Sprintf("contest/slip/%d/%d", leg, who)
		slips[name] = s
		keys.States = append(keys.States, name)
	}
	return f.Ground.Store.Update(context.Background(), keys, func(tx app.Tx) error {
		for name, s := range slips {
			tx.Put(name, s, func(v any) ([]byte, error) { return json.Marshal(v) })
		}
		return nil
	})
}

// BenchmarkContestRescoreSQLite enters results for a leg of 1 000 000 slips: each is opened,
// scored, ranked, and the ranking written with its shares.
func BenchmarkContestRescoreSQLite(b *testing.B) {
	const slips = 1_000_000
	f, leg := openFair(b, store.Config{Folder: b.TempDir()}, func(now time.Time) time.Time { return now.Add(time.Hour) })
	if err := f.fillSlips(leg, slips); err != nil {
		b.Fatal(err)
	}
	f.tick(time.Hour)
	version := 0
	for b.Loop() {
		var endings []contest.Ending
		for i := range 10 {
			endings = append(endings, played(int8(i%4), int8(version%3)))
		}
		version++
		begun := time.Now()
		if err := f.Contests.EnterResults(b.Context(), f.legOrder(leg), endings, "correction", false); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(begun).Seconds(), "s/leg")
	}
	l, _, err := f.Contests.Leg(b.Context(), leg)
	if err != nil || l.Scored.Slips != slips {
		b.Fatalf("%d slips are ranked (%v)", l.Scored.Slips, err)
	}
	page, err := f.Contests.LegRanking(b.Context(), l, slips-50, 50, 0)
	if err != nil || len(page.Rows) != 50 {
		b.Fatalf("the last page has %d lines (%v)", len(page.Rows), err)
	}
}

// BenchmarkContestLastMinute has 2 000 players validate and change their slips by the real clock
// until after the limit: none that was accepted is lost, none is late.
func BenchmarkContestLastMinute(b *testing.B) {
	const players, workers = 2000, 256
	var before, late, rate float64
	for b.Loop() {
		f, leg := openFair(b, store.Config{Folder: b.TempDir(), Now: time.Now}, func(now time.Time) time.Time { return now.Add(12 * time.Second) })
		crowd := f.Crowd(players, 0)
		l, _, err := f.Contests.Leg(b.Context(), leg)
		if err != nil {
			b.Fatal(err)
		}
		limit := l.Closes()
		last := make([]app.SlipReceipt, players)
		var accepted, refused atomic.Int64
		begun := time.Now()
		var all sync.WaitGroup
		for w := range workers {
			all.Go(func() {
				rng := rand.New(rand.NewPCG(1, uint64(w)))
				for i := w; ; i = w + (i-w+workers)%(players-players%workers) {
					r, err := f.submit(leg, crowd[i], tenPicks(rng)...)
					if errors.Is(err, contest.ErrLegClosed) {
						if refused.Add(1); time.Since(limit) > 500*time.Millisecond {
							return
						}
						continue
					}
					if err != nil {
						b.Error(err)
						return
					}
					accepted.Add(1)
					last[i] = r
				}
			})
		}
		all.Wait()
		rate = float64(accepted.Load()) / limit.Sub(begun).Seconds()
		before, late = float64(accepted.Load()), float64(refused.Load())
		for i, r := range last {
			if r.Version == 0 {
				continue
			}
			s, err := f.Contests.Slip(b.Context(), l, crowd[i], crowd[i])
			if err != nil || s.Version != r.Version || s.Digest != r.Digest || !s.At.Before(limit) {
				b.Fatalf("player %d was told %+v, kept is %+v (%v), the limit %s", crowd[i], r, s.SlipReceipt, err, limit)
			}
		}
	}
	b.ReportMetric(rate, "validations/s")
	b.ReportMetric(before, "accepted")
	b.ReportMetric(late, "refused-after-the-limit")
}
