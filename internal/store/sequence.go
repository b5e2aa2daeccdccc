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

// What one transaction of the sequencer places in the tree at most, so that those who wait
// for the writer do not wait long: the batches, and the leaves, unless one batch has more.
const (
	batchesAtOnce = 512
	leavesAtOnce  = 8192
)

// Sequence gives every event that is committed when it is called its place in the
// journal's tree, and stores a checkpoint of the tree signed by signer. It returns that
// checkpoint, or the latest one when nothing is new. Two calls at once, here or on another
// node, do no harm, but one may fail.
func (s *Store) Sequence(ctx context.Context, signer note.Signer) (app.CheckpointRecord, error) {
	for {
		latest, more, err := s.sequence(ctx, signer)
		if err != nil {
			return app.CheckpointRecord{}, fmt.Errorf("store: sequencing the journal: %w", err)
		}
		if !more {
			return latest, nil
		}
	}
}

// sequence places some batches. Reading and hashing them keeps nobody waiting; only
// writing is done by the writer.
func (s *Store) sequence(ctx context.Context, signer note.Signer) (
	latest app.CheckpointRecord, more bool, err error) {
	// First what has no place, then the tree: what another sequencer has placed by then is
	// in the tree that is read. The other way round the latest checkpoint could miss it.
	batches, more, err := s.unplaced(ctx)
	if err != nil {
		return latest, false, err
	}
	old, latest, err := readHead(ctx, s.reads)
	if err != nil || len(batches) == 0 && latest.Note != "" {
		return latest, false, err
	}
	var hashes []journal.Hash
	for _, b := range batches {
		hashes = append(hashes, b.hashes...)
	}
	head, tiles, err := journal.Extend(old, hashes, tileReader{ctx, s.reads})
	if err != nil {
		return latest, false, err
	}
	signed, err := journal.Sign(head, signer)
	if err != nil {
		return latest, false, err
	}
	err = s.maintain(ctx, func(ctx context.Context, c *conn) error {
		latest = app.CheckpointRecord{Size: head.Size, At: s.w.now(), Note: string(signed)}
		return place(ctx, c, old.Size, batches, tiles, head, latest)
	})
	return latest, more, err
}

// place writes where the batches stand in the tree, and the tree. A batch that another
// sequencer has placed meanwhile is an error.
func place(ctx context.Context, c *conn, first int64, batches []batch, tiles []journal.Tile,
	head journal.Head, latest app.CheckpointRecord) error {
	for _, b := range batches {
		done, err := c.ExecContext(ctx, `UPDATE journal_batches SET first_index=$1
			WHERE id=$2 AND first_index IS NULL`, first, b.id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil {
			return err
		} else if n != 1 {
			return fmt.Errorf("batch %d was placed by another sequencer", b.id)
		}
		first += int64(len(b.hashes))
	}
	var flat []any
	for _, t := range tiles {
		flat = append(flat, int64(t.ID.Level), t.ID.Index, t.Data)
	}
	if len(flat) > 0 {
		if err := c.bulk(ctx, tilesTable, save, flat); err != nil {
			return err
		}
	}
	return c.bulk(ctx, checkpointsTable, insert,
		[]any{head.Size, head.Root[:], latest.At.UnixMicro(), latest.Note})
}

// readHead returns the tree as the latest checkpoint states it.
func readHead(ctx context.Context, q queryer) (journal.Head, app.CheckpointRecord, error) {
	var latest app.CheckpointRecord
	var root []byte
	var at int64
	err := q.QueryRowContext(ctx, `SELECT size,root,at,note FROM journal_checkpoints
		ORDER BY size DESC LIMIT 1`).Scan(&latest.Size, &root, &at, &latest.Note)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return journal.EmptyHead(), latest, nil
	case err != nil:
		return journal.Head{}, latest, err
	case len(root) != len(journal.Hash{}):
		return journal.Head{}, latest, errors.New("the root of the latest checkpoint is damaged")
	}
	latest.At = moment(at)
	return journal.Head{Size: latest.Size, Root: journal.Hash(root)}, latest, nil
}

// A batch is what one group has journaled: its leaves follow each other in the tree.
type batch struct {
	id     int64
	hashes []journal.Hash
}

// unplaced returns the first batches without a place in the tree, in order, and whether
// there may be others.
func (s *Store) unplaced(ctx context.Context) (list []batch, more bool, err error) {
	rows, err := s.reads.QueryContext(ctx, `SELECT id,hashes FROM journal_batches
		WHERE first_index IS NULL ORDER BY id LIMIT $1`, batchesAtOnce)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	leaves := 0
	for rows.Next() {
		var b batch
		var raw []byte
		if err := rows.Scan(&b.id, &raw); err != nil {
			return nil, false, err
		}
		if b.hashes, err = splitHashes(raw); err != nil {
			return nil, false, fmt.Errorf("batch %d: %w", b.id, err)
		}
		if leaves += len(b.hashes); leaves > leavesAtOnce && len(list) > 0 {
			return list, true, nil
		}
		list = append(list, b)
	}
	return list, len(list) == batchesAtOnce, rows.Err()
}

func splitHashes(raw []byte) (list []journal.Hash, err error) {
	const size = len(journal.Hash{})
	if len(raw) == 0 || len(raw)%size != 0 {
		return nil, fmt.Errorf("%d bytes are not hashes", len(raw))
	}
	for ; len(raw) > 0; raw = raw[size:] {
		list = append(list, journal.Hash(raw[:size]))
	}
	return list, nil
}

// queryer is what asks: a pool, a transaction, a connection.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// tileReader reads the stored tiles.
type tileReader struct {
	ctx context.Context
	q   queryer
}

func (r tileReader) ReadTiles(ids []journal.TileID) ([][]byte, error) {
	out := make([][]byte, len(ids))
	for i, id := range ids {
		err := r.q.QueryRowContext(r.ctx, "SELECT data FROM journal_tiles WHERE level=$1 AND n=$2",
			int64(id.Level), id.Index).Scan(&out[i])
		if err != nil {
			return nil, fmt.Errorf("tile %d of level %d: %w", id.Index, id.Level, err)
		}
	}
	return out, nil
}
