package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"boulier/regs"
)

// folder holds the patches, from the root of the repository.
const folder = "mutants"

// A mutant is a patch that breaks a rule, and the test that must notice.
type mutant struct {
	name   string // of the file, without .patch: the clause, then what it breaks
	file   string // absolute
	pkg    string // as the go command takes it, such as ./apportion
	test   string // TestName, or FuzzName for its seeds
	breaks string // in words
}

// read returns the mutants of the repository at root, and every fault of their headers.
func read(root string) (all []mutant, err error) {
	files, err := filepath.Glob(filepath.Join(root, folder, "*.patch"))
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		m, err := parse(strings.TrimSuffix(filepath.Base(file), ".patch"), string(text))
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", file, err))
		}
		if m.file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, errors.Join(faults...)
}

var (
	testLine   = regexp.MustCompile(`(?m)^# test: (\.(?:/[a-z0-9/]+)?) ((?:Test|Fuzz)[A-Za-z0-9_]+)$`)
	breaksLine = regexp.MustCompile(`(?m)^# breaks: (.+)$`)
	nameShape  = regexp.MustCompile(`^([a-z]+)-([0-9a-z.]+)-[a-z0-9-]+$`)
)

// parse reads a patch. Its name starts with the clause, such as bingo-93.13-…, std-5-… or
// house-4-…, or with arch- for who may import whom; its header has the lines « # test: » and
// « # breaks: ».
func parse(name, text string) (mutant, error) {
	header, _, found := strings.Cut(text, "diff --git ")
	test, breaks := testLine.FindStringSubmatch(header), breaksLine.FindStringSubmatch(header)
	switch {
	case !found:
		return mutant{}, errors.New("no diff: append the output of git diff")
	case test == nil:
		return mutant{}, errors.New("no line « # test: ./package TestName » above the diff")
	case breaks == nil:
		return mutant{}, errors.New("no line « # breaks: what » above the diff")
	}
	if err := checkName(name); err != nil {
		return mutant{}, err
	}
	return mutant{name: name, pkg: test[1], test: test[2], breaks: breaks[1]}, nil
}

// checkName wants the name of a clause that exists at the head of the name of a patch.
func checkName(name string) error {
	if strings.HasPrefix(name, "arch-") {
		return nil
	}
	part := nameShape.FindStringSubmatch(name)
	if part == nil {
		return errors.New("the name is not of the form regulation-clause-what-it-breaks")
	}
	ref := regs.Ref(part[1] + ":" + part[2])
	if _, ok := regs.Lookup(ref); !ok && ref.Game() != "std" && ref.Game() != "house" {
		return fmt.Errorf("the name cites %s, which the register does not hold", ref)
	}
	return nil
}
