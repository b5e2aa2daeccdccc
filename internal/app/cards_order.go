package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boulier/draw"
	"boulier/game/ninety"
	"boulier/internal/proof"
	"boulier/money"
	"boulier/player"
)

// A MadeSeries is a manager's order of new cards.
type MadeSeries struct {
	Request RequestID
	By      player.ID
	Name    ninety.Series
	Sheets  int // of six cards
	Value   money.Cents
	Title   string
	Colour  string
}

// Order begins a series made here: its seed is drawn and sealed. MakeWanted then makes the
// cards, which may take seconds.
func (c *Cards) Order(ctx context.Context, o MadeSeries) error {
	want := SeriesState{Name: o.Name, Kind: MadeHere, Title: o.Title, Colour: o.Colour, Value: o.Value,
		Profile: "fr", Lined: true, Count: 6 * o.Sheets, First: 1, Last: 6 * o.Sheets, By: o.By}
	if err := want.check(); err != nil {
		return err
	}
	if o.Sheets > MaxSheets {
		return ErrSeriesSize.With("%d sheets", o.Sheets)
	}
	request := NewRequest(o.Request, "person/"+o.By.String(), "series/make", want)
	secret, row := c.newSecret(draw.NinetySheets, draw.ID(o.Name))
	want.Digest = draw.Commit(draw.NinetySheets, draw.ID(o.Name), secret).String()
	began, err := c.begin(ctx, request, want, row)
	if err == nil && began.Digest == want.Digest { // not the answer of an earlier request
		c.mu.Lock()
		c.fresh[o.Name] = secret
		c.mu.Unlock()
	}
	return err
}

// staleAfter is how long a registration may store nothing before it is taken for given up.
const staleAfter = time.Minute

// begin makes the state of a series that is being registered, with the rows given. What an
// earlier registration under the name has left behind is removed first.
func (c *Cards) begin(ctx context.Context, r Request, want SeriesState, rows ...Row) (SeriesState, error) {
	cell := seriesCell(want.Name)
	old, _, err := cell.Read(ctx, c.Store)
	if err != nil {
		return want, err
	}
	if old.Kind == OfPrinter && !old.Registered && c.Now().Sub(old.Touched) >= staleAfter {
		if err := c.giveUp(ctx, old); err != nil {
			return want, err
		}
	}
	keys := Keys{Request: r, States: []string{string(cell), string(standingOf(want.By))}}
	return Do(ctx, c.Store, keys, func(tx Tx) (SeriesState, error) {
		if err := requireBy(tx, want.By, ManageGames); err != nil {
			return want, err
		}
		s, err := cell.Get(tx)
		switch {
		case err != nil:
			return want, err
		case s.Registered:
			return want, ErrSeriesTaken.With("series %s is registered already, with %d cards: choose another name", s.Name, s.Count)
		case s.Name != "":
			return want, ErrSeriesBusy.With("series %s is being registered, %d of %d cards: wait a minute and look", s.Name, s.Stored, s.Count)
		}
		s = want
		s.Run, s.At, s.Touched = tx.NewID(), tx.Now(), tx.Now()
		cell.Put(tx, s)
		tx.Insert(rows...)
		return s, nil
	})
}

// errRunOver says that another registration has taken the place of this one.
var errRunOver = errors.New("app: this registration was given up")

// cardsAtOnce is how many cards one transaction stores.
const cardsAtOnce = 1000

// storeCards stores cards of a series that is being registered, the first of them after
// those stored before.
func (c *Cards) storeCards(ctx context.Context, s *SeriesState, rows []CardRow) error {
	cell := seriesCell(s.Name)
	var now SeriesState
	err := c.Store.Update(ctx, Keys{States: []string{string(cell)}}, func(tx Tx) (err error) {
		if now, err = cell.Get(tx); err != nil {
			return err
		}
		if now.Run != s.Run || now.Registered || now.Stored != s.Stored {
			return errRunOver
		}
		for _, r := range rows {
			tx.Insert(r)
		}
		now.Stored, now.Touched = now.Stored+len(rows), tx.Now()
		cell.Put(tx, now)
		return nil
	})
	if err != nil {
		return err
	}
	*s = now
	if c.Progress != nil {
		c.Progress(s.Name, s.Stored, s.Count)
	}
	return nil
}

// close ends a registration whose cards are all stored: from then on they are known, and a
// changed one is found.
func (c *Cards) close(ctx context.Context, s SeriesState) (SeriesState, error) {
	faces, err := c.faces(ctx, s.Name)
	if err != nil {
		return s, err
	}
	cell := seriesCell(s.Name)
	return Do(ctx, c.Store, Keys{States: []string{string(cell)}}, func(tx Tx) (SeriesState, error) {
		now, err := cell.Get(tx)
		if err != nil {
			return s, err
		}
		if now.Run != s.Run || now.Stored != now.Count {
			return s, errRunOver
		}
		if now.Registered {
			return now, nil
		}
		now.Registered, now.At = true, tx.Now()
		cell.Put(tx, now)
		return now, cell.Append(tx, string(proof.KindSeries), proof.RegisteredSeries{Series: now.Name, Kind: string(now.Kind),
			Cards: now.Count, First: now.First, Last: now.Last, Lined: now.Lined, Profile: now.Profile, Value: now.Value,
			Digest: now.Digest, Faces: faces, By: now.By})
	})
}

// giveUp removes a series that is being registered, and its cards. No registration that
// still runs can store more: its run is over first.
func (c *Cards) giveUp(ctx context.Context, s SeriesState) error {
	cell := seriesCell(s.Name)
	err := c.Store.Update(ctx, Keys{States: []string{string(cell)}}, func(tx Tx) error {
		now, err := cell.Get(tx)
		if err != nil {
			return err
		}
		if now.Run != s.Run || now.Registered {
			return errRunOver
		}
		now.Run, now.Touched = tx.NewID(), tx.Now()
		cell.Put(tx, now)
		return nil
	})
	if errors.Is(err, errRunOver) {
		return nil
	}
	if err != nil {
		return err
	}
	for {
		rows, err := c.Store.Cards(ctx, s.Name, 0, cardsAtOnce)
		if err != nil {
			return err
		}
		err = c.Store.Update(ctx, Keys{States: []string{string(cell)}}, func(tx Tx) error {
			for _, r := range rows {
				tx.Delete(r)
			}
			if len(rows) == 0 {
				tx.Delete(SecretRow{Use: string(draw.NinetySheets), ID: string(s.Name)})
				cell.Remove(tx)
			}
			return nil
		})
		if err != nil || len(rows) == 0 {
			return err
		}
	}
}

// MakeWanted makes the series that were ordered and are not made yet, and clears away what
// given up imports have left. It is called at the start and after each order.
func (c *Cards) MakeWanted(ctx context.Context) error {
	c.registering.Lock()
	defer c.registering.Unlock()
	all, err := c.AllSeries(ctx)
	if err != nil {
		return err
	}
	var failed error
	for _, s := range all {
		switch {
		case s.Registered:
		case s.Kind == MadeHere:
			err = c.makeSeries(ctx, s)
		case c.Now().Sub(s.Touched) >= staleAfter:
			err = c.giveUp(ctx, s)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("app: series %s: %w", s.Name, err))
			err = nil
		}
	}
	return failed
}
