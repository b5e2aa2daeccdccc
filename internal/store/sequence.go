package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"boulier/internal/app"
	"boulier/journal"
)

// sequenceAtOnce bounds the batches that one transaction places in the tree.
const sequenceAtOnce = 4096

// Sequence gives every committed event that has none its place in the journal's tree, and
// stores a checkpoint of the tree signed by signer. It returns that checkpoint, or the
// latest one when nothing is new. One node at a time may call it (a lease says which).
func (s *Store) Sequence(ctx context.Context, signer note.Signer) (app.CheckpointRecord, error) {
	var latest app.CheckpointRecord
	for more := true; more; {
		err := s.maintain(ctx, func(ctx context.Context, c *conn) (err error) {
			latest, more, err = s.sequence(ctx, c, signer)
			return err
		})
		if err != nil {
			return app.CheckpointRecord{}, fmt.Errorf("store: sequencing the journal: %w", err)
		}
	}
	return latest, nil
}

func (s *Store) sequence(ctx context.Context, c *conn, signer note.Signer) (
	latest app.CheckpointRecord, more bool, err error) {
	head, latest, err := readHead(ctx, c)
	if err != nil {
		return latest, false, err
	}
	batches, hashes, err := unplaced(ctx, c)
	if err != nil {
		return latest, false, err
	}
	if len(batches) == 0 && latest.Note != "" {
		return latest, false, nil
	}
	first := head.Size
	head, tiles, err := journal.Extend(head, hashes, connTiles{ctx, c})
	if err != nil {
		return latest, false, err
	}
	for _, b := range batches {
		if _, err := c.ExecContext(ctx, "UPDATE journal_batches SET first_index=$1 WHERE id=$2",
			first, b.id); err != nil {
			return latest, false, err
		}
		first += b.leaves
	}
	var flat []any
	for _, t := range tiles {
		flat = append(flat, int64(t.ID.Level), t.ID.Index, t.Data)
	}
	if len(flat) > 0 {
		if err := c.bulk(ctx, tilesTable, save, flat); err != nil {
			return latest, false, err
		}
	}
	signed, err := journal.Sign(head, signer)
	if err != nil {
		return latest, false, err
	}
	latest = app.CheckpointRecord{Size: head.Size, At: s.w.now(), Note: string(signed)}
	err = c.bulk(ctx, checkpointsTable, save,
		[]any{head.Size, head.Root[:], latest.At.UnixMicro(), latest.Note})
	return latest, len(batches) == sequenceAtOnce, err
}

// readHead returns the tree as the latest checkpoint states it.
func readHead(ctx context.Context, c *conn) (journal.Head, app.CheckpointRecord, error) {
	var latest app.CheckpointRecord
	var root []byte
	var at int64
	err := c.QueryRowContext(ctx, "SELECT size,root,at,note FROM journal_checkpoints ORDER BY size DESC LIMIT 1").
		Scan(&latest.Size, &root, &at, &latest.Note)
	if errors.Is(err, sql.ErrNoRows) {
		return journal.EmptyHead(), latest, nil
	}
	latest.At = moment(at)
	return journal.Head{Size: latest.Size, Root: journal.Hash(root)}, latest, err
}

type placedBatch struct{ id, leaves int64 }

// unplaced returns the batches without a place in the tree, in order, and their leaves.
func unplaced(ctx context.Context, c *conn) (batches []placedBatch, hashes []journal.Hash, err error) {
	rows, err := c.query(ctx, `SELECT id,leaves,hashes FROM journal_batches
		WHERE first_index IS NULL ORDER BY id LIMIT $1`, sequenceAtOnce)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var b placedBatch
		var raw []byte
		if err := rows.Scan(&b.id, &b.leaves, &raw); err != nil {
			return nil, nil, err
		}
		if len(raw) != int(b.leaves)*len(journal.Hash{}) {
			return nil, nil, fmt.Errorf("batch %d is damaged", b.id)
		}
		for ; len(raw) > 0; raw = raw[len(journal.Hash{}):] {
			hashes = append(hashes, journal.Hash(raw[:len(journal.Hash{})]))
		}
		batches = append(batches, b)
	}
	return batches, hashes, rows.Err()
}

// connTiles reads tiles inside the transaction of the writer.
type connTiles struct {
	ctx context.Context
	c   *conn
}

func (t connTiles) ReadTiles(ids []journal.TileID) ([][]byte, error) {
	out := make([][]byte, len(ids))
	for i, id := range ids {
		err := t.c.QueryRowContext(t.ctx, "SELECT data FROM journal_tiles WHERE level=$1 AND n=$2",
			int64(id.Level), id.Index).Scan(&out[i])
		if err != nil {
			return nil, fmt.Errorf("tile %d/%d: %w", id.Level, id.Index, err)
		}
	}
	return out, nil
}
