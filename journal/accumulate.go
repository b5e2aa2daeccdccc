package journal

import "golang.org/x/mod/sumdb/tlog"

// An Accumulator computes the tree over leaves that go by once, keeping one hash for each
// level. The zero Accumulator has no leaf.
type Accumulator struct {
	size int64
	full []Hash // roots of the full subtrees on the right edge, the largest first
}

// Add adds the hash of the next leaf.
func (a *Accumulator) Add(leaf Hash) {
	for n := a.size; n&1 == 1; n >>= 1 { // each one bit is a subtree that is joined now
		last := len(a.full) - 1
		leaf = tlog.NodeHash(a.full[last], leaf)
		a.full = a.full[:last]
	}
	a.full = append(a.full, leaf)
	a.size++
}

// Head returns the tree over the leaves added so far.
func (a *Accumulator) Head() Head {
	if a.size == 0 {
		return EmptyHead()
	}
	last := len(a.full) - 1
	root := a.full[last]
	for i := last - 1; i >= 0; i-- {
		root = tlog.NodeHash(a.full[i], root)
	}
	return Head{a.size, root}
}
