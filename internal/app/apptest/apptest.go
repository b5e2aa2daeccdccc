// Package apptest builds a house for tests: a real store in a temporary folder, keys, a
// clock that the test moves, and people. Everything in it is what the program uses.
package apptest

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/store"
	"boulier/internal/vault"
	"boulier/ledger"
	"boulier/player"
)

// A House is a platform under test.
type House struct {
	*app.Ground
	T        testing.TB
	Store    *store.Store
	Vault    *vault.Vault
	Clock    *Clock
	People   app.People
	Instant  *app.Instant
	Desk     app.Desk
	Cards    *app.Cards
	Loto     *app.Loto
	Bingo    *app.Bingo
	Contests *app.Contests
	Rules    int // the version in force
}

// A Clock stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set sets the time.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// Move moves the time on.
func (c *Clock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// New returns an empty house on SQLite.
func New(t testing.TB) *House {
	t.Helper()
	return On(t, store.Config{Folder: t.TempDir()})
}

// On returns an empty house on the database of the configuration, by the clock of the
// configuration if it has one.
func On(t testing.TB, c store.Config) *House {
	t.Helper()
	h := &House{T: t, Clock: &Clock{now: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)}}
	if c.Now == nil {
		c.Now = h.Clock.Now
	}
	c.Entropy = app.RandomBytes
	var err error
	if h.Store, err = store.Open(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Store.Close() })
	if h.Vault, err = vault.Open(filepath.Join(t.TempDir(), "keys"), "test.example"); err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	h.Ground = &app.Ground{Store: h.Store, Now: c.Now, Entropy: app.RandomBytes, Sealer: h.Vault,
		Journal: h.Store, Zone: zone, Version: "test", Log: slog.New(slog.DiscardHandler)}
	h.People, h.Instant = app.People{Ground: h.Ground}, app.NewInstant(h.Ground)
	h.Desk = app.Desk{Ground: h.Ground}
	h.Cards = app.NewCards(h.Ground)
	h.Loto = app.NewLoto(h.Ground, h.Cards)
	h.Bingo = app.NewBingo(h.Ground, h.Cards)
	h.Contests = app.NewContests(h.Ground)
	rules, err := h.EnactRules(context.Background(), []byte("the rules of the test"))
	if err != nil {
		t.Fatal(err)
	}
	h.Rules = rules.InForce()
	return h
}

// Staff adds a person with roles and returns the identifier.
func (h *House) Staff(name string, roles ...app.Role) player.ID {
	h.T.Helper()
	id, err := h.People.AddStaff(context.Background(), app.NewStaff{Request: app.NewRequestID(),
		By: app.SystemPerson, SignIn: name, Name: name, Password: "a long password", Locale: "fr",
		Roles: roles})
	if err != nil {
		h.T.Fatal(err)
	}
	return id
}

// Player registers a player and puts money in the account.
func (h *House) Player(name string, cents int64) player.ID {
	h.T.Helper()
	id, err := h.People.Register(context.Background(), app.Registration{Request: app.NewRequestID(),
		SignIn: name, Password: "a long password", Name: name, Locale: "fr", Rules: h.Rules,
		Born: time.Date(1990, 1, 2, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		h.T.Fatal(err)
	}
	if cents > 0 {
		h.Give(id, cents)
	}
	return id
}

// Give moves money from the bank to a player.
func (h *House) Give(id player.ID, cents int64) {
	h.T.Helper()
	path := ledger.Path("player:" + id.String())
	err := h.Store.Update(context.Background(), app.Keys{Accounts: []ledger.Path{"bank", path}}, func(tx app.Tx) error {
		_, err := tx.Post(app.Posting{Kind: "load", Moves: []ledger.Movement{
			{From: "bank", To: path, Amount: ledger.Amount{Unit: ledger.EUR, Count: cents}}}})
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// OnSale imports a game file, opens an issue of it for a week and makes one block.
func (h *House) OnSale(manager player.ID, file string) instant.IssueID {
	h.T.Helper()
	ctx := context.Background()
	game, faults, err := h.Instant.ImportGame(ctx, app.GameImport{Request: app.NewRequestID(), By: manager,
		Name: "game.toml", File: []byte(file)})
	if err != nil || len(faults) > 0 {
		h.T.Fatal(err, faults)
	}
	now := h.Now()
	issue, err := h.Instant.OpenIssue(ctx, app.IssueOpening{Request: app.NewRequestID(), By: manager, Game: game,
		Window: instant.Window{Opens: now, Closes: now.Add(7 * 24 * time.Hour)}, Blocks: 1})
	if err != nil {
		h.T.Fatal(err)
	}
	if err := h.Instant.MakeWanted(ctx); err != nil {
		h.T.Fatal(err)
	}
	return issue
}

// SmallGame is a game of twelve units at 2 EUR: one wins 15, two win 4, three win 2.
const SmallGame = `title = "Petit jeu"
kind = "three-alike"
block = 12
price = 2.00

[[prizes]]
count = 1
amount = 15.00

[[prizes]]
count = 2
amount = 4.00

[[prizes]]
count = 3
amount = 2.00
`
