package proof

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"boulier/draw"
	"boulier/journal"
)

// A Block is the first line of the export of a closed block; a line follows for each unit
// sold, in order. It shows that the block was exactly its table in the order that its
// secret draws, and that its units were sold in that order without a skip.
type Block struct {
	Format     string  `json:"format"` // FormatBlock
	Key        string  `json:"key"`    // the operator's verifier key
	Table      []Prize `json:"table"`
	Checkpoint string  `json:"checkpoint"`
	Opening    Proved  `json:"opening"`  // its payload is the Header
	Revealed   Proved  `json:"revealed"` // its payload is a Revealed
}

// A SoldLeaf is a line for a unit sold: what is needed to make its leaf again. The payload,
// which may name a buyer, stays with the operator and the buyer.
type SoldLeaf struct {
	At     int64 `json:"at"`     // microseconds UTC
	Digest Hash  `json:"digest"` // of the payload
}

// MarshalJSON returns the canonical form, which parseSold reads.
func (s SoldLeaf) MarshalJSON() ([]byte, error) {
	b := strconv.AppendInt([]byte(`{"at":`), s.At, 10)
	b = append(b, `,"digest":"`...)
	return append(hex.AppendEncode(b, s.Digest[:]), `"}`...), nil
}

// parseSold reads the canonical form and refuses anything else. A block has a million such
// lines, for which encoding/json would take longer than all other checks together.
func parseSold(line []byte) (s SoldLeaf, err error) {
	rest, ok1 := bytes.CutPrefix(line, []byte(`{"at":`))
	micros, rest, ok2 := bytes.Cut(rest, []byte(`,"digest":"`))
	digest, ok3 := bytes.CutSuffix(rest, []byte(`"}`))
	if !ok1 || !ok2 || !ok3 {
		return s, errors.New(`a sale is {"at":…,"digest":"…"} and nothing else`)
	}
	if s.At, err = strconv.ParseInt(string(micros), 10, 64); err != nil {
		return s, fmt.Errorf("time %q is not a whole number", micros)
	}
	if err := s.Digest.UnmarshalText(digest); err != nil {
		return s, fmt.Errorf("digest: %w", err)
	}
	if again, _ := s.MarshalJSON(); !bytes.Equal(again, line) {
		return s, errCanonical
	}
	return s, nil
}

// appendLeaf appends the leaf of the sale of unit index of a block.
func (s SoldLeaf) appendLeaf(b []byte, block draw.ID, index int) ([]byte, error) {
	h := journal.Header{
		Stream: SalesStream(block), Number: int64(index) + 1,
		At: time.UnixMicro(s.At).UTC(), Kind: KindSold,
	}
	return journal.Leaf{Header: h, Payload: journal.Digest(s.Digest)}.AppendText(b)
}

// WriteBlock writes the export of a closed block, its sales in order. It sets the format,
// and stops at the first error of sales.
func WriteBlock(w io.Writer, b Block, sales iter.Seq2[SoldLeaf, error]) error {
	b.Format = FormatBlock
	out := bufio.NewWriter(w)
	if err := writeLine(out, b); err != nil {
		return err
	}
	for s, err := range sales {
		if err != nil {
			return fmt.Errorf("proof: writing a block: %w", err)
		}
		if err := writeLine(out, s); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeLine writes v in its canonical form.
func writeLine(w *bufio.Writer, v any) error {
	text, err := encode(v)
	if err != nil {
		return fmt.Errorf("proof: %w", err)
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	return w.WriteByte('\n')
}

var (
	// ErrCommitment refuses a secret that is not the one committed to.
	ErrCommitment = errors.New("the secret is not the one committed to")
	// ErrRoot refuses units that are not those bound by the root.
	ErrRoot = errors.New("the secret and the table give other units than those of the root")
	// ErrSales refuses a list of sales that is not the one in the journal.
	ErrSales = errors.New("the sales are not those recorded at the end of the block")
)

// verifyBlock checks the file of a closed block.
func verifyBlock(l *lines, first []byte, o Options) (Report, error) {
	var b Block
	if err := decode(first, &b); err != nil {
		return Report{}, l.fault("%w", err)
	}
	h, end, r, err := b.verify(o)
	if err != nil {
		return Report{}, l.fault("%w", err)
	}
	var digest SalesDigest
	var leaf []byte
	for index := range end.Sold {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return Report{}, l.fault("the file ends after %d sales of %d", index, end.Sold)
		}
		if err != nil {
			return Report{}, err
		}
		s, err := parseSold(line)
		if err != nil {
			return Report{}, l.fault("%w", err)
		}
		if leaf, err = s.appendLeaf(leaf[:0], h.Block, index); err != nil {
			return Report{}, l.fault("%w", err)
		}
		digest.Add(journal.LeafHash(leaf))
	}
	if err := l.end(); err != nil {
		return Report{}, err
	}
	if digest.Sum() != end.Sales {
		return Report{}, &Fault{l.file, 0, ErrSales}
	}
	r.say("%d units were sold, in that order and without a skip", end.Sold)
	return r, nil
}

// verify checks the first line: signatures, secret, order, seeds, leaves and root.
func (b *Block) verify(o Options) (h Header, end Revealed, r Report, err error) {
	key, err := o.operator(b.Key)
	if err != nil {
		return h, end, r, err
	}
	now, err := journal.Open([]byte(b.Checkpoint), key)
	if err != nil {
		return h, end, r, fmt.Errorf("checkpoint: %w", err)
	}
	if h, err = openHeader(b.Opening, now.Head); err != nil {
		return h, end, r, fmt.Errorf("opening of the block: %w", err)
	}
	if err := decode([]byte(b.Revealed.Payload), &end); err != nil {
		return h, end, r, fmt.Errorf("end of the block: payload: %w", err)
	}
	if _, err := b.Revealed.open(now.Head, BlockStream(h.Block), 0, KindRevealed); err != nil {
		return h, end, r, fmt.Errorf("end of the block: %w", err)
	}
	if end.Block != h.Block || end.Sold < 0 || end.Sold > h.Size {
		return h, end, r, fmt.Errorf("end of the block: %d units sold of block %q",
			end.Sold, end.Block)
	}
	if b.Revealed.Index <= b.Opening.Index {
		return h, end, r, errors.New("end of the block: it stands before the opening")
	}
	if err := b.drawAgain(h, draw.Secret(end.Secret)); err != nil {
		return h, end, r, err
	}
	r = Report{Format: FormatBlock, Key: b.Key, Head: now.Head}
	r.say("block %s of %d units at %s EUR, made by %s", h.Block, h.Size, h.Price, h.Program)
	r.say("its secret is the one committed to; table, order, seeds and root follow from it")
	return h, end, r, nil
}

// drawAgain makes the block again from its secret and compares it with the header.
func (b *Block) drawAgain(h Header, s draw.Secret) error {
	if draw.Commit(draw.InstantBlock, h.Block, s) != draw.Commitment(h.Commitment) {
		return ErrCommitment
	}
	_, counts, err := h.checkTable(b.Table)
	if err != nil {
		return err
	}
	units, err := h.Draw(counts, s)
	if err != nil {
		return err
	}
	if units.Tree().Root() != draw.Hash(h.Root) {
		return ErrRoot
	}
	return nil
}
