package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/proof"
	"boulier/journal"
	"boulier/ledger"
	"boulier/player"
	"boulier/regs"
)

type violation = regs.Violation

// turnOver ends an exhausted block and puts the next one on sale (reading I8). Whoever
// comes second finds it done.
func (i *Instant) turnOver(ctx context.Context, id instant.IssueID, block BlockID) error {
	i.rolls.Lock()
	defer i.rolls.Unlock()
	issue, _, err := issueCell(id).Read(ctx, i.Store)
	if err != nil {
		return err
	}
	if issue.Current == block {
		if err := i.endBlock(ctx, id, block, instant.Exhausted); err != nil {
			return err
		}
	}
	if err := i.putOnSale(ctx, id); err != nil {
		return err
	}
	go i.reveal(context.WithoutCancel(ctx), block)
	return nil
}

// stop ends the block on sale of an issue because its next unit does not fit the table:
// it sells nothing any more, and the event says why (instant:3).
func (i *Instant) stop(ctx context.Context, id instant.IssueID) error {
	i.rolls.Lock()
	defer i.rolls.Unlock()
	t, err := i.target(ctx, id)
	if err != nil {
		return err
	}
	i.Log.Error("a block was stopped: its next unit does not fit the prize table", "issue", id, "block", t.id)
	keys := Keys{States: []string{string(salesCell(t.id)), string(blockCell(t.id))}}
	return i.Store.Update(ctx, keys, func(tx Tx) error {
		sales, err := salesCell(t.id).Get(tx)
		if err != nil {
			return err
		}
		outcome := instant.Outcome(t.open.block.Unit(int(sales.Next)).Outcome)
		event, err := sales.Stop(t.open.game, outcome)
		if errors.Is(err, instant.ErrBlockStopped) {
			return nil
		}
		if err != nil {
			return err
		}
		sales.Block = sales.Apply(event)
		salesCell(t.id).Put(tx, sales)
		return blockCell(t.id).Append(tx, "block_stopped", struct {
			Index   int64           `json:"index"`
			Outcome instant.Outcome `json:"outcome"`
		}{event.Index, event.Outcome})
	})
}

// blockEnded is the event of a block that is sold no more.
type blockEnded struct {
	Block  BlockID        `json:"block"`
	Sold   int64          `json:"sold"`
	Reason instant.Reason `json:"reason"`
	Stakes int64          `json:"stakes"` // cents
	Paid   int64          `json:"paid"`
}

// endBlock ends the block on sale of an issue: its result goes to the house, the issue's
// floor goes up by the table.
func (i *Instant) endBlock(ctx context.Context, id instant.IssueID, block BlockID, why instant.Reason) error {
	defer i.forget(id)
	keys := Keys{
		States:   []string{string(issueCell(id)), string(salesCell(block)), string(blockCell(block))},
		Accounts: []ledger.Path{issueAccount(id), houseResult},
	}
	open, err := i.openBlock(ctx, block, "end")
	if err != nil {
		return err
	}
	return i.Store.Update(ctx, keys, func(tx Tx) error {
		issue, err := issueCell(id).Get(tx)
		if err != nil || issue.Current != block {
			return err
		}
		return i.endInside(tx, issue, open.game, why)
	})
}

// endInside is endBlock inside a transaction whose keys name the issue, the block's two
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

// An IssueOrder is a manager's order about an issue.
type IssueOrder struct {
	Request RequestID
	By      player.ID
	Issue   instant.IssueID
}

// CloseIssue ends an issue before its date, by order of a manager: nothing of it is sold
// any more, and its secrets are revealed.
func (i *Instant) CloseIssue(ctx context.Context, o IssueOrder) error {
	return i.closeIssue(ctx, o, instant.ByOrder)
}

// closeIssue ends an issue with the block on sale. Due work closes it by date.
func (i *Instant) closeIssue(ctx context.Context, o IssueOrder, why instant.Reason) error {
	actor := "system"
	if o.By != 0 {
		actor = "person/" + o.By.String()
	}
	request := Request{}
	if o.Request != (RequestID{}) {
		request = NewRequest(o.Request, actor, "instant/close", o.Issue)
	}
	ended, err := again(func() ([]BlockID, error) {
		issue, _, err := issueCell(o.Issue).Read(ctx, i.Store)
		if err != nil {
			return nil, err
		}
		keys := Keys{Request: request, States: []string{string(issueCell(o.Issue)), string(standingOf(o.By))},
			Accounts: []ledger.Path{issueAccount(o.Issue), houseResult}}
		var open *openBlock
		if issue.Current != 0 {
			keys.States = append(keys.States, string(salesCell(issue.Current)), string(blockCell(issue.Current)))
			if open, err = i.openBlock(ctx, issue.Current, "end"); err != nil {
				return nil, err
			}
		}
		return Do(ctx, i.Store, keys, func(tx Tx) ([]BlockID, error) {
			return i.closeInside(tx, o, issue.Current, open, why)
		})
	})
	i.forget(o.Issue)
	if err != nil {
		return err
	}
	for _, b := range ended {
		if err := i.reveal(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

func (i *Instant) closeInside(tx Tx, o IssueOrder, current BlockID, open *openBlock, why instant.Reason) ([]BlockID, error) {
	if o.By != 0 {
		s, err := standingOf(o.By).Get(tx)
		if err != nil {
			return nil, err
		}
		if err := require(s, ManageGames); err != nil {
			return nil, err
		}
	}
	issue, err := issueCell(o.Issue).Get(tx)
	if err != nil {
		return nil, err
	}
	if issue.Current != current {
		return nil, errMoved
	}
	event, err := issue.Close(tx.Now(), why)
	if err != nil {
		return nil, err
	}
	if current != 0 {
		if err := i.endInside(tx, issue, open.game, instant.IssueEnded); err != nil {
			return nil, err
		}
		if issue, err = issueCell(o.Issue).Get(tx); err != nil {
			return nil, err
		}
	}
	issue.Issue = issue.Apply(event)
	issueCell(o.Issue).Put(tx, issue)
	tx.Delete(DueRow{Kind: DueIssueCloses, Ref: fmt.Sprint(o.Issue)})
	err = issueCell(o.Issue).Append(tx, "issue_closed", struct {
		At     time.Time      `json:"at"`
		Reason instant.Reason `json:"reason"`
		By     player.ID      `json:"by,omitempty"`
	}{event.At, why, o.By})
	// Blocks that were made and never sold reveal their secrets too.
	return append(append([]BlockID(nil), issue.Past...), issue.Ready...), err
}

// DueIssueCloses is the kind of due work that ends an issue at its published date.
const DueIssueCloses = "instant_issue_closes"

// digestAtOnce is how many sales are read at a time.
const digestAtOnce = 5000

// reveal publishes the secret of an ended or unsold block, once: from then on anyone can
// recompute it. The sales are digested outside any transaction, for none can come.
func (i *Instant) reveal(ctx context.Context, id BlockID) error {
	state, _, err := blockCell(id).Read(ctx, i.Store)
	if err != nil || state.Revealed != nil {
		return err
	}
	var digest proof.SalesDigest
	sold := 0
	for {
		entries, err := i.Store.Stream(ctx, string(salesCell(id)), uint64(sold), digestAtOnce)
		if err != nil {
			return err
		}
		for _, e := range entries {
			digest.Add(journal.LeafHash(e.Leaf))
			sold++
		}
		if len(entries) < digestAtOnce {
			break
		}
	}
	secret, err := i.openSecret(ctx, draw.InstantBlock, drawID(id), "server", "reveal")
	if err != nil {
		return err
	}
	revealed := proof.Revealed{Block: drawID(id), Secret: proof.Hash(secret), Sold: sold, Sales: digest.Sum()}
	payload, err := proof.Payload(revealed)
	if err != nil {
		return err
	}
	err = i.Store.Update(ctx, Keys{States: []string{string(blockCell(id))}}, func(tx Tx) error {
		b, err := blockCell(id).Get(tx)
		if err != nil || b.Revealed != nil {
			return err
		}
		b.Revealed = &revealed
		blockCell(id).Put(tx, b)
		_, err = tx.Append(string(blockCell(id)), string(proof.KindRevealed), payload)
		return err
	})
	if err != nil {
		return err
	}
	_, err = i.CheckpointNow(ctx)
	return err
}
