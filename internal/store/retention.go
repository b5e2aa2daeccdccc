package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"
)

// forgetAtOnce bounds the rows that one transaction of Forget or ExpireSessions changes, so
// that those who wait for the writer do not wait long.
const forgetAtOnce = 500

// lainOpen is how long a form lies open at most before it is sent.
const lainOpen = 48 * time.Hour

// Forget drops the answers given before a time. A request stays known by its identifier,
// and its repetition is refused with app.ErrAlreadyDone. It returns how many it dropped.
//
// Identifiers of requests are ordered by time, so only those made before are looked at: an
// identifier from a clock that was ahead keeps its answer until its own time has passed.
func (s *Store) Forget(ctx context.Context, before time.Time) (dropped int64, err error) {
	var past, until [16]byte
	binary.BigEndian.PutUint64(until[:], uint64(before.UnixMilli())<<16)
	// What was gone through before is not gone through again, but for two days in which forms
	// may have lain open.
	if from := s.forgotten.Load(); from > 0 {
		binary.BigEndian.PutUint64(past[:], uint64(from-lainOpen.Milliseconds())<<16)
	}
	for {
		ids, err := all(ctx, s.reads, func(row scanner) (id []byte, err error) {
			err = row.Scan(&id)
			return id, err
		}, `SELECT DISTINCT id FROM requests WHERE id > $1 AND id < $2 AND at < $3
			AND answer IS NOT NULL ORDER BY id LIMIT $4`,
			past[:], until[:], before.UnixMicro(), forgetAtOnce)
		if err == nil && len(ids) == 0 {
			s.forgotten.Store(before.UnixMilli())
		}
		if err != nil || len(ids) == 0 {
			return dropped, err
		}
		copy(past[:], ids[len(ids)-1])
		err = s.maintain(ctx, func(ctx context.Context, c *conn) error {
			for _, id := range ids {
				if _, err := c.ExecContext(ctx, "UPDATE requests SET answer=NULL WHERE id=$1 AND at < $2",
					id, before.UnixMicro()); err != nil {
					return fmt.Errorf("store: forgetting answers: %w", err)
				}
			}
			return nil
		})
		if err != nil {
			return dropped, err
		}
		dropped += int64(len(ids))
	}
}

// ExpireSessions removes the sessions that have expired at a time, and returns how many.
func (s *Store) ExpireSessions(ctx context.Context, at time.Time) (removed int64, err error) {
	for {
		var n int64
		err := s.maintain(ctx, func(ctx context.Context, c *conn) error {
			done, err := c.ExecContext(ctx, `DELETE FROM sessions WHERE token IN (
				SELECT token FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`,
				at.UnixMicro(), forgetAtOnce)
			if err != nil {
				return fmt.Errorf("store: removing sessions: %w", err)
			}
			n, err = done.RowsAffected()
			return err
		})
		if err != nil || n == 0 {
			return removed, err
		}
		removed += n
	}
}
