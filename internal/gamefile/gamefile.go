// Package gamefile reads the files that describe instant lotteries: game files (TOML)
// and prize tables straight from a spreadsheet (CSV or XLSX).
//
// A file is accepted whole or refused with every fault that can be told, each with its
// file, its line and what to do. What makes a sound game is decided by package instant
// (instant:3, reading I1); this package finds where it is written.
package gamefile

import (
	"cmp"
	"fmt"
	"slices"

	"boulier/game/instant"
)

// maxBytes bounds a file before it is read: real ones have a few hundred bytes.
const maxBytes = 4 << 20

// A Fault is one thing wrong with a file.
type Fault struct {
	File string
	Line int    // from 1; of a spreadsheet, its row
	Code string // stable and machine-readable, those of instant.Fault and of this package
	Text string // what is wrong and what to do, in English
}

func (f Fault) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text) }

// A File is a game file that was read.
type File struct {
	Game      instant.Game
	Publisher string
	Source    string   // where the table was published
	Rules     string   // the rules of the game, as text or as a reference
	Note      string   // what players must read beside the game
	Digest    [32]byte // SHA-256 of the exact bytes of the file
}

// faults gathers the faults of a file, and which values could not be read.
type faults struct {
	file string
	list []Fault
	// bad holds the fields that could not be read, as instant.Fault names them: what the
	// rules say of these, or of sums over them, would be noise.
	bad map[field]bool
}

// field names a value: a field of a prize line or a board, or of the game where line is 0.
type field struct {
	line int
	name string
}

func newFaults(file string) *faults { return &faults{file: file, bad: map[field]bool{}} }

func (fs *faults) add(line int, code, format string, args ...any) {
	fs.list = append(fs.list, Fault{fs.file, line, code, fmt.Sprintf(format, args...)})
}

// check adds the faults that the rules find in the game, at the line where each field is
// written.
func (fs *faults) check(g instant.Game, lineOf func(field) int) {
	for _, f := range g.Check() {
		if !fs.noise(f) {
			fs.add(lineOf(field{f.Line, f.Where}), f.Code, "%s", f.Text)
		}
	}
}

// noise reports whether a fault of the rules only repeats that a value is unreadable.
func (fs *faults) noise(f instant.Fault) bool {
	anyBad := func(name string) bool {
		for at := range fs.bad {
			if at.name == name && (f.Line == 0 || at.line == f.Line) {
				return true
			}
		}
		return false
	}
	if fs.bad[field{f.Line, f.Where}] || f.Where == "boards" && anyBad("boards") {
		return true
	}
	switch f.Code {
	case "prizes_total_differs":
		return anyBad("count") || anyBad("prizes")
	case "value_total_differs", "line_total_differs":
		return anyBad("count") || anyBad("amount") || anyBad("prizes")
	case "too_few_amounts":
		return anyBad("amount")
	}
	return false
}

// sorted returns the faults by line, those of a line in the order they were found.
func (fs *faults) sorted() []Fault {
	slices.SortStableFunc(fs.list, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return fs.list
}
