package app

import (
	"context"

	"boulier/draw"
	"boulier/internal/proof"
	"boulier/journal"
)

// digestAtOnce is how many sales are read at a time.
const digestAtOnce = 5000

// reveal publishes the secret of an ended or unsold block, once: from then on anyone can
// recompute it. The sales are digested outside any transaction, for none can come.
func (i *Instant) reveal(ctx context.Context, id BlockID) error {
	i.reveals.Lock()
	defer i.reveals.Unlock()
	state, _, err := blockCell(id).Read(ctx, i.Store)
	if err != nil || state.Revealed != nil {
		return err
	}
	var digest proof.SalesDigest
	sold := 0
	for {
		entries, err := i.Store.Stream(ctx, string(salesCell(id)), uint64(sold), digestAtOnce)
		if err != nil {
			return err
		}
		for _, e := range entries {
			digest.Add(journal.LeafHash(e.Leaf))
			sold++
		}
		if len(entries) < digestAtOnce {
			break
		}
	}
	secret, err := i.openSecret(ctx, draw.InstantBlock, drawID(id), "server", "reveal")
	if err != nil {
		return err
	}
	revealed := proof.Revealed{Block: drawID(id), Secret: proof.Hash(secret), Sold: sold, Sales: digest.Sum()}
	payload, err := proof.Payload(revealed)
	if err != nil {
		return err
	}
	err = i.Store.Update(ctx, Keys{States: []string{string(blockCell(id))}}, func(tx Tx) error {
		b, err := blockCell(id).Get(tx)
		if err != nil || b.Revealed != nil {
			return err
		}
		b.Revealed = &revealed
		blockCell(id).Put(tx, b)
		_, err = tx.Append(string(blockCell(id)), string(proof.KindRevealed), payload)
		return err
	})
	if err != nil {
		return err
	}
	_, err = i.CheckpointNow(ctx)
	return err
}
