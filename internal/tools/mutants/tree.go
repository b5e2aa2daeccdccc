package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// The ways in which a mutant is no proof.
var (
	errStale    = errors.New("the patch no longer applies: make it again")
	errBuild    = errors.New("the broken rule does not compile: nothing was tested")
	errSurvived = errors.New("the test still passes: it does not hold the rule")
	errBaseline = errors.New("the test does not pass without the patch")
)

// A tree is a copy of the repository that mutants may break, one after the other.
type tree struct{ dir string }

// newTree copies the files of the repository at root, all but what git ignores, into a folder
// of base, beside which the regulations' data stand as they stand beside root.
func newTree(ctx context.Context, root, base string) (tree, error) {
	t := tree{filepath.Join(base, "boulier")}
	list := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others",
		"--exclude-standard", "--deduplicate")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		return t, fmt.Errorf("listing the files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, and the removal is not committed yet
		}
		if err != nil {
			return t, err
		}
		to := filepath.Join(t.dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return t, err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return t, err
		}
	}
	shared, err := filepath.Abs(filepath.Join(root, "..", "shared"))
	if err != nil {
		return t, err
	}
	return t, os.Symlink(shared, filepath.Join(base, "shared"))
}

// try breaks the rule, runs the test, and mends the rule. It returns nil when the test noticed.
func (t tree) try(ctx context.Context, m mutant) error {
	if out, err := t.command(ctx, "git", "apply", m.file); err != nil {
		return fmt.Errorf("%w\n%s", errStale, out)
	}
	out, testErr := t.test(ctx, m)
	if _, err := t.command(ctx, "git", "apply", "--reverse", m.file); err != nil {
		return fmt.Errorf("mending: %w", err)
	}
	switch {
	case testErr == nil:
		return errSurvived
	case bytes.Contains(out, []byte(" [build failed]\n")), bytes.Contains(out, []byte(" [setup failed]\n")):
		return fmt.Errorf("%w\n%s", errBuild, out)
	}
	return ctx.Err() // the test noticed, unless it was stopped
}

// test runs the test of m on the tree as it is.
func (t tree) test(ctx context.Context, m mutant) ([]byte, error) {
	return t.command(ctx, "go", "test", "-count=1", "-vet=off", "-timeout=3m", "-v",
		"-run", "^"+m.test+"$", m.pkg)
}

func (t tree) command(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = t.dir
	return cmd.CombinedOutput()
}

// A baseline remembers which tests pass before anything is broken: a test that fails anyway,
// or that does not exist, is no evidence.
type baseline struct {
	mu   sync.Mutex
	done map[string]error
}

// check runs the test of m on the unbroken tree, once for all mutants that name it.
func (b *baseline) check(ctx context.Context, t tree, m mutant) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := m.pkg + " " + m.test
	err, ok := b.done[key]
	if !ok {
		out, testErr := t.test(ctx, m)
		if testErr != nil || !bytes.Contains(out, []byte("--- PASS: "+m.test+" ")) {
			err = fmt.Errorf("%w: %s\n%s", errBaseline, key, out)
		}
		b.done[key] = err
	}
	return err
}
