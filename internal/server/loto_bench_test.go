package server_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"boulier/game/loto"
	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/internal/web"
	"boulier/player"
)

// The hall that the figures speak of.
const (
	hallSheets = 10_000 // 60 000 cards registered
	hallSales  = 1_200  // people who bought a sheet
	hallPhones = 200
)

// A benchHall is a day of loto with a round in progress.
type benchHall struct {
	b      *testing.B
	s      *server.Server
	people map[string]player.ID
	day    app.LotoID
	sales  []time.Duration
}

func (h *benchHall) must(err error) {
	h.b.Helper()
	if err != nil {
		h.b.Fatal(err)
	}
}

func (h *benchHall) as(who string) app.LotoAct {
	return app.LotoAct{Request: app.NewRequestID(), By: h.people[who], Day: h.day}
}

// fill registers the cards, sells and opens a round.
func (h *benchHall) fill() {
	h.b.Helper()
	ctx, s := h.b.Context(), h.s
	for name, role := range map[string]app.Role{"jeux": app.Manager, "caisse": app.Cashier, "meneur": app.Caller} {
		id, err := s.People.AddStaff(ctx, app.NewStaff{Request: app.NewRequestID(), By: app.SystemPerson, SignIn: name,
			Name: name, Password: server.DemoPassword, Locale: "fr", Roles: []app.Role{role}})
		h.must(err)
		h.people[name] = id
	}
	h.must(s.Cards.Order(ctx, app.MadeSeries{Request: app.NewRequestID(), By: h.people["jeux"], Name: "H", Sheets: hallSheets,
		Value: 5_00, Title: "Loto"}))
	h.must(s.Cards.MakeWanted(ctx))
	now := s.Ground.Now()
	plan := loto.Usual(loto.Outline{Title: "Grand loto", Doors: now.Add(time.Hour), Start: now.Add(2 * time.Hour), Desks: 2, Rounds: 3,
		Ordinary: loto.SeriesRange{Series: "H", From: 1, To: 6 * hallSheets}, WalkIns: true, Voucher: "Bon", Consolation: "Un panier",
		RoundTitle: "Partie"})
	plan.Piles = []loto.Pile{{Desk: 1, Unit: loto.SheetOf6, Series: "H", From: 1, To: 6 * hallSheets}}
	var err error
	h.day, err = s.Loto.Create(ctx, app.NewLotoDay{Request: app.NewRequestID(), By: h.people["jeux"], Plan: plan})
	h.must(err)
	h.must(s.Loto.OpenDay(ctx, h.as("jeux")))
	h.must(app.Desk{Ground: s.Ground}.Open(ctx, app.DrawerOpening{Request: app.NewRequestID(), Cashier: h.people["caisse"], Desk: 1, Float: 100_00}))
	for range hallSales {
		began := time.Now()
		_, err := s.Loto.Sell(ctx, app.LotoSale{LotoAct: h.as("caisse"), Items: []loto.Item{{Unit: loto.SheetOf6}}, Means: app.Cash})
		h.must(err)
		h.sales = append(h.sales, time.Since(began))
	}
	h.must(s.Loto.TakeControl(ctx, h.as("meneur")))
	h.must(s.Loto.Recall(ctx, h.as("meneur")))
	h.must(s.Loto.OpenRound(ctx, h.as("meneur"), 1))
}

// follow has so many phones follow the day; each number that one is told arrives in heard.
func (h *benchHall) follow(ctx context.Context, phones int, heard chan<- time.Time) {
	h.b.Helper()
	_, number, err := h.s.Loto.Day(ctx, h.day)
	h.must(err)
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0, MaxIdleConnsPerHost: phones}}
	ready := make(chan error, phones)
	for range phones {
		go func() {
			r, err := http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("%s/live?cursor=loto/day/%d:%d", h.s.URL(), h.day, number), nil)
			if err != nil {
				ready <- err
				return
			}
			answer, err := client.Do(r)
			ready <- err
			if err != nil {
				return
			}
			defer answer.Body.Close()
			for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
				if strings.Contains(lines.Text(), `"ball_called"`) && strings.HasPrefix(lines.Text(), "data:") {
					heard <- time.Now()
				}
			}
		}()
	}
	for range phones {
		h.must(<-ready)
	}
}

// BenchmarkHall measures a loto with 60 000 cards registered, 7 200 sold and 200 phones on the
// live streams: the sale of a sheet, a number from the caller's key to the last phone, the
// verdict of a check, the start of the program, and the one file of the day.
func BenchmarkHall(b *testing.B) {
	var sale, key, verdict, start time.Duration
	var megabytes float64
	for b.Loop() {
		folder := b.TempDir()
		c := server.Config{Data: folder, Listen: "127.0.0.1:0", Version: "bench", Log: slog.New(slog.DiscardHandler),
			PerAddress: web.Limit{Rate: rate.Inf, Burst: 1}}
		ctx, stop := context.WithCancel(b.Context())
		s, err := server.Open(ctx, c)
		if err != nil {
			b.Fatal(err)
		}
		served := make(chan error, 1)
		go func() { served <- s.Serve(ctx) }()
		h := &benchHall{b: b, s: s, people: map[string]player.ID{}}
		h.fill()
		slices.Sort(h.sales)
		sale = h.sales[len(h.sales)*99/100]
		heard := make(chan time.Time, 20*hallPhones)
		h.follow(ctx, hallPhones, heard)
		for n := range 10 {
			began := time.Now()
			h.must(s.Loto.CallNext(ctx, h.as("meneur"), n))
			for range hallPhones {
				key = max(key, (<-heard).Sub(began))
			}
		}
		h.must(s.Loto.Stop(ctx, h.as("meneur")))
		h.must(s.Loto.Claim(ctx, h.as("meneur"), app.LotoClaim{Serial: "H-7"}))
		h.must(s.Loto.BeginCheck(ctx, h.as("meneur")))
		began := time.Now()
		h.must(s.Loto.Check(ctx, h.as("meneur"), 0, ""))
		verdict = max(verdict, time.Since(began))
		files, err := s.Office.Backup(ctx, app.Order{Request: app.NewRequestID(), By: h.admin()})
		h.must(err)
		info, err := os.Stat(filepath.Join(folder, "backups", files.Files[0].Name))
		h.must(err)
		megabytes = float64(info.Size()) / 1e6
		stop()
		h.must(<-served)
		began = time.Now()
		again, err := server.Open(b.Context(), c)
		h.must(err)
		_, _, err = again.Loto.Day(b.Context(), h.day)
		start = max(start, time.Since(began))
		h.must(err)
		h.must(again.Store.Close())
	}
	b.ReportMetric(float64(sale.Microseconds())/1000, "ms-sale-p99")
	b.ReportMetric(float64(key.Microseconds())/1000, "ms-key-to-last-phone")
	b.ReportMetric(float64(verdict.Microseconds())/1000, "ms-verdict")
	b.ReportMetric(float64(start.Microseconds())/1000, "ms-start")
	b.ReportMetric(megabytes, "MB-day")
}

// admin is somebody who may press the backup button.
func (h *benchHall) admin() player.ID {
	h.b.Helper()
	id, err := h.s.People.AddStaff(h.b.Context(), app.NewStaff{Request: app.NewRequestID(), By: app.SystemPerson, SignIn: "admin",
		Name: "admin", Password: server.DemoPassword, Locale: "fr", Roles: []app.Role{app.Administrator}})
	h.must(err)
	return id
}
