package contest

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// BenchmarkRescore rescores, ranks and shares a leg of ten matches with 1 000 000 slips
// from memory: at most 1 s and 400 MB, the slips included.
func BenchmarkRescore(b *testing.B) {
	const players, matches = 1_000_000, 10
	rng := rand.New(rand.NewPCG(7, 10))
	slips := make([]Score, players*matches)
	for i := range slips {
		slips[i] = Score{int8(rng.IntN(5)), int8(rng.IntN(4))}
	}
	results := make([]Result, matches)
	for i := range results {
		results[i] = Full(Score{int8(rng.IntN(5)), int8(rng.IntN(4))})
	}
	b.ReportAllocs()
	for b.Loop() {
		standings := make([]Standing, players)
		for i := range standings {
			slip := slips[i*matches : (i+1)*matches]
			standings[i] = Standing{playerID(int64(i + 1)), WithDraws.Points(slip, results)}
		}
		ranking := Rank(standings)
		if _, remainder := TenRanks.Split(Pots.Leg(players), ranking); remainder < 0 {
			b.Fatal("more than the pot was paid")
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/leg")
	b.ReportMetric(float64(m.Sys)/1e6, "MB-from-system")
}
