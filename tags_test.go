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

// TestTags_EachTestRunsOnce holds what `make test` relies on: the tests too heavy for the race
// detector, those of a browser, and no others, stand in files that it does not see, and no name
// is both there and elsewhere. Otherwise a test would run twice, or never.
func TestTags_EachTestRunsOnce(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	names := map[bool]map[string]string{true: {}, false: {}} // of tests: their file
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
		apart := strings.HasSuffix(file, "_heavy_test.go") || strings.HasSuffix(file, "_browser_test.go")
		if apart != notRace(f) {
			t.Errorf("%s: files *_heavy_test.go and *_browser_test.go, and only they, start with //go:build !race", file)
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" {
				names[apart][fn.Name.Name] = file
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range names[true] {
		if twin := names[false][name]; twin != "" {
			t.Errorf("%s is in %s and in %s", name, file, twin)
		}
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
