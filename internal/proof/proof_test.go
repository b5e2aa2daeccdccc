package proof

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/journal"
	"boulier/regs/regstest"

	"golang.org/x/mod/sumdb/note"
)

var update = flag.Bool("update", false, "write the exports of testdata again")

// files returns the exports of the shop by name, as testdata holds them.
func (s *shop) files(t testing.TB) map[string][]byte {
	t.Helper()
	b, sales := s.closed()
	return map[string][]byte{
		"unit.json":     unitText(t, s.unit(2)),
		"block.jsonl":   blockText(t, b, sales),
		"journal.jsonl": s.book.export(s.checkpoint),
		"older.jsonl":   s.middle,
		"key.txt":       []byte(s.book.key + "\n"),
		"receipt.txt":   []byte(s.middleSign),
	}
}

// TestExports_AreThoseOfTestdata holds the formats: the files of testdata are public, and
// another implementation must accept them, and refuse those of its folder refused.
func TestExports_AreThoseOfTestdata(t *testing.T) {
	t.Parallel()
	files := newShop(t, nil).files(t)
	maps.Copy(files, wordFiles(t))
	for name, file := range dishonestFiles(t) {
		files[filepath.Join("refused", name)] = file
	}
	for name, got := range files {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what is written today:\n%s", path, got)
		}
	}
}

func TestInstant3_VerifyUnit(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3", "std:37")
	s := newShop(t, nil)
	for i := range 7 {
		holds(t, unitText(t, s.unit(i)), Options{Key: s.book.key},
			fmt.Sprintf("unit %d of block %s", i, s.header.Block))
	}
	u := s.unit(2)
	holds(t, unitText(t, u), Options{}, "sold to player 7")
	u.Buyer = nil // the blind was erased
	holds(t, unitText(t, u), Options{}, "unit 2 of block")
}

func TestVerifyUnit_Refusals(t *testing.T) {
	t.Parallel()
	s := newShop(t, nil)
	other := newBook(t, "other.example", 2)
	for _, tc := range []struct {
		name   string
		change func(u *Unit)
		words  string
	}{
		{"another amount on the face", func(u *Unit) { u.Unit.Face[0]++ }, "face: its seed gives"},
		{"an amount less", func(u *Unit) { u.Unit.Face = u.Unit.Face[1:] }, "face: its seed gives"},
		{"another outcome", func(u *Unit) { u.Unit.Outcome ^= 1 }, "unit: draw: the proof"},
		{"another seed", func(u *Unit) { u.Unit.Seed[0]++ }, "unit: draw: the proof"},
		{"another place", func(u *Unit) { u.Unit.Index++ }, "sale: the fact is"},
		{"a proof of another unit", func(u *Unit) { u.Unit.Proof = s.unit(1).Unit.Proof }, "the proof does not lead"},
		{"a proof cut", func(u *Unit) { u.Unit.Proof = u.Unit.Proof[32:] }, "the proof does not lead"},
		{"another table", func(u *Unit) { u.Table = slices.Clone(u.Table); u.Table[2].Amount++ }, "prize table is not the one"},
		{"too many prizes", func(u *Unit) { u.Table = []Prize{{13, 200}} }, "do not fit a block of 12"},
		{"no table", func(u *Unit) { u.Table = nil }, "a prize table of 0 rows"},
		{"another header", func(u *Unit) { u.Opening.Payload = strings.Replace(u.Opening.Payload, "v0.1.0", "v0.1.1", 1) }, "payload of instant/block/"},
		{"another salt", func(u *Unit) { u.Opening.Salt[0]++ }, "is not the one of its leaf"},
		{"the opening elsewhere", func(u *Unit) { u.Opening.Index = 0 }, "opening of the block: journal: the proof"},
		{"the sale of another unit", func(u *Unit) { u.Sale = s.unit(4).Sale }, "sale: the fact is unit_sold number 5"},
		{"the sale elsewhere", func(u *Unit) { u.Sale.Index++ }, "sale: journal: the proof"},
		{"another stake", func(u *Unit) { u.Sale.Payload = strings.Replace(u.Sale.Payload, "200", "201", 1) }, "is not the one of its leaf"},
		{"another buyer", func(u *Unit) { u.Buyer.Player++ }, "buyer: the sale was to somebody else"},
		{"another blind", func(u *Unit) { u.Buyer.Blind[0]++ }, "buyer: the sale was to somebody else"},
		{"the later checkpoint as the one before", func(u *Unit) {
			u.Before, u.Opening, u.Consistency = u.Checkpoint, s.book.proved(s.opened, s.book.head), nil
		}, "within the checkpoint of 17 leaves said to be before"},
		{"no consistency", func(u *Unit) { u.Consistency = nil }, "from the checkpoint before"},
		{"a checkpoint of another", func(u *Unit) {
			signed, err := journal.Sign(s.book.head, other.signer)
			if err != nil {
				t.Fatal(err)
			}
			u.Checkpoint = string(signed)
		}, "checkpoint: journal: not signed by the operator's key: signed by other.example"},
		{"the key of another", func(u *Unit) { u.Key = other.key }, "not signed by the operator's key"},
		{"no key", func(u *Unit) { u.Key = "hall.example" }, "not a verifier key"},
	} {
		u := s.unit(3)
		tc.change(&u)
		refused(t, tc.name, unitText(t, u), Options{}, tc.words)
	}
	refused(t, "another operator asked for", unitText(t, s.unit(3)), Options{Key: other.key},
		"of another operator: its key is of hall.example")
	refused(t, "a key asked for that is none", unitText(t, s.unit(3)), Options{Key: "x"},
		"the key asked for: journal: not a verifier key")
	refused(t, "two lines", append(unitText(t, s.unit(3)), "x\n"...), Options{}, "f:2: more than")
	refused(t, "since", unitText(t, s.unit(3)), Options{Since: &Claim{}}, "leave --since out")
}

// TestVerifyUnit_DishonestOperator checks files whose signatures all hold, made by an
// operator who sells what was not settled.
func TestVerifyUnit_DishonestOperator(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		change func(s *shop)
		words  string
	}{
		{"another root", func(s *shop) { s.header.Root[0]++ }, "unit: draw: the proof"},
		{"a block too large", func(s *shop) { s.header.Size = draw.MaxBlock + 1 }, "a block of 100000001 units"},
		{"no price", func(s *shop) { s.header.Price = 0 }, "a price of 0.00 EUR"},
		{"another price", func(s *shop) { s.header.Price = 100 }, "prize table is not the one"},
		{"an odd identifier", func(s *shop) { s.header.Block = "a/b" }, `block "a/b" is not`},
		{"an odd version", func(s *shop) { s.header.Program = "\t" }, "program version"},
		{"an odd kind", func(s *shop) { s.header.Kind = "A" }, `kind of face "A"`},
		{"faces not known", func(s *shop) { s.header.Kind = "cards" }, `faces of kind "cards" are not known`},
	} {
		s := newShop(t, tc.change)
		refused(t, tc.name, unitText(t, s.unit(3)), Options{}, tc.words)
	}
}

func TestInstant2_VerifyBlock(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "instant:3", "std:37")
	s := newShop(t, nil)
	b, sales := s.closed()
	holds(t, blockText(t, b, sales), Options{Key: s.book.key}, "7 units were sold, in that order")
}

func TestVerifyBlock_Refusals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		change func(s *shop) // before the opening is recorded
		export func(b *Block, sales []SoldLine) []SoldLine
		words  string
	}{
		{"another secret", func(s *shop) { s.secret[0]++ }, nil, "the secret is not the one committed to"},
		{"another root", func(s *shop) { s.header.Root[0]++ }, nil, "other units than those of the root"},
		{"another table", nil, func(b *Block, l []SoldLine) []SoldLine { b.Table[0].Amount++; return l }, "prize table is not the one"},
		{"a sale less", nil, func(_ *Block, l []SoldLine) []SoldLine { return l[1:] }, "f:7: the file ends after 6 sales of 7"},
		{"a sale more", nil, func(_ *Block, l []SoldLine) []SoldLine { return append(l, l[0]) }, "f:9: more than"},
		{"two sales exchanged", nil, func(_ *Block, l []SoldLine) []SoldLine { l[1], l[2] = l[2], l[1]; return l }, "f: the sales are not those"},
		{"a sale at another time", nil, func(_ *Block, l []SoldLine) []SoldLine { l[1].At++; return l }, "f: the sales are not those"},
		{"a sale before 1970", nil, func(_ *Block, l []SoldLine) []SoldLine { l[1].At = -1; return l }, "f:3: a sale is {"},
		{"a sale under another salt", nil, func(_ *Block, l []SoldLine) []SoldLine { l[1].Salt[0]++; return l }, "f: the sales are not those"},
		{"a sale to another buyer", nil, func(_ *Block, l []SoldLine) []SoldLine { l[1].Buyer[0]++; return l }, "f: the sales are not those"},
		{"a sale under other rules", nil, func(_ *Block, l []SoldLine) []SoldLine { l[1].Rules++; return l }, "f: the sales are not those"},
		{"a sale on a board", nil, func(_ *Block, l []SoldLine) []SoldLine { l[1].Board = 1; return l }, "f:3: a sale on board 1, in a game of kind"},
		{"the end before the opening", nil, func(b *Block, l []SoldLine) []SoldLine { b.Revealed = b.Opening; return l }, "f:1: end of the block: payload"},
		{"an end that is not in the journal", nil, func(b *Block, l []SoldLine) []SoldLine { b.Revealed.Index--; return l }, "f:1: end of the block: journal: the proof"},
		{"a payload changed", nil, func(b *Block, l []SoldLine) []SoldLine {
			b.Revealed.Payload = strings.Replace(b.Revealed.Payload, `"sold":7`, `"sold":6`, 1)
			return l
		}, "f:1: end of the block: the payload"},
		{"no opening", nil, func(b *Block, l []SoldLine) []SoldLine { b.Opening.Payload = "{}"; return l }, "f:1: opening of the block: payload: not in the canonical"},
	} {
		s := newShop(t, tc.change)
		b, sales := s.closed()
		if tc.export != nil {
			b.Table = slices.Clone(b.Table)
			sales = tc.export(&b, sales)
		}
		refused(t, tc.name, blockText(t, b, sales), Options{}, tc.words)
	}
	s := newShop(t, nil)
	b, sales := s.closed()
	refused(t, "another operator asked for", blockText(t, b, sales),
		Options{Key: newBook(t, "other.example", 2).key}, "of another operator")
}

// TestVerifyBlock_SkippedUnit checks that an operator who skips a unit cannot hide it: the
// sale of the unit after it has the number of the one skipped.
func TestVerifyBlock_SkippedUnit(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "std:37")
	s := openShop(t, nil)
	s.sell(8) // unit 7 is kept back
	s.finish()
	refused(t, "the journal", s.book.export(s.checkpoint), Options{},
		"number 8 of instant/sales/01890a5d-ac96-774b-bcce-b302099a8057 sells unit 8")
	u := s.unit(6)
	b := s.block.Unit(8)
	p, err := s.block.Tree().Prove(8, s.block.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	u.Unit.Index, u.Unit.Outcome, u.Unit.Seed, u.Unit.Proof = 8, b.Outcome, Hash(b.Seed), Path(p)
	u.Sale = s.book.proved(s.sales[7], s.book.head)
	refused(t, "the unit", unitText(t, u), Options{}, "sale: the fact is unit_sold number 8")
	closed, sales := s.closed()
	refused(t, "the block", blockText(t, closed, sales), Options{}, "f: the sales are not those")
}

func TestStd52_VerifyJournal(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:52")
	s := newShop(t, nil)
	file := s.book.export(s.checkpoint)
	holds(t, file, Options{Key: s.book.key}, "17 leaves in 4 streams, 1 payloads withheld")
	holds(t, s.middle, Options{}, "8 leaves")
	for name, older := range map[string][]byte{
		"older.jsonl": s.middle, "receipt.txt": []byte(s.middleSign), "itself": file,
	} {
		c, err := ReadClaim(name, bytes.NewReader(older))
		if err != nil {
			t.Fatal(err)
		}
		holds(t, file, Options{Key: s.book.key, Since: c}, "it extends "+name)
	}
	empty := newBook(t, "hall.example", 1)
	holds(t, empty.export(empty.sign()), Options{}, "0 leaves")
}

func TestVerifyJournal_Refusals(t *testing.T) {
	t.Parallel()
	s := newShop(t, nil)
	file := string(s.book.export(s.checkpoint))
	lines := strings.SplitAfter(file, "\n")
	join := func(list ...string) string { return strings.Join(list, "") }
	for _, tc := range []struct{ name, file, words string }{
		{"a line less at the end", join(lines[:17]...), "f:17: the file ends after 16 leaves of 17"},
		{"a line less in a stream", join(append(slices.Clone(lines[:3]), lines[4:]...)...), "f:5: number 2 of instant/sales"},
		{"a line more", file + lines[1], "f:19: more than"},
		{"two lines exchanged", join(append([]string{lines[0], lines[2], lines[1]}, lines[3:]...)...), "f: the leaves are not those"},
		{"a payload changed", strings.Replace(file, `\"cents\":200`, `\"cents\":100`, 1), "f:5: the payload of player/p-7 number 1"},
		{"an erased payload that is there", strings.Replace(file, `"withheld":"erased"`, `"payload":"x","withheld":"erased"`, 1), "f:2: a payload said to be withheld"},
		{"an unknown reason", strings.Replace(file, `"erased"`, `"lost"`, 1), "f:2: withheld for an unknown reason"},
		{"no reason", strings.Replace(file, `,"withheld":"erased"`, ``, 1), "f:2: neither a payload"},
		{"a space", strings.Replace(file, `,"withheld"`, `, "withheld"`, 1), "f:2: not in the canonical form"},
		{"an unknown field", strings.Replace(file, `"withheld"`, `"x":1,"withheld"`, 1), `f:2: unknown field "x"`},
		{"a leaf that is none", strings.Replace(file, "leaf/v1", "leaf/v2", 1), "f:2: journal: not a leaf"},
		{"no line feed at the end", strings.TrimSuffix(file, "\n"), "f:18: the file ends in the middle"},
		{"a line too long", lines[0] + strings.Repeat("x", maxLine) + "\n", "f:2: a line of more than"},
		{"not UTF-8", lines[0] + "\"\xff\"\n", "f:2: not UTF-8"},
		{"a number for a text", lines[0] + `{"leaf":1}` + "\n", `f:2: field "leaf": a number`},
		{"JSON cut", lines[0] + `{"leaf"` + "\n", "f:2: the JSON ends too early"},
		{"empty", "", "f: the file is empty"},
		{"no JSON", "boulier\n", "f:1: not an exported unit"},
		{"another format", `{"format":"boulier/unit/v2"}` + "\n", `format "boulier/unit/v2"`},
	} {
		refused(t, tc.name, []byte(tc.file), Options{}, tc.words)
	}
}

// TestVerifyJournal_Since checks what an operator cannot do with what was shown before.
func TestVerifyJournal_Since(t *testing.T) {
	t.Parallel()
	s, other := newShop(t, nil), newBook(t, "hall.example", 9)
	rewritten := newShop(t, func(s *shop) { s.header.Game[0]++ })
	claim := &Claim{"old", s.middleSign}
	signed, err := journal.Sign(s.book.head, other.signer)
	if err != nil {
		t.Fatal(err)
	}
	later, err := note.Sign(&note.Note{Text: fmt.Sprintf("hall.example\n99\n%s\n", s.book.head.Root)}, s.book.signer)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name  string
		file  []byte
		since *Claim
		words string
	}{
		{"a journal that says otherwise", rewritten.book.export(rewritten.checkpoint), claim, "f: the journal was rewritten: its first 8 leaves"},
		{"old and new exchanged", s.middle, &Claim{"old", s.checkpoint}, "old: it is newer than the journal: 17 leaves against 8"},
		{"an old one of another key", s.book.export(s.checkpoint), &Claim{"old", string(signed)}, "old: journal: not signed by the operator's key"},
		{"an old one that is none", s.book.export(s.checkpoint), &Claim{"old", "x\n"}, "old: journal: not a signed checkpoint"},
		{"an old one from the future", s.book.export(s.checkpoint), &Claim{"old", string(later)}, "99 leaves against 17"},
	} {
		refused(t, tc.name, tc.file, Options{Since: tc.since}, tc.words)
	}
}

func TestReadClaim_Refusals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, words string }{
		{"empty", "", "f: the file is empty"},
		{"JSON without one", "{}\n", "f:1: it holds no checkpoint"},
		{"JSON cut", "{\n", "f:1: not an exported"},
		{"no line feed", "x", "f:1: the file ends in the middle"},
		{"too long", strings.Repeat(strings.Repeat("x", 1000)+"\n", 2000), "f: too long"},
	} {
		_, err := ReadClaim("f", strings.NewReader(tc.file))
		if err == nil || !strings.Contains(err.Error(), tc.words) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.words)
		}
	}
}

// FuzzVerify checks that no file makes the verifier panic, that each refusal is a Fault
// that names the file, and that what is accepted was signed: nothing but the trees of
// testdata ever was.
func FuzzVerify(f *testing.F) {
	s := newShop(f, nil)
	for _, file := range s.files(f) {
		f.Add(file)
	}
	for _, file := range wordFiles(f) {
		f.Add(file)
	}
	signed := map[journal.Head]bool{s.book.head: true, wordShop(f, nil).book.head: true}
	played := hallFiles(f)
	maps.Copy(played, lotoFiles(f))
	for name, file := range played {
		f.Add(file)
		r, err := Verify(name, bytes.NewReader(file), Options{})
		if err != nil {
			f.Fatal(err)
		}
		signed[r.Head] = true
	}
	f.Add([]byte(`{"format":"boulier/unit/v1"}` + "\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := Verify("f", bytes.NewReader(file), Options{Key: s.book.key})
		fault, ok := err.(*Fault)
		if err != nil && (!ok || fault.File != "f") {
			t.Errorf("not a fault of the file: %v", err)
		}
		if err == nil && !signed[r.Head] && r.Head.Size != 8 {
			t.Errorf("accepted with a tree that nobody signed: %q", file)
		}
	})
}

// FuzzReadClaim checks the reader of older checkpoints.
func FuzzReadClaim(f *testing.F) {
	for _, file := range newShop(f, nil).files(f) {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		c, err := ReadClaim("f", bytes.NewReader(file))
		if fault, ok := err.(*Fault); (err == nil) != (c != nil) || err != nil && (!ok || fault.File != "f") {
			t.Errorf("%v, %v", c, err)
		}
	})
}

// BenchmarkVerifyBlock1500000 verifies a closed block of 1 500 000 units, all sold.
func BenchmarkVerifyBlock1500000(b *testing.B) {
	const size = 1_500_000
	s := newShop(b, nil)
	s.table = []Prize{{1, 5_000_000}, {404_000, 500}, {500_000, 200}}
	for i, p := range s.table {
		s.game.Table[i] = instant.Prize{Count: p.Count, Amount: p.Amount}
	}
	s.game.Block = size
	s.header.Block, s.header.Size, s.header.Table = "large", size, s.game.TableDigest()
	s.header.Commitment = Hash(draw.Commit(draw.InstantBlock, "large", s.secret))
	units, err := s.header.Draw([]int{size - 904_001, 1, 404_000, 500_000}, s.secret)
	if err != nil {
		b.Fatal(err)
	}
	s.header.Root = Hash(units.Tree().Root())
	s.opened = s.book.record(BlockStream("large"), KindOpened, s.header)
	var d SalesDigest
	sales := make([]SoldLine, size)
	again := resale{header: s.header, units: units, table: s.table}
	for i := range sales {
		sales[i] = SoldLine{At: at(int64(i)).UnixMicro(), Salt: Salt{1}, Buyer: Hash{2}, Rules: 1}
		leaf, err := again.leaf(i, sales[i])
		if err != nil {
			b.Fatal(err)
		}
		d.Add(journal.LeafHash(leaf))
	}
	s.end = s.book.record(BlockStream("large"), KindRevealed, Revealed{"large", Hash(s.secret), size, d.Sum()})
	s.checkpoint = s.book.sign()
	block, _ := s.closed()
	file := blockText(b, block, sales)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Verify("f", bytes.NewReader(file), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
