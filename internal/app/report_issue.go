package app

import (
	"context"
	"encoding/json"
	"time"

	"boulier/game/instant"
	"boulier/journal"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// An IssueReport is the record of an issue (std:21). For a block that can still be sold it
// holds no prize given or left by amount (reading I8), but for the inspector.
type IssueReport struct {
	Issue    instant.IssueID
	Game     GameID
	Title    string
	Kind     instant.Kind
	Price    money.Cents
	Window   instant.Window
	Closed   bool
	ClosedAt time.Time
	Reason   instant.Reason
	Return   Share // of the prize table, in theory
	Blocks   []BlockReport
	Sold     int64
	Stakes   money.Cents
	Paid     money.Cents
}

// A Share is a part of a whole, such as what a table returns of the stakes.
type Share struct{ Part, Whole int64 }

// A BlockReport is one block of an issue.
type BlockReport struct {
	Block    BlockID
	Number   instant.BlockNumber
	Status   instant.BlockStatus
	Size     int64
	Sold     int64
	Stakes   money.Cents
	Paid     money.Cents
	OnSaleAt time.Time // zero for a block that never was
	EndedAt  time.Time
	Reason   instant.Reason
	Revealed bool
	// Given holds the prizes by amount, nil while they are nobody's to see.
	Given []GivenPrize
}

// Unsold is how many units of the block nobody bought.
func (b BlockReport) Unsold() int64 { return b.Size - b.Sold }

// A GivenPrize is a line of a prize table with how many of its prizes were given.
type GivenPrize struct {
	Amount money.Cents
	Count  int64 // in the table
	Given  int64
}

// givenVisible decides who may see the prizes of a block by amount: anybody once it has
// ended, since its secret is revealed; before that nobody, but the inspector (reading I8).
func givenVisible(status instant.BlockStatus, inspector bool) bool {
	return status == instant.BlockEnded || inspector
}

// Report returns the record of an issue, for managers; ErrNotFound if there is none.
func (i *Instant) Report(ctx context.Context, id instant.IssueID) (IssueReport, error) {
	return i.report(ctx, id, false)
}

// A GivenLook is an inspector's wish to see prizes given of blocks that are on sale.
type GivenLook struct {
	By    player.ID
	Issue instant.IssueID
}

// ReportGiven is Report with the prizes given of every block. Each look is an event before
// it is answered: with few units left it says what the next ones are worth (reading I8).
func (i *Instant) ReportGiven(ctx context.Context, l GivenLook) (IssueReport, error) {
	keys := Keys{States: []string{string(issueCell(l.Issue)), string(standingOf(l.By))}}
	err := i.Store.Update(ctx, keys, func(tx Tx) error {
		if err := requireBy(tx, l.By, InspectGiven); err != nil {
			return err
		}
		issue, err := issueCell(l.Issue).Get(tx)
		if err != nil {
			return err
		}
		if issue.ID == 0 {
			return ErrNotFound
		}
		return issueCell(l.Issue).Append(tx, "given_inspected", struct {
			By player.ID `json:"by"`
		}{l.By})
	})
	if err != nil {
		return IssueReport{}, err
	}
	return i.report(ctx, l.Issue, true)
}

func (i *Instant) report(ctx context.Context, id instant.IssueID, inspector bool) (IssueReport, error) {
	issue, _, err := i.Issue(ctx, id)
	if err != nil {
		return IssueReport{}, err
	}
	file, err := i.gameFile(ctx, issue.Game)
	if err != nil {
		return IssueReport{}, err
	}
	value, err := file.Game.Table.Value()
	if err != nil {
		return IssueReport{}, err
	}
	r := IssueReport{Issue: id, Game: issue.Game, Title: issue.Title, Kind: file.Game.Kind, Price: file.Game.Price,
		Window: issue.Window, Closed: issue.Closed,
		Return: Share{int64(value), file.Game.Block * int64(file.Game.Price)}}
	life, err := i.issueLife(ctx, id, &r)
	if err != nil {
		return r, err
	}
	list := append([]BlockID(nil), issue.Past...)
	if issue.Current != 0 {
		list = append(list, issue.Current)
	}
	for _, block := range append(list, issue.Ready...) {
		b, err := i.reportBlock(ctx, block, file.Game, inspector)
		if err != nil {
			return r, err
		}
		when := life[block]
		b.OnSaleAt, b.EndedAt, b.Reason = when.onSale, when.ended, when.reason
		r.Blocks = append(r.Blocks, b)
		r.Sold += b.Sold
		r.Stakes += b.Stakes
		r.Paid += b.Paid
	}
	return r, nil
}

// blockLife is when a block was sold.
type blockLife struct {
	onSale, ended time.Time
	reason        instant.Reason
}

// issueLife reads the dates of an issue and of its blocks from its stream.
func (i *Instant) issueLife(ctx context.Context, id instant.IssueID, r *IssueReport) (map[BlockID]blockLife, error) {
	life := map[BlockID]blockLife{}
	err := i.eachEvent(ctx, string(issueCell(id)), 0, func(l journal.Leaf, payload []byte) error {
		var e struct {
			Block  BlockID        `json:"block"`
			Reason instant.Reason `json:"reason"`
		}
		switch l.Kind {
		case "block_on_sale", "block_ended", "issue_closed":
			if err := json.Unmarshal(payload, &e); err != nil {
				return err
			}
		}
		b := life[e.Block]
		switch l.Kind {
		case "block_on_sale":
			b.onSale = l.At
		case "block_ended":
			b.ended, b.reason = l.At, e.Reason
		case "issue_closed":
			r.ClosedAt, r.Reason = l.At, e.Reason
		}
		life[e.Block] = b
		return nil
	})
	return life, err
}

func (i *Instant) reportBlock(ctx context.Context, id BlockID, g instant.Game, inspector bool) (BlockReport, error) {
	state, _, err := blockCell(id).Read(ctx, i.Store)
	if err != nil {
		return BlockReport{}, err
	}
	sales, _, err := salesCell(id).Read(ctx, i.Store)
	if err != nil {
		return BlockReport{}, err
	}
	b := BlockReport{Block: id, Number: state.Number, Status: sales.Status, Size: int64(state.Header.Size),
		Sold: sales.Next, Stakes: sales.Stakes, Paid: sales.Paid, Revealed: state.Revealed != nil}
	if givenVisible(sales.Status, inspector) {
		for n, p := range g.Table {
			b.Given = append(b.Given, GivenPrize{p.Amount, p.Count, int64(sales.Given[n+1])})
		}
	}
	return b, nil
}

// ErrNotEnded refuses to export a block whose secret is not revealed.
var ErrNotEnded = &regs.Violation{Ref: "house:5", Code: "block_not_ended"}
