package app

import (
	"context"
	"fmt"
	"sync"
	"time"

	"boulier/player"
)

// Office is where administrators care for the house: keys, copies, settings.
type Office struct {
	*Ground
	Ring KeyRing
	// Copy writes a consistent copy of the database and one of the keys as two new files
	// whose names begin with name, and says what it wrote. Nil: the engine is backed up
	// by its own tools.
	Copy func(ctx context.Context, name string) ([]CopiedFile, error)

	mu *sync.Mutex // one rotation or copy at a time
}

// NewOffice returns the office of a house.
func NewOffice(g *Ground, ring KeyRing, copy func(context.Context, string) ([]CopiedFile, error)) Office {
	return Office{g, ring, copy, new(sync.Mutex)}
}

// A KeyRing holds the keys that seal secrets; package vault implements it.
type KeyRing interface {
	// Rotate makes a new key, with which everything is sealed from then on.
	Rotate() (string, error)
	// Keys returns the identifiers of all keys, oldest first; the last one seals.
	Keys() []string
}

// An Order is what an administrator asks for, with nothing more to say.
type Order struct {
	Request RequestID
	By      player.ID
}

// keysState counts the rotations that were asked for and those that are done.
type keysState struct {
	Wanted   int       `json:"wanted"`
	Done     int       `json:"done"`
	TurnedAt time.Time `json:"turned_at,omitzero"` // when the last one was asked for
}

const keysCell Cell[keysState] = "keys"

// keyOrdered and keyTurned are the events of a rotation.
type keyOrdered struct {
	By player.ID `json:"by"`
}

type keyTurned struct {
	Key      string `json:"key"`      // that seals from now on
	Resealed int    `json:"resealed"` // secrets that had another
}

// RotateKeys makes a new sealing key and seals every secret anew under it. The older keys
// stay in the folder, for backups made before.
func (o Office) RotateKeys(ctx context.Context, order Order) error {
	keys := Keys{
		Request: NewRequest(order.Request, "person/"+order.By.String(), "keys/rotate", nil),
		States:  []string{string(keysCell), string(standingOf(order.By))},
	}
	_, err := Do(ctx, o.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, order.By, ManageHouse); err != nil {
			return struct{}{}, err
		}
		s, err := keysCell.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		s.Wanted, s.TurnedAt = s.Wanted+1, tx.Now()
		keysCell.Put(tx, s)
		return struct{}{}, keysCell.Append(tx, "key_ordered", keyOrdered{order.By})
	})
	if err != nil {
		return err
	}
	return o.FinishRotation(ctx)
}

// FinishRotation carries out the rotations that were asked for and not done: none when the
// request was repeated, one that a stop of the program has cut short at the next start.
func (o Office) FinishRotation(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	s, _, err := keysCell.Read(ctx, o.Store)
	if err != nil || s.Done >= s.Wanted {
		return err
	}
	key, err := o.Ring.Rotate()
	if err != nil {
		return err
	}
	resealed, err := o.reseal(ctx, key)
	if err != nil {
		return err
	}
	return o.Store.Update(ctx, Keys{States: []string{string(keysCell)}}, func(tx Tx) error {
		now, err := keysCell.Get(tx)
		if err != nil {
			return err
		}
		now.Done = s.Wanted
		keysCell.Put(tx, now)
		return keysCell.Append(tx, "key_turned", keyTurned{key, resealed})
	})
}

// resealAtOnce is how many secrets one transaction seals anew.
const resealAtOnce = 200

// reseal seals anew every secret that another key than this one seals, in chunks.
func (o Office) reseal(ctx context.Context, key string) (int, error) {
	all, err := o.Store.Secrets(ctx)
	if err != nil {
		return 0, err
	}
	done := 0
	var rows []Row
	flush := func() error {
		chunk := rows
		rows = nil
		return o.Store.Update(ctx, Keys{}, func(tx Tx) error {
			tx.Save(chunk...)
			return nil
		})
	}
	for _, row := range all {
		if row.KeyID == key {
			continue
		}
		plain, err := o.Sealer.Unseal(row.KeyID, row.Use, row.ID, row.Sealed)
		if err != nil {
			return done, fmt.Errorf("app: sealing anew: %w", err)
		}
		row.KeyID, row.Sealed = o.Sealer.Seal(row.Use, row.ID, plain)
		clear(plain)
		rows = append(rows, row)
		done++
		if len(rows) == resealAtOnce {
			if err := flush(); err != nil {
				return done, err
			}
		}
	}
	if len(rows) > 0 {
		if err := flush(); err != nil {
			return done, err
		}
	}
	slips, err := o.resealSlips(ctx, key)
	return done + slips, err
}

// KeyFacts is what may be shown of the keys.
type KeyFacts struct {
	Origin      string // the name under which checkpoints are signed
	Fingerprint string
	Verifier    string
	Keys        []string // that open secrets, oldest first; the last one seals
	Secrets     int
	Waiting     int // secrets that an older key still seals
	TurnedAt    time.Time
}

// Keys returns what may be shown of the keys.
func (o Office) Keys(ctx context.Context) (KeyFacts, error) {
	f := KeyFacts{Origin: o.Sealer.Signer().Name(), Fingerprint: o.Sealer.Fingerprint(),
		Verifier: o.Sealer.VerifierKey(), Keys: o.Ring.Keys()}
	s, _, err := keysCell.Read(ctx, o.Store)
	if err != nil {
		return f, err
	}
	f.TurnedAt = s.TurnedAt
	rows, err := o.Store.Secrets(ctx)
	for _, r := range rows {
		f.Secrets++
		if r.KeyID != f.Keys[len(f.Keys)-1] {
			f.Waiting++
		}
	}
	return f, err
}
