package proof

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/journal"
	"boulier/money"
	"boulier/player"
)

// A Loto is the first line of the export of a day of loto that is over, or up to a round that
// is closed. A line follows for each fact of the day; then for each series its registration
// and its cards; then for each card sold that could play, in the order of sale. It shows that
// the numbers were settled before the sale, that they follow from secrets that nobody could
// change, and that claims, checks, ties and prizes went by the rules.
type Loto struct {
	Format      string `json:"format"` // FormatLoto
	Key         string `json:"key"`    // the operator's verifier key
	Day         int64  `json:"day"`
	Round       int    `json:"round"`  // the last one in the file; 0: the day is over
	Before      string `json:"before"` // the checkpoint that covered the commitments
	Consistency Path   `json:"consistency"`
	Checkpoint  string `json:"checkpoint"` // a later one, which holds all facts
	Facts       int    `json:"facts"`
	Series      int    `json:"series"`
	Cards       int    `json:"cards"` // sold
}

// A RegisteredSeries is the payload that closes the registration of a series. Faces is the
// SHA-256 of the numbers of all its cards, so that a changed card is found.
type RegisteredSeries struct {
	Series  ninety.Series `json:"series"`
	Kind    string        `json:"kind"`
	Cards   int           `json:"cards"`
	First   int           `json:"first"`
	Last    int           `json:"last"`
	Lined   bool          `json:"lined"` // it is known in which line each number stands
	Profile string        `json:"profile"`
	Value   money.Cents   `json:"value"`
	Digest  string        `json:"digest"`
	Faces   string        `json:"faces"`
	By      player.ID     `json:"by"`
}

// LotoStream returns the stream of a day of loto, SeriesStream that of a series of cards.
func LotoStream(day int64) journal.Stream { return journal.Stream(fmt.Sprintf("loto/day/%d", day)) }

// SeriesStream returns the stream of a series of cards.
func SeriesStream(s ninety.Series) journal.Stream {
	return journal.Stream("ninety/series/" + string(s))
}

// A LotoCard is a line for a card of a series, with its numbers line by line.
type LotoCard struct {
	Number int               `json:"number"`
	Lines  [3][5]ninety.Ball `json:"lines"`
}

// A LotoSold is a line for a card sold: in which sale of which desk, not to whom.
type LotoSold struct {
	Series ninety.Series `json:"series"`
	Number int           `json:"number"`
	Price  money.Cents   `json:"price"`
	Desk   int           `json:"desk"`
	Sale   int           `json:"sale"`
}

// A LotoSeries is a series as it is exported.
type LotoSeries struct {
	Registered Proved
	Cards      iter.Seq2[LotoCard, error]
}

// WithheldFromAll reports whether the words of a fact are of people, so that an export for
// everyone has its leaf alone.
func WithheldFromAll(k journal.Kind) bool { return lotoWithheld[k] }

// WriteLoto writes the export of a day. It sets format and counts, and stops at the first
// error of the cards.
func WriteLoto(w io.Writer, f Loto, facts []Proved, series []LotoSeries, sold []LotoSold) error {
	f.Format, f.Facts, f.Series, f.Cards = FormatLoto, len(facts), len(series), len(sold)
	out := bufio.NewWriter(w)
	if err := writeLine(out, f); err != nil {
		return err
	}
	for _, p := range facts {
		if err := writeLine(out, p); err != nil {
			return err
		}
	}
	for _, s := range series {
		if err := writeLine(out, s.Registered); err != nil {
			return err
		}
		for c, err := range s.Cards {
			if err == nil {
				err = writeLine(out, c)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, s := range sold {
		if err := writeLine(out, s); err != nil {
			return err
		}
	}
	return out.Flush()
}

// The most lines of each sort that a file of a day may say it has.
const (
	maxLotoFacts  = 100_000
	maxLotoSeries = 100
)

// ErrLoto refuses what cannot be a day of loto.
var ErrLoto = errors.New("the counts are of no day of loto")

// verifyLoto checks the file of a day of loto.
func verifyLoto(l *lines, first []byte, o Options) (Report, error) {
	var f Loto
	if err := decode(first, &f); err != nil {
		return Report{}, l.fault("%w", err)
	}
	if f.Day < 1 || f.Round < 0 || f.Facts < 3 || f.Facts > maxLotoFacts || f.Series < 1 ||
		f.Series > maxLotoSeries || f.Cards < 0 || f.Cards > maxCards || f.Before == "" {
		return Report{}, l.fault("%w", ErrLoto)
	}
	before, now, err := o.headsOf(f.Key, f.Before, f.Consistency, f.Checkpoint)
	if err != nil {
		return Report{}, l.fault("%w", err)
	}
	c := lotoCourse{head: f, file: l.file, series: map[ninety.Series]*lotoSeries{}, sold: map[ninety.Serial]loto.SoldCard{},
		excluded: map[loto.SaleRef]bool{}, secrets: map[int]LotoSecrets{}}
	index := int64(-1)
	for n := range f.Facts {
		fact, err := readLotoFact(l, now, LotoStream(f.Day), int64(n)+1)
		if err != nil {
			return Report{}, err
		}
		if fact.Index <= index {
			return Report{}, l.fault("leaf %d of the journal comes after leaf %d", fact.Index, index)
		}
		index = fact.Index
		c.facts = append(c.facts, fact)
		if fact.Kind == KindSecrets {
			c.secrets[fact.Secrets.Round] = fact.Secrets
		}
	}
	for range f.Series {
		if err := c.readSeries(l, now, before); err != nil {
			return Report{}, err
		}
	}
	for range f.Cards {
		if err := c.readSold(l); err != nil {
			return Report{}, err
		}
	}
	if err := l.end(); err != nil {
		return Report{}, err
	}
	if err := c.play(before); err != nil {
		return Report{}, err
	}
	return c.report(now, before), nil
}

// A lotoSeries is a series of the file.
type lotoSeries struct {
	RegisteredSeries
	cards map[int]ninety.Card
}

// readSeries reads a series: its registration, which was signed before the sale, and its
// cards, whose numbers are those registered.
func (c *lotoCourse) readSeries(l *lines, now, before journal.Head) error {
	p, leaf, err := nextProved(l)
	if err != nil {
		return err
	}
	s := &lotoSeries{cards: map[int]ninety.Card{}}
	if err := decode([]byte(p.Payload), &s.RegisteredSeries); err != nil {
		return l.fault("payload: %w", err)
	}
	if _, err := p.open(now, SeriesStream(s.Series), 1, KindSeries); err != nil {
		return l.fault("%w", err)
	}
	switch {
	case p.Index >= before.Size:
		return l.fault("series %s was registered at leaf %d, after the checkpoint before the sale", s.Series, p.Index)
	case !s.Series.Valid() || s.Cards < 1 || s.Cards > maxCards:
		return l.fault("no series is %q with %d cards", s.Series, s.Cards)
	case c.series[s.Series] != nil:
		return l.fault("series %s is there twice", s.Series)
	}
	faces, last := sha256.New(), 0
	for n := range s.Cards {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return l.fault("the file ends after %d cards of %d", n, s.Cards)
		}
		if err != nil {
			return err
		}
		var card LotoCard
		if err := decode(line, &card); err != nil {
			return l.fault("%w", err)
		}
		if card.Number <= last {
			return l.fault("card %s-%d comes after card %d", s.Series, card.Number, last)
		}
		last = card.Number
		if s.cards[last], err = cardOf(card.Lines); err != nil {
			return l.fault("card %s-%d: %w", s.Series, last, err)
		}
		for _, numbers := range card.Lines {
			for _, b := range numbers {
				faces.Write([]byte{byte(b)})
			}
		}
	}
	if hex.EncodeToString(faces.Sum(nil)) != s.Faces {
		return l.fault("the cards of series %s are not those that were registered at leaf %d (%s)", s.Series, p.Index, leaf.Payload)
	}
	c.series[s.Series] = s
	return nil
}

// readSold reads a card sold.
func (c *lotoCourse) readSold(l *lines) error {
	line, err := l.next()
	if errors.Is(err, io.EOF) {
		return l.fault("the file ends after %d cards sold of %d", len(c.order), c.head.Cards)
	}
	if err != nil {
		return err
	}
	var s LotoSold
	if err := decode(line, &s); err != nil {
		return l.fault("%w", err)
	}
	card := loto.SoldCard{Serial: ninety.Serial{Series: s.Series, Number: s.Number}, Price: s.Price,
		Sale: loto.SaleRef{Desk: s.Desk, Sale: s.Sale}}
	if _, twice := c.sold[card.Serial]; twice {
		return l.fault("card %s is sold twice", card.Serial)
	}
	of := c.series[s.Series]
	if of == nil || s.Price < 0 || s.Desk < 1 || s.Sale < 1 {
		return l.fault("no card is %s at %s EUR", card.Serial, s.Price)
	}
	if _, ok := of.cards[s.Number]; !ok {
		return l.fault("card %s is not of its series", card.Serial)
	}
	c.sold[card.Serial] = card
	c.order = append(c.order, card)
	return nil
}
