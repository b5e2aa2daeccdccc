package sealedblock

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/regs/regstest"
)

var update = flag.Bool("update", false, "write testdata again; read the diff")

// TestVectors_Block holds the public vectors of a block: an old block must audit the same
// for ever. They are enough to redo it with any program: the game file is in the file.
func TestVectors_Block(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "std:28")
	f, b, s := setup(t)
	maker, err := instant.NewFaceMaker(f.Game.Table)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# The game file, which ends with a line feed:\n%s", smallGame)
	fmt.Fprintf(&text, "# Its table text:\n%s# The secret and the header:\n%s\n%s", f.Game.TableText(),
		s.Reveal(), b.Header.Encode())
	text.WriteString("# Units: index, outcome, seed, leaf, rank of the face, face in cents.\n")
	for _, i := range []int{0, 1, 2, 3, 4, 5, 6, 7, 255, 256, 298, 299} {
		u := b.Unit(i)
		face, err := maker.Make(instant.Outcome(u.Outcome), draw.NewFaceKey(u.Seed).Source(0))
		if err != nil {
			t.Fatal(err)
		}
		rank := draw.NewFaceKey(u.Seed).Source(0).Uint64n(maker.Faces(instant.Outcome(u.Outcome)))
		fmt.Fprintf(&text, "%d %d %x %s %d %d\n", i, u.Outcome, u.Seed, draw.UnitLeaf("lab/1", u), rank,
			face)
	}
	path := filepath.Join("testdata", "block.txt")
	if *update {
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
