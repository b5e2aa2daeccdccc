package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const before = `Words.

<!-- machine -->
Somewhere.
<!-- /machine -->

| what | reach | measured | on | benchmark |
| --- | --- | --- | --- | --- |
| a leg | ≤ 1 s | 9 s | 2020-01-01 | ` + "`game/contest Rescore ns/op -benchtime=1x`" + ` |
| sales | ≥ 15 000 a second |  |  | ` + "`app Sale/all sales/s`" + ` |
| alone | – |  |  | ` + "`app Sale/one sales/s`" + ` |

| not | a table of benchmarks |
| --- | --- |
| a | b |
`

const printed = `goos: linux
BenchmarkRescore-2   	       1	 812345678 ns/op	       512.5 MB
BenchmarkSale/all-2  	   12345	     81000 ns/op	     12345.6 sales/s
BenchmarkSale/one     	   10	     81000 ns/op	       0.25 sales/s
PASS
`

func TestFill(t *testing.T) {
	t.Parallel()
	rows, err := parse(before)
	if err != nil {
		t.Fatal(err)
	}
	var faults []string
	for _, r := range rows {
		if err := r.fill(figures(printed), "2026-01-02"); err != nil {
			faults = append(faults, err.Error())
		}
	}
	want := strings.NewReplacer("Somewhere", "Here", "9 s | 2020-01-01", "812 ms | 2026-01-02",
		"second |  |  |", "second | 12 300 ✗ | 2026-01-02 |",
		"– |  |  |", "– | 0.25 | 2026-01-02 |").Replace(before)
	if diff := cmp.Diff(want, withMachine(render(before, rows), "Here.")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	missed := []string{"app Sale/all: 12 300, to reach: ≥ 15 000 a second"}
	if diff := cmp.Diff(missed, faults); diff != "" {
		t.Errorf("what is missed (-want +got):\n%s", diff)
	}
	if err := rows[0].fill(nil, ""); err == nil {
		t.Error("a figure that was not reported passed")
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	rows, err := parse(before)
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string][]int{".": {1, 2}, "Rescore": {1}, "app": {2}, "none": nil} {
		var got []int
		for _, group := range groups(rows, regexp.MustCompile(pattern)) {
			got = append(got, len(group))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", pattern, diff)
		}
	}
}

func TestReaches(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		value       float64
		unit, reach string
		want, fails bool
	}{
		{2e9, "ns/op", "≤ 2 s", true, false},
		{2.1e9, "ns/op", "≤ 2 s", false, false},
		{5e5, "ns/op", "≤ 0.5 ms", true, false},
		{15000, "sales/s", "≥ 15 000 a second", true, false},
		{14999, "sales/s", "≥ 15 000 a second", false, false},
		{60, "%-of-off", "≥ 60 %", true, false},
		{1, "MB", "–", true, false},
		{1, "ns/op", "≤ 2 fortnights", false, true},
		{1, "MB", "soon", false, true},
		{1, "MB", "", false, true},
	} {
		got, err := reaches(tc.value, tc.unit, tc.reach)
		if got != tc.want || (err != nil) != tc.fails {
			t.Errorf("%g %s against %q: %t, %v", tc.value, tc.unit, tc.reach, got, err)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for value, want := range map[float64]string{
		0: "0", 0.25: "0.25", 0.012345: "0.0123", 1: "1", 99.96: "100", 812.3: "812",
		12345.6: "12 300", 1234567: "1 230 000", 1.5: "1.5", 999.6: "1 000",
	} {
		if got := number(value); got != want {
			t.Errorf("number(%g) = %q, want %q", value, got, want)
		}
	}
}

func TestParse_RefusesARowWithoutBenchmark(t *testing.T) {
	t.Parallel()
	_, err := parse(strings.Replace(before, "`app Sale/one sales/s`", "app", 1))
	if err == nil || !strings.Contains(err.Error(), "performance.md:11:") {
		t.Errorf("got %v", err)
	}
}

// TestDocument_NamesBenchmarksThatExist holds that make bench can measure every row.
func TestDocument_NamesBenchmarksThatExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../" + document)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if _, err := reaches(0, r.unit, r.reach); err != nil {
			t.Errorf("line %d: %v", r.line+1, err)
		}
		top, _, _ := strings.Cut(r.name, "/")
		files, err := filepath.Glob(filepath.Join("../../..", r.pkg, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(src), "\nfunc Benchmark"+top+"(b *testing.B)")
		}
		if !found {
			t.Errorf("line %d: %s has no Benchmark%s", r.line+1, r.pkg, top)
		}
	}
}
