package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNodeTaken refuses a second process with the number of a node on one database: the two
// would make the same identifiers, and not hear each other.
var ErrNodeTaken = errors.New("store: another process works on this database under the same number; give this one another (--node)")

// claims is the first key of the advisory locks that claim the numbers of nodes.
const claims = 0x626f756c

// claimFor is how long the number of a process that has just died may still be taken.
const claimFor = 15 * time.Second

// claim takes the number of this node for as long as the connection that it returns lives:
// PostgreSQL gives it back when the process dies.
func (s *Store) claim(ctx context.Context) (*pgx.Conn, error) {
	c, err := pgx.Connect(ctx, s.cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	for until := time.Now().Add(claimFor); ; {
		var got bool
		err := c.QueryRow(ctx, "SELECT pg_try_advisory_lock($1, $2)", claims, s.cfg.Node).Scan(&got)
		if err == nil && got {
			return c, nil
		}
		if err == nil && time.Now().After(until) {
			err = fmt.Errorf("%w: number %d", ErrNodeTaken, s.cfg.Node)
		}
		if err == nil {
			select {
			case <-time.After(100 * time.Millisecond):
				continue
			case <-ctx.Done():
				err = errors.Join(ErrNodeTaken, ctx.Err())
			}
		}
		c.Close(context.WithoutCancel(ctx))
		return nil, err
	}
}
