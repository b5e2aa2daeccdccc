package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/gamefile"
	"boulier/internal/sealedblock"
	"boulier/money"
)

// instantCmd holds what laboratories and managers do with instant games outside a server.
type instantCmd struct {
	Check    instantCheckCmd    `cmd:"" help:"Check game files, or prize tables straight from a spreadsheet."`
	Simulate instantSimulateCmd `cmd:"" help:"Play a whole block of a game: return, odds, waits, and what the law of today says."`
	Issue    instantIssueCmd    `cmd:"" help:"Make a sealed block of a game in a folder; no server sells it."`
	Audit    instantAuditCmd    `cmd:"" help:"Check a block from the files of its folder alone."`
}

// instantCheckCmd checks game files (TOML) or, with --block and --price, bare tables.
type instantCheckCmd struct {
	Files       []string `arg:"" name:"file" help:"Game files (TOML); with --block and --price, prize tables (CSV or XLSX)."`
	Block       *int64   `help:"Units of a block: the files are then bare prize tables."`
	Price       *string  `help:"Price of a unit in euros, such as 2.00; goes with --block."`
	PrizesTotal *int64   `help:"Number of prizes that the counts must sum to; goes with --block."`
	ValueTotal  *string  `help:"Value in euros that the prizes must sum to; goes with --block."`
}

// Run prints a line for each sound file and every fault of the others, and refuses if
// there is any.
func (c instantCheckCmd) Run(s streams) error {
	bare, err := c.table()
	if err != nil {
		return err
	}
	sound := true
	for _, name := range c.Files {
		var game instant.Game
		var faults []gamefile.Fault
		data, err := os.ReadFile(name)
		switch {
		case err != nil:
			faults = []gamefile.Fault{{File: name, Line: 1, Code: "unreadable",
				Text: fmt.Sprintf("the file cannot be read (%v): check its name", errors.Unwrap(err))}}
		case bare != nil && strings.EqualFold(filepath.Ext(name), ".toml"):
			faults = []gamefile.Fault{{File: name, Line: 1, Code: "game_file",
				Text: "this is a game file, which holds its block, price and totals: leave the flags out"}}
		case bare != nil:
			game, faults = gamefile.ParseTable(name, data, *bare)
		case slices.Contains([]string{".csv", ".xlsx"}, strings.ToLower(filepath.Ext(name))):
			faults = []gamefile.Fault{{File: name, Line: 1, Code: "bare_table",
				Text: "this is a bare prize table: add --block and --price"}}
		default:
			var f gamefile.File
			f, faults = gamefile.Parse(name, data)
			game = f.Game
		}
		for _, fault := range faults {
			fmt.Fprintln(s.out, fault)
		}
		if len(faults) > 0 {
			sound = false
			continue
		}
		if err := summary(s.out, name, game); err != nil {
			return err
		}
	}
	if !sound {
		return refused{}
	}
	return nil
}

// table returns the block, price and totals that the flags give to a bare table, or nil
// if the files are game files.
func (c instantCheckCmd) table() (*instant.Game, error) {
	if c.Block == nil && c.Price == nil && c.PrizesTotal == nil && c.ValueTotal == nil {
		return nil, nil
	}
	if c.Block == nil || c.Price == nil {
		return nil, misused("a bare prize table needs both --block and --price; " +
			"game files (TOML) hold theirs and take none of these flags")
	}
	price, err := money.Parse(*c.Price)
	if err != nil {
		return nil, misused("--price %q: write euros, such as 2.00: %w", *c.Price, err)
	}
	g := &instant.Game{Block: *c.Block, Price: price}
	g.Declared.Prizes = c.PrizesTotal
	if c.ValueTotal != nil {
		value, err := money.Parse(*c.ValueTotal)
		if err != nil {
			return nil, misused("--value-total %q: write euros, such as 1830120.00: %w",
				*c.ValueTotal, err)
		}
		g.Declared.Value = &value
	}
	return g, nil
}

// summary prints the line of a sound game.
func summary(w io.Writer, name string, g instant.Game) error {
	prizes, err := g.Table.Prizes()
	if err != nil {
		return err
	}
	value, err := g.Table.Value()
	if err != nil {
		return err
	}
	title := ""
	if g.Title != "" {
		title = g.Title + ", "
	}
	_, err = fmt.Fprintf(w, "%s: %sblock of %d units at %s EUR, %d prizes worth %s EUR, return %s %%\n",
		name, title, g.Block, g.Price, prizes, value, percent(g))
	return err
}

// percent gives the return of a game in percent with three decimals, rounded to nearest.
func percent(g instant.Game) string {
	r := g.Return()
	return r.Mul(r, big.NewRat(100, 1)).FloatString(3)
}

// readGame reads a sound game file, or prints every fault of it and refuses.
func readGame(s streams, name string) (gamefile.File, []byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return gamefile.File{}, nil, err
	}
	f, faults := gamefile.Parse(name, data)
	for _, fault := range faults {
		fmt.Fprintln(s.out, fault)
	}
	if len(faults) > 0 {
		return f, nil, refused{}
	}
	return f, data, nil
}

// instantIssueCmd makes a block outside any server, for laboratories.
type instantIssueCmd struct {
	Game string `arg:"" help:"Game file (TOML)."`
	Out  string `required:"" placeholder:"DIR" help:"New folder for the block; it will hold the secret in the clear."`
}

// Run draws a secret, makes the block and writes its folder.
func (c instantIssueCmd) Run(s streams) error {
	f, data, err := readGame(s, c.Game)
	if err != nil {
		return err
	}
	var secret draw.Secret
	var name [8]byte
	rand.Read(secret[:]) // never fails: the program stops if the system has no chance to give
	rand.Read(name[:])
	// Identifiers under « lab/ » are never those of a server.
	id := draw.ID("lab/" + hex.EncodeToString(name[:]))
	fmt.Fprintf(s.err, "making %d units of « %s »…\n", f.Game.Block, f.Game.Title)
	block, err := sealedblock.Make(f, id, programVersion(), secret)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.err, "writing %s…\n", c.Out)
	if err := sealedblock.WriteDir(c.Out, data, block, secret); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "block %s\ncommitment %s\nroot %s\n", id, block.Header.Commitment,
		block.Header.Root)
	return nil
}

// instantAuditCmd audits a block made by instantIssueCmd.
type instantAuditCmd struct {
	Dir string `arg:"" help:"Folder that instant issue made."`
}

// Run prints the counts by prize of a sound block, or why it is refused.
func (c instantAuditCmd) Run(s streams) error {
	var mu sync.Mutex
	told := int64(0)
	report, err := sealedblock.AuditDir(c.Dir, func(units int64) {
		mu.Lock()
		defer mu.Unlock()
		if units >= told+250_000 {
			told = units
			fmt.Fprintf(s.err, "%d units checked…\n", units)
		}
	})
	if errors.Is(err, sealedblock.ErrAudit) {
		fmt.Fprintf(s.out, "%s: refused: %v\n", c.Dir, err)
		return refused{}
	}
	if err != nil {
		return err
	}
	g, h := report.Game, report.Header
	fmt.Fprintf(s.out, "block %s of « %s », made by boulier %s\n", h.Block, g.Title, h.Program)
	for i, p := range g.Table {
		fmt.Fprintf(s.out, "%14s EUR %10d units\n", p.Amount, report.Counts[i+1])
	}
	fmt.Fprintf(s.out, "%18s %10d units\n", "losing", report.Counts[0])
	fmt.Fprintf(s.out, "%d units, each with the face of what it wins; game, table, commitment, "+
		"order and root are those of the header\n", g.Block)
	return nil
}

// programVersion names this build: its module version or, between versions, its commit.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, set := range info.Settings {
		if set.Key == "vcs.revision" {
			return set.Value
		}
	}
	return "devel"
}
