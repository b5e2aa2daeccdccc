package app

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"boulier/draw"
	"boulier/game/ninety"
	"boulier/internal/print"
	"boulier/player"
	"boulier/regs"
)

// What printing and looking up refuse.
var (
	ErrSeriesUnknown = &regs.Violation{Ref: "loto:10", Code: "series_unknown"}
	ErrCardUnknown   = &regs.Violation{Ref: "loto:10", Code: "card_unknown"}
	ErrPrintRange    = &regs.Violation{Ref: "loto:10", Code: "print_range"}
	ErrPrintLogo     = &regs.Violation{Ref: "loto:10", Code: "print_logo"}
	ErrFullCardOnly  = &regs.Violation{Ref: "loto:10", Code: "full_card_only"}
	ErrCodeTrials    = &regs.Violation{Ref: "loto:10", Code: "code_trials"}
)

// codeKeyUse and codeKeyID name the one key of the security codes of the house.
const (
	codeKeyUse draw.Use = "ninety/codes"
	codeKeyID  draw.ID  = "key"
)

// codeKey returns the key of the security codes, opened once a process.
func (c *Cards) codeKey(ctx context.Context) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.key != nil {
		return c.key, nil
	}
	key, err := c.houseKey(ctx, codeKeyUse, codeKeyID, "security codes of cards")
	if err != nil {
		return nil, err
	}
	c.key = key[:]
	return c.key, nil
}

// A CardPrint is an order to print cards with following numbers.
type CardPrint struct {
	Request  RequestID
	By       player.ID
	Series   ninety.Series
	From, To int
	PerPage  int // 2, 3 or 6
	Title    string
	Value    string // of a card, in the words of the page; printed if the series has one
	Labels   print.CardLabels
	Logos    [][]byte
}

// MaxPrinted is how many cards one file holds at most.
const MaxPrinted = 10_000

// cardsPrinted is the event of a printing: cards printed twice exist twice on paper.
type cardsPrinted struct {
	From    int       `json:"from"`
	To      int       `json:"to"`
	PerPage int       `json:"per_page"`
	By      player.ID `json:"by"`
}

// printingsShown is how many printings a series remembers besides the journal.
const printingsShown = 20

// Print records a printing and writes its cards as a PDF. Nothing is written to w before
// the whole file is made, outside any transaction. A repeated request writes the same cards
// again, and is one printing.
func (c *Cards) Print(ctx context.Context, o CardPrint, w func() io.Writer) error {
	cell := seriesCell(o.Series)
	request := NewRequest(o.Request, "person/"+o.By.String(), "series/print",
		[]any{o.Series, o.From, o.To, o.PerPage})
	keys := Keys{Request: request, States: []string{string(cell), string(standingOf(o.By))}}
	s, err := Do(ctx, c.Store, keys, func(tx Tx) (SeriesState, error) {
		if err := requireBy(tx, o.By, ManageGames); err != nil {
			return SeriesState{}, err
		}
		s, err := cell.Get(tx)
		if err != nil {
			return s, err
		}
		if err := o.check(s); err != nil {
			return s, err
		}
		done := append(s.Printed[:len(s.Printed):len(s.Printed)], PrintedRange{o.From, o.To, o.By, tx.Now()})
		s.Printed = done[max(0, len(done)-printingsShown):]
		cell.Put(tx, s)
		return s, cell.Append(tx, "cards_printed", cardsPrinted{o.From, o.To, o.PerPage, o.By})
	})
	if err != nil {
		return err
	}
	return c.write(ctx, s, o, w)
}

// check refuses what cannot be printed of a series.
func (o CardPrint) check(s SeriesState) error {
	switch {
	case !s.Registered:
		return ErrSeriesUnknown.With("%q", o.Series)
	case !s.Lined:
		return ErrFullCardOnly.With("series %s has no lines", s.Name)
	case o.From < s.First || o.To < o.From || o.To > s.Last:
		return ErrPrintRange.With("cards %d to %d of %d to %d", o.From, o.To, s.First, s.Last)
	case o.To-o.From >= MaxPrinted:
		return ErrPrintRange.With("%d cards at once", o.To-o.From+1)
	case o.PerPage != 2 && o.PerPage != 3 && o.PerPage != 6:
		return ErrPrintRange.With("%d cards to a page", o.PerPage)
	}
	if err := print.CheckLogos(o.Logos); err != nil {
		return ErrPrintLogo.With("%v", err)
	}
	return nil
}

func (c *Cards) write(ctx context.Context, s SeriesState, o CardPrint, w func() io.Writer) error {
	key, err := c.codeKey(ctx)
	if err != nil {
		return err
	}
	colour := print.SeriesColour(s.Name)
	if s.Colour != "" {
		if colour, err = print.ParseColour(s.Colour); err != nil {
			return err
		}
	}
	design := print.Cards{Title: o.Title, Colour: colour, PerPage: o.PerPage, Logos: o.Logos,
		Labels: o.Labels, Made: c.Now()}
	if s.Value > 0 {
		design.Value = o.Value
	}
	var failed error
	cards := func(yield func(print.PrintedCard) bool) {
		for row, err := range c.between(ctx, s.Name, o.From, o.To) {
			if err != nil {
				failed = err
				return
			}
			card := row.Card()
			code := row.Serial().Code(key, int64(s.Value), card)
			if !yield(print.PrintedCard{Serial: row.Serial(), Card: card, Code: code}) {
				return
			}
		}
	}
	var file bytes.Buffer
	if err := errors.Join(print.WriteCards(&file, design, cards), failed); err != nil {
		return fmt.Errorf("app: printing series %s: %w", s.Name, err)
	}
	_, err = file.WriteTo(w())
	return err
}

// between gives the cards of a series whose numbers stand between two, both included.
func (c *Cards) between(ctx context.Context, name ninety.Series, from, to int) iter.Seq2[CardRow, error] {
	return func(yield func(CardRow, error) bool) {
		for last := from - 1; last < to; {
			rows, err := c.Store.Cards(ctx, name, last, min(cardsAtOnce, to-last))
			if err != nil || len(rows) == 0 {
				if err != nil {
					yield(CardRow{}, err)
				}
				return
			}
			for _, r := range rows {
				if last = r.Number; last > to || !yield(r, nil) {
					return
				}
			}
		}
	}
}

// A CodeVerdict says what a security code is worth.
type CodeVerdict string

// The verdicts on a security code.
const (
	CodeAbsent CodeVerdict = "absent" // none was given
	CodeRight  CodeVerdict = "right"  // the card is what the house printed
	CodeWrong  CodeVerdict = "wrong"
)

// A CardFound is a card that was looked up.
type CardFound struct {
	CardRow
	Of   SeriesState
	Code CodeVerdict
}

// codeTrials are the wrong codes that a person may give within an hour; a code has 40 bits.
const (
	codeTrials = 10
	codeWindow = time.Hour
)

// trialsOf keeps the moments of a person's wrong codes, oldest first.
func trialsOf(who player.ID) Cell[[]time.Time] {
	return Cell[[]time.Time]("ninety/trials/" + who.String())
}

// ReadSerial reads what people type, and what a scanner reads of a card's QR code: a serial,
// and after it the security code if there is one, known by the dash in its middle.
func ReadSerial(text string) (serial, code string) {
	fields := strings.Fields(text)
	if n := len(fields) - 1; n > 0 && len(foldCode(fields[n])) == 8 && strings.Index(fields[n], "-") > 0 {
		return strings.Join(fields[:n], " "), fields[n]
	}
	return strings.TrimSpace(text), ""
}

// Look finds a card by its serial or by what its printer calls it, and checks its security
// code if one is given. Only cards of registered series are known (loto:10).
func (c *Cards) Look(ctx context.Context, by player.ID, text, code string) (CardFound, error) {
	row, err := c.find(ctx, text)
	if err != nil {
		return CardFound{}, err
	}
	of, _, err := c.Series(ctx, row.Series)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return CardFound{}, err
	}
	if !of.Registered {
		return CardFound{}, ErrCardUnknown.With("%q is of a series that is not registered", text)
	}
	found := CardFound{CardRow: row, Of: of, Code: CodeAbsent}
	if strings.TrimSpace(code) != "" {
		found.Code, err = c.checkCode(ctx, by, found, code)
	}
	return found, err
}

// find returns the card that a text names.
func (c *Cards) find(ctx context.Context, text string) (CardRow, error) {
	var serial ninety.Serial
	if err := serial.UnmarshalText([]byte(text)); err == nil {
		row, err := c.Store.Card(ctx, serial)
		if !errors.Is(err, ErrNotFound) {
			return row, err
		}
	}
	rows, err := c.Store.CardsOfRef(ctx, strings.TrimSpace(text), 2)
	if err != nil {
		return CardRow{}, err
	}
	if len(rows) != 1 {
		return CardRow{}, ErrCardUnknown.With("%q names %d cards", text, len(rows))
	}
	return rows[0], nil
}

// checkCode compares a code in constant time. Wrong ones are counted.
func (c *Cards) checkCode(ctx context.Context, by player.ID, f CardFound, code string) (CodeVerdict, error) {
	key, err := c.codeKey(ctx)
	if err != nil {
		return "", err
	}
	want := foldCode(f.Serial().Code(key, int64(f.Of.Value), f.Card()))
	right := subtle.ConstantTimeCompare([]byte(want), []byte(foldCode(code))) == 1
	cell := trialsOf(by)
	verdict := CodeRight
	err = c.Store.Update(ctx, Keys{States: []string{string(cell)}}, func(tx Tx) error {
		all, err := cell.Get(tx)
		if err != nil {
			return err
		}
		var wrong []time.Time
		for _, at := range all {
			if tx.Now().Sub(at) < codeWindow {
				wrong = append(wrong, at)
			}
		}
		if len(wrong) >= codeTrials {
			return ErrCodeTrials.With("%d wrong codes within an hour", len(wrong))
		}
		if verdict = CodeRight; !right {
			verdict = CodeWrong
			cell.Put(tx, append(wrong, tx.Now()))
		}
		return nil
	})
	return verdict, err
}
