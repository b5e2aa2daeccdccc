package apptest

import (
	"context"
	"errors"
	"fmt"
	"io"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/proof"
	"boulier/internal/store"
	"boulier/journal"
)

// Sound fails the test unless what must always hold does: see Check.
func (h *House) Sound() {
	h.T.Helper()
	if err := Check(context.Background(), h.Store, h.Instant); err != nil {
		h.T.Error(err)
	}
}

// Check returns what does not hold of what must always hold: the ledger is square, no
// account is below its floor, the journal is dense and its root right, and each game is what
// its facts say.
func Check(ctx context.Context, s *store.Store, i *app.Instant) error {
	if _, err := i.CheckpointNow(ctx); err != nil {
		return err
	}
	key, err := journal.ParseKey(i.Sealer.VerifierKey())
	if err != nil {
		return err
	}
	money, err1 := s.CheckLedger(ctx)
	facts, err2 := s.CheckJournal(ctx, key)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	var wrong []error
	for _, fault := range append(money.Faults, facts.Faults...) {
		wrong = append(wrong, errors.New(fault))
	}
	games, err := app.CheckGames(ctx, i.Ground)
	if err != nil {
		return err
	}
	for _, fault := range games.Faults {
		wrong = append(wrong, errors.New(fault))
	}
	// No pot holds anything between two proclamations.
	pots, err := s.Accounts(ctx, "contest:")
	for _, a := range pots {
		if a.Balance != 0 {
			wrong = append(wrong, fmt.Errorf("the pot %s still holds %d", a.Path, a.Balance))
		}
	}
	return errors.Join(append(wrong, err)...)
}

// Given counts the units sold of a block by outcome, losers first. A unit that is missing
// between two others is an error.
func Given(ctx context.Context, i *app.Instant, id app.BlockID) (by [instant.MaxLines + 1]uint32, err error) {
	const atOnce = 5000
	for sold := int64(0); ; {
		units, err := i.Store.BlockUnits(ctx, int64(id), sold, atOnce)
		if err != nil {
			return by, err
		}
		for _, u := range units {
			if sold++; u.Number != sold {
				return by, fmt.Errorf("block %d: unit %d follows unit %d", id, u.Number, sold-1)
			}
			by[u.Outcome]++
		}
		if len(units) < atOnce {
			return by, nil
		}
	}
}

// VerifyBlock exports a closed block and checks the file as a stranger does, from the file
// and the house's key alone.
func VerifyBlock(ctx context.Context, i *app.Instant, id app.BlockID) error {
	r, w := io.Pipe()
	go func() { w.CloseWithError(i.ExportBlock(ctx, id, func() io.Writer { return w })) }()
	_, err := proof.Verify("block.jsonl", r, proof.Options{Key: i.Sealer.VerifierKey()})
	r.Close() // ends the export if the check gave up early
	return err
}
