package server_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"boulier/game/loto"
	"boulier/internal/server"
)

// TestDemo_ALotoIsInProgress: the newcomer finds a round that can be called at once.
func TestDemo_ALotoIsInProgress(t *testing.T) {
	t.Parallel()
	s, err := server.Open(t.Context(), server.Config{Data: t.TempDir(), Listen: "127.0.0.1:0", Demo: true,
		Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Store.Close()
	for range 2 { // a second start of the same folder makes nothing again
		if err := s.FillDemo(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	days, err := s.Loto.Days(t.Context())
	if err != nil || len(days) != 1 {
		t.Fatalf("%d days, %v", len(days), err)
	}
	p := days[0].Session.Play
	if p.Round != 1 || p.Mode != loto.Drawing || len(p.Calls) == 0 || p.Cards == 0 || days[0].Session.Caller == 0 {
		t.Errorf("the demonstration's loto: %+v", p)
	}
}

// TestDemo_ANewcomerPlaysTheBingo: whoever comes takes the trial terminal, enters the account
// that is lent, and has cards in a round together with simulated players.
func TestDemo_ANewcomerPlaysTheBingo(t *testing.T) {
	t.Parallel()
	s, err := server.Open(t.Context(), server.Config{Data: t.TempDir(), Listen: "127.0.0.1:0", Demo: true,
		Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.FillDemo(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	see := func(path string) string {
		t.Helper()
		answer, err := client.Get(s.URL() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		page, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v", path, answer.StatusCode, err)
		}
		return string(page)
	}
	until := func(path, part string) string {
		t.Helper()
		for range 600 {
			if page := see(path); strings.Contains(page, part) {
				return page
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("%s never has %s", path, part)
		return ""
	}
	send := func(act string, answers url.Values) {
		t.Helper()
		answers.Set("request", uuid.Must(uuid.NewV7()).String())
		answer, err := client.PostForm(s.URL()+"/bingo/terminal/"+act, answers)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d", act, answer.StatusCode)
		}
	}
	value := func(page, name string) string {
		t.Helper()
		m := regexp.MustCompile(`name="` + name + `"[^>]* value="([^"]*)"`).FindStringSubmatch(page)
		if m == nil {
			t.Fatalf("no %s in the page", name)
		}
		return m[1]
	}
	until("/", `href="/bingo/terminal"`) // the home page leads there
	until("/bingo/terminal", `name="demo"`)
	send("authorize", url.Values{"demo": {"yes"}})
	page := see("/bingo/terminal")
	send("enter", url.Values{"card": {value(page, "card")}, "pin": {value(page, "pin")}})
	page = until("/bingo/terminal", `data-phase="selling"`)
	send("buy", url.Values{"round": {value(page, "round")}, "price": {"100"}, "count": {"3"}})
	if page = see("/bingo/terminal"); strings.Count(page, `class="bingo-card"`) != 3 {
		t.Fatalf("%d cards after buying three", strings.Count(page, `class="bingo-card"`))
	}
	for range 1800 { // three minutes: on a slow machine the others miss the first sale
		now, err := s.Bingo.Look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(now.Round.Balls) >= 2 && now.Round.Cards > 3 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("nobody else plays, or no ball comes")
}
