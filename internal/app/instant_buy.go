package app

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/face"
	"boulier/internal/proof"
	"boulier/internal/sealedblock"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// Instant runs the instant lotteries.
type Instant struct {
	*Ground

	mu     sync.RWMutex
	open   map[BlockID]*openBlock         // blocks whose secret is open in this process
	onSale map[instant.IssueID]saleTarget // where the next purchase of an issue goes

	making  sync.Mutex // one block is made at a time: it takes memory
	opening sync.Mutex // one secret is opened at a time
	rolls   sync.Mutex // one turnover at a time
	reveals sync.Mutex // one secret is revealed at a time

	// Progress is told how far the making of a block of an issue is; may be nil.
	Progress func(issue instant.IssueID, done, total int64)
}

// NewInstant returns the instant lotteries on this ground.
func NewInstant(g *Ground) *Instant {
	return &Instant{Ground: g, open: map[BlockID]*openBlock{}, onSale: map[instant.IssueID]saleTarget{}}
}

// An openBlock knows every outcome. It never leaves this package.
type openBlock struct {
	game  *instant.Game
	block *sealedblock.Block
	faces *face.Maker
}

// A saleTarget is the block on sale of an issue.
type saleTarget struct {
	id   BlockID
	open *openBlock
}

// What a purchase refuses, besides what the game's rules refuse.
var (
	ErrBalanceShort = &regs.Violation{Ref: "std:14", Code: "balance_short"}
	ErrNotPlayer    = &regs.Violation{Ref: "std:57", Code: "staff_cannot_play"}
	ErrNotOnSale    = &regs.Violation{Ref: "instant:2", Code: "not_on_sale"}
	ErrBoardUnknown = &regs.Violation{Ref: "instant:4.1", Code: "board_unknown"}
)

// A Purchase is a player's confirmed wish for one unit (instant:4.4.stake, reading I7).
type Purchase struct {
	Request RequestID
	Player  player.ID
	Issue   instant.IssueID
	// Board is the board chosen, from 1, in a word game; 0 takes the preset one, the first.
	// Other games have no boards. It never changes what the unit wins (reading I3).
	Board int
}

// Sold says which unit a purchase got. What it wins is not said here: the unit is still
// covered.
type Sold struct {
	Unit UnitRef `json:"unit"`
}

// BuyUnit sells the next unit of an issue: debit, unit, outcome, credit, fact and answer are
// one transaction (instant:4.4.stake, readings I2, I6). A unit bought before and still
// covered is thereby left, so its prize is shown from now on.
func (i *Instant) BuyUnit(ctx context.Context, p Purchase) (Sold, error) {
	request := NewRequest(p.Request, "person/"+p.Player.String(), "instant/buy", []any{p.Issue, p.Board})
	sold, err := again(func() (Sold, error) {
		target, err := i.target(ctx, p.Issue)
		if refused, ok := errors.AsType[*violation](err); ok {
			// Nothing is on sale any more, but this request may have been answered while
			// something was: the first answer stays, and this one will.
			return Do(ctx, i.Store, Keys{Request: request}, func(Tx) (Sold, error) { return Sold{}, refused })
		}
		if err != nil {
			return Sold{}, err
		}
		keys := Keys{
			Request:  request,
			Accounts: []ledger.Path{playerAccount(p.Player), issueAccount(p.Issue)},
			States: []string{string(salesCell(target.id)), string(issueCell(p.Issue)),
				string(standingOf(p.Player)), string(walletOf(p.Player)), string(limitsOf(p.Player)),
				string(rulesCell), string(disabledCell)},
		}
		sold, err := Do(ctx, i.Store, keys, func(tx Tx) (Sold, error) { return i.sell(tx, p, target) })
		if errors.Is(err, errExhausted) {
			if err := i.turnOver(ctx, p.Issue, target.id); err != nil {
				return Sold{}, err
			}
			return Sold{}, errMoved
		}
		if err == errMoved {
			i.forget(p.Issue)
		}
		return sold, err
	})
	if errors.Is(err, instant.ErrTableBreach) {
		return Sold{}, errors.Join(err, i.stop(ctx, p.Issue))
	}
	if err == errMoved {
		return Sold{}, fmt.Errorf("app: the block on sale keeps changing")
	}
	return sold, err
}

// errExhausted tells that the block of the keys has no unit left; nothing was decided.
var errExhausted = errors.New("app: the block is exhausted")

// sell decides and writes a sale.
func (i *Instant) sell(tx Tx, p Purchase, target saleTarget) (Sold, error) {
	standing, err := standingOf(p.Player).Get(tx)
	if err != nil {
		return Sold{}, err
	}
	if standing.Status != Active || !May(standing.Roles, Play) {
		return Sold{}, ErrNotPlayer.With("person %d has %v, status %s", p.Player, standing.Roles, standing.Status)
	}
	if err := checkRules(tx, standing.Rules); err != nil {
		return Sold{}, err
	}
	issue, err := issueCell(p.Issue).Get(tx)
	if err != nil {
		return Sold{}, err
	}
	if err := checkEnabled(tx, p.Player, issue); err != nil {
		return Sold{}, err
	}
	if err := issue.CheckSale(tx.Now()); err != nil {
		return Sold{}, err
	}
	if issue.Current != target.id {
		return Sold{}, errMoved
	}
	if p.Board, err = board(target.open.game, p.Board); err != nil {
		return Sold{}, err
	}
	sales, err := salesCell(target.id).Get(tx)
	if err != nil {
		return Sold{}, err
	}
	if sales.Next >= target.open.game.Block {
		return Sold{}, errExhausted
	}
	outcome := instant.Outcome(target.open.block.Unit(int(sales.Next)).Outcome)
	event, err := sales.Sell(target.open.game, outcome)
	if err != nil {
		return Sold{}, err
	}
	sales.Block = sales.Apply(event)
	salesCell(target.id).Put(tx, sales)
	return i.record(tx, p, target.id, event, standing.Rules)
}

// board returns the board that a purchase gets (instant:4.1): the one chosen, or the preset
// one; 0 in a game without boards.
func board(g *instant.Game, chosen int) (int, error) {
	boards := len(g.Words.Boards)
	if chosen < 0 || chosen > boards {
		return 0, ErrBoardUnknown.With("board %d of a game of %d boards", chosen, boards)
	}
	if chosen == 0 && boards > 0 {
		return 1, nil
	}
	return chosen, nil
}

// record writes what a sale does: the money, the wallet, the fact and the unit.
func (i *Instant) record(tx Tx, p Purchase, block BlockID, e instant.UnitSold, rules int) (Sold, error) {
	if err := i.countStake(tx, p.Player, e.Stake); err != nil {
		return Sold{}, err
	}
	unit := UnitRef{block, e.Index + 1}
	ref, own, pool := unit.String(), playerAccount(p.Player), issueAccount(p.Issue)
	if err := post(tx, "stake", ref, own, pool, e.Stake); err != nil {
		return Sold{}, err
	}
	if e.Prize > 0 {
		if err := post(tx, "prize", ref, pool, own, e.Prize); err != nil {
			return Sold{}, err
		}
	}
	wallet, err := walletOf(p.Player).Get(tx)
	if err != nil {
		return Sold{}, err
	}
	walletOf(p.Player).Put(tx, Wallet{wallet.Version + 1, unit, e.Prize})
	buyer := proof.Buyer{Player: p.Player}
	i.Entropy(buyer.Blind[:])
	sale := proof.Sale{Block: drawID(block), Index: int(e.Index), Outcome: uint16(e.Outcome), Stake: e.Stake,
		Prize: e.Prize, Board: p.Board, Buyer: buyer.Digest(), Rules: rules}
	payload := sale.Append(make([]byte, 0, saleBytes))
	if _, err := tx.Append(string(salesCell(block)), string(proof.KindSold), payload); err != nil {
		return Sold{}, err
	}
	tx.Insert(UnitRow{Block: int64(block), Number: unit.Number, Player: p.Player, SoldAt: tx.Now(),
		Outcome: int64(e.Outcome), Prize: e.Prize, Board: int64(p.Board), Blind: buyer.Blind})
	return Sold{unit}, nil
}

// saleBytes is the room that the payload of a sale takes.
const saleBytes = 256

// post moves euros and turns a lack of them into a violation that says how much.
func post(tx Tx, kind, ref string, from, to ledger.Path, amount money.Cents) error {
	_, err := tx.Post(Posting{Kind: kind, Ref: ref,
		Moves: []ledger.Movement{{From: from, To: to, Amount: ledger.Euros(amount)}}})
	if short, ok := errors.AsType[*ledger.Short](err); ok {
		return ErrBalanceShort.With("%s lacks %s EUR", short.Path, money.Cents(short.Missing))
	}
	return err
}

// target returns the block on sale of an issue, open in this process.
func (i *Instant) target(ctx context.Context, id instant.IssueID) (saleTarget, error) {
	i.mu.RLock()
	t, ok := i.onSale[id]
	i.mu.RUnlock()
	if ok {
		return t, nil
	}
	issue, _, err := issueCell(id).Read(ctx, i.Store)
	if err != nil {
		return t, err
	}
	if issue.Closed {
		return t, instant.ErrIssueClosed.With("issue %d has ended", id)
	}
	if issue.Current == 0 {
		return t, ErrNotOnSale.With("issue %d has no block on sale", id)
	}
	open, err := i.openBlock(ctx, issue.Current, "sell")
	if err != nil {
		return t, err
	}
	t = saleTarget{issue.Current, open}
	i.mu.Lock()
	i.onSale[id] = t
	i.mu.Unlock()
	return t, nil
}

// forget drops what this process believes to be on sale of an issue.
func (i *Instant) forget(id instant.IssueID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.onSale, id)
}

// drawID is the name of a block in draws, proofs and streams.
func drawID(id BlockID) draw.ID { return draw.ID(id.String()) }
