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
	"boulier/ledger"
	"boulier/money"
)

// MakeBlock makes the next block of an issue, outside any transaction: draws its secret,
// deals its units, and commits to both in one event. When a signed checkpoint covers that
// event the block may be sold; until then it waits among the issue's ready blocks. If the
// issue has no block on sale, this one goes on sale.
func (i *Instant) MakeBlock(ctx context.Context, id instant.IssueID) error {
	i.making.Lock()
	defer i.making.Unlock()
	issue, _, err := issueCell(id).Read(ctx, i.Store)
	if err != nil {
		return err
	}
	file, err := i.gameFile(ctx, issue.Game)
	if err != nil {
		return err
	}
	i.progress(id, 0, file.Game.Block)
	block, err := again(func() (BlockID, error) { return i.commitBlock(ctx, id, file) })
	if err != nil {
		return fmt.Errorf("app: making a block of issue %d: %w", id, err)
	}
	if err := i.cover(ctx, block); err != nil {
		return err
	}
	i.progress(id, file.Game.Block, file.Game.Block)
	return i.putOnSale(ctx, id)
}

func (i *Instant) progress(id instant.IssueID, done, total int64) {
	if i.Progress != nil {
		i.Progress(id, done, total)
	}
}

// commitBlock makes a block and stores its sealed secret, its header and the event that
// binds the house to both.
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
	err = i.Store.Update(ctx, keys, func(tx Tx) error {
		if n, err := next(tx, nextBlock); err != nil || BlockID(n) != block {
			return errors.Join(err, errMoved)
		}
		issue, err := issueCell(id).Get(tx)
		if err != nil {
			return err
		}
		if !issue.Opened || issue.Closed {
			return instant.ErrIssueClosed.With("no block is made for issue %d", id)
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
	if err != nil {
		return 0, err
	}
	i.keepOpen(block, &openBlock{&file.Game, made, maker})
	return block, nil
}

func (i *Instant) keepOpen(id BlockID, b *openBlock) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.open[id] = b
}

// cover has a checkpoint signed that covers the opening of a block, and keeps it with the
// block: nothing is sold before (design: a commitment counts once it is covered).
func (i *Instant) cover(ctx context.Context, id BlockID) error {
	c, err := i.CheckpointNow(ctx)
	if err != nil {
		return err
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

// putOnSale puts the next ready block of an issue on sale, if none is and the game's rules
// allow it. The issue's floor goes down by the block's table.
func (i *Instant) putOnSale(ctx context.Context, id instant.IssueID) error {
	defer i.forget(id)
	issue, _, err := issueCell(id).Read(ctx, i.Store)
	if err != nil {
		return err
	}
	if issue.Current != 0 || len(issue.Ready) == 0 || issue.Closed {
		return nil
	}
	file, err := i.gameFile(ctx, issue.Game)
	if err != nil {
		return err
	}
	value, err := file.Game.Table.Value()
	if err != nil {
		return err
	}
	block := issue.Ready[0]
	keys := Keys{
		States:   []string{string(issueCell(id)), string(blockCell(block)), string(salesCell(block))},
		Accounts: []ledger.Path{issueAccount(id)},
	}
	err = i.Store.Update(ctx, keys, func(tx Tx) error {
		issue, err := issueCell(id).Get(tx)
		if err != nil {
			return err
		}
		if len(issue.Ready) == 0 || issue.Ready[0] != block || issue.Current != 0 {
			return nil // somebody else has done it
		}
		state, err := blockCell(block).Get(tx)
		if err != nil {
			return err
		}
		if state.Before == "" {
			return fmt.Errorf("app: no checkpoint covers block %d yet", block)
		}
		event, err := issue.OpenBlock(tx.Now())
		if err != nil {
			return err
		}
		return i.beginSale(tx, issue, block, event, value)
	})
	if _, ok := errors.AsType[*violation](err); ok {
		return nil // the issue ended meanwhile: the block stays unsold
	}
	return err
}

func (i *Instant) beginSale(tx Tx, issue IssueState, block BlockID, e instant.BlockOpened, value money.Cents) error {
	issue.Issue = issue.Apply(e)
	issue.Ready, issue.Current = issue.Ready[1:], block
	issueCell(issue.ID).Put(tx, issue)
	sales, err := salesCell(block).Get(tx)
	if err != nil {
		return err
	}
	sales.Block = sales.Apply(e)
	salesCell(block).Put(tx, sales)
	account, err := tx.Account(issueAccount(issue.ID))
	if err != nil {
		return err
	}
	if err := tx.SetFloor(issueAccount(issue.ID), account.Floor-int64(value)); err != nil {
		return err
	}
	return issueCell(issue.ID).Append(tx, "block_on_sale", blockOnSale{block, e.Number, value})
}

// blockOnSale is the event of a block that came on sale.
type blockOnSale struct {
	Block  BlockID             `json:"block"`
	Number instant.BlockNumber `json:"number"`
	Value  money.Cents         `json:"value"` // of its table: what the issue may owe more
}

// openBlock returns a block whose secret is open in this process, opening it if need be.
func (i *Instant) openBlock(ctx context.Context, id BlockID, why string) (*openBlock, error) {
	i.mu.RLock()
	b := i.open[id]
	i.mu.RUnlock()
	if b != nil {
		return b, nil
	}
	state, _, err := blockCell(id).Read(ctx, i.Store)
	if err != nil {
		return nil, err
	}
	issue, _, err := issueCell(state.Issue).Read(ctx, i.Store)
	if err != nil {
		return nil, err
	}
	file, err := i.gameFile(ctx, issue.Game)
	if err != nil {
		return nil, err
	}
	level, _, err := treeCell(id).Read(ctx, i.Store)
	if err != nil {
		return nil, err
	}
	secret, err := i.openSecret(ctx, draw.InstantBlock, drawID(id), "server", why)
	if err != nil {
		return nil, err
	}
	block, err := sealedblock.Open(file, sealedHeader(state.Header), secret, level)
	if err != nil {
		return nil, err
	}
	maker, err := face.New(file.Game)
	if err != nil {
		return nil, err
	}
	b = &openBlock{&file.Game, block, maker}
	i.keepOpen(id, b)
	return b, nil
}

// gameFile reads an imported game again.
func (i *Instant) gameFile(ctx context.Context, id GameID) (gamefile.File, error) {
	rec, _, err := gameCell(id).Read(ctx, i.Store)
	if err != nil {
		return gamefile.File{}, err
	}
	file, faults := gamefile.Parse(rec.Name, rec.File)
	if len(faults) > 0 {
		return gamefile.File{}, fmt.Errorf("app: game %d is faulty: %s", id, faults[0])
	}
	return file, nil
}
