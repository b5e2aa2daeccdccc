package main

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

	"boulier/draw"
	"boulier/game/ninety"
	"boulier/internal/cardfile"
)

// cardsCmd makes, checks, prints and registers cards of the 90-ball games.
type cardsCmd struct {
	Make  cardsMakeCmd  `cmd:"" help:"Make a series of sheets of six; every valid sheet is equally likely."`
	Check cardsCheckCmd `cmd:"" help:"Say which rules cards break; exit 1 if any is refused."`
	Print cardsPrintCmd `cmd:"" help:"Print cards of a series as a PDF of A4 pages to cut."`

	Import cardsImportCmd `cmd:"" help:"Register a printer's series for use in a hall, also while the platform runs."`
}

// cardsSeed says which sheets a series has: the same seed makes the same for ever.
type cardsSeed struct {
	Series string `help:"Name of the series: 1 to 8 capitals and digits, the first a capital." required:""`
	Seed   string `help:"64 hexadecimal digits. Without it one is drawn and written to FILE.seed." placeholder:"HEX"`
}

// secret returns the seed given, or a new one, and whether it is new.
func (c cardsSeed) secret() (s draw.Secret, drawn bool, err error) {
	if !ninety.Series(c.Series).Valid() {
		return s, false, noSeries(c.Series)
	}
	if c.Seed == "" {
		_, err := rand.Read(s[:])
		return s, true, err
	}
	if s, err = draw.ParseSecret(strings.ToLower(c.Seed)); err != nil {
		return s, false, misused("--seed takes 64 hexadecimal digits, as FILE.seed holds them")
	}
	return s, false, nil
}

// noSeries refuses a name that no series can have.
func noSeries(name string) error {
	return misused("%q names no series: give 1 to 8 capitals and digits, the first a capital, such as A or FETE26", name)
}

// sheets gives the first n sheets of the series. The sheet is the same variable each time.
func (c cardsSeed) sheets(s draw.Secret, n int) iter.Seq[*ninety.Sheet] {
	return func(yield func(*ninety.Sheet) bool) {
		src := draw.NewStream(draw.NinetySheets, draw.ID(c.Series), s, nil)
		var sheet ninety.Sheet
		for range n {
			sheet.Deal(src)
			if !yield(&sheet) {
				return
			}
		}
	}
}

// writeSeed writes a seed and its commitment beside a new file. It never replaces a seed:
// the cards made from it could not be made again.
func (c cardsSeed) writeSeed(file string, s draw.Secret) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists: move it away, or give the seed in it by --seed", file)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "series %s\nseed %s\ncommitment %s\n", c.Series, s.Reveal(),
		draw.Commit(draw.NinetySheets, draw.ID(c.Series), s))
	return errors.Join(err, f.Close())
}

// cardsMakeCmd makes a series.
type cardsMakeCmd struct {
	cardsSeed
	Sheets int    `help:"How many sheets of six cards." required:""`
	Format string `help:"csv or json." enum:"csv,json" default:"csv"`
	Output string `short:"o" help:"The file to write." required:"" placeholder:"FILE"`
}

// maxSheets bounds a series by the numbers that a serial can have.
const maxSheets = 16_666_666

// Run writes the series.
func (c cardsMakeCmd) Run(s streams) error {
	if c.Sheets < 1 || c.Sheets > maxSheets {
		return misused("--sheets is %d: a series has 1 to %d sheets", c.Sheets, maxSheets)
	}
	secret, drawn, err := c.secret()
	if err != nil {
		return err
	}
	if drawn {
		if err := c.writeSeed(c.Output+".seed", secret); err != nil {
			return err
		}
	}
	write := cardfile.WriteCSV
	if c.Format == "json" {
		write = cardfile.WriteJSON
	}
	err = writeFile(c.Output, func(w io.Writer) error {
		return write(w, ninety.Series(c.Series), c.sheets(secret, c.Sheets))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s: series %s, %d sheets, cards 1 to %d\ncommitment %s\n", c.Output,
		c.Series, c.Sheets, 6*c.Sheets, draw.Commit(draw.NinetySheets, draw.ID(c.Series), secret))
	if drawn {
		fmt.Fprintf(s.out, "The seed is in %s.seed: keep it secret until the cards are out of play.\n", c.Output)
	}
	return nil
}

// writeFile writes a file whole or not at all: under another name first, so that a full
// disk leaves no half of one.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name+".part", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// cardsCheckCmd judges files of cards.
type cardsCheckCmd struct {
	Files   []string `arg:"" name:"file" help:"CSV, JSON, printed rows, or fifteen numbers a line."`
	Profile string   `help:"fr: 1 to 3 numbers in a column, ascending; no-triple: 1 or 2; free: any, in any order." enum:"fr,no-triple,free" default:"fr"`
	JSON    bool     `help:"One object a file, for programs."`
}

// fileVerdict is the verdict on a file as programs read it.
type fileVerdict struct {
	File         string        `json:"file"`
	Profile      string        `json:"profile"`
	OK           bool          `json:"ok"`
	Error        string        `json:"error,omitempty"` // the file cannot be read; nothing else is set
	Cards        int           `json:"cards"`
	FullCardOnly bool          `json:"full_card_only"`
	Sheets       int           `json:"sheets"`
	BrokenSheets []string      `json:"broken_sheets"`
	EqualRows    int           `json:"equal_rows"`
	Refused      []cardVerdict `json:"refused"`
}

// cardVerdict is a refused card as programs read it.
type cardVerdict struct {
	Card   string      `json:"card"`
	Line   int         `json:"line"`
	Faults []cardFault `json:"faults"`
}

// cardFault is a broken rule as programs read it.
type cardFault struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Run judges each file; one that cannot be read does not hide the others.
func (c cardsCheckCmd) Run(s streams) error {
	out := bufio.NewWriter(s.out)
	ok := true
	verdicts := []fileVerdict{}
	for _, file := range c.Files {
		set, report, err := c.check(file)
		ok = ok && err == nil && report.OK()
		switch {
		case c.JSON:
			verdicts = append(verdicts, c.verdict(file, set, report, err))
		case err != nil:
			fmt.Fprintln(out, err)
		default:
			c.say(out, set, report)
		}
	}
	if c.JSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(verdicts); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if !ok {
		return refused{}
	}
	return nil
}

// check reads and judges one file.
func (c cardsCheckCmd) check(file string) (*cardfile.Set, *cardfile.Report, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	set, err := cardfile.Read(file, data)
	if err != nil {
		return nil, nil, err
	}
	return set, set.Check(cardfile.Profiles[c.Profile]), nil
}

// say writes a verdict for people: each refused card, then the set.
func (c cardsCheckCmd) say(out io.Writer, set *cardfile.Set, r *cardfile.Report) {
	for _, v := range r.Refused {
		for _, f := range v.Faults {
			fmt.Fprintf(out, "%s:%d: card %s: %s [%s]\n", set.File, v.Card.Line, v.Card.Code, f.Detail, f.Code)
		}
	}
	for _, sheet := range r.Broken {
		fmt.Fprintf(out, "%s:%d: %s [sheet_partition]\n", set.File, sheet.Line, sheet.Text)
	}
	fmt.Fprintf(out, "%s: %d cards, %d refused (%s)", set.File, r.Cards, len(r.Refused), c.Profile)
	if r.Sheets > 0 {
		fmt.Fprintf(out, "; %d sheets, %d refused", r.Sheets, len(r.Broken))
	}
	if r.EqualRows > 0 {
		fmt.Fprintf(out, "; %d equal rows, such as %s (allowed)", r.EqualRows, r.FirstEqual)
	}
	fmt.Fprintln(out)
	if !set.Lined {
		fmt.Fprintf(out, "%s: these cards have no rows, so they can only play for the full card\n", set.File)
	}
}

// verdict returns a verdict for programs.
func (c cardsCheckCmd) verdict(file string, set *cardfile.Set, r *cardfile.Report, err error) fileVerdict {
	v := fileVerdict{File: file, Profile: c.Profile, BrokenSheets: []string{}, Refused: []cardVerdict{}}
	if err != nil {
		v.Error = err.Error()
		return v
	}
	v.OK, v.Cards, v.FullCardOnly = r.OK(), r.Cards, !set.Lined
	v.Sheets, v.EqualRows = r.Sheets, r.EqualRows
	for _, sheet := range r.Broken {
		v.BrokenSheets = append(v.BrokenSheets, sheet.Text)
	}
	for _, refused := range r.Refused {
		card := cardVerdict{refused.Card.Code, refused.Card.Line, nil}
		for _, f := range refused.Faults {
			card.Faults = append(card.Faults, cardFault{f.Code, f.Detail})
		}
		v.Refused = append(v.Refused, card)
	}
	return v
}

// operatorKey reads the key of security codes, 64 hexadecimal digits, or draws one into a new
// file of mode 0600 and says so.
func operatorKey(file string, s streams) ([]byte, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		key := make([]byte, 32)
		if _, err := rand.Read(key); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, []byte(hex.EncodeToString(key)+"\n"), 0o600); err != nil {
			return nil, err
		}
		fmt.Fprintf(s.out, "A new key of security codes is in %s. Keep it: without it the codes "+
			"on these cards cannot be checked, and whoever has it can make them.\n", file)
		return key, nil
	}
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != 32 {
		return nil, fmt.Errorf("%s: a key of security codes is 64 hexadecimal digits", file)
	}
	return key, nil
}
