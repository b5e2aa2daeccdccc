package draw

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
)

// A FaceKey draws the faces of a unit: AES-256 under the key
// SHA-256("boulier/v1/instant/face\n" ‖ seed), so that whoever holds the seed can draw
// them again. The seed was derived for this unit alone, so that one hash does here what
// HKDF does for a secret, and a whole block can be audited in seconds.
type FaceKey struct{ block cipher.Block }

// NewFaceKey returns the key of the unit that has the seed.
func NewFaceKey(seed Seed) FaceKey {
	key := sha256.Sum256(append([]byte("boulier/v1/instant/face\n"), seed[:]...))
	return FaceKey{cipherOf(key[:])}
}

// Source returns the numbers that draw the face on a board, counted from 1, or of a game
// that has no boards, 0: the keystream in counter mode from the counter block whose first
// eight bytes are the board, big-endian, and the rest zero. No two boards share a block of
// it, so that what one shows tells nothing of another (reading I3).
func (k FaceKey) Source(board int) *FaceSource {
	s := &FaceSource{block: k.block, next: aes.BlockSize}
	binary.BigEndian.PutUint64(s.counter[:], uint64(board))
	return s
}

// A FaceSource is the keystream of a face. It is for one goroutine. Unlike Stream it makes
// no more than it gives: a face takes a few words.
type FaceSource struct {
	block   cipher.Block
	counter [aes.BlockSize]byte
	buf     [aes.BlockSize]byte
	next    int // the first byte of buf that was not taken
}

// Uint64n returns a number in [0, n), each equally likely, as that of Stream does.
func (s *FaceSource) Uint64n(n uint64) uint64 {
	if n == 0 {
		panic("draw: Uint64n of zero")
	}
	for {
		if s.next == len(s.buf) {
			s.block.Encrypt(s.buf[:], s.counter[:])
			binary.BigEndian.PutUint64(s.counter[8:], binary.BigEndian.Uint64(s.counter[8:])+1)
			s.next = 0
		}
		word := binary.LittleEndian.Uint64(s.buf[s.next:])
		s.next += 8
		if number, ok := below(word, n); ok {
			return number
		}
	}
}
