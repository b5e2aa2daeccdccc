// Package sim runs the whole platform on SQLite under a seed: people of whom each does one
// thing after the other at random, a clock that jumps, writes that fail, and writes that
// succeed and say that they failed, after which the process starts again on the same
// folder. After every step it checks what must always hold (design.md), and that everyone
// has exactly the money that the answers given so far say.
package sim

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/store"
	"boulier/internal/vault"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// A World is a house, the people in it, and what they have been answered.
type World struct {
	folder string
	rand   *rand.Rand
	vault  *vault.Vault
	zone   *time.Location
	rules  int

	mu    sync.Mutex // of the clock and the entropy, which work in the background uses too
	now   time.Time
	bytes *rand.ChaCha8

	// The process: it is made anew whenever the outcome of a write is unknown.
	store  *faulty
	ground *app.Ground
	game   *app.Instant
	bingo  *app.Bingo

	manager, cashier player.ID
	imported         app.GameID
	players          []player.ID
	issues           []issue
	hall             hall
	money            map[player.ID]money.Cents // what each account must hold
	done             []done                    // what can be asked again

	// Counts says how often each thing happened, for the log.
	Counts map[string]int
}

// An issue as its manager has opened it.
type issue struct {
	id     instant.IssueID
	window instant.Window
	closed bool
}

// done is a request that was answered, and how to ask it again.
type done struct {
	what    string
	answer  any
	refused *regs.Violation
	again   func() (any, error)
}

// New opens a house in an empty folder, with staff and a game.
func New(folder string, seed uint64) (*World, error) {
	w := &World{folder: folder, rand: rand.New(rand.NewPCG(seed, 1)), Counts: map[string]int{},
		now: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC), money: map[player.ID]money.Cents{}}
	w.bytes = rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24)})
	var err error
	if w.vault, err = vault.Open(filepath.Join(folder, "keys"), "sim.example"); err != nil {
		return nil, err
	}
	if w.zone, err = time.LoadLocation("Europe/Paris"); err != nil {
		return nil, err
	}
	if err := w.start(); err != nil {
		return nil, err
	}
	return w, w.furnish()
}

// start starts the process on the folder.
func (w *World) start() error {
	s, err := store.Open(context.Background(), store.Config{Folder: w.folder, Now: w.clock, Entropy: w.entropy})
	if err != nil {
		return err
	}
	w.store = &faulty{Store: s}
	w.ground = &app.Ground{Store: w.store, Now: w.clock, Entropy: w.entropy, Sealer: w.vault, Journal: s,
		Zone: w.zone, Version: "sim", Log: slog.New(slog.DiscardHandler)}
	w.game, w.bingo = app.NewInstant(w.ground), app.NewBingo(w.ground, app.NewCards(w.ground))
	rules, err := w.ground.EnactRules(context.Background(), []byte("the rules of the simulation"))
	w.rules = rules.InForce()
	return err
}

// Close ends the process.
func (w *World) Close() error { return w.store.Close() }

// restart ends the process as if it had been killed, and starts it again.
func (w *World) restart() error {
	w.Counts["restart"]++
	if err := w.Close(); err != nil {
		return err
	}
	if err := w.start(); err != nil {
		return err
	}
	return w.game.MakeWanted(context.Background())
}

func (w *World) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *World) entropy(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bytes.Read(p) // never fails
}

// furnish brings in the staff and the game.
func (w *World) furnish() error {
	ctx, people := context.Background(), app.People{Ground: w.ground}
	var err error
	for name, id := range map[string]*player.ID{string(app.Manager): &w.manager, string(app.Cashier): &w.cashier} {
		*id, err = people.AddStaff(ctx, app.NewStaff{Request: app.NewRequestID(), By: app.SystemPerson,
			SignIn: name, Name: name, Password: "a long password", Roles: []app.Role{app.Role(name)}})
		if err != nil {
			return err
		}
	}
	var faults any
	w.imported, faults, err = w.game.ImportGame(ctx, app.GameImport{Request: app.NewRequestID(), By: w.manager,
		Name: "game.toml", File: []byte(apptest.SmallGame)})
	if err != nil {
		return fmt.Errorf("importing the game: %w %v", err, faults)
	}
	if err := (app.Desk{Ground: w.ground}).Open(ctx, app.DrawerOpening{Request: app.NewRequestID(),
		Cashier: w.cashier, Desk: 1}); err != nil {
		return err
	}
	return w.furnishBingo()
}

// Step lets somebody do something, with a fault in the way or not, and checks the house.
func (w *World) Step() error {
	if n := w.rand.IntN(10); n < 3 {
		w.store.arm([]fault{refused, lost, lost}[n], w.rand.IntN(3))
	}
	what, do := w.choose()
	w.Counts[what]++
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	w.store.arm(none, 0)
	if err := w.check(); err != nil {
		return fmt.Errorf("after %s: %w", what, err)
	}
	return nil
}

// insist asks until there is an answer: again after a refused write, and by a process that
// has started anew when the outcome is unknown.
func (w *World) insist(ask func() error) error {
	for {
		err := ask()
		switch {
		case errors.Is(err, app.ErrUnknown):
			w.Counts["lost"]++
			if err := w.restart(); err != nil {
				return err
			}
		case errors.Is(err, errRefused):
			w.Counts["refused"]++
		default:
			return err
		}
	}
}

// check returns what does not hold of what must always hold.
func (w *World) check() error {
	ctx := context.Background()
	if err := apptest.Check(ctx, w.store.Store, w.game); err != nil {
		return err
	}
	for _, who := range w.players {
		account, err := w.store.Account(ctx, ledger.Path("player:"+who.String()))
		if err != nil {
			return err
		}
		purse, err := w.ground.Purse(ctx, who)
		if err != nil {
			return err
		}
		var hidden money.Cents
		if purse.Covered != (app.UnitRef{}) {
			unit, err := w.store.Unit(ctx, int64(purse.Covered.Block), purse.Covered.Number)
			if err != nil {
				return err
			}
			hidden = unit.Prize
		}
		if has := money.Cents(account.Balance); has != w.money[who] || purse.Shown != has-hidden {
			return fmt.Errorf("person %d has %s and is shown %s with %s covered, the answers say %s", who, has,
				purse.Shown, hidden, w.money[who])
		}
	}
	return nil
}
