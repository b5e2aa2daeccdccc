package instant

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boulier/money"
	"boulier/regs/regstest"
)

// every calls fn with each word of six lines over a table, in the order of a dictionary.
func every(t Table, fn func(Face)) {
	var face Face
	var fill func(i int)
	fill = func(i int) {
		if i == zones {
			fn(face)
			return
		}
		for _, p := range t {
			face[i] = p.Amount
			fill(i + 1)
		}
	}
	fill(0)
}

// TestArt3_FacesAreUniform compares, for small tables, the maker with every word that
// the rule of the game accepts: each legal face of an outcome has exactly one rank, so
// that a uniform rank gives a uniform face (reading I4). The rule is the evaluator's.
func TestArt3_FacesAreUniform(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	for lines := 3; lines <= 7; lines++ {
		table := amounts(lines)
		slices.Reverse(table) // the order is the table's, not that of the amounts
		legal := make([][]Face, lines+1)
		every(table, func(f Face) {
			if o, err := Evaluate(table, f); err == nil {
				legal[o] = append(legal[o], f)
			}
		})
		m, err := NewFaceMaker(table)
		if err != nil {
			t.Fatal(err)
		}
		for o, want := range legal {
			if got := m.Faces(Outcome(o)); got != uint64(len(want)) {
				t.Fatalf("%d lines: outcome %d has %d faces, want %d", lines, o, got, len(want))
			}
			for rank, face := range want {
				got, err := m.Make(Outcome(o), fixed(rank))
				if err != nil || got != face {
					t.Fatalf("%d lines: face %d of outcome %d is %v (%v), want %v",
						lines, rank, o, got, err, face)
				}
			}
		}
	}
}

// TestArt3_FaceCounts holds the numbers of faces that can be counted by hand: 20 places
// for the amount won, times the words of three others that are not three times the same.
func TestArt3_FaceCounts(t *testing.T) {
	t.Parallel()
	for lines := 3; lines <= MaxLines; lines++ {
		m, err := NewFaceMaker(amounts(lines))
		if err != nil {
			t.Fatal(err)
		}
		n := uint64(lines)
		if got, want := m.Faces(1), 20*((n-1)*(n-1)*(n-1)-(n-1)); got != want {
			t.Errorf("%d lines: %d winning faces, want %d", lines, got, want)
		}
		// By the number of pairs, 0 to 3: choose the pairs, the single ones, the places.
		want := choose(n, 6)*720 + choose(n, 1)*choose(n-1, 4)*360 +
			choose(n, 2)*choose(n-2, 2)*180 + choose(n, 3)*90
		if got := m.Faces(0); got != want {
			t.Errorf("%d lines: %d losing faces, want %d", lines, got, want)
		}
	}
}

// choose returns the binomial coefficient.
func choose(n, k uint64) uint64 {
	r := uint64(1)
	for i := range k {
		if n < i+1 {
			return 0
		}
		r = r * (n - i) / (i + 1)
	}
	return r
}

func TestArt3_MadeFacesAreWhatWasSold(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	src := seeded(7)
	for _, lines := range []int{3, 8, 13, MaxLines} {
		table := amounts(lines)
		m, err := NewFaceMaker(table)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20_000 {
			o := Outcome(i % (lines + 1))
			face, err := m.Make(o, src)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Evaluate(table, face); err != nil || got != o {
				t.Fatalf("a face made for %d is %d, %v: %v", o, got, err, face)
			}
		}
		if _, err := m.Make(Outcome(lines+1), src); err == nil {
			t.Error("a face was made for a line that is not in the table")
		}
	}
}

func TestNewFaceMaker_RefusesTablesWithoutLosingFaces(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{0, 1, 2, MaxLines + 1} {
		if _, err := NewFaceMaker(amounts(lines)); err == nil {
			t.Errorf("a table of %d lines was accepted", lines)
		}
	}
}

func TestArt3_Evaluate(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	table := Table{{1, 500}, {1, 300}, {1, 200}, {1, 100}}
	for _, tc := range []struct {
		name string
		face Face
		want Outcome
		fail string
	}{
		{"three times, the rest apart", Face{300, 100, 300, 200, 300, 500}, 2, ""},
		{"three times beside a pair", Face{100, 100, 100, 200, 200, 500}, 4, ""},
		{"three pairs lose", Face{500, 300, 200, 500, 300, 200}, 0, ""},
		{"two pairs lose", Face{500, 500, 300, 300, 200, 100}, 0, ""},
		{"four times", Face{500, 500, 500, 500, 200, 100}, 0, "4 times"},
		{"two amounts three times", Face{500, 500, 500, 200, 200, 200}, 0, "both"},
		{"an amount of another table", Face{500, 300, 200, 100, 150, 500}, 0, "not in the table"},
		{"the amount won thrice, another unknown", Face{500, 500, 500, 100, 150, 300}, 0, "not in the table"},
		{"an empty face", Face{}, 0, "not in the table"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := Evaluate(table, tc.face)
			if got != tc.want || (err == nil) != (tc.fail == "") {
				t.Fatalf("Evaluate(%v) = %d, %v", tc.face, got, err)
			}
			if err != nil && !strings.Contains(err.Error(), tc.fail) {
				t.Errorf("error %q does not say %q", err, tc.fail)
			}
		})
	}
}

// TestEvaluate_SharesNoFunctionWithTheMaker follows the calls of both through the
// package: what one reaches the other does not, so that one mistake cannot hide another.
func TestEvaluate_SharesNoFunctionWithTheMaker(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	calls := callGraph(t)
	maker := reach(calls, "NewFaceMaker", "Make")
	judge := reach(calls, "Evaluate")
	if !maker["unrank"] || !maker["fill"] || !judge["Evaluate"] {
		t.Fatalf("the graph misses what it should hold: %v, %v", maker, judge)
	}
	for name := range judge {
		if maker[name] {
			t.Errorf("both the maker and the evaluator use %s", name)
		}
	}
}

// callGraph maps each function or method of the package to the names it mentions that
// are functions or methods of the package.
func callGraph(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var decls []*ast.FuncDecl
	names := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				decls, names[fn.Name.Name] = append(decls, fn), true
			}
		}
	}
	calls := map[string][]string{}
	for _, fn := range decls {
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && names[id.Name] {
				calls[fn.Name.Name] = append(calls[fn.Name.Name], id.Name)
			}
			return true
		})
	}
	return calls
}

// reach returns the names that the calls lead to from the given ones, themselves included.
func reach(calls map[string][]string, from ...string) map[string]bool {
	seen := map[string]bool{}
	for len(from) > 0 {
		name := from[len(from)-1]
		from = from[:len(from)-1]
		if !seen[name] {
			seen[name] = true
			from = append(from, calls[name]...)
		}
	}
	return seen
}

func BenchmarkFaceMaker_Make(b *testing.B) {
	m, err := NewFaceMaker(amounts(13))
	if err != nil {
		b.Fatal(err)
	}
	src := seeded(1)
	for i := 0; b.Loop(); i++ {
		if _, err := m.Make(Outcome(i%14), src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	table := amounts(13)
	face := Face{100, 500, 100, 1300, 100, 700}
	var sink money.Cents
	for b.Loop() {
		o, _ := Evaluate(table, face)
		sink += money.Cents(o)
	}
	_ = sink
}
