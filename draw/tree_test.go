package draw

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"boulier/regs/regstest"

	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"pgregory.net/rapid"
)

// leafAt is a leaf of a test tree.
func leafAt(i int) Hash {
	return sha256.Sum256(binary.LittleEndian.AppendUint64(nil, uint64(i)))
}

// otherRoot returns the root over the leaves as another implementation makes it.
func otherRoot(t *testing.T, size int) []byte {
	t.Helper()
	r := (&compact.RangeFactory{Hash: rfc6962.DefaultHasher.HashChildren}).NewEmptyRange(0)
	for i := range size {
		h := leafAt(i)
		if err := r.Append(h[:], nil); err != nil {
			t.Fatal(err)
		}
	}
	root, err := r.GetRootHash(nil)
	if err != nil {
		t.Fatal(err)
	}
	if size == 0 {
		return rfc6962.DefaultHasher.EmptyRoot()
	}
	return root
}

// split32 cuts a proof into its hashes.
func split32(p Proof) [][]byte { return slices.Collect(slices.Chunk([]byte(p), 32)) }

// TestTree_AgreesWithAnotherImplementation compares roots and proofs with those of
// transparency-dev/merkle around every edge of a stored node.
func TestTree_AgreesWithAnotherImplementation(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 2, 3, 7, 255, 256, 257, 511, 512, 513, 700, 1025} {
		tree := NewTree(size, leafAt)
		root := tree.Root()
		if want := otherRoot(t, size); !bytes.Equal(root[:], want) {
			t.Errorf("root of %d leaves is %s, want %x", size, root, want)
		}
		stored, err := ParseTree(size, tree.Level())
		if err != nil || stored.Root() != root {
			t.Errorf("%d leaves: the stored level gives another tree: %v", size, err)
		}
		for i := 0; i < size; i += 1 + size/300 {
			p, err := stored.Prove(i, leafAt)
			if err != nil {
				t.Fatal(err)
			}
			leaf := leafAt(i)
			err = proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(i), uint64(size),
				leaf[:], split32(p), root[:])
			if err != nil {
				t.Errorf("leaf %d of %d: the other implementation refuses: %v", i, size, err)
			}
			if err := VerifyLeaf(root, size, i, leaf, p); err != nil {
				t.Errorf("leaf %d of %d: %v", i, size, err)
			}
		}
	}
}

// TestProof_IsNotLongerThanPromised holds the bound of 32·⌈log₂ N⌉ bytes.
func TestProof_IsNotLongerThanPromised(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 3000).Draw(t, "size")
		i := rapid.IntRange(0, size-1).Draw(t, "index")
		p, err := NewTree(size, leafAt).Prove(i, leafAt)
		if err != nil {
			t.Fatal(err)
		}
		levels := 0
		for 1<<levels < size {
			levels++
		}
		if len(p) > 32*levels {
			t.Errorf("%d bytes for %d leaves", len(p), size)
		}
	})
}

func TestTree_Refusals(t *testing.T) {
	t.Parallel()
	tree := NewTree(300, leafAt)
	proof, _ := tree.Prove(7, leafAt)
	for _, tc := range []struct {
		name string
		err  func() error
		want error
	}{
		{"index below", func() error { _, err := tree.Prove(-1, leafAt); return err }, ErrIndex},
		{"index above", func() error { _, err := tree.Prove(300, leafAt); return err }, ErrIndex},
		{"leaves of another tree", func() error {
			_, err := tree.Prove(0, func(i int) Hash { return leafAt(i + 1) })
			return err
		}, ErrLeaves},
		{"level of another size", func() error {
			_, err := ParseTree(600, tree.Level())
			return err
		}, ErrLevel},
		{"negative size", func() error { _, err := ParseTree(-1, nil); return err }, ErrLevel},
		{"proof for an index outside", func() error {
			return VerifyLeaf(tree.Root(), 300, 300, leafAt(7), proof)
		}, ErrIndex},
		{"proof for another index", func() error {
			return VerifyLeaf(tree.Root(), 300, 6, leafAt(7), proof)
		}, ErrProof},
		{"a hash cut", func() error {
			return VerifyLeaf(tree.Root(), 300, 7, leafAt(7), proof[1:])
		}, ErrProof},
		{"a hash missing", func() error {
			return VerifyLeaf(tree.Root(), 300, 7, leafAt(7), proof[32:])
		}, ErrProof},
	} {
		if err := tc.err(); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.name, err, tc.want)
		}
	}
}

// block returns a small block for tests.
func block(t *testing.T) *Block {
	t.Helper()
	b, err := NewBlock("block-1", []int{900, 60, 39, 1}, secretOf("block"), []byte("table"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestArt2_NewBlock checks that a block is exactly its table, whatever the secret.
func TestArt2_NewBlock(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "instant:3", "std:37")
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(0, 200), 1, 8).Draw(t, "counts")
		counts[0]++
		secret := secretOf(rapid.String().Draw(t, "secret"))
		b, err := NewBlock("b", counts, secret, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]int, len(counts))
		for i := range b.Size() {
			got[b.Unit(i).Outcome]++
		}
		if !slices.Equal(got, counts) {
			t.Errorf("the block holds %v, want %v", got, counts)
		}
	})
}

func TestNewBlock_Refusals(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		counts []int
	}{
		{"no outcome", nil},
		{"no unit", []int{0, 0}},
		{"a negative count", []int{5, -1}},
		{"too many units", []int{MaxBlock, 1}},
		{"a count that would overflow", []int{1, int(^uint(0) >> 1)}},
		{"more outcomes than a leaf can say", make([]int, 1<<16+1)},
	} {
		if _, err := NewBlock("b", tc.counts, Secret{}, nil); !errors.Is(err, ErrCounts) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestVerifyUnit_RefusesEveryFlippedBit changes each bit of each thing that is verified.
func TestVerifyUnit_RefusesEveryFlippedBit(t *testing.T) {
	t.Parallel()
	b := block(t)
	tree := b.Tree()
	root, u := tree.Root(), b.Unit(777)
	p, err := tree.Prove(u.Index, b.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	if err := VerifyUnit("block-1", root, b.Size(), u, p); err != nil {
		t.Fatal(err)
	}
	flip := func(what string, bits int, verify func(bit int) error) {
		for bit := range bits {
			if verify(bit) == nil {
				t.Errorf("%s: bit %d flipped and accepted", what, bit)
			}
		}
	}
	flip("proof", 8*len(p), func(bit int) error {
		q := slices.Clone(p)
		q[bit/8] ^= 1 << (bit % 8)
		return VerifyUnit("block-1", root, b.Size(), u, q)
	})
	flip("root", 256, func(bit int) error {
		r := root
		r[bit/8] ^= 1 << (bit % 8)
		return VerifyUnit("block-1", r, b.Size(), u, p)
	})
	flip("seed", 256, func(bit int) error {
		v := u
		v.Seed[bit/8] ^= 1 << (bit % 8)
		return VerifyUnit("block-1", root, b.Size(), v, p)
	})
	flip("outcome", 16, func(bit int) error {
		v := u
		v.Outcome ^= 1 << bit
		return VerifyUnit("block-1", root, b.Size(), v, p)
	})
	flip("index", 32, func(bit int) error {
		v := u
		v.Index ^= 1 << bit
		return VerifyUnit("block-1", root, b.Size(), v, p)
	})
	flip("block", 56, func(bit int) error {
		id := []byte("block-1")
		id[bit/8] ^= 1 << (bit % 8)
		return VerifyUnit(ID(id), root, b.Size(), u, p)
	})
}

// FuzzVerifyLeaf checks that a verifier never panics and accepts only what the other
// implementation accepts.
func FuzzVerifyLeaf(f *testing.F) {
	p, _ := NewTree(300, leafAt).Prove(7, leafAt)
	f.Add(300, 7, []byte(p))
	f.Add(0, 0, []byte{})
	f.Fuzz(func(t *testing.T, size, index int, p []byte) {
		root, leaf := NewTree(300, leafAt).Root(), leafAt(7)
		err := VerifyLeaf(root, size, index, leaf, p)
		if size < 0 || index < 0 || len(p)%32 != 0 {
			if err == nil {
				t.Error("accepted what has no meaning")
			}
			return
		}
		other := proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(index), uint64(size),
			leaf[:], split32(p), root[:])
		if (err == nil) != (other == nil) {
			t.Errorf("we say %v, the other says %v", err, other)
		}
	})
}

const benchUnits = 1_500_000

func benchCounts() []int { return []int{benchUnits - 404_463, 404_463} }

func BenchmarkShuffle1500000(b *testing.B) {
	list := make([]uint16, benchUnits)
	for b.Loop() {
		Shuffle(NewStream(InstantOrder, "b", secretOf("k"), nil), list)
	}
}

func BenchmarkNewBlock1500000(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = NewBlock("01890a5d-ac96-774b-bcce-b302099a8057", benchCounts(), secretOf("k"), nil)
	}
}

func BenchmarkTree1500000(b *testing.B) {
	b.ReportAllocs()
	bl, _ := NewBlock("01890a5d-ac96-774b-bcce-b302099a8057", benchCounts(), secretOf("k"), nil)
	for b.Loop() {
		bl.Tree()
	}
}

func BenchmarkProve(b *testing.B) {
	bl, _ := NewBlock("b", benchCounts(), secretOf("k"), nil)
	tree := bl.Tree()
	for b.Loop() {
		_, _ = tree.Prove(1_234_567, bl.Leaf)
	}
}

func BenchmarkFaceSource(b *testing.B) {
	for b.Loop() {
		NewFaceKey(Seed{}).Source(0).Uint64n(6)
	}
}
