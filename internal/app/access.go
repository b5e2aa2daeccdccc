package app

import (
	"context"
	"time"

	"boulier/journal"
)

// accessStream tells of failed sign-ins (std:24). Its payloads hold addresses of the network.
const accessStream = "access"

// accessErased is the number up to which the stream tells nothing any more.
const accessErased Cell[uint64] = "access/erased"

// erasedAtOnce bounds what one transaction erases.
const erasedAtOnce = 200

// ForgetAddresses erases what failed sign-ins before a moment said: the facts stay in the
// journal with their leaves, and every proof holds. It returns how many it erased.
func (p People) ForgetAddresses(ctx context.Context, before time.Time) (erased int, err error) {
	for {
		from, _, err := accessErased.Read(ctx, p.Store)
		if err != nil {
			return erased, err
		}
		list, err := p.Store.Stream(ctx, accessStream, from, erasedAtOnce)
		if err != nil {
			return erased, err
		}
		old := 0
		for _, e := range list {
			l, err := journal.ParseLeaf(e.Leaf)
			if err != nil {
				return erased, err
			}
			if !l.At.Before(before) {
				break
			}
			old++
		}
		if old == 0 {
			return erased, nil
		}
		keys := Keys{States: []string{accessStream, string(accessErased)}}
		err = p.Store.Update(ctx, keys, func(tx Tx) error {
			if now, err := accessErased.Get(tx); err != nil || now != from {
				return err // another node does it
			}
			for n := range uint64(old) {
				if err := tx.Erase(accessStream, from+n+1); err != nil {
					return err
				}
			}
			accessErased.Put(tx, from+uint64(old))
			return nil
		})
		if err != nil {
			return erased, err
		}
		erased += old
	}
}
