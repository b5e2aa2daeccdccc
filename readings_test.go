package boulier

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boulier/regs"
)

// readings returns the clauses of each reading of docs/interpretations.md, by its number.
func readings(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("docs/interpretations.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	last := map[string]int{}
	row := regexp.MustCompile(`^\| ([A-Z])([0-9]+) \| ([^|]*) \|`)
	for line := range strings.Lines(string(text)) {
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if n, _ := strconv.Atoi(m[2]); n != last[m[1]]+1 {
			t.Errorf("reading %s%s follows %s%d", m[1], m[2], m[1], last[m[1]])
		}
		last[m[1]]++
		if cells := strings.Count(line, " | "); cells != 5 {
			t.Errorf("reading %s%s has %d cells, want 6", m[1], m[2], cells+1)
		}
		for ref := range strings.SplitSeq(m[3], ", ") {
			found[m[1]+m[2]] = append(found[m[1]+m[2]], strings.Trim(ref, "`"))
		}
	}
	if len(found) == 0 {
		t.Fatal("docs/interpretations.md holds no reading")
	}
	return found
}

// TestReadings_RegisterAndPageAgree: each clause lists the readings whose row names it, and
// no other.
func TestReadings_RegisterAndPageAgree(t *testing.T) {
	t.Parallel()
	page, register := map[string][]string{}, map[string][]string{}
	for number, refs := range readings(t) {
		for _, ref := range refs {
			page[ref] = append(page[ref], number)
		}
	}
	for _, clause := range regs.All() {
		if len(clause.Readings) > 0 {
			register[string(clause.Ref)] = slices.Sorted(slices.Values(clause.Readings))
		}
	}
	for _, numbers := range page {
		slices.Sort(numbers)
	}
	if diff := cmp.Diff(page, register); diff != "" {
		t.Errorf("readings by clause (-page +register):\n%s", diff)
	}
}

// TestReadings_WhatCodeCitesExists: a reading that a comment or a test cites is on the page.
func TestReadings_WhatCodeCitesExists(t *testing.T) {
	t.Parallel()
	known := readings(t)
	cited := regexp.MustCompile(`\b[Rr]eadings? ([ILBC][0-9]+(?:(?:, | and |/)[ILBC][0-9]+)*)`)
	number := regexp.MustCompile(`[ILBC][0-9]+`)
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range cited.FindAllStringSubmatch(string(text), -1) {
			for _, n := range number.FindAllString(m[1], -1) {
				if known[n] == nil {
					t.Errorf("%s cites reading %s, which docs/interpretations.md does not hold", path, n)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
