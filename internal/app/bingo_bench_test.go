package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/pgtest"
	"boulier/internal/store"
	"boulier/money"
	"boulier/player"
)

// topLine is the pattern of the first line of a card.
const topLine ninety.Goal = 1<<5 - 1

// alikeOnTop is a printer's file of a thousand cards that have their first line in common, so
// that all of them win it on one ball, whatever the order of the balls.
func alikeOnTop(t testing.TB, by player.ID) app.SeriesFile {
	var csv bytes.Buffer
	fmt.Fprintln(&csv, "code,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27")
	for n := range 1000 {
		a, b, c := n%10, n/10%10, n/100
		grid := [3][9]int{
			{1, 10, 20, 30, 40, 0, 0, 0, 0},
			{0, 0, 0, 0, 42, 50, 60 + a%5, 70 + b%5, 80 + c%5},
			{0, 11, 0, 0, 0, 51, 65 + a/5, 75 + b/5, 85 + c/5},
		}
		fmt.Fprintf(&csv, "%d", n+1)
		for _, row := range grid {
			for _, x := range row {
				if x == 0 {
					fmt.Fprint(&csv, ",")
				} else {
					fmt.Fprintf(&csv, ",%d", x)
				}
			}
		}
		fmt.Fprintln(&csv)
	}
	f := file(by, "T", csv.String())
	f.Profile = "fr"
	return f
}

// A bingoFair is a bingo with a crowd at its terminals.
type bingoFair struct {
	*apptest.House
	t       testing.TB
	manager player.ID
	crowd   []player.ID
	seat    bingo.TerminalID
}

// newBingoFair opens a session of so many rounds for a crowd.
func newBingoFair(t testing.TB, c store.Config, crowd, rounds int, proposal bingo.Proposal, series func(f *bingoFair)) *bingoFair {
	t.Helper()
	f := &bingoFair{House: apptest.On(t, c), t: t}
	f.manager = f.Staff("manager", app.Manager)
	series(f)
	f.crowd = f.Crowd(crowd, 1_000_000_00)
	var err error
	f.seat, _, err = f.Bingo.AddTerminal(context.Background(), app.BingoAct{Request: app.NewRequestID(), By: f.manager}, "Salle", "T")
	f.ok(err)
	f.Seat(f.crowd, f.seat)
	programme := make([]bingo.Proposal, rounds)
	for i := range programme {
		programme[i] = proposal
	}
	f.ok(f.Bingo.OpenSession(context.Background(), app.BingoAct{Request: app.NewRequestID(), By: f.manager}, programme))
	return f
}

func (f *bingoFair) ok(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *bingoFair) due() {
	f.t.Helper()
	f.ok(app.DoDue(context.Background(), f.Ground, f.Instant, f.Contests, f.Bingo))
}

// playing returns the round that is being played, which has one from the first step on.
func (f *bingoFair) playing() bingo.Round {
	f.t.Helper()
	s, err := f.Bingo.Session(context.Background())
	f.ok(err)
	if s.Playing == 0 {
		return bingo.Round{}
	}
	r, _, err := f.Bingo.Round(context.Background(), s.Playing)
	f.ok(err)
	return r
}

// sale brings the fair to the next open sale.
func (f *bingoFair) sale() bingo.RoundID {
	f.t.Helper()
	for range 8 {
		f.due()
		if r := f.playing(); r.Phase == bingo.Selling {
			return r.ID
		}
	}
	f.t.Fatal("no sale opens")
	return 0
}

func (f *bingoFair) buy(id bingo.RoundID, who player.ID, price money.Cents, n int) (bingo.CardsSold, error) {
	return f.Bingo.BuyCards(context.Background(), app.BingoPurchase{Request: app.NewRequestID(),
		Account: bingo.AccountID(who), Terminal: f.seat, Round: id, Price: price, Count: n})
}

// all has everybody of the crowd do something at once.
func (f *bingoFair) all(do func(k int, who player.ID) error) {
	f.t.Helper()
	failed := make([]error, len(f.crowd))
	var group sync.WaitGroup
	for k, who := range f.crowd {
		group.Go(func() { failed[k] = do(k, who) })
	}
	group.Wait()
	f.ok(errors.Join(failed...))
}

// payThousand has a thousand winners paid on one ball, and returns how long that took.
func (f *bingoFair) payThousand() time.Duration {
	f.t.Helper()
	id := f.sale()
	f.all(func(_ int, who player.ID) error {
		_, err := f.buy(id, who, 1_00, 1)
		return err
	})
	for range 200 {
		if at := f.playing().Due(); at.After(f.Now()) {
			f.Clock.Move(at.Sub(f.Now()))
		}
		begun := time.Now()
		f.due()
		spent := time.Since(begun)
		r, _, err := f.Bingo.Round(context.Background(), id)
		f.ok(err)
		for _, w := range r.Wins {
			if len(w.Winners) != 1000 || w.Ball != len(r.Balls) {
				continue
			}
			for r.Secret == "" {
				if at := r.Due(); at.After(f.Now()) {
					f.Clock.Move(at.Sub(f.Now()))
				}
				f.due()
				r, _, err = f.Bingo.Round(context.Background(), id)
				f.ok(err)
			}
			return spent
		}
	}
	f.t.Fatal("a thousand never win")
	return 0
}

// thousandProposal has the first line for a prize, which all cards of alikeOnTop win at once.
func thousandProposal() bingo.Proposal {
	return bingo.Proposal{Title: "Mille gagnants", MaxPrice: 1_00, MostCards: 1,
		Tracks:   []bingo.Track{{Price: 1_00, Series: []ninety.Series{"T"}, Size: 1000}},
		SaleTime: time.Minute, Rhythm: 3 * time.Second,
		Prizes: []bingo.Prize{bingo.LinePrize, bingo.BingoPrize, {Name: "top", Pattern: topLine, Rate: 1000}}}
}

func registerThousand(f *bingoFair) {
	f.t.Helper()
	if _, faults, err := f.Cards.Import(context.Background(), alikeOnTop(f.t, f.manager)); err != nil || len(faults) > 0 {
		f.t.Fatal(err, faults)
	}
}

// BenchmarkBingoPaySQLite and BenchmarkBingoPayPostgres pay 1 000 winners of one ball: ball,
// prize, a thousand postings and the answer are one transaction.
func BenchmarkBingoPaySQLite(b *testing.B) { benchmarkPay(b, store.Config{Folder: b.TempDir()}) }

func BenchmarkBingoPayPostgres(b *testing.B) {
	benchmarkPay(b, store.Config{URL: pgtest.New(b, apptest.Migrate)})
}

func benchmarkPay(b *testing.B, c store.Config) {
	f := newBingoFair(b, c, 1000, 200, thousandProposal(), registerThousand)
	f.payThousand()
	var worst, sum time.Duration
	n := 0
	for b.Loop() {
		spent := f.payThousand()
		worst, sum, n = max(worst, spent), sum+spent, n+1
	}
	b.ReportMetric(milliseconds(sum/time.Duration(n)), "ms-paying")
	b.ReportMetric(milliseconds(worst), "ms-paying-worst")
}

// BenchmarkBingoRush lets 10 000 players buy in the last second of a sale, each once, by the
// real clock: how long after the closing the last answer comes, and how many requests were
// answered otherwise than the moment of their transaction wants.
func BenchmarkBingoRush(b *testing.B) {
	p := bingo.Proposal{Title: "Dernière seconde", MaxPrice: 1_00, MostCards: 10,
		Tracks:   []bingo.Track{{Price: 1_00, Series: []ninety.Series{"A"}, Size: 30_000}},
		SaleTime: 3 * time.Second, Rhythm: time.Second, Prizes: []bingo.Prize{bingo.LinePrize, bingo.BingoPrize}}
	f := newBingoFair(b, store.Config{Folder: b.TempDir(), Now: time.Now}, 10_000, 50, p, func(f *bingoFair) {
		f.ok(f.Cards.Order(context.Background(), order(f.manager, "A", 5000)))
		f.ok(f.Cards.MakeWanted(context.Background()))
	})
	var worst, start time.Duration
	var sold, late, wrong, rounds int
	for b.Loop() {
		id := f.sale()
		closes := f.playing().Sale.Closes
		last := make([]time.Time, len(f.crowd))
		var inTime, refused, other atomic.Int64
		f.all(func(k int, who player.ID) error {
			time.Sleep(time.Until(closes.Add(time.Duration(k-len(f.crowd)) * time.Second / time.Duration(len(f.crowd)))))
			_, err := f.buy(id, who, 1_00, 1+k%3)
			last[k] = time.Now()
			switch {
			case err == nil:
				inTime.Add(1)
			case errors.Is(err, bingo.ErrSaleClosed):
				refused.Add(1)
			default:
				other.Add(1)
			}
			return nil
		})
		for _, at := range last {
			worst = max(worst, at.Sub(closes))
		}
		begun := time.Now()
		for f.playing().Phase == bingo.Selling {
			f.due()
		}
		start = max(start, time.Since(begun))
		s, err := f.Bingo.Sale(context.Background(), id)
		f.ok(err)
		if s.Ranks != int(inTime.Load()) {
			other.Add(1)
		}
		sold, late, wrong, rounds = sold+int(inTime.Load()), late+int(refused.Load()), wrong+int(other.Load()), rounds+1
		f.ok(f.Bingo.VoidRound(context.Background(), app.BingoAct{Request: app.NewRequestID(), By: f.manager}, id, "mesure"))
		for f.playing().ID == id {
			f.due()
		}
	}
	b.ReportMetric(worst.Seconds(), "s-after-closing")
	b.ReportMetric(float64(sold)/float64(rounds), "sold/round")
	b.ReportMetric(float64(late)/float64(rounds), "too-late/round")
	b.ReportMetric(float64(wrong), "wrong")
	b.ReportMetric(start.Seconds(), "s-to-start")
}
