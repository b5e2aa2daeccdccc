package app

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"

	"boulier/draw"
)

// Ground is what every use case stands on: where state is kept, and what it takes from
// the world. It is shared, not copied.
type Ground struct {
	Store   Store
	Now     func() time.Time // the clock, for what is decided outside a transaction
	Entropy func([]byte)     // fills with random bytes; it does not fail
	Sealer  Sealer
	Journal Sequencer
	Zone    *time.Location // where days begin and end
	Version string         // of the program
	Postman Postman        // sends e-mail; nil: letters wait
	Log     *slog.Logger

	signing sync.Mutex // one sequencing at a time on this node
}

// A Sealer keeps secrets unreadable in the database, and signs checkpoints. Package vault
// implements it.
type Sealer interface {
	Seal(use, id string, secret []byte) (keyID string, sealed []byte)
	Unseal(keyID, use, id string, sealed []byte) ([]byte, error)
	Signer() note.Signer
	VerifierKey() string
	Fingerprint() string
}

// A Sequencer places committed events in the journal's tree; package store implements it.
type Sequencer interface {
	Sequence(ctx context.Context, signer note.Signer) (CheckpointRecord, error)
}

// CheckpointNow places everything that is committed in the journal's tree and returns the
// signed checkpoint that covers it.
func (g *Ground) CheckpointNow(ctx context.Context) (CheckpointRecord, error) {
	g.signing.Lock()
	defer g.signing.Unlock()
	for try := 0; ; try++ {
		c, err := g.Journal.Sequence(ctx, g.Sealer.Signer())
		// Another node may have placed the same events first: then the second try finds them.
		if err == nil || try == 3 || ctx.Err() != nil {
			return c, err
		}
	}
}

// RandomBytes is the Entropy of a real program.
func RandomBytes(p []byte) {
	rand.Read(p) // never fails: the program stops when the system has none
}

// A Cell is a named state of type T, kept as JSON. A state to which events are appended is
// also the stream of those events. The zero value of T stands for a state not yet kept.
type Cell[T any] string

// Get returns the state as it stands in the transaction.
func (c Cell[T]) Get(tx Tx) (T, error) {
	var none T
	v, err := tx.Get(string(c), decodeCell[T])
	if err != nil || v == nil {
		return none, err
	}
	return v.(T), nil
}

// Put replaces the state.
func (c Cell[T]) Put(tx Tx, v T) { tx.Put(string(c), v, encodeCell) }

// Remove removes the state.
func (c Cell[T]) Remove(tx Tx) { tx.Put(string(c), nil, encodeCell) }

// Append adds an event to the stream of the cell; the payload is encoded as JSON. Only
// pseudonymous identifiers belong in a payload that is not to be erased.
func (c Cell[T]) Append(tx Tx, kind string, payload any) error {
	return appendTo(tx, string(c), kind, payload)
}

// Read returns the committed state, and the number of its last event.
func (c Cell[T]) Read(ctx context.Context, r Reader) (v T, number uint64, err error) {
	rec, err := r.State(ctx, string(c))
	if errors.Is(err, ErrNotFound) {
		return v, 0, nil
	}
	if err != nil || len(rec.Body) == 0 {
		return v, rec.Number, err
	}
	decoded, err := decodeCell[T](rec.Body)
	if err != nil {
		return v, 0, fmt.Errorf("app: state %s: %w", string(c), err)
	}
	return decoded.(T), rec.Number, nil
}

func decodeCell[T any](b []byte) (any, error) {
	var v T
	err := json.Unmarshal(b, &v)
	return v, err
}

func encodeCell(v any) ([]byte, error) { return json.Marshal(v) }

func appendTo(tx Tx, stream, kind string, payload any) error {
	_, err := appendNumbered(tx, stream, kind, payload)
	return err
}

// A counter gives dense identifiers from 1.
type counter = Cell[int64]

// next takes the next number of a counter among the keys.
func next(tx Tx, c counter) (int64, error) {
	n, err := c.Get(tx)
	if err != nil {
		return 0, err
	}
	c.Put(tx, n+1)
	return n + 1, nil
}

// newSecret draws a secret and its sealed row; whoever calls inserts the row in the same
// transaction as the commitment.
func (g *Ground) newSecret(use draw.Use, id draw.ID) (draw.Secret, SecretRow) {
	var s draw.Secret
	g.Entropy(s[:])
	key, sealed := g.Sealer.Seal(string(use), string(id), s[:])
	return s, SecretRow{Use: string(use), ID: string(id), KeyID: key, Sealed: sealed}
}

// openSecret opens a sealed secret. Every opening is an event that names who, and it is
// durable before the secret is returned.
func (g *Ground) openSecret(ctx context.Context, use draw.Use, id draw.ID, who, why string) (draw.Secret, error) {
	row, err := g.Store.Secret(ctx, string(use), string(id))
	if err != nil {
		return draw.Secret{}, fmt.Errorf("app: the secret of %s %s: %w", use, id, err)
	}
	stream := secretStream(use, id)
	err = g.Store.Update(ctx, Keys{States: []string{stream}}, func(tx Tx) error {
		return appendTo(tx, stream, "secret_opened", secretOpened{string(use), string(id), who, why})
	})
	if err != nil {
		return draw.Secret{}, err
	}
	plain, err := g.Sealer.Unseal(row.KeyID, row.Use, row.ID, row.Sealed)
	if err != nil {
		return draw.Secret{}, err
	}
	if len(plain) != len(draw.Secret{}) {
		return draw.Secret{}, fmt.Errorf("app: the secret of %s %s has %d bytes", use, id, len(plain))
	}
	return draw.Secret(plain), nil
}

// houseKey returns a lasting secret of the house. It is drawn the first time that it is
// wanted; its opening is an event like any other.
func (g *Ground) houseKey(ctx context.Context, use draw.Use, id draw.ID, why string) (draw.Secret, error) {
	_, err := g.Store.Secret(ctx, string(use), string(id))
	if errors.Is(err, ErrNotFound) {
		_, row := g.newSecret(use, id)
		err = g.Store.Update(ctx, Keys{}, func(tx Tx) error { tx.Insert(row); return nil })
		if errors.Is(err, ErrTaken) {
			err = nil // another node was first
		}
	}
	if err != nil {
		return draw.Secret{}, err
	}
	return g.openSecret(ctx, use, id, "server", why)
}

// secretOpened is the event of an opening.
type secretOpened struct {
	Use string `json:"use"`
	ID  string `json:"id"`
	Who string `json:"who"`
	Why string `json:"why"`
}

func secretStream(use draw.Use, id draw.ID) string { return "secret/" + string(use) + "/" + string(id) }

// appendNumbered is appendTo for whoever needs the number of the event.
func appendNumbered(tx Tx, stream, kind string, payload any) (uint64, error) {
	b, err := json.Marshal(payload)
	if err != nil {
		return 0, fmt.Errorf("app: encoding a %s: %w", kind, err)
	}
	return tx.Append(stream, kind, b)
}
