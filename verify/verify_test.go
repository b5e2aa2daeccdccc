package verify

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"boulier/internal/proof"
	"boulier/regs/regstest"
)

// A flipped export is a file of proof's testdata and, for each byte changed, its offset,
// what it is XORed with, and whether package proof still says that it holds.
type flipped struct {
	File  string   `json:"file"`
	Flips [][3]any `json:"flips"`
}

// flips says what package proof finds of every flipped byte of the exports.
func flips(t *testing.T) []byte {
	t.Helper()
	testdata := filepath.Join("..", "internal", "proof", "testdata")
	key, err := os.ReadFile(filepath.Join(testdata, "key.txt"))
	if err != nil {
		t.Fatal(err)
	}
	o := proof.Options{Key: strings.TrimSpace(string(key))}
	var all []flipped
	for _, part := range []struct {
		name string
		step int // every byte of a unit; evenly sampled where a signature takes most of the time
	}{{"unit.json", 1}, {"block.jsonl", 2}, {"journal.jsonl", 3}} {
		name := part.name
		file, err := os.ReadFile(filepath.Join(testdata, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := proof.Verify(name, bytes.NewReader(file), o); err != nil {
			t.Fatal(err)
		}
		f := flipped{File: name}
		for at := 0; at < len(file); at += part.step {
			xor := byte(1) << (at / part.step % 8) // every bit has its turn
			file[at] ^= xor
			_, err := proof.Verify(name, bytes.NewReader(file), o)
			f.Flips = append(f.Flips, [3]any{at, xor, err == nil})
			file[at] ^= xor
		}
		all = append(all, f)
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestStranger_AgreesWithProof runs the tests of the JavaScript under Node: public vectors
// of each primitive, the vectors of package draw, exports that hold, and every flipped byte
// of them, on which both implementations must agree. scripts/setup.sh installs Node.
func TestStranger_AgreesWithProof(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:52")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("node is needed for the tests of the verifier (make setup installs it): %v", err)
	}
	said := filepath.Join(t.TempDir(), "flips.json")
	if err := os.WriteFile(said, flips(t), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "--test", "--test-reporter=spec")
	cmd.Env = append(os.Environ(), "BOULIER_FLIPS="+said)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "no flipped byte holds") {
		t.Errorf("node --test: %v\n%s", err, out)
	}
}

// TestModules_DependOnNothing holds that the modules of the browser import only each other.
func TestModules_DependOnNothing(t *testing.T) {
	t.Parallel()
	entries, err := Modules.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := Modules.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			_, from, imports := strings.Cut(line, ` from "`)
			if !imports || strings.HasPrefix(strings.TrimSpace(line), "*") {
				continue
			}
			name, _, _ := strings.Cut(from, `"`)
			if _, err := Modules.Open(strings.TrimPrefix(name, "./")); err != nil {
				t.Errorf("%s imports %s, which the browser does not get", e.Name(), name)
			}
		}
		if strings.Contains(string(text), "crypto.subtle") || strings.Contains(string(text), "fetch(") {
			t.Errorf("%s leans on its surroundings", e.Name())
		}
	}
}
