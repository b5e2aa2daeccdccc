//go:build !race

package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/gamefile"
	"boulier/internal/games"
	"boulier/internal/proof"
	"boulier/regs/regstest"
)

// A flipped export is a file and, for each byte changed, its offset, what it is XORed with
// (0: nothing), and whether package proof still says that it holds.
type flipped struct {
	Path  string   `json:"path"`
	Key   string   `json:"key"`
	Flips [][3]any `json:"flips"`
}

// flip says what package proof finds of the file, and of every step-th byte flipped.
func flip(t *testing.T, path, key string, step int) flipped {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := flipped{Path: path, Key: key}
	try := func(at int, xor byte) bool {
		file[at] ^= xor
		_, err := proof.Verify(path, bytes.NewReader(file), proof.Options{Key: key})
		f.Flips = append(f.Flips, [3]any{at, xor, err == nil})
		file[at] ^= xor
		return err == nil
	}
	if !try(0, 0) {
		t.Fatalf("%s does not hold", path)
	}
	for at := 0; at < len(file); at += step {
		try(at, 1<<(at/step%8)) // every bit has its turn
	}
	return f
}

// known flips bytes of the exports of proof's testdata, evenly sampled: every one of them is
// tried on package proof alone (internal/proof).
func known(t *testing.T) (all []flipped) {
	t.Helper()
	testdata, err := filepath.Abs(filepath.Join("..", "internal", "proof", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := os.ReadFile(filepath.Join(testdata, "key.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, step := range map[string]int{"unit.json": 2, "words-unit.json": 3, "block.jsonl": 3,
		"words-block.jsonl": 4, "journal.jsonl": 3,
		"round.jsonl": 1009, "round-alone.jsonl": 1511, "round-void.jsonl": 1499, "round-unsold.jsonl": 31,
		"loto.jsonl": 1021, "loto-round.jsonl": 1511} {
		all = append(all, flip(t, filepath.Join(testdata, name), strings.TrimSpace(string(key)), step))
	}
	return all
}

// fresh makes exports with the program, and flips some two hundred bytes of each.
func fresh(t *testing.T) (all []flipped) {
	t.Helper()
	ctx := context.Background()
	h := apptest.New(t)
	manager, inspector := h.Staff("manon", app.Manager), h.Staff("ines", app.Inspector)
	issue := h.OnSale(manager, apptest.SmallGame)
	letters := h.OnSale(manager, wordGame(t))
	anne := h.Player("anne", 2400)
	keep := func(name string, write func(io.Writer) error) {
		t.Helper()
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		all = append(all, flip(t, path, h.Vault.VerifierKey(), 1+out.Len()/200))
	}
	for n := range 6 {
		buy := app.Purchase{Request: app.NewRequestID(), Player: anne, Issue: issue}
		if n >= 4 {
			buy.Issue, buy.Board = letters, n
		}
		sold, err := h.Instant.BuyUnit(ctx, buy)
		if err != nil {
			t.Fatal(err)
		}
		keep(fmt.Sprintf("unit-%d.json", n), func(w io.Writer) error {
			file, err := h.Instant.ExportUnit(ctx, anne, sold.Unit)
			if err == nil {
				_, err = w.Write(file)
			}
			return err
		})
	}
	order := app.IssueOrder{Request: app.NewRequestID(), By: manager, Issue: issue}
	if err := h.Instant.CloseIssue(ctx, order); err != nil {
		t.Fatal(err)
	}
	keep("block.jsonl", func(w io.Writer) error {
		return h.Instant.ExportBlock(ctx, 1, func() io.Writer { return w })
	})
	keep("journal.jsonl", func(w io.Writer) error {
		return app.Inspection{Ground: h.Ground}.ExportJournal(ctx, inspector, func() io.Writer { return w })
	})
	return all
}

// wordGame is the word game of the program with a block of twelve units, of which all but
// two win: each amount once.
func wordGame(t *testing.T) string {
	t.Helper()
	file, _, err := games.Read("mots-croises")
	if err != nil {
		t.Fatal(err)
	}
	g := file.Game
	g.Block, g.Declared, g.Table = 12, instant.Declared{}, slices.Clone(g.Table)
	for i := range g.Table {
		g.Table[i].Count = 1
	}
	return string(gamefile.Write(gamefile.File{Game: g}))
}

// TestStranger_AgreesWithProof runs the tests of the JavaScript under Node: public vectors
// of each primitive, the vectors of package draw, exports that hold, those that the program makes
// now, and flipped bytes of them, on which both implementations must agree. scripts/setup.sh installs Node.
func TestStranger_AgreesWithProof(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:52")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("node is needed for the tests of the verifier (make setup installs it): %v", err)
	}
	said := filepath.Join(t.TempDir(), "flips.json")
	text, err := json.Marshal(append(known(t), fresh(t)...))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(said, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "--test", "--test-reporter=spec")
	cmd.Env = append(os.Environ(), "BOULIER_FLIPS="+said)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "no flipped byte holds") {
		t.Errorf("node --test: %v\n%s", err, out)
	}
}
