package app

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"boulier/game/contest"
	"boulier/player"
)

// sealSlip makes the next version of a slip.
func (c *Contests) sealSlip(tx Tx, was slipState, s Submission) (slipState, error) {
	var salt [16]byte
	c.Entropy(salt[:])
	is := slipState{Leg: s.Leg, Player: s.Player, Version: was.Version + 1, ChangedAt: tx.Now(), Order: tx.NewID()}
	content := slipContent{hex.EncodeToString(salt[:]), s.Picks}
	is.Digest = SlipDigest(s.Leg, s.Player, is.Version, content.Salt, s.Picks)
	body, err := json.Marshal(content)
	if err != nil {
		return is, err
	}
	is.Key, is.Sealed = c.Sealer.Seal(sealedSlips, slipID(is), pad(body, len(s.Picks)))
	return is, nil
}

// pad adds spaces behind a slip, which its reader skips: the length of what is sealed must
// not tell a name from a shorter one.
func pad(body []byte, lines int) []byte {
	room := 64 + 48*lines
	return append(body, bytes.Repeat([]byte{' '}, room-len(body)%room)...)
}

// unsealSlip opens a slip: for its player, or once its limits are past.
func (c *Contests) unsealSlip(s slipState) (slipContent, error) {
	var content slipContent
	body, err := c.Sealer.Unseal(s.Key, sealedSlips, slipID(s), s.Sealed)
	if err != nil {
		return content, fmt.Errorf("app: the slip of player %d in leg %d: %w", s.Player, s.Leg, err)
	}
	err = json.Unmarshal(body, &content)
	return content, err
}

// A Slip is a player's slip as somebody may see it: hidden lines are empty.
type Slip struct {
	SlipReceipt
	Picks   []contest.Pick
	Visible []bool // by line
	Salt    string // of the digest, once every line is visible
}

// Slip returns the slip of a player as viewer may see it now (Reading C25); ErrNotFound if
// there is none.
func (c *Contests) Slip(ctx context.Context, l LegState, owner, viewer player.ID) (Slip, error) {
	s, _, err := slipCell(l.ID, owner).Read(ctx, c.Store)
	if err != nil {
		return Slip{}, err
	}
	if s.Version == 0 {
		return Slip{}, ErrNotFound
	}
	return c.show(l, s, viewer)
}

func (c *Contests) show(l LegState, s slipState, viewer player.ID) (Slip, error) {
	out := Slip{SlipReceipt: receiptOf(s, false), Visible: l.VisibleLines(viewer, s.Player, c.Now())}
	content, err := c.unsealSlip(s)
	if err != nil {
		return out, err
	}
	all := true
	out.Picks = make([]contest.Pick, len(content.Picks))
	for i, seen := range out.Visible {
		if seen {
			out.Picks[i] = content.Picks[i]
		}
		all = all && seen
	}
	if all {
		out.Salt = content.Salt
	}
	return out, nil
}

// AllSlips returns the slips of a leg after a player, as viewer may see them now: lines
// whose limits have not passed are hidden. They come in the order of their names.
func (c *Contests) AllSlips(ctx context.Context, l LegState, after, viewer player.ID, limit int) ([]Slip, error) {
	past := ""
	if after > 0 {
		past = string(slipCell(l.ID, after))
	}
	recs, err := c.Store.States(ctx, slipsOf(l.ID), past, limit)
	if err != nil {
		return nil, err
	}
	out := make([]Slip, 0, len(recs))
	for _, rec := range recs {
		v, err := decodeCell[slipState](rec.Body)
		if err != nil {
			return nil, err
		}
		s, err := c.show(l, v.(slipState), viewer)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// eachSlip opens every slip of a closed leg, in chunks. It is only called once the leg's
// close is a fact: that event is the opening of all its slips.
func (c *Contests) eachSlip(ctx context.Context, l LegState, fn func(slipState, []contest.Pick) error) error {
	if l.ClosedAt.IsZero() {
		return errLineOpen
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	chunks := make(chan []StateRecord, 2)
	var failed error // set before chunks is closed
	go func() {
		defer close(chunks)
		failed = c.readSlips(ctx, l, chunks)
	}()
	for recs := range chunks {
		for _, rec := range recs {
			var s slipState
			if err := json.Unmarshal(rec.Body, &s); err != nil {
				return fmt.Errorf("app: state %s: %w", rec.Name, err)
			}
			content, err := c.unsealSlip(s)
			if err != nil {
				return err
			}
			if err := fn(s, content.Picks); err != nil {
				return err
			}
		}
	}
	return failed
}

// slipsAtOnce is how many slips are read in one go.
const slipsAtOnce = 2000

// readSlips reads the slips of a leg ahead of who opens them.
func (c *Contests) readSlips(ctx context.Context, l LegState, chunks chan<- []StateRecord) error {
	last := ""
	for {
		recs, err := c.Store.States(ctx, slipsOf(l.ID), last, slipsAtOnce)
		if err != nil {
			return err
		}
		select {
		case chunks <- recs:
		case <-ctx.Done():
			return ctx.Err()
		}
		if len(recs) < slipsAtOnce {
			return nil
		}
		last = recs[len(recs)-1].Name
	}
}
