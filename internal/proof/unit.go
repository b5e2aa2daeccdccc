package proof

import (
	"errors"
	"fmt"
	"io"

	"boulier/draw"
	"boulier/journal"
	"boulier/money"
)

// A Unit is the export of a unit that was sold. It shows that the unit, its outcome and
// its face were settled before the first sale of its block, and that it was sold in its turn.
type Unit struct {
	Format string  `json:"format"` // FormatUnit
	Key    string  `json:"key"`    // the operator's verifier key
	Table  []Prize `json:"table"`
	// Words are the rules of a word game; nil for others.
	Words *WordRules `json:"words,omitempty"`
	Unit  UnitFace   `json:"unit"`
	// Before is the checkpoint that covered the opening of the block when its sale began.
	Before      string `json:"before"`
	Opening     Proved `json:"opening"` // held by Before; its payload is the Header
	Consistency Path   `json:"consistency"`
	// Checkpoint is a later one, which holds the sale.
	Checkpoint string `json:"checkpoint"`
	Sale       Proved `json:"sale"` // held by Checkpoint; its payload is a Sale
	// Buyer opens the digest of the buyer in the sale, for the buyer to show; nil if the blind
	// was erased.
	Buyer *Buyer `json:"buyer,omitempty"`
}

// A UnitFace is the unit itself, with the proof that the root of its block holds it.
type UnitFace struct {
	Index   int           `json:"index"`
	Outcome uint16        `json:"outcome"`
	Seed    Hash          `json:"seed"`
	Face    []money.Cents `json:"face,omitempty"`  // of a game of three alike
	Words   *WordFace     `json:"words,omitempty"` // of a word game
	Proof   Path          `json:"proof"`
}

// WriteUnit writes the export of a unit: one line. It sets the format.
func WriteUnit(w io.Writer, u Unit) error {
	u.Format = FormatUnit
	text, err := encode(u)
	if err != nil {
		return fmt.Errorf("proof: writing a unit: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// verifyUnit checks the only line of a unit's file.
func verifyUnit(l *lines, first []byte, o Options) (Report, error) {
	var u Unit
	if err := decode(first, &u); err != nil {
		return Report{}, l.fault("%w", err)
	}
	r, err := u.verify(o)
	if err != nil {
		return Report{}, l.fault("%w", err)
	}
	return r, l.end()
}

// verify checks the unit, from the signatures inwards.
func (u *Unit) verify(o Options) (Report, error) {
	key, err := o.operator(u.Key)
	if err != nil {
		return Report{}, err
	}
	before, err := journal.Open([]byte(u.Before), key)
	if err != nil {
		return Report{}, fmt.Errorf("checkpoint before the sale: %w", err)
	}
	now, err := journal.Open([]byte(u.Checkpoint), key)
	if err != nil {
		return Report{}, fmt.Errorf("checkpoint: %w", err)
	}
	err = journal.VerifyConsistency(before.Head, now.Head, hashesOf(u.Consistency))
	if err != nil {
		return Report{}, fmt.Errorf("from the checkpoint before the sale to the later one: %w", err)
	}
	h, err := openHeader(u.Opening, before.Head)
	if err != nil {
		return Report{}, fmt.Errorf("opening of the block: %w", err)
	}
	stream, number := SalesStream(h.Block), int64(u.Unit.Index)+1
	sold, err := u.Sale.open(now.Head, stream, number, KindSold)
	if err != nil {
		return Report{}, fmt.Errorf("sale: %w", err)
	}
	if before.Size > u.Sale.Index {
		return Report{}, fmt.Errorf("sale: leaf %d of the journal is within "+
			"the checkpoint of %d leaves said to be before",
			u.Sale.Index, before.Size)
	}
	prize, err := u.checkUnit(h)
	if err != nil {
		return Report{}, err
	}
	r := Report{Format: FormatUnit, Key: u.Key, Head: now.Head}
	r.say("unit %d of block %s, counted from 0, of %d units", u.Unit.Index, h.Block, h.Size)
	r.say("%s; its face shows %s", wins(u.Unit.Outcome, prize), u.Unit.shows())
	r.say("sold in its turn at %s for %s EUR, leaf %d of the journal",
		sold.At.Format(timeLayout), h.Price, u.Sale.Index)
	if u.Buyer != nil {
		r.say("sold to player %d", u.Buyer.Player)
	}
	r.say("the root of its block was in a signed checkpoint of %d leaves before that", before.Size)
	return r, nil
}

// wins says what an outcome is worth.
func wins(outcome uint16, prize money.Cents) string {
	if outcome == 0 {
		return "it loses (outcome 0)"
	}
	return fmt.Sprintf("it wins %s EUR (outcome %d)", prize, outcome)
}

// openHeader checks the opening of a block and returns its header.
func openHeader(p Proved, head journal.Head) (h Header, err error) {
	if err := decode([]byte(p.Payload), &h); err != nil {
		return h, fmt.Errorf("payload: %w", err)
	}
	if err := h.check(); err != nil {
		return h, err
	}
	_, err = p.open(head, BlockStream(h.Block), 1, KindOpened)
	return h, err
}

// checkUnit checks the unit itself against the header and its own sale, and returns what
// it wins.
func (u *Unit) checkUnit(h Header) (money.Cents, error) {
	g, counts, err := h.checkTable(u.Table)
	if err != nil {
		return 0, err
	}
	unit := draw.Unit{Index: u.Unit.Index, Outcome: u.Unit.Outcome, Seed: draw.Seed(u.Unit.Seed)}
	err = draw.VerifyUnit(h.Block, draw.Hash(h.Root), h.Size, unit, draw.Proof(u.Unit.Proof))
	if err != nil {
		return 0, fmt.Errorf("unit: %w", err)
	}
	prize, err := prizeOf(g, unit.Outcome)
	if err != nil {
		return 0, fmt.Errorf("unit: %w", err)
	}
	if counts[unit.Outcome] == 0 {
		return 0, fmt.Errorf("unit: the block holds no unit of outcome %d", unit.Outcome)
	}
	if err := h.checkWords(&g, u.Words); err != nil {
		return 0, err
	}
	face, err := faceOf(g, unit, u.Unit.board())
	if err != nil {
		return 0, fmt.Errorf("face: %w", err)
	}
	if !face.equal(u.Unit) {
		return 0, fmt.Errorf("face: its seed gives %s, the file says %s", face.shows(), u.Unit.shows())
	}
	s, err := ParseSale([]byte(u.Sale.Payload))
	if err != nil {
		return 0, fmt.Errorf("sale: %w", err)
	}
	want := Sale{Block: h.Block, Index: unit.Index, Outcome: unit.Outcome, Stake: h.Price, Prize: prize,
		Board: u.Unit.board(), Buyer: s.Buyer, Rules: s.Rules}
	if s != want {
		return 0, fmt.Errorf("sale: the journal says %s, the unit is %s", s.Append(nil), want.Append(nil))
	}
	if u.Buyer != nil && (u.Buyer.Player < 1 || u.Buyer.Digest() != s.Buyer) {
		return 0, ErrBuyer
	}
	return prize, nil
}

// ErrBuyer refuses a buyer who is not the one of the sale.
var ErrBuyer = errors.New("buyer: the sale was to somebody else")
