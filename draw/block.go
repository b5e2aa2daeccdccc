package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// A Unit is one unit of a block (« unité de jeu », instant:2): where it stands in the order
// of sale, what it is worth, and its seed.
type Unit struct {
	Index   int    // from 0, in the order of sale
	Outcome uint16 // 0 loses; k is the k-th row of the prize table
	Seed    Seed
}

// UnitLeaf returns the leaf of a unit: the leaf hash of RFC 6962 of the record
//
//	"boulier/unit/v1\n" ‖ length of block (4 bytes) ‖ block ‖
//	index (8 bytes) ‖ outcome (2 bytes) ‖ seed (32 bytes)
//
// whose numbers are little-endian. Every part has a fixed or a given length, so that no
// two units share a record.
func UnitLeaf(block ID, u Unit) Hash {
	var space [160]byte            // a record with an identifier of usual length
	record := append(space[:0], 0) // the mark of a leaf in RFC 6962
	record = append(record, "boulier/unit/v1\n"...)
	record = binary.LittleEndian.AppendUint32(record, uint32(len(block)))
	record = append(record, block...)
	record = binary.LittleEndian.AppendUint64(record, uint64(u.Index))
	record = binary.LittleEndian.AppendUint16(record, u.Outcome)
	record = append(record, u.Seed[:]...)
	return sha256.Sum256(record)
}

// VerifyUnit checks that the unit belongs to the block of that size and root. It returns
// ErrIndex or ErrProof.
func VerifyUnit(block ID, root Hash, size int, u Unit, p Proof) error {
	return VerifyLeaf(root, size, u.Index, UnitLeaf(block, u), p)
}

// A Block is the units of a block in the order of sale. It knows every outcome, so it
// is as secret as the S it was made of until the block is closed.
type Block struct {
	id       ID
	outcomes []uint16
	seeds    Seeds
}

// ErrCounts refuses counts that make no block.
var ErrCounts = errors.New("draw: the counts make no block")

// MaxBlock bounds the units of a block: far above any real one, and low enough that a
// hostile file cannot take the memory of the machine.
const MaxBlock = 100_000_000

// NewBlock makes the block of counts[k] units of each outcome k: outcome 1 first, then 2
// and so on, the losers of outcome 0 last, put in the order that the secret draws
// (instant:2, instant:3). The salt is that of NewStream. It returns ErrCounts for no
// unit, a negative count, more outcomes than a uint16 holds, or more than MaxBlock units.
func NewBlock(id ID, counts []int, s Secret, salt []byte) (*Block, error) {
	if len(counts) > math.MaxUint16+1 {
		return nil, fmt.Errorf("%w: %d outcomes", ErrCounts, len(counts))
	}
	total := 0
	for k, n := range counts {
		if n < 0 || n > MaxBlock-total {
			return nil, fmt.Errorf("%w: %d units of outcome %d", ErrCounts, n, k)
		}
		total += n
	}
	if total == 0 {
		return nil, fmt.Errorf("%w: no unit", ErrCounts)
	}
	outcomes := make([]uint16, 0, total)
	for k, n := range counts[1:] {
		for range n {
			outcomes = append(outcomes, uint16(k+1))
		}
	}
	outcomes = outcomes[:total] // what follows is zero: the losers
	Shuffle(NewStream(InstantOrder, id, s, salt), outcomes)
	return &Block{id, outcomes, NewSeeds(InstantSeeds, id, s, salt)}, nil
}

// Size returns the number of units.
func (b *Block) Size() int { return len(b.outcomes) }

// Unit returns the unit at index. It panics outside [0, Size()), as a slice does.
func (b *Block) Unit(index int) Unit {
	return Unit{index, b.outcomes[index], b.seeds.At(uint64(index))}
}

// Outcome returns what the unit at index wins, without making its seed.
func (b *Block) Outcome(index int) uint16 { return b.outcomes[index] }

// Leaf returns the leaf of the unit at index.
func (b *Block) Leaf(index int) Hash { return UnitLeaf(b.id, b.Unit(index)) }

// Tree returns the tree over all units.
func (b *Block) Tree() *Tree {
	var seeds [perNode]Seed // those from the last multiple of perNode on
	return NewTree(b.Size(), func(i int) Hash {
		if i%perNode == 0 {
			b.seeds.Fill(seeds[:], uint64(i))
		}
		return UnitLeaf(b.id, Unit{i, b.outcomes[i], seeds[i%perNode]})
	})
}
