package store

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
)

// snapshot runs fn on one moment of the database, however long it reads, while others
// write.
func (s *Store) snapshot(ctx context.Context, fn func(tx *sql.Tx) error) error {
	tx, err := s.reads.BeginTx(ctx, s.dialect.snapshot())
	if err != nil {
		return fmt.Errorf("store: beginning to read: %w", err)
	}
	defer tx.Rollback()
	return fn(tx)
}

// each reads the rows of a question one after the other, in bounded memory. It ends after
// an error.
func each[T any](ctx context.Context, q queryer, scan func(scanner) (T, error), text string,
	args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		rows, err := q.QueryContext(ctx, text, args...)
		if err != nil {
			yield(none, fmt.Errorf("store: reading: %w", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			v, err := scan(rows)
			if err != nil {
				yield(none, fmt.Errorf("store: reading: %w", err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(none, fmt.Errorf("store: reading: %w", err))
		}
	}
}
