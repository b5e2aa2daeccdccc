package app

import (
	"context"
	"errors"
	"fmt"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/face"
	"boulier/internal/gamefile"
	"boulier/internal/proof"
	"boulier/internal/sealedblock"
)

// MakeWanted makes the blocks that open issues still lack, and puts a ready one on sale
// where none is. It is called at the start, after each order and every minute, and is quick
// when nothing is wanted.
func (i *Instant) MakeWanted(ctx context.Context) error {
	issues, err := i.Issues(ctx)
	if err != nil {
		return err
	}
	for _, issue := range issues {
		// What a stop has left comes first: a block that waits for its checkpoint would
		// keep those made after it from being sold.
		if err := i.resume(ctx, issue.ID); err != nil {
			return err
		}
		for more := true; more; {
			if more, err = i.makeBlock(ctx, issue.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// resume finishes what a stop of the program may have left: ready blocks not covered by a
// checkpoint, an issue without a block on sale, blocks that ended, or were left unsold at
// the end of their issue, and are not revealed.
func (i *Instant) resume(ctx context.Context, id instant.IssueID) error {
	issue, _, err := issueCell(id).Read(ctx, i.Store)
	if err != nil {
		return err
	}
	for _, block := range issue.Ready {
		state, _, err := blockCell(block).Read(ctx, i.Store)
		if err != nil {
			return err
		}
		if state.Before == "" {
			if err := i.cover(ctx, block); err != nil {
				return err
			}
		}
	}
	ended := issue.Past
	if issue.Closed {
		ended = append(ended[:len(ended):len(ended)], issue.Ready...)
	}
	for _, block := range ended {
		if err := i.reveal(ctx, block); err != nil {
			return err
		}
	}
	return i.putOnSale(ctx, id)
}

// makeBlock makes the next block that an issue lacks, outside any transaction: draws its
// secret, deals its units, and commits to both in one event. When a signed checkpoint covers
// that event the block may be sold; until then it waits among the issue's ready blocks. If
// the issue has no block on sale, this one goes on sale. It returns whether it made one.
func (i *Instant) makeBlock(ctx context.Context, id instant.IssueID) (bool, error) {
	i.making.Lock()
	defer i.making.Unlock()
	issue, _, err := issueCell(id).Read(ctx, i.Store)
	if err != nil || !issue.lacksBlocks() {
		return false, err
	}
	file, err := i.gameFile(ctx, issue.Game)
	if err != nil {
		return false, err
	}
	i.progress(id, 0, file.Game.Block)
	defer i.progress(id, file.Game.Block, file.Game.Block)
	block, err := again(func() (BlockID, error) { return i.commitBlock(ctx, id, file) })
	if err != nil {
		return false, fmt.Errorf("app: making a block of issue %d: %w", id, err)
	}
	if block == 0 {
		return false, nil
	}
	if err := i.cover(ctx, block); err != nil {
		return false, err
	}
	return true, i.putOnSale(ctx, id)
}

func (i *Instant) progress(id instant.IssueID, done, total int64) {
	if i.Progress != nil {
		i.Progress(id, done, total)
	}
}

// commitBlock makes a block and stores its sealed secret, its header and the event that
// binds the house to both. It returns 0 if the issue lacks none any more.
func (i *Instant) commitBlock(ctx context.Context, id instant.IssueID, file gamefile.File) (BlockID, error) {
	last, _, err := nextBlock.Read(ctx, i.Store)
	if err != nil {
		return 0, err
	}
	block := BlockID(last + 1)
	secret, row := i.newSecret(draw.InstantBlock, drawID(block))
	made, err := sealedblock.Make(file, drawID(block), i.Version, secret)
	if err != nil {
		return 0, err
	}
	maker, err := face.New(file.Game)
	if err != nil {
		return 0, err
	}
	header := proof.NewHeader(made.Header, file.Game.Price)
	payload, err := proof.Payload(header)
	if err != nil {
		return 0, err
	}
	keys := Keys{States: []string{string(nextBlock), string(issueCell(id)), string(blockCell(block)),
		string(treeCell(block)), string(salesCell(block))}}
	enough := false
	err = i.Store.Update(ctx, keys, func(tx Tx) error {
		issue, err := issueCell(id).Get(tx)
		if enough = err == nil && !issue.lacksBlocks(); err != nil || enough {
			return err // the issue was closed meanwhile, or another node made the block
		}
		if n, err := next(tx, nextBlock); err != nil || BlockID(n) != block {
			return errors.Join(err, errMoved)
		}
		number := instant.BlockNumber(int(issue.Blocks) + len(issue.Ready) + 1)
		issue.Ready = append(issue.Ready[:len(issue.Ready):len(issue.Ready)], block)
		issueCell(id).Put(tx, issue)
		blockCell(block).Put(tx, BlockState{Issue: id, Number: number, Header: header})
		treeCell(block).Put(tx, made.Level())
		salesCell(block).Put(tx, salesState{})
		tx.Insert(row)
		_, err = tx.Append(string(blockCell(block)), string(proof.KindOpened), payload)
		return err
	})
	if errors.Is(err, errMoved) {
		return 0, errMoved
	}
	if err != nil || enough {
		return 0, err
	}
	i.keepOpen(block, &openBlock{&file.Game, made, maker})
	return block, nil
}

// cover has a checkpoint signed that covers the opening of a block, and keeps it with the
// block: nothing is sold before (design: a commitment counts once it is covered).
func (i *Instant) cover(ctx context.Context, id BlockID) error {
	c, err := i.CheckpointNow(ctx)
	if err != nil {
		return err
	}
	opening, err := i.Store.Stream(ctx, string(blockCell(id)), 0, 1)
	if err != nil {
		return err
	}
	if len(opening) != 1 || opening[0].Index < 0 || opening[0].Index >= c.Size {
		return fmt.Errorf("app: the checkpoint of size %d does not cover the opening of block %d", c.Size, id)
	}
	return i.Store.Update(ctx, Keys{States: []string{string(blockCell(id))}}, func(tx Tx) error {
		b, err := blockCell(id).Get(tx)
		if err != nil {
			return err
		}
		b.Before = c.Note
		blockCell(id).Put(tx, b)
		return nil
	})
}
