package app

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"boulier/draw"
	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/regs"
)

// TakeControl gives the calling to whoever asks: one person calls at a time, and another can
// take over when a machine fails.
func (l *Loto) TakeControl(ctx context.Context, a LotoAct) error {
	return l.simple(ctx, a, "control", nil, CallLoto, false,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.TakeControl(a.By) })
}

// Recall says that the rules were recalled (loto:11).
func (l *Loto) Recall(ctx context.Context, a LotoAct) error {
	return l.simple(ctx, a, "recall", nil, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.Recall() })
}

// stockKeys names the stocks of every desk of a day.
func stockKeys(d LotoDay) (keys []string) {
	for _, desk := range d.Session.Plan.Desks {
		keys = append(keys, string(stockCell(d.ID, desk.Number)))
	}
	return keys
}

// stocksIn reads them inside a transaction.
func stocksIn(tx Tx, d LotoDay) (list []loto.Stock, err error) {
	for _, desk := range d.Session.Plan.Desks {
		s, err := stockCell(d.ID, desk.Number).Get(tx)
		if err != nil {
			return nil, err
		}
		s.Desk = desk.Number
		list = append(list, s.Stock)
	}
	return list, nil
}

// OpenRound announces a round and fixes the cards that play in it: the salt of its draw is
// the digest of those cards (reading L17).
func (l *Loto) OpenRound(ctx context.Context, a LotoAct, round int) error {
	d, _, err := l.Day(ctx, a.Day)
	if err != nil {
		return err
	}
	return l.act(ctx, a, lotoDo{name: "round", params: round, may: CallLoto, caller: true, states: stockKeys(d),
		decide: func(tx Tx, s loto.Session) ([]loto.Event, error) {
			if round < 1 || round > len(s.Plan.Rounds) {
				return nil, loto.ErrRoundOrder.With("round %d of %d", round, len(s.Plan.Rounds))
			}
			stocks, err := stocksIn(tx, d)
			if err != nil {
				return nil, err
			}
			cards, lines := loto.Playing(stocks, s.Plan.Rounds[round-1].Series())
			_, salt := digestOf(lines)
			return s.OpenRound(loto.RoundOpened{Round: round, Salt: salt, Cards: len(cards), Upto: loto.Upto(stocks)})
		}})
}

// order returns the balls of the round that is being played, from its sealed secret. It is
// opened once a process.
func (l *Loto) order(ctx context.Context, d LotoDay) ([]ninety.Ball, error) {
	p := d.Session.Play
	id := roundID(d.ID, p.Round)
	l.mu.Lock()
	known := l.orders[id]
	l.mu.Unlock()
	if known != nil {
		return known, nil
	}
	secret, err := l.openSecret(ctx, draw.LotoRound, id, "server", "balls of the round")
	if err != nil {
		return nil, err
	}
	if got := draw.Commit(draw.LotoRound, id, secret).String(); got != d.Session.Commitments[p.Round-1] {
		return nil, fmt.Errorf("app: the secret of round %s is not the one committed to", id)
	}
	salt, err := hex.DecodeString(p.Salt)
	if err != nil {
		return nil, fmt.Errorf("app: the salt of round %s: %w", id, err)
	}
	order := ninety.Draw(draw.NewStream(draw.LotoRound, id, secret, salt))
	l.mu.Lock()
	l.orders[id] = order
	l.mu.Unlock()
	return order, nil
}

// CallNext draws the next number and shows it: the screens of the hall have it with the
// commit, and then the caller says it. Seen is how many numbers the page has seen.
func (l *Loto) CallNext(ctx context.Context, a LotoAct, seen int) error {
	d, _, err := l.Day(ctx, a.Day)
	if err != nil {
		return err
	}
	r, _, ok := d.Session.Current()
	var order []ninety.Ball
	if ok && !r.Cage {
		if order, err = l.order(ctx, d); err != nil {
			return err
		}
	}
	return l.simple(ctx, a, "call", seen, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) {
			if s.Play.Round != d.Session.Play.Round {
				return nil, loto.ErrStale.With("round %d is over", d.Session.Play.Round)
			}
			if err := s.Caged(false); err != nil {
				return nil, err
			}
			var b ninety.Ball
			if len(s.Play.Calls) < len(order) {
				b = order[len(s.Play.Calls)]
			}
			return s.Call(b, seen)
		})
}

// CallTyped shows a number that came out of a real cage.
func (l *Loto) CallTyped(ctx context.Context, a LotoAct, b ninety.Ball, seen int) error {
	return l.simple(ctx, a, "typed", []any{b, seen}, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) {
			if err := s.Caged(true); err != nil {
				return nil, err
			}
			return s.Call(b, seen)
		})
}

// Correct replaces or takes back the last number of a real cage, with a reason (reading L14).
func (l *Loto) Correct(ctx context.Context, a LotoAct, was, b ninety.Ball, reason string) error {
	return l.simple(ctx, a, "correct", []any{was, b, reason}, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.Correct(was, b, reason) })
}

// Repeat announces the last number again, with a reason (reading L14).
func (l *Loto) Repeat(ctx context.Context, a LotoAct, was ninety.Ball, reason string) error {
	return l.simple(ctx, a, "repeat", []any{was, reason}, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.Repeat(was, reason) })
}

// Stop stops the draw: somebody shouts (loto:13). Resume lets it go on if nobody stands by it.
func (l *Loto) Stop(ctx context.Context, a LotoAct) error {
	return l.simple(ctx, a, "stop", nil, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.Stop() })
}

// Resume lets the draw go on when nobody claims.
func (l *Loto) Resume(ctx context.Context, a LotoAct) error {
	return l.simple(ctx, a, "resume", nil, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.Resume() })
}

// ErrCardForged refuses a card whose security code is not the house's.
var ErrCardForged = &regs.Violation{Ref: "loto:10", Code: "card_forged"}

// cardFact returns what the house knows of a card, besides its sale.
func (l *Loto) cardFact(ctx context.Context, a LotoAct, text, code string) (loto.CardFact, ninety.Serial, error) {
	found, err := l.Cards.Look(ctx, a.By, text, code)
	if v, ok := asViolation(err); ok && v.Code == ErrCardUnknown.Code {
		var serial ninety.Serial
		if serial.UnmarshalText([]byte(text)) != nil {
			return loto.CardFact{}, serial, v
		}
		return loto.CardFact{}, serial, nil
	}
	if err != nil {
		return loto.CardFact{}, ninety.Serial{}, err
	}
	if found.Code == CodeWrong {
		return loto.CardFact{}, found.Serial(), ErrCardForged.With("%s", found.Serial())
	}
	return loto.CardFact{Known: true, Lined: found.Of.Lined, Card: found.Card()}, found.Serial(), nil
}

// sold adds to a fact what the stocks say of the card.
func sold(f loto.CardFact, c ninety.Serial, s loto.Session, stocks []loto.Stock) loto.CardFact {
	for _, st := range stocks {
		if lot, ok := st.Find(c); ok {
			f.Sold, f.Void, f.Stamped = true, lot.Void, lot.Day == s.Day
			f.Sale = loto.SaleRef{Desk: st.Desk, Sale: lot.Sale}
		}
	}
	return f
}

// A LotoClaim is a card that somebody claims: its serial as it is typed or scanned, and the
// numbers of its lines if the house may not know it.
type LotoClaim struct {
	Serial string
	Typed  [][]ninety.Ball
}

// Claim adds a claim to the stop (loto:13). A checker may send it from a phone.
func (l *Loto) Claim(ctx context.Context, a LotoAct, c LotoClaim) error {
	d, _, err := l.Day(ctx, a.Day)
	if err != nil {
		return err
	}
	serial, code := ReadSerial(c.Serial)
	fact, card, err := l.cardFact(ctx, a, serial, code)
	if err != nil {
		return err
	}
	return l.act(ctx, a, lotoDo{name: "claim", params: c, may: CheckLoto, states: stockKeys(d),
		decide: func(tx Tx, s loto.Session) ([]loto.Event, error) {
			stocks, err := stocksIn(tx, d)
			if err != nil {
				return nil, err
			}
			return s.Claim(loto.Claim{Serial: card, Sale: sold(fact, card, s, stocks).Sale, Typed: c.Typed})
		}})
}

// BeginCheck closes the list of claims (loto:15).
func (l *Loto) BeginCheck(ctx context.Context, a LotoAct) error {
	return l.simple(ctx, a, "check", nil, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.BeginCheck() })
}

// Check gives the verdict on a claim. Vouch is why a card that the house does not know is
// taken on its typed numbers, empty for any other.
func (l *Loto) Check(ctx context.Context, a LotoAct, claim int, vouch string) error {
	d, _, err := l.Day(ctx, a.Day)
	if err != nil {
		return err
	}
	if claim < 0 || claim >= len(d.Session.Play.Claims) {
		return loto.ErrClaimUnknown.With("claim %d of %d", claim, len(d.Session.Play.Claims))
	}
	card := d.Session.Play.Claims[claim].Serial
	fact, _, err := l.cardFact(ctx, a, card.String(), "")
	if err != nil {
		return err
	}
	return l.act(ctx, a, lotoDo{name: "verdict", params: []any{claim, vouch}, may: CallLoto, caller: true,
		states: stockKeys(d), decide: func(tx Tx, s loto.Session) ([]loto.Event, error) {
			if claim >= len(s.Play.Claims) || s.Play.Claims[claim].Serial != card {
				return nil, loto.ErrStale.With("another stop")
			}
			stocks, err := stocksIn(tx, d)
			if err != nil {
				return nil, err
			}
			return s.Check(claim, sold(fact, card, s, stocks), strings.TrimSpace(vouch))
		}})
}

// Answer is the winners' word on sharing (reading L1).
func (l *Loto) Answer(ctx context.Context, a LotoAct, agreed bool) error {
	return l.simple(ctx, a, "share", agreed, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.Answer(agreed) })
}

// bag returns the tokens of the tie that is being settled, in the order in which they come.
func (l *Loto) bag(ctx context.Context, d LotoDay) ([]ninety.Ball, error) {
	p := d.Session.Play
	id := tieID(d.ID, p.Round, p.Prize+1)
	secret, err := l.openSecret(ctx, draw.LotoTie, id, "server", "tokens of a tie")
	if err != nil {
		return nil, err
	}
	if got := draw.Commit(draw.LotoTie, id, secret).String(); got != d.Session.Ties[d.Session.Plan.TieIndex(p.Round, p.Prize)] {
		return nil, fmt.Errorf("app: the secret of tie %s is not the one committed to", id)
	}
	salt, err := hex.DecodeString(p.Tie.Salt)
	if err != nil {
		return nil, fmt.Errorf("app: the salt of tie %s: %w", id, err)
	}
	return ninety.Draw(draw.NewStream(draw.LotoTie, id, secret, salt)), nil
}

// DrawToken takes the next token: the program's, or with a real cage the one that came out
// of the bag (loto:14).
func (l *Loto) DrawToken(ctx context.Context, a LotoAct, typed ninety.Ball, drawn int) error {
	d, _, err := l.Day(ctx, a.Day)
	if err != nil {
		return err
	}
	var bag []ninety.Ball
	if r, _, ok := d.Session.Current(); ok && !r.Cage && d.Session.Play.Mode == loto.Tied {
		if bag, err = l.bag(ctx, d); err != nil {
			return err
		}
	}
	return l.simple(ctx, a, "token", []any{typed, drawn}, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) {
			n := len(s.Play.Tie.Tokens)
			if n != drawn {
				return nil, loto.ErrStale.With("%d tokens are drawn, the page has seen %d", n, drawn)
			}
			if err := s.Caged(typed != 0); err != nil {
				return nil, err
			}
			if typed == 0 && n < len(bag) {
				typed = bag[n]
			}
			return s.Draw(typed)
		})
}

// HandOver says that the winners have what they won.
func (l *Loto) HandOver(ctx context.Context, a LotoAct) error {
	return l.simple(ctx, a, "handover", nil, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.HandOver() })
}

// CloseRound lets players clear and publishes the secrets of the round.
func (l *Loto) CloseRound(ctx context.Context, a LotoAct, reason string) error {
	d, _, err := l.Day(ctx, a.Day)
	if err != nil {
		return err
	}
	if d.Session.Caller != a.By {
		return loto.ErrNotCaller.With("person %d controls the calling", d.Session.Caller)
	}
	if _, err := d.Session.CloseRound(reason); err != nil {
		return err // nothing is opened for an act that is refused
	}
	round := d.Session.Play.Round
	list, err := l.reveal(ctx, d, round)
	if err != nil {
		return err
	}
	return l.act(ctx, a, lotoDo{name: "round/close", params: []any{round, reason}, may: CallLoto, caller: true,
		after: publish(list), decide: func(_ Tx, s loto.Session) ([]loto.Event, error) {
			if s.Play.Round != round {
				return nil, loto.ErrStale.With("round %d is over", round)
			}
			return s.CloseRound(reason)
		}})
}

// Rest begins a break; Continue ends it (loto:9).
func (l *Loto) Rest(ctx context.Context, a LotoAct, title string, length time.Duration) error {
	return l.simple(ctx, a, "rest", []any{title, length}, CallLoto, true,
		func(now time.Time, s loto.Session) ([]loto.Event, error) {
			return s.Rest(title, now.Add(length), now)
		})
}

// Continue ends a break.
func (l *Loto) Continue(ctx context.Context, a LotoAct) error {
	return l.simple(ctx, a, "continue", nil, CallLoto, true,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.Continue() })
}

// Decide records how a dispute was decided (loto:22).
func (l *Loto) Decide(ctx context.Context, a LotoAct, question, decision string) error {
	return l.simple(ctx, a, "dispute", []any{question, decision}, CallLoto, false,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.Decide(question, decision) })
}
