package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"boulier/game/contest"
	"boulier/player"
)

// The statuses of an offer.
const (
	OfferMade     = "offered"
	OfferAccepted = "accepted"
	OfferRefused  = "refused"
	OfferLapsed   = "lapsed" // fifteen days without an answer (contest:11)
	OfferProved   = "proved" // identity and address are proved (contest:4.identity)
	OfferSent     = "sent"
)

// OfferGifts offers a special gift to the best, as many as there are of it, once its contest
// or leg is proclaimed (contest:11). Whoever was asked before is not asked again.
func (c *Contests) OfferGifts(ctx context.Context, o ContestOrder, gift int) error {
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "contest/offer", []any{o.Contest, gift}),
		States: []string{string(contestCell(o.Contest)), string(standingOf(o.By))}}
	_, err := Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, o.By, ManageGames); err != nil {
			return struct{}{}, err
		}
		s, err := getContest(tx, o.Contest)
		if err != nil {
			return struct{}{}, err
		}
		if gift < 0 || gift >= len(s.Gifts) {
			return struct{}{}, ErrOfferUnknown.With("gift %d of contest %d", gift, o.Contest)
		}
		if _, _, err := c.giftScope(ctx, s, gift); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, nil
	})
	if err != nil {
		return err
	}
	return c.offerAll(ctx, o.Contest, gift)
}

// giftScope returns the ranking that a special gift goes by, and the leg whose slips settle
// its ties: the gift's own, or the last that counts.
func (c *Contests) giftScope(ctx context.Context, s ContestState, gift int) (scope string, last contest.LegID, err error) {
	g := s.Gifts[gift]
	if g.Leg != 0 {
		l, _, err := c.Leg(ctx, g.Leg)
		if err != nil {
			return "", 0, err
		}
		if l.Proclaimed.Count == 0 || l.Annulled() {
			return "", 0, ErrOfferEarly.With("leg %d is not proclaimed", g.Leg)
		}
		return LegScope(l, l.Proclaimed.Run), g.Leg, nil
	}
	if s.Proclaimed.Count == 0 {
		return "", 0, ErrOfferEarly.With("contest %d is not proclaimed", s.ID)
	}
	legs, err := c.Legs(ctx, s)
	if err != nil {
		return "", 0, err
	}
	for _, l := range legs {
		if l.Proclaimed.Count > 0 && !l.Annulled() {
			last = l.ID
		}
	}
	return contestSubject(s.ID).scope(s.Proclaimed.Run), last, nil
}

// offerAll makes offers until every piece of the gift is held or nobody is left.
func (c *Contests) offerAll(ctx context.Context, id contest.ID, gift int) error {
	s, _, err := c.Contest(ctx, id)
	if err != nil {
		return err
	}
	for {
		course, _, err := courseCell(id, gift).Read(ctx, c.Store)
		if err != nil || course.Held >= s.Gifts[gift].Count {
			return err
		}
		next, ok, err := c.nextCandidate(ctx, s, gift, course.Asked)
		if err != nil || !ok {
			return err
		}
		if err := c.offer(ctx, s, gift, next, len(course.Asked)); err != nil {
			return err
		}
	}
}

// nextCandidate returns the best who was not asked yet and takes part: by rank, and in a tie
// the earliest prediction of the last leg (contest:11, Reading C18).
func (c *Contests) nextCandidate(ctx context.Context, s ContestState, gift int, asked []player.ID) (best contest.Candidate, ok bool, err error) {
	scope, last, err := c.giftScope(ctx, s, gift)
	if err != nil {
		return best, false, err
	}
	var tied []contest.Candidate
	var failed error
	err = c.eachRank(ctx, scope, func(r RankRow) bool {
		if len(tied) > 0 && int(r.Rank) != tied[0].Rank {
			return false
		}
		if slices.Contains(asked, r.Player) {
			return true
		}
		e, _, err := entryCell(r.Player).Read(ctx, c.Store)
		if err != nil {
			failed = err
			return false
		}
		if e.Status != EntryAdmitted {
			return true
		}
		k := contest.Candidate{Ranked: contest.Ranked{Standing: contest.Standing{Player: r.Player, Points: contest.Points(r.Points)}, Rank: int(r.Rank)}}
		slip, _, err := slipCell(last, r.Player).Read(ctx, c.Store)
		if err != nil {
			failed = err
			return false
		}
		k.ValidatedAt, k.Order = slip.ChangedAt, slip.Order
		tied = append(tied, k)
		return true
	})
	if err = errors.Join(err, failed); err != nil || len(tied) == 0 {
		return best, false, err
	}
	return contest.GiftOrder(tied)[0], true, nil
}

// offer makes one offer; the letter leaves with it.
func (c *Contests) offer(ctx context.Context, s ContestState, gift int, to contest.Candidate, asked int) error {
	row, err := c.Store.Person(ctx, to.Player)
	if err != nil {
		return err
	}
	profile, err := c.Profile(ctx, to.Player)
	if err != nil {
		return err
	}
	_, err = again(func() (OfferID, error) {
		last, _, err := nextOffer.Read(ctx, c.Store)
		if err != nil {
			return 0, err
		}
		id := OfferID(last + 1)
		letter := letterCell("offer/" + strconv.FormatInt(int64(id), 10))
		keys := Keys{States: []string{string(nextOffer), string(offerCell(id)), string(courseCell(s.ID, gift)), string(letter)}}
		return Do(ctx, c.Store, keys, func(tx Tx) (OfferID, error) {
			course, err := courseCell(s.ID, gift).Get(tx)
			if err != nil || len(course.Asked) != asked || course.Held >= s.Gifts[gift].Count {
				return 0, err // somebody else made it
			}
			if n, err := next(tx, nextOffer); err != nil || OfferID(n) != id {
				return 0, moved(err)
			}
			o := Offer{ID: id, Contest: s.ID, Gift: gift, Leg: s.Gifts[gift].Leg, Title: s.Gifts[gift].Title, Player: to.Player,
				Rank: to.Rank, SentAt: tx.Now(), Until: contest.DaysAfter(tx.Now(), contest.AnswerDays, c.Zone), Status: OfferMade}
			courseCell(s.ID, gift).Put(tx, giftCourse{append(slices.Clone(course.Asked), to.Player), course.Held + 1})
			offerCell(id).Put(tx, o)
			letter.Put(tx, Letter{To: profile.Email, Locale: row.Locale, Kind: "offer", At: o.Until.Add(-time.Minute),
				Path: fmt.Sprintf("/offers/%d", id), Values: map[string]string{"Title": o.Title, "Contest": s.Title, "Rank": strconv.Itoa(o.Rank)}})
			tx.Save(DueRow{Kind: DueOffer, Ref: strconv.FormatInt(int64(id), 10), At: o.Until})
			return id, offerCell(id).Append(tx, "gift_offered", o)
		})
	})
	return err
}
