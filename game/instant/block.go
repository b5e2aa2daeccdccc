package instant

import (
	"fmt"
	"iter"

	"boulier/money"
	"boulier/regs"
)

// What a block refuses.
var (
	// ErrBlockNotOpen refuses a sale of a block that is not on sale yet.
	ErrBlockNotOpen = &regs.Violation{Ref: "instant:2", Code: "block_not_open"}
	// ErrBlockExhausted refuses a sale after the last unit.
	ErrBlockExhausted = &regs.Violation{Ref: "instant:2", Code: "block_exhausted"}
	// ErrBlockStopped refuses a sale of a block that was stopped on a breach.
	ErrBlockStopped = &regs.Violation{Ref: "instant:3", Code: "block_stopped"}
	// ErrBlockClosed refuses whatever comes after the end of a block.
	ErrBlockClosed = &regs.Violation{Ref: "instant:2", Code: "block_closed"}
	// ErrTableBreach refuses a unit that would exceed the table; Stop must follow.
	ErrTableBreach = &regs.Violation{Ref: "instant:3", Code: "table_breach"}
	// ErrNoBreach refuses to stop a block whose next unit fits the table.
	ErrNoBreach = &regs.Violation{Ref: "instant:3", Code: "no_breach"}
	// ErrUnitsLeft refuses to close as exhausted a block that has units left.
	ErrUnitsLeft = &regs.Violation{Ref: "instant:2", Code: "units_left"}
)

// A BlockEvent is a fact of the life of a block.
type BlockEvent interface{ blockEvent() }

type (
	// UnitSold says that unit Index of the block, counted from 0, was sold.
	UnitSold struct {
		Index   int64
		Outcome Outcome
		Stake   money.Cents
		Prize   money.Cents // 0 if it lost
	}
	// BlockStopped says that the next unit, Index, has an outcome that exceeds the
	// table: the block was tampered with or badly made, and sells nothing any more.
	BlockStopped struct {
		Index   int64
		Outcome Outcome
	}
	// BlockClosed ends the block: its secret may be revealed. Units from Sold on stay
	// unsold and are reported (reading I8).
	BlockClosed struct {
		Number BlockNumber
		Sold   int64
		Reason Reason
	}
)

func (BlockOpened) blockEvent()  {}
func (UnitSold) blockEvent()     {}
func (BlockStopped) blockEvent() {}
func (BlockClosed) blockEvent()  {}

// A BlockStatus says where a block stands.
type BlockStatus uint8

// The statuses of a block.
const (
	BlockReady BlockStatus = iota // made, not on sale yet
	BlockOpen
	BlockBroken // stopped on a breach of the table
	BlockEnded
)

// A Block is the state of a block. It is small and comparable: the units themselves are
// elsewhere. The zero Block has not been opened.
type Block struct {
	Number       BlockNumber
	Status       BlockStatus
	Next         int64                // the next unit, from 0; also how many were sold
	Given        [MaxLines + 1]uint32 // units sold by outcome; losers at 0
	Stakes, Paid money.Cents
}

// Sell decides to sell the next unit of a block of game g, whose outcome is o. It never
// gives more prizes, nor more losers, than the table holds (instant:3): it then returns
// ErrTableBreach, again and again until Stop. Dates are the to check.
func (b *Block) Sell(g *Game, o Outcome) (UnitSold, error) {
	if err := b.checkOpen(); err != nil {
		return UnitSold{}, err
	}
	if b.Next >= g.Block {
		return UnitSold{}, ErrBlockExhausted.With("all %d units are sold", g.Block)
	}
	if !b.fits(g, o) {
		return UnitSold{}, ErrTableBreach.With("unit %d would be one too many of outcome %d", b.Next, o)
	}
	sold := UnitSold{Index: b.Next, Outcome: o, Stake: g.Price}
	if o > 0 {
		sold.Prize = g.Table[o-1].Amount
	}
	return sold, nil
}

// fits reports whether one more unit of outcome o keeps within the table.
func (b *Block) fits(g *Game, o Outcome) bool {
	switch {
	case o == 0:
		return int64(b.Given[0]) < g.Losers()
	case int(o) > len(g.Table):
		return false
	}
	return int64(b.Given[o]) < g.Table[o-1].Count
}

// checkOpen returns a violation unless the block is on sale.
func (b *Block) checkOpen() error {
	switch b.Status {
	case BlockReady:
		return ErrBlockNotOpen.With("block %d", b.Number)
	case BlockBroken:
		return ErrBlockStopped.With("block %d at unit %d", b.Number, b.Next)
	case BlockEnded:
		return ErrBlockClosed.With("block %d", b.Number)
	}
	return nil
}

// Stop decides to stop the block after Sell refused outcome o with ErrTableBreach. It
// is apart from Sell because the refusal leaves nothing behind, and the stop must stay.
func (b *Block) Stop(g *Game, o Outcome) (BlockStopped, error) {
	if err := b.checkOpen(); err != nil {
		return BlockStopped{}, err
	}
	if b.Next < g.Block && b.fits(g, o) {
		return BlockStopped{}, ErrNoBreach.With("unit %d fits the table", b.Next)
	}
	return BlockStopped{b.Next, o}, nil
}

// Close decides to end a block that is on sale or was stopped; as Exhausted only after
// its last unit.
func (b *Block) Close(g *Game, why Reason) (BlockClosed, error) {
	switch b.Status {
	case BlockReady:
		return BlockClosed{}, ErrBlockNotOpen.With("block %d", b.Number)
	case BlockEnded:
		return BlockClosed{}, ErrBlockClosed.With("block %d", b.Number)
	}
	if why == Exhausted && b.Next < g.Block {
		return BlockClosed{}, ErrUnitsLeft.With("%d units are left", g.Block-b.Next)
	}
	return BlockClosed{b.Number, b.Next, why}, nil
}

// Apply returns the block after a fact.
func (b Block) Apply(e BlockEvent) Block {
	switch e := e.(type) {
	case BlockOpened:
		b.Number, b.Status = e.Number, BlockOpen
	case UnitSold:
		b.Next = e.Index + 1
		b.Given[e.Outcome]++
		b.Stakes += e.Stake
		b.Paid += e.Prize
	case BlockStopped:
		b.Status = BlockBroken
	case BlockClosed:
		b.Status = BlockEnded
	}
	return b
}

// Replay returns the state that the facts of a block of game g lead to, by folding
// Apply. It returns an error at the first fact that the rules would not have decided: a
// unit out of order, a prize beyond the table, a sale after the end.
func Replay(g *Game, events iter.Seq[BlockEvent]) (Block, error) {
	var b Block
	n := 0
	for e := range events {
		want, err := b.decide(g, e)
		if err != nil {
			return b, fmt.Errorf("instant: fact %d of the block: %w", n, err)
		}
		if want != e {
			return b, fmt.Errorf("instant: fact %d of the block is %+v, the rules give %+v", n, e, want)
		}
		b = b.Apply(e)
		n++
	}
	return b, nil
}

// decide returns what the rules decide where e stands.
func (b *Block) decide(g *Game, e BlockEvent) (BlockEvent, error) {
	switch e := e.(type) {
	case UnitSold:
		return b.Sell(g, e.Outcome)
	case BlockStopped:
		return b.Stop(g, e.Outcome)
	case BlockClosed:
		return b.Close(g, e.Reason)
	case BlockOpened:
		if b.Status != BlockReady {
			return nil, ErrBlockOnSale.With("block %d was opened before", b.Number)
		}
		return e, nil
	}
	return nil, fmt.Errorf("unknown fact %T", e)
}
