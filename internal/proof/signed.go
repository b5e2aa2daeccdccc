package proof

import (
	"errors"
	"fmt"

	"boulier/journal"

	"golang.org/x/mod/sumdb/note"
)

// Options says what a file is checked against besides itself.
type Options struct {
	Key   string // verifier key of the operator; empty trusts the key of the file
	Since *Claim // an older checkpoint that the journal must extend; nil for none
}

// A Claim is a signed checkpoint shown earlier.
type Claim struct {
	File   string // where it was read, for errors
	Signed string
}

// ErrKey refuses a file of another operator than the one asked for.
var ErrKey = errors.New("the file is of another operator")

// operator returns the verifier that the checkpoints of a file must be signed by: the one
// asked for, which the file must name too, or else the one that the file names.
func (o Options) operator(fileKey string) (note.Verifier, error) {
	v, err := journal.ParseKey(fileKey)
	if err != nil {
		return nil, err
	}
	if o.Key == "" {
		return v, nil
	}
	want, err := journal.ParseKey(o.Key)
	if err != nil {
		return nil, fmt.Errorf("the key asked for: %w", err)
	}
	if o.Key != fileKey {
		return nil, fmt.Errorf("%w: its key is of %s, fingerprint %s; "+
			"the key asked for is of %s, fingerprint %s",
			ErrKey, v.Name(), journal.Fingerprint(fileKey), want.Name(), journal.Fingerprint(o.Key))
	}
	return want, nil
}

// headsOf checks keys and signatures of the first line of a file whose sale came after a
// checkpoint; before is empty if no sale was opened.
func (o Options) headsOf(fileKey, before string, path Path, checkpoint string) (older, now journal.Head, err error) {
	key, err := o.operator(fileKey)
	if err != nil {
		return older, now, err
	}
	signed, err := journal.Open([]byte(checkpoint), key)
	if err != nil {
		return older, now, fmt.Errorf("checkpoint: %w", err)
	}
	if before == "" {
		if len(path) > 0 {
			return older, now, errors.New("a consistency with no checkpoint before the sale")
		}
		return older, signed.Head, nil
	}
	first, err := journal.Open([]byte(before), key)
	if err != nil {
		return older, now, fmt.Errorf("checkpoint before the sale: %w", err)
	}
	err = journal.VerifyConsistency(first.Head, signed.Head, hashesOf(path))
	if err != nil {
		return older, now, fmt.Errorf("from the checkpoint before the sale to the later one: %w", err)
	}
	return first.Head, signed.Head, nil
}

// A Proved is a fact of the journal with its proof that a tree holds it.
type Proved struct {
	Leaf    string `json:"leaf"`
	Salt    Salt   `json:"salt"`
	Payload string `json:"payload"`
	Index   int64  `json:"index"` // in the journal, from 0
	Proof   Path   `json:"proof"`
}

// open checks that the tree holds the fact, that it is of the stream, number and kind said
// (any number if 0), and that the payload is its own. It returns the leaf.
func (p Proved) open(
	head journal.Head, s journal.Stream, number int64, k journal.Kind,
) (journal.Leaf, error) {
	l, err := openPayload(p.Leaf, p.Salt, p.Payload)
	if err != nil {
		return l, err
	}
	return l, p.placed(l, head, s, number, k)
}

// placed is open for a leaf whose payload was looked at, or is withheld.
func (p Proved) placed(l journal.Leaf, head journal.Head, s journal.Stream, number int64, k journal.Kind) error {
	if l.Stream != s || l.Kind != k || number != 0 && l.Number != number {
		return fmt.Errorf("the fact is %s number %d of %s, not %s number %d of %s",
			l.Kind, l.Number, l.Stream, k, number, s)
	}
	leaf := journal.LeafHash([]byte(p.Leaf))
	return journal.VerifyInclusion(head, p.Index, leaf, hashesOf(p.Proof))
}

// Open is what the checks of files do with a fact, for whoever is shown one elsewhere.
func (p Proved) Open(head journal.Head, s journal.Stream, number int64, k journal.Kind) (journal.Leaf, error) {
	return p.open(head, s, number, k)
}

// Proof returns the hashes of a path.
func (p Path) Proof() journal.Proof { return hashesOf(p) }

// openPayload reads a leaf and checks that the payload is its own.
func openPayload(leaf string, salt Salt, payload string) (journal.Leaf, error) {
	l, err := journal.ParseLeaf([]byte(leaf))
	if err != nil {
		return l, err
	}
	if journal.PayloadDigest(journal.Salt(salt), []byte(payload)) != l.Payload {
		return l, fmt.Errorf("the payload of %s number %d is not the one of its leaf",
			l.Stream, l.Number)
	}
	return l, nil
}

// hashesOf cuts a path into hashes.
func hashesOf(p Path) (list journal.Proof) {
	for ; len(p) >= 32; p = p[32:] {
		list = append(list, journal.Hash(p[:32]))
	}
	return list
}

// PathOf returns the hashes of a proof as a file holds them.
func PathOf(p journal.Proof) Path {
	path := make(Path, 0, 32*len(p))
	for _, h := range p {
		path = append(path, h[:]...)
	}
	return path
}
