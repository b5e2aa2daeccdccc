package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

// TestPatches_StillApply holds that each patch of the repository breaks the code as it stands,
// breaks it as no other does, and names a test that exists. Whether the test notices is for
// make mutants.
func TestPatches_StillApply(t *testing.T) {
	t.Parallel()
	all, err := read(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no patch found")
	}
	changes := map[string]string{}
	for _, m := range all {
		text, err := os.ReadFile(m.file)
		if err != nil {
			t.Fatal(err)
		}
		if other := changes[change(string(text))]; other != "" {
			t.Errorf("%s and %s break the same", other, m.name)
		}
		changes[change(string(text))] = m.name
		apply := exec.Command("git", "apply", "--check", m.file)
		apply.Dir = root
		if out, err := apply.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", m.name, errStale, out)
		}
		if !hasTest(t, filepath.Join(root, m.pkg), m.test) {
			t.Errorf("%s: %s has no %s", m.name, m.pkg, m.test)
		}
	}
}

// change returns the lines of a patch that are taken away or added.
func change(patch string) string {
	_, diff, _ := strings.Cut(patch, "diff --git ")
	var lines []string
	for line := range strings.Lines(diff) {
		if line[0] == '-' || line[0] == '+' {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// hasTest reports whether a test file of dir declares the function name.
func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
				return true
			}
		}
	}
	return false
}

func TestParse_RefusesABadHeader(t *testing.T) {
	t.Parallel()
	const good = "# test: ./apportion TestSplit\n# breaks: something\ndiff --git a b\n"
	for _, tc := range []struct{ name, text, want string }{
		{"bingo-93.13-order", good, ""},
		{"contest-6.scores-draw", good, ""},
		{"house-1-square", good, ""},
		{"arch-os", good, ""},
		{"bingo-93.99-order", good, "register does not hold"},
		{"bingo", good, "not of the form"},
		{"std-5-x", strings.Replace(good, "diff", "", 1), "no diff"},
		{"std-5-x", strings.Replace(good, "# test", "# tests", 1), "no line « # test"},
		{"std-5-x", strings.Replace(good, "# breaks", "# break", 1), "no line « # breaks"},
		{"std-5-x", "diff --git a b\n" + good, "no line « # test"},
	} {
		_, err := parse(tc.name, tc.text)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %q: %v, want %q", tc.name, tc.text, err, tc.want)
		}
	}
}

// TestRun_TellsProofFromAccident runs the whole command on a small repository with one mutant of
// each kind.
func TestRun_TellsProofFromAccident(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	patch := func(test, from, to string) string {
		return fmt.Sprintf("# test: . %s\n# breaks: the sum\ndiff --git a/a.go b/a.go\n"+
			"--- a/a.go\n+++ b/a.go\n@@ -1,3 +1,3 @@\n package small\n \n-%s\n+%s\n", test, from, to)
	}
	const rule = "func add(a, b int) int { return a + b }"
	for name, text := range map[string]string{
		"go.mod": "module small\n\ngo 1.26\n",
		"a.go":   "package small\n\n" + rule + "\n",
		"a_test.go": "package small\n\nimport \"testing\"\n\n" +
			"func TestAdd(t *testing.T) { if add(1, 2) != 3 { t.Error() } }\n" +
			"func TestBlind(t *testing.T) { add(1, 2) }\n" +
			"func TestBroken(t *testing.T) { t.Error() }\n",
		"mutants/house-1-noticed.patch":  patch("TestAdd", rule, strings.Replace(rule, "+", "-", 1)),
		"mutants/house-1-survived.patch": patch("TestBlind", rule, strings.Replace(rule, "+", "-", 1)),
		"mutants/house-1-build.patch":    patch("TestAdd", rule, "func add(a, b int) int {}"),
		"mutants/house-1-stale.patch":    patch("TestAdd", "func sub()", rule),
		"mutants/house-1-base.patch":     patch("TestBroken", rule, strings.Replace(rule, "+", "-", 1)),
		"mutants/house-1-absent.patch":   patch("TestAbsent", rule, strings.Replace(rule, "+", "-", 1)),
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	var out bytes.Buffer
	if err := run(t.Context(), dir, nil, &out); err == nil {
		t.Error("the command is content with mutants that prove nothing")
	}
	for _, want := range []string{
		"noticed house-1-noticed (",
		"FAULT   house-1-survived: " + errSurvived.Error(),
		"FAULT   house-1-build: " + errBuild.Error(),
		"FAULT   house-1-stale: " + errStale.Error(),
		"FAULT   house-1-base: " + errBaseline.Error(),
		"FAULT   house-1-absent: " + errBaseline.Error(),
		"6 rules broken, 1 noticed by their test",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
	if err := run(t.Context(), dir, []string{"noticed"}, &out); err != nil {
		t.Errorf("the one good mutant alone: %v", err)
	}
}
