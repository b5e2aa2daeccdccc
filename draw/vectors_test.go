package draw

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the results of the vectors again")

// A vector is a paragraph of « name = value » lines of a file of testdata.
type vector map[string]string

// parseVectors reads the paragraphs of a file; a line that starts with # is a comment.
func parseVectors(t *testing.T, text string) (list []vector) {
	t.Helper()
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		v := vector{}
		for line := range strings.SplitSeq(paragraph, "\n") {
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			name, value, ok := strings.Cut(line, " =")
			if !ok {
				t.Fatalf("not a line of a vector: %q", line)
			}
			v[name] = strings.TrimPrefix(value, " ")
		}
		if len(v) > 0 {
			list = append(list, v)
		}
	}
	return list
}

// results computes what the inputs of a vector give, by name.
func (v vector) results(t *testing.T) map[string]string {
	t.Helper()
	s, err := ParseSecret(v["secret"])
	if err != nil {
		t.Fatal(err)
	}
	salt, err := hex.DecodeString(v["salt"])
	if err != nil {
		t.Fatal(err)
	}
	use, id := Use(v["use"]), ID(v["id"])
	got := map[string]string{}
	switch v["kind"] {
	case "commit":
		got["commitment"] = Commit(use, id, s).String()
	case "stream":
		p := make([]byte, 64)
		_, _ = NewStream(use, id, s, salt).Read(p)
		got["keystream"] = hex.EncodeToString(p)
		got["uint64"] = fmt.Sprint(NewStream(use, id, s, salt).Uint64())
	case "bounded":
		n, err := strconv.ParseUint(v["n"], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		st, list := NewStream(use, id, s, salt), make([]string, 10)
		for i := range list {
			list[i] = fmt.Sprint(st.Uint64n(n))
		}
		got["numbers"] = strings.Join(list, " ")
	case "shuffle":
		n, err := strconv.Atoi(v["n"])
		if err != nil {
			t.Fatal(err)
		}
		list := make([]int, n)
		for i := range list {
			list[i] = i + 1
		}
		Shuffle(NewStream(use, id, s, salt), list)
		got["order"] = strings.Trim(fmt.Sprint(list), "[]")
	case "block":
		blockResults(t, v, id, s, salt, got)
	default:
		t.Fatalf("no kind %q", v["kind"])
	}
	return got
}

// blockResults computes the order, a unit, its leaf, the root and a proof of a block.
func blockResults(t *testing.T, v vector, id ID, s Secret, salt []byte, got map[string]string) {
	t.Helper()
	var counts []int
	for text := range strings.FieldsSeq(v["counts"]) {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, n)
	}
	index, err := strconv.Atoi(v["index"])
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBlock(id, counts, s, salt)
	if err != nil {
		t.Fatal(err)
	}
	first := make([]string, min(b.Size(), 20))
	for i := range first {
		first[i] = fmt.Sprint(b.Unit(i).Outcome)
	}
	tree, u := b.Tree(), b.Unit(index)
	p, err := tree.Prove(index, b.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	got["first"] = strings.Join(first, " ")
	got["outcome"] = fmt.Sprint(u.Outcome)
	got["seed"] = hex.EncodeToString(u.Seed[:])
	got["leaf"] = b.Leaf(index).String()
	got["root"] = tree.Root().String()
	got["proof"] = hex.EncodeToString(p)
	src, face := NewFaceKey(u.Seed).Source(0), make([]string, 6)
	for i := range face {
		face[i] = fmt.Sprint(src.Uint64n(6))
	}
	got["face"] = strings.Join(face, " ")
}

// TestVectors recomputes each public vector. A change of any algorithm breaks them, and
// would break every draw that was ever proved.
func TestVectors(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files of vectors: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		paragraphs := strings.Split(string(text), "\n\n")
		for i, paragraph := range paragraphs {
			for _, v := range parseVectors(t, paragraph) {
				for name, got := range v.results(t) {
					old, line := name+" = "+v[name]+"\n", name+" = "+got+"\n"
					if *update {
						paragraphs[i] = strings.Replace(paragraphs[i]+"\n", old, line, 1)
						paragraphs[i] = strings.TrimSuffix(paragraphs[i], "\n")
					} else if diff := cmp.Diff(old, line); diff != "" {
						t.Errorf("%s: %s %s: %s", file, v["use"], v["id"], diff)
					}
				}
			}
		}
		if *update {
			fresh := strings.Join(paragraphs, "\n\n")
			if err := os.WriteFile(file, []byte(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestVectors_Openssl makes the vectors again with openssl alone, by the script that
// docs/verify.md prints.
func TestVectors_Openssl(t *testing.T) {
	t.Parallel()
	redo := func(args ...string) string {
		out, err := exec.Command("testdata/redo.sh", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("redo.sh %q (is openssl 3 installed?): %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for file, name := range map[string]string{
		"testdata/commit.txt": "commitment", "testdata/stream.txt": "keystream",
		"testdata/block.txt": "leaf",
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range parseVectors(t, string(text)) {
			var got string
			switch name {
			case "commitment":
				got = redo("commit", v["use"], v["id"], v["secret"])
			case "keystream":
				got = redo("stream", v["use"], v["id"], v["secret"], v["salt"], "64")
			case "leaf":
				got = redo("leaf", v["id"], v["index"], v["outcome"], v["seed"])
			}
			if got != v[name] {
				t.Errorf("%s, id %s: openssl says %s, the vector %s", file, v["id"], got, v[name])
			}
		}
	}
}
