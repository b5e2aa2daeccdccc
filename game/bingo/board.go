package bingo

import (
	"fmt"
	"iter"
	"slices"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/player"
)

// A Sold is a card of a round.
type Sold struct {
	Serial ninety.Serial
	Card   ninety.Card
	Player player.ID
	Price  money.Cents
}

// A Board knows the cards of a running round, in order of sale, and marks them (bingo:93.10).
// It is no state: after a stop it is made again from the cards and the balls. It is for one
// goroutine.
type Board struct {
	sold  []Sold
	index *ninety.Index
	balls []ninety.Ball
	gone  map[int]bool
}

// NewBoard returns the board of a round of these cards, in which no ball is drawn yet.
func NewBoard(p Proposal, sold []Sold) *Board {
	var patterns []ninety.Goal
	for _, z := range p.Prizes {
		patterns = append(patterns, z.Pattern)
	}
	for _, r := range p.Pots {
		patterns = append(patterns, r.Pattern)
	}
	cards := func(yield func(ninety.Card) bool) {
		for i := range sold {
			if !yield(sold[i].Card) {
				return
			}
		}
	}
	return &Board{sold: sold, index: ninety.NewIndex(cards, patterns...), gone: map[int]bool{}}
}

// Catch draws the balls of a round that goes on.
func (b *Board) Catch(balls []ninety.Ball) error {
	for _, ball := range balls {
		if err := b.draw(b.balls, ball); err != nil {
			return err
		}
	}
	return nil
}

// draw draws a ball after those given. Drawn again, as a transaction may be run again, it
// changes nothing.
func (b *Board) draw(before []ninety.Ball, ball ninety.Ball) error {
	n := len(before)
	if len(b.balls) == n+1 && b.balls[n] == ball && slices.Equal(b.balls[:n], before) {
		return nil
	}
	if !slices.Equal(b.balls, before) {
		return fmt.Errorf("the board has %v, the round %v", b.balls, before)
	}
	if err := b.index.Draw(ball); err != nil {
		return err
	}
	b.balls = append(b.balls, ball)
	return nil
}

// Leave takes refunded cards off the board (reading B11).
func (b *Board) Leave(places ...int) {
	for _, p := range places {
		b.gone[p] = true
	}
}

// InPlay returns how many cards play.
func (b *Board) InPlay() int { return len(b.sold) - len(b.gone) }

// winners returns the cards in play that reach the goal on the last ball.
func (b *Board) winners(g ninety.Goal) (list []Winner) {
	for place := range b.index.Reached(g) {
		if s := &b.sold[place]; !b.gone[place] {
			list = append(list, Winner{Place: place, Serial: s.Serial, Player: s.Player, Price: s.Price})
		}
	}
	return list
}

// full reports whether the last ball completed a card in play (bingo:93.13).
func (b *Board) full() bool {
	for place := range b.index.Reached(ninety.FullCard) {
		if !b.gone[place] {
			return true
		}
	}
	return false
}

// Near gives the cards in play that lack one number for the goal (reading B9).
func (b *Board) Near(g ninety.Goal) iter.Seq[int] {
	return func(yield func(int) bool) {
		for place := range b.index.At(g, 1) {
			if !b.gone[place] && !yield(place) {
				return
			}
		}
	}
}

// Missing returns how many numbers a card still lacks for the goal.
func (b *Board) Missing(place int, g ninety.Goal) int { return b.index.Missing(place, g) }

// Nearest returns a player's cards in play, those nearest to the goal first.
func (b *Board) Nearest(places []int, g ninety.Goal) []int {
	in := slices.DeleteFunc(slices.Clone(places), func(p int) bool { return b.gone[p] })
	return b.index.Nearest(in, g)
}
