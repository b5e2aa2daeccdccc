package site_test

import (
	"context"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/store"
	"boulier/internal/web"
	"boulier/internal/web/site"
	"boulier/player"
)

// A staffHouse is a house at work, served over HTTP: one person of each role.
type staffHouse struct {
	*apptest.House
	url    string
	people map[string]player.ID
}

const password = "a long password" // of everybody in apptest

func newStaffHouse(t *testing.T) *staffHouse {
	t.Helper()
	var pages atomic.Pointer[site.Site]
	h := &staffHouse{House: apptest.On(t, store.Config{Folder: t.TempDir(), Committed: func(c app.Committed) {
		if p := pages.Load(); p != nil {
			p.Committed(c)
		}
	}})}
	h.people = map[string]player.ID{
		"ada": h.Staff("ada", app.Administrator), "manon": h.Staff("manon", app.Manager),
		"carla": h.Staff("carla", app.Cashier), "ines": h.Staff("ines", app.Inspector),
		"anne": h.Player("anne", 0), "cali": h.Staff("cali", app.Caller), "chloe": h.Staff("chloe", app.Checker),
	}
	cards := h.Cards
	s := site.New(site.Config{Ground: h.Ground, Instant: h.Instant, Cards: cards, Loto: h.Loto, Bingo: h.Bingo, Contests: h.Contests, Rules: h.Rules,
		Office: app.NewOffice(h.Ground, h.Vault, copied),
		Logger: slog.New(slog.DiscardHandler), PerAddress: web.Limit{Rate: rate.Inf, Burst: 1}})
	h.Instant.Progress, cards.Progress = s.Progress, s.CardsMade
	pages.Store(s)
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		server.Close()
	})
	h.url = server.URL
	return h
}

// copied stands for a backup: the files that it says it wrote.
func copied(_ context.Context, name string) ([]app.CopiedFile, error) {
	return []app.CopiedFile{{Name: name + ".db", Size: 1_234_567, Digest: strings.Repeat("ab", 32)},
		{Name: name + ".keys", Size: 900, Digest: strings.Repeat("cd", 32)}}, nil
}

// A client is a browser without scripts: it follows redirections and keeps cookies.
type client struct {
	t *testing.T
	h *staffHouse
	*http.Client
}

// signIn returns the browser of somebody.
func (h *staffHouse) signIn(t *testing.T, name string) *client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t, h, &http.Client{Jar: jar, Timeout: 30 * time.Second}}
	if name != "" {
		c.post("/signin", 200, url.Values{"name": {name}, "password": {password}})
	}
	return c
}

// get asks for a page and returns its text, unless the status is another.
func (c *client) get(path string, status int) string {
	c.t.Helper()
	r, err := c.Get(c.h.url + path)
	return c.read("GET "+path, r, err, status)
}

// post sends a form with a fresh request, unless the form has one.
func (c *client) post(path string, status int, form url.Values) string {
	c.t.Helper()
	if form.Get("request") == "" {
		form.Set("request", app.NewRequestID().String())
	}
	r, err := c.PostForm(c.h.url+path, form)
	return c.read("POST "+path, r, err, status)
}

func (c *client) read(what string, r *http.Response, err error, status int) string {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if r.StatusCode != status {
		c.t.Errorf("%s: status %d, want %d: %.300q", what, r.StatusCode, status, text(string(b)))
	}
	return string(b)
}

var tags = regexp.MustCompile(`<[^>]*>`)

// text is what a page says, on one line.
func text(page string) string {
	if _, main, ok := strings.Cut(page, "<main"); ok {
		page = main
	}
	return html.UnescapeString(strings.Join(strings.Fields(tags.ReplaceAllString(page, " ")), " "))
}

// says fails the test unless the page holds each text.
func says(t *testing.T, page string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text(page), w) {
			t.Errorf("the page does not say %q: %s", w, text(page))
		}
	}
}

// buyFor sells a unit of an issue to anne.
func buyFor(t *testing.T, h *staffHouse, issue instant.IssueID) {
	t.Helper()
	p := app.Purchase{Request: app.NewRequestID(), Player: h.people["anne"], Issue: issue}
	if _, err := h.Instant.BuyUnit(t.Context(), p); err != nil {
		t.Fatal(err)
	}
}
