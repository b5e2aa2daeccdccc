package draw

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// newCipher returns AES-256 under HKDF-SHA-256(S, salt, "boulier/v1/" ‖ use ‖ "/" ‖ id).
func newCipher(use Use, id ID, s Secret, salt []byte) cipher.Block {
	info := "boulier/v1/" + string(use) + "/" + string(id)
	key, err := hkdf.Key(sha256.New, s[:], salt, info, 32)
	if err != nil {
		panic(err) // only a key of more than 255 digests is refused
	}
	return cipherOf(key)
}

// cipherOf returns AES-256 under a key of 32 bytes.
func cipherOf(key []byte) cipher.Block {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // only a key of another length is refused
	}
	return block
}

// A Stream is the keystream of AES-256-CTR from a zero counter, read from its start. It
// is for one goroutine.
type Stream struct {
	ctr  cipher.Stream
	buf  [256]byte
	next int // the first byte of buf that was not taken; len(buf) when none is left
}

// NewStream returns the stream of the use and id under the secret. The salt is the public
// part of the draw, which its use defines in docs/verify.md: for a round the cards sold,
// which nobody knows when the secret is drawn. It may be nil.
func NewStream(use Use, id ID, s Secret, salt []byte) *Stream {
	return newStream(newCipher(use, id, s, salt))
}

// newStream returns the keystream of the cipher from a zero counter.
func newStream(block cipher.Block) *Stream {
	s := &Stream{ctr: cipher.NewCTR(block, make([]byte, aes.BlockSize))}
	s.next = len(s.buf)
	return s
}

// Read fills p with the next bytes of the keystream. It never fails.
func (s *Stream) Read(p []byte) (int, error) {
	for n := 0; n < len(p); {
		if s.next == len(s.buf) {
			clear(s.buf[:])
			s.ctr.XORKeyStream(s.buf[:], s.buf[:])
			s.next = 0
		}
		k := copy(p[n:], s.buf[s.next:])
		s.next += k
		n += k
	}
	return len(p), nil
}

// Uint64 returns the next eight bytes as a little-endian number.
func (s *Stream) Uint64() uint64 {
	if s.next+8 <= len(s.buf) {
		s.next += 8
		return binary.LittleEndian.Uint64(s.buf[s.next-8:])
	}
	var word [8]byte
	_, _ = s.Read(word[:])
	return binary.LittleEndian.Uint64(word[:])
}

// Uint64n returns a number in [0, n), each equally likely: the high half of x × n, where a
// word x is thrown away when the low half is below 2⁶⁴ mod n (Lemire's method with
// rejection). It panics when n is zero, for nothing can be drawn from nothing.
func (s *Stream) Uint64n(n uint64) uint64 {
	if n == 0 {
		panic("draw: Uint64n of zero")
	}
	for {
		if number, ok := below(s.Uint64(), n); ok {
			return number
		}
	}
}

// below returns the number below n that a word x gives, or false if x is thrown away.
func below(x, n uint64) (uint64, bool) {
	high, low := bits.Mul64(x, n)
	// Only where low is below n can it be below 2⁶⁴ mod n, which costs a division.
	return high, low >= n || low >= -n%n
}

// A Source gives bounded numbers. Stream is the one that decides results.
type Source interface {
	Uint64n(n uint64) uint64
}

// Shuffle puts the elements of list in an order drawn from src, each order equally
// likely: Fisher–Yates from the last index down, one Uint64n(i+1) for each index i ≥ 1.
func Shuffle[E any](src Source, list []E) {
	for i := len(list) - 1; i > 0; i-- {
		j := src.Uint64n(uint64(i) + 1)
		list[i], list[j] = list[j], list[i]
	}
}
