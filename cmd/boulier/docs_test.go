package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A docBlock is a fenced block of shell commands in a document.
type docBlock struct {
	place string // file:line of its first command
	text  string
	runs  bool // fenced as « sh run »
}

// docBlocks returns the blocks fenced as sh or « sh run » of every document, in order.
func docBlocks(t *testing.T) (blocks []docBlock) {
	t.Helper()
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".md") {
			return nil
		}
		text, err := fs.ReadFile(root, file)
		blocks = append(blocks, fences(file, string(text))...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// fences returns the blocks of one document.
func fences(file, text string) (blocks []docBlock) {
	var open *docBlock // of commands
	fence := ""        // what closes the block, of whatever kind
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		ticks := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		info := strings.Fields(trimmed[len(ticks):])
		switch {
		case fence == "" && len(ticks) >= 3 && !strings.Contains(trimmed[len(ticks):], "`"):
			fence = ticks
			if len(info) > 0 && info[0] == "sh" {
				open = &docBlock{place: fmt.Sprintf("%s:%d", file, i+2), runs: slices.Contains(info, "run")}
			}
		case fence != "" && ticks == fence && len(info) == 0:
			if open != nil {
				blocks = append(blocks, *open)
			}
			fence, open = "", nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return blocks
}

// operators end a command of a shell.
var operators = []string{"|", "||", "&&", "&", ";", "<", ">", ">>"}

// boulierArgs returns the arguments of each call of boulier in a block, by that name or by
// go run.
func boulierArgs(text string) (calls [][]string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		words := shellWords(line)
		for len(words) > 0 {
			end := slices.IndexFunc(words, func(w string) bool { return slices.Contains(operators, w) })
			if end < 0 {
				end = len(words)
			}
			command := words[:end]
			if len(command) >= 3 && slices.Equal(command[:3], []string{"go", "run", "./cmd/boulier"}) {
				command = command[2:]
				command[0] = "boulier"
			}
			if len(command) > 0 && command[0] == "boulier" {
				calls = append(calls, command[1:])
			}
			words = words[min(end+1, len(words)):]
		}
	}
	return calls
}

// shellWords splits a line as a shell would as far as documents need: quotes, comments, and
// operators set apart by spaces.
func shellWords(line string) (words []string) {
	word, quote, inWord := "", rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote == 0 && r == '#' && !inWord:
			return words
		case quote == 0 && (r == ' ' || r == '\t'):
			if inWord {
				words = append(words, word)
			}
			word, inWord = "", false
		default:
			word, inWord = word+string(r), true
		}
	}
	if inWord {
		words = append(words, word)
	}
	return words
}

// TestDocs_CommandsAreUnderstood parses every call of boulier that a document shows. It runs
// in a folder where each file that a command names exists, since only the words are judged.
func TestDocs_CommandsAreUnderstood(t *testing.T) {
	blocks := docBlocks(t)
	t.Chdir(t.TempDir())
	calls := 0
	for _, block := range blocks {
		for _, args := range boulierArgs(block.text) {
			calls++
			for _, arg := range args {
				_, value, found := strings.Cut(arg, "=")
				if !found {
					value = arg
				}
				if filepath.Ext(value) != "" && !strings.HasPrefix(value, "-") && filepath.IsLocal(value) {
					touch(t, value)
				}
			}
			parser, err := newParser(streams{nil, io.Discard, io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.Parse(args); err != nil {
				t.Errorf("%s: boulier %s: %v", block.place, strings.Join(args, " "), err)
			}
		}
	}
	if calls == 0 {
		t.Error("no document shows a command")
	}
}

// touch makes an empty file, and the folders above it.
func touch(t *testing.T, file string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestDocs_MarkedBlocksRun runs the blocks fenced as « sh run », each in an empty folder, with
// boulier on the PATH and the repository as $REPOSITORY. The first command that fails ends it.
func TestDocs_MarkedBlocksRun(t *testing.T) {
	t.Parallel()
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range docBlocks(t) {
		if !block.runs {
			continue
		}
		t.Run(block.place, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), "sh", "-eu", "-c", block.text)
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), "REPOSITORY="+repository)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestDocs_MakeTargetsExist holds that each `make target` of a document is in the Makefile.
func TestDocs_MakeTargetsExist(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range docBlocks(t) {
		for line := range strings.SplitSeq(block.text, "\n") {
			words := shellWords(line)
			if len(words) < 2 || words[0] != "make" {
				continue
			}
			if !strings.Contains(string(makefile), "\n"+words[1]+":") {
				t.Errorf("%s: the Makefile has no target %s", block.place, words[1])
			}
		}
	}
}

func TestDocs_BlocksAndCallsAreFound(t *testing.T) {
	t.Parallel()
	const text = "Prose with `code`.\n\n```sh\nboulier a 'b c' # why\n```\n```sh run\n" +
		"x | boulier d > e && go run ./cmd/boulier f \\\n  --g=h\n```\n```\nboulier no\n```\n" +
		"````md\n```sh\nboulier shown\n```\n````\n"
	blocks := fences("f.md", text)
	var calls [][]string
	for _, block := range blocks {
		calls = append(calls, boulierArgs(block.text)...)
	}
	want := [][]string{{"a", "b c"}, {"d"}, {"f", "--g=h"}}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(blocks) != 2 || blocks[0].runs || !blocks[1].runs || blocks[1].place != "f.md:7" {
		t.Errorf("the blocks are %+v", blocks)
	}
}
