package draw

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// perNode is how many leaves stand under one stored node of a Tree.
const perNode = 256

// A Tree is the Merkle tree of RFC 6962 over a fixed number of leaves. It keeps one level
// only, the roots of the subtrees of 256 leaves (188 kB for 1 500 000 leaves): a proof
// makes the leaves of its own subtree again.
type Tree struct {
	size  int
	nodes []tlog.Hash
}

// NewTree makes the tree of size leaves, asking for each leaf once, in order.
func NewTree(size int, leaf func(i int) Hash) *Tree {
	t := &Tree{size: size, nodes: make([]tlog.Hash, 0, (size+perNode-1)/perNode)}
	for at := 0; at < size; at += perNode {
		t.nodes = append(t.nodes, rootOf(t.subtree(at, leaf)))
	}
	return t
}

// ErrLevel refuses a stored level that is not that of a tree of the size said.
var ErrLevel = errors.New("draw: not the stored level of a tree of this size")

// ParseTree makes the tree of size leaves from what Level returned. It returns ErrLevel.
func ParseTree(size int, level []byte) (*Tree, error) {
	if size < 0 || len(level) != (size+perNode-1)/perNode*tlog.HashSize {
		return nil, fmt.Errorf("%w: %d bytes for %d leaves", ErrLevel, len(level), size)
	}
	t := &Tree{size: size, nodes: make([]tlog.Hash, len(level)/tlog.HashSize)}
	for i := range t.nodes {
		copy(t.nodes[i][:], level[i*tlog.HashSize:])
	}
	return t, nil
}

// Level returns what must be stored to make proofs later: 32 bytes for 256 leaves.
func (t *Tree) Level() []byte {
	level := make([]byte, 0, len(t.nodes)*tlog.HashSize)
	for _, h := range t.nodes {
		level = append(level, h[:]...)
	}
	return level
}

// Size returns the number of leaves.
func (t *Tree) Size() int { return t.size }

// Root returns the root of the tree; for no leaf at all, that of RFC 6962.
func (t *Tree) Root() Hash { return Hash(rootOf(t.nodes)) }

// A Proof shows that a leaf stands at an index of a tree: the hashes beside the path from
// the leaf to the root, 32 bytes each, the deepest first; at most ⌈log₂ size⌉ of them.
type Proof []byte

// ErrIndex refuses an index outside the tree.
var ErrIndex = errors.New("draw: no leaf of this index")

// ErrLeaves refuses to prove with leaves that are not those the tree was made of.
var ErrLeaves = errors.New("draw: these leaves are not those of the tree")

// Prove returns the proof of the leaf at index, asking leaf for the 256 leaves at most that
// share its subtree. It returns ErrIndex, or ErrLeaves when they are not those of the tree.
func (t *Tree) Prove(index int, leaf func(i int) Hash) (Proof, error) {
	if index < 0 || index >= t.size {
		return nil, fmt.Errorf("%w: %d of %d", ErrIndex, index, t.size)
	}
	leaves := t.subtree(index-index%perNode, leaf)
	if rootOf(leaves) != t.nodes[index/perNode] {
		return nil, fmt.Errorf("%w: around index %d", ErrLeaves, index)
	}
	proof := appendPath(nil, leaves, index%perNode)
	return appendPath(proof, t.nodes, index/perNode), nil
}

// subtree returns the leaves under the node whose first leaf is at.
func (t *Tree) subtree(at int, leaf func(i int) Hash) []tlog.Hash {
	leaves := make([]tlog.Hash, 0, perNode)
	for i := at; i < min(at+perNode, t.size); i++ {
		leaves = append(leaves, tlog.Hash(leaf(i)))
	}
	return leaves
}

// ErrProof refuses a proof that does not lead from the leaf at that index to the root.
var ErrProof = errors.New("draw: the proof does not lead from this unit to the root")

// VerifyLeaf checks that the leaf stands at index of the tree with this root and size. It
// returns ErrIndex, also for a size beyond that of any block, or ErrProof.
func VerifyLeaf(root Hash, size, index int, leaf Hash, p Proof) error {
	if index < 0 || index >= size || size > MaxBlock {
		return fmt.Errorf("%w: %d of %d", ErrIndex, index, size)
	}
	if len(p)%tlog.HashSize != 0 {
		return fmt.Errorf("%w: %d bytes are not whole hashes", ErrProof, len(p))
	}
	path := make(tlog.RecordProof, len(p)/tlog.HashSize)
	for i := range path {
		copy(path[i][:], p[i*tlog.HashSize:])
	}
	err := tlog.CheckRecord(path, int64(size), tlog.Hash(root), int64(index), tlog.Hash(leaf))
	if err != nil {
		return ErrProof
	}
	return nil
}

// split returns the largest power of two below n, which is at least two: how many nodes
// the left side of a tree has.
func split(n int) int {
	k := 1
	for 2*k < n {
		k *= 2
	}
	return k
}

// rootOf returns the root of the tree over the nodes. Nodes may stand for full subtrees of
// one size, the last one for a smaller subtree: the shape of RFC 6962 is the same.
func rootOf(nodes []tlog.Hash) tlog.Hash {
	switch len(nodes) {
	case 0:
		root, _ := tlog.TreeHash(0, nil) // reads nothing, so it cannot fail
		return root
	case 1:
		return nodes[0]
	}
	k := split(len(nodes))
	return tlog.NodeHash(rootOf(nodes[:k]), rootOf(nodes[k:]))
}

// appendPath appends the hashes beside the path from node i to the root, deepest first.
func appendPath(p Proof, nodes []tlog.Hash, i int) Proof {
	if len(nodes) == 1 {
		return p
	}
	k := split(len(nodes))
	beside := nodes[k:]
	if i < k {
		p = appendPath(p, nodes[:k], i)
	} else {
		p = appendPath(p, nodes[k:], i-k)
		beside = nodes[:k]
	}
	h := rootOf(beside)
	return append(p, h[:]...)
}
