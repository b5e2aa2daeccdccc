package boulier

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestTags_EachTestRunsOnce holds the naming that `make test` relies on: a test too heavy for the race
// detector stands in a file *_heavy_test.go tagged !race and has Heavy in its name, and no other
// test has. Otherwise it would run twice, or never.
func TestTags_EachTestRunsOnce(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		heavy := strings.HasSuffix(file, "_heavy_test.go")
		if heavy != notRace(f) {
			t.Errorf("%s: files *_heavy_test.go, and only they, start with //go:build !race", file)
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") &&
				strings.Contains(fn.Name.Name, "Heavy") != heavy {
				t.Errorf("%s: tests of files *_heavy_test.go, and only they, have Heavy in their "+
					"name: %s", file, fn.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// notRace reports whether f is built only without the race detector.
func notRace(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			expr, err := constraint.Parse(c.Text)
			if err != nil || c.Pos() > f.Package {
				continue
			}
			on := func(race bool) bool {
				return expr.Eval(func(tag string) bool { return tag != "race" || race })
			}
			return on(false) && !on(true)
		}
	}
	return false
}
