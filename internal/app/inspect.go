package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"

	"boulier/internal/proof"
	"boulier/journal"
	"boulier/ledger"
	"boulier/player"
)

// Inspection is what the regulator sees: everything, changing nothing.
type Inspection struct{ *Ground }

// A Fact is an event of the journal as an inspector reads it.
type Fact struct {
	journal.Leaf
	Index   int64  // in the tree, −1 while the sequencer has not placed it
	Payload string // JSON; empty when it was erased
	Erased  bool
}

// Facts returns the events of a stream after a number, in order, at most limit.
func (n Inspection) Facts(ctx context.Context, stream string, after uint64, limit int) ([]Fact, error) {
	list, err := n.Store.Stream(ctx, stream, after, limit)
	if err != nil {
		return nil, err
	}
	return facts(list)
}

// Latest returns the last events of the whole journal that have a place, newest first, and
// the size of the signed tree they stand in.
func (n Inspection) Latest(ctx context.Context, limit int) ([]Fact, CheckpointRecord, error) {
	c, err := n.Store.Checkpoint(ctx)
	if errors.Is(err, ErrNotFound) {
		return nil, c, nil
	}
	if err != nil {
		return nil, c, err
	}
	first := max(0, c.Size-int64(limit))
	list, err := n.Store.Entries(ctx, first, int(c.Size-first))
	if err != nil {
		return nil, c, err
	}
	out, err := facts(list)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out, c, err
}

func facts(list []Entry) ([]Fact, error) {
	out := make([]Fact, 0, len(list))
	for _, e := range list {
		l, err := journal.ParseLeaf(e.Leaf)
		if err != nil {
			return nil, err
		}
		f := Fact{Leaf: l, Index: e.Index, Payload: string(e.Payload), Erased: e.Salt == nil}
		if f.Erased {
			f.Payload = ""
		}
		out = append(out, f)
	}
	return out, nil
}

// Head returns the head of the latest signed checkpoint, with the record that holds it.
func (n Inspection) Head(ctx context.Context) (journal.Head, CheckpointRecord, error) {
	c, err := n.Store.Checkpoint(ctx)
	if errors.Is(err, ErrNotFound) {
		if c, err = n.CheckpointNow(ctx); err != nil {
			return journal.Head{}, c, err
		}
	}
	if err != nil {
		return journal.Head{}, c, err
	}
	key, err := journal.ParseKey(n.Sealer.VerifierKey())
	if err != nil {
		return journal.Head{}, c, err
	}
	signed, err := journal.Open([]byte(c.Note), key)
	return signed.Head, c, err
}

// Accounts returns the accounts of the house itself: all but those of players, which are
// asked for one by one.
func (n Inspection) Accounts(ctx context.Context) ([]ledger.Account, error) {
	var out []ledger.Account
	for _, prefix := range []string{"bank", "bingo:", "contest:", "desk:", "house:", "instant:"} {
		list, err := n.Store.Accounts(ctx, prefix)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// exportAtOnce is how many entries are read at a time.
const exportAtOnce = 2000

// ExportJournal writes the whole journal under a checkpoint signed now, for boulier verify;
// payloads that were erased are withheld. That it was exported, and by whom, is an event.
func (n Inspection) ExportJournal(ctx context.Context, by player.ID, begin func() io.Writer) error {
	const stream = "exports"
	keys := Keys{States: []string{stream, string(standingOf(by))}}
	err := n.Store.Update(ctx, keys, func(tx Tx) error {
		if err := requireBy(tx, by, Inspect); err != nil {
			return err
		}
		return appendTo(tx, stream, "journal_exported", struct {
			By player.ID `json:"by"`
		}{by})
	})
	if err != nil {
		return err
	}
	c, err := n.CheckpointNow(ctx)
	if err != nil {
		return err
	}
	w, err := proof.NewJournalWriter(begin(), n.Sealer.VerifierKey(), c.Note)
	if err != nil {
		return err
	}
	for next := int64(0); next < c.Size; {
		list, err := n.Store.Entries(ctx, next, int(min(exportAtOnce, c.Size-next)))
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return errors.New("app: the journal is shorter than its checkpoint")
		}
		for _, e := range list {
			if err := writeEntry(w, e); err != nil {
				return err
			}
		}
		next += int64(len(list))
	}
	return w.Close()
}

func writeEntry(w *proof.JournalWriter, e Entry) error {
	if e.Salt == nil {
		return w.WriteWithheld(e.Leaf, proof.Erased)
	}
	if len(e.Salt) != len(journal.Salt{}) {
		return errors.New("app: a stored salt is damaged")
	}
	return w.Write(e.Leaf, journal.Salt(e.Salt), e.Payload)
}

// ExportBlock writes an ended block with all its sales, for boulier verify. It is anyone's
// to ask for. Nothing is written before begin is called.
func (i *Instant) ExportBlock(ctx context.Context, id BlockID, begin func() io.Writer) error {
	state, last, err := blockCell(id).Read(ctx, i.Store)
	if err != nil {
		return err
	}
	if state.Issue == 0 {
		return ErrNotFound
	}
	if state.Revealed == nil {
		return ErrNotEnded.With("block %d of issue %d", state.Number, state.Issue)
	}
	issue, _, err := issueCell(state.Issue).Read(ctx, i.Store)
	if err != nil {
		return err
	}
	file, err := i.gameFile(ctx, issue.Game)
	if err != nil {
		return err
	}
	revealed, err := i.numberOf(ctx, id, string(proof.KindRevealed), last)
	if err != nil {
		return err
	}
	checkpoint, err := i.CheckpointNow(ctx)
	if err != nil {
		return err
	}
	_, head, err := i.heads(checkpoint.Note, checkpoint.Note)
	if err != nil {
		return err
	}
	b := proof.Block{Key: i.Sealer.VerifierKey(), Table: tableRows(file.Game.Table), Checkpoint: checkpoint.Note}
	if b.Opening, err = i.prove(ctx, string(blockCell(id)), 1, head); err != nil {
		return err
	}
	if b.Revealed, err = i.prove(ctx, string(blockCell(id)), revealed, head); err != nil {
		return err
	}
	return proof.WriteBlock(begin(), b, i.soldLines(ctx, id))
}

// numberOf finds the last event of a kind in the stream of a block, among a handful.
func (i *Instant) numberOf(ctx context.Context, id BlockID, kind string, last uint64) (uint64, error) {
	found := uint64(0)
	err := i.eachEvent(ctx, string(blockCell(id)), 0, func(l journal.Leaf, _ []byte) error {
		if string(l.Kind) == kind {
			found = uint64(l.Number)
		}
		return nil
	})
	if err == nil && (found == 0 || found > last) {
		return 0, errors.New("app: a revealed block has no event that says so")
	}
	return found, err
}

// soldLines yields the sales of a block in order.
func (i *Instant) soldLines(ctx context.Context, id BlockID) iter.Seq2[proof.SoldLine, error] {
	return func(yield func(proof.SoldLine, error) bool) {
		err := i.eachEntry(ctx, string(salesCell(id)), 0, func(e Entry, l journal.Leaf) error {
			if len(e.Salt) != len(proof.Salt{}) {
				return errors.New("the payload of a sale is not there")
			}
			sale, err := proof.ParseSale(e.Payload)
			if err != nil {
				return err
			}
			if !yield(proof.LineOf(sale, l.At.UnixMicro(), proof.Salt(e.Salt)), nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(proof.SoldLine{}, err)
		}
	}
}

// errStopped ends a reading that nobody listens to any more.
var errStopped = errors.New("app: stopped")

// Pretty returns the payload over several lines.
func (f Fact) Pretty() string {
	var v any
	if json.Unmarshal([]byte(f.Payload), &v) != nil {
		return f.Payload
	}
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return f.Payload
	}
	return string(b)
}
