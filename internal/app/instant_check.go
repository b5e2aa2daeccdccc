package app

import (
	"context"
	"errors"
	"fmt"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/proof"
	"boulier/journal"
)

// CheckBlock returns an error unless the stored state of a block is what its facts lead to,
// its units are those of its sales, and its secret is there as long as it sells (house:6).
// Sales may go on meanwhile.
func (i *Instant) CheckBlock(ctx context.Context, id BlockID) error {
	replayed, err := i.ReplayBlock(ctx, id)
	if err != nil {
		return err
	}
	b := replayed.Stored
	if replayed.Facts != b {
		return fmt.Errorf("app: block %d: its facts lead to %+v, stored is %+v", id, replayed.Facts, b)
	}
	given, err := i.checkUnits(ctx, id, b.Next)
	if err != nil {
		return err
	}
	if given != b.Given {
		return fmt.Errorf("app: block %d: its units have the outcomes %v, it has given %v", id, given, b.Given)
	}
	if b.Status == instant.BlockEnded {
		return nil
	}
	if _, err := i.Store.Secret(ctx, string(draw.InstantBlock), string(drawID(id))); err != nil {
		return fmt.Errorf("app: the secret of block %d, which is not ended: %w", id, err)
	}
	return nil
}

// checkUnits compares the first units of a block with the facts of their sales, and counts
// them by outcome, losers first.
func (i *Instant) checkUnits(ctx context.Context, id BlockID, sold int64) (by [instant.MaxLines + 1]uint32, err error) {
	const atOnce = 5000
	var units []UnitRow
	checked := int64(0)
	err = i.eachEvent(ctx, string(salesCell(id)), 0, func(l journal.Leaf, payload []byte) error {
		if checked == sold {
			return errTold
		}
		if len(units) == 0 {
			if units, err = i.Store.BlockUnits(ctx, int64(id), checked, atOnce); err != nil {
				return err
			}
			if len(units) == 0 {
				return fmt.Errorf("block %d has no unit %d", id, checked+1)
			}
		}
		s, err := proof.ParseSale(payload)
		if err != nil {
			return err
		}
		u := units[0]
		units = units[1:]
		checked++
		if u.Number != checked || u.Number != int64(s.Index)+1 || u.Outcome != int64(s.Outcome) || u.Prize != s.Prize ||
			u.Board != int64(s.Board) || !u.SoldAt.Equal(l.At) {
			return fmt.Errorf("unit %d of block %d is not what was sold", u.Number, id)
		}
		if u.Blind != (proof.Blind{}) && (proof.Buyer{Player: u.Player, Blind: u.Blind}).Digest() != s.Buyer {
			return fmt.Errorf("unit %d of block %d was not sold to player %d", u.Number, id, u.Player)
		}
		by[u.Outcome]++
		return nil
	})
	if errors.Is(err, errTold) {
		err = nil
	}
	if err == nil && checked < sold {
		err = fmt.Errorf("app: block %d has sold %d units, the journal holds %d sales", id, sold, checked)
	}
	return by, err
}
