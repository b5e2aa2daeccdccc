package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"boulier": func() { os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})) },
	})
}

// TestScripts runs what an operator types: each testdata/*.txtar is a session.
func TestScripts(t *testing.T) {
	t.Parallel()
	vectors, err := filepath.Abs("../../internal/proof/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("VECTORS", vectors)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"forge": forge}})
}

// forge writes in a file, of which it makes another, something else than what stands there:
// forge FILE OTHER OLD NEW.
func forge(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[2]) {
		ts.Fatalf("%s does not hold %q", args[0], args[2])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Replace(text, args[2], args[3], 1)), 0o600))
}
