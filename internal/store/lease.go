package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"boulier/internal/app"
)

// Acquire takes the lease of a scope for a time, or prolongs it. Taking it from another
// node, after it lapsed, or from an earlier life of this node raises the epoch, so that
// whoever held it before can append nothing more. It returns app.ErrLease while another node
// holds it.
func (s *Store) Acquire(ctx context.Context, scope string, ttl time.Duration) (app.Lease, error) {
	var got app.Lease
	err := s.maintain(ctx, func(ctx context.Context, c *conn) error {
		var l lease
		now := s.w.now()
		err := c.QueryRowContext(ctx, "SELECT node,epoch,expires_at FROM leases WHERE scope=$1"+
			s.dialect.lock(), scope).Scan(&l.node, &l.epoch, &l.expires)
		mine := err == nil && l.node == s.node() && l.expires > now.UnixMicro() && s.held[scope] == l.epoch
		switch {
		case errors.Is(err, sql.ErrNoRows):
			l.epoch = 1
		case err != nil:
			return fmt.Errorf("store: reading the lease: %w", err)
		case l.node != s.node() && l.expires > now.UnixMicro():
			return fmt.Errorf("%w: %s by node %s", app.ErrLease, scope, l.node)
		case !mine:
			l.epoch++
		}
		got = app.Lease{Scope: scope, Epoch: l.epoch}
		s.held[scope] = l.epoch
		o := save
		if l.epoch == 1 && !mine {
			o = insert
		}
		return c.bulk(ctx, leasesTable, o, []any{scope, s.node(), l.epoch, now.Add(ttl).UnixMicro()})
	})
	return got, err
}
