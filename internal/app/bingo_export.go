package app

import (
	"context"
	"errors"
	"io"
	"slices"

	"boulier/game/bingo"
	"boulier/internal/proof"
	"boulier/journal"
	"boulier/regs"
)

// ErrBingoRunning refuses to prove a round whose secret is not revealed yet.
var ErrBingoRunning = &regs.Violation{Ref: "house:5", Code: "bingo_running"}

// ExportRound writes a round that is over or void with all that proves it, for boulier
// verify: who bought which card is left out, so that it is anyone's to ask for. Nothing is
// written before begin is called. A checkpoint that covers the round is signed first.
func (b *Bingo) ExportRound(ctx context.Context, id bingo.RoundID, begin func() io.Writer) error {
	r, last, err := b.Round(ctx, id)
	if err != nil {
		return err
	}
	if r.Secret == "" {
		return ErrBingoRunning.With("round %d is %q", id, r.Phase)
	}
	before, _, err := bingoBeforeCell(id).Read(ctx, b.Store)
	if err != nil {
		return err
	}
	refunded, err := b.refundNumbers(ctx, id)
	if err != nil {
		return err
	}
	checkpoint, err := b.CheckpointNow(ctx)
	if err != nil {
		return err
	}
	out := proof.Round{Key: b.Sealer.VerifierKey(), Round: id, Before: before, Checkpoint: checkpoint.Note}
	first, head, err := b.heads(checkpoint.Note, checkpoint.Note)
	if before != "" && err == nil {
		if first, _, err = b.heads(before, before); err == nil {
			var path journal.Proof
			path, err = journal.ProveConsistency(first.Size, head, tileReader{ctx, b.Store})
			out.Consistency = proof.PathOf(path)
		}
	}
	if err != nil {
		return err
	}
	var facts, refunds []proof.Proved
	for n := uint64(1); n <= last; n++ {
		p, err := b.prove(ctx, string(bingoRoundCell(id)), n, head)
		if err != nil {
			return err
		}
		facts = append(facts, p)
	}
	for _, n := range refunded {
		p, err := b.prove(ctx, string(bingoSaleCell(id)), n, head)
		if err != nil {
			return err
		}
		refunds = append(refunds, p)
	}
	sales, _, err := b.sales(ctx, id)
	if err != nil {
		return err
	}
	sold, err := b.faces(ctx, sales)
	if err != nil {
		return err
	}
	return proof.WriteRound(begin(), out, facts, refunds, slices.Values(sold), len(sold))
}

// refundNumbers returns the numbers of the refunds in the stream of a sale.
func (b *Bingo) refundNumbers(ctx context.Context, id bingo.RoundID) (list []uint64, err error) {
	sale, err := b.Sale(ctx, id)
	if err != nil || sale.Left == 0 {
		return nil, err
	}
	err = b.eachEvent(ctx, string(bingoSaleCell(id)), 0, func(l journal.Leaf, payload []byte) error {
		if string(l.Kind) != (bingo.CardsRefunded{}).Kind() {
			return nil
		}
		if payload == nil {
			return errors.New("a refund was erased")
		}
		list = append(list, uint64(l.Number))
		return nil
	})
	return list, err
}
