package boulier

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pure lists the packages of the core and the project packages each may import.
// Everything that is not listed lives in cmd or internal, and may do I/O.
var pure = map[string][]string{
	"apportion":    {},
	"draw":         {},
	"game/bingo":   {"apportion", "game/ninety", "money", "player", "regs"},
	"game/contest": {"apportion", "player", "regs"},
	"game/loto":    {"apportion", "game/ninety", "money", "player", "regs"},
	"game/instant": {"game/instant/words", "money", "player", "regs"},
	// The evaluator of the word game and the maker of its faces are strangers.
	"game/instant/wordcheck": {"money"},
	"game/instant/words":     {"money"},
	"game/ninety":            {},
	"journal":                {},
	"ledger":                 {"money"},
	"money":                  {},
	"player":                 {},
	"regs":                   {},
	"regs/regstest":          {"regs"}, // may import testing
}

// impure lists the top-level folders that may hold Go code and are not of the core.
var impure = []string{"cmd", "internal", "verify"}

// allowed lists the standard library that the core may use: nothing that does I/O itself.
var allowed = []string{
	"bufio", "bytes", "cmp", "crypto/aes", "crypto/cipher", "crypto/hkdf", "crypto/hmac",
	"crypto/sha256", "crypto/subtle", "encoding/base64", "encoding/binary", "encoding/hex",
	"errors", "fmt", "hash", "iter", "maps", "math", "math/big", "math/bits", "slices", "sort",
	"strconv", "strings", "sync", "time", "unicode", "unicode/utf8",
}

// extra lists the few other packages that one package of the core may import.
var extra = map[string][]string{
	"draw":          {"golang.org/x/mod/sumdb/tlog"},
	"journal":       {"golang.org/x/mod/sumdb/tlog", "golang.org/x/mod/sumdb/note"},
	"regs/regstest": {"testing", "regexp"},
}

// goFiles calls fn for each Go file of the core, without tests.
func goFiles(t *testing.T, fn func(pkg, file string, f *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	err := fs.WalkDir(os.DirFS("."), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		top, _, _ := strings.Cut(p, "/")
		if d.IsDir() {
			if p != "." && (slices.Contains(impure, top) || strings.HasPrefix(top, ".") || d.Name() == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		fn(path.Dir(p), p, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestArch_TheCoreImportsOnlyItsTable(t *testing.T) {
	t.Parallel()
	goFiles(t, func(pkg, file string, f *ast.File) {
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			own, isOwn := strings.CutPrefix(name, "boulier/")
			switch {
			case isOwn && slices.Contains(pure[pkg], own):
			case !isOwn && slices.Contains(allowed, name):
			case slices.Contains(extra[pkg], name):
			default:
				t.Errorf("%s: package %s may not import %s", file, pkg, name)
			}
		}
	})
}

func TestArch_TheCoreReadsNoClock(t *testing.T) {
	t.Parallel()
	banned := []string{"Now", "Since", "Until", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Sleep"}
	goFiles(t, func(_, file string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(banned, sel.Sel.Name) {
				t.Errorf("%s: time.%s reads a clock", file, sel.Sel.Name)
			}
			return true
		})
	})
}

func TestArch_EveryPackageHasItsPlace(t *testing.T) {
	t.Parallel()
	goFiles(t, func(pkg, file string, _ *ast.File) {
		if _, ok := pure[pkg]; !ok && pkg != "." {
			t.Errorf("%s: package %s is in neither list", file, pkg)
		}
	})
}

// sections lists the packages of pages of one game each; pages is what they stand on.
var sections = []string{"bingopages", "contestpages", "instantpages", "lotopages"}

func TestArch_SectionsOfTheSiteAreApart(t *testing.T) {
	t.Parallel()
	const web = "boulier/internal/web/"
	refused := []string{web + "site"}
	for _, section := range sections {
		refused = append(refused, web+section)
	}
	for _, section := range append([]string{"pages"}, sections...) {
		files, err := filepath.Glob("internal/web/" + section + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("section %s has no file: %v", section, err)
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range f.Imports {
				if name, _ := strconv.Unquote(spec.Path.Value); slices.Contains(refused, name) {
					t.Errorf("%s may not import %s", file, name)
				}
			}
		}
	}
}
