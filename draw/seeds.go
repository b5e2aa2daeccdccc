package draw

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
)

// A Seed is the secret of one unit: it hides the unit's leaf until the unit is exported,
// and gives the unit's face.
type Seed [32]byte

// Seeds is the keystream of a use read at any place: seed i is its bytes 32·i to 32·i+31.
// It may be used by several goroutines.
type Seeds struct{ block cipher.Block }

// NewSeeds returns the seeds of the use and id under the secret; see NewStream.
func NewSeeds(use Use, id ID, s Secret, salt []byte) Seeds {
	return Seeds{newCipher(use, id, s, salt)}
}

// At returns seed i, for i below 2⁶³.
func (s Seeds) At(i uint64) Seed {
	var seed [1]Seed
	s.Fill(seed[:], i)
	return seed[0]
}

// Fill sets the list to the seeds from seed i on.
func (s Seeds) Fill(list []Seed, i uint64) {
	// The counter is a big-endian 128-bit number of blocks, two of them to a seed.
	var counter [aes.BlockSize]byte
	binary.BigEndian.PutUint64(counter[8:], 2*i)
	ctr := cipher.NewCTR(s.block, counter[:])
	for k := range list {
		clear(list[k][:])
		ctr.XORKeyStream(list[k][:], list[k][:])
	}
}
