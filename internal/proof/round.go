package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/snake"
	"boulier/journal"
	"boulier/money"
)

// RoundStream returns the stream of a round of bingo, BingoSalesStream that of its sale.
func RoundStream(id bingo.RoundID) journal.Stream {
	return journal.Stream("bingo/round/" + strconv.FormatInt(int64(id), 10))
}

// BingoSalesStream returns the stream of the sale of a round.
func BingoSalesStream(id bingo.RoundID) journal.Stream {
	return journal.Stream("bingo/sale/" + strconv.FormatInt(int64(id), 10))
}

// A Round is the first line of the export of a round of bingo that is over or void. A line
// follows for each fact of the round, then for each refund of its sale, then for each card
// sold, in order. It shows that the balls were settled before the sale, that they follow from
// secrets that nobody could change, who had to win, and what.
type Round struct {
	Format string        `json:"format"` // FormatRound
	Key    string        `json:"key"`    // the operator's verifier key
	Round  bingo.RoundID `json:"round"`
	// Before is the checkpoint that covered the commitments when the sale opened; empty if
	// the round was void before.
	Before      string `json:"before"`
	Consistency Path   `json:"consistency"`
	Checkpoint  string `json:"checkpoint"` // a later one, which holds all facts
	Facts       int    `json:"facts"`
	Refunds     int    `json:"refunds"`
	Cards       int    `json:"cards"`
}

// A RoundCard is a line for a card sold. Who bought it stays with the operator and the buyer.
type RoundCard struct {
	Series ninety.Series     `json:"series"`
	Number int               `json:"number"`
	Price  money.Cents       `json:"price"`
	Lines  [3][5]ninety.Ball `json:"lines"`
}

// CardOf returns the line of a card sold.
func CardOf(s bingo.Sold) RoundCard {
	return RoundCard{Series: s.Serial.Series, Number: s.Serial.Number, Price: s.Price, Lines: LinesOf(s.Card)}
}

// LinesOf returns the numbers of a card line by line, ascending in each.
func LinesOf(c ninety.Card) (lines [3][5]ninety.Ball) {
	for i, line := range c.Lines {
		k := 0
		for b := range line.All() {
			lines[i][k] = b
			k++
		}
	}
	return lines
}

// cardOf returns the card that has these lines.
func cardOf(lines [3][5]ninety.Ball) (c ninety.Card, err error) {
	var all ninety.BallSet
	for i, line := range lines {
		for k, b := range line {
			if !b.Valid() || all.Has(b) || k > 0 && b < line[k-1] {
				return c, fmt.Errorf("number %d is none, stands twice or out of order", b)
			}
			all = all.With(b)
			c.Lines[i] = c.Lines[i].With(b)
		}
	}
	return c, nil
}

// sold returns the card that the line says.
func (c RoundCard) sold() (s bingo.Sold, err error) {
	s = bingo.Sold{Serial: ninety.Serial{Series: c.Series, Number: c.Number}, Price: c.Price}
	if !c.Series.Valid() || c.Number < 1 || c.Price < 1 {
		return s, fmt.Errorf("no card is %s at %s EUR", s.Serial, c.Price)
	}
	if s.Card, err = cardOf(c.Lines); err != nil {
		return s, fmt.Errorf("card %s: %w", s.Serial, err)
	}
	return s, nil
}

// WriteRound writes the export of a round: its facts and refunds, and its cards in order. It
// sets format and counts, and stops at the first error of the cards.
func WriteRound(w io.Writer, r Round, facts, refunds []Proved, cards iter.Seq[bingo.Sold], count int) error {
	r.Format, r.Facts, r.Refunds, r.Cards = FormatRound, len(facts), len(refunds), count
	out := bufio.NewWriter(w)
	if err := writeLine(out, r); err != nil {
		return err
	}
	for _, list := range [][]Proved{facts, refunds} {
		for _, p := range list {
			if err := writeLine(out, p); err != nil {
				return err
			}
		}
	}
	for s := range cards {
		if err := writeLine(out, CardOf(s)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// The most lines of each sort that a file may say it has.
const (
	maxFacts = 10_000
	maxCards = 10_000_000
)

// ErrRound refuses what cannot be a round.
var ErrRound = errors.New("the counts are of no round")

// roundEvents are the kinds of facts that a round has.
var roundEvents = func() map[journal.Kind]reflect.Type {
	kinds := map[journal.Kind]reflect.Type{}
	for _, e := range []bingo.Event{bingo.RoundPlanned{}, bingo.RoundCommitted{}, bingo.SaleOpened{},
		bingo.FaultRecorded{}, bingo.SaleClosed{}, bingo.WitnessOpened{}, bingo.BallDrawn{}, bingo.PrizeWon{},
		bingo.RoundEnded{}, bingo.RoundVoided{}, bingo.SecretRevealed{}, bingo.CardsRefunded{}} {
		kinds[journal.Kind(e.Kind())] = reflect.TypeOf(e)
	}
	return kinds
}()

// A roundFact is a fact of a round, proved.
type roundFact struct {
	journal.Leaf
	Event bingo.Event
	Index int64
	line  int
}

// nextProved reads the next line, which must be a proved fact, and its leaf. Nothing of it is
// checked yet.
func nextProved(l *lines) (p Proved, leaf journal.Leaf, err error) {
	line, err := l.next()
	if errors.Is(err, io.EOF) {
		return p, leaf, l.fault("the file ends before its last fact")
	}
	if err != nil {
		return p, leaf, err
	}
	if err := decode(line, &p); err != nil {
		return p, leaf, l.fault("%w", err)
	}
	if leaf, err = journal.ParseLeaf([]byte(p.Leaf)); err != nil {
		return p, leaf, l.fault("%w", err)
	}
	return p, leaf, nil
}

// readFact reads the next line, which must be a proved fact of the stream.
func readFact(l *lines, head journal.Head, s journal.Stream, number int64) (f roundFact, err error) {
	p, leaf, err := nextProved(l)
	if err != nil {
		return f, err
	}
	kind, ok := roundEvents[leaf.Kind]
	if !ok {
		return f, l.fault("a round has no fact %s", leaf.Kind)
	}
	if f.Leaf, err = p.open(head, s, number, leaf.Kind); err != nil {
		return f, l.fault("%w", err)
	}
	v := reflect.New(kind)
	if err := snake.Decode([]byte(p.Payload), v.Interface()); err != nil {
		return f, l.fault("payload: %w", jsonError(err))
	}
	again, err := snake.Encode(v.Elem().Interface())
	if err != nil || string(again) != p.Payload || !inUTC(v.Elem().Interface()) {
		return f, l.fault("payload: %w", errCanonical)
	}
	f.Event, f.Index, f.line = v.Elem().Interface().(bingo.Event), p.Index, l.n
	return f, nil
}

// inUTC reports whether the times of an event have no other zone.
func inUTC(e any) bool {
	var times []time.Time
	switch e := e.(type) {
	case bingo.SaleOpened:
		times = []time.Time{e.Window.Opens, e.Window.Closes}
	case bingo.SaleClosed:
		times = []time.Time{e.At}
	case bingo.BallDrawn:
		times = []time.Time{e.At}
	}
	return !slices.ContainsFunc(times, func(t time.Time) bool { return t.Location() != time.UTC })
}

// verifyRound checks the file of a round.
func verifyRound(l *lines, first []byte, o Options) (Report, error) {
	var r Round
	if err := decode(first, &r); err != nil {
		return Report{}, l.fault("%w", err)
	}
	before, now, err := r.heads(o)
	if err != nil {
		return Report{}, l.fault("%w", err)
	}
	c := course{file: l.file, id: r.Round, left: map[int]bool{}, gone: map[int]bool{}}
	index := int64(-1)
	for n := range r.Facts {
		f, err := readFact(l, now, RoundStream(r.Round), int64(n)+1)
		if err != nil {
			return Report{}, err
		}
		if f.Index <= index {
			return Report{}, l.fault("leaf %d of the journal comes after leaf %d", f.Index, index)
		}
		index = f.Index
		c.facts = append(c.facts, f)
	}
	for range r.Refunds {
		f, err := readFact(l, now, BingoSalesStream(r.Round), 0)
		if err != nil {
			return Report{}, err
		}
		e, ok := f.Event.(bingo.CardsRefunded)
		if !ok || len(c.refunds) > 0 && f.Number <= c.refundNumber {
			return Report{}, l.fault("a refund is missing, or stands in another order")
		}
		c.refunds, c.refundNumber = append(c.refunds, e), f.Number
	}
	if err := c.readCards(l, r.Cards); err != nil {
		return Report{}, err
	}
	if err := l.end(); err != nil {
		return Report{}, err
	}
	if err := c.checkBefore(r, before); err != nil {
		return Report{}, &Fault{l.file, 0, err}
	}
	if err := c.play(); err != nil {
		return Report{}, err
	}
	return c.report(r, now, before), nil
}

// heads checks keys, signatures and bounds of the first line.
func (r *Round) heads(o Options) (before, now journal.Head, err error) {
	if r.Round < 1 || r.Facts < 3 || r.Facts > maxFacts || r.Cards < 0 || r.Cards > maxCards ||
		r.Refunds < 0 || r.Refunds > r.Cards {
		return before, now, ErrRound
	}
	return o.headsOf(r.Key, r.Before, r.Consistency, r.Checkpoint)
}

// readCards reads the cards sold.
func (c *course) readCards(l *lines, count int) error {
	for n := range count {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return l.fault("the file ends after %d cards of %d", n, count)
		}
		if err != nil {
			return err
		}
		var card RoundCard
		if err := decode(line, &card); err != nil {
			return l.fault("%w", err)
		}
		s, err := card.sold()
		if err != nil {
			return l.fault("%w", err)
		}
		c.sold = append(c.sold, s)
	}
	return nil
}
