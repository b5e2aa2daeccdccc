package app

import (
	"context"
	"errors"
	"time"

	"boulier/game/contest"
	"boulier/player"
)

// OwnContests is what the house keeps of a player for the contests, for the player to keep
// (contest:15).
type OwnContests struct {
	Player  player.ID  `json:"player"`
	SignIn  string     `json:"sign_in"`
	Name    string     `json:"name"`
	Born    string     `json:"born"`
	Free    string     `json:"nuggets_free"`
	Pending string     `json:"nuggets_pending"`
	Slips   []OwnSlip  `json:"slips"`
	Orders  []OwnOrder `json:"orders"`
	Quarrel []Dispute  `json:"disputes"`
	Entry   string     `json:"registration"`
	Profile Profile    `json:"profile"`
	Cases   []Case     `json:"case_files"` // that ended the participation, with their proof
	Leagues []string   `json:"leagues"`
	Offers  []Offer    `json:"gifts_offered"`
	Claims  []Claim    `json:"claims"`
	At      time.Time  `json:"at"`
}

// OwnSlip is a slip with its points so far.
type OwnSlip struct {
	Leg     contest.LegID  `json:"leg"`
	Title   string         `json:"title"`
	Version int            `json:"version"`
	At      time.Time      `json:"validated_at"`
	Digest  string         `json:"digest"`
	Salt    string         `json:"salt"`
	Picks   []contest.Pick `json:"predictions"`
	Rank    int64          `json:"rank,omitempty"`
	Points  int64          `json:"points"`
}

// OwnOrder is an order with where it goes.
type OwnOrder struct {
	GiftOrder
	Delivery string `json:"delivery"`
}

// Own returns all that the contests hold of a player.
func (c *Contests) Own(ctx context.Context, who player.ID) (OwnContests, error) {
	row, err := c.Store.Person(ctx, who)
	if err != nil {
		return OwnContests{}, err
	}
	purse, err := c.Nuggets(ctx, who)
	if err != nil {
		return OwnContests{}, err
	}
	own := OwnContests{Player: who, SignIn: row.SignIn, Name: row.Name, Born: row.Born, At: c.Now(),
		Free: purse.Free.String(), Pending: purse.Pending.String()}
	if own.Quarrel, err = c.Disputes(ctx, who); err != nil {
		return own, err
	}
	if err := c.ownEntry(ctx, who, &own); err != nil {
		return own, err
	}
	orders, err := c.Orders(ctx, who)
	if err != nil {
		return own, err
	}
	for _, o := range orders {
		to, err := c.Delivery(ctx, o.ID)
		if err != nil {
			return own, err
		}
		own.Orders = append(own.Orders, OwnOrder{o, to})
	}
	all, err := c.Contests(ctx)
	if err != nil {
		return own, err
	}
	for _, s := range all {
		legs, err := c.Legs(ctx, s)
		if err != nil {
			return own, err
		}
		for _, l := range legs {
			if err := c.ownSlip(ctx, l, who, &own); err != nil {
				return own, err
			}
		}
	}
	return own, nil
}

// ownEntry adds the registration and what comes with it.
func (c *Contests) ownEntry(ctx context.Context, who player.ID, own *OwnContests) error {
	e, err := c.Entry(ctx, who)
	if err != nil {
		return err
	}
	own.Entry, own.Profile, own.Cases = e.Status, e.Profile, e.Cases
	leagues, err := c.Leagues(ctx, who)
	for _, l := range leagues {
		own.Leagues = append(own.Leagues, l.Name)
	}
	var err2, err3 error
	own.Offers, err2 = c.Offers(ctx, who)
	own.Claims, err3 = c.Claims(ctx, who)
	return errors.Join(err, err2, err3)
}

func (c *Contests) ownSlip(ctx context.Context, l LegState, who player.ID, own *OwnContests) error {
	slip, err := c.Slip(ctx, l, who, who)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	out := OwnSlip{Leg: l.ID, Title: l.Title, Version: slip.Version, At: slip.At, Digest: slip.Digest, Salt: slip.Salt, Picks: slip.Picks}
	row, err := c.Store.RankOf(ctx, LegScope(l, l.ShownRun()), who)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	out.Rank, out.Points = row.Rank, row.Points
	own.Slips = append(own.Slips, out)
	return nil
}
