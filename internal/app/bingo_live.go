package app

import (
	"context"
	"errors"
	"slices"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/money"
)

// BingoSessionTopic is the stream of the session day: rounds that start, pauses, the last one.
const BingoSessionTopic = string(bingoSession)

// BingoProposalsState is the state of the proposals: with them changes what is announced.
const BingoProposalsState = string(bingoProposalsCell)

// BingoAccountPrefix begins the names of the states of electronic accounts.
const BingoAccountPrefix = bingoAccountPrefix

// BingoSalePrefix begins the names of the states of sales; the round follows.
const BingoSalePrefix = "bingo/sale/"

// BingoTopic is the stream of a round, which screens follow.
func BingoTopic(id bingo.RoundID) string { return string(bingoRoundCell(id)) }

// A BingoView is what everyone may see of the bingo at a moment.
type BingoView struct {
	Session bingo.Session
	Events  uint64 // of the session day
	Round   bingo.Round
	Told    uint64      // events of the round
	Sale    bingo.Sale  // of the round
	Before  bingo.Round // the round before it, the zero Round if there is none
}

// Look returns what is to be seen: the round that is being played, or else the last one.
func (b *Bingo) Look(ctx context.Context) (n BingoView, err error) {
	n.Session, n.Events, err = readSnake(ctx, b.Store, bingoSession)
	if errors.Is(err, ErrNotFound) {
		return n, nil
	}
	if err != nil {
		return n, err
	}
	id := n.Session.Playing
	if id == 0 {
		last, _, err := nextBingo.Read(ctx, b.Store)
		if err != nil || last == 0 {
			return n, err
		}
		id = bingo.RoundID(last)
	}
	if n.Round, n.Told, err = b.Round(ctx, id); err != nil {
		return n, err
	}
	if n.Sale, err = b.Sale(ctx, id); err != nil || id == 1 {
		return n, err
	}
	n.Before, _, err = b.Round(ctx, id-1)
	return n, err
}

// Latest returns the rounds before a round, latest first; from the last one if before is 0.
func (b *Bingo) Latest(ctx context.Context, before bingo.RoundID, limit int) (list []bingo.Round, err error) {
	if before == 0 {
		last, _, err := nextBingo.Read(ctx, b.Store)
		if err != nil {
			return nil, err
		}
		before = bingo.RoundID(last) + 1
	}
	for id := before - 1; id >= 1 && len(list) < limit; id-- {
		r, _, err := b.Round(ctx, id)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// A HeldCard is a card of a player in a round.
type HeldCard struct {
	Place  int // in the order of sale
	Serial ninety.Serial
	Card   ninety.Card
	Price  money.Cents
}

// Faces returns the cards that a hand has in play, in order of sale.
func (b *Bingo) Faces(ctx context.Context, h BingoHand) (list []HeldCard, err error) {
	for _, e := range h.Bought {
		place := e.First
		for _, r := range e.Runs {
			for row, err := range b.Cards.between(ctx, r.Series, r.From, r.To) {
				if err != nil {
					return nil, err
				}
				if !slices.Contains(h.Gone, place) {
					list = append(list, HeldCard{place, row.Serial(), row.Card(), e.Price})
				}
				place++
			}
		}
	}
	return list, nil
}

// BingoNearPrefix begins the names of the states that say how near a round is; the round
// follows.
const BingoNearPrefix = "bingo/near/"

// BingoNear is how many cards in play lack one number for each prize of a round, after so
// many balls (bingo:93.10, reading B9). A prize that was won has none.
type BingoNear struct {
	Balls int   `json:"balls"`
	Cards []int `json:"cards"`
}

func bingoNearCell(id bingo.RoundID) Cell[BingoNear] {
	return Cell[BingoNear](BingoNearPrefix + number(id))
}

// Near returns how near a round is.
func (b *Bingo) Near(ctx context.Context, id bingo.RoundID) (BingoNear, error) {
	n, _, err := bingoNearCell(id).Read(ctx, b.Store)
	return n, err
}

// nearOf counts the cards of a board that lack one number for what a round can still give.
func nearOf(r bingo.Round, board *bingo.Board) BingoNear {
	n := BingoNear{len(r.Balls), make([]int, len(r.Proposal.Prizes))}
	for i, p := range r.Proposal.Prizes {
		if r.Phase == bingo.Drawing && !r.Won(i, false) {
			for range board.Near(p.Pattern) {
				n.Cards[i]++
			}
		}
	}
	return n
}
