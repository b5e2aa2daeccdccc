// Package regs is the register of clauses: every duty of the four regulations in
// our own words, with the reference that code, tests, errors and commits cite, and
// its status in this program. It is the only place where clauses are numbered.
//
// It also defines the Violation, the answer to a request that a clause forbids.
//
// The package is pure.
package regs

import (
	"fmt"
	"strings"
)

// A Ref names a clause as "regulation:clause", such as "bingo:93.13". Rules that come
// from a standard and not from a regulation are cited as "std:14", those of the house
// (what must always hold) as "house:2"; neither stands in the register.
type Ref string

// Game returns the part before the colon: instant, loto, bingo, contest, std or house.
func (r Ref) Game() string {
	game, _, _ := strings.Cut(string(r), ":")
	return game
}

// Who says whose duty a clause is.
type Who string

// The three kinds of duty.
const (
	System Who = "S"   // the program does or enforces it
	People Who = "O"   // people do it, and the program supports them
	Both   Who = "S+O" // both
)

// Status says how far the program honours a clause.
type Status string

// The statuses of a clause.
const (
	Open       Status = "open"         // not built yet
	Tested     Status = "tested"       // a test that names it fails when the rule is broken
	Operator   Status = "operator"     // a duty of people, which the program supports
	OutOfScope Status = "out-of-scope" // docs/divergences.md says why
)

// A Clause is one duty.
type Clause struct {
	Ref      Ref
	Who      Who
	Status   Status
	Duty     string   // in our own words
	Readings []string // numbers in docs/interpretations.md, such as "I5"
}

// Games lists the regulations in the order of the register.
var Games = []string{"instant", "loto", "bingo", "contest"}

// All returns the whole register, in the order of Games and of each regulation.
func All() []Clause {
	var all []Clause
	for _, clauses := range [][]Clause{instant, loto, bingo, contest} {
		all = append(all, clauses...)
	}
	return all
}

// Lookup returns the clause that r names, and whether there is one.
func Lookup(r Ref) (Clause, bool) {
	for _, c := range All() {
		if c.Ref == r {
			return c, true
		}
	}
	return Clause{}, false
}

// A Violation is a request that a clause forbids. It is an answer to a player,
// not a failure of the system: the web layer renders it as a 4xx problem.
type Violation struct {
	Ref    Ref    // the clause that forbids it
	Code   string // stable and machine-readable; translations are keyed by it
	Detail string // for operators, in English
}

func (v *Violation) Error() string {
	return fmt.Sprintf("%s: %s [%s]", v.Code, v.Detail, v.Ref)
}

// Is matches on Code alone, so that errors.Is ignores the detail.
func (v *Violation) Is(target error) bool {
	t, ok := target.(*Violation)
	return ok && t.Code == v.Code
}

// With returns the same violation with a detail in the format of fmt.Sprintf.
func (v *Violation) With(format string, args ...any) *Violation {
	return &Violation{Ref: v.Ref, Code: v.Code, Detail: fmt.Sprintf(format, args...)}
}

// Tests returns the tests that declare r as covered, each as package.TestName.
func Tests(r Ref) []string { return covers[r] }
