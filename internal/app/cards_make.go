package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"boulier/draw"
	"boulier/game/ninety"
)

// makeSeries makes the cards of an ordered series and registers it. Cards that an
// interrupted call has stored are drawn again and left as they are.
func (c *Cards) makeSeries(ctx context.Context, s SeriesState) error {
	secret, err := c.seed(ctx, s)
	if err != nil {
		return err
	}
	src := draw.NewStream(draw.NinetySheets, draw.ID(s.Name), secret, nil)
	var sheet ninety.Sheet
	var rows []CardRow
	for number := 1; number <= s.Count; {
		sheet.Deal(src)
		for _, card := range sheet {
			if number > s.Stored {
				rows = append(rows, CardRow{Series: s.Name, Number: number, Face: faceOf(card)})
			}
			number++
		}
		if len(rows) >= cardsAtOnce || number > s.Count && len(rows) > 0 {
			if err := c.storeMade(ctx, &s, rows); err != nil {
				return err
			}
			rows = nil
		}
	}
	if _, err := c.close(ctx, s); err != nil {
		return err
	}
	c.mu.Lock()
	delete(c.fresh, s.Name)
	c.mu.Unlock()
	return nil
}

// storeMade stores cards that were drawn. That one of them exists already is as good as
// impossible; then the series is given up, for no card may exist twice (loto:10).
func (c *Cards) storeMade(ctx context.Context, s *SeriesState, rows []CardRow) error {
	err := c.storeCards(ctx, s, rows)
	if errors.Is(err, ErrTaken) {
		return errors.Join(ErrCardTwice.With("series %s was given up", s.Name), c.giveUp(ctx, *s))
	}
	return err
}

// seed returns the seed of a series: of one ordered by this process without opening it.
func (c *Cards) seed(ctx context.Context, s SeriesState) (draw.Secret, error) {
	id := draw.ID(s.Name)
	c.mu.Lock()
	secret, ok := c.fresh[s.Name]
	c.mu.Unlock()
	if !ok {
		var err error
		if secret, err = c.openSecret(ctx, draw.NinetySheets, id, "server", "series to be finished"); err != nil {
			return secret, err
		}
	}
	if draw.Commit(draw.NinetySheets, id, secret).String() != s.Digest {
		return secret, fmt.Errorf("app: the seed of series %s is not the one committed to", s.Name)
	}
	return secret, nil
}

// faceOf returns the face of a card as it is stored.
func faceOf(c ninety.Card) []byte {
	face := make([]byte, 0, 15)
	for _, line := range c.Lines {
		for b := range line.All() {
			face = append(face, byte(b))
		}
	}
	return face
}

// faces returns the SHA-256 of the stored faces of a series in the order of their numbers.
func (c *Cards) faces(ctx context.Context, name ninety.Series) (string, error) {
	h := sha256.New()
	for last := 0; ; {
		rows, err := c.Store.Cards(ctx, name, last, cardsAtOnce)
		if err != nil {
			return "", err
		}
		for _, r := range rows {
			h.Write(r.Face)
			last = r.Number
		}
		if len(rows) < cardsAtOnce {
			return hex.EncodeToString(h.Sum(nil)), nil
		}
	}
}
