package server_test

import (
	"log/slog"
	"net/url"
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/money"
	"boulier/player"
)

// hallRound prepares a round of bingo whose sale is open, with one player's cards, and
// returns it: what follows is the server's work.
func hallRound(t testing.TB, c server.Config, rhythm, sale time.Duration) bingo.RoundID {
	t.Helper()
	c.Listen, c.Log, c.Version = "127.0.0.1:0", slog.New(slog.DiscardHandler), "bench"
	s, err := server.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Store.Close()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	staff := func(name string, role app.Role) player.ID {
		id, err := s.People.AddStaff(ctx, app.NewStaff{Request: app.NewRequestID(), By: app.SystemPerson, SignIn: name,
			Name: name, Password: "a long password", Roles: []app.Role{role}})
		ok(err)
		return id
	}
	manager, cashier := staff("jeux", app.Manager), staff("caisse", app.Cashier)
	by := func(who player.ID) app.BingoAct { return app.BingoAct{Request: app.NewRequestID(), By: who} }
	ok(s.Cards.Order(ctx, app.MadeSeries{Request: app.NewRequestID(), By: manager, Name: "A", Sheets: 20, Value: 1_00}))
	ok(s.Cards.MakeWanted(ctx))
	terminal, _, err := s.Bingo.AddTerminal(ctx, by(manager), "Salle", "T1")
	ok(err)
	desk := s.Desk()
	ok(desk.Open(ctx, app.DrawerOpening{Request: app.NewRequestID(), Cashier: cashier, Desk: 1, Float: 100_00}))
	account, err := s.Bingo.OpenAccount(ctx, by(cashier), 0)
	ok(err)
	_, err = desk.Load(ctx, app.DeskOrder{Request: app.NewRequestID(), Cashier: cashier, Player: player.ID(account),
		Means: app.Cash, Amount: 50_00})
	ok(err)
	pin, err := s.Bingo.IssuePIN(ctx, by(cashier), account)
	ok(err)
	ok(s.Bingo.Enter(ctx, app.BingoEntry{Terminal: terminal, Account: account, Card: 1, PIN: pin}))
	ok(s.Bingo.OpenSession(ctx, by(manager), []bingo.Proposal{{Title: "Soirée", MaxPrice: 1_00, MostCards: 20,
		Tracks: []bingo.Track{{Price: 1_00, Series: []ninety.Series{"A"}, Size: 120}}, SaleTime: sale, Rhythm: rhythm,
		Prizes: []bingo.Prize{bingo.LinePrize, bingo.BingoPrize}}}))
	for range 5 {
		ok(app.DoDue(ctx, s.Ground, s.Instant, s.Contests, s.Bingo))
		if now, err := s.Bingo.Look(ctx); err == nil && now.Round.Phase == bingo.Selling {
			_, err := s.Bingo.BuyCards(ctx, app.BingoPurchase{Request: app.NewRequestID(), Account: account,
				Terminal: terminal, Round: now.Round.ID, Price: money.Cents(1_00), Count: 20})
			ok(err)
			return now.Round.ID
		}
	}
	t.Fatal("no sale opens")
	return 0
}

// until waits for something that a crowd does.
func until(t testing.TB, what string, patience time.Duration, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not after %s", what, patience)
		}
	}
}

// BenchmarkLiveScreens lets ten thousand screens follow a round on one machine, from a
// process beside the server's. After some balls a thousand connections are cut; later the
// server is killed and started again. Whatever happens, each screen has each fact once.
func BenchmarkLiveScreens(b *testing.B) {
	const screens = 10_000
	for b.Loop() {
		c := server.Config{Data: b.TempDir()}
		round := hallRound(b, c, time.Second, 40*time.Second)
		p := serve(b, c)
		at, err := url.Parse(p.url)
		if err != nil {
			b.Fatal(err)
		}
		c.Listen = at.Host
		before := residentMB(b, p.Process.Pid)
		begun := time.Now()
		crowd := gather(at.Host, app.BingoTopic(round), screens, 8*time.Second)
		until(b, "all are connected", time.Minute, func() bool { return crowd.at(3) == screens })
		b.Logf("connected in %s", time.Since(begun).Round(time.Millisecond))
		time.Sleep(2 * time.Second)
		b.ReportMetric((residentMB(b, p.Process.Pid)-before)*1000/screens, "kB/screen")

		first := int64(5) // planned, committed, sale opened, sale closed, the first ball
		until(b, "the first balls", time.Minute, func() bool { return crowd.at(first+15) == screens })
		report(b, crowd, "")
		crowd.drop(1000)
		until(b, "a thousand are back", time.Minute, func() bool { return crowd.at(first+25) == screens })
		report(b, crowd, "-cut")
		p.kill(b)
		p = serve(b, c)
		until(b, "all are back", 2*time.Minute, func() bool { return crowd.at(first+30) == screens })
		crowd.waits() // what was decided while they came back
		until(b, "the balls after the start", time.Minute, func() bool { return crowd.at(first+40) == screens })
		report(b, crowd, "-restarted")
		crowd.leave()
		var missing, twice, snapshots, back int64
		most := 0
		for _, s := range crowd.screens {
			missing, twice, snapshots, back = missing+s.missing, twice+s.twice, snapshots+s.snapshots, back+s.back
			most = max(most, s.most)
		}
		b.ReportMetric(float64(missing+snapshots), "missing")
		b.ReportMetric(float64(twice), "twice")
		b.ReportMetric(float64(most), "B/ball")
		if back < screens+1000 {
			b.Errorf("%d screens came back, of %d", back, screens+1000)
		}
		p.stop(b)
	}
}

// report tells how long the balls since the last report took to the screens.
func report(b *testing.B, c *crowd, when string) {
	waits := c.waits()
	ms := func(part float64) float64 {
		return float64(waits[int(part*float64(len(waits)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(ms(0.5), "p50-ms"+when)
	b.ReportMetric(ms(0.99), "p99-ms"+when)
	b.Logf("%s: %d balls at screens, 50%% in %.1f ms, 99%% in %.1f, all in %.1f", when, len(waits), ms(0.5), ms(0.99), ms(1))
}
