package app

import (
	"context"
	"encoding/json"
	"errors"

	"boulier/game/instant"
	"boulier/internal/proof"
	"boulier/journal"
)

// A Replayed block is the state that its facts lead to by the rules, beside the one stored.
type Replayed struct{ Facts, Stored instant.Block }

// ReplayBlock folds the facts of a block over the rules of its game (house:6). A fact that
// the rules would not have decided is an error. Sales that come meanwhile are left out.
func (i *Instant) ReplayBlock(ctx context.Context, id BlockID) (Replayed, error) {
	state, _, err := blockCell(id).Read(ctx, i.Store)
	if err != nil {
		return Replayed{}, err
	}
	issue, _, err := issueCell(state.Issue).Read(ctx, i.Store)
	if err != nil {
		return Replayed{}, err
	}
	file, err := i.gameFile(ctx, issue.Game)
	if err != nil {
		return Replayed{}, err
	}
	stored, _, err := salesCell(id).Read(ctx, i.Store)
	if err != nil {
		return Replayed{}, err
	}
	var read error
	facts, err := instant.Replay(&file.Game, func(yield func(instant.BlockEvent) bool) {
		read = i.tellBlock(ctx, id, state, stored.Next, yield)
	})
	if read != nil && !errors.Is(read, errStopped) {
		return Replayed{}, read
	}
	return Replayed{facts, stored.Block}, err
}

// tellBlock tells the facts of a block in their order, of its sales so many, until nobody
// listens any more: that
// it came on sale stands in the stream of its issue, its sales in one of their own, its end
// in the block's.
func (i *Instant) tellBlock(ctx context.Context, id BlockID, b BlockState, sold int64,
	yield func(instant.BlockEvent) bool) error {
	tell := func(e instant.BlockEvent) error {
		if e != nil && !yield(e) {
			return errStopped
		}
		return nil
	}
	err := i.eachEvent(ctx, string(issueCell(b.Issue)), 0, func(l journal.Leaf, payload []byte) error {
		var e blockOnSale
		if l.Kind != "block_on_sale" {
			return nil
		}
		if err := json.Unmarshal(payload, &e); err != nil || e.Block != id {
			return err
		}
		return tell(instant.BlockOpened{Number: e.Number})
	})
	if err != nil {
		return err
	}
	err = i.eachEvent(ctx, string(salesCell(id)), 0, func(l journal.Leaf, payload []byte) error {
		if l.Number > sold {
			return errTold
		}
		s, err := proof.ParseSale(payload)
		if err != nil {
			return err
		}
		return tell(instant.UnitSold{Index: int64(s.Index), Outcome: instant.Outcome(s.Outcome),
			Stake: s.Stake, Prize: s.Prize})
	})
	if err != nil && !errors.Is(err, errTold) {
		return err
	}
	return i.eachEvent(ctx, string(blockCell(id)), 0, func(l journal.Leaf, payload []byte) error {
		e, err := endOfBlock(l, payload, b.Number)
		if err != nil {
			return err
		}
		return tell(e)
	})
}

// errTold ends a reading that has told enough.
var errTold = errors.New("app: told")

// endOfBlock reads an event of a block's own stream: a stop, an end, or nil for those that
// the rules of the game do not know.
func endOfBlock(l journal.Leaf, payload []byte, number instant.BlockNumber) (instant.BlockEvent, error) {
	switch l.Kind {
	case "block_stopped":
		var s struct {
			Index   int64           `json:"index"`
			Outcome instant.Outcome `json:"outcome"`
		}
		err := json.Unmarshal(payload, &s)
		return instant.BlockStopped{Index: s.Index, Outcome: s.Outcome}, err
	case "block_ended":
		var s blockEnded
		err := json.Unmarshal(payload, &s)
		return instant.BlockClosed{Number: number, Sold: s.Sold, Reason: s.Reason}, err
	}
	return nil, nil
}
