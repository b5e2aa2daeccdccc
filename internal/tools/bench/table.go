package main

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A row is a line of a table that names a benchmark.
type row struct {
	line  int      // of the document, from 0
	cells []string // without the outer bars
	reach string

	pkg, name, unit string // such as game/contest, Rescore/ten and ns/op
	flags           []string
}

// The last columns of a table, from the end.
const (
	colBenchmark = 1 + iota
	colOn
	colMeasured
	colReach
)

// cell returns the cell of a column counted from the end.
func (r *row) cell(col int) *string { return &r.cells[len(r.cells)-col] }

// parse returns the rows of all tables that have the columns of benchmarks.
func parse(text string) (rows []*row, err error) {
	inTable := false
	for i, line := range strings.Split(text, "\n") {
		cells := split(line)
		switch {
		case cells == nil:
			inTable = false
		case hasColumns(cells):
			inTable = true
		case inTable && !strings.HasPrefix(cells[0], "---"):
			r := &row{line: i, cells: cells}
			words := strings.Fields(strings.Trim(cells[len(cells)-1], "`"))
			if len(cells) < colReach || len(words) < 3 {
				return nil, fmt.Errorf("%s:%d: the last cell is not `package Benchmark unit`",
					document, i+1)
			}
			r.reach = *r.cell(colReach)
			r.pkg, r.name, r.unit, r.flags = words[0], words[1], words[2], words[3:]
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// split returns the cells of a line of a table, nil for any other line.
func split(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '|' || line[len(line)-1] != '|' {
		return nil
	}
	cells := strings.Split(line[1:len(line)-1], "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// hasColumns reports whether the header of a table is one of benchmarks.
func hasColumns(cells []string) bool {
	return strings.HasSuffix(strings.Join(cells, " "), "reach measured on benchmark")
}

// render returns the document with the rows as they now are.
func render(text string, rows []*row) string {
	lines := strings.Split(text, "\n")
	for _, r := range rows {
		lines[r.line] = "| " + strings.Join(r.cells, " | ") + " |"
	}
	return strings.Join(lines, "\n")
}

// fill writes the figure of r and the day; it returns an error if the figure is not there or
// does not reach the target.
func (r *row) fill(figures map[string]float64, today string) error {
	value, ok := figures[r.name+" "+r.unit]
	if !ok {
		return fmt.Errorf("%s %s reports no %s", r.pkg, r.name, r.unit)
	}
	reached, err := reaches(value, r.unit, r.reach)
	if err != nil {
		return fmt.Errorf("%s %s: %w", r.pkg, r.name, err)
	}
	*r.cell(colMeasured), *r.cell(colOn) = format(value, r.unit), today
	if !reached {
		*r.cell(colMeasured) += " ✗"
		return fmt.Errorf("%s %s: %s, to reach: %s", r.pkg, r.name, format(value, r.unit), r.reach)
	}
	return nil
}

// benchLine is a result of go test -bench: the name, the count, then figures with their units.
var benchLine = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.+)$`)

// figures reads what go test -bench printed, by « name unit ».
func figures(printed string) map[string]float64 {
	found := map[string]float64{}
	for _, m := range benchLine.FindAllStringSubmatch(printed, -1) {
		words := strings.Fields(m[2])
		for i := 0; i+1 < len(words); i += 2 {
			if value, err := strconv.ParseFloat(words[i], 64); err == nil {
				found[m[1]+" "+words[i+1]] = value
			}
		}
	}
	return found
}

// nanoseconds gives the units of time in which a target for ns/op may be written.
var nanoseconds = map[string]float64{"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "": 1}

var target = regexp.MustCompile(`^([≤≥]) ([0-9][0-9 ]*(?:\.[0-9]+)?) ?(\S*)`)

// reaches reports whether a figure reaches a target such as « ≥ 15 000 a second » or « ≤ 2 s ».
// A figure in ns/op is compared as time; any other one as the number that it is, in its unit.
// « – » is no target.
func reaches(value float64, unit, reach string) (bool, error) {
	if reach == "–" {
		return true, nil
	}
	m := target.FindStringSubmatch(reach)
	if m == nil {
		return false, errors.New("the target is neither « – » nor of the form « ≤ 2 s »")
	}
	bound, err := strconv.ParseFloat(strings.ReplaceAll(m[2], " ", ""), 64)
	if err != nil {
		return false, err
	}
	if unit == "ns/op" {
		scale, ok := nanoseconds[m[3]]
		if !ok {
			return false, fmt.Errorf("%q is no unit of time", m[3])
		}
		bound *= scale
	}
	if m[1] == "≤" {
		return value <= bound, nil
	}
	return value >= bound, nil
}

// format writes a figure for people: three digits that count, thousands apart, time in the
// unit that suits it.
func format(value float64, unit string) string {
	if unit != "ns/op" {
		return number(value)
	}
	for _, u := range []string{"s", "ms", "µs"} {
		if value >= nanoseconds[u] {
			return number(value/nanoseconds[u]) + " " + u
		}
	}
	return number(value) + " ns"
}

func number(value float64) string {
	if value == 0 {
		return "0"
	}
	digits := 2 - int(math.Floor(math.Log10(math.Abs(value))))
	scale := math.Pow10(digits)
	s := strconv.FormatFloat(math.Round(value*scale)/scale, 'f', max(digits, 0), 64)
	whole, decimals, found := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + " " + whole[i:]
	}
	if found {
		return strings.TrimRight(strings.TrimRight(whole+"."+decimals, "0"), ".")
	}
	return whole
}

// machineLine is the paragraph that says what the figures were measured on.
var machineLine = regexp.MustCompile(`(?s)(<!-- machine -->\n).*?(\n<!-- /machine -->)`)

// withMachine returns the document with that paragraph replaced.
func withMachine(text, machine string) string {
	return machineLine.ReplaceAllString(text, "${1}"+strings.ReplaceAll(machine, "$", "$$")+"${2}")
}
