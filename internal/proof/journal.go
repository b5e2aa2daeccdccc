package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"boulier/draw"
	"boulier/journal"

	"golang.org/x/mod/sumdb/note"
)

// A Journal is the first line of the export of a journal; a line follows for each leaf of
// the tree of its checkpoint, from the first on.
type Journal struct {
	Format     string `json:"format"` // FormatJournal
	Key        string `json:"key"`    // the operator's verifier key
	Checkpoint string `json:"checkpoint"`
}

// An Entry is a line of a journal: a leaf with its payload, or with the reason why the
// payload is not there.
type Entry struct {
	Leaf     string   `json:"leaf"`
	Salt     *Salt    `json:"salt,omitempty"`
	Payload  *string  `json:"payload,omitempty"`
	Withheld Withheld `json:"withheld,omitempty"`
}

// Withheld says why a payload is not in a file.
type Withheld string

// The reasons why a payload is not in a file.
const (
	Erased Withheld = "erased" // for good, with its salt
	Sealed Withheld = "sealed" // until a limit that has not come
)

// A JournalWriter writes the export of a journal.
type JournalWriter struct{ w *bufio.Writer }

// NewJournalWriter writes the first line of an export. One Write must follow for each leaf
// of the checkpoint's tree, then Close.
func NewJournalWriter(w io.Writer, key, checkpoint string) (*JournalWriter, error) {
	j := &JournalWriter{bufio.NewWriter(w)}
	return j, writeLine(j.w, Journal{FormatJournal, key, checkpoint})
}

// Write writes the next leaf with its payload.
func (j *JournalWriter) Write(leaf []byte, salt journal.Salt, payload []byte) error {
	s, p := Salt(salt), string(payload)
	return writeLine(j.w, Entry{Leaf: string(leaf), Salt: &s, Payload: &p})
}

// WriteWithheld writes the next leaf, whose payload is not shown.
func (j *JournalWriter) WriteWithheld(leaf []byte, why Withheld) error {
	return writeLine(j.w, Entry{Leaf: string(leaf), Withheld: why})
}

// Close writes what is left in memory; it does not close the file.
func (j *JournalWriter) Close() error { return j.w.Flush() }

// ErrTree refuses a journal whose leaves are not those of its checkpoint.
var ErrTree = errors.New(
	"the leaves are not those of the signed checkpoint: one was added, lost or changed")

// ErrRewritten refuses a journal that does not hold what an older checkpoint held.
var ErrRewritten = errors.New("the journal was rewritten")

// verifyJournal checks the file of a journal.
func verifyJournal(l *lines, first []byte, o Options) (Report, error) {
	var j Journal
	if err := decode(first, &j); err != nil {
		return Report{}, l.fault("%w", err)
	}
	key, err := o.operator(j.Key)
	if err != nil {
		return Report{}, l.fault("%w", err)
	}
	now, err := journal.Open([]byte(j.Checkpoint), key)
	if err != nil {
		return Report{}, l.fault("checkpoint: %w", err)
	}
	older, err := o.Since.open(key, now.Head)
	if err != nil {
		return Report{}, err
	}
	var tree journal.Accumulator
	facts := facts{last: map[journal.Stream]int64{}, commitments: map[draw.ID]Hash{}, sales: map[draw.ID]*blockSales{}}
	for index := int64(0); ; index++ {
		if o.Since != nil && index == older.Size && tree.Head() != older {
			return Report{}, &Fault{l.file, 0, fmt.Errorf(
				"%w: its first %d leaves are not those of %s", ErrRewritten, older.Size, o.Since.File)}
		}
		if index == now.Size {
			break
		}
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return Report{}, l.fault("the file ends after %d leaves of %d", index, now.Size)
		}
		if err != nil {
			return Report{}, err
		}
		var e Entry
		if err := decode(line, &e); err != nil {
			return Report{}, l.fault("%w", err)
		}
		hash := journal.LeafHash([]byte(e.Leaf))
		if err := facts.check(e, hash); err != nil {
			return Report{}, l.fault("%w", err)
		}
		tree.Add(hash)
	}
	if err := l.end(); err != nil {
		return Report{}, err
	}
	if tree.Head() != now.Head {
		return Report{}, &Fault{l.file, 0, ErrTree}
	}
	r := Report{Format: FormatJournal, Key: j.Key, Head: now.Head}
	r.say("journal of %s: %d leaves in %d streams, %d payloads withheld",
		now.Origin, now.Size, len(facts.last), facts.withheld)
	if o.Since != nil {
		r.say("it extends %s, of %d leaves: nothing was rewritten", o.Since.File, older.Size)
	}
	return r, nil
}

// open checks the signature of an older checkpoint, which the tree must be able to extend.
func (c *Claim) open(key note.Verifier, now journal.Head) (journal.Head, error) {
	if c == nil {
		return journal.Head{}, nil
	}
	older, err := journal.Open([]byte(c.Signed), key)
	if err != nil {
		return older.Head, &Fault{c.File, 0, err}
	}
	if older.Size > now.Size {
		return older.Head, &Fault{c.File, 0, fmt.Errorf(
			"it is newer than the journal: %d leaves against %d", older.Size, now.Size)}
	}
	return older.Head, nil
}

// facts is what must hold between the entries of a journal.
type facts struct {
	last        map[journal.Stream]int64 // number of the last fact of each stream
	commitments map[draw.ID]Hash         // of the blocks opened so far
	sales       map[draw.ID]*blockSales
	withheld    int
}

// A blockSales is what the journal holds of the sales of a block so far.
type blockSales struct {
	sold     int
	digest   SalesDigest
	revealed bool // nothing may be sold any more
}

// of returns the sales of a block.
func (f *facts) of(block draw.ID) *blockSales {
	s := f.sales[block]
	if s == nil {
		s = &blockSales{}
		f.sales[block] = s
	}
	return s
}

// count counts a sale, or the end of sales, whether its payload is shown or not.
func (f *facts) count(l journal.Leaf, leaf journal.Hash) error {
	if block, ok := strings.CutPrefix(string(l.Stream), string(SalesStream(""))); ok {
		s := f.of(draw.ID(block))
		switch {
		case l.Kind != KindSold:
			return fmt.Errorf("a %s is number %d of %s, where nothing but sales stands", l.Kind, l.Number, l.Stream)
		case s.revealed:
			return fmt.Errorf("number %d of %s comes after the end of its block", l.Number, l.Stream)
		}
		s.sold++
		s.digest.Add(leaf)
	}
	if block, ok := strings.CutPrefix(string(l.Stream), string(BlockStream(""))); ok && l.Kind == KindRevealed {
		s := f.of(draw.ID(block))
		if s.revealed {
			return fmt.Errorf("block %s is revealed a second time", block)
		}
		s.revealed = true
	}
	return nil
}

// check checks the next entry, whose leaf has that hash.
func (f *facts) check(e Entry, leaf journal.Hash) error {
	l, err := journal.ParseLeaf([]byte(e.Leaf))
	if err != nil {
		return err
	}
	if want := f.last[l.Stream] + 1; l.Number != want {
		return fmt.Errorf("number %d of %s follows number %d: a fact is missing or was moved",
			l.Number, l.Stream, want-1)
	}
	f.last[l.Stream] = l.Number
	if err := f.count(l, leaf); err != nil {
		return err
	}
	switch e.Withheld {
	case "":
		if e.Salt == nil || e.Payload == nil {
			return errors.New("neither a payload with its salt, nor why it is withheld")
		}
	case Erased, Sealed:
		if e.Salt != nil || e.Payload != nil {
			return errors.New("a payload said to be withheld is there")
		}
		f.withheld++
		return nil
	default:
		return fmt.Errorf("withheld for an unknown reason, %q", e.Withheld)
	}
	if _, err := openPayload(e.Leaf, *e.Salt, *e.Payload); err != nil {
		return err
	}
	return f.checkBlock(l, *e.Payload)
}

// checkBlock checks what the facts of a block must say.
func (f *facts) checkBlock(l journal.Leaf, payload string) error {
	switch {
	case l.Kind == KindOpened && strings.HasPrefix(string(l.Stream), string(BlockStream(""))):
		var h Header
		if err := decode([]byte(payload), &h); err != nil {
			return fmt.Errorf("payload: %w", err)
		}
		if err := h.check(); err != nil {
			return err
		}
		if l.Stream != BlockStream(h.Block) || l.Number != 1 {
			return fmt.Errorf("block %q opens as number %d of %s", h.Block, l.Number, l.Stream)
		}
		f.commitments[h.Block] = h.Commitment
	case l.Kind == KindSold && strings.HasPrefix(string(l.Stream), string(SalesStream(""))):
		s, err := ParseSale([]byte(payload))
		if err != nil {
			return err
		}
		if l.Stream != SalesStream(s.Block) || int64(s.Index) != l.Number-1 {
			return fmt.Errorf("number %d of %s sells unit %d of block %q, not unit %d",
				l.Number, l.Stream, s.Index, s.Block, l.Number-1)
		}
	case l.Kind == KindRevealed && strings.HasPrefix(string(l.Stream), string(BlockStream(""))):
		var r Revealed
		if err := decode([]byte(payload), &r); err != nil {
			return fmt.Errorf("payload: %w", err)
		}
		if l.Stream != BlockStream(r.Block) {
			return fmt.Errorf("block %q is revealed in %s", r.Block, l.Stream)
		}
		made := draw.Commit(draw.InstantBlock, r.Block, draw.Secret(r.Secret))
		if c, ok := f.commitments[r.Block]; ok && draw.Commitment(c) != made {
			return fmt.Errorf("block %s: %w", r.Block, ErrCommitment)
		}
		if s := f.of(r.Block); r.Sold != s.sold || r.Sales != s.digest.Sum() {
			return fmt.Errorf("block %s: %w: it says %d, the journal holds %d", r.Block, ErrSales, r.Sold, s.sold)
		}
	}
	return nil
}
