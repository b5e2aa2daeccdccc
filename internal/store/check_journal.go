package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"boulier/internal/app"
	"boulier/journal"
)

// CheckJournal goes through the journal of one moment: each event has the leaf that its
// place says, its payload is the one that the leaf binds unless it is erased, each stream
// is dense and ends where its state says, and the leaves give the stored tiles and the
// root of the latest checkpoint. With a verifier, the checkpoint must be signed by it.
func (s *Store) CheckJournal(ctx context.Context, verifier note.Verifier) (r Report, err error) {
	err = s.snapshot(ctx, func(tx *sql.Tx) error {
		c := journalCheck{Report: &r, ctx: ctx, tx: tx, tree: journal.EmptyHead(),
			edge: map[int]journal.Tile{}, last: map[string]int64{}}
		return c.run(verifier)
	})
	return r, err
}

// A journalCheck builds the tree anew from the leaves. It keeps the right edge of the tree
// and the latest number of each stream.
type journalCheck struct {
	*Report
	ctx    context.Context
	tx     *sql.Tx
	tree   journal.Head
	edge   map[int]journal.Tile // the last tile of each level
	leaves []journal.Hash       // not in the tree yet
	last   map[string]int64
}

func (c *journalCheck) run(verifier note.Verifier) error {
	for _, placed := range []bool{true, false} {
		if err := c.batches(placed); err != nil {
			return err
		}
		if err := c.extend(); err != nil {
			return err
		}
		if placed {
			if err := c.checkpoint(verifier); err != nil {
				return err
			}
		}
	}
	return c.streams()
}

// batchesAtATime is how many batches are read before their events are.
const batchesAtATime = 256

// A stretch is a batch as it is stored.
type stretch struct {
	id     int64
	first  sql.NullInt64
	hashes []byte
}

// batches goes through the batches that are placed, in the order of the tree, or through
// the others, in the order in which they will be.
func (c *journalCheck) batches(placed bool) error {
	text := `SELECT id,first_index,hashes FROM journal_batches
		WHERE first_index > $1 ORDER BY first_index LIMIT $2`
	past := int64(-1)
	if !placed {
		text = `SELECT id,first_index,hashes FROM journal_batches
			WHERE first_index IS NULL AND id > $1 ORDER BY id LIMIT $2`
	}
	for {
		list, err := all(c.ctx, c.tx, func(row scanner) (b stretch, err error) {
			err = row.Scan(&b.id, &b.first, &b.hashes)
			return b, err
		}, text, past, batchesAtATime)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, b := range list {
			if placed && b.first.Int64 != c.Placed {
				c.fault("batch %d stands at index %d, after %d events", b.id, b.first.Int64, c.Placed)
			}
			if err := c.events(b, placed); err != nil {
				return err
			}
			past = b.id
			if placed {
				past = b.first.Int64
			}
		}
	}
}

// A journaled event is a row of the journal.
type journaled struct {
	place, number int64
	stream        string
	app.Entry
}

func scanJournaled(s scanner) (e journaled, err error) {
	err = s.Scan(&e.place, &e.stream, &e.number, &e.Leaf, &e.Salt, &e.Payload)
	return e, err
}

// events goes through the events of a batch.
func (c *journalCheck) events(b stretch, placed bool) error {
	hashes, err := splitHashes(b.hashes)
	if err != nil {
		c.fault("batch %d: %v", b.id, err)
	}
	n := 0
	for e, err := range each(c.ctx, c.tx, scanJournaled, `SELECT place,stream,number,leaf,salt,payload
		FROM journal WHERE batch=$1 ORDER BY place`, b.id) {
		if err != nil {
			return err
		}
		hash := journal.LeafHash(e.Leaf)
		if int(e.place) != n || n >= len(hashes) || hashes[n] != hash {
			c.fault("event %d of batch %d (%s %d) is not the one that its batch says",
				e.place, b.id, e.stream, e.number)
		}
		c.event(e)
		if n++; placed {
			c.leaves = append(c.leaves, hash)
			c.Placed++
		}
	}
	if n != len(hashes) {
		c.fault("batch %d has %d events, and says %d", b.id, n, len(hashes))
	}
	if len(c.leaves) >= leavesAtOnce {
		return c.extend()
	}
	return nil
}

// event checks one event by itself and in its stream.
func (c *journalCheck) event(e journaled) {
	c.Events++
	leaf, err := journal.ParseLeaf(e.Leaf)
	switch {
	case err != nil:
		c.fault("event %d of %s: %v", e.number, e.stream, err)
	case string(leaf.Stream) != e.stream || leaf.Number != e.number:
		c.fault("event %d of %s has the leaf of %d of %s", e.number, e.stream, leaf.Number, leaf.Stream)
	case e.Salt == nil:
		c.Erased++
	case len(e.Salt) != len(journal.Salt{}) ||
		leaf.Payload != journal.PayloadDigest(journal.Salt(e.Salt), e.Payload):
		c.fault("event %d of %s says something else than its leaf binds", e.number, e.stream)
	}
	if e.number != c.last[e.stream]+1 {
		c.fault("event %d of %s comes after event %d", e.number, e.stream, c.last[e.stream])
	}
	c.last[e.stream] = e.number
}

// ReadTiles gives the right edge of the tree so far.
func (c *journalCheck) ReadTiles(ids []journal.TileID) ([][]byte, error) {
	out := make([][]byte, len(ids))
	for i, id := range ids {
		if t := c.edge[id.Level]; t.ID == id {
			out[i] = t.Data
		}
	}
	return out, nil
}

// extend adds the leaves read so far to the tree and compares its tiles with the stored
// ones, which may be wider.
func (c *journalCheck) extend() error {
	head, tiles, err := journal.Extend(c.tree, c.leaves, c)
	if err != nil {
		return fmt.Errorf("store: building the tree anew: %w", err)
	}
	for _, t := range tiles {
		stored, err := tileReader{c.ctx, c.tx}.ReadTiles([]journal.TileID{t.ID})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err != nil || !bytes.HasPrefix(stored[0], t.Data) {
			c.fault("tile %d of level %d is not what the events give", t.ID.Index, t.ID.Level)
		}
		c.edge[t.ID.Level] = t
	}
	c.tree, c.leaves = head, c.leaves[:0]
	return nil
}

// checkpoint compares the tree with the latest checkpoint.
func (c *journalCheck) checkpoint(verifier note.Verifier) error {
	head, latest, err := readHead(c.ctx, c.tx)
	if err != nil {
		return fmt.Errorf("store: reading the checkpoint: %w", err)
	}
	if head != c.tree {
		c.fault("the events give a tree of %d leaves with root %s; the checkpoint says %d and %s",
			c.tree.Size, c.tree.Root, head.Size, head.Root)
	}
	if verifier == nil || latest.Note == "" {
		return nil
	}
	signed, err := journal.Open([]byte(latest.Note), verifier)
	if err != nil {
		c.fault("the checkpoint: %v", err)
	} else if signed.Head != head {
		c.fault("the checkpoint signed is of %d leaves with root %s; beside it stands %d and %s",
			signed.Size, signed.Root, head.Size, head.Root)
	}
	return nil
}

// streams compares where each stream ends with what its state says.
func (c *journalCheck) streams() error {
	for r, err := range each(c.ctx, c.tx, scanStateRecord,
		"SELECT name,number,NULL FROM states WHERE number > 0 ORDER BY name") {
		if err != nil {
			return err
		}
		if c.last[r.Name] != int64(r.Number) {
			c.fault("stream %s ends with event %d; its state says %d", r.Name, c.last[r.Name], r.Number)
		}
		delete(c.last, r.Name)
	}
	for stream := range c.last {
		c.fault("stream %s has events and no state", stream)
	}
	return nil
}
