// Package sealedblock makes the blocks of the instant lotteries from a game file and a
// secret, and audits them: the order of the units and their seeds (package draw), their
// faces (package face), and the header that binds both to the game.
//
// A server keeps the secret sealed and publishes the header; a laboratory gets both in a
// folder (WriteDir) and checks it from its files alone (AuditDir).
package sealedblock

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/gamefile"
)

// A Header is what is published of a block before its first sale.
type Header struct {
	Block      draw.ID
	Units      int64
	Kind       instant.Kind
	Game       draw.Hash // SHA-256 of the game file
	Table      draw.Hash // SHA-256 of Game.TableText
	Boards     draw.Hash // of a word game, SHA-256 of Game.WordsText; zero for others
	Program    string    // version of the program that made the block
	Commitment draw.Commitment
	Root       draw.Hash // of the tree over all units
}

// salt is the public part of the draw: the SHA-256 of what the header says of the block
// before its secret is used. With another game file, table, set of boards or program the
// same secret gives another order, so that the root holds the whole header. The line of
// the boards is that of word games alone.
//
//	boulier/instant/header/v1
//	block lab/0123456789abcdef
//	units 1500000
//	kind three-alike
//	game 64 hexadecimal digits
//	table 64 hexadecimal digits
//	boards 64 hexadecimal digits
//	program v1.0.0
func (h Header) salt() []byte {
	text := fmt.Sprintf("boulier/instant/header/v1\nblock %s\nunits %d\nkind %s\ngame %s\n"+
		"table %s\n", h.Block, h.Units, h.Kind, h.Game, h.Table)
	if h.Boards != (draw.Hash{}) {
		text += fmt.Sprintf("boards %s\n", h.Boards)
	}
	text += fmt.Sprintf("program %s\n", h.Program)
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// A Block is a block whose secret is open in this process. It knows every outcome.
type Block struct {
	Header Header
	units  *draw.Block
	tree   *draw.Tree
}

// What Make and Open refuse.
var (
	ErrHeader = errors.New("sealedblock: identifier and program must be one line of text")
	ErrFaulty = errors.New("sealedblock: the game is faulty")
	ErrSecret = errors.New("sealedblock: the secret is not the one that was committed to")
	ErrGame   = errors.New("sealedblock: the game is not that of the header")
	ErrRoot   = errors.New("sealedblock: the stored tree is not that of the header")
)

// Make deals a block of the game that file f describes, and commits to its secret. The
// program is the version that the header names.
func Make(f gamefile.File, id draw.ID, program string, s draw.Secret) (*Block, error) {
	if strings.ContainsAny(string(id)+program, "\r\n") || id == "" || program == "" {
		return nil, ErrHeader
	}
	h := Header{
		Block: id, Units: f.Game.Block, Kind: f.Game.Kind, Game: f.Digest,
		Table: f.Game.TableDigest(), Boards: f.Game.WordsDigest(), Program: program,
		Commitment: draw.Commit(draw.InstantBlock, id, s),
	}
	units, err := deal(f, h, s)
	if err != nil {
		return nil, err
	}
	b := &Block{Header: h, units: units, tree: units.Tree()}
	b.Header.Root = b.tree.Root()
	return b, nil
}

// Open deals again the block of a header, with the tree level that Level returned when it
// was made: much faster than Make, for a server that starts. It returns ErrSecret,
// ErrGame or ErrRoot if anything is not what the header says.
func Open(f gamefile.File, h Header, s draw.Secret, level []byte) (*Block, error) {
	if draw.Commit(draw.InstantBlock, h.Block, s) != h.Commitment {
		return nil, ErrSecret
	}
	if f.Digest != h.Game || f.Game.TableDigest() != h.Table || f.Game.WordsDigest() != h.Boards ||
		f.Game.Block != h.Units || f.Game.Kind != h.Kind {
		return nil, ErrGame
	}
	tree, err := draw.ParseTree(int(h.Units), level)
	if err != nil {
		return nil, err
	}
	if tree.Root() != h.Root {
		return nil, ErrRoot
	}
	units, err := deal(f, h, s)
	if err != nil {
		return nil, err
	}
	return &Block{h, units, tree}, nil
}

// deal puts the units of the block in their order.
func deal(f gamefile.File, h Header, s draw.Secret) (*draw.Block, error) {
	if faults := f.Game.Check(); len(faults) > 0 {
		return nil, fmt.Errorf("%w: %w", ErrFaulty, faults[0])
	}
	counts := []int{int(f.Game.Losers())}
	for _, p := range f.Game.Table {
		counts = append(counts, int(p.Count))
	}
	return draw.NewBlock(h.Block, counts, s, h.salt())
}

// Unit returns the unit at an index of the order of sale, from 0. It panics outside the
// block.
func (b *Block) Unit(index int) draw.Unit { return b.units.Unit(index) }

// Proof returns the proof that the unit belongs to the root of the header, for
// draw.VerifyUnit.
func (b *Block) Proof(index int) (draw.Proof, error) {
	return b.tree.Prove(index, b.units.Leaf)
}

// Level returns what Open needs besides the header: 32 bytes for 256 units. It tells
// nothing of outcomes and need not be secret.
func (b *Block) Level() []byte { return b.tree.Level() }
