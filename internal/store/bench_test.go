package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/ledger"
	"boulier/player"
)

type cell struct{ Next int64 }

func dec(b []byte) (any, error) { var c cell; err := json.Unmarshal(b, &c); return c, err }
func enc(v any) ([]byte, error) { return json.Marshal(v) }

func BenchmarkSale(b *testing.B) {
	for _, buyers := range []int{16, 512} {
		b.Run(fmt.Sprint(buyers), func(b *testing.B) {
			ctx := context.Background()
			s, err := Open(ctx, Config{Folder: b.TempDir(), Now: time.Now, Entropy: func(p []byte) { rand.Read(p) }})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			for i := range buyers {
				path := ledger.Path(fmt.Sprintf("player:%d", i))
				err := s.Update(ctx, app.Keys{Accounts: []ledger.Path{"bank", path}}, func(tx app.Tx) error {
					_, err := tx.Post(app.Posting{Kind: "load", Moves: []ledger.Movement{{From: "bank", To: path, Amount: ledger.Euros(1e9)}}})
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			var mu sync.Mutex
			var lat []time.Duration
			var wg sync.WaitGroup
			work := make(chan int, b.N)
			for i := range b.N {
				work <- i
			}
			close(work)
			b.ResetTimer()
			before := s.Counts().Commits
			for i := range buyers {
				wg.Go(func() {
					path := ledger.Path(fmt.Sprintf("player:%d", i))
					w := fmt.Sprintf("wallet/%d", i)
					p := fmt.Sprintf("person/%d", i)
					for range work {
						t0 := time.Now()
						keys := app.Keys{Request: app.NewRequest(app.NewRequestID(), p, "buy", 1), Accounts: []ledger.Path{path, "instant:1"}, States: []string{"instant/block/1", "instant/issue/1", w, p}}
						_, err := app.Do(ctx, s, keys, func(tx app.Tx) (int64, error) {
							v, err := tx.Get("instant/block/1", dec)
							if err != nil {
								return 0, err
							}
							c, _ := v.(cell)
							c.Next++
							tx.Put("instant/block/1", c, enc)
							if _, err := tx.Get("instant/issue/1", dec); err != nil {
								return 0, err
							}
							if _, err := tx.Get(p, dec); err != nil {
								return 0, err
							}
							tx.Put(w, c, enc)
							if _, err := tx.Post(app.Posting{Kind: "stake", Ref: "x", Moves: []ledger.Movement{{From: path, To: "instant:1", Amount: ledger.Euros(200)}}}); err != nil {
								return 0, err
							}
							if c.Next%4 == 0 {
								if _, err := tx.Post(app.Posting{Kind: "prize", Ref: "x", Moves: []ledger.Movement{{From: "instant:1", To: path, Amount: ledger.Euros(200)}}}); err != nil {
									return 0, err
								}
							}
							pl, _ := json.Marshal(map[string]int64{"number": c.Next, "player": int64(i), "outcome": 0, "prize": 0})
							if _, err := tx.Append("instant/block/1", "unit_sold", pl); err != nil {
								return 0, err
							}
							tx.Insert(app.UnitRow{Block: 1, Number: c.Next, Player: player.ID(i), SoldAt: tx.Now()})
							return c.Next, nil
						})
						if err != nil {
							b.Error(err)
							return
						}
						d := time.Since(t0)
						mu.Lock()
						lat = append(lat, d)
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			slices.Sort(lat)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sales/s")
			b.ReportMetric(float64(lat[len(lat)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(lat[len(lat)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(b.N)/float64(s.Counts().Commits-before), "sales/commit")
		})
	}
}
