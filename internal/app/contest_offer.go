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
	"boulier/regs"
)

// An OfferID identifies an offer of a special gift.
type OfferID int64

// The statuses of an offer.
const (
	OfferMade     = "offered"
	OfferAccepted = "accepted"
	OfferRefused  = "refused"
	OfferLapsed   = "lapsed" // fifteen days without an answer (contest:11)
	OfferProved   = "proved" // identity and address are proved (contest:4.identity)
	OfferSent     = "sent"
)

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
