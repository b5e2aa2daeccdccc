package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boulier/game/instant"
	"boulier/ledger"
	"boulier/player"
	"boulier/regs"
)

type violation = regs.Violation

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
