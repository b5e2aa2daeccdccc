// Package regstest lets a test declare which clauses it holds. The coverage test and
// `boulier regs` read the declarations from the source of the tests.
package regstest

import (
	"regexp"
	"testing"

	"boulier/regs"
)

var other = regexp.MustCompile(`^(std:[1-9][0-9]?|house:[1-8])$`)

// Covers declares that t fails when one of the clauses is broken. A clause that the
// register does not know fails the test at once. The arguments must be string literals,
// for they are read from the source.
func Covers(t *testing.T, refs ...regs.Ref) {
	t.Helper()
	for _, r := range refs {
		if _, ok := regs.Lookup(r); !ok && !other.MatchString(string(r)) {
			t.Errorf("regstest: no clause %q in the register", r)
		}
	}
}
