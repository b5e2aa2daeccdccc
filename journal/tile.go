package journal

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// tileHeight is the height of the tiles, tileWidth how many hashes a full one has.
const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
)

// maxSize bounds the leaves of a tree: far above any real one, and low enough that the
// arithmetic on a hostile size cannot overflow.
const maxSize = 1 << 48

// A Head says which tree is meant: its number of leaves and its root. The zero Head is no
// tree; EmptyHead is the tree before the first leaf.
type Head struct {
	Size int64
	Root Hash
}

// EmptyHead returns the tree before the first leaf.
func EmptyHead() Head {
	root, _ := tlog.TreeHash(0, nil) // reads nothing, so it cannot fail
	return Head{0, root}
}

// A TileID names a tile. Tile i of level l holds hashes 256·i to 256·i+255 of the nodes
// that stand 8·l above the leaves. A tile that is not full yet holds the first of them.
type TileID struct {
	Level int
	Index int64
}

// A Tile is what is stored under a TileID: 32 bytes for each of its 1 to 256 hashes. A
// tile only ever grows.
type Tile struct {
	ID   TileID
	Data []byte
}

// A TileReader returns the data of the tiles named, in that order. A tile may be wider
// than the tree in question needs, since it only grows.
type TileReader interface {
	ReadTiles(ids []TileID) ([][]byte, error)
}

// ErrTiles refuses tiles that do not give the tree they should: some stored byte was lost
// or changed.
var ErrTiles = errors.New("journal: the stored tiles do not give this tree")

// Extend returns the tree that old becomes with the leaves added, and the tiles to write,
// whole: each takes the place of the stored one of its TileID, if there is one. It reads the
// tiles on the right edge of the old tree and returns ErrTiles when they do not give it.
func Extend(old Head, leaves []Hash, r TileReader) (Head, []Tile, error) {
	if old.Size < 0 || int64(len(leaves)) > maxSize-old.Size {
		return Head{}, nil, fmt.Errorf("%w: %d leaves and %d more", ErrIndex,
			old.Size, len(leaves))
	}
	edge, err := readEdge(old, r)
	if err != nil {
		return Head{}, nil, err
	}
	var written []Tile
	at, add := old.Size, leaves
	for level := 0; len(add) > 0; level++ {
		var above []Hash
		id := TileID{level, at / tileWidth}
		data := append([]byte(nil), edge[id]...)
		for i, h := range add {
			data = append(data, h[:]...)
			full := len(data) == tileWidth*tlog.HashSize
			if full || i == len(add)-1 {
				written = append(written, Tile{id, data})
				edge[id] = data
			}
			if full {
				above = append(above, tileRoot(data))
				data = nil
				id.Index++
			}
		}
		at, add = at/tileWidth, above
	}
	size := old.Size + int64(len(leaves))
	root, err := tlog.TreeHash(size, edge)
	if err != nil {
		return Head{}, nil, err
	}
	return Head{size, root}, written, nil
}

// tileRoot returns the root over the hashes of a full tile.
func tileRoot(data []byte) Hash {
	if len(data) == tlog.HashSize {
		return Hash(data)
	}
	half := len(data) / 2
	return tlog.NodeHash(tileRoot(data[:half]), tileRoot(data[half:]))
}

// tileMap holds tiles in memory and gives tlog their hashes.
type tileMap map[TileID][]byte

// readEdge reads the tiles on the right edge of a tree that are not full, checks that they
// give its root, and returns them.
func readEdge(head Head, r TileReader) (tileMap, error) {
	var ids []TileID
	var widths []int
	for level, n := 0, head.Size; n > 0; level, n = level+1, n/tileWidth {
		if n%tileWidth > 0 {
			ids = append(ids, TileID{level, n / tileWidth})
			widths = append(widths, int(n%tileWidth))
		}
	}
	edge := tileMap{}
	if len(ids) > 0 {
		data, err := readWidths(ids, widths, r)
		if err != nil {
			return nil, err
		}
		for i, id := range ids {
			edge[id] = data[i]
		}
	}
	root, err := tlog.TreeHash(head.Size, edge)
	if err != nil {
		return nil, err
	}
	if root != head.Root {
		return nil, fmt.Errorf("%w: size %d", ErrTiles, head.Size)
	}
	return edge, nil
}

// readWidths reads tiles and cuts each to the width that a tree needs.
func readWidths(ids []TileID, widths []int, r TileReader) ([][]byte, error) {
	data, err := r.ReadTiles(ids)
	if err != nil {
		return nil, fmt.Errorf("journal: reading tiles: %w", err)
	}
	if len(data) != len(ids) {
		return nil, fmt.Errorf("%w: %d tiles of %d were read", ErrTiles, len(data), len(ids))
	}
	cut := make([][]byte, len(data))
	for i, d := range data {
		need := widths[i] * tlog.HashSize
		if len(d) < need {
			return nil, fmt.Errorf("%w: tile %d of level %d has %d bytes, not %d",
				ErrTiles, ids[i].Index, ids[i].Level, len(d), need)
		}
		cut[i] = d[:need]
	}
	return cut, nil
}

// ReadHashes returns hashes of nodes by their index in tlog.
func (m tileMap) ReadHashes(indexes []int64) ([]Hash, error) {
	list := make([]Hash, len(indexes))
	for i, x := range indexes {
		t := tlog.TileForIndex(tileHeight, x)
		data, ok := m[TileID{t.L, t.N}]
		if !ok || len(data) < t.W*tlog.HashSize {
			return nil, fmt.Errorf("%w: tile %d of level %d is missing", ErrTiles, t.N, t.L)
		}
		h, err := tlog.HashFromTile(t, data, x)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrTiles, err)
		}
		list[i] = h
	}
	return list, nil
}
