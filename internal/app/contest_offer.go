package app

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"boulier/game/contest"
	"boulier/player"
	"boulier/regs"
)

// An OfferID identifies an offer of a special gift.
type OfferID int64

// An Offer is a special gift offered to one player by e-mail (contest:11).
type Offer struct {
	ID      OfferID       `json:"id"`
	Contest contest.ID    `json:"contest"`
	Gift    int           `json:"gift"` // place in the contest's list of special gifts, from 0
	Leg     contest.LegID `json:"leg,omitempty"`
	Title   string        `json:"title"`
	Player  player.ID     `json:"player"`
	Rank    int           `json:"rank"`
	SentAt  time.Time     `json:"sent_at"`
	Until   time.Time     `json:"until"`
	Status  string        `json:"status"`
	At      time.Time     `json:"at,omitzero"` // of the answer, or of the lapse
}

// settled reports whether the offer holds a gift: open, or taken.
func (o Offer) settled() bool { return o.Status != OfferRefused && o.Status != OfferLapsed }

// A Winner is who has accepted a special gift, as it is published (contest:16). It is
// personal: no event holds it.
type Winner struct {
	Given, Family, Town string
	Postal              string // for whoever sends the gift, not published
}

// DueOffer ends the days of an offer, DueGiftNext asks the next in its place.
const (
	DueOffer    = "contest_offer"
	DueGiftNext = "contest_gift_next"
)

const (
	nextOffer    = counter("next/contest_offer")
	offerPrefix  = "contest/offer/"
	winnerPrefix = "contest/winner/"
)

func offerCell(id OfferID) Cell[Offer] {
	return Cell[Offer](offerPrefix + strconv.FormatInt(int64(id), 10))
}

func winnerCell(id OfferID) Cell[Winner] {
	return Cell[Winner](winnerPrefix + strconv.FormatInt(int64(id), 10))
}

// giftCourse is how far a special gift has come: who was asked, and how many are held.
type giftCourse struct {
	Asked []player.ID `json:"asked"`
	Held  int         `json:"held"`
}

func courseCell(id contest.ID, gift int) Cell[giftCourse] {
	return Cell[giftCourse](fmt.Sprintf("contest/course/%d/%d", id, gift))
}

// The refusals of special gifts.
var (
	ErrOfferUnknown = &regs.Violation{Ref: "contest:11", Code: "offer_unknown"}
	ErrOfferState   = &regs.Violation{Ref: "contest:11", Code: "offer_state"}
	ErrOfferEarly   = &regs.Violation{Ref: "contest:11", Code: "offer_early"}
)

// Offers returns all offers, oldest first; those of one player unless who is 0.
func (c *Contests) Offers(ctx context.Context, who player.ID) ([]Offer, error) {
	all, err := readCells[Offer](ctx, c.Store, offerPrefix)
	var out []Offer
	for _, o := range all {
		if who == 0 || o.Player == who {
			out = append(out, o)
		}
	}
	return out, err
}

// Winner returns who accepted an offer; empty unless somebody did, or once the data were
// removed.
func (c *Contests) Winner(ctx context.Context, id OfferID) (Winner, error) {
	w, _, err := winnerCell(id).Read(ctx, c.Store)
	return w, err
}
