package main

import (
	"context"
	"fmt"
	"os"

	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/server"
	"boulier/money"
)

// cardsImportCmd registers a printer's series, also while the platform runs.
type cardsImportCmd struct {
	house
	File    string `arg:"" help:"Cards in one of the formats that cards check reads."`
	Series  string `help:"Name of the series: 1 to 8 capitals and digits, the first a capital." required:""`
	Profile string `help:"fr: 1 to 3 numbers in a column, ascending; no-triple: 1 or 2; free: any, in any order." enum:"fr,no-triple,free" default:"fr"`
	Value   string `help:"Price of a card in euros; without it the price is set at the sale." placeholder:"AMOUNT"`
	Title   string `help:"Title of the series, for people." default:"Loto"`
	Colour  string `help:"Name or six hexadecimal digits; without it each series has its own." placeholder:"COLOUR"`
}

// Run registers the cards of the file, or says what is wrong with it.
func (c cardsImportCmd) Run(s streams) error {
	f, err := c.order()
	if err != nil {
		return err
	}
	ctx, stop := signals()
	defer stop()
	got, err := c.register(ctx, f)
	if err != nil {
		return err
	}
	for _, fault := range got.Faults {
		fmt.Fprintln(s.out, fault)
	}
	switch {
	case len(got.Faults) > 0:
		fmt.Fprintf(s.out, "%s: not registered: %d faults; mend the file, or ask its printer\n",
			c.File, len(got.Faults))
		return refused{}
	case got.Refused != nil:
		fmt.Fprintf(s.out, "%s: not registered: %s [%s, %s]\n", c.File, got.Refused.Detail,
			got.Refused.Code, got.Refused.Ref)
		return refused{}
	}
	fmt.Fprintf(s.out, "%s: series %s registered, %d cards, %s to %s\n", c.File, got.Series.Name,
		got.Series.Count, ninety.Serial{Series: got.Series.Name, Number: got.Series.First},
		ninety.Serial{Series: got.Series.Name, Number: got.Series.Last})
	if !got.Series.Lined {
		fmt.Fprintf(s.out, "%s: these cards have no rows, so they can only play for the full card\n", c.File)
	}
	return nil
}

// order reads the file and the flags.
func (c cardsImportCmd) order() (f app.SeriesFile, err error) {
	f = app.SeriesFile{Request: app.NewRequestID(), By: app.SystemPerson, Name: ninety.Series(c.Series),
		Profile: c.Profile, Title: c.Title, Colour: c.Colour, File: c.File}
	if !f.Name.Valid() {
		return f, noSeries(c.Series)
	}
	if c.Value != "" {
		if f.Value, err = money.Parse(c.Value); err != nil {
			return f, misused("--value %s: %w", c.Value, err)
		}
	}
	if c.Colour != "" {
		if _, err := print.ParseColour(c.Colour); err != nil {
			return f, misuse{err}
		}
	}
	f.Body, err = os.ReadFile(c.File)
	return f, err
}

// register goes through the program that owns the data folder, if there is one.
func (c cardsImportCmd) register(ctx context.Context, f app.SeriesFile) (server.Imported, error) {
	if r := server.Reach(c.Data); r != nil {
		return r.ImportSeries(ctx, f)
	}
	h, err := c.open(ctx)
	if err != nil {
		return server.Imported{}, err
	}
	defer h.Store.Close()
	return h.ImportSeries(ctx, f, programVersion())
}
