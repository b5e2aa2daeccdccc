package instant

import (
	"time"

	"boulier/regs"
)

// Identifiers. A block is also known by its number in its issue, from 1.
type (
	// IssueID identifies an issue (« émission »).
	IssueID int64
	// BlockNumber is the place of a block in its issue, from 1.
	BlockNumber int
)

// What an issue refuses.
var (
	// ErrIssueClosed refuses a stake outside the dates of the issue or after its end.
	ErrIssueClosed = &regs.Violation{Ref: "instant:2", Code: "issue_closed"}
	// ErrIssueOpened refuses to open an issue twice.
	ErrIssueOpened = &regs.Violation{Ref: "instant:2", Code: "issue_opened"}
	// ErrGameFaulty refuses to open an issue of a game that fails its check (reading I1).
	ErrGameFaulty = &regs.Violation{Ref: "instant:3", Code: "game_faulty"}
	// ErrIssueDates refuses an issue that would close before it opens.
	ErrIssueDates = &regs.Violation{Ref: "instant:2", Code: "issue_dates"}
	// ErrBlockOnSale refuses a second block while one is on sale (reading I8).
	ErrBlockOnSale = &regs.Violation{Ref: "instant:2", Code: "block_on_sale"}
	// ErrTooEarly refuses to close an issue by its date before that date.
	ErrTooEarly = &regs.Violation{Ref: "instant:2", Code: "too_early"}
)

// A Window is the time in which an issue is sold, closed at its start and open at its
// end. The end is published when the issue opens (reading I8).
type Window struct{ Opens, Closes time.Time }

// A Reason says why an issue or a block ended.
type Reason string

// The reasons for an end.
const (
	ByDate      Reason = "date"         // the published date came
	ByOrder     Reason = "order"        // a manager closed it
	Exhausted   Reason = "exhausted"    // the last unit was sold
	IssueEnded  Reason = "issue_closed" // the block's issue closed
	TableBreach Reason = "table_breach" // the next unit did not fit the table
)

// An IssueEvent is a fact of the life of an issue.
type IssueEvent interface{ issueEvent() }

type (
	// IssueOpened says that the issue will be sold in its window.
	IssueOpened struct{ Window Window }
	// BlockOpened says that the block of this number came on sale; it is a fact of the
	// issue and of the block.
	BlockOpened struct{ Number BlockNumber }
	// IssueClosed ends the issue: nothing of it is sold any more.
	IssueClosed struct {
		At     time.Time
		Reason Reason
	}
)

func (IssueOpened) issueEvent() {}
func (BlockOpened) issueEvent() {}
func (BlockClosed) issueEvent() {}
func (IssueClosed) issueEvent() {}

// An Issue is the state of an issue: its dates, and which of its blocks is on sale. The
// zero Issue has not been opened.
type Issue struct {
	Window Window
	Opened bool
	Closed bool
	Blocks BlockNumber // opened so far
	OnSale BlockNumber // the one on sale, 0 for none
}

// Open decides to open the issue of game g for sale in the window. A game with any fault,
// or without a face, is refused (reading I1).
func (i Issue) Open(g Game, w Window) (IssueOpened, error) {
	if i.Opened {
		return IssueOpened{}, ErrIssueOpened.With("it was opened for [%s, %s)",
			i.Window.Opens, i.Window.Closes)
	}
	if g.Kind == NoFace {
		return IssueOpened{}, ErrGameFaulty.With("a bare table has no face to sell")
	}
	if faults := g.Check(); len(faults) > 0 {
		return IssueOpened{}, ErrGameFaulty.With("%d faults, the first: %v", len(faults), faults[0])
	}
	if !w.Opens.Before(w.Closes) {
		return IssueOpened{}, ErrIssueDates.With("from %s to %s", w.Opens, w.Closes)
	}
	return IssueOpened{w}, nil
}

// CheckSale returns ErrIssueClosed unless a unit of the issue may be sold at this time.
func (i Issue) CheckSale(at time.Time) error {
	if !i.Opened || i.Closed || at.Before(i.Window.Opens) || !at.Before(i.Window.Closes) {
		return ErrIssueClosed.With("asked at %s, window is [%s, %s), closed early: %t",
			at, i.Window.Opens, i.Window.Closes, i.Closed)
	}
	return nil
}

// OpenBlock decides to put the next block on sale: the first one, or the one after a
// block that is exhausted or stopped. A block may open before the window does.
func (i Issue) OpenBlock(at time.Time) (BlockOpened, error) {
	if !i.Opened || i.Closed || !at.Before(i.Window.Closes) {
		return BlockOpened{}, ErrIssueClosed.With("no block opens at %s", at)
	}
	if i.OnSale != 0 {
		return BlockOpened{}, ErrBlockOnSale.With("block %d is on sale", i.OnSale)
	}
	return BlockOpened{i.Blocks + 1}, nil
}

// Close decides to end the issue, ByDate from its published date on or ByOrder at any
// time. The block on sale, if there is one, is to be closed with it as IssueEnded.
func (i Issue) Close(at time.Time, why Reason) (IssueClosed, error) {
	if !i.Opened || i.Closed {
		return IssueClosed{}, ErrIssueClosed.With("it is not open at %s", at)
	}
	if why != ByOrder && at.Before(i.Window.Closes) {
		return IssueClosed{}, ErrTooEarly.With("at %s, its date is %s", at, i.Window.Closes)
	}
	return IssueClosed{at, why}, nil
}

// Apply returns the issue after a fact.
func (i Issue) Apply(e IssueEvent) Issue {
	switch e := e.(type) {
	case IssueOpened:
		i.Window, i.Opened = e.Window, true
	case BlockOpened:
		i.Blocks, i.OnSale = e.Number, e.Number
	case BlockClosed:
		i.OnSale = 0
	case IssueClosed:
		i.Closed = true
	}
	return i
}

// ReplayIssue returns the state that the facts lead to.
func ReplayIssue(events []IssueEvent) (i Issue) {
	for _, e := range events {
		i = i.Apply(e)
	}
	return i
}
