package proof

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/journal"

	"golang.org/x/mod/sumdb/note"
)

// A book is a small journal in memory, as an operator keeps it.
type book struct {
	t      testing.TB
	signer note.Signer
	key    string
	leaves [][]byte
	salts  []journal.Salt
	bodies [][]byte // payloads; nil if erased
	tiles  map[journal.TileID][]byte
	head   journal.Head
	last   map[journal.Stream]int64
	clock  func() time.Time // nil: a second after one another
}

func newBook(t testing.TB, name string, seed byte) *book {
	t.Helper()
	skey, vkey, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)), name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := note.NewSigner(skey)
	if err != nil {
		t.Fatal(err)
	}
	return &book{
		t: t, signer: s, key: vkey, tiles: map[journal.TileID][]byte{},
		head: journal.EmptyHead(), last: map[journal.Stream]int64{},
	}
}

// ReadTiles is the store of tiles.
func (b *book) ReadTiles(ids []journal.TileID) (data [][]byte, err error) {
	for _, id := range ids {
		data = append(data, b.tiles[id])
	}
	return data, nil
}

// record appends a fact and returns its index. Facts come a second after one another.
func (b *book) record(stream journal.Stream, kind journal.Kind, payload any) int64 {
	b.t.Helper()
	body, err := Payload(payload)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.raw(stream, kind, body)
}

// raw is record for a payload in its own form.
func (b *book) raw(stream journal.Stream, kind journal.Kind, body []byte) int64 {
	b.t.Helper()
	b.last[stream]++
	index := int64(len(b.leaves))
	h := journal.Header{Stream: stream, Number: b.last[stream], At: at(index), Kind: kind}
	if b.clock != nil {
		h.At = b.clock()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "salt %d", index))
	salt := journal.Salt(sum[:16])
	leaf, err := journal.NewLeaf(h, salt, body)
	if err != nil {
		b.t.Fatal(err)
	}
	b.leaves, b.salts, b.bodies = append(b.leaves, leaf), append(b.salts, salt), append(b.bodies, body)
	return index
}

// sign sequences what was recorded and returns a signed checkpoint.
func (b *book) sign() string {
	b.t.Helper()
	var hashes []journal.Hash
	for _, leaf := range b.leaves[b.head.Size:] {
		hashes = append(hashes, journal.LeafHash(leaf))
	}
	head, tiles, err := journal.Extend(b.head, hashes, b)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, tile := range tiles {
		b.tiles[tile.ID] = tile.Data
	}
	b.head = head
	signed, err := journal.Sign(head, b.signer)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(signed)
}

// proved returns a fact with its proof in a tree.
func (b *book) proved(index int64, head journal.Head) Proved {
	b.t.Helper()
	p, err := journal.ProveInclusion(head, index, b)
	if err != nil {
		b.t.Fatal(err)
	}
	return Proved{
		Leaf: string(b.leaves[index]), Salt: Salt(b.salts[index]),
		Payload: string(b.bodies[index]), Index: index, Proof: PathOf(p),
	}
}

// export writes the journal up to its last checkpoint.
func (b *book) export(checkpoint string) []byte {
	b.t.Helper()
	var out bytes.Buffer
	w, err := NewJournalWriter(&out, b.key, checkpoint)
	if err != nil {
		b.t.Fatal(err)
	}
	for i := range b.head.Size {
		if b.bodies[i] == nil {
			err = w.WriteWithheld(b.leaves[i], Erased)
		} else {
			err = w.Write(b.leaves[i], b.salts[i], b.bodies[i])
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.t.Fatal(err)
	}
	return out.Bytes()
}

// A shop is a block of twelve units, of which seven were sold before it was closed, with
// all exports.
type shop struct {
	book   *book
	header Header
	table  []Prize
	game   instant.Game
	secret draw.Secret
	block  *draw.Block
	sales  []int64 // their indices in the journal

	before      string
	beforeHead  journal.Head
	middle      []byte // the journal when three units were sold
	middleSign  string
	checkpoint  string
	opened, end int64
}

// newShop plays the life of a block. The change, if any, is made before the header is
// recorded: a dishonest operator.
func newShop(t testing.TB, change func(s *shop)) *shop {
	t.Helper()
	s := openShop(t, change)
	s.finish()
	return s
}

// openShop is newShop before the end of the block.
func openShop(t testing.TB, change func(s *shop)) *shop {
	t.Helper()
	s := &shop{
		book:   newBook(t, "hall.example", 1),
		table:  []Prize{{1, 5000}, {2, 500}, {3, 200}},
		secret: sha256.Sum256([]byte("shop")),
	}
	s.game = instant.Game{Kind: instant.ThreeAlike, Block: 12, Price: 200}
	for _, p := range s.table {
		s.game.Table = append(s.game.Table, instant.Prize{Count: p.Count, Amount: p.Amount})
	}
	s.header = Header{
		Block: "01890a5d-ac96-774b-bcce-b302099a8057", Kind: instant.ThreeAlike, Size: 12,
		Price: 200, Table: s.game.TableDigest(), Game: sha256.Sum256([]byte("game file")),
		Program: "boulier v0.1.0",
	}
	s.header.Commitment = Hash(draw.Commit(draw.InstantBlock, s.header.Block, s.secret))
	block, err := s.header.Draw([]int{6, 1, 2, 3}, s.secret)
	if err != nil {
		t.Fatal(err)
	}
	s.block = block
	s.header.Root = Hash(block.Tree().Root())
	if change != nil {
		change(s)
	}
	s.book.record("staff", "signed_in", map[string]string{"who": "manager"})
	s.opened = s.book.record(BlockStream(s.header.Block), KindOpened, s.header)
	s.before = s.book.sign()
	s.beforeHead = s.book.head
	for i := range 7 {
		s.sell(i)
		if i == 2 {
			s.middleSign = s.book.sign()
			s.middle = s.book.export(s.middleSign)
		}
	}
	return s
}

func (s *shop) sell(i int) {
	u := s.block.Unit(i)
	prize, err := prizeOf(s.game, u.Outcome)
	if err != nil {
		s.book.t.Fatal(err)
	}
	s.recordSale(Sale{s.header.Block, i, u.Outcome, s.header.Price, prize, s.board(i), buyer(i).Digest(), 1})
	s.book.record("player/p-7", "charged", map[string]int{"cents": 200})
}

// recordSale records what an operator says of a sale.
func (s *shop) recordSale(sale Sale) {
	s.book.t.Helper()
	index := s.book.raw(SalesStream(s.header.Block), KindSold, sale.Append(nil))
	s.sales = append(s.sales, index)
}

// buyer is who bought unit i.
func buyer(i int) Buyer {
	sum := sha256.Sum256(fmt.Appendf(nil, "blind %d", i))
	return Buyer{7, Blind(sum[:16])}
}

// finish reveals the secret, erases one payload and signs.
func (s *shop) finish() { s.finishAs(s.revealed()) }

// revealed is what the secret is revealed with.
func (s *shop) revealed() Revealed {
	var d SalesDigest
	for _, i := range s.sales {
		d.Add(journal.LeafHash(s.book.leaves[i]))
	}
	return Revealed{s.header.Block, Hash(s.secret), len(s.sales), d.Sum()}
}

// finishAs is finish for an operator who says what he likes of the sales.
func (s *shop) finishAs(r Revealed) {
	s.end = s.book.record(BlockStream(s.header.Block), KindRevealed, r)
	s.book.bodies[0] = nil
	s.checkpoint = s.book.sign()
}

// unit returns the export of a unit.
func (s *shop) unit(i int) Unit {
	s.book.t.Helper()
	u := s.block.Unit(i)
	p, err := s.block.Tree().Prove(i, s.block.Leaf)
	if err != nil {
		s.book.t.Fatal(err)
	}
	face, err := faceOf(s.game, u, s.board(i))
	if err != nil {
		s.book.t.Fatal(err)
	}
	face.Index, face.Outcome, face.Seed, face.Proof = i, u.Outcome, Hash(u.Seed), Path(p)
	return s.export(i, face)
}

// board returns the board of a unit: they take turns, where the game has any.
func (s *shop) board(i int) int {
	if n := len(s.game.Words.Boards); n > 0 {
		return i%n + 1
	}
	return 0
}

// export returns the export of a unit that shows a face.
func (s *shop) export(i int, face UnitFace) Unit {
	s.book.t.Helper()
	c, err := journal.ProveConsistency(s.beforeHead.Size, s.book.head, s.book)
	if err != nil {
		s.book.t.Fatal(err)
	}
	who := buyer(i)
	return Unit{
		Key: s.book.key, Table: s.table, Words: RulesOf(s.game),
		Unit:   face,
		Before: s.before, Opening: s.book.proved(s.opened, s.beforeHead), Consistency: PathOf(c),
		Checkpoint: s.checkpoint, Sale: s.book.proved(s.sales[i], s.book.head), Buyer: &who,
	}
}

// closed returns the export of the block, and its sales.
func (s *shop) closed() (Block, []SoldLine) {
	s.book.t.Helper()
	b := Block{
		Key: s.book.key, Table: s.table, Checkpoint: s.checkpoint,
		Opening:  s.book.proved(s.opened, s.book.head),
		Revealed: s.book.proved(s.end, s.book.head),
	}
	var list []SoldLine
	for _, i := range s.sales {
		l, err := journal.ParseLeaf(s.book.leaves[i])
		if err != nil {
			s.book.t.Fatal(err)
		}
		sale, err := ParseSale(s.book.bodies[i])
		if err != nil {
			s.book.t.Fatal(err)
		}
		list = append(list, LineOf(sale, l.At.UnixMicro(), Salt(s.book.salts[i])))
	}
	return b, list
}

// text returns what a writer wrote.
func unitText(t testing.TB, u Unit) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteUnit(&out, u); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func blockText(t testing.TB, b Block, sales []SoldLine) []byte {
	t.Helper()
	var out bytes.Buffer
	err := WriteBlock(&out, b, func(yield func(SoldLine, error) bool) {
		for _, s := range sales {
			if !yield(s, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// refused checks that the file is refused for a reason that holds the words.
func refused(t *testing.T, name string, file []byte, o Options, words string) {
	t.Helper()
	_, err := Verify("f", bytes.NewReader(file), o)
	switch fault, ok := err.(*Fault); {
	case err == nil:
		t.Errorf("%s: accepted", name)
	case !ok || fault.File == "":
		t.Errorf("%s: the error names no file: %v", name, err)
	case !strings.Contains(err.Error(), words):
		t.Errorf("%s: refused as %q, want %q", name, err, words)
	}
}

// holds checks that the file is accepted and says the words.
func holds(t *testing.T, file []byte, o Options, words string) {
	t.Helper()
	r, err := Verify("f", bytes.NewReader(file), o)
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(r.Lines, "\n"); !strings.Contains(said, words) {
		t.Errorf("it says %q, want %q", said, words)
	}
}

// at is the time of fact index.
func at(index int64) time.Time { return time.UnixMicro(1764460800000000 + index*1000000).UTC() }
