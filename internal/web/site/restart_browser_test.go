//go:build !race

package site_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/internal/web"
	"boulier/ledger"
	"boulier/player"
	"boulier/regs/regstest"
)

// started runs the whole program on a folder, until stop.
func started(t *testing.T, folder, listen string) (s *server.Server, stop func()) {
	t.Helper()
	s, err := server.Open(t.Context(), server.Config{Data: folder, Listen: listen, Version: "test",
		Log: slog.New(slog.DiscardHandler), PerAddress: web.Limit{Rate: 1e6, Burst: 1e6}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	}
	t.Cleanup(stop)
	return s, stop
}

// fill puts a player with money and the game of a file on sale.
func fill(t *testing.T, s *server.Server, file string) (who player.ID, issue instant.IssueID) {
	t.Helper()
	ctx := t.Context()
	rules, err := s.Ground.CurrentRules(ctx)
	if err != nil {
		t.Fatal(err)
	}
	who, err = s.People.Register(ctx, app.Registration{Request: app.NewRequestID(), SignIn: "camille",
		Password: "a long password", Name: "Camille", Locale: "fr", Rules: rules.InForce(),
		Born: time.Date(1990, 5, 17, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	load(t, s, who, 500_00)
	manager, err := s.People.AddStaff(ctx, app.NewStaff{Request: app.NewRequestID(), By: app.SystemPerson,
		SignIn: "jeux", Name: "Claude", Password: "a long password", Roles: []app.Role{app.Manager}})
	if err != nil {
		t.Fatal(err)
	}
	game, faults, err := s.Instant.ImportGame(ctx, app.GameImport{Request: app.NewRequestID(), By: manager,
		Name: "game.toml", File: []byte(file)})
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	now := time.Now()
	issue, err = s.Instant.OpenIssue(ctx, app.IssueOpening{Request: app.NewRequestID(), By: manager, Game: game,
		Window: instant.Window{Opens: now, Closes: now.Add(time.Hour)}, Blocks: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Instant.MakeWanted(ctx); err != nil {
		t.Fatal(err)
	}
	return who, issue
}

// load moves money from the bank to a player.
func load(t *testing.T, s *server.Server, who player.ID, count int64) {
	t.Helper()
	own := ledger.Path("player:" + who.String())
	err := s.Store.Update(t.Context(), app.Keys{Accounts: []ledger.Path{"bank", own}}, func(tx app.Tx) error {
		_, err := tx.Post(app.Posting{Kind: "load", Moves: []ledger.Movement{
			{From: "bank", To: own, Amount: ledger.Amount{Unit: ledger.EUR, Count: count}}}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestServer_RestartsInTheMiddle stops the program while a unit is half scratched: the page
// says that the connection is lost, takes up where it was when the program is back, and
// the balance is right to the cent.
func TestServer_RestartsInTheMiddle(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:18", "std:53")
	folder := t.TempDir()
	s, stop := started(t, folder, "127.0.0.1:0")
	who, issue := fill(t, s, fete)
	h := &house{url: s.URL(), issue: issue}
	b := tab(t)
	h.signIn(b, "camille")
	b.Visit(h.gamePage())
	run(b, `document.querySelector("#issue .button").click()`)
	b.WaitFor(`location.pathname.startsWith("/units/")`)
	b.Ready()
	run(b, `document.querySelector(".zone-cover").click()`)
	b.WaitFor(left + ` === 5`)
	stop()
	b.WaitFor(`!document.querySelector("[data-lost]").hidden`)
	b.Shot("lost-light-360")
	run(b, `document.querySelector(".zone-cover").click()`)
	b.WaitFor(`document.querySelector("[data-again]") && ` + left + ` === 5`)

	s, _ = started(t, folder, strings.TrimPrefix(h.url, "http://"))
	b.WaitFor(`document.querySelector("[data-lost]").hidden && !document.querySelector("[data-again]")`)
	run(b, `document.querySelector("[data-uncover-all]").click()`)
	b.WaitFor(`document.querySelector(".result-won, .result-lost")`)
	purse, err := s.Ground.Purse(t.Context(), who)
	if err != nil || purse.Covered != (app.UnitRef{}) {
		t.Fatalf("still covered: %v (%v)", purse.Covered, err)
	}
	b.WaitFor(shown + ` === "` + cents(purse.Shown) + `"`)
	unit, err := app.ParseUnitRef(b.Text(`location.pathname.slice("/units/".length)`))
	if err != nil {
		t.Fatal(err)
	}
	u, err := s.Instant.Unit(t.Context(), who, unit)
	if err != nil || purse.Shown != 450_00+u.Prize {
		t.Errorf("the balance is %d after a prize of %d (%v)", purse.Shown, u.Prize, err)
	}
}
