package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"boulier/game/ninety"
	"boulier/internal/cardfile"
	"boulier/money"
	"boulier/player"
)

// A SeriesFile is a printer's series, to be registered.
type SeriesFile struct {
	Request RequestID
	By      player.ID
	Name    ninety.Series
	Profile string // one of cardfile.Profiles
	Value   money.Cents
	Title   string
	Colour  string
	File    string // name of the file
	Body    []byte
}

// A SeriesFault is a reason why a file is not registered. The code is stable; the text says
// in English what is wrong.
type SeriesFault struct {
	File string `json:"file"`
	Line int    `json:"line"`           // from 1
	Card string `json:"card,omitempty"` // as the file calls it
	Code string `json:"code"`
	Text string `json:"text"`
}

func (f SeriesFault) String() string {
	card := ""
	if f.Card != "" {
		card = "card " + f.Card + ": "
	}
	return fmt.Sprintf("%s:%d: %s%s [%s]", f.File, f.Line, card, f.Text, f.Code)
}

// Import registers the cards of a printer's file as a series (loto:10). The file is refused
// with every fault of it, and nothing is kept, when it cannot be read, when a card breaks
// the profile, when a sheet does not hold each number once, and when a card has the numbers
// of another one, in the file or in a registered series. A card keeps its number when all
// cards of the file are numbered; else they are numbered in their order, and keep what the
// printer calls them beside.
func (c *Cards) Import(ctx context.Context, f SeriesFile) (SeriesState, []SeriesFault, error) {
	set, faults := readSeries(f)
	if len(faults) > 0 {
		return SeriesState{}, faults, nil
	}
	digest := sha256.Sum256(f.Body)
	want := SeriesState{Name: f.Name, Kind: OfPrinter, Title: f.Title, Colour: f.Colour, Value: f.Value,
		Profile: f.Profile, Count: 1, Digest: hex.EncodeToString(digest[:]), File: f.File, By: f.By}
	if set != nil {
		want.Lined, want.Count = set.Lined, len(set.Cards)
	}
	if err := want.check(); err != nil {
		return SeriesState{}, nil, err
	}
	rows := rowsOf(f.Name, set)
	want.First, want.Last = rows[0].Number, rows[0].Number
	for _, r := range rows {
		want.First, want.Last = min(want.First, r.Number), max(want.Last, r.Number)
	}
	c.registering.Lock()
	defer c.registering.Unlock()
	s, err := c.begin(ctx, NewRequest(f.Request, "person/"+f.By.String(), "series/import", want), want)
	if err != nil {
		return SeriesState{}, nil, err
	}
	return c.storeFile(ctx, s, set, rows)
}

// readSeries reads a file and judges its cards. Names that are none are left to the check of
// the series: then there is no set.
func readSeries(f SeriesFile) (*cardfile.Set, []SeriesFault) {
	profile, ok := cardfile.Profiles[f.Profile]
	if !ok || !f.Name.Valid() {
		return nil, nil
	}
	fault := func(line int, card, code, text string) SeriesFault {
		return SeriesFault{f.File, line, card, code, text}
	}
	set, err := cardfile.Read(f.File, f.Body)
	if e, ok := errors.AsType[*cardfile.Error](err); ok {
		return nil, []SeriesFault{fault(e.Line, "", "unreadable", e.Text)}
	}
	if err != nil {
		return nil, []SeriesFault{fault(1, "", "unreadable", err.Error())}
	}
	var faults []SeriesFault
	if set.Series != "" && set.Series != f.Name {
		faults = append(faults, fault(1, "", "other_series", fmt.Sprintf(
			"the file holds series %s: register it under this name", set.Series)))
	}
	report := set.Check(profile)
	for _, v := range report.Refused {
		for _, x := range v.Faults {
			faults = append(faults, fault(v.Card.Line, v.Card.Code, x.Code, x.Detail))
		}
	}
	for _, b := range report.Broken {
		faults = append(faults, fault(b.Line, "", "sheet_partition", b.Text))
	}
	slices.SortStableFunc(faults, func(a, b SeriesFault) int { return a.Line - b.Line })
	return set, faults
}

// rowsOf returns the cards of a sound set as they are stored, in its order.
func rowsOf(name ninety.Series, set *cardfile.Set) []CardRow {
	rows := make([]CardRow, len(set.Cards))
	numbered := true
	taken := make(map[int]bool, len(rows))
	for i, card := range set.Cards {
		var s ninety.Serial
		err := s.UnmarshalText([]byte(string(name) + "-" + card.Code))
		numbered = numbered && err == nil && s.Series == name && !taken[s.Number]
		taken[s.Number] = true
		rows[i] = CardRow{Series: name, Number: s.Number, Face: fileFace(card)}
	}
	if !numbered {
		for i, card := range set.Cards {
			rows[i].Number, rows[i].Ref = i+1, card.Code
		}
	}
	return rows
}

// fileFace returns the face of a card of a file: by line if the file says the lines.
func fileFace(card cardfile.Card) []byte {
	if card.Numbers != nil {
		face := make([]byte, len(card.Numbers))
		for i, b := range card.Numbers {
			face[i] = byte(b)
		}
		slices.Sort(face)
		return face
	}
	face := make([]byte, 0, 15)
	for _, line := range card.Grid {
		for _, b := range line {
			if b != 0 {
				face = append(face, byte(b))
			}
		}
	}
	return face
}

// storeFile stores the cards of a file, going on where an interrupted call with the same
// request has stopped, and closes the registration.
func (c *Cards) storeFile(ctx context.Context, s SeriesState, set *cardfile.Set, rows []CardRow) (
	SeriesState, []SeriesFault, error) {
	now, _, err := seriesCell(s.Name).Read(ctx, c.Store)
	if err != nil {
		return s, nil, err
	}
	if now.Run != s.Run {
		return s, nil, ErrSeriesGone.With("series %s", s.Name)
	}
	if now.Registered {
		return now, nil, nil
	}
	faults, err := c.equals(ctx, s, set, rows)
	for err == nil && len(faults) == 0 && now.Stored < len(rows) {
		err = c.storeCards(ctx, &now, rows[now.Stored:min(len(rows), now.Stored+cardsAtOnce)])
		if errors.Is(err, ErrTaken) { // registered by another node since we looked
			faults, err = c.equals(ctx, s, set, rows)
			if err == nil && len(faults) == 0 {
				err = ErrCardTwice.With("series %s", s.Name)
			}
		}
	}
	if err == nil && len(faults) == 0 {
		now, err = c.close(ctx, now)
	}
	if err != nil && !errors.Is(err, ErrCardTwice) { // of the system: it may go on later
		return s, nil, err
	}
	if err != nil || len(faults) > 0 {
		return s, faults, errors.Join(err, c.giveUp(ctx, s))
	}
	return now, nil, nil
}

// equals returns the cards that a registered series, or one being registered, holds already.
func (c *Cards) equals(ctx context.Context, s SeriesState, set *cardfile.Set, rows []CardRow) ([]SeriesFault, error) {
	var faults []SeriesFault
	for from := 0; from < len(rows); from += cardsAtOnce {
		part := rows[from:min(len(rows), from+cardsAtOnce)]
		faces := make([][]byte, len(part))
		at := make(map[ninety.BallSet]int, len(part))
		for i, r := range part {
			faces[i] = r.Face
			at[r.Card().Numbers()] = from + i
		}
		alike, err := c.Store.CardsAlike(ctx, faces)
		if err != nil {
			return nil, err
		}
		for _, other := range alike {
			if other.Series == s.Name { // stored by an interrupted call
				continue
			}
			card := set.Cards[at[other.Card().Numbers()]]
			faults = append(faults, SeriesFault{s.File, card.Line, card.Code, "equal_card", fmt.Sprintf(
				"the same numbers as card %s: no card may exist twice", other.Serial())})
		}
	}
	slices.SortStableFunc(faults, func(a, b SeriesFault) int { return a.Line - b.Line })
	return faults, nil
}
