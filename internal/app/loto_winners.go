package app

import (
	"context"
	"fmt"
	"slices"

	"boulier/game/loto"
	"boulier/game/ninety"
)

// winnersIndex is the index of one round, made again when the round or its cards change.
type winnersIndex struct {
	day    LotoID
	round  int
	voids  int
	series []ninety.Series // of the prize
	calls  []ninety.Ball
	index  *ninety.Index
}

// Winning returns how many of the cards that play have won the stage that is being played
// for; −1 if no round is. It is for the caller's eyes only.
func (l *Loto) Winning(ctx context.Context, d LotoDay) (int, error) {
	_, prize, ok := d.Session.Current()
	if !ok {
		return -1, nil
	}
	stocks, err := l.Stocks(ctx, d)
	if err != nil {
		return 0, err
	}
	p := d.Session.Play
	voids := 0
	for i, st := range stocks {
		stocks[i].Lots = slices.DeleteFunc(slices.Clone(st.Lots), func(lot loto.Lot) bool {
			return !slices.ContainsFunc(d.Session.Upto, func(u loto.SaleRef) bool {
				return u.Desk == st.Desk && lot.Sale <= u.Sale
			})
		})
		for _, lot := range stocks[i].Lots {
			if lot.Void {
				voids++
			}
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := &l.winners
	if w.day != d.ID || w.round != p.Round || w.voids != voids || !slices.Equal(w.series, prize.Series) ||
		len(w.calls) > len(p.Calls) || !slices.Equal(w.calls, p.Calls[:len(w.calls)]) {
		cards, _ := loto.Playing(stocks, prize.Series)
		index, err := l.index(ctx, cards)
		if err != nil {
			return 0, err
		}
		*w = winnersIndex{day: d.ID, round: p.Round, voids: voids, series: prize.Series, index: index}
	}
	for _, b := range p.Calls[len(w.calls):] {
		if err := w.index.Draw(b); err != nil {
			return 0, err
		}
		w.calls = append(w.calls, b)
	}
	return w.index.Count(prize.Stage.Goal(), 0), nil
}

// index builds the index of cards.
func (l *Loto) index(ctx context.Context, cards []ninety.Serial) (*ninety.Index, error) {
	var faces []ninety.Card
	err := l.Faces(ctx, cards, func(_ ninety.Serial, c ninety.Card) { faces = append(faces, c) })
	return ninety.NewIndex(slices.Values(faces)), err
}

// Faces calls do with each of the cards, by serial.
func (l *Loto) Faces(ctx context.Context, cards []ninety.Serial, do func(ninety.Serial, ninety.Card)) error {
	cards = slices.SortedFunc(slices.Values(cards), ninety.Serial.Compare)
	for i := 0; i < len(cards); {
		end := i + 1
		for end < len(cards) && cards[end].Series == cards[i].Series {
			end++
		}
		wanted := cards[i:end]
		for row, err := range l.Cards.between(ctx, wanted[0].Series, wanted[0].Number, wanted[len(wanted)-1].Number) {
			if err != nil {
				return err
			}
			if len(wanted) > 0 && wanted[0].Number == row.Number {
				do(row.Serial(), row.Card())
				wanted = wanted[1:]
			}
		}
		if len(wanted) > 0 {
			return fmt.Errorf("app: the card %s is not registered", wanted[0])
		}
		i = end
	}
	return nil
}
