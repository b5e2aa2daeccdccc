package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"boulier/internal/app"
)

// channel is the one on which nodes of a PostgreSQL tell each other what has changed.
const channel = "boulier"

// maxNotice is how long a notice may be; PostgreSQL takes just under 8000 bytes.
const maxNotice = 7800

// anything stands for more names than a notice holds.
const anything = "*"

// notify adds to the group's transaction one notice of the states that it has written; it
// is sent when the group commits. Alone on SQLite, nobody listens.
func (w *writer) notify(ctx context.Context) error {
	if w.store.dialect.exclusive() {
		return nil
	}
	names := []string{w.store.node()}
	size := 0
	for _, s := range w.stateList {
		if s.dirty {
			names = append(names, s.name)
			size += len(s.name) + 1
		}
	}
	if len(names) == 1 {
		return nil
	}
	if size > maxNotice {
		names = []string{names[0], anything}
	}
	if _, err := w.conn.ExecContext(ctx, "SELECT pg_notify($1, $2)", channel, strings.Join(names, " ")); err != nil {
		return fmt.Errorf("store: notifying other nodes: %w", err)
	}
	return nil
}

// relisten is how long a node waits before it listens again after a failure.
const relisten = time.Second

// listen tells Committed what other nodes have changed, until ctx ends, on the connection
// that claims the number of this node. After a failure something may have been missed, so
// everything counts as changed; and if the number went to another process meanwhile, this one
// stops.
func (s *Store) listen(ctx context.Context, c *pgx.Conn) {
	for {
		err := s.hear(ctx, c)
		c.Close(context.WithoutCancel(ctx))
		for err != nil {
			if ctx.Err() != nil {
				return
			}
			if errors.Is(err, ErrNodeTaken) {
				s.maintain(ctx, func(context.Context, *conn) error { return s.fail(err) })
				return
			}
			slog.Warn("this node no longer hears the others; it listens again", "error", err)
			select {
			case <-time.After(relisten):
			case <-ctx.Done():
			}
			c, err = s.claim(ctx)
		}
	}
}

func (s *Store) hear(ctx context.Context, c *pgx.Conn) error {
	if _, err := c.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	tell := s.cfg.Committed
	if tell == nil {
		tell = func(app.Committed) {}
	}
	tell(app.Committed{All: true})
	for {
		n, err := c.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if change, ok := parseNotice(n.Payload, s.cfg.Node); ok {
			tell(change)
		}
	}
}

// parseNotice reads a notice of another node; ok is false for this node's own.
func parseNotice(text string, own int) (c app.Committed, ok bool) {
	from, names, _ := strings.Cut(text, " ")
	if from == strconv.Itoa(own) {
		return c, false
	}
	for name := range strings.SplitSeq(names, " ") {
		switch name {
		case "":
		case anything:
			c.All = true
		default:
			c.States = append(c.States, app.Changed{Name: name})
		}
	}
	return c, true
}
