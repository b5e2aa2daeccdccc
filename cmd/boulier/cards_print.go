package main

import (
	"fmt"
	"io"
	"iter"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"boulier/game/ninety"
	"boulier/internal/cardfile"
	"boulier/internal/print"
	"boulier/money"
)

// cardsPrintCmd prints cards.
type cardsPrintCmd struct {
	cardsSeed
	Cards  string   `help:"Print the cards of this file instead of drawing the series from a seed." placeholder:"FILE"`
	From   int      `help:"Number of the first card." default:"1"`
	To     int      `help:"Number of the last card." required:""`
	Layout int      `help:"Cards to an A4 page: 2, 3 or 6." enum:"2,3,6" default:"6"`
	Title  string   `help:"Title on every card." default:"Loto"`
	Colour string   `help:"Name or six hexadecimal digits; without it each series has its own." placeholder:"COLOUR"`
	Value  string   `help:"Price of a card in euros, printed and bound by the security code." placeholder:"AMOUNT"`
	Logo   []string `help:"PNG or JPEG of a partner; up to four." placeholder:"FILE"`
	Lang   string   `help:"fr or en." enum:"fr,en" default:"fr"`
	Key    string   `help:"Key of the security codes, 64 hexadecimal digits; drawn if the file is absent." default:"cards.key" placeholder:"FILE"`
	Output string   `short:"o" help:"The PDF to write." required:"" placeholder:"FILE"`
}

// cardWords are the words of cards by language.
var cardWords = map[string]print.CardLabels{
	"fr": {Series: "Série", Card: "carton", Stamp: "Tampon du jour"},
	"en": {Series: "Series", Card: "card", Stamp: "Today’s stamp"},
}

// Run writes the PDF.
func (c cardsPrintCmd) Run(s streams) error {
	if c.From < 1 || c.To < c.From || c.To > 6*maxSheets {
		return misused("cards %d to %d: give --from and --to as numbers of cards, from 1", c.From, c.To)
	}
	design, value, err := c.design()
	if err != nil {
		return err
	}
	cards, err := c.source(s)
	if err != nil {
		return err
	}
	key, err := operatorKey(c.Key, s)
	if err != nil {
		return err
	}
	pages := (c.To - c.From + c.Layout) / c.Layout
	progress := mpb.New(mpb.WithOutput(s.err))
	bar := progress.AddBar(int64(pages), mpb.PrependDecorators(decor.Name("pages "),
		decor.CountersNoUnit("%d / %d")), mpb.AppendDecorators(decor.Percentage()))
	design.Progress = bar.Increment
	err = writeFile(c.Output, func(w io.Writer) error {
		return print.WriteCards(w, design, func(yield func(print.PrintedCard) bool) {
			for serial, card := range cards {
				if !yield(print.PrintedCard{Serial: serial, Card: card, Code: serial.Code(key, int64(value), card)}) {
					return
				}
			}
		})
	})
	if err != nil {
		bar.Abort(false)
	}
	progress.Wait()
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s: series %s, cards %d to %d, %d pages\n", c.Output, c.Series, c.From, c.To, pages)
	return nil
}

// design returns how the cards look, and their value.
func (c cardsPrintCmd) design() (d print.Cards, value money.Cents, err error) {
	d = print.Cards{
		Title: c.Title, Colour: print.SeriesColour(ninety.Series(c.Series)), PerPage: c.Layout,
		Labels: cardWords[c.Lang], Made: time.Now(),
	}
	if c.Colour != "" {
		if d.Colour, err = print.ParseColour(c.Colour); err != nil {
			return d, 0, misuse{err}
		}
	}
	if c.Value != "" {
		if value, err = money.Parse(c.Value); err != nil {
			return d, 0, misused("--value %s: %w", c.Value, err)
		}
		d.Value = fmt.Sprintf("%d,%02d €", value/100, value%100)
		if c.Lang == "en" {
			d.Value = fmt.Sprintf("€%d.%02d", value/100, value%100)
		}
	}
	for _, file := range c.Logo {
		data, err := os.ReadFile(file)
		if err != nil {
			return d, 0, err
		}
		d.Logos = append(d.Logos, data)
	}
	return d, value, nil
}

// source gives the cards asked for, from the file or from the seed.
func (c cardsPrintCmd) source(s streams) (iter.Seq2[ninety.Serial, ninety.Card], error) {
	secret, drawn, err := c.secret()
	switch {
	case err != nil:
		return nil, err
	case c.Cards != "" && c.Seed != "":
		return nil, misused("give --cards or --seed, not both")
	case c.Cards != "":
		return c.file()
	case drawn:
		if err := c.writeSeed(c.Output+".seed", secret); err != nil {
			return nil, err
		}
		fmt.Fprintf(s.out, "The seed of series %s is in %s.seed: give it by --seed to print more "+
			"of the same series, and keep it secret until the cards are out of play.\n", c.Series, c.Output)
	}
	return func(yield func(ninety.Serial, ninety.Card) bool) {
		number := 0
		for sheet := range c.sheets(secret, (c.To+5)/6) {
			for _, card := range sheet {
				number++
				serial := ninety.Serial{Series: ninety.Series(c.Series), Number: number}
				if number >= c.From && number <= c.To && !yield(serial, card) {
					return
				}
			}
		}
	}, nil
}

// file gives the cards of the file, which must all be valid and numbered.
func (c cardsPrintCmd) file() (iter.Seq2[ninety.Serial, ninety.Card], error) {
	data, err := os.ReadFile(c.Cards)
	if err != nil {
		return nil, err
	}
	set, err := cardfile.Read(c.Cards, data)
	if err != nil {
		return nil, err
	}
	if set.Series != "" && string(set.Series) != c.Series {
		return nil, fmt.Errorf("%s holds series %s, not %s", c.Cards, set.Series, c.Series)
	}
	if report := set.Check(cardfile.Profiles["fr"]); !set.Lined || !report.OK() {
		return nil, fmt.Errorf("%s holds cards that cannot be printed: see « boulier cards check %s »",
			c.Cards, c.Cards)
	}
	numbered := map[int]ninety.Card{}
	for _, card := range set.Cards {
		number, err := strconv.Atoi(strings.TrimSpace(card.Code))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: card %q has no number", c.Cards, card.Line, card.Code)
		}
		if numbered[number], err = card.Grid.Card(cardfile.Profiles["fr"]); err != nil {
			return nil, err
		}
	}
	for n := c.From; n <= c.To; n++ {
		if _, ok := numbered[n]; !ok {
			return nil, fmt.Errorf("%s has no card %d", c.Cards, n)
		}
	}
	return func(yield func(ninety.Serial, ninety.Card) bool) {
		for n := c.From; n <= c.To; n++ {
			if !yield(ninety.Serial{Series: ninety.Series(c.Series), Number: n}, numbered[n]) {
				return
			}
		}
	}, nil
}
