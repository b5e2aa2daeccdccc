package server_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"boulier/game/loto"
	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/internal/store"
	"boulier/player"
	"boulier/regs/regstest"
)

// hallServer opens a server on a folder; it is served until the test ends.
func hallServer(t *testing.T, c server.Config) *server.Server {
	t.Helper()
	c.Listen, c.Version, c.Log = "127.0.0.1:0", "test", slog.New(slog.DiscardHandler)
	s, err := server.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	if c.Demo {
		if err := s.FillDemo(ctx); err != nil {
			t.Fatal(err)
		}
	}
	go func() { served <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestLoto_TheSecondLaptopTakesOver: in the middle of a check the button writes a backup to a
// stick; the laptop breaks; a second one restores it and goes on with the check, and with the
// numbers that the first would have drawn, within a minute.
func TestLoto_TheSecondLaptopTakesOver(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:12", "loto:15", "std:53", "house:2")
	ctx, stick := t.Context(), t.TempDir()
	first := hallServer(t, server.Config{Data: t.TempDir(), Backups: stick, Demo: true})
	person := func(s *server.Server, name string) player.ID {
		row, err := s.Store.PersonBySignIn(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		return row.ID
	}
	day := func(s *server.Server) app.LotoDay {
		d, _, err := s.Loto.Day(ctx, 1)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	as := func(who player.ID) app.LotoAct { return app.LotoAct{Request: app.NewRequestID(), By: who, Day: 1} }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	caller, manager := person(first, "meneur"), person(first, "jeux")
	// Calls on, until nobody has won on the last number and a false claim is made.
	must(first.Loto.Stop(ctx, as(caller)))
	must(first.Loto.Claim(ctx, as(caller), app.LotoClaim{Serial: "A-1"}))
	must(first.Loto.BeginCheck(ctx, as(caller)))
	copied, err := first.Office.Backup(ctx, app.Order{Request: app.NewRequestID(), By: person(first, "admin")})
	must(err)
	saved := day(first)
	// The first laptop goes on for a while, and is lost with what it did.
	goOn := func(s *server.Server, who player.ID) (calls []int) {
		must(s.Loto.Check(ctx, as(who), 0, ""))
		for day(s).Session.Play.Mode != loto.Drawing {
			must(s.Loto.HandOver(ctx, as(who)))
		}
		for range 5 {
			must(s.Loto.CallNext(ctx, as(who), len(day(s).Session.Play.Calls)))
		}
		for _, b := range day(s).Session.Play.Calls {
			calls = append(calls, int(b))
		}
		return calls
	}
	lost := goOn(first, caller)

	began := time.Now()
	folder := t.TempDir()
	keys := filepath.Join(folder, "keys")
	must(server.Restore(ctx, filepath.Join(stick, copied.Files[0].Name), filepath.Join(stick, copied.Files[1].Name),
		store.Config{Folder: folder, Now: time.Now, Entropy: app.RandomBytes}, keys))
	second := hallServer(t, server.Config{Data: folder, Demo: true})
	if p, was := day(second).Session.Play, saved.Session.Play; p.Mode != loto.Checking || len(p.Claims) != 1 || !slices.Equal(p.Calls, was.Calls) {
		t.Fatalf("restored is %+v, saved was %+v", p, was)
	}
	must(second.Loto.TakeControl(ctx, as(manager)))
	if err := second.Loto.Check(ctx, as(caller), 0, ""); err == nil {
		t.Error("the first caller still calls")
	}
	if again := goOn(second, manager); !slices.Equal(again, lost) {
		t.Errorf("the second laptop calls %v, the first called %v", again, lost)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("the takeover took %v", took)
	} else {
		t.Logf("from the stick to the next numbers: %v", took)
	}
}
