package boulier

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boulier/internal/evidence"
	"boulier/regs"
)

// TestClauses_TheTestedHaveTheirTest reads the tests themselves, not the generated file: what
// counts is what stands in the source now. A clause that is still open may have tests already,
// for a part of it; one out of scope may not.
func TestClauses_TheTestedHaveTheirTest(t *testing.T) {
	t.Parallel()
	found, err := evidence.Read(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range regs.All() {
		switch tests := found[c.Ref]; {
		case c.Status == regs.Tested && len(tests) == 0:
			t.Errorf("%s is marked as tested, and no test declares regstest.Covers(t, %q)", c.Ref, c.Ref)
		case c.Status == regs.OutOfScope && len(tests) > 0:
			t.Errorf("%s is marked as out of scope, and %s tests it", c.Ref, tests[0])
		}
	}
}

// TestClauses_WhatIsLeftOutIsExplained wants a line of docs/divergences.md for each clause out
// of scope, and no line there for a clause that does not exist.
func TestClauses_WhatIsLeftOutIsExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/divergences.md")
	if err != nil {
		t.Fatal(err)
	}
	var cited []string
	for _, ref := range regexp.MustCompile("`(instant|loto|bingo|contest):[^`]*`").FindAllString(string(text), -1) {
		cited = append(cited, strings.Trim(ref, "`"))
	}
	for _, c := range regs.All() {
		if c.Status == regs.OutOfScope && !slices.Contains(cited, string(c.Ref)) {
			t.Errorf("%s is out of scope: docs/divergences.md must say why, citing `%s`", c.Ref, c.Ref)
		}
	}
	for _, ref := range cited {
		if _, ok := regs.Lookup(regs.Ref(ref)); !ok {
			t.Errorf("docs/divergences.md cites `%s`, which the register does not hold", ref)
		}
	}
}
