//go:build !race

package app_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app/apptest"
	"boulier/internal/pgtest"
	"boulier/internal/store"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
	"boulier/regs/regstest"
)

// TestArt93_8_TenThousandAtClosingHeavy has ten thousand players ask for cards while the clock
// passes the closing instant, on each engine: no gap, no card twice, none outside the window,
// no account below zero, and what was answered is what is stored.
func TestArt93_8_TenThousandAtClosingHeavy(t *testing.T) {
	regstest.Covers(t, "bingo:93.4", "bingo:93.6", "bingo:93.8", "std:14", "std:44")
	p := bingo.Proposal{Title: "Dernière seconde", MaxPrice: 1_00, MostCards: 10,
		Tracks:   []bingo.Track{{Price: 1_00, Series: []ninety.Series{"A", "B"}, Size: 15_000}},
		SaleTime: time.Minute, Rhythm: time.Second, Prizes: []bingo.Prize{bingo.LinePrize, bingo.BingoPrize}}
	for _, engine := range []struct {
		name   string
		config func() store.Config
	}{
		{"SQLite", func() store.Config { return store.Config{Folder: t.TempDir()} }},
		{"PostgreSQL", func() store.Config { return store.Config{URL: pgtest.New(t, apptest.Migrate)} }},
	} {
		t.Run(engine.name, func(t *testing.T) {
			ctx := context.Background()
			f := newBingoFair(t, engine.config(), 10_000, 1, p, func(f *bingoFair) {
				for _, series := range []ninety.Series{"A", "B"} {
					f.ok(f.Cards.Order(ctx, order(f.manager, series, 2500)))
				}
				f.ok(f.Cards.MakeWanted(ctx))
			})
			id := f.sale()
			closes := f.playing().Sale.Closes
			f.Clock.Move(closes.Sub(f.Now()) - time.Millisecond)
			var answered, sold, late, out atomic.Int64
			var cards [30_001]atomic.Int64 // by place in the order of sale
			f.all(func(k int, who player.ID) error {
				e, err := f.buy(id, who, 1_00, 1+k%3)
				if answered.Add(1) == 4_000 { // the others wait in the queue, in a group or on their way
					f.Clock.Move(time.Millisecond)
				}
				switch {
				case err == nil:
					sold.Add(int64(e.Count))
					for n := range e.Count {
						cards[e.First+n].Add(1)
					}
				case errors.Is(err, bingo.ErrSaleClosed):
					late.Add(1)
				case errors.Is(err, bingo.ErrSoldOut):
					out.Add(1)
				default:
					return err
				}
				return nil
			})
			t.Logf("%d cards sold, %d requests too late, %d beyond the last card", sold.Load(), late.Load(), out.Load())
			if sold.Load() == 0 || late.Load() == 0 {
				t.Error("the closing instant was not among the requests")
			}
			for place := range sold.Load() {
				if n := cards[place].Load(); n != 1 {
					t.Fatalf("place %d was answered %d times", place, n)
				}
			}
			for range 200 {
				if at := f.playing().Due(); at.After(f.Now()) {
					f.Clock.Move(at.Sub(f.Now()))
				}
				f.due()
				if f.playing().ID != id {
					break
				}
			}
			r, _, err := f.Bingo.Round(ctx, id)
			f.ok(err)
			if r.Phase != bingo.Over || r.Sales != money.Cents(sold.Load())*1_00 {
				t.Errorf("%s with sales of %s EUR for %d cards", r.Phase, r.Sales, sold.Load())
			}
			f.ok(f.Bingo.Audit(ctx, id))
			f.ok(f.Bingo.ReplayRound(ctx, id))
			if left, err := f.Store.Account(ctx, ledger.Path("bingo:1")); err != nil || left.Balance != 0 {
				t.Errorf("the round keeps %d, %v", left.Balance, err)
			}
			f.ok(apptest.Check(ctx, f.Store, f.Instant))
		})
	}
}

// TestArt93_13_AThousandWinnersHeavy has a thousand winners of one ball paid in one
// transaction, to the cent, on each engine.
func TestArt93_13_AThousandWinnersHeavy(t *testing.T) {
	regstest.Covers(t, "bingo:93.13")
	for _, engine := range []struct {
		name   string
		config func() store.Config
	}{
		{"SQLite", func() store.Config { return store.Config{Folder: t.TempDir()} }},
		{"PostgreSQL", func() store.Config { return store.Config{URL: pgtest.New(t, apptest.Migrate)} }},
	} {
		t.Run(engine.name, func(t *testing.T) {
			ctx := context.Background()
			f := newBingoFair(t, engine.config(), 1000, 1, thousandProposal(), registerThousand)
			t.Logf("paid in %s", f.payThousand())
			r, _, err := f.Bingo.Round(ctx, 1)
			f.ok(err)
			paid := money.Cents(0)
			for _, w := range r.Wins {
				for _, x := range w.Winners {
					paid += x.Share
				}
			}
			var has money.Cents
			for _, who := range f.crowd {
				a, err := f.Store.Account(ctx, ledger.Path("player:"+who.String()))
				f.ok(err)
				has += money.Cents(a.Balance)
			}
			if want := 1000*(1_000_000_00-1_00) + paid; has != want || paid != 800_00 {
				t.Errorf("players have %s EUR after prizes of %s EUR, want %s", has, paid, want)
			}
			f.ok(f.Bingo.Audit(ctx, 1))
			f.ok(f.Bingo.ReplayRound(ctx, 1))
			f.ok(apptest.Check(ctx, f.Store, f.Instant))
		})
	}
}
