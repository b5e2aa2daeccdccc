package store

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boulier/internal/pgtest"
)

// BenchmarkSale measures durable sales of six rows by buyers who come at once, without the
// rules of a game: what the store itself costs. Setting Single shows what sharing a commit
// saves, Unsafe what durability costs.
func BenchmarkSale(b *testing.B) {
	for _, engine := range []string{"sqlite", "postgres"} {
		for _, tc := range []struct {
			name   string
			buyers int
			change func(*Config)
		}{
			{"512", 512, func(*Config) {}},
			{"512-single", 512, func(c *Config) { c.Single = true }},
			{"512-unsafe", 512, func(c *Config) { c.Unsafe = true }},
			{"16", 16, func(*Config) {}},
		} {
			b.Run(engine+"/"+tc.name, func(b *testing.B) {
				cfg := config(Config{Folder: b.TempDir()})
				if engine == "postgres" {
					cfg = config(Config{URL: pgtest.New(b, migrateEmpty)})
				}
				tc.change(&cfg)
				benchmarkSale(b, open(b, cfg), tc.buyers)
			})
		}
	}
}

func benchmarkSale(b *testing.B, s *Store, buyers int) {
	took := make([]time.Duration, b.N)
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	for buyer := range buyers {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(b.N); i = next.Add(1) - 1 {
				begun := time.Now()
				if _, err := buys(b.Context(), s, request(buyer), buyer, nil); err != nil {
					b.Error(err)
					return
				}
				took[i] = time.Since(begun)
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	slices.Sort(took)
	counts := s.Counts()
	rows := int64(0)
	for _, n := range counts.Rows {
		rows += n
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sales/s")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(b.N)/float64(counts.Commits), "sales/commit")
	b.ReportMetric(float64(rows)/float64(b.N), "rows/sale")
}
