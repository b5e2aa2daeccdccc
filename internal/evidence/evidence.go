// Package evidence reads from the source of the tests which clauses they declare to hold,
// and writes what it read for package regs. The declarations are calls of regstest.Covers;
// they are read and not run, so that `boulier regs` can name the tests without having them.
package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"boulier/regs"
)

// File is where the evidence is kept, from the root of the repository.
const File = "regs/covers_gen.go"

// A Map gives for each clause the tests that declare it, sorted, each as package.TestName
// with the path of the package from the root, such as "game/instant.TestArt3_Totals".
type Map map[regs.Ref][]string

// Read collects the declarations of every test file under the root of fsys. It reports all
// faults together, each with its file and line: a call outside a test function, an argument
// that is not a string literal, a file that does not parse.
func Read(fsys fs.FS) (Map, error) {
	found := Map{}
	var faults []error
	err := fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && skipped(d.Name()):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, "_test.go"):
			return nil
		}
		src, err := fs.ReadFile(fsys, file)
		if err != nil {
			return err
		}
		faults = append(faults, found.add(file, src)...)
		return nil
	})
	for ref, tests := range found {
		slices.Sort(tests)
		found[ref] = slices.Compact(tests)
	}
	return found, errors.Join(append(faults, err)...)
}

// skipped reports whether the go command would not look into a folder of this name.
func skipped(dir string) bool {
	return dir == "testdata" || dir == "node_modules" || dir[0] == '.' || dir[0] == '_'
}

// add reads one test file.
func (m Map) add(file string, src []byte) (faults []error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return []error{err}
	}
	for _, decl := range f.Decls {
		fn, isFunc := decl.(*ast.FuncDecl)
		test := isFunc && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test")
		ast.Inspect(decl, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isCovers(call) {
				return true
			}
			if !test {
				faults = append(faults, fmt.Errorf(
					"%s: Covers outside a Test function: no test would stand for the clause",
					fset.Position(call.Pos())))
				return true
			}
			for _, arg := range call.Args[min(1, len(call.Args)):] {
				ref, err := literal(arg)
				if err != nil {
					faults = append(faults, fmt.Errorf("%s: %w", fset.Position(arg.Pos()), err))
					continue
				}
				m[ref] = append(m[ref], name(file, fn.Name.Name))
			}
			return true
		})
	}
	return faults
}

// isCovers reports whether the call is regstest.Covers(…).
func isCovers(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Covers" {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "regstest"
}

func literal(arg ast.Expr) (regs.Ref, error) {
	if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		s, err := strconv.Unquote(lit.Value)
		return regs.Ref(s), err
	}
	return "", errors.New("not a string literal: the evidence is read from the source")
}

// name returns package.TestName; the tests of the root package are boulier.TestName.
func name(file, test string) string {
	pkg := path.Dir(file)
	if pkg == "." {
		pkg = "boulier"
	}
	return pkg + "." + test
}

// Source returns the Go source that holds m, for File.
func (m Map) Source() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated from the regstest.Covers calls of the tests; DO NOT EDIT.\n\n")
	b.WriteString("package regs\n\nvar covers = map[Ref][]string{")
	for i, ref := range slices.Sorted(maps.Keys(m)) {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "\t%q: {", ref)
		for j, test := range m[ref] {
			if j > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%q", test)
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}
