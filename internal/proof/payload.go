package proof

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"regexp"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/sealedblock"
	"boulier/journal"
	"boulier/money"
)

// The facts of a block in the journal. Opening and revealing stand in the block's own
// stream; sales in another that holds nothing else, so that the number of a sale is the
// place of its unit: fact n sells unit n − 1.
const (
	KindOpened   journal.Kind = "block_opened"
	KindSold     journal.Kind = "unit_sold"
	KindRevealed journal.Kind = "block_revealed"
)

// BlockStream returns the stream of a block's opening and end.
func BlockStream(id draw.ID) journal.Stream { return "instant/block/" + journal.Stream(id) }

// SalesStream returns the stream of a block's sales.
func SalesStream(id draw.ID) journal.Stream { return "instant/sales/" + journal.Stream(id) }

// A Header is all that is public of a block before its first sale: the payload of its
// opening. Everything in it is fixed by the first signed checkpoint that covers it.
type Header struct {
	Block      draw.ID      `json:"block"`
	Kind       instant.Kind `json:"kind"`            // what the faces are
	Size       int          `json:"size"`            // units
	Price      money.Cents  `json:"price"`           // of a unit, in cents
	Commitment Hash         `json:"commitment"`      // to S, use instant/block
	Root       Hash         `json:"root"`            // of the tree of units
	Table      Hash         `json:"table"`           // digest of the prize table
	Boards     Hash         `json:"boards,omitzero"` // of a word game, of boards and weights
	Game       Hash         `json:"game"`            // SHA-256 of the game file
	Program    string       `json:"program"`         // version of the program that made it
}

// NewHeader returns the header of a block that was made, whose units cost the price.
func NewHeader(h sealedblock.Header, price money.Cents) Header {
	return Header{
		Block: h.Block, Kind: h.Kind, Size: int(h.Units), Price: price,
		Commitment: Hash(h.Commitment), Root: Hash(h.Root), Table: Hash(h.Table),
		Boards: Hash(h.Boards), Game: Hash(h.Game), Program: h.Program,
	}
}

// Revealed is the payload that ends a block: its secret, and what was sold.
type Revealed struct {
	Block  draw.ID `json:"block"`
	Secret Hash    `json:"secret"`
	Sold   int     `json:"sold"`  // units
	Sales  Hash    `json:"sales"` // what SalesDigest gives over the leaves of all sales
}

// Payload returns the canonical bytes of a payload of the journal.
func Payload(v any) ([]byte, error) { return encode(v) }

// A Prize is a row of a prize table.
type Prize struct {
	Count  int64       `json:"count"`
	Amount money.Cents `json:"amount"` // in cents
}

// blockID is what may name a block: it stands in names of streams.
var blockID = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)

// kind and program are what a kind of face and a version may look like: one line of ASCII.
var (
	kind    = regexp.MustCompile(`^[0-9a-z-]{1,64}$`)
	program = regexp.MustCompile(`^[ -~]{1,100}$`)
)

// maxRows bounds a prize table, like the rules of the game do.
const maxRows = instant.MaxLines

// check refuses a header that can be of no block, before anything is made of it.
func (h Header) check() error {
	switch {
	case !blockID.MatchString(string(h.Block)):
		return fmt.Errorf("block %q is not an identifier", h.Block)
	case !kind.MatchString(string(h.Kind)):
		return fmt.Errorf("kind of face %q", h.Kind)
	case h.Size < 1 || h.Size > draw.MaxBlock:
		return fmt.Errorf("a block of %d units", h.Size)
	case h.Price < 1:
		return fmt.Errorf("a price of %s EUR", h.Price)
	case !program.MatchString(h.Program):
		return fmt.Errorf("program version %q", h.Program)
	case (h.Boards != Hash{}) != (h.Kind == instant.Words):
		return errors.New("a digest of boards is of word games, and of no others")
	}
	return nil
}

// ErrTable refuses a prize table that is not the one of the block.
var ErrTable = errors.New("the prize table is not the one whose digest the block was opened with")

// checkTable returns the game and the number of units of each outcome, losers at 0.
func (h Header) checkTable(table []Prize) (instant.Game, []int, error) {
	g := instant.Game{Kind: h.Kind, Block: int64(h.Size), Price: h.Price}
	if len(table) == 0 || len(table) > maxRows {
		return g, nil, fmt.Errorf("a prize table of %d rows", len(table))
	}
	counts, losers := make([]int, len(table)+1), h.Size
	for i, p := range table {
		if p.Count < 1 || p.Count > int64(losers) || p.Amount < 1 {
			return g, nil, fmt.Errorf(
				"row %d of the prize table: %d prizes of %s EUR do not fit a block of %d units",
				i+1, p.Count, p.Amount, h.Size)
		}
		counts[i+1] = int(p.Count)
		losers -= int(p.Count)
		g.Table = append(g.Table, instant.Prize{Count: p.Count, Amount: p.Amount})
	}
	counts[0] = losers
	if g.TableDigest() != h.Table {
		return g, nil, ErrTable
	}
	return g, counts, nil
}

// salt is the public part of the draw: the SHA-256 of what was fixed of the block before
// its secret was used. With another game file, table, set of boards or program the same
// secret gives another order.
func (h Header) salt() []byte {
	text := fmt.Appendf(nil, "boulier/instant/header/v1\nblock %s\nunits %d\nkind %s\n"+
		"game %x\ntable %x\n", h.Block, h.Size, h.Kind, h.Game, h.Table)
	if h.Boards != (Hash{}) {
		text = fmt.Appendf(text, "boards %x\n", h.Boards)
	}
	sum := sha256.Sum256(fmt.Appendf(text, "program %s\n", h.Program))
	return sum[:]
}

// Draw makes the units of the block again from the secret; counts is the number of units
// of each outcome, the losers first.
func (h Header) Draw(counts []int, s draw.Secret) (*draw.Block, error) {
	return draw.NewBlock(h.Block, counts, s, h.salt())
}

// A SalesDigest is the SHA-256 of the leaf hashes of all sales of a block, in order.
type SalesDigest struct{ h hash.Hash }

// Add adds the leaf hash of the next sale.
func (d *SalesDigest) Add(leaf journal.Hash) {
	if d.h == nil {
		d.h = sha256.New()
	}
	d.h.Write(leaf[:])
}

// Sum returns the digest so far.
func (d *SalesDigest) Sum() Hash {
	if d.h == nil {
		return sha256.Sum256(nil)
	}
	return Hash(d.h.Sum(nil))
}
