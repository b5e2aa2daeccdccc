package app

import (
	"context"
	"encoding/json"
	"fmt"
)

// allSlips is the beginning of the names of all slips.
const allSlips = "contest/slip/"

// resealSlips seals anew every slip that another key than this one seals, in chunks. A slip
// that its player changes meanwhile is sealed by the new key already.
func (o Office) resealSlips(ctx context.Context, key string) (done int, err error) {
	last := ""
	for {
		recs, err := o.Store.States(ctx, allSlips, last, resealAtOnce)
		if err != nil {
			return done, err
		}
		var old []slipState
		for _, rec := range recs {
			last = rec.Name
			var s slipState
			if err := json.Unmarshal(rec.Body, &s); err != nil {
				return done, fmt.Errorf("app: state %s: %w", rec.Name, err)
			}
			if s.Key != key {
				old = append(old, s)
			}
		}
		if err := o.resealSome(ctx, old); err != nil {
			return done, err
		}
		done += len(old)
		if len(recs) < resealAtOnce {
			return done, nil
		}
	}
}

func (o Office) resealSome(ctx context.Context, old []slipState) error {
	if len(old) == 0 {
		return nil
	}
	var keys Keys
	for i, s := range old {
		keys.States = append(keys.States, string(slipCell(s.Leg, s.Player)))
		plain, err := o.Sealer.Unseal(s.Key, sealedSlips, slipID(s), s.Sealed)
		if err != nil {
			return fmt.Errorf("app: sealing anew the slip of player %d in leg %d: %w", s.Player, s.Leg, err)
		}
		old[i].Key, old[i].Sealed = o.Sealer.Seal(sealedSlips, slipID(s), plain)
		clear(plain)
	}
	return o.Store.Update(ctx, keys, func(tx Tx) error {
		for _, s := range old {
			now, err := slipCell(s.Leg, s.Player).Get(tx)
			if err != nil {
				return err
			}
			if now.Version == s.Version {
				slipCell(s.Leg, s.Player).Put(tx, s)
			}
		}
		return nil
	})
}
