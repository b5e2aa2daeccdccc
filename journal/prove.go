package journal

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// A Proof shows that a tree holds a leaf, or that a tree holds all leaves of an older one:
// the hashes that whoever checks cannot know, in the order of RFC 6962.
type Proof []Hash

var (
	// ErrInclusion refuses a proof that does not lead from the leaf to the root.
	ErrInclusion = errors.New("journal: the proof does not lead from this leaf to the root")
	// ErrConsistency refuses a proof that does not lead from the old tree to the new one:
	// what was in the journal may have been rewritten.
	ErrConsistency = errors.New("journal: the newer tree is not shown to hold the older one")
	// ErrIndex refuses an index or a size outside the tree.
	ErrIndex = errors.New("journal: outside the tree")
)

// ProveInclusion returns the proof that the tree holds the leaf at index, counted from 0.
// It returns ErrIndex, or ErrTiles when the tiles do not give the tree.
func ProveInclusion(head Head, index int64, r TileReader) (Proof, error) {
	if index < 0 || index >= head.Size || head.Size > maxSize {
		return nil, fmt.Errorf("%w: leaf %d of %d", ErrIndex, index, head.Size)
	}
	p, err := tlog.ProveRecord(head.Size, index, hashes(head, r))
	return Proof(p), tilesError(err)
}

// VerifyInclusion checks that the tree holds the leaf with this hash at index. It returns
// ErrIndex or ErrInclusion.
func VerifyInclusion(head Head, index int64, leaf Hash, p Proof) error {
	if index < 0 || index >= head.Size || head.Size > maxSize {
		return fmt.Errorf("%w: leaf %d of %d", ErrIndex, index, head.Size)
	}
	if tlog.CheckRecord(tlog.RecordProof(p), head.Size, head.Root, index, leaf) != nil {
		return fmt.Errorf("%w: leaf %d of %d", ErrInclusion, index, head.Size)
	}
	return nil
}

// ProveConsistency returns the proof that the tree holds, first, the leaves of the tree it
// was at the older size. It returns ErrIndex, or ErrTiles when the tiles do not give the
// tree. Nothing needs to be proved from the empty tree.
func ProveConsistency(older int64, head Head, r TileReader) (Proof, error) {
	if older < 0 || older > head.Size || head.Size > maxSize {
		return nil, fmt.Errorf("%w: size %d of %d", ErrIndex, older, head.Size)
	}
	if older == 0 {
		return nil, nil
	}
	p, err := tlog.ProveTree(head.Size, older, hashes(head, r))
	return Proof(p), tilesError(err)
}

// VerifyConsistency checks that the newer tree holds, first, the leaves of the older one.
// It returns ErrIndex or ErrConsistency.
func VerifyConsistency(older, newer Head, p Proof) error {
	if older.Size < 0 || older.Size > newer.Size || newer.Size > maxSize {
		return fmt.Errorf("%w: size %d of %d", ErrIndex, older.Size, newer.Size)
	}
	if older.Size == 0 {
		if older != EmptyHead() || len(p) > 0 || newer.Size == 0 && older != newer {
			return fmt.Errorf("%w: from the empty tree", ErrConsistency)
		}
		return nil
	}
	err := tlog.CheckTree(tlog.TreeProof(p), newer.Size, newer.Root, older.Size, older.Root)
	if err != nil {
		return fmt.Errorf("%w: sizes %d and %d", ErrConsistency, older.Size, newer.Size)
	}
	return nil
}

// hashes returns the hashes of the tree, each checked against its root as it is read.
func hashes(head Head, r TileReader) tlog.HashReader {
	return tlog.TileHashReader(tlog.Tree{N: head.Size, Hash: head.Root}, tiles{r})
}

// errRead carries an error of the TileReader through tlog.
type errRead struct{ error }

// tilesError says of an error of tlog whether the reader failed or the tiles are wrong.
func tilesError(err error) error {
	var read errRead
	switch {
	case err == nil:
		return nil
	case errors.As(err, &read):
		return read.error
	default:
		return fmt.Errorf("%w: %w", ErrTiles, err)
	}
}

// tiles gives tlog the tiles of a TileReader.
type tiles struct{ r TileReader }

func (tiles) Height() int { return tileHeight }

// SaveTiles has nothing to do: the tiles come from the store already.
func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t tiles) ReadTiles(list []tlog.Tile) ([][]byte, error) {
	ids, widths := make([]TileID, len(list)), make([]int, len(list))
	for i, tile := range list {
		ids[i], widths[i] = TileID{tile.L, tile.N}, tile.W
	}
	data, err := readWidths(ids, widths, t.r)
	if err != nil {
		return nil, errRead{err}
	}
	return data, nil
}
