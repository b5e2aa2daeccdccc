package draw

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// A Secret is S: 32 bytes from the system that nobody may know while a stake on what it
// decides can be placed. It prints as « [sealed] » with every verb, so that no log or
// error gives it away; Reveal is the only way to write it down.
type Secret [32]byte

// Format prints « [sealed] » whatever the verb.
func (Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, "[sealed]") }

// Reveal returns the secret as 64 lower-case hexadecimal digits, for the event that
// publishes it.
func (s Secret) Reveal() string { return hex.EncodeToString(s[:]) }

// ParseSecret reads what Reveal wrote. It returns ErrHex.
func ParseSecret(text string) (Secret, error) {
	h, err := ParseHash(text)
	return Secret(h), err
}

// A Commitment binds whoever publishes it to one secret for one use and ID.
type Commitment [32]byte

// String returns 64 lower-case hexadecimal digits.
func (c Commitment) String() string { return hex.EncodeToString(c[:]) }

// Commit returns SHA-256("boulier/commit/v1\n" ‖ use ‖ "\n" ‖ id ‖ "\n" ‖ S). The secret
// has a fixed length and a use has no line feed, so that no two triples share an input.
func Commit(use Use, id ID, s Secret) Commitment {
	text := []byte("boulier/commit/v1\n" + string(use) + "\n" + string(id) + "\n")
	return sha256.Sum256(append(text, s[:]...))
}

// A Hash is a SHA-256 digest: of a leaf, of a node, of a whole tree.
type Hash [32]byte

// String returns 64 lower-case hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ErrHex refuses a text that is not 64 lower-case hexadecimal digits.
var ErrHex = errors.New("draw: not 64 lower-case hexadecimal digits")

// ParseHash reads 64 lower-case hexadecimal digits. Capitals are refused, so that one
// value has one text. It returns ErrHex.
func ParseHash(text string) (h Hash, err error) {
	if len(text) != 2*len(h) {
		return h, ErrHex
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return h, ErrHex
		}
	}
	_, err = hex.Decode(h[:], []byte(text))
	return h, err
}
