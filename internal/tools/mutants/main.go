// Command mutants breaks each rule on purpose, by the patches of mutants/, and fails unless
// the test that each patch names notices. Run it from the root of the repository:
//
//	go run ./internal/tools/mutants [part of a name…]
//
// It works on copies of the tree, with whatever is not committed yet.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"
)

// workers is how many mutants are tried at once; the go command is parallel itself.
const workers = 2

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, ".", os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// run tries the mutants of the repository at root whose name holds one of parts, or all.
func run(ctx context.Context, root string, parts []string, out io.Writer) error {
	all, err := read(root)
	if err != nil {
		return err
	}
	chosen := choose(all, parts)
	if len(chosen) == 0 {
		return fmt.Errorf("no patch of %s has a name with %q", folder, parts)
	}
	base, err := os.MkdirTemp("", "boulier-mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(base)

	trees := make([]tree, min(workers, len(chosen)))
	for i := range trees {
		if trees[i], err = newTree(ctx, root, fmt.Sprintf("%s/%d", base, i)); err != nil {
			return err
		}
	}
	queue := make(chan mutant)
	var (
		group   sync.WaitGroup
		mu      sync.Mutex // guards what follows, and out
		noticed int
		faults  []error
	)
	sane := &baseline{done: map[string]error{}}
	for _, tree := range trees {
		group.Go(func() {
			for m := range queue {
				begun := time.Now()
				err := sane.check(ctx, tree, m)
				if err == nil {
					err = tree.try(ctx, m)
				}
				mu.Lock()
				if err == nil {
					noticed++
					fmt.Fprintf(out, "noticed %s (%.1f s)\n", m.name, time.Since(begun).Seconds())
				} else {
					faults = append(faults, err)
					fmt.Fprintf(out, "FAULT   %s: %v\n", m.name, err)
				}
				mu.Unlock()
			}
		})
	}
	for _, m := range chosen {
		queue <- m
	}
	close(queue)
	group.Wait()
	fmt.Fprintf(out, "%d rules broken, %d noticed by their test\n", len(chosen), noticed)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d patches are stale or go unnoticed", len(faults))
	}
	return nil
}

// choose returns the mutants whose name holds one of parts; all when there is no part.
func choose(all []mutant, parts []string) (chosen []mutant) {
	for _, m := range all {
		hit := len(parts) == 0
		for _, part := range parts {
			hit = hit || strings.Contains(m.name, part)
		}
		if hit {
			chosen = append(chosen, m)
		}
	}
	return chosen
}
