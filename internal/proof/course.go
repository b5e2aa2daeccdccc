package proof

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"boulier/draw"
	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/snake"
	"boulier/journal"
	"boulier/money"
)

// A course is a round that is played again: each fact is decided anew from those before it
// and must be the one that the file holds.
type course struct {
	file         string
	id           bingo.RoundID
	facts        []roundFact
	refunds      []bingo.CardsRefunded
	refundNumber int64 // of the last one read
	sold         []bingo.Sold

	at    int // of the facts
	round bingo.Round
	sale  bingo.Sale
	sales []bingo.CardsSold
	board *bingo.Board
	order []ninety.Ball
	left  map[int]bool // places that were refunded
	gone  map[int]bool // refunds that were made
}

// What a round can lack, in plain words.
var (
	// ErrWitnessSecret refuses a witness's secret that is not the one committed to.
	ErrWitnessSecret = errors.New("the secret of the witness is not the one committed to")
	// ErrCourse refuses a fact that does not follow from those before it.
	ErrCourse = errors.New("the round cannot have gone so")
)

// checkBefore holds that the commitments were signed before the sale opened.
func (c *course) checkBefore(r Round, before journal.Head) error {
	i := slices.IndexFunc(c.facts, func(f roundFact) bool { return f.Event.Kind() == bingo.SaleOpened{}.Kind() })
	switch {
	case i < 0 && r.Before == "" && r.Cards == 0:
		return nil
	case i < 0 || r.Before == "":
		return errors.New("a sale without a checkpoint before it, or such a checkpoint without a sale")
	case c.facts[1].Index >= before.Size:
		return fmt.Errorf("the commitments, leaf %d, are not in the checkpoint of %d leaves before the sale",
			c.facts[1].Index, before.Size)
	case c.facts[i].Index < before.Size:
		return fmt.Errorf("the sale opened, leaf %d, within the checkpoint of %d leaves said to be before",
			c.facts[i].Index, before.Size)
	}
	return nil
}

// fault says what does not hold of the fact in hand.
func (c *course) fault(format string, args ...any) error {
	line := 0
	if c.at < len(c.facts) {
		line = c.facts[c.at].line
	}
	return &Fault{c.file, line, fmt.Errorf(format, args...)}
}

// take holds that the next facts are the events, and applies them.
func (c *course) take(events []bingo.Event, err error) error {
	if err != nil {
		return c.fault("%w: %w", ErrCourse, err)
	}
	for _, e := range events {
		if c.at == len(c.facts) {
			return &Fault{c.file, 0, fmt.Errorf("%w: %s should follow the last fact", ErrCourse, e.Kind())}
		}
		want, err := snake.Encode(e)
		if err != nil {
			return err
		}
		got, err := snake.Encode(c.facts[c.at].Event)
		if err != nil {
			return err
		}
		if e.Kind() != c.facts[c.at].Event.Kind() || string(got) != string(want) {
			return c.fault("%w: here should stand %s %s", ErrCourse, e.Kind(), want)
		}
		c.round, c.sale = c.round.Apply(e), c.sale.Apply(e)
		c.at++
	}
	return nil
}

// play plays the round again.
func (c *course) play() error {
	if err := c.nameWinners(); err != nil {
		return err
	}
	for c.at < len(c.facts) {
		if err := c.step(c.facts[c.at]); err != nil {
			return err
		}
	}
	if c.round.Secret == "" {
		return &Fault{c.file, 0, fmt.Errorf("%w: it is not over, or its secret is not revealed", ErrCourse)}
	}
	if len(c.sales) == 0 && len(c.sold) > 0 {
		if err := c.sell(); err != nil { // void before the sale closed
			return &Fault{c.file, 0, err}
		}
	}
	if err := c.refund(func(bingo.CardsRefunded) bool { return true }); err != nil {
		return &Fault{c.file, 0, err}
	}
	if c.round.Phase == bingo.Over {
		if err := bingo.Audit(c.round, c.sale, c.sold, c.sales, c.refunds); err != nil {
			return &Fault{c.file, 0, err}
		}
	}
	return nil
}

// step decides the next fact.
func (c *course) step(f roundFact) error {
	switch e := f.Event.(type) {
	case bingo.RoundPlanned:
		if c.at > 0 || e.ID != c.id {
			return c.fault("%w: it is planned here as round %d", ErrCourse, e.ID)
		}
		return c.take(bingo.Plan(e.ID, e.Number, e.Proposal))
	case bingo.RoundCommitted:
		w := bingo.Witness{Commitment: e.Witness, Key: e.Key, Signed: e.Signed}
		if err := CheckWitness(c.id, w); err != nil {
			return c.fault("%w", err)
		}
		return c.take(c.round.Commit(e.Commitment, w))
	case bingo.SaleOpened:
		return c.take(c.round.OpenSale(e.Window.Opens, e.Starts, e.Last))
	case bingo.FaultRecorded:
		return c.take(c.round.RecordFault(e.Terminal, e.What, e.By))
	case bingo.SaleClosed:
		return c.close(e)
	case bingo.WitnessOpened:
		return c.take(c.round.OpenWitness(e.Secret, c.commitment(draw.BingoWitness, e.Secret)))
	case bingo.BallDrawn:
		return c.ball(e.At)
	case bingo.RoundEnded:
		return c.ball(f.At) // nobody plays any more
	case bingo.RoundVoided:
		if len(c.sales) == 0 {
			if err := c.sell(); err != nil {
				return c.fault("%w", err)
			}
		}
		if err := c.refund(func(bingo.CardsRefunded) bool { return true }); err != nil {
			return err
		}
		return c.take(c.round.Void(e.By, e.Reason, c.sale))
	case bingo.SecretRevealed:
		return c.take(c.round.Reveal(e.Secret, c.commitment(draw.BingoRound, e.Secret)))
	}
	return c.fault("%w: no %s can stand here", ErrCourse, f.Event.Kind())
}

// commitment returns the commitment of a secret of the round, in hexadecimal digits; an empty
// text for what is none.
func (c *course) commitment(use draw.Use, secret string) string {
	s, err := draw.ParseSecret(secret)
	if err != nil {
		return ""
	}
	return draw.Commit(use, c.name(), s).String()
}

// name is the name of the round's draws.
func (c *course) name() draw.ID { return draw.ID(strconv.FormatInt(int64(c.id), 10)) }

// sell takes the cards in their order as purchases of one card each: who bought how many is
// not in the file.
func (c *course) sell() error {
	for place, s := range c.sold {
		e := bingo.CardsSold{Rank: place + 1, Player: s.Player, Price: s.Price, First: place, Count: 1,
			Runs: []bingo.Run{{Series: s.Serial.Series, From: s.Serial.Number, To: s.Serial.Number}}}
		t := slices.IndexFunc(c.sale.Tracks, func(t bingo.Track) bool { return t.Price == s.Price })
		if t < 0 || c.sale.Sold[t] == c.sale.Tracks[t].Size {
			return fmt.Errorf("card %s: none is sold at %s EUR, or none is left", s.Serial, s.Price)
		}
		next := c.sale.Next()[t]
		if want := (ninety.Serial{Series: c.sale.Tracks[t].Series[next.Series], Number: next.Number}); want != s.Serial {
			return fmt.Errorf("card %s: in order would be %s", s.Serial, want)
		}
		c.sales, c.sale = append(c.sales, e), c.sale.Apply(e)
	}
	return c.refund(func(e bingo.CardsRefunded) bool { return !e.House }) // in the time of sale
}

// refund makes those refunds that are wanted and not made yet.
func (c *course) refund(want func(bingo.CardsRefunded) bool) error {
	for i, e := range c.refunds {
		if !c.gone[i] && want(e) {
			c.gone[i] = true
			if err := c.leave(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// leave takes cards out of the round.
func (c *course) leave(e bingo.CardsRefunded) error {
	var amount money.Cents
	for _, p := range e.Places {
		if p < 0 || p >= len(c.sold) || c.left[p] {
			return c.fault("a refund of place %d, which is not sold or was refunded", p)
		}
		amount += c.sold[p].Price
		c.left[p] = true
	}
	if amount != e.Amount || amount == 0 {
		return c.fault("a refund of %s EUR, the cards were paid %s EUR", e.Amount, amount)
	}
	c.sale = c.sale.Apply(e)
	if c.board != nil {
		c.board.Leave(e.Places...)
	}
	return nil
}

// close closes the sale over the cards of the file. What the pots held before the round is
// not in it: they are those announced.
func (c *course) close(e bingo.SaleClosed) error {
	if err := c.sell(); err != nil {
		return c.fault("%w", err)
	}
	digest, faces := bingo.Digest(slices.Values(c.sales)), bingo.Faces(c.sold)
	events, err := c.round.Close(e.At, c.sale, hex.EncodeToString(digest[:]), hex.EncodeToString(faces[:]), nil)
	if err != nil {
		return c.take(nil, err)
	}
	if len(e.Pots) != len(c.round.Proposal.Pots) {
		return c.fault("%w: %d pots", ErrCourse, len(e.Pots))
	}
	for _, p := range e.Pots {
		if p.Amount < 0 || p.Reserve < 0 {
			return c.fault("%w: a pot of %s EUR", ErrCourse, p.Amount)
		}
	}
	for i, want := range events {
		switch want := want.(type) {
		case bingo.SaleClosed:
			want.Pots = e.Pots
			events[i] = want
		case bingo.RoundEnded:
			want.Pots = e.Pots
			events[i] = want
		}
	}
	if err := c.take(events, nil); err != nil {
		return err
	}
	c.board = bingo.NewBoard(c.round.Proposal, c.sold)
	for place := range c.left {
		c.board.Leave(place)
	}
	return nil
}

// ball draws the next ball.
func (c *course) ball(at time.Time) error {
	if c.board == nil {
		return c.fault("%w: no sale was closed", ErrCourse)
	}
	if c.order == nil {
		if err := c.draw(); err != nil {
			return err
		}
	}
	out := len(c.round.Balls)
	err := c.refund(func(e bingo.CardsRefunded) bool { return e.House && e.Left <= out })
	if err != nil {
		return err
	}
	if out == len(c.order) {
		return c.fault("%w: there are ninety balls", ErrCourse)
	}
	return c.take(c.round.Draw(c.order[out], c.board, at))
}

// draw gives the order of the balls, from the secret that is revealed at the end.
func (c *course) draw() error {
	last, ok := c.facts[len(c.facts)-1].Event.(bingo.SecretRevealed)
	if !ok {
		return c.fault("%w: its secret is not revealed", ErrCourse)
	}
	secret, err := draw.ParseSecret(last.Secret)
	if err != nil || draw.Commit(draw.BingoRound, c.name(), secret).String() != c.round.Commitment {
		return &Fault{c.file, c.facts[len(c.facts)-1].line, ErrCommitment}
	}
	salt, err := c.round.DrawSalt()
	if err != nil {
		return c.take(nil, err)
	}
	c.order = ninety.Draw(draw.NewStream(draw.BingoRound, c.name(), secret, salt))
	return nil
}

// nameWinners takes from the prizes who won them: the same player for the same card.
func (c *course) nameWinners() error {
	for i, f := range c.facts {
		won, ok := f.Event.(bingo.PrizeWon)
		if !ok {
			continue
		}
		c.at = i
		for _, w := range won.Win.Winners {
			if w.Place < 0 || w.Place >= len(c.sold) || w.Player == 0 {
				return c.fault("%w: place %d wins", ErrCourse, w.Place)
			}
			if s := &c.sold[w.Place]; s.Player == 0 {
				s.Player = w.Player
			} else if s.Player != w.Player {
				return c.fault("%w: card %s has two players", ErrCourse, s.Serial)
			}
		}
	}
	c.at = 0
	return nil
}

// report says what the round was found to prove.
func (c *course) report(r Round, now, before journal.Head) Report {
	p := Report{Format: FormatRound, Key: r.Key, Head: now}
	x := c.round
	p.say("round %d, number %d of its day: %d cards in order of sale, %d refunded", x.ID, x.Number, len(c.sold), len(c.left))
	if r.Before != "" {
		p.say("what draws it was in a signed checkpoint of %d leaves before the sale", before.Size)
	}
	if x.Witness != "" {
		p.say("a witness takes part, by the key %s", journal.Fingerprint(x.WitnessKey))
	} else {
		p.say("it has no witness")
	}
	if x.Phase == bingo.Void {
		p.say("it is void after %d balls; its secret is the one committed to", len(x.Balls))
		return p
	}
	p.say("its secret is the one committed to; the order of its %d balls follows from it", len(x.Balls))
	for _, w := range x.Wins {
		name := ""
		if w.Pot {
			name = x.Proposal.Pots[w.Prize].Name
		} else {
			name = x.Proposal.Prizes[w.Prize].Name
		}
		p.say("%s: %s EUR on ball %d, shared by %d cards", name, w.Amount, w.Ball, len(w.Winners))
	}
	return p
}
