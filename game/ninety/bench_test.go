package ninety_test

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/ninety"
)

// stream returns the stream of a fixed secret, as a series of sheets is drawn from.
func stream(series draw.ID) *draw.Stream {
	return draw.NewStream(draw.NinetySheets, series, draw.Secret{1, 2, 3}, nil)
}

// BenchmarkSheet is to reach 300 000 sheets a second.
func BenchmarkSheet(b *testing.B) {
	src := stream("BENCH")
	var s ninety.Sheet
	s.Deal(src)
	b.ReportAllocs()
	for b.Loop() {
		s.Deal(src)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sheets/s")
}

// million returns a million cards of uniform sheets, as a series holds them.
var million = sync.OnceValue(func() []ninety.Card {
	src := stream("MILLION")
	cards := make([]ninety.Card, 0, 1_000_002)
	var s ninety.Sheet
	for len(cards) < 1_000_000 {
		s.Deal(src)
		cards = append(cards, s[:]...)
	}
	return cards[:1_000_000]
})

// BenchmarkIndexBuild is to take 0.2 s at most, and 64 MB.
func BenchmarkIndexBuild(b *testing.B) {
	cards := million()
	var x *ninety.Index
	before := held()
	for b.Loop() {
		x = ninety.NewIndex(slices.Values(cards))
	}
	b.ReportMetric(float64(held()-before)/1e6, "MB")
	runtime.KeepAlive(x)
}

// held returns how many bytes of memory are in use.
func held() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// drawAll draws the balls and counts those that reach each goal as long as it is open: a
// goal is closed by the first ball on which it is reached, unless forever is set.
func drawAll(b *testing.B, x *ninety.Index, order []ninety.Ball, forever bool) (n int, took []time.Duration) {
	goals := []ninety.Goal{ninety.Line, ninety.TwoLines, ninety.FullCard}
	for _, ball := range order {
		start := time.Now()
		if err := x.Draw(ball); err != nil {
			b.Fatal(err)
		}
		open := goals[:0]
		for _, g := range goals {
			before := n
			for range x.Reached(g) {
				n++
			}
			if forever || n == before {
				open = append(open, g)
			}
		}
		goals = open
		took = append(took, time.Since(start))
	}
	return n, took
}

// BenchmarkIndexRound is to take 25 ms at most for a whole round of ninety balls and the
// winners of its goals; the worst ball is to take 5 ms at most (the slowest of the ninety,
// each at its fastest: the machine may be busy with something else). In « winners » a goal is
// closed once it is won, as in a round; in « everyone » the three million times that some
// card reaches some goal are given out one by one.
func BenchmarkIndexRound(b *testing.B) {
	x := ninety.NewIndex(slices.Values(million()))
	order := ninety.Draw(stream("ROUND"))
	for _, forever := range []bool{false, true} {
		b.Run(map[bool]string{false: "winners", true: "everyone"}[forever], func(b *testing.B) {
			fastest := slices.Repeat([]time.Duration{time.Hour}, len(order))
			for b.Loop() {
				n, took := drawAll(b, x, order, forever)
				if n < 3 || forever && n != 3*x.Len() {
					b.Fatalf("%d goals reached by %d cards", n, x.Len())
				}
				b.StopTimer()
				for i, d := range took {
					fastest[i] = min(fastest[i], d)
				}
				takeBackAll(b, x, order)
				b.StartTimer()
			}
			b.ReportMetric(float64(slices.Max(fastest).Microseconds())/1000, "ms/worst-ball")
		})
	}
}

// takeBackAll takes the balls back.
func takeBackAll(b *testing.B, x *ninety.Index, order []ninety.Ball) {
	for _, ball := range order {
		if err := x.TakeBack(ball); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkIndexTakeBack takes a whole round back, the same work as drawing it.
func BenchmarkIndexTakeBack(b *testing.B) {
	x := ninety.NewIndex(slices.Values(million()))
	order := ninety.Draw(stream("ROUND"))
	for b.Loop() {
		b.StopTimer()
		drawAll(b, x, order, false)
		b.StartTimer()
		takeBackAll(b, x, order)
	}
}

// BenchmarkIndexCount counts the cards one ball from each goal.
func BenchmarkIndexCount(b *testing.B) {
	x := ninety.NewIndex(slices.Values(million()))
	for _, ball := range ninety.Draw(stream("ROUND"))[:55] {
		if err := x.Draw(ball); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		x.Count(ninety.Line, 1)
		x.Count(ninety.TwoLines, 1)
		x.Count(ninety.FullCard, 1)
	}
}

// BenchmarkReplay is to take 100 ms at most.
func BenchmarkReplay(b *testing.B) {
	cards := million()
	order := ninety.Draw(stream("ROUND"))
	for b.Loop() {
		_, err := ninety.Replay(slices.Values(cards), order,
			ninety.Line, ninety.TwoLines, ninety.FullCard)
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheck is to take 3 s at most: every rule of every card, equal cards and lines,
// and the partition of each sheet.
func BenchmarkCheck(b *testing.B) {
	cards := million()
	profile := ninety.Profile{Min: 1, Max: 3}
	for b.Loop() {
		numbers := make([]ninety.BallSet, 0, len(cards))
		lines := make([]ninety.BallSet, 0, 3*len(cards))
		for i, c := range cards {
			if faults := profile.Check(c.Grid()); faults != nil {
				b.Fatal(faults)
			}
			numbers = append(numbers, c.Numbers())
			lines = append(lines, c.Lines[:]...)
			if i%6 == 5 {
				if err := (*ninety.Sheet)(cards[i-5 : i+1]).Check(); err != nil {
					b.Fatal(err)
				}
			}
		}
		if again := ninety.Repeats(numbers); again != nil {
			b.Fatalf("%d equal cards", len(again))
		}
		ninety.Repeats(lines)
	}
}
