package journal

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"boulier/regs/regstest"

	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"
)

// memory is a store of tiles; broken makes it fail.
type memory struct {
	tiles  map[TileID][]byte
	broken error
	short  bool // it forgets the last tile asked for
}

func (m *memory) ReadTiles(ids []TileID) (data [][]byte, err error) {
	for _, id := range ids {
		data = append(data, m.tiles[id])
	}
	if m.short {
		data = data[:len(data)-1]
	}
	return data, m.broken
}

func (m *memory) write(tiles []Tile) {
	for _, t := range tiles {
		m.tiles[t.ID] = t.Data
	}
}

// leafHash is the hash of leaf i of a test tree.
func leafHash(i int64) Hash { return LeafHash(fmt.Appendf(nil, "leaf %d", i)) }

func leafHashes(from, to int64) (list []Hash) {
	for i := from; i < to; i++ {
		list = append(list, leafHash(i))
	}
	return list
}

// grow returns a store that holds the tree of the size, made in steps, and its head.
func grow(t fatal, size int64, step func() int64) (*memory, Head) {
	t.Helper()
	m, head := &memory{tiles: map[TileID][]byte{}}, EmptyHead()
	for head.Size < size {
		next, tiles, err := Extend(head, leafHashes(head.Size, min(size, head.Size+step())), m)
		if err != nil {
			t.Fatal(err)
		}
		m.write(tiles)
		head = next
	}
	return m, head
}

// fatal is what testing.T and rapid.T have alike.
type fatal interface {
	Helper()
	Fatal(args ...any)
}

func by(n int64) func() int64 { return func() int64 { return n } }

// bytesOf turns a proof into the form of the other implementation.
func bytesOf(p Proof) (list [][]byte) {
	for _, h := range p {
		list = append(list, h[:])
	}
	return list
}

// refTree keeps every node, as tlog does without tiles.
type refTree []Hash

func (r refTree) ReadHashes(indexes []int64) (list []Hash, err error) {
	for _, i := range indexes {
		list = append(list, r[i])
	}
	return list, nil
}

func reference(t fatal, size int64) (r refTree) {
	t.Helper()
	for i := range size {
		more, err := tlog.StoredHashesForRecordHash(i, leafHash(i), r)
		if err != nil {
			t.Fatal(err)
		}
		r = append(r, more...)
	}
	return r
}

// TestExtend_IsTheSameInAnySteps grows a tree in any batches: its root and tiles are those
// that the whole tree has.
func TestExtend_IsTheSameInAnySteps(t *testing.T) {
	t.Parallel()
	ref := reference(t, 1500)
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(0, 1500).Draw(t, "size")
		steps := rapid.Int64Range(1, 700)
		m, head := grow(t, size, func() int64 { return steps.Draw(t, "step") })
		want, err := tlog.TreeHash(size, ref)
		if err != nil {
			t.Fatal(err)
		}
		if head.Root != want || head.Size != size {
			t.Fatalf("head is %v, want %d %v", head, size, want)
		}
		for _, tile := range tlog.NewTiles(tileHeight, 0, size) {
			data, err := tlog.ReadTileData(tile, ref)
			if err != nil {
				t.Fatal(err)
			}
			if string(m.tiles[TileID{tile.L, tile.N}]) != string(data) {
				t.Errorf("tile %d of level %d differs", tile.N, tile.L)
			}
		}
	})
}

// TestExtend_WritesLittle checks that one more leaf rewrites one tile of each level at most.
func TestExtend_WritesLittle(t *testing.T) {
	t.Parallel()
	m, head := grow(t, 65_535, by(5000))
	_, tiles, err := Extend(head, leafHashes(65_535, 65_536), m)
	if err != nil || len(tiles) != 3 {
		t.Errorf("%d tiles written for the leaf that fills two levels, %v", len(tiles), err)
	}
}

// TestProve_AgreesWithAnotherImplementation has proofs of any tree checked by
// transparency-dev/merkle, from a store that may hold a larger tree by now.
func TestProve_AgreesWithAnotherImplementation(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:52")
	ref := reference(t, 1500)
	m, _ := grow(t, 1500, by(1500))
	head := func(t fatal, size int64) Head {
		root, err := tlog.TreeHash(size, ref)
		if err != nil {
			t.Fatal(err)
		}
		return Head{size, root}
	}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 1500).Draw(t, "size")
		index := rapid.Int64Range(0, size-1).Draw(t, "index")
		older := rapid.Int64Range(0, size).Draw(t, "older")
		now, then, leaf := head(t, size), head(t, older), leafHash(index)
		p, err := ProveInclusion(now, index, m)
		if err != nil {
			t.Fatal(err)
		}
		if err := VerifyInclusion(now, index, leaf, p); err != nil {
			t.Error(err)
		}
		if err := proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(index), uint64(size),
			leaf[:], bytesOf(p), now.Root[:]); err != nil {
			t.Errorf("the other implementation: %v", err)
		}
		c, err := ProveConsistency(older, now, m)
		if err != nil {
			t.Fatal(err)
		}
		if err := VerifyConsistency(then, now, c); err != nil {
			t.Error(err)
		}
		if err := proof.VerifyConsistency(rfc6962.DefaultHasher, uint64(older), uint64(size),
			bytesOf(c), then.Root[:], now.Root[:]); err != nil {
			t.Errorf("the other implementation: %v", err)
		}
	})
}

// TestVerify_RefusesEveryFlippedByte changes each byte of each hash that is verified, and
// takes hashes away.
func TestVerify_RefusesEveryFlippedByte(t *testing.T) {
	t.Parallel()
	m, now := grow(t, 1000, by(300))
	_, then := grow(t, 600, by(600))
	p, err := ProveInclusion(now, 777, m)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ProveConsistency(600, now, m)
	if err != nil {
		t.Fatal(err)
	}
	leaf := leafHash(777)
	check := func(what string) {
		t.Helper()
		if err := VerifyInclusion(now, 777, leaf, p); !errors.Is(err, ErrInclusion) {
			t.Errorf("%s: inclusion: %v", what, err)
		}
		if err := VerifyConsistency(then, now, c); !errors.Is(err, ErrConsistency) {
			t.Errorf("%s: consistency: %v", what, err)
		}
	}
	for i := range 32 {
		for k := range p {
			p[k][i] ^= 1
			if VerifyInclusion(now, 777, leaf, p) == nil {
				t.Errorf("byte %d of hash %d of the proof flipped and accepted", i, k)
			}
			p[k][i] ^= 1
		}
		for k := range c {
			c[k][i] ^= 1
			if VerifyConsistency(then, now, c) == nil {
				t.Errorf("byte %d of hash %d of the proof flipped and accepted", i, k)
			}
			c[k][i] ^= 1
		}
		now.Root[i] ^= 1
		check(fmt.Sprintf("byte %d of the root", i))
		now.Root[i] ^= 1
		leaf[i] ^= 1
		then.Root[i] ^= 1
		check(fmt.Sprintf("byte %d of leaf and old root", i))
		leaf[i] ^= 1
		then.Root[i] ^= 1
	}
	p, c = p[1:], c[1:]
	check("a hash less")
}

func TestVerify_Refusals(t *testing.T) {
	t.Parallel()
	_, now := grow(t, 10, by(10))
	lie := Head{0, sha256.Sum256([]byte("lie"))}
	for _, tc := range []struct {
		name string
		err  error
		want error
	}{
		{"index below", VerifyInclusion(now, -1, Hash{}, nil), ErrIndex},
		{"index above", VerifyInclusion(now, 10, Hash{}, nil), ErrIndex},
		{"a size beyond reason", VerifyInclusion(Head{1 << 62, Hash{}}, 1, Hash{}, nil), ErrIndex},
		{"newer than new", VerifyConsistency(Head{11, Hash{}}, now, nil), ErrIndex},
		{"sizes beyond reason", VerifyConsistency(Head{1, Hash{}}, Head{1 << 62, Hash{}}, nil), ErrIndex},
		{"an empty tree with another root", VerifyConsistency(lie, now, nil), ErrConsistency},
		{"from empty to empty with another root", VerifyConsistency(EmptyHead(), lie, nil), ErrConsistency},
		{"a proof from the empty tree", VerifyConsistency(EmptyHead(), now, Proof{{}}), ErrConsistency},
		{"the same size, another root", VerifyConsistency(Head{10, Hash{}}, now, nil), ErrConsistency},
	} {
		if !errors.Is(tc.err, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.name, tc.err, tc.want)
		}
	}
	if err := VerifyConsistency(EmptyHead(), now, nil); err != nil {
		t.Errorf("from the empty tree: %v", err)
	}
}

// TestTiles_RefusesEveryFlippedByte changes each byte of the tiles: no proof is made and no
// tree extended from them.
func TestTiles_RefusesEveryFlippedByte(t *testing.T) {
	t.Parallel()
	m, head := grow(t, 300, by(300))
	for id, data := range m.tiles {
		for i := range data {
			data[i] ^= 0x80
			// A leaf in the tile, or under it.
			index := id.Index * tileWidth
			if id.Level == 0 {
				index += int64(i) / tlog.HashSize
			}
			if _, err := ProveInclusion(head, index, m); !errors.Is(err, ErrTiles) {
				t.Fatalf("tile %v, byte %d: inclusion: %v", id, i, err)
			}
			if onEdge := len(data) < tileWidth*tlog.HashSize; onEdge {
				if _, _, err := Extend(head, leafHashes(300, 301), m); !errors.Is(err, ErrTiles) {
					t.Fatalf("tile %v, byte %d: extend: %v", id, i, err)
				}
			}
			data[i] ^= 0x80
		}
	}
}

func TestTiles_ReaderFailures(t *testing.T) {
	t.Parallel()
	disk := errors.New("disk")
	for _, tc := range []struct {
		name   string
		change func(m *memory)
		want   error
	}{
		{"the reader fails", func(m *memory) { m.broken = disk }, disk},
		{"a tile is not given", func(m *memory) { m.short = true }, ErrTiles},
		{"a tile is too short", func(m *memory) { m.tiles[TileID{0, 2}] = nil }, ErrTiles},
	} {
		m, head := grow(t, 600, by(600))
		tc.change(m)
		if _, err := ProveInclusion(head, 599, m); !errors.Is(err, tc.want) {
			t.Errorf("%s: inclusion: %v", tc.name, err)
		}
		if _, err := ProveConsistency(300, head, m); !errors.Is(err, tc.want) {
			t.Errorf("%s: consistency: %v", tc.name, err)
		}
		if _, _, err := Extend(head, leafHashes(600, 601), m); !errors.Is(err, tc.want) {
			t.Errorf("%s: extend: %v", tc.name, err)
		}
	}
	m, head := grow(t, 3, by(3))
	if _, err := ProveInclusion(head, 3, m); !errors.Is(err, ErrIndex) {
		t.Errorf("a leaf beyond: %v", err)
	}
	if _, err := ProveConsistency(4, head, m); !errors.Is(err, ErrIndex) {
		t.Errorf("a size beyond: %v", err)
	}
	if _, _, err := Extend(Head{maxSize, Hash{}}, leafHashes(0, 1), m); err == nil {
		t.Error("a tree beyond reason was extended")
	}
}

func FuzzVerifyProofs(f *testing.F) {
	m, now := grow(f, 1000, by(300))
	p, _ := ProveInclusion(now, 777, m)
	var flat []byte
	for _, h := range p {
		flat = append(flat, h[:]...)
	}
	f.Add(int64(1000), int64(777), flat)
	f.Add(int64(1)<<62, int64(1), flat)
	f.Fuzz(func(t *testing.T, size, index int64, flat []byte) {
		var p Proof
		for len(flat) >= 32 {
			p, flat = append(p, Hash(flat[:32])), flat[32:]
		}
		head, leaf := Head{size, now.Root}, leafHash(777)
		err := VerifyInclusion(head, index, leaf, p)
		if err == nil && proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(index),
			uint64(size), leaf[:], bytesOf(p), now.Root[:]) != nil {
			t.Error("accepted an inclusion that the other implementation refuses")
		}
		older := Head{index, leaf}
		if VerifyConsistency(older, head, p) == nil && proof.VerifyConsistency(
			rfc6962.DefaultHasher, uint64(index), uint64(size), bytesOf(p), leaf[:],
			now.Root[:]) != nil {
			t.Error("accepted a consistency that the other implementation refuses")
		}
	})
}

func BenchmarkExtend(b *testing.B) {
	m, head := grow(b, 100_000, by(10_000))
	more := leafHashes(100_000, 100_500)
	for b.Loop() {
		if _, _, err := Extend(head, more, m); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/500, "ns/leaf")
}

func BenchmarkProveInclusion(b *testing.B) {
	m, head := grow(b, 100_000, by(10_000))
	for b.Loop() {
		if _, err := ProveInclusion(head, 54_321, m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewLeaf(b *testing.B) {
	payload := make([]byte, 150)
	for b.Loop() {
		if _, err := NewLeaf(ball, Salt{}, payload); err != nil {
			b.Fatal(err)
		}
	}
}
