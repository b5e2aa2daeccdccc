package bingo

import (
	"slices"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/ninety"
)

// BenchmarkRound plays rounds of 1 000 000 cards with a line, four corners, a bingo and a pot.
// From a ball to all winners known, with their shares, the worst ball is to take 5 ms at most
// (the slowest of the round, each at its fastest: the machine may be busy with something
// else).
func BenchmarkRound(b *testing.B) {
	const million = 1_000_000
	p := proposal()
	p.Tracks, p.MostCards = []Track{{1_00, []ninety.Series{"A"}, million}}, MaxPurchase
	p.Prizes = append(slices.Clone(p.Prizes), Prize{"corners", 1<<0 | 1<<4 | 1<<10 | 1<<14, 5 * Percent, 0})
	p.Pots = []PotRule{{"pot", ninety.FullCard, 40, 10 * Percent, 70 * Percent, 15_000_00, 70 * Percent}}
	sold := make([]Sold, 0, million)
	for i, c := range cards("MILLION", million) {
		sold = append(sold, Sold{ninety.Serial{Series: "A", Number: i + 1}, c, 1, 1_00})
	}
	start := Round{Proposal: p, Phase: Drawing, Cards: million, Amounts: p.Amounts(million * 1_00), Pots: []Pot{{1, 0}}}
	order := ninety.Draw(draw.NewStream(draw.BingoRound, "bench", draw.Secret{1, 2, 3}, nil))
	fastest := slices.Repeat([]time.Duration{time.Hour}, len(order))
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		board, r := NewBoard(p, sold), start
		b.StartTimer()
		for i := 0; r.Phase == Drawing; i++ {
			at := time.Now()
			events, err := r.Draw(order[i], board, r.Due())
			if err != nil {
				b.Fatal(err)
			}
			fastest[i] = min(fastest[i], time.Since(at))
			for _, e := range events {
				r = r.Apply(e)
			}
		}
	}
	worst := time.Duration(0)
	for _, d := range fastest {
		if d < time.Hour {
			worst = max(worst, d)
		}
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms/worst-ball")
}
