package store

import (
	"context"
	"fmt"

	"boulier/internal/app"
)

const entryColumns = `SELECT coalesce(b.first_index + j.place, -1), j.leaf, j.salt, j.payload
	FROM journal j JOIN journal_batches b ON b.id = j.batch `

func scanEntry(s scanner) (e app.Entry, err error) {
	err = s.Scan(&e.Index, &e.Leaf, &e.Salt, &e.Payload)
	return e, err
}

// Stream implements app.Reader.
func (s *Store) Stream(ctx context.Context, stream string, past uint64, limit int) ([]app.Entry, error) {
	return all(ctx, s.reads, scanEntry, entryColumns+
		"WHERE j.stream=$1 AND j.number>$2 ORDER BY j.number LIMIT $3", stream, int64(past), limit)
}

// Entries implements app.Reader. Batches are placed whole and in order, so the first one
// wanted is the last that begins at or before first.
func (s *Store) Entries(ctx context.Context, first int64, limit int) ([]app.Entry, error) {
	entries, err := all(ctx, s.reads, scanEntry, entryColumns+`WHERE b.first_index >= coalesce(
			(SELECT max(first_index) FROM journal_batches WHERE first_index <= $1), 0)
		AND b.first_index < $1 + $2 AND b.first_index + j.place >= $1
		ORDER BY b.first_index, j.place LIMIT $2`, first, limit)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		if e.Index != first+int64(i) {
			return nil, fmt.Errorf("store: the journal lacks entry %d", first+int64(i))
		}
	}
	return entries, nil
}

// Checkpoint implements app.Reader.
func (s *Store) Checkpoint(ctx context.Context) (app.CheckpointRecord, error) {
	return one(ctx, s.reads, func(row scanner) (c app.CheckpointRecord, err error) {
		var at int64
		err = row.Scan(&c.Size, &at, &c.Note)
		c.At = moment(at)
		return c, err
	}, "SELECT size,at,note FROM journal_checkpoints ORDER BY size DESC LIMIT 1")
}

// Tile implements app.Reader.
func (s *Store) Tile(ctx context.Context, level int, n int64) ([]byte, error) {
	return one(ctx, s.reads, func(row scanner) (data []byte, err error) {
		err = row.Scan(&data)
		return data, err
	}, "SELECT data FROM journal_tiles WHERE level=$1 AND n=$2", int64(level), n)
}
