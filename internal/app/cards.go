package app

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"boulier/draw"
	"boulier/game/ninety"
	"boulier/internal/cardfile"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// Cards registers the series of the 90-ball games, prints their cards and looks them up.
// A card that no registered series holds is not known to the house (loto:10).
type Cards struct {
	*Ground
	// Progress, if not nil, is told how many cards of a series are stored.
	Progress func(name ninety.Series, done, total int)

	registering sync.Mutex // one registration at a time on this node

	mu    sync.Mutex
	fresh map[ninety.Series]draw.Secret // seeds of series ordered here and not yet made
	key   []byte                        // of the security codes, once opened
}

// NewCards returns the cards of a house.
func NewCards(g *Ground) *Cards {
	return &Cards{Ground: g, fresh: map[ninety.Series]draw.Secret{}}
}

// What the registration of a series refuses.
var (
	ErrSeriesName  = &regs.Violation{Ref: "loto:10", Code: "series_name"}
	ErrSeriesTaken = &regs.Violation{Ref: "loto:10", Code: "series_taken"}
	ErrSeriesBusy  = &regs.Violation{Ref: "loto:10", Code: "series_busy"}
	ErrSeriesGone  = &regs.Violation{Ref: "loto:10", Code: "series_given_up"}
	ErrSeriesSize  = &regs.Violation{Ref: "loto:10", Code: "series_size"}
	ErrSeriesValue = &regs.Violation{Ref: "loto:7.tariff", Code: "series_value"}
	ErrProfile     = &regs.Violation{Ref: "loto:10", Code: "profile_unknown"}
	ErrCardTwice   = &regs.Violation{Ref: "loto:10", Code: "card_twice"}
)

// The bounds of a series that is made here: sheets of six, and the value of a card.
const (
	MaxSheets = 100_000
	MaxValue  = money.Cents(1_000_00)
)

// A SeriesKind says where the cards of a series come from.
type SeriesKind string

// The kinds of series.
const (
	MadeHere  SeriesKind = "made"    // from a sealed seed
	OfPrinter SeriesKind = "printer" // from a file
)

// A SeriesState is a series: being registered until all its cards are stored, then for ever.
type SeriesState struct {
	Name    ninety.Series `json:"name"`
	Kind    SeriesKind    `json:"kind"`
	Title   string        `json:"title"`  // printed on the cards
	Colour  string        `json:"colour"` // as print.ParseColour reads it; empty: the series' own
	Value   money.Cents   `json:"value"`  // of a card; 0 if it is not fixed
	Profile string        `json:"profile"`
	// Lined says that it is known in which line each number stands. Cards without lines
	// play for the full card only.
	Lined  bool      `json:"lined"`
	Count  int       `json:"count"`  // of cards
	First  int       `json:"first"`  // the lowest number of a card
	Last   int       `json:"last"`   // the highest
	Digest string    `json:"digest"` // commitment of the seed, or SHA-256 of the file
	File   string    `json:"file,omitempty"`
	By     player.ID `json:"by"`
	At     time.Time `json:"at"` // when it was asked for, then registered

	Registered bool      `json:"registered"`
	Run        int64     `json:"run"`    // of the registration that may store cards
	Stored     int       `json:"stored"` // cards so far
	Touched    time.Time `json:"touched"`

	Printed []PrintedRange `json:"printed,omitempty"` // latest last
}

// A PrintedRange is a printing of cards with following numbers.
type PrintedRange struct {
	From int       `json:"from"`
	To   int       `json:"to"`
	By   player.ID `json:"by"`
	At   time.Time `json:"at"`
}

const seriesPrefix = "ninety/series/"

func seriesCell(name ninety.Series) Cell[SeriesState] {
	return Cell[SeriesState](seriesPrefix + string(name))
}

// Series returns one series; ErrNotFound if there is none.
func (c *Cards) Series(ctx context.Context, name ninety.Series) (SeriesState, uint64, error) {
	s, n, err := seriesCell(name).Read(ctx, c.Store)
	if err == nil && s.Name == "" {
		err = ErrNotFound
	}
	return s, n, err
}

// AllSeries returns every series by name, also those being registered.
func (c *Cards) AllSeries(ctx context.Context) (list []SeriesState, err error) {
	for last := ""; ; {
		recs, err := c.Store.States(ctx, seriesPrefix, last, readAtOnce)
		if err != nil {
			return nil, err
		}
		for _, rec := range recs {
			last = rec.Name
			if len(rec.Body) == 0 {
				continue
			}
			v, err := decodeCell[SeriesState](rec.Body)
			if err != nil {
				return nil, fmt.Errorf("app: state %s: %w", rec.Name, err)
			}
			list = append(list, v.(SeriesState))
		}
		if len(recs) < readAtOnce {
			return list, nil
		}
	}
}

// check refuses what no series may be, before anything is stored.
func (s SeriesState) check() error {
	switch {
	case !s.Name.Valid():
		return ErrSeriesName.With("%q names no series: give 1 to 8 capitals and digits, the first a capital", s.Name)
	case s.Value < 0 || s.Value > MaxValue:
		return ErrSeriesValue.With("a card costs 0 to %s euros, not %s", MaxValue, s.Value)
	case s.Count < 1:
		return ErrSeriesSize.With("%d cards", s.Count)
	}
	if _, ok := cardfile.Profiles[s.Profile]; !ok {
		return ErrProfile.With("%q is no profile: give fr, no-triple or free", s.Profile)
	}
	return nil
}

// foldCode returns a security code as it is compared: capitals without dash or spaces, and
// the letters that a code never has as the figures that they look like.
func foldCode(code string) string {
	return strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(code))
}
