package app

import (
	"context"

	"boulier/game/contest"
	"boulier/player"
)

// NuggetPurse is what a player has: spendable, and pending until the days for disputes are
// over (Reading C20), with the latest movements.
type NuggetPurse struct {
	Player        player.ID
	Free, Pending contest.Nuggets
	Moves         []Movement // of the free account, newest first
	Waiting       []Movement // of the pending one
}

// Nuggets returns what a player has.
func (c *Contests) Nuggets(ctx context.Context, who player.ID) (p NuggetPurse, err error) {
	p.Player = who
	free, err := c.Store.Account(ctx, freeNuggets(who))
	if err != nil {
		return p, err
	}
	pending, err := c.Store.Account(ctx, pendingNuggets(who))
	if err != nil {
		return p, err
	}
	p.Free, p.Pending = contest.Nuggets(free.Balance), contest.Nuggets(pending.Balance)
	if p.Moves, err = c.Store.Movements(ctx, freeNuggets(who), Cursor{}, 50); err != nil {
		return p, err
	}
	p.Waiting, err = c.Store.Movements(ctx, pendingNuggets(who), Cursor{}, 50)
	return p, err
}
