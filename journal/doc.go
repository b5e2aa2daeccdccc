// Package journal keeps every fact that matters in an order that nobody can change
// unseen: the exact bytes of a leaf, the Merkle tree over all leaves, its proofs, and the
// signed checkpoints.
//
// A Leaf says that something of a kind happened in a stream; what it was stands in a
// payload of which the leaf holds a salted digest only, so that a payload can be erased
// and every proof still holds. The tree is that of RFC 6962, kept in tiles of 256 hashes;
// a checkpoint is the text of C2SP tlog-checkpoint, signed as a note. docs/verify.md
// specifies each.
//
// It serves std:50 and std:52 (records that nobody changes unseen), and covers commitments
// of instant:3 and bingo:93.10 before the first stake.
//
// The package is pure: it stores nothing. Tiles are read through a TileReader, and what
// must be written is returned.
package journal
