package app

import (
	"context"
	"strconv"

	"boulier/game/contest"
	"boulier/player"
)

// An OfferAnswer is a player's answer to an offer.
type OfferAnswer struct {
	Request RequestID
	Player  player.ID
	Offer   OfferID
	Accept  bool
	Publish bool // first name, name and town may be published (contest:16)
}

// AnswerOffer takes a player's answer within fifteen days of the offer. Who refuses to be named
// gives the gift up (contest:16), and the next is asked.
func (c *Contests) AnswerOffer(ctx context.Context, a OfferAnswer) (status string, err error) {
	seen, _, err := offerCell(a.Offer).Read(ctx, c.Store)
	if err != nil {
		return "", err
	}
	if seen.ID == 0 || seen.Player != a.Player {
		return "", ErrOfferUnknown.With("offer %d", a.Offer)
	}
	profile, err := c.Profile(ctx, a.Player)
	if err != nil {
		return "", err
	}
	keys := Keys{Request: NewRequest(a.Request, "person/"+a.Player.String(), "contest/answer", []any{a.Offer, a.Accept, a.Publish}),
		States: append(seen.keys(), string(winnerCell(a.Offer)), string(standingOf(a.Player)), string(entryCell(a.Player)))}
	status, err = Do(ctx, c.Store, keys, func(tx Tx) (string, error) {
		if err := requireBy(tx, a.Player, Predict); err != nil {
			return "", err
		}
		e, err := entryCell(a.Player).Get(tx)
		if err == nil {
			err = e.check()
		}
		if err != nil {
			return "", err
		}
		o, err := offerCell(a.Offer).Get(tx)
		if err != nil {
			return "", err
		}
		if o.Status != OfferMade {
			return "", ErrOfferState.With("offer %d is %s", o.ID, o.Status)
		}
		if err := contest.CheckAnswer(o.SentAt, tx.Now(), c.Zone); err != nil {
			return "", err
		}
		if !a.Accept || !a.Publish {
			return OfferRefused, end(tx, o, OfferRefused)
		}
		o.Status, o.At = OfferAccepted, tx.Now()
		offerCell(o.ID).Put(tx, o)
		winnerCell(o.ID).Put(tx, Winner{profile.Given, profile.Family, profile.Town, profile.Postal()})
		tx.Delete(DueRow{Kind: DueOffer, Ref: o.ref()})
		return o.Status, offerCell(o.ID).Append(tx, "offer_accepted", o)
	})
	if err != nil || status != OfferRefused {
		return status, err
	}
	return status, c.GiftNext(ctx, a.Offer)
}

func (o Offer) ref() string { return strconv.FormatInt(int64(o.ID), 10) }

// keys names what ends an offer.
func (o Offer) keys() []string {
	return []string{string(offerCell(o.ID)), string(courseCell(o.Contest, o.Gift))}
}

// end ends an offer that was not taken; the next is asked by the clock, if not at once.
func end(tx Tx, o Offer, status string) error {
	course, err := courseCell(o.Contest, o.Gift).Get(tx)
	if err != nil {
		return err
	}
	course.Held--
	courseCell(o.Contest, o.Gift).Put(tx, course)
	o.Status, o.At = status, tx.Now()
	offerCell(o.ID).Put(tx, o)
	tx.Delete(DueRow{Kind: DueOffer, Ref: o.ref()})
	tx.Save(DueRow{Kind: DueGiftNext, Ref: o.ref(), At: tx.Now()})
	return offerCell(o.ID).Append(tx, "offer_"+status, o)
}

// LapseOffer is the clock's work at the end of the fifteen days: silence was a refusal.
func (c *Contests) LapseOffer(ctx context.Context, id OfferID) error {
	seen, _, err := offerCell(id).Read(ctx, c.Store)
	if err != nil {
		return err
	}
	err = c.Store.Update(ctx, Keys{States: seen.keys()}, func(tx Tx) error {
		o, err := offerCell(id).Get(tx)
		if err != nil {
			return err
		}
		if o.Status != OfferMade {
			tx.Delete(DueRow{Kind: DueOffer, Ref: o.ref()})
			return nil
		}
		if contest.CheckAnswer(o.SentAt, tx.Now(), c.Zone) == nil {
			return nil
		}
		return end(tx, o, OfferLapsed)
	})
	if err != nil {
		return err
	}
	return c.GiftNext(ctx, id)
}

// GiftNext asks the next in the place of an offer that was not taken.
func (c *Contests) GiftNext(ctx context.Context, id OfferID) error {
	o, _, err := offerCell(id).Read(ctx, c.Store)
	if err != nil {
		return err
	}
	if !o.settled() {
		if err := c.offerAll(ctx, o.Contest, o.Gift); err != nil {
			return err
		}
	}
	return c.Store.Update(ctx, Keys{}, func(tx Tx) error {
		tx.Delete(DueRow{Kind: DueGiftNext, Ref: o.ref()})
		return nil
	})
}

// StepOffer takes an accepted offer on: proved, then sent (contest:4.identity).
func (c *Contests) StepOffer(ctx context.Context, request RequestID, by player.ID, id OfferID, status string) error {
	keys := Keys{Request: NewRequest(request, "person/"+by.String(), "contest/offer_step", []any{id, status}),
		States: []string{string(offerCell(id)), string(standingOf(by))}}
	_, err := Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, by, ManageGames); err != nil {
			return struct{}{}, err
		}
		o, err := offerCell(id).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		switch {
		case o.ID == 0:
			return struct{}{}, ErrOfferUnknown.With("offer %d", id)
		case status == OfferSent && o.Status == OfferAccepted:
			return struct{}{}, ErrNotProved.With("offer %d", id)
		case status == OfferProved && o.Status == OfferAccepted, status == OfferSent && o.Status == OfferProved:
		default:
			return struct{}{}, ErrOfferState.With("%s after %s", status, o.Status)
		}
		o.Status = status
		offerCell(id).Put(tx, o)
		return struct{}{}, offerCell(id).Append(tx, "offer_"+status, struct {
			By player.ID `json:"by"`
		}{by})
	})
	return err
}
