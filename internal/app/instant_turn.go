package app

import (
	"context"
	"errors"
	"fmt"

	"boulier/game/instant"
	"boulier/ledger"
	"boulier/money"
)

// turnOver ends an exhausted block and puts the next one on sale (reading I8), in one
// transaction: whoever buys meanwhile finds the one or the other, whether this buyer stays or
// leaves. Whoever comes second finds it done.
func (i *Instant) turnOver(ctx context.Context, id instant.IssueID, block BlockID) error {
	i.rolls.Lock()
	defer i.rolls.Unlock()
	defer i.forget(id)
	issue, _, err := issueCell(id).Read(ctx, i.Store)
	if err != nil || issue.Current != block {
		return err
	}
	open, err := i.openBlock(ctx, block, "end")
	if err != nil {
		return err
	}
	keys := Keys{
		States:   []string{string(issueCell(id)), string(salesCell(block)), string(blockCell(block))},
		Accounts: []ledger.Path{issueAccount(id), houseResult},
	}
	next, more := issue.next()
	if more {
		keys.States = append(keys.States, string(salesCell(next)), string(blockCell(next)))
	}
	err = i.Store.Update(ctx, keys, func(tx Tx) error {
		issue, err := issueCell(id).Get(tx)
		if err != nil || issue.Current != block {
			return err
		}
		if now, _ := issue.next(); now != next {
			return errMoved
		}
		if err := i.endInside(tx, issue, open.game, instant.Exhausted); err != nil || !more {
			return err
		}
		return i.beginInside(tx, id, open.game)
	})
	if err != nil {
		return err
	}
	go func() {
		if err := i.reveal(context.WithoutCancel(ctx), block); err != nil {
			i.Log.Error("the secret of an ended block could not be revealed; it is tried again", "block", block, "error", err)
		}
	}()
	return nil
}

// blockEnded is the event of a block that is sold no more.
type blockEnded struct {
	Block  BlockID        `json:"block"`
	Sold   int64          `json:"sold"`
	Reason instant.Reason `json:"reason"`
	Stakes int64          `json:"stakes"` // cents
	Paid   int64          `json:"paid"`
}

// endInside ends the block on sale of an issue: its result goes to the house, the issue's
// floor goes up by the table. The keys of the transaction name the issue, the block's two
// streams, the issue's account and the house's.
func (i *Instant) endInside(tx Tx, issue IssueState, g *instant.Game, why instant.Reason) error {
	block := issue.Current
	sales, err := salesCell(block).Get(tx)
	if err != nil {
		return err
	}
	event, err := sales.Close(g, why)
	if err != nil {
		return err
	}
	sales.Block = sales.Apply(event)
	salesCell(block).Put(tx, sales)
	issue.Issue = issue.Apply(event)
	issue.Past = append(issue.Past[:len(issue.Past):len(issue.Past)], block)
	issue.Current = 0
	issueCell(issue.ID).Put(tx, issue)
	if err := settle(tx, issue.ID, sales.Block, g); err != nil {
		return err
	}
	ended := blockEnded{block, event.Sold, why, int64(sales.Stakes), int64(sales.Paid)}
	if err := blockCell(block).Append(tx, "block_ended", ended); err != nil {
		return err
	}
	return issueCell(issue.ID).Append(tx, "block_ended", ended)
}

// settle takes a block's result out of the issue's account, and its table out of the floor.
func settle(tx Tx, id instant.IssueID, b instant.Block, g *instant.Game) error {
	pool, ref := issueAccount(id), fmt.Sprintf("issue %d block %d", id, b.Number)
	value, err := g.Table.Value()
	if err != nil {
		return err
	}
	switch result := b.Stakes - b.Paid; {
	case result > 0:
		err = post(tx, "block_result", ref, pool, houseResult, result)
	case result < 0:
		err = post(tx, "block_result", ref, houseResult, pool, -result)
	}
	if err != nil {
		return err
	}
	account, err := tx.Account(pool)
	if err != nil {
		return err
	}
	return tx.SetFloor(pool, account.Floor+int64(value))
}

// putOnSale puts the next ready block of an issue on sale, if none is.
func (i *Instant) putOnSale(ctx context.Context, id instant.IssueID) error {
	defer i.forget(id)
	issue, _, err := issueCell(id).Read(ctx, i.Store)
	if err != nil {
		return err
	}
	block, ready := issue.next()
	if issue.Current != 0 || !ready || issue.Closed {
		return nil
	}
	file, err := i.gameFile(ctx, issue.Game)
	if err != nil {
		return err
	}
	keys := Keys{
		States:   []string{string(issueCell(id)), string(blockCell(block)), string(salesCell(block))},
		Accounts: []ledger.Path{issueAccount(id)},
	}
	return i.Store.Update(ctx, keys, func(tx Tx) error {
		issue, err := issueCell(id).Get(tx)
		if err != nil {
			return err
		}
		if now, _ := issue.next(); now != block || issue.Current != 0 {
			return nil // somebody else has done it
		}
		return i.beginInside(tx, id, &file.Game)
	})
}

// beginInside puts the next ready block of an issue on sale, if the issue's dates allow it
// and a checkpoint covers the block's opening: otherwise it waits (house:5). The issue's
// floor goes down by the block's table. The keys of the transaction name the issue, its
// account and the block's two streams.
func (i *Instant) beginInside(tx Tx, id instant.IssueID, g *instant.Game) error {
	issue, err := issueCell(id).Get(tx)
	if err != nil {
		return err
	}
	block, _ := issue.next()
	state, err := blockCell(block).Get(tx)
	if err != nil || state.Before == "" {
		return err
	}
	event, err := issue.OpenBlock(tx.Now())
	if _, ended := errors.AsType[*violation](err); ended {
		return nil // the block stays unsold
	}
	if err != nil {
		return err
	}
	issue.Issue = issue.Apply(event)
	issue.Ready, issue.Current = issue.Ready[1:], block
	issueCell(id).Put(tx, issue)
	sales, err := salesCell(block).Get(tx)
	if err != nil {
		return err
	}
	sales.Block = sales.Apply(event)
	salesCell(block).Put(tx, sales)
	value, err := g.Table.Value()
	if err != nil {
		return err
	}
	account, err := tx.Account(issueAccount(id))
	if err != nil {
		return err
	}
	if err := tx.SetFloor(issueAccount(id), account.Floor-int64(value)); err != nil {
		return err
	}
	return issueCell(id).Append(tx, "block_on_sale", blockOnSale{block, event.Number, value})
}

// blockOnSale is the event of a block that came on sale.
type blockOnSale struct {
	Block  BlockID             `json:"block"`
	Number instant.BlockNumber `json:"number"`
	Value  money.Cents         `json:"value"` // of its table: what the issue may owe more
}
