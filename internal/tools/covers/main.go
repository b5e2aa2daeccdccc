// Command covers writes regs/covers_gen.go from the regstest.Covers calls of all tests. Run
// it from the root of the repository: go run ./internal/tools/covers
package main

import (
	"fmt"
	"os"

	"boulier/internal/evidence"
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "covers:", err)
		os.Exit(1)
	}
}

func write() error {
	found, err := evidence.Read(os.DirFS("."))
	if err != nil {
		return err
	}
	src, err := found.Source()
	if err != nil {
		return err
	}
	return os.WriteFile(evidence.File, src, 0o644)
}
