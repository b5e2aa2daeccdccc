package app

import (
	"context"
	"errors"

	"boulier/game/bingo"
)

// BingoSessionTopic is the stream of the session day: rounds that start, pauses, the last one.
const BingoSessionTopic = string(bingoSession)

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
