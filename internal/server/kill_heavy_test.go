//go:build !race

package server_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/pgtest"
	"boulier/internal/server"
	"boulier/internal/store"
	"boulier/internal/vault"
	"boulier/regs/regstest"
)

// longGame lasts for all that the killed servers can sell.
const longGame = `title = "Longue durée"
kind = "three-alike"
block = 200000
price = 2.00

[[prizes]]
count = 10
amount = 500.00

[[prizes]]
count = 1000
amount = 20.00

[[prizes]]
count = 50000
amount = 2.00
`

// A customer buys one unit after the other and remembers what was answered.
type customer struct {
	*buyer
	pending app.RequestID            // sent, perhaps, and not answered
	units   map[app.RequestID]string // the page of the unit of each request that was answered
}

// buyUntilItBreaks buys until a connection breaks, beginning with the form whose answer was
// lost. It calls bought after each purchase, and returns an error if the server refused one.
func (c *customer) buyUntilItBreaks(server string, issue instant.IssueID, bought func()) error {
	for {
		page, err := c.buy(server, issue, c.pending)
		if no, ok := errors.AsType[*refused](err); ok {
			return no
		}
		if err != nil {
			return nil // it broke: the same form is sent again to the next server
		}
		c.units[c.pending] = page
		c.pending = app.NewRequestID()
		bought()
	}
}

// lives is how often a server is killed.
const lives = 20

// killedServers lets customers buy from a server that is killed again and again.
func killedServers(t *testing.T, c server.Config, issue instant.IssueID, customers []*customer) {
	t.Helper()
	for life := range lives {
		p := serve(t, c)
		if life == 0 {
			together(t, customers, func(c *customer) error { return c.signIn(p.url) })
		}
		var first sync.Once
		bought := func() { // well into the sales, at whatever point of a commit
			first.Do(func() { time.AfterFunc(rand.N(400*time.Millisecond), func() { p.Process.Kill() }) })
		}
		together(t, customers, func(c *customer) error { return c.buyUntilItBreaks(p.url, issue, bought) })
		p.kill(t)
	}
}

// together has all customers do something at once.
func together(t *testing.T, customers []*customer, do func(*customer) error) {
	t.Helper()
	failed := make([]error, len(customers))
	var all sync.WaitGroup
	for k, c := range customers {
		all.Go(func() { failed[k] = do(c) })
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
}

// TestKilled_NothingAnsweredIsLostHeavy kills a real server twenty times while people buy
// over HTTP, on each engine. Every answered sale is there, the form whose answer was lost
// buys once, and ledger, journal and block are sound.
func TestKilled_NothingAnsweredIsLostHeavy(t *testing.T) {
	regstest.Covers(t, "house:1", "house:2", "house:6", "std:43", "std:53")
	for _, engine := range []struct {
		name   string
		config func(t *testing.T) server.Config
	}{
		{"SQLite", func(t *testing.T) server.Config { return server.Config{Data: t.TempDir()} }},
		{"PostgreSQL", func(t *testing.T) server.Config {
			return server.Config{Data: t.TempDir(), Database: pgtest.New(t, apptest.Migrate)}
		}},
	} {
		t.Run(engine.name, func(t *testing.T) {
			c := engine.config(t)
			customers := make([]*customer, 24)
			issue := prepare(t, c, len(customers), longGame)
			for k := range customers {
				customers[k] = &customer{newBuyer(t, k), app.NewRequestID(), map[app.RequestID]string{}}
			}
			killedServers(t, c, issue, customers)
			askAgain(t, serve(t, c), issue, customers)
			checkSold(t, c, customers)
		})
	}
}

// askAgain sends every form again: each leads where it led. The last form of each customer,
// whose answer was lost, gets one.
func askAgain(t *testing.T, p *process, issue instant.IssueID, customers []*customer) {
	t.Helper()
	together(t, customers, func(c *customer) error {
		c.units[c.pending] = ""
		for request, was := range c.units {
			page, err := c.buy(p.url, issue, request)
			if err != nil || was != "" && page != was {
				return fmt.Errorf("form %s led to %q; again it leads to %q, %w", request, was, page, err)
			}
			c.units[request] = page
		}
		return nil
	})
	p.stop(t)
}

// stored opens what the servers left, and checks that it is sound.
func stored(t *testing.T, c server.Config) (*store.Store, *app.Instant) {
	t.Helper()
	ctx := t.Context()
	s, err := store.Open(ctx, store.Config{Folder: c.Data, URL: c.Database, Now: time.Now, Entropy: app.RandomBytes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	keys, err := vault.Open(filepath.Join(c.Data, "keys"), "boulier.local")
	if err != nil {
		t.Fatal(err)
	}
	house := app.NewInstant(&app.Ground{Store: s, Now: time.Now, Entropy: app.RandomBytes, Sealer: keys,
		Journal: s, Zone: time.UTC, Version: "test", Log: slog.New(slog.DiscardHandler)})
	if err := apptest.Check(ctx, s, house); err != nil {
		t.Error(err)
	}
	return s, house
}

// checkSold compares what was answered with what is stored.
func checkSold(t *testing.T, c server.Config, customers []*customer) {
	t.Helper()
	ctx := t.Context()
	s, house := stored(t, c)
	given, err := apptest.Given(ctx, house, 1)
	if err != nil {
		t.Fatal(err)
	}
	sold := 0
	for _, n := range given {
		sold += int(n)
	}
	of := map[string]int{}
	for k, customer := range customers {
		person, err := s.PersonBySignIn(ctx, buyerName(k))
		if err != nil {
			t.Fatal(err)
		}
		for request, page := range customer.units {
			if other, ok := of[page]; ok {
				t.Errorf("%s was sold to buyer %d and buyer %d", page, other, k)
			}
			of[page] = k
			unit, err := app.ParseUnitRef(strings.TrimPrefix(page, "/units/"))
			if err != nil {
				t.Fatalf("%q: %v", page, err)
			}
			row, err := s.Unit(ctx, int64(unit.Block), unit.Number)
			if err != nil || row.Player != person.ID {
				t.Errorf("form %s bought %s for person %d, stored is %+v, %v", request, unit, person.ID, row, err)
			}
		}
	}
	if sold != len(of) || sold < lives {
		t.Errorf("%d units are sold, %d were answered", sold, len(of))
	}
	t.Logf("killed %d times: %d sales, each answered, none twice", lives, sold)
}
