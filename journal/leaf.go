package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// A Hash is a SHA-256 digest: of a leaf, of a node, of a whole tree.
type Hash = tlog.Hash

// A Stream names a sequence of facts, such as « bingo/round/17 »: parts of ASCII letters,
// digits, dots, hyphens and underscores with « / » between them, 200 bytes at most.
type Stream string

// A Kind says what sort of fact a leaf records, such as « ball_drawn »: lower-case ASCII
// letters, digits and underscores after a letter, 64 bytes at most.
type Kind string

const (
	maxStream = 200
	maxKind   = 64
)

// A Header says where and when a fact stands in the journal, in the clear and for ever:
// it holds no personal value.
type Header struct {
	Stream Stream
	Number int64     // in its stream, dense, from 1
	At     time.Time // of the request, whole microseconds in UTC from 1970 on
	Kind   Kind
}

// A Salt hides a payload behind its digest. It is drawn for each payload and erased with it.
type Salt [16]byte

// A Digest binds a leaf to its payload.
type Digest [32]byte

// PayloadDigest returns SHA-256("boulier/payload/v1\n" ‖ salt ‖ payload).
func PayloadDigest(salt Salt, payload []byte) Digest {
	h := sha256.New()
	h.Write([]byte("boulier/payload/v1\n"))
	h.Write(salt[:])
	h.Write(payload)
	return Digest(h.Sum(nil))
}

// A Leaf is a fact of the journal.
type Leaf struct {
	Header
	Payload Digest
}

// format is the first word of each leaf.
const format = "boulier/leaf/v1"

// ErrLeaf refuses what is not a leaf.
var ErrLeaf = errors.New("journal: not a leaf")

// NewLeaf returns the bytes of the leaf that records the payload. It returns ErrLeaf for a
// header that no leaf can hold.
func NewLeaf(h Header, salt Salt, payload []byte) ([]byte, error) {
	return Leaf{h, PayloadDigest(salt, payload)}.AppendText(nil)
}

// AppendText appends the bytes of the leaf, one line without its end:
//
//	boulier/leaf/v1 STREAM NUMBER MICROSECONDS KIND DIGEST
//
// It returns ErrLeaf for a header that no leaf can hold.
func (l Leaf) AppendText(b []byte) ([]byte, error) {
	if err := l.check(); err != nil {
		return b, err
	}
	b = append(b, format...)
	b = append(b, ' ')
	b = append(b, l.Stream...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, l.Number, 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, l.At.UnixMicro(), 10)
	b = append(b, ' ')
	b = append(b, l.Kind...)
	b = append(b, ' ')
	return hex.AppendEncode(b, l.Payload[:]), nil
}

// check returns ErrLeaf unless a leaf can hold the header exactly.
func (h Header) check() error {
	switch {
	case !validStream(string(h.Stream)):
		return fmt.Errorf("%w: stream %q", ErrLeaf, h.Stream)
	case !validKind(string(h.Kind)):
		return fmt.Errorf("%w: kind %q", ErrLeaf, h.Kind)
	case h.Number < 1:
		return fmt.Errorf("%w: number %d, the first is 1", ErrLeaf, h.Number)
	case h.At.UnixMicro() < 0 || !time.UnixMicro(h.At.UnixMicro()).Equal(h.At):
		return fmt.Errorf("%w: time %s is not whole microseconds from 1970 on", ErrLeaf, h.At)
	}
	return nil
}

// ParseLeaf reads what AppendText wrote, and nothing else: each leaf has one text. It
// returns ErrLeaf.
func ParseLeaf(text []byte) (Leaf, error) {
	if len(text) > maxStream+maxKind+160 {
		return Leaf{}, fmt.Errorf("%w: %d bytes", ErrLeaf, len(text))
	}
	words := strings.Split(string(text), " ")
	if len(words) != 6 || words[0] != format {
		return Leaf{}, fmt.Errorf("%w: it does not start as %s with six words", ErrLeaf, format)
	}
	number, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil {
		return Leaf{}, fmt.Errorf("%w: number %q", ErrLeaf, words[2])
	}
	micros, err := strconv.ParseInt(words[3], 10, 64)
	if err != nil {
		return Leaf{}, fmt.Errorf("%w: time %q", ErrLeaf, words[3])
	}
	digest, err := hex.DecodeString(words[5])
	if err != nil || len(digest) != len(Digest{}) {
		return Leaf{}, fmt.Errorf("%w: digest %q", ErrLeaf, words[5])
	}
	l := Leaf{
		Header{Stream(words[1]), number, time.UnixMicro(micros).UTC(), Kind(words[4])},
		Digest(digest),
	}
	again, err := l.AppendText(nil)
	if err != nil {
		return Leaf{}, err
	}
	if string(again) != string(text) { // « 007 », « +7 », capitals in the digest
		return Leaf{}, fmt.Errorf("%w: it would be written %q", ErrLeaf, again)
	}
	return l, nil
}

// validStream reports whether s may name a stream.
func validStream(s string) bool {
	if s == "" || len(s) > maxStream {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
		for _, c := range []byte(part) {
			isLetter := isLower(c) || c >= 'A' && c <= 'Z'
			if !isLetter && !isDigit(c) && c != '.' && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}

// validKind reports whether s may be a kind.
func validKind(s string) bool {
	if s == "" || len(s) > maxKind || !isLower(s[0]) {
		return false
	}
	for _, c := range []byte(s) {
		if !isLower(c) && !isDigit(c) && c != '_' {
			return false
		}
	}
	return true
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// LeafHash returns the hash of the bytes of a leaf: SHA-256(0x00 ‖ leaf), as RFC 6962 says.
func LeafHash(leaf []byte) Hash { return tlog.RecordHash(leaf) }
