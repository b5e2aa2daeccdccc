package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"golang.org/x/mod/sumdb/note"

	"boulier/internal/app"
	"boulier/internal/vault"
)

// A Finding is one line of a doctor's report.
type Finding struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Said string `json:"said"`
}

// Doctor examines a house, also while sales go on: the program itself, the settings in force,
// the clock, how commits are made durable, the ledger, the journal, the keys, and the games
// (std:2).
func (h House) Doctor(ctx context.Context, version string) []Finding {
	d := doctor{house: h, ctx: ctx}
	d.program(version)
	d.settings()
	d.durability()
	d.clock()
	v := d.keys()
	d.ledger()
	d.journal(v)
	d.secrets(v)
	d.games()
	return d.found
}

type doctor struct {
	house House
	ctx   context.Context
	found []Finding
}

func (d *doctor) say(what string, ok bool, format string, args ...any) {
	d.found = append(d.found, Finding{what, ok, fmt.Sprintf(format, args...)})
}

// program gives the digest of the running program, to be compared with the published one
// by any tool that computes SHA-256 (std:3).
func (d *doctor) program(version string) {
	path, err := os.Executable()
	if err != nil {
		d.say("program", false, "its file is not known: %v", err)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		d.say("program", false, "its file cannot be read: %v", err)
		return
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		d.say("program", false, "its file cannot be read: %v", err)
		return
	}
	d.say("program", true, "version %s, SHA-256 %s", version, hex.EncodeToString(sum.Sum(nil)))
}

// settings gives those of the program and those that an administrator has set.
func (d *doctor) settings() {
	set, err := (&app.Ground{Store: d.house.Store}).Settings(d.ctx)
	if err != nil {
		d.say("settings", false, "those of the house cannot be read: %v", err)
		return
	}
	d.say("settings", true, "operator %q, %d desks; %s", set.Operator, set.Desks, d.house.Settings)
}

func (d *doctor) durability() {
	how, err := d.house.Store.Durability(d.ctx)
	if err != nil {
		d.say("durability", false, "%v", err)
		return
	}
	d.say("durability", true, "%s, journal or fsync %q, synchronous %q", how.Engine, how.Journal, how.Sync)
	engine, err := d.house.Store.CheckEngine(d.ctx)
	d.report("database", engine.Faults, err, "the file is whole")
}

// leap is how far the clock may be behind the last checkpoint before it is surely wrong.
const leap = time.Second

func (d *doctor) clock() {
	last, err := d.house.Store.Checkpoint(d.ctx)
	now := time.Now()
	switch {
	case errors.Is(err, app.ErrNotFound):
		d.say("clock", now.Year() >= 2026, "%s; no checkpoint to compare with yet", now.UTC().Format(time.RFC3339))
	case err != nil:
		d.say("clock", false, "%v", err)
	case now.Add(leap).Before(last.At):
		d.say("clock", false, "it says %s, before the last checkpoint at %s: set the clock of this machine",
			now.UTC().Format(time.RFC3339), last.At.Format(time.RFC3339))
	default:
		d.say("clock", now.Year() >= 2026, "%s, after the last checkpoint at %s",
			now.UTC().Format(time.RFC3339), last.At.Format(time.RFC3339))
	}
}

func (d *doctor) keys() *vault.Vault {
	v, err := vault.OpenExisting(d.house.Keys)
	if err != nil {
		d.say("keys", false, "%v", err)
		return nil
	}
	d.say("keys", true, "%d sealing keys, the last is %s; signing key %s", len(v.Keys()),
		v.Keys()[len(v.Keys())-1], v.Fingerprint())
	return v
}

func (d *doctor) ledger() {
	r, err := d.house.Store.CheckLedger(d.ctx)
	d.report("ledger", r.Faults, err, fmt.Sprintf("%d accounts and %d movements: every unit sums to zero", r.Accounts, r.Movements))
}

func (d *doctor) journal(v *vault.Vault) {
	var verifier note.Verifier
	if v != nil {
		var err error
		if verifier, err = note.NewVerifier(v.VerifierKey()); err != nil {
			d.say("journal", false, "%v", err)
			return
		}
	}
	r, err := d.house.Store.CheckJournal(d.ctx, verifier)
	d.report("journal", r.Faults, err, fmt.Sprintf("%d events, %d in the signed tree, %d erased", r.Events, r.Placed, r.Erased))
}

// secrets checks that every sealed secret opens, without telling what it is.
func (d *doctor) secrets(v *vault.Vault) {
	if v == nil {
		return
	}
	rows, err := d.house.Store.Secrets(d.ctx)
	if err != nil {
		d.say("secrets", false, "%v", err)
		return
	}
	for _, r := range rows {
		if err := v.Check(r.KeyID, r.Use, r.ID, r.Sealed); err != nil {
			d.say("secrets", false, "%v", err)
			return
		}
	}
	d.say("secrets", true, "%d sealed secrets are whole", len(rows))
}

// games replays the facts of every game: they must lead to what is stored.
func (d *doctor) games() {
	g := &app.Ground{Store: d.house.Store, Now: time.Now, Journal: d.house.Store, Zone: time.UTC, Log: slog.New(slog.DiscardHandler)}
	r, err := app.CheckGames(d.ctx, g)
	d.report("games", r.Faults, err, fmt.Sprintf("%d blocks, %d rounds, %d days of loto and %d contests are what their facts lead to",
		r.Blocks, r.Rounds, r.Days, r.Contests))
}

// report says what a check of the store has found.
func (d *doctor) report(what string, faults []string, err error, fine string) {
	switch {
	case err != nil:
		d.say(what, false, "%v", err)
	case len(faults) > 0:
		for _, f := range faults {
			d.say(what, false, "%s", f)
		}
	default:
		d.say(what, true, "%s", fine)
	}
}
