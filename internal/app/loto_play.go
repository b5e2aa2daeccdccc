package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"boulier/draw"
	"boulier/game/loto"
	"boulier/game/ninety"
)

// caller carries out an order that only who holds the controls may give.
func (l *Loto) caller(ctx context.Context, o LotoOrder, name string, params any,
	decide func(s LotoState, now time.Time) ([]loto.Event, error)) (LotoState, error) {
	return l.change(ctx, o, name, params, CallLoto, nil,
		asCaller(o.By, func(tx Tx, s LotoState) ([]loto.Event, error) { return decide(s, tx.Now()) }))
}

// Recall says that the rules were recalled and the stamp checked (loto:11).
func (l *Loto) Recall(ctx context.Context, o LotoOrder) (LotoState, error) {
	return l.caller(ctx, o, "recall", nil,
		func(s LotoState, _ time.Time) ([]loto.Event, error) { return s.Recall() })
}

// OpenRound announces the next round. The cards that play and the salt of its draw are
// fixed by it: what is sold later plays in the next one (reading L17).
func (l *Loto) OpenRound(ctx context.Context, o LotoOrder, round int) (LotoState, error) {
	plan, _, err := l.Day(ctx, o.Day)
	if err != nil {
		return plan, err
	}
	return l.change(ctx, o, "round", round, CallLoto, stockNames(o.Day, plan.Plan),
		asCaller(o.By, func(tx Tx, s LotoState) ([]loto.Event, error) {
			if round < 1 || round > len(s.Plan.Rounds) {
				return nil, loto.ErrRoundOrder.With("round %d of %d", round, len(s.Plan.Rounds))
			}
			stocks, err := stocksIn(tx, s.ID, s.Plan)
			if err != nil {
				return nil, err
			}
			cards, lines := loto.Playing(stocks, s.Plan.Rounds[round-1].Series())
			salt := sha256.Sum256(lines)
			return s.OpenRound(loto.RoundOpened{Round: round, Salt: hex.EncodeToString(salt[:]),
				Cards: len(cards), Upto: loto.Upto(stocks)})
		}))
}

// errRoundMoved tells that another round is being played than the one whose balls are at
// hand: the use case asks again.
func errRoundMoved(s LotoState, p loto.Play) error {
	if s.Play.Round != p.Round || s.Play.Salt != p.Salt {
		return errMoved
	}
	return nil
}

// Call shows the next number of the program's draw. Seen is how many numbers the caller's
// page shows, so that a key pressed twice calls one number (loto:12, loto:17).
func (l *Loto) Call(ctx context.Context, o LotoOrder, seen int) (LotoState, error) {
	return again(func() (LotoState, error) {
		before, _, err := l.Day(ctx, o.Day)
		if err != nil {
			return before, err
		}
		var order []ninety.Ball
		if round, _, ok := before.Current(); ok && !round.Cage {
			order, err = l.drawn(ctx, draw.LotoRound, lotoRoundID(o.Day, before.Play.Round), before.Play.Salt)
			if err != nil {
				return before, err
			}
		}
		return l.caller(ctx, o, "call", seen, func(s LotoState, _ time.Time) ([]loto.Event, error) {
			if err := s.Caged(false); err != nil {
				return nil, err
			}
			if err := errRoundMoved(s, before.Play); err != nil {
				return nil, err
			}
			var b ninety.Ball
			if n := len(s.Play.Calls); n < len(order) {
				b = order[n]
			}
			return s.Session.Call(b, seen)
		})
	})
}

// Typed shows a number that came out of a real cage. There is no proof of it, and the
// screens say so (reading L17).
func (l *Loto) Typed(ctx context.Context, o LotoOrder, b ninety.Ball, seen int) (LotoState, error) {
	return l.caller(ctx, o, "typed", []any{b, seen}, func(s LotoState, _ time.Time) ([]loto.Event, error) {
		if err := s.Caged(true); err != nil {
			return nil, err
		}
		return s.Session.Call(b, seen)
	})
}

// Correct replaces the last number that was typed, or takes it back if b is 0 (reading L14).
func (l *Loto) Correct(ctx context.Context, o LotoOrder, was, b ninety.Ball, reason string) (LotoState, error) {
	return l.caller(ctx, o, "correct", []any{was, b, reason},
		func(s LotoState, _ time.Time) ([]loto.Event, error) { return s.Session.Correct(was, b, reason) })
}

// Repeat announces the last number again, which was said wrong (reading L14).
func (l *Loto) Repeat(ctx context.Context, o LotoOrder, was ninety.Ball, reason string) (LotoState, error) {
	return l.caller(ctx, o, "repeat", []any{was, reason},
		func(s LotoState, _ time.Time) ([]loto.Event, error) { return s.Session.Repeat(was, reason) })
}

// Stop stops the draw: somebody shouts (loto:13). GoOn lets it go on when nobody claims.
func (l *Loto) Stop(ctx context.Context, o LotoOrder) (LotoState, error) {
	return l.caller(ctx, o, "stop", nil,
		func(s LotoState, _ time.Time) ([]loto.Event, error) { return s.Session.Stop() })
}

// GoOn lets the draw go on when nobody claims after all.
func (l *Loto) GoOn(ctx context.Context, o LotoOrder) (LotoState, error) {
	return l.caller(ctx, o, "resume", nil,
		func(s LotoState, _ time.Time) ([]loto.Event, error) { return s.Session.Resume() })
}

// A LotoClaim is a claimed card, by what is scanned or typed of it. Lines are the numbers of
// a card that the house does not know.
type LotoClaim struct {
	LotoOrder
	Card  string
	Lines [][]ninety.Ball
}

// Claim adds a card to the claims of a stop. A checker may do it, on a phone.
func (l *Loto) Claim(ctx context.Context, o LotoClaim) (LotoState, error) {
	serial, err := l.serialOf(ctx, o.Card)
	if err != nil {
		return LotoState{}, err
	}
	return l.change(ctx, o.LotoOrder, "claim", []any{o.Card, o.Lines}, CheckLoto, nil,
		func(_ Tx, s LotoState) ([]loto.Event, error) {
			return s.Session.Claim(loto.Claim{Serial: serial, Typed: o.Lines})
		})
}

// serialOf reads what names a card. A serial need not be known: the check says so.
func (l *Loto) serialOf(ctx context.Context, text string) (ninety.Serial, error) {
	text, _ = ReadSerial(text)
	row, err := l.Cards.find(ctx, text)
	if err == nil {
		return row.Serial(), nil
	}
	var serial ninety.Serial
	if serial.UnmarshalText([]byte(text)) == nil && errors.Is(err, ErrCardUnknown) {
		return serial, nil
	}
	return serial, err
}

// fact gathers what the house knows of a card; the keys of the transaction name the stocks.
func lotoFact(tx Tx, s LotoState, known cardKnown) (loto.CardFact, error) {
	f := loto.CardFact{Known: known.lined || known.known, Lined: known.lined, Card: known.card}
	stocks, err := stocksIn(tx, s.ID, s.Plan)
	if err != nil {
		return f, err
	}
	for _, st := range stocks {
		if lot, ok := st.Find(known.serial); ok {
			f.Sold, f.Sale = true, loto.SaleRef{Desk: st.Desk, Sale: lot.Sale}
			f.Void, f.Stamped = lot.Void, lot.Day == s.Session.Day
		}
	}
	return f, nil
}

// cardKnown is a card as the register has it; it never changes.
type cardKnown struct {
	serial       ninety.Serial
	known, lined bool
	card         ninety.Card
}

func (l *Loto) known(ctx context.Context, serial ninety.Serial) (k cardKnown, err error) {
	k.serial = serial
	row, err := l.Store.Card(ctx, serial)
	if errors.Is(err, ErrNotFound) {
		return k, nil
	}
	if err != nil {
		return k, err
	}
	of, _, err := l.Cards.Series(ctx, serial.Series)
	if errors.Is(err, ErrNotFound) {
		return k, nil
	}
	k.known, k.lined, k.card = of.Registered, of.Lined && of.Registered, row.Card()
	return k, err
}

// Check closes the list of claims and judges each in the order in which it was made
// (loto:15). A card that is not known and whose numbers were typed waits for the caller's
// word, Vouch.
func (l *Loto) Check(ctx context.Context, o LotoOrder) (LotoState, error) {
	return again(func() (LotoState, error) {
		before, _, err := l.Day(ctx, o.Day)
		if err != nil {
			return before, err
		}
		known := map[ninety.Serial]cardKnown{}
		for _, c := range before.Play.Claims {
			if known[c.Serial], err = l.known(ctx, c.Serial); err != nil {
				return before, err
			}
		}
		return l.change(ctx, o, "check", nil, CallLoto, stockNames(o.Day, before.Plan),
			asCaller(o.By, func(tx Tx, s LotoState) ([]loto.Event, error) {
				return checkAll(tx, s, known)
			}))
	})
}

// checkAll begins the check if it has not, and judges every claim that can be.
func checkAll(tx Tx, s LotoState, known map[ninety.Serial]cardKnown) (all []loto.Event, err error) {
	take := func(events []loto.Event, err error) error {
		for _, e := range events {
			s.Session = s.Apply(e)
		}
		all = append(all, events...)
		return err
	}
	if s.Play.Mode != loto.Checking {
		if err := take(s.BeginCheck()); err != nil {
			return nil, err
		}
	}
	for i := 0; i < len(s.Play.Claims); i++ {
		c := s.Play.Claims[i]
		k, ok := known[c.Serial]
		if !ok {
			return nil, errMoved
		}
		if c.Checked || !k.known && len(c.Typed) > 0 {
			continue
		}
		fact, err := lotoFact(tx, s, k)
		if err != nil {
			return nil, err
		}
		if err := take(s.Session.Check(i, fact, "")); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, loto.ErrVouch.With("every claim that is left needs the caller's word")
	}
	return all, nil
}

// Vouch is the caller's word on a claimed card that the house does not know: taken on its
// typed numbers for a reason, or refused without one (loto:22).
func (l *Loto) Vouch(ctx context.Context, o LotoOrder, claim int, reason string) (LotoState, error) {
	return l.caller(ctx, o, "vouch", []any{claim, reason},
		func(s LotoState, _ time.Time) ([]loto.Event, error) {
			if claim < 0 || claim >= len(s.Play.Claims) || len(s.Play.Claims[claim].Typed) == 0 {
				return nil, loto.ErrClaimUnknown.With("claim %d", claim)
			}
			return s.Session.Check(claim, loto.CardFact{}, reason)
		})
}

// Share is the winners' word on sharing (reading L1).
func (l *Loto) Share(ctx context.Context, o LotoOrder, agreed bool) (LotoState, error) {
	return l.caller(ctx, o, "share", agreed,
		func(s LotoState, _ time.Time) ([]loto.Event, error) { return s.Answer(agreed) })
}

// Token takes the next token out of the bag: drawn here, or typed in a round with a real
// cage, whose bag is real too (loto:14).
func (l *Loto) Token(ctx context.Context, o LotoOrder, seen int, typed ninety.Ball) (LotoState, error) {
	return again(func() (LotoState, error) {
		before, _, err := l.Day(ctx, o.Day)
		if err != nil {
			return before, err
		}
		var order []ninety.Ball
		if round, prize, ok := before.Current(); ok && !round.Cage && before.Play.Tie.Open() {
			id := lotoTieID(o.Day, before.Play.Round, prize.Stage)
			if order, err = l.drawn(ctx, draw.LotoTie, id, before.Play.Tie.Salt); err != nil {
				return before, err
			}
		}
		return l.caller(ctx, o, "token", []any{seen, typed}, func(s LotoState, _ time.Time) ([]loto.Event, error) {
			if err := s.Caged(typed != 0); err != nil {
				return nil, err
			}
			if err := errRoundMoved(s, before.Play); err != nil || s.Play.Tie.Salt != before.Play.Tie.Salt {
				return nil, errMoved
			}
			n := len(s.Play.Tie.Tokens)
			if n != seen {
				return nil, loto.ErrStale.With("%d tokens are out, the page has seen %d", n, seen)
			}
			if typed == 0 && n < len(order) {
				return s.Draw(order[n])
			}
			return s.Draw(typed)
		})
	})
}

// HandOver says that the winners of the stage have what they won.
func (l *Loto) HandOver(ctx context.Context, o LotoOrder) (LotoState, error) {
	return l.caller(ctx, o, "hand_over", nil,
		func(s LotoState, _ time.Time) ([]loto.Event, error) { return s.Session.HandOver() })
}

// CloseRound lets players clear (loto:17), and reveals the secrets of the round.
func (l *Loto) CloseRound(ctx context.Context, o LotoOrder, reason string) (LotoState, error) {
	s, err := l.caller(ctx, o, "close_round", reason,
		func(s LotoState, _ time.Time) ([]loto.Event, error) { return s.Session.CloseRound(reason) })
	if err != nil || len(s.Results) == 0 {
		return s, err
	}
	return s, l.revealRound(ctx, s, s.Results[len(s.Results)-1].Round)
}

// Rest begins a break for some minutes; Continue ends it (loto:9).
func (l *Loto) Rest(ctx context.Context, o LotoOrder, title string, minutes int) (LotoState, error) {
	return l.caller(ctx, o, "rest", []any{title, minutes}, func(s LotoState, now time.Time) ([]loto.Event, error) {
		return s.Session.Rest(title, now.Add(time.Duration(minutes)*time.Minute), now)
	})
}

// Continue ends the break.
func (l *Loto) Continue(ctx context.Context, o LotoOrder) (LotoState, error) {
	return l.caller(ctx, o, "continue", nil,
		func(s LotoState, _ time.Time) ([]loto.Event, error) { return s.Session.Continue() })
}
