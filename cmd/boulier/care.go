package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"boulier/internal/app"
	"boulier/internal/server"
	"boulier/internal/store"
)

// house names a platform on the command line.
type house struct {
	Data     string `help:"Data folder." required:"" placeholder:"DIR" env:"BOULIER_DATA_DIR"`
	Keys     string `help:"Key folder (default: DATA/keys)." placeholder:"DIR" env:"BOULIER_KEYS"`
	Database string `help:"postgres://… instead of the embedded database." placeholder:"URL" env:"BOULIER_DATABASE"`
}

func (h house) keys() string {
	if h.Keys != "" {
		return h.Keys
	}
	return filepath.Join(h.Data, "keys")
}

func (h house) config() store.Config {
	return store.Config{Folder: h.Data, URL: h.Database, Node: store.MaxNode, Now: time.Now, Entropy: app.RandomBytes}
}

// open opens a platform that no program runs. It never makes one.
func (h house) open(ctx context.Context) (server.House, error) {
	if h.Database == "" && !store.Holds(h.Data) {
		return server.House{}, fmt.Errorf("%s holds no house: its %s is missing or empty; give the data folder of one, "+
			"restore a backup, or make a new one by « boulier serve --data %s »", h.Data, store.DatabaseFile, h.Data)
	}
	st, err := store.Open(ctx, h.config())
	of := server.Config{Data: h.Data, Keys: h.keys(), Database: h.Database, Node: store.MaxNode}
	return server.House{Store: st, Keys: h.keys(), Settings: "no program runs; " + of.String()}, err
}

// backupCmd copies the database and the keys, also while the platform runs.
type backupCmd struct {
	house
	Out  string `help:"Folder for the two files." required:"" placeholder:"DIR"`
	Name string `help:"How their names begin (default: the time)." placeholder:"NAME"`
}

// Run writes the two files and says what they are.
func (c backupCmd) Run(s streams) error {
	out, err := filepath.Abs(c.Out)
	if err != nil {
		return err
	}
	if c.Name == "" {
		c.Name = time.Now().UTC().Format("20060102T150405Z")
	}
	if err := server.CheckBackupName(c.Name); err != nil {
		return misuse{err}
	}
	ctx, stop := signals()
	defer stop()
	files, err := c.copy(ctx, out)
	if err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintf(s.out, "%s\t%d bytes\tSHA-256 %s\n", filepath.Join(out, f.Name), f.Size, f.Digest)
	}
	fmt.Fprintln(s.out, "Keep the keys apart from the database: whoever has both can open its secrets.")
	return nil
}

func (c backupCmd) copy(ctx context.Context, out string) ([]app.CopiedFile, error) {
	if r := server.Reach(c.Data); r != nil {
		return r.Backup(ctx, out, c.Name)
	}
	h, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Store.Close()
	return h.Backup(ctx, out, c.Name)
}

// restoreCmd makes an empty house what a backup holds.
type restoreCmd struct {
	house
	From     string `arg:"" help:"File of the database, NAME.boulier." type:"existingfile"`
	FromKeys string `name:"from-keys" help:"File of the keys, NAME.keys." required:"" type:"existingfile" placeholder:"FILE"`
}

// Run restores both files, then examines the house.
func (c restoreCmd) Run(s streams) error {
	ctx, stop := signals()
	defer stop()
	if server.Reach(c.Data) != nil {
		return fmt.Errorf("a program runs on %s: stop it, and restore into an empty folder", c.Data)
	}
	if err := makeFolder(c.Data); err != nil {
		return err
	}
	if err := server.Restore(ctx, c.From, c.FromKeys, c.config(), c.keys()); err != nil {
		return err
	}
	h, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer h.Store.Close()
	return report(s, h.Doctor(ctx, programVersion()), false)
}

// doctorCmd examines a house.
type doctorCmd struct {
	house
	JSON bool `help:"One array of objects with what, ok and said."`
}

// Run examines and exits with 1 if anything is wrong.
func (c doctorCmd) Run(s streams) error {
	ctx, stop := signals()
	defer stop()
	found, err := c.examine(ctx)
	if err != nil {
		found = []server.Finding{{What: "house", OK: false, Said: err.Error()}}
	}
	return report(s, found, c.JSON)
}

func (c doctorCmd) examine(ctx context.Context) ([]server.Finding, error) {
	if r := server.Reach(c.Data); r != nil {
		return r.Doctor(ctx)
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	h, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer h.Store.Close()
	return h.Doctor(ctx, programVersion()), nil
}

// report prints findings; it returns refused if one of them is bad.
func report(s streams, found []server.Finding, asJSON bool) error {
	bad := false
	for _, f := range found {
		mark := "ok  "
		if !f.OK {
			mark, bad = "BAD ", true
		}
		if !asJSON {
			fmt.Fprintf(s.out, "%s %-11s %s\n", mark, f.What, f.Said)
		}
	}
	if asJSON {
		enc := json.NewEncoder(s.out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(found); err != nil {
			return err
		}
	}
	if bad {
		return refused{}
	}
	return nil
}
