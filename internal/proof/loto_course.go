package proof

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"boulier/draw"
	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/snake"
	"boulier/journal"
	"boulier/money"
)

// A lotoCourse is a day that is played again: each fact is decided anew from those before it
// and must be the one that the file holds.
type lotoCourse struct {
	head     Loto
	file     string
	facts    []lotoFact
	series   map[ninety.Series]*lotoSeries
	order    []loto.SoldCard // in the order of sale
	sold     map[ninety.Serial]loto.SoldCard
	excluded map[loto.SaleRef]bool
	secrets  map[int]LotoSecrets // by round, wherever they stand

	at      int // of the facts
	session loto.Session
	opened  bool // the first sale
	balls   []ninety.Ball
	owed    []int // rounds whose secrets follow
}

// What a day can lack, in plain words.
var (
	// ErrLotoCourse refuses a fact that does not follow from those before it.
	ErrLotoCourse = errors.New("the day cannot have gone so")
	// ErrLotoDraw refuses a number or token that the secret does not give.
	ErrLotoDraw = errors.New("it is not the one that the secret gives")
)

// fault says what does not hold of the fact in hand.
func (c *lotoCourse) fault(format string, args ...any) error {
	line := 0
	if c.at < len(c.facts) {
		line = c.facts[c.at].line
	}
	return &Fault{c.file, line, fmt.Errorf(format, args...)}
}

// take holds that the next facts are the events, and applies them.
func (c *lotoCourse) take(events []loto.Event, err error) error {
	if err == nil && len(events) == 0 {
		err = errors.New("nothing would come of it")
	}
	if err != nil {
		return c.fault("%w: %w", ErrLotoCourse, err)
	}
	for _, e := range events {
		if c.at == len(c.facts) {
			return &Fault{c.file, 0, fmt.Errorf("%w: %s should follow the last fact", ErrLotoCourse, e.Kind())}
		}
		want, err := snake.Encode(e)
		if err != nil {
			return err
		}
		got, err := snake.Encode(c.facts[c.at].Event)
		if err != nil {
			return err
		}
		if e.Kind() != string(c.facts[c.at].Kind) || string(got) != string(want) {
			return c.fault("%w: here should stand %s %s", ErrLotoCourse, e.Kind(), want)
		}
		c.session = c.session.Apply(e)
		c.at++
	}
	return nil
}

// play plays the day again.
func (c *lotoCourse) play(before journal.Head) error {
	for c.at < len(c.facts) {
		f := c.facts[c.at]
		if len(c.owed) > 0 && f.Kind != KindSecrets {
			return c.fault("%w: the secrets of round %d should stand here", ErrLotoCourse, c.owed[0])
		}
		switch f.Event.(type) {
		case loto.DayOpened:
			if c.session.Day == 0 && f.Index >= before.Size {
				return c.fault("the commitments, leaf %d, are not in the checkpoint of %d leaves before the sale", f.Index, before.Size)
			}
		case loto.SaleOpened:
			if !c.opened && f.Index < before.Size {
				return c.fault("the sale opened, leaf %d, within the checkpoint of %d leaves said to be before", f.Index, before.Size)
			}
			c.opened = true
		}
		if err := c.step(f); err != nil {
			return err
		}
	}
	s := c.session
	switch {
	case len(c.owed) > 0:
		return &Fault{c.file, 0, fmt.Errorf("%w: the secrets of round %d are not revealed", ErrLotoCourse, c.owed[0])}
	case c.head.Round == 0 && s.Phase != loto.Closed:
		return &Fault{c.file, 0, fmt.Errorf("%w: the day is not over", ErrLotoCourse)}
	case c.head.Round != 0 && (s.Phase != loto.Open || s.Play.Round != 0 || len(s.Results) != c.head.Round):
		return &Fault{c.file, 0, fmt.Errorf("%w: the file does not end with round %d", ErrLotoCourse, c.head.Round)}
	}
	return nil
}

// step decides the next fact.
func (c *lotoCourse) step(f lotoFact) error {
	s := c.session
	switch e := f.Event.(type) {
	case nil:
		if f.Kind == KindSecrets {
			return c.reveal(f.Secrets)
		}
		return c.passOver(f.Kind)
	case loto.Planned:
		return c.take(s.Change(e.Plan))
	case loto.Pictured:
		if e.Gone || e.Name == "" {
			return c.take(s.RemovePicture(e.Round, e.Prize, e.Name))
		}
		return c.take(s.Picture(e.Round, e.Prize, e.Name))
	case loto.DayOpened:
		if err := c.committed(e); err != nil {
			return c.fault("%w", err)
		}
		return c.take(s.OpenDay(e.Commitments, e.Ties))
	case loto.SaleOpened:
		return c.take(s.OpenSale())
	case loto.RulesRecalled:
		return c.take(s.Recall())
	case loto.ControlTaken:
		return c.take(s.TakeControl(e.Caller))
	case loto.RoundOpened:
		return c.openRound(e)
	case loto.Paused:
		return c.take(s.Rest(e.Title, e.Until, f.At))
	case loto.PauseEnded:
		return c.take(s.Continue())
	case loto.DisputeDecided:
		return c.take(s.Decide(e.Question, e.Decision))
	case loto.PersonExcluded:
		return c.exclude(e)
	case loto.ExclusionExplained:
		return c.passOver(f.Kind)
	case loto.DayPostponed:
		return c.take(s.Postpone(e.Doors, e.Start, f.At, e.Reason))
	case loto.RoundClosed:
		round := s.Play.Round
		if err := c.take(s.CloseRound(e.Reason)); err != nil {
			return err
		}
		c.owe(round)
		return nil
	case loto.DayClosed:
		if err := c.take(s.CloseDay(e.Reason)); err != nil {
			return err
		}
		for n := len(s.Results) + 1; n <= len(s.Plan.Rounds); n++ {
			c.owe(n)
		}
		return nil
	}
	return c.stepInRound(f)
}

// stepInRound is step for what happens between the opening and the closing of a round.
func (c *lotoCourse) stepInRound(f lotoFact) error {
	s := c.session
	switch e := f.Event.(type) {
	case loto.BallCalled:
		if r, _, ok := s.Current(); ok && !r.Cage && (e.Number < 1 || e.Number > len(c.balls) || c.balls[e.Number-1] != e.Ball) {
			return c.fault("number %d: %w: %d", e.Number, ErrLotoDraw, e.Ball)
		}
		return c.take(s.Call(e.Ball, len(s.Play.Calls)))
	case loto.CallCorrected:
		return c.take(s.Correct(e.Was, e.Ball, e.Reason))
	case loto.CallRepeated:
		return c.take(s.Repeat(e.Ball, e.Reason))
	case loto.DrawStopped:
		return c.take(s.Stop())
	case loto.DrawResumed:
		return c.take(s.Resume())
	case loto.ClaimMade:
		return c.take(s.Claim(e.Claim))
	case loto.CheckBegan:
		return c.take(s.BeginCheck())
	case loto.ClaimChecked:
		return c.check(e)
	case loto.ShareAnswered:
		return c.take(s.Answer(e.Agreed))
	case loto.TokenDrawn:
		return c.token(e)
	case loto.PrizeHandedOver:
		return c.take(s.HandOver())
	}
	return c.fault("%w: no %s can stand here", ErrLotoCourse, f.Kind)
}

// passOver takes a fact that changes nothing: a dispute whose words are withheld, or why
// somebody was excluded, which follows the exclusion.
func (c *lotoCourse) passOver(k journal.Kind) error {
	explained := k == journal.Kind(loto.ExclusionExplained{}.Kind())
	follows := c.at > 0 && c.facts[c.at-1].Kind == journal.Kind(loto.PersonExcluded{}.Kind())
	if explained && !follows || c.session.Phase != loto.Open {
		return c.fault("%w: no %s can stand here", ErrLotoCourse, k)
	}
	if !explained {
		c.session.Disputes++
	}
	c.at++
	return nil
}

// committed holds that there is a commitment for each round and tie that the program draws,
// and none for a real cage.
func (c *lotoCourse) committed(e loto.DayOpened) error {
	rounds := c.session.Plan.Rounds
	want := 0
	for _, r := range rounds {
		want += len(r.Prizes)
	}
	if len(e.Commitments) != len(rounds) || len(e.Ties) != want {
		return fmt.Errorf("%w: %d commitments for %d rounds, %d for %d ties", ErrLotoCourse, len(e.Commitments), len(rounds), len(e.Ties), want)
	}
	for n, r := range rounds {
		list := append([]string{e.Commitments[n]}, e.Ties[c.session.Plan.TieIndex(n+1, 0):][:len(r.Prizes)]...)
		for _, text := range list {
			if r.Cage != (text == "") {
				return fmt.Errorf("%w: round %d has a commitment and a cage, or neither", ErrLotoCourse, n+1)
			}
		}
	}
	return nil
}

// openRound holds that the cards that play are those of the file, and draws the round.
func (c *lotoCourse) openRound(e loto.RoundOpened) error {
	if e.Round != c.session.NextRound() || e.Round == 0 {
		return c.take(c.session.OpenRound(e))
	}
	for _, u := range c.session.Upto {
		if !slices.ContainsFunc(e.Upto, func(v loto.SaleRef) bool { return v.Desk == u.Desk && v.Sale >= u.Sale }) {
			return c.fault("%w: sale %d of desk %d plays no more", ErrLotoCourse, u.Sale, u.Desk)
		}
	}
	round := c.session.Plan.Rounds[e.Round-1]
	opened := c.session.Apply(e)
	var playing []loto.SoldCard
	for _, card := range c.order {
		if opened.Plays(card.Sale) && !c.excluded[card.Sale] && slices.Contains(round.Series(), card.Serial.Series) {
			playing = append(playing, card)
		}
	}
	sum := sha256.Sum256(loto.DigestLines(playing))
	if len(playing) != e.Cards || hex.EncodeToString(sum[:]) != e.Salt {
		return c.fault("%w: %d cards play in round %d, not those of the file, which are %d", ErrLotoCourse, e.Cards, e.Round, len(playing))
	}
	c.balls = nil
	if !round.Cage {
		var err error
		if c.balls, err = c.draw(draw.LotoRound, c.roundID(e.Round), c.secrets[e.Round].Secret, e.Salt); err != nil {
			return c.fault("round %d: %w", e.Round, err)
		}
	}
	return c.take(c.session.OpenRound(e))
}

func (c *lotoCourse) roundID(round int) draw.ID {
	return draw.ID(strconv.FormatInt(c.head.Day, 10) + "/" + strconv.Itoa(round))
}

// draw gives the numbers in the order in which a secret and a salt give them.
func (c *lotoCourse) draw(use draw.Use, id draw.ID, secret, salt string) ([]ninety.Ball, error) {
	key, err := draw.ParseSecret(secret)
	if err != nil {
		return nil, errors.New("its secret is not revealed")
	}
	raw, err := hex.DecodeString(salt)
	if err != nil {
		return nil, err
	}
	return ninety.Draw(draw.NewStream(use, id, key, raw)), nil
}

// check gives the verdict on a claim again. Whether a card is stamped is the word of who
// looked at it.
func (c *lotoCourse) check(e loto.ClaimChecked) error {
	claims := c.session.Play.Claims
	if e.Claim < 0 || e.Claim >= len(claims) {
		return c.take(nil, loto.ErrClaimUnknown)
	}
	claim, reason := claims[e.Claim], e.Verdict.Reason
	fact := loto.CardFact{Known: reason != loto.ReasonUnknown && e.Verdict.Vouched == "", Stamped: reason != loto.ReasonUnstamped}
	if of := c.series[claim.Serial.Series]; of != nil {
		fact.Card, fact.Known = of.cards[claim.Serial.Number]
		fact.Lined = of.Lined
	} else if c.session.Plan.Knows(claim.Serial.Series) {
		return c.fault("%w: series %s is not in the file", ErrLotoCourse, claim.Serial.Series)
	}
	card, ok := c.sold[claim.Serial]
	switch plays := ok && c.session.Plays(card.Sale); {
	case plays && claim.Sale != card.Sale || !plays && c.session.Plays(claim.Sale):
		return c.fault("%w: card %s was claimed as sold in another sale", ErrLotoCourse, claim.Serial)
	case plays:
		fact.Sold, fact.Sale, fact.Void = true, card.Sale, c.excluded[card.Sale]
	default: // sold after the opening of the round, or not at all
		fact.Void = reason == loto.ReasonVoid && c.excluded[claim.Sale]
		fact.Sold = fact.Void || reason == loto.ReasonLateSale
	}
	return c.take(c.session.Check(e.Claim, fact, e.Verdict.Vouched))
}

// token draws a token again.
func (c *lotoCourse) token(e loto.TokenDrawn) error {
	p := c.session.Play
	r, _, ok := c.session.Current()
	if !ok || p.Mode != loto.Tied {
		return c.take(nil, loto.ErrNoTie)
	}
	if n := len(p.Tie.Tokens); !r.Cage {
		id := draw.ID(string(c.roundID(p.Round)) + "/" + strconv.Itoa(p.Prize+1))
		ties := c.secrets[p.Round].Ties
		if p.Prize >= len(ties) {
			return c.fault("%w: the secret of its tie is not revealed", ErrLotoCourse)
		}
		bag, err := c.draw(draw.LotoTie, id, ties[p.Prize], p.Tie.Salt)
		if err != nil {
			return c.fault("tie %s: %w", id, err)
		}
		if n >= len(bag) || bag[n] != e.Token.Ball {
			return c.fault("token %d: %w: %d", n+1, ErrLotoDraw, e.Token.Ball)
		}
	}
	return c.take(c.session.Draw(e.Token.Ball))
}

// exclude voids sales and holds that what was paid for them goes back.
func (c *lotoCourse) exclude(e loto.PersonExcluded) error {
	var paid money.Cents
	known := 0
	for _, ref := range e.Sales {
		if c.excluded[ref] {
			return c.fault("%w: sale %d of desk %d is void already", ErrLotoCourse, ref.Sale, ref.Desk)
		}
		c.excluded[ref] = true
		found := false
		for _, card := range c.order {
			if card.Sale == ref {
				paid, found = paid+card.Price, true
			}
		}
		if found {
			known++
		}
	}
	if len(e.Sales) == 0 || c.session.Phase != loto.Open || known == len(e.Sales) && paid != e.Refund {
		return c.fault("%w: %s EUR were paid back, the cards cost %s EUR", ErrLotoCourse, e.Refund, paid)
	}
	return c.take([]loto.Event{e}, nil)
}

// owe holds that the secrets of a round follow, if it has any.
func (c *lotoCourse) owe(round int) {
	if !c.session.Plan.Rounds[round-1].Cage {
		c.owed = append(c.owed, round)
	}
}

// reveal holds that the secrets of a round are those committed to.
func (c *lotoCourse) reveal(s LotoSecrets) error {
	if len(c.owed) == 0 || c.owed[0] != s.Round {
		return c.fault("%w: no secrets of round %d can stand here", ErrLotoCourse, s.Round)
	}
	prizes := len(c.session.Plan.Rounds[s.Round-1].Prizes)
	if len(s.Ties) != prizes {
		return c.fault("%w: %d secrets of ties for %d prizes", ErrLotoCourse, len(s.Ties), prizes)
	}
	holds := func(use draw.Use, id draw.ID, secret, commitment string) bool {
		key, err := draw.ParseSecret(secret)
		return err == nil && draw.Commit(use, id, key).String() == commitment
	}
	id := c.roundID(s.Round)
	ok := holds(draw.LotoRound, id, s.Secret, c.session.Commitments[s.Round-1])
	for k, secret := range s.Ties {
		tie := draw.ID(string(id) + "/" + strconv.Itoa(k+1))
		ok = ok && holds(draw.LotoTie, tie, secret, c.session.Ties[c.session.Plan.TieIndex(s.Round, k)])
	}
	if !ok {
		return c.fault("round %d: %w", s.Round, ErrCommitment)
	}
	c.owed = c.owed[1:]
	c.at++
	return nil
}
