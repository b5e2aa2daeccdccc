package sealedblock

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/face"
	"boulier/internal/gamefile"
	"boulier/internal/games"
	"boulier/regs/regstest"
)

const smallGame = `title = "Petit jeu" # a comment is part of the digest
block = 300
price = 2
prizes = [{count = 1, amount = 50}, {count = 4, amount = 10}, {count = 60, amount = 2}]
`

// setup returns a small game and a block of it.
func setup(t *testing.T) (gamefile.File, *Block, draw.Secret) {
	t.Helper()
	f, faults := gamefile.Parse("game.toml", []byte(smallGame))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	s := draw.Secret{1, 2, 3}
	b, err := Make(f, "lab/1", "v0", s)
	if err != nil {
		t.Fatal(err)
	}
	return f, b, s
}

func ignore(int64) {}

func TestArt3_BlockHoldsItsTable(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "instant:3", "house:3", "std:30")
	f, b, s := setup(t)
	maker, err := face.New(f.Game)
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int64, 4)
	for i := range 300 {
		u := b.Unit(i)
		counts[u.Outcome]++
		proof, err := b.Proof(i)
		if err != nil {
			t.Fatal(err)
		}
		if err := draw.VerifyUnit("lab/1", b.Header.Root, 300, u, proof); err != nil {
			t.Errorf("unit %d: %v", i, err)
		}
		u.Outcome ^= 1
		if draw.VerifyUnit("lab/1", b.Header.Root, 300, u, proof) == nil {
			t.Errorf("unit %d with another outcome was proved", i)
		}
		u.Outcome ^= 1
		face, err := maker.Make(u, 0)
		if err != nil {
			t.Fatal(err)
		}
		again, err := maker.Make(u, 0)
		if err != nil || face.Alike != again.Alike {
			t.Errorf("unit %d showed %v, then %v (%v)", i, face, again, err)
		}
		if o, err := instant.Evaluate(f.Game.Table, face.Alike); err != nil || uint16(o) != u.Outcome {
			t.Errorf("unit %d shows %d (%v) and has %d", i, o, err, u.Outcome)
		}
	}
	if diff := cmp.Diff([]int64{235, 1, 4, 60}, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	report, err := Audit(f, b.Header, s, ignore)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(counts, report.Counts); diff != "" {
		t.Errorf("the audit counts (-want +got):\n%s", diff)
	}
}

// TestMake_TheHeaderDecidesTheOrder holds that nothing of the header can be another one
// for the same root.
func TestMake_TheHeaderDecidesTheOrder(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "std:28")
	f, b, s := setup(t)
	seen := map[draw.Hash]string{b.Header.Root: "the block"}
	note := func(name string, f gamefile.File, id draw.ID, program string, s draw.Secret) {
		other, err := Make(f, id, program, s)
		if err != nil {
			t.Fatal(err)
		}
		if same, twice := seen[other.Header.Root]; twice {
			t.Errorf("%s and %s have one root", name, same)
		}
		seen[other.Header.Root] = name
	}
	note("another secret", f, "lab/1", "v0", draw.Secret{9})
	note("another block", f, "lab/2", "v0", s)
	note("another program", f, "lab/1", "v1", s)
	commented, faults := gamefile.Parse("game.toml", []byte(smallGame+"# more\n"))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	note("another game file", commented, "lab/1", "v0", s)
	for _, text := range []string{"", "a\nb", "a\r"} {
		if _, err := Make(f, draw.ID(text), "v0", s); !errors.Is(err, ErrHeader) {
			t.Errorf("block %q: %v", text, err)
		}
		if _, err := Make(f, "lab/1", text, s); !errors.Is(err, ErrHeader) {
			t.Errorf("program %q: %v", text, err)
		}
	}
	f.Game.Table = f.Game.Table[:2]
	if _, err := Make(f, "lab/1", "v0", s); !errors.Is(err, ErrFaulty) {
		t.Errorf("a faulty game: %v", err)
	}
}

func TestOpen_GivesTheBlockThatWasMade(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	f, b, s := setup(t)
	again, err := Open(f, b.Header, s, b.Level())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		if again.Unit(i) != b.Unit(i) {
			t.Fatalf("unit %d is not the same", i)
		}
	}
	if _, err := again.Proof(299); err != nil {
		t.Error(err)
	}
	other, table, root := f, f, b.Header
	other.Digest[0]++
	table.Game.Price++
	root.Root[0]++
	for name, tc := range map[string]struct {
		f     gamefile.File
		h     Header
		s     draw.Secret
		level []byte
		want  error
	}{
		"another secret":       {f, b.Header, draw.Secret{}, b.Level(), ErrSecret},
		"another game file":    {other, b.Header, s, b.Level(), ErrGame},
		"another price":        {table, b.Header, s, b.Level(), ErrGame},
		"another root":         {f, root, s, b.Level(), ErrRoot},
		"a tree of other size": {f, b.Header, s, b.Level()[1:], draw.ErrLevel},
	} {
		if _, err := Open(tc.f, tc.h, tc.s, tc.level); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
	}
}

// TestAuditDir_FindsEachChangedByte changes each byte of each file, in two ways.
func TestAuditDir_FindsEachChangedByte(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "house:6")
	_, b, s := setup(t)
	dir := filepath.Join(t.TempDir(), "block")
	if err := WriteDir(dir, []byte(smallGame), b, s); err != nil {
		t.Fatal(err)
	}
	if _, err := AuditDir(dir, ignore); err != nil {
		t.Fatal(err)
	}
	for _, name := range fileNames {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range data {
			for _, flip := range []byte{1, 0x20} { // 0x20 makes capitals of letters
				if flip == 0x20 && name == OutcomesFile {
					continue
				}
				data[i] ^= flip
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				if _, err := AuditDir(dir, ignore); !errors.Is(err, ErrAudit) {
					t.Errorf("byte %d of %s changed by %#x: %v", i, name, flip, err)
				}
				data[i] ^= flip
			}
		}
		for what, spoilt := range map[string][]byte{"shorter": data[:len(data)-1], "longer": append(data, '\n')} {
			if err := os.WriteFile(path, spoilt, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := AuditDir(dir, ignore); !errors.Is(err, ErrAudit) {
				t.Errorf("%s one byte %s: %v", name, what, err)
			}
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := AuditDir(dir, ignore); err != nil {
		t.Fatal("the files were not put back: ", err)
	}
	extra := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(extra, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := AuditDir(dir, ignore); !errors.Is(err, ErrAudit) {
		t.Errorf("a file too many: %v", err)
	}
	if err := errors.Join(os.Remove(extra), os.Remove(filepath.Join(dir, OutcomesFile)),
		os.Mkdir(filepath.Join(dir, OutcomesFile), 0o700)); err != nil {
		t.Fatal(err)
	}
	if _, err := AuditDir(dir, ignore); !errors.Is(err, ErrAudit) {
		t.Errorf("what is no plain file: %v", err)
	}
	if err := WriteDir(dir, []byte(smallGame), b, s); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a block was written over another: %v", err)
	}
	if _, err := AuditDir(filepath.Join(dir, "none"), ignore); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// TestWriteFiles_AllOrNone: what was written before a failure goes, so that the folder is empty
// for the next attempt.
func TestWriteFiles_AllOrNone(t *testing.T) {
	t.Parallel()
	for range 8 { // in another order each time
		dir := t.TempDir()
		if err := writeFiles(dir, map[string][]byte{"one": nil, "two": nil, "no/folder": nil}); err == nil {
			t.Fatal("a file in no folder was written")
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v are left, %v", left, err)
		}
	}
}

// wordGame is a word game of 300 units.
const wordGame = `title = "Petits mots"
kind = "words"
block = 300
price = 2
symbols = [6, 3, 1]
prizes = [{count = 1, amount = 15000}, {count = 1, amount = 1500}, {count = 2, amount = 300},
  {count = 2, amount = 150}, {count = 3, amount = 36}, {count = 3, amount = 24},
  {count = 9, amount = 12}, {count = 9, amount = 6}, {count = 20, amount = 4}, {count = 40, amount = 2}]
[[boards]]
rows = ["FROMAGE", "I.....C", "G..MIEL", "U.....A", "EPI...I", "......R", "......."]
`

// TestArt4_2_WordBlock makes a block of the word game and audits it, every unit on every
// board; the header binds the boards and the weights, and each changed byte is found.
func TestArt4_2_WordBlock(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "instant:4.2", "instant:4.5", "house:3", "house:6")
	f, faults := gamefile.Parse("game.toml", []byte(wordGame))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	s := draw.Secret{4, 5}
	b, err := Make(f, "lab/1", "v0", s)
	if err != nil {
		t.Fatal(err)
	}
	if b.Header.Boards != draw.Hash(f.Game.WordsDigest()) || b.Header.Boards == (draw.Hash{}) {
		t.Errorf("the header says of the boards %s", b.Header.Boards)
	}
	if _, err := Open(f, b.Header, s, b.Level()); err != nil {
		t.Error(err)
	}
	h := b.Header
	h.Boards[0]++
	if _, err := Open(f, h, s, b.Level()); !errors.Is(err, ErrGame) {
		t.Errorf("opened with other boards: %v", err)
	}
	if _, err := Audit(f, h, s, ignore); !errors.Is(err, ErrAudit) || !strings.Contains(err.Error(), "the boards have") {
		t.Errorf("audited with other boards: %v", err)
	}
	weights := f
	weights.Game.Words.Symbols[2]++
	if _, err := Open(weights, b.Header, s, b.Level()); !errors.Is(err, ErrGame) {
		t.Errorf("opened with other weights: %v", err)
	}
	if other, err := Make(weights, "lab/1", "v0", s); err != nil || other.Header.Root == b.Header.Root {
		t.Errorf("other weights have one root (%v)", err)
	}
	dir := filepath.Join(t.TempDir(), "block")
	if err := WriteDir(dir, []byte(wordGame), b, s); err != nil {
		t.Fatal(err)
	}
	if _, err := AuditDir(dir, ignore); err != nil {
		t.Fatal(err)
	}
	for _, name := range fileNames {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range data {
			data[i] ^= 1
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := AuditDir(dir, ignore); !errors.Is(err, ErrAudit) {
				t.Errorf("byte %d of %s changed: %v", i, name, err)
			}
			data[i] ^= 1
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// big returns the game of 1 500 000 units that the figures are measured on.
func big(b *testing.B) gamefile.File {
	b.Helper()
	f, _, err := games.Read("six-cases")
	if err != nil {
		b.Fatal(err)
	}
	return f
}

func BenchmarkMake(b *testing.B) {
	f := big(b)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		if _, err := Make(f, "lab/1", "v0", draw.Secret{1}); err != nil {
			b.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.Sys)/1e6, "MB-of-process")
}

// BenchmarkShuffleAlone is what BenchmarkMake stands beside.
func BenchmarkShuffleAlone(b *testing.B) {
	list := make([]uint16, big(b).Game.Block)
	for b.Loop() {
		draw.Shuffle(draw.NewStream(draw.InstantOrder, "lab/1", draw.Secret{1}, nil), list)
	}
}

// BenchmarkWordAudit audits a block of the word game, every unit on every board.
func BenchmarkWordAudit(b *testing.B) {
	f, _, err := games.Read("mots-croises")
	if err != nil {
		b.Fatal(err)
	}
	block, err := Make(f, "lab/1", "v0", draw.Secret{1})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Audit(f, block.Header, draw.Secret{1}, ignore); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAudit(b *testing.B) {
	f := big(b)
	block, err := Make(f, "lab/1", "v0", draw.Secret{1})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Audit(f, block.Header, draw.Secret{1}, ignore); err != nil {
			b.Fatal(err)
		}
	}
}
