package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/journal"
)

// A Block is the first line of the export of a closed block; a line follows for each unit
// sold, in order. It shows that the block was exactly its table in the order that its
// secret draws, and that its units were sold in that order without a skip, at their price and
// for their prizes.
type Block struct {
	Format     string  `json:"format"` // FormatBlock
	Key        string  `json:"key"`    // the operator's verifier key
	Table      []Prize `json:"table"`
	Checkpoint string  `json:"checkpoint"`
	Opening    Proved  `json:"opening"`  // its payload is the Header
	Revealed   Proved  `json:"revealed"` // its payload is a Revealed
}

// WriteBlock writes the export of a closed block, its sales in order. It sets the format,
// and stops at the first error of sales.
func WriteBlock(w io.Writer, b Block, sales iter.Seq2[SoldLine, error]) error {
	b.Format = FormatBlock
	out := bufio.NewWriter(w)
	if err := writeLine(out, b); err != nil {
		return err
	}
	var line []byte
	for s, err := range sales {
		if err != nil {
			return fmt.Errorf("proof: writing a block: %w", err)
		}
		line = append(s.append(line[:0]), '\n')
		if _, err := out.Write(line); err != nil {
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
	// ErrSales refuses sales that are not those in the journal.
	ErrSales = errors.New("the sales are not those recorded at the end of the block")
)

// verifyBlock checks the file of a closed block.
func verifyBlock(l *lines, first []byte, o Options) (Report, error) {
	var b Block
	if err := decode(first, &b); err != nil {
		return Report{}, l.fault("%w", err)
	}
	again, end, r, err := b.verify(o)
	if err != nil {
		return Report{}, l.fault("%w", err)
	}
	var digest SalesDigest
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
		leaf, err := again.leaf(index, s)
		if err != nil {
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

// A resale makes the leaves of the sales of a block again: had another unit been sold in
// its place, or for another stake or prize, its leaf would be another one.
type resale struct {
	header        Header
	units         *draw.Block
	table         []Prize
	payload, text []byte // of the last leaf
}

// leaf returns the leaf of the sale of the unit at index; it is good until the next call.
func (a *resale) leaf(index int, s SoldLine) ([]byte, error) {
	if (s.Board > 0) != (a.header.Kind == instant.Words) || s.Board > instant.MaxBoards {
		return nil, fmt.Errorf("a sale on board %d, in a game of kind %q", s.Board, a.header.Kind)
	}
	sale := Sale{Block: a.header.Block, Index: index, Outcome: a.units.Outcome(index), Stake: a.header.Price,
		Board: s.Board, Buyer: s.Buyer, Rules: s.Rules}
	if sale.Outcome > 0 {
		sale.Prize = a.table[sale.Outcome-1].Amount
	}
	a.payload = sale.Append(a.payload[:0])
	leaf := journal.Leaf{
		Header: journal.Header{Stream: SalesStream(sale.Block), Number: int64(index) + 1,
			At: time.UnixMicro(s.At).UTC(), Kind: KindSold},
		Payload: journal.PayloadDigest(journal.Salt(s.Salt), a.payload),
	}
	text, err := leaf.AppendText(a.text[:0])
	a.text = text
	return text, err
}

// verify checks the first line: signatures, secret, order, seeds, leaves and root. It returns
// what makes the sales again.
func (b *Block) verify(o Options) (again *resale, end Revealed, r Report, err error) {
	key, err := o.operator(b.Key)
	if err != nil {
		return nil, end, r, err
	}
	now, err := journal.Open([]byte(b.Checkpoint), key)
	if err != nil {
		return nil, end, r, fmt.Errorf("checkpoint: %w", err)
	}
	h, err := openHeader(b.Opening, now.Head)
	if err != nil {
		return nil, end, r, fmt.Errorf("opening of the block: %w", err)
	}
	if err := decode([]byte(b.Revealed.Payload), &end); err != nil {
		return nil, end, r, fmt.Errorf("end of the block: payload: %w", err)
	}
	if _, err := b.Revealed.open(now.Head, BlockStream(h.Block), 0, KindRevealed); err != nil {
		return nil, end, r, fmt.Errorf("end of the block: %w", err)
	}
	if end.Block != h.Block || end.Sold < 0 || end.Sold > h.Size {
		return nil, end, r, fmt.Errorf("end of the block: %d units sold of block %q",
			end.Sold, end.Block)
	}
	if b.Revealed.Index <= b.Opening.Index {
		return nil, end, r, errors.New("end of the block: it stands before the opening")
	}
	units, err := b.drawAgain(h, draw.Secret(end.Secret))
	if err != nil {
		return nil, end, r, err
	}
	r = Report{Format: FormatBlock, Key: b.Key, Head: now.Head}
	r.say("block %s of %d units at %s EUR, made by %s", h.Block, h.Size, h.Price, h.Program)
	r.say("its secret is the one committed to; table, order, seeds and root follow from it")
	return &resale{header: h, units: units, table: b.Table}, end, r, nil
}

// drawAgain makes the units of the block again from its secret and compares them with the
// header.
func (b *Block) drawAgain(h Header, s draw.Secret) (*draw.Block, error) {
	if draw.Commit(draw.InstantBlock, h.Block, s) != draw.Commitment(h.Commitment) {
		return nil, ErrCommitment
	}
	_, counts, err := h.checkTable(b.Table)
	if err != nil {
		return nil, err
	}
	units, err := h.Draw(counts, s)
	if err != nil {
		return nil, err
	}
	if units.Tree().Root() != draw.Hash(h.Root) {
		return nil, ErrRoot
	}
	return units, nil
}
