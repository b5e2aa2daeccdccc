package regs

import (
	"errors"
	"regexp"
	"testing"
)

func TestAll_RefsAreUniqueAndComplete(t *testing.T) {
	t.Parallel()
	shape := regexp.MustCompile(`^(instant|loto|bingo|contest):[0-9a-z]+(\.[0-9a-z]+)*$`)
	seen := map[Ref]bool{}
	for _, c := range All() {
		if !shape.MatchString(string(c.Ref)) {
			t.Errorf("%q is not of the form regulation:clause", c.Ref)
		}
		if seen[c.Ref] {
			t.Errorf("%s stands twice", c.Ref)
		}
		seen[c.Ref] = true
		if c.Duty == "" || c.Who == "" || c.Status == "" {
			t.Errorf("%s lacks its duty, who or status", c.Ref)
		}
		if c.Status == Operator && c.Who != People {
			t.Errorf("%s: only a duty of people alone may be left to the operator", c.Ref)
		}
	}
	if got, want := len(seen), 14+31+15+27; got != want {
		t.Errorf("the register holds %d clauses, want %d", got, want)
	}
}

func TestViolation_IsMatchesOnTheCodeAlone(t *testing.T) {
	t.Parallel()
	closed := &Violation{Ref: "bingo:93.8", Code: "sale_closed"}
	if !errors.Is(closed.With("at %d", 3), closed) {
		t.Error("a detail changed the identity of the violation")
	}
	if errors.Is(closed, &Violation{Ref: "bingo:93.8", Code: "other"}) {
		t.Error("two codes are one violation")
	}
}
