package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// maxCheckpoint bounds the bytes of a signed checkpoint with all cosignatures.
const maxCheckpoint = 64 << 10

var (
	// ErrCheckpoint refuses what is not a signed checkpoint.
	ErrCheckpoint = errors.New("journal: not a signed checkpoint")
	// ErrOtherKey refuses a checkpoint that is not signed by the operator expected.
	ErrOtherKey = errors.New("journal: not signed by the operator's key")
	// ErrSignature refuses a checkpoint of which a signature does not hold.
	ErrSignature = errors.New("journal: a signature does not hold")
)

// A Checkpoint states which tree the journal of an operator is at some moment. Once it is
// signed and shown, the operator cannot go back on any leaf of that tree.
type Checkpoint struct {
	Origin string // the operator's name, which is also the name of its key
	Head
	Cosigners []string // names of the others whose signature was checked
}

// Sign returns the signed checkpoint of the tree in the text form of C2SP
// tlog-checkpoint: the signer's name, the size, the root in base64, an empty line, the
// signature.
func Sign(head Head, s note.Signer) ([]byte, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n", s.Name(), head.Size, head.Root)
	signed, err := note.Sign(&note.Note{Text: text}, s)
	if err != nil {
		return nil, fmt.Errorf("journal: signing a checkpoint: %w", err)
	}
	return signed, nil
}

// Cosign returns the checkpoint with one more signature, of somebody who has checked that
// it extends what the operator showed before. It returns the errors of Open.
func Cosign(signed []byte, operator note.Verifier, by note.Signer) ([]byte, error) {
	_, n, err := open(signed, operator)
	if err != nil {
		return nil, err
	}
	more, err := note.Sign(n, by)
	if err != nil {
		return nil, fmt.Errorf("journal: cosigning a checkpoint: %w", err)
	}
	return more, nil
}

// Open checks a signed checkpoint: it must be signed by the operator, and each signature
// of a cosigner named must hold. Signatures by anybody else are left alone. It returns
// ErrCheckpoint, ErrOtherKey or ErrSignature.
func Open(signed []byte, operator note.Verifier, cosigners ...note.Verifier) (Checkpoint, error) {
	c, _, err := open(signed, operator, cosigners...)
	return c, err
}

// open is Open, and returns the note too.
func open(signed []byte, op note.Verifier, others ...note.Verifier) (
	Checkpoint, *note.Note, error,
) {
	if err := checkCanonical(signed); err != nil {
		return Checkpoint{}, nil, err
	}
	known := note.VerifierList(append([]note.Verifier{op}, others...)...)
	n, err := note.Open(signed, known)
	var unsigned *note.UnverifiedNoteError
	var invalid *note.InvalidSignatureError
	switch {
	case errors.As(err, &unsigned):
		return Checkpoint{}, nil, otherKey(unsigned.Note, op)
	case errors.As(err, &invalid):
		return Checkpoint{}, nil, fmt.Errorf("%w: that of %s", ErrSignature, invalid.Name)
	case err != nil:
		return Checkpoint{}, nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	c, err := parseBody(n.Text)
	if err != nil {
		return Checkpoint{}, nil, err
	}
	byOperator := false
	for _, sig := range n.Sigs {
		if sig.Name == op.Name() && sig.Hash == op.KeyHash() {
			byOperator = true
		} else {
			c.Cosigners = append(c.Cosigners, sig.Name)
		}
	}
	if !byOperator {
		return Checkpoint{}, nil, otherKey(n, op)
	}
	if c.Origin != op.Name() {
		return Checkpoint{}, nil, fmt.Errorf("%w: its journal is that of %q, the key that of %q",
			ErrOtherKey, c.Origin, op.Name())
	}
	return c, n, nil
}

// otherKey says which keys signed the note, and which one was expected.
func otherKey(n *note.Note, want note.Verifier) error {
	var found []string
	for _, s := range append(n.Sigs, n.UnverifiedSigs...) {
		found = append(found, fmt.Sprintf("%s+%08x", s.Name, s.Hash))
	}
	return fmt.Errorf("%w: signed by %s, expected %s+%08x",
		ErrOtherKey, strings.Join(found, ", "), want.Name(), want.KeyHash())
}

// checkCanonical refuses signatures in a base64 that would be written otherwise, which
// package note lets pass: one signature has one text.
func checkCanonical(signed []byte) error {
	if len(signed) > maxCheckpoint {
		return fmt.Errorf("%w: %d bytes", ErrCheckpoint, len(signed))
	}
	_, sigs, ok := bytes.Cut(signed, []byte("\n\n"))
	if !ok {
		return fmt.Errorf("%w: no empty line before the signatures", ErrCheckpoint)
	}
	for line := range strings.Lines(string(sigs)) {
		line = strings.TrimSuffix(line, "\n")
		text := line[strings.LastIndex(line, " ")+1:]
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || base64.StdEncoding.EncodeToString(raw) != text {
			return fmt.Errorf("%w: a signature is not in base64", ErrCheckpoint)
		}
	}
	return nil
}

// parseBody reads the three lines of a checkpoint and allows for further ones, which C2SP
// leaves to others.
func parseBody(text string) (Checkpoint, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) < 3 {
		return Checkpoint{}, fmt.Errorf("%w: fewer than three lines", ErrCheckpoint)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || strconv.FormatInt(size, 10) != lines[1] || size < 0 || size > maxSize {
		return Checkpoint{}, fmt.Errorf("%w: size %q", ErrCheckpoint, lines[1])
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil || root.String() != lines[2] {
		return Checkpoint{}, fmt.Errorf("%w: root %q", ErrCheckpoint, lines[2])
	}
	return Checkpoint{Origin: lines[0], Head: Head{size, root}}, nil
}

// ErrKey refuses a text that is not an operator's verifier key.
var ErrKey = errors.New("journal: not a verifier key")

// ParseKey reads a verifier key: NAME+ID+KEY as C2SP signed-note says, for Ed25519. One key
// has one text, so that it can be compared and has one Fingerprint. It returns ErrKey.
func ParseKey(text string) (note.Verifier, error) {
	v, err := note.NewVerifier(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %q: %w", ErrKey, text, err)
	}
	prefix := fmt.Sprintf("%s+%08x+", v.Name(), v.KeyHash())
	key, ok := strings.CutPrefix(text, prefix)
	if !ok { // capitals in the ID
		return nil, fmt.Errorf("%w: %q would start as %s", ErrKey, text, prefix)
	}
	raw, err := base64.StdEncoding.DecodeString(key)
	if err != nil || base64.StdEncoding.EncodeToString(raw) != key {
		return nil, fmt.Errorf("%w: %q", ErrKey, text)
	}
	return v, nil
}

// Fingerprint returns what people compare of a verifier key, as receipts print it: the
// first 16 bytes of the SHA-256 of its text, as eight groups of four hexadecimal digits.
func Fingerprint(verifierKey string) string {
	sum := sha256.Sum256([]byte(verifierKey))
	groups := make([]string, 8)
	for i := range groups {
		groups[i] = fmt.Sprintf("%x", sum[2*i:2*i+2])
	}
	return strings.Join(groups, "-")
}
