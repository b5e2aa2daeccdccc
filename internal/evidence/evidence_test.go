package evidence

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// tree is a repository of test files alone.
func tree(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, body := range files {
		fsys[name] = &fstest.MapFile{Data: []byte("package p\n\n" + body)}
	}
	return fsys
}

func TestRead(t *testing.T) {
	t.Parallel()
	got, err := Read(tree(map[string]string{
		"game/loto/a_test.go": `func TestB(t *testing.T) { regstest.Covers(t, "loto:14", "loto:15") }
func TestA(t *testing.T) {
	regstest.Covers(t, "loto:14")
	t.Run("again", func(t *testing.T) { regstest.Covers(t, "loto:14") })
}
func TestNone(t *testing.T) { other.Covers(t, "loto:1") }`,
		"root_test.go":                 `func TestC(t *testing.T) { regstest.Covers(t, "house:1") }`,
		"game/loto/a.go":               `func TestD(t *testing.T) { regstest.Covers(t, "loto:2") }`,
		"game/testdata/a_test.go":      `func TestE(t *testing.T) { regstest.Covers(t, "loto:3") }`,
		"web/node_modules/b/a_test.go": `func TestF(t *testing.T) { regstest.Covers(t, "loto:4") }`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := Map{
		"house:1": {"boulier.TestC"},
		"loto:14": {"game/loto.TestA", "game/loto.TestB"},
		"loto:15": {"game/loto.TestB"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRead_ReportsEveryFaultWithItsPlace(t *testing.T) {
	t.Parallel()
	_, err := Read(tree(map[string]string{
		"a_test.go": `func helper(t *testing.T) { regstest.Covers(t, "loto:1") }`,
		"b_test.go": `func TestB(t *testing.T) { regstest.Covers(t, ref) }`,
		"c_test.go": `func TestC(`,
	}))
	for _, want := range []string{
		"a_test.go:3:29: Covers outside a Test function",
		"b_test.go:3:47: not a string literal",
		"c_test.go:3:",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q in: %v", want, err)
		}
	}
}

func TestSource(t *testing.T) {
	t.Parallel()
	got, err := Map{"b:2": {"p.TestB", "p.TestC"}, "a:1": {"p.TestA"}}.Source()
	if err != nil {
		t.Fatal(err)
	}
	want := `// Code generated from the regstest.Covers calls of the tests; DO NOT EDIT.

package regs

var covers = map[Ref][]string{
	"a:1": {"p.TestA"},
	"b:2": {"p.TestB", "p.TestC"},
}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFile_IsFresh holds that what `boulier regs` prints is what the tests now declare.
func TestFile_IsFresh(t *testing.T) {
	t.Parallel()
	found, err := Read(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	want, err := found.Source()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../" + File)
	if err != nil {
		t.Fatal(err)
	}
	lines := func(text []byte) []string { return strings.Split(string(text), "\n") }
	if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
		t.Errorf("%s is stale; run make generate and commit (-want +got):\n%s", File, diff)
	}
}
