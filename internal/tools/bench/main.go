// Command bench runs the benchmarks that docs/performance.md names and writes what they
// measured into its tables. Run it from the root of the repository:
//
//	go run ./internal/tools/bench [-run regexp]
//
// A table whose header ends with the columns reach, measured, on and benchmark is read; a row
// says in its last cell, between backquotes, the package, the benchmark, the unit of the figure
// wanted, and perhaps flags of go test:
//
//	| a leg rescored | ≤ 1 s | | | `game/contest Rescore ns/op -benchtime=1x` |
//
// It fails if a benchmark fails or lacks its figure, and if a figure does not reach its target;
// what was measured is written in any case.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// document holds the tables, from the root of the repository.
const document = "docs/performance.md"

func main() {
	only := flag.String("run", ".", "measure only the rows whose benchmark matches this `regexp`")
	flag.Parse()
	if err := run(*only, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures the rows whose benchmark matches only, and writes the document.
func run(only string, out io.Writer) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	rows, err := parse(string(text))
	if err != nil {
		return err
	}
	var faults []error
	today := time.Now().Format(time.DateOnly)
	for _, group := range groups(rows, wanted) {
		figures, err := measure(group, out)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		for _, r := range group {
			faults = append(faults, r.fill(figures, today))
		}
	}
	err = os.WriteFile(document, []byte(withMachine(render(string(text), rows), machine())), 0o644)
	return errors.Join(append(faults, err)...)
}

// groups returns the rows that match, those together that one call of go test measures.
func groups(rows []*row, wanted *regexp.Regexp) (all [][]*row) {
	place := map[string]int{}
	for _, r := range rows {
		if !wanted.MatchString(r.pkg + " " + r.name) {
			continue
		}
		key := strings.Join(append([]string{r.pkg}, r.flags...), " ")
		i, ok := place[key]
		if !ok {
			i = len(all)
			place[key], all = i, append(all, nil)
		}
		all[i] = append(all[i], r)
	}
	return all
}

// measure runs the benchmarks of rows of one package and returns each figure by the name of
// its benchmark and its unit. What go test prints is passed on.
func measure(rows []*row, out io.Writer) (map[string]float64, error) {
	var names []string
	for _, r := range rows {
		top, _, _ := strings.Cut(r.name, "/")
		names = append(names, top)
	}
	args := append([]string{"test", "-run", "^$", "-timeout", "1h",
		"-bench", "^Benchmark(" + strings.Join(names, "|") + ")$"}, rows[0].flags...)
	cmd := exec.Command("go", append(args, "./"+rows[0].pkg)...)
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(out, &printed), os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return figures(printed.String()), nil
}

// machine says what the figures were measured on.
func machine() string {
	field := func(file, name string) string {
		f, err := os.Open(file)
		if err != nil {
			return "unknown" // not Linux
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if key, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(key) == name {
				return strings.TrimSpace(value)
			}
		}
		return "unknown"
	}
	var kilobytes int64
	memory := field("/proc/meminfo", "MemTotal")
	if _, err := fmt.Sscan(memory, &kilobytes); err == nil {
		memory = fmt.Sprintf("%d GiB", (kilobytes+1<<19)>>20)
	}
	return fmt.Sprintf("Last measured with `make bench` on %s, %d cores, %s of memory, %s/%s, %s.",
		field("/proc/cpuinfo", "model name"), runtime.NumCPU(), memory, runtime.GOOS,
		runtime.GOARCH, runtime.Version())
}
