package app

import (
	"context"
	"io"
	"iter"
	"math"
	"slices"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/proof"
	"boulier/journal"
	"boulier/regs"
)

// ErrLotoRunning refuses to prove a round that is not closed, or a day that is not over.
var ErrLotoRunning = &regs.Violation{Ref: "house:5", Code: "loto_running"}

// Export writes a day up to a round that is closed, or all of it once it is over (round 0),
// with all that proves it, for boulier verify: to whom a card was sold and what is said of
// people is left out, so that it is anyone's to ask for. Nothing is written before begin is
// called. A checkpoint that covers it is signed first.
func (l *Loto) Export(ctx context.Context, id LotoID, round int, begin func() io.Writer) error {
	d, last, err := l.Day(ctx, id)
	if err != nil {
		return err
	}
	if s := d.Session; round < 0 || round > len(s.Results) || round == 0 && s.Phase != loto.Closed {
		return ErrLotoRunning.With("round %d of day %d, %d are closed, the day is %q", round, id, len(s.Results), s.Phase)
	}
	out := proof.Loto{Key: l.Sealer.VerifierKey(), Day: int64(id), Round: round}
	if out.Before, _, err = lotoBeforeCell(id).Read(ctx, l.Store); err != nil {
		return err
	}
	checkpoint, err := l.CheckpointNow(ctx)
	if err != nil {
		return err
	}
	out.Checkpoint = checkpoint.Note
	first, head, err := l.heads(out.Before, checkpoint.Note)
	if err != nil {
		return err
	}
	path, err := journal.ProveConsistency(first.Size, head, tileReader{ctx, l.Store})
	if err != nil {
		return err
	}
	out.Consistency = proof.PathOf(path)
	facts, upto, err := l.provedFacts(ctx, d, round, last, head)
	if err != nil {
		return err
	}
	stocks, err := l.Stocks(ctx, d)
	if err != nil {
		return err
	}
	var sold []proof.LotoSold
	for _, c := range loto.SoldCards(stocks) {
		if slices.ContainsFunc(upto, func(u loto.SaleRef) bool { return u.Desk == c.Sale.Desk && c.Sale.Sale <= u.Sale }) {
			sold = append(sold, proof.LotoSold{Series: c.Serial.Series, Number: c.Serial.Number, Price: c.Price,
				Desk: c.Sale.Desk, Sale: c.Sale.Sale})
		}
	}
	series, err := l.provedSeries(ctx, d.Session.Plan, head)
	if err != nil {
		return err
	}
	return proof.WriteLoto(begin(), out, facts, series, sold)
}

// provedFacts returns the facts of a day up to the end of a round, or all of them, and the
// last sales that play in the last round that was opened.
func (l *Loto) provedFacts(ctx context.Context, d LotoDay, round int, last uint64, head journal.Head) (
	facts []proof.Proved, upto []loto.SaleRef, err error) {
	var s loto.Session
	tiles := &tilesRead{tileReader{ctx, l.Store}, map[journal.TileID][]byte{}}
	for after, done := uint64(0), false; after < last && !done; {
		entries, err := l.Store.Stream(ctx, string(lotoCell(d.ID)), after, readAtOnce)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range entries {
			leaf, err := journal.ParseLeaf(e.Leaf)
			if err != nil {
				return nil, nil, err
			}
			if after++; after > last || round != 0 && len(s.Results) == round && leaf.Kind != proof.KindSecrets {
				done = true
				break
			}
			p, err := proveEntry(e, head, tiles)
			if err != nil {
				return nil, nil, err
			}
			event, _, err := ReadLotoEvent(string(leaf.Kind), e.Payload)
			if err != nil {
				return nil, nil, err
			}
			if event != nil {
				s = s.Apply(event)
			}
			if proof.WithheldFromAll(leaf.Kind) {
				p.Salt, p.Payload = proof.Salt{}, ""
			}
			facts = append(facts, p)
		}
	}
	return facts, s.Upto, nil
}

// provedSeries returns the series of a plan with their registrations and their cards.
func (l *Loto) provedSeries(ctx context.Context, p loto.Plan, head journal.Head) (list []proof.LotoSeries, err error) {
	names := slices.Clone(p.Ordinary)
	if p.Special != "" {
		names = append(names, p.Special)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		registered, err := l.prove(ctx, string(seriesCell(name)), 1, head)
		if err != nil {
			return nil, err
		}
		list = append(list, proof.LotoSeries{Registered: registered, Cards: l.faceLines(ctx, name)})
	}
	return list, nil
}

// faceLines gives the lines of the cards of a series.
func (l *Loto) faceLines(ctx context.Context, name ninety.Series) iter.Seq2[proof.LotoCard, error] {
	return func(yield func(proof.LotoCard, error) bool) {
		for row, err := range l.Cards.between(ctx, name, 1, math.MaxInt32) {
			if !yield(proof.LotoCard{Number: row.Number, Lines: proof.LinesOf(row.Card())}, err) {
				return
			}
		}
	}
}

// tilesRead are tiles that are read once: thousands of facts stand beside each other.
type tilesRead struct {
	from  journal.TileReader
	known map[journal.TileID][]byte
}

// ReadTiles implements journal.TileReader.
func (t *tilesRead) ReadTiles(ids []journal.TileID) ([][]byte, error) {
	out := make([][]byte, len(ids))
	for i, id := range ids {
		if t.known[id] == nil {
			read, err := t.from.ReadTiles(ids[i : i+1])
			if err != nil {
				return nil, err
			}
			t.known[id] = read[0]
		}
		out[i] = t.known[id]
	}
	return out, nil
}
