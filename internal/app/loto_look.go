package app

import (
	"context"

	"boulier/game/loto"
	"boulier/game/ninety"
)

// A LotoLook is a card that a checker looks at: nothing is claimed by it.
type LotoLook struct {
	Serial ninety.Serial
	Fact   loto.CardFact
	Of     SeriesState
}

// Look shows a card beside the numbers that are out.
func (l *Loto) Look(ctx context.Context, a LotoAct, text string) (LotoLook, error) {
	d, _, err := l.Day(ctx, a.Day)
	if err != nil {
		return LotoLook{}, err
	}
	serial, code := ReadSerial(text)
	fact, card, err := l.cardFact(ctx, a, serial, code)
	if err != nil {
		return LotoLook{}, err
	}
	if !fact.Known {
		return LotoLook{}, ErrCardUnknown.With("%s", card)
	}
	stocks, err := l.Stocks(ctx, d)
	if err != nil {
		return LotoLook{}, err
	}
	of, _, err := l.Cards.Series(ctx, card.Series)
	return LotoLook{card, sold(fact, card, d.Session, stocks), of}, err
}
