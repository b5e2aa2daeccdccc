package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/cardfile"
	"boulier/internal/print"
	"boulier/journal"
	"boulier/player"
	"boulier/regs/regstest"
)

// hall is a house with a manager and its cards.
func hall(t *testing.T) (*apptest.House, *app.Cards, player.ID) {
	t.Helper()
	h := apptest.New(t)
	return h, app.NewCards(h.Ground), h.Staff("manager", app.Manager)
}

// order is an order of a series; made has it made too.
func order(by player.ID, name ninety.Series, sheets int) app.MadeSeries {
	return app.MadeSeries{Request: app.NewRequestID(), By: by, Name: name, Sheets: sheets, Value: 500, Title: "Loto"}
}

func made(t *testing.T, c *app.Cards, o app.MadeSeries) app.SeriesState {
	t.Helper()
	if err := c.Order(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if err := c.MakeWanted(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, _, err := c.Series(t.Context(), o.Name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// allCards reads every card of a series.
func allCards(t *testing.T, r app.Reader, name ninety.Series) []app.CardRow {
	t.Helper()
	rows, err := r.Cards(t.Context(), name, 0, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// kinds returns the kinds of the events of a stream.
func kinds(t *testing.T, h *apptest.House, stream string) (out []string) {
	t.Helper()
	entries, err := h.Store.Stream(t.Context(), stream, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		leaf, err := journal.ParseLeaf(e.Leaf)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(leaf.Kind))
	}
	return out
}

func TestArt10_MakeSeries(t *testing.T) {
	regstest.Covers(t, "loto:10")
	t.Parallel()
	h, c, by := hall(t)
	var told []int
	c.Progress = func(_ ninety.Series, done, total int) { told = append(told, done, total) }
	s := made(t, c, order(by, "A", 400))
	if !s.Registered || s.Count != 2400 || s.First != 1 || s.Last != 2400 || !s.Lined || s.Kind != app.MadeHere {
		t.Errorf("the series is %+v", s)
	}
	if got := fmt.Sprint(told); got != "[1002 2400 2004 2400 2400 2400]" {
		t.Errorf("progress was %s", got)
	}
	rows := allCards(t, h.Store, "A")
	if len(rows) != 2400 {
		t.Fatalf("%d cards are stored", len(rows))
	}
	var sheet ninety.Sheet
	for i, r := range rows {
		if r.Number != i+1 {
			t.Fatalf("card %d has the number %d", i, r.Number)
		}
		card, err := r.Card().Grid().Card(cardfile.Profiles["fr"])
		if err != nil {
			t.Fatalf("card %d: %v", r.Number, err)
		}
		if sheet[i%6] = card; i%6 == 5 {
			if err := sheet.Check(); err != nil {
				t.Fatalf("sheet %d: %v", i/6+1, err)
			}
		}
	}
	if got := kinds(t, h, "ninety/series/A"); fmt.Sprint(got) != "[series_registered]" {
		t.Errorf("the journal says %v", got)
	}
}

func TestArt10_SeriesGoOnAfterAStop(t *testing.T) {
	t.Parallel()
	h, c, by := hall(t)
	if err := c.Order(t.Context(), order(by, "A", 400)); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	c.Progress = func(ninety.Series, int, int) { stop() }
	if err := c.MakeWanted(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped with %v", err)
	}
	before := allCards(t, h.Store, "A")
	if len(before) == 0 || len(before) == 2400 {
		t.Fatalf("%d cards at the stop", len(before))
	}
	if _, err := c.Look(t.Context(), by, "A-1", ""); !errors.Is(err, app.ErrCardUnknown) {
		t.Errorf("a card of an unfinished series is found: %v", err)
	}
	again := app.NewCards(h.Ground) // a new start of the program
	if err := again.MakeWanted(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := allCards(t, h.Store, "A")
	if len(after) != 2400 || !bytes.Equal(after[0].Face, before[0].Face) {
		t.Fatalf("%d cards after the next start", len(after))
	}
	var sheet ninety.Sheet
	for i, r := range after { // cards before and after the stop are of one stream
		if sheet[i%6] = r.Card(); i%6 == 5 {
			if err := sheet.Check(); err != nil {
				t.Fatalf("sheet %d: %v", i/6+1, err)
			}
		}
	}
	if got := kinds(t, h, "secret/ninety/sheets/A"); fmt.Sprint(got) != "[secret_opened]" {
		t.Errorf("the opening of the seed is journaled as %v", got)
	}
}

// printed are three cards of a printer, in his format.
const printed = `code,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27
001,1,16,,31,,58,,,82,,,27,36,42,,,75,87,,,24,38,,59,67,,84
`

func file(by player.ID, name ninety.Series, text string) app.SeriesFile {
	return app.SeriesFile{Request: app.NewRequestID(), By: by, Name: name, Profile: "free", Title: "Loto",
		File: "printer.csv", Body: []byte(text)}
}

// fifteen is a card without lines: fifteen numbers from n on.
func fifteen(n int) string {
	var b strings.Builder
	for i := range 15 {
		fmt.Fprintf(&b, "%d ", n+5*i)
	}
	return b.String() + "\n"
}

func TestArt10_ImportSeries(t *testing.T) {
	regstest.Covers(t, "loto:10")
	t.Parallel()
	h, c, by := hall(t)
	ours := made(t, c, order(by, "A", 1))
	var csv bytes.Buffer
	first := allCards(t, h.Store, "A")[0].Card()
	fmt.Fprintln(&csv, "code,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27")
	fmt.Fprint(&csv, "X9")
	for _, line := range first.Grid() {
		for _, b := range line {
			fmt.Fprintf(&csv, ",%d", b)
		}
	}
	fmt.Fprintln(&csv)
	for _, tc := range []struct {
		name   string
		file   app.SeriesFile
		want   error
		faults string
	}{
		{"the name of another series", file(by, ours.Name, printed), app.ErrSeriesTaken, ""},
		{"a name that is none", file(by, "a", printed), app.ErrSeriesName, ""},
		{"a card of another series, whatever it is called", file(by, "B", csv.String()), nil,
			"printer.csv:2: card X9: the same numbers as card A-1: no card may exist twice [equal_card]"},
		{"a card twice in the file", file(by, "B", fifteen(1)+fifteen(2)+fifteen(1)), nil,
			"printer.csv:3: card 3: the same numbers as card 1 [equal_card]"},
		{"a card that breaks the profile", file(by, "B", fifteen(1)+fifteen(21)), nil,
			"printer.csv:2: card 2: 91 is not from 1 to 90 [number_range]"},
		{"a file that cannot be read", file(by, "B", "1 2 3\n"), nil,
			"printer.csv:1: 3 numbers and blanks: a row has 9, a card 27, a card without rows 15 [unreadable]"},
		{"no manager", file(h.Staff("cashier", app.Cashier), "B", printed), app.ErrForbidden, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, faults, err := c.Import(t.Context(), tc.file)
			var all []string
			for _, f := range faults {
				all = append(all, f.String())
			}
			if !errors.Is(err, tc.want) || strings.Join(all, "\n") != tc.faults {
				t.Errorf("refused with %v and\n%s", err, strings.Join(all, "\n"))
			}
			if _, _, err := c.Series(t.Context(), "B"); !errors.Is(err, app.ErrNotFound) {
				t.Errorf("a refused series has left its state: %v", err)
			}
			if rows := allCards(t, h.Store, "B"); len(rows) != 0 {
				t.Errorf("a refused series has left %d cards", len(rows))
			}
		})
	}
	s, faults, err := c.Import(t.Context(), file(by, "B", printed))
	if err != nil || faults != nil || !s.Registered || !s.Lined || s.Count != 1 || s.Kind != app.OfPrinter {
		t.Errorf("the printer's series is %+v, %v, %v", s, faults, err)
	}
	got, err := c.Look(t.Context(), by, "b 1", "")
	if err != nil || got.Number != 1 || got.Ref != "" || got.Card().Grid()[2][8] != 84 {
		t.Errorf("its card is %+v, %v", got, err)
	}
}

func TestArt10_ImportKeepsThePrintersNames(t *testing.T) {
	t.Parallel()
	_, c, by := hall(t)
	named := strings.Replace(printed, "001,", "XY/7,", 1)
	s, faults, err := c.Import(t.Context(), file(by, "P", named))
	if err != nil || faults != nil {
		t.Fatal(err, faults)
	}
	for _, text := range []string{"P-1", "XY/7"} {
		got, err := c.Look(t.Context(), by, text, "")
		if err != nil || got.Serial() != (ninety.Serial{Series: "P", Number: 1}) || got.Ref != "XY/7" {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	if s.First != 1 || s.Last != 1 {
		t.Errorf("its numbers are %d to %d", s.First, s.Last)
	}
}

func TestArt10_CardsWithoutLinesAreForTheFullCard(t *testing.T) {
	t.Parallel()
	_, c, by := hall(t)
	s, faults, err := c.Import(t.Context(), file(by, "F", fifteen(1)+fifteen(2)))
	if err != nil || faults != nil || s.Lined || s.Count != 2 {
		t.Fatalf("registered as %+v, %v, %v", s, faults, err)
	}
	err = c.Print(t.Context(), app.CardPrint{Request: app.NewRequestID(), By: by, Series: "F", From: 1, To: 2,
		PerPage: 6}, func() io.Writer { t.Error("written"); return io.Discard })
	if !errors.Is(err, app.ErrFullCardOnly) {
		t.Errorf("printed with %v", err)
	}
}

func TestStd43_ImportIsOneRegistration(t *testing.T) {
	regstest.Covers(t, "std:43")
	t.Parallel()
	h, c, by := hall(t)
	f := file(by, "B", printed)
	first, _, err := c.Import(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	again, faults, err := c.Import(t.Context(), f)
	if err != nil || faults != nil || again.Run != first.Run || !again.Registered {
		t.Errorf("the second answer is %+v, %v, %v", again, faults, err)
	}
	if got := kinds(t, h, "ninety/series/B"); len(got) != 1 {
		t.Errorf("the journal says %v", got)
	}
}

func TestArt10_AStoppedImportGoesOnOrIsClearedAway(t *testing.T) {
	t.Parallel()
	h, c, by := hall(t)
	maker := app.NewCards(apptest.New(t).Ground)
	var text bytes.Buffer
	writeSheets(t, &text, maker, 400)
	f := file(by, "B", text.String())
	ctx, stop := context.WithCancel(t.Context())
	c.Progress = func(ninety.Series, int, int) { stop() }
	if _, _, err := c.Import(ctx, f); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped with %v", err)
	}
	c.Progress = nil
	if n := len(allCards(t, h.Store, "B")); n == 0 || n == 2400 {
		t.Fatalf("%d cards at the stop", n)
	}
	if _, _, err := c.Import(t.Context(), file(by, "B", printed)); !errors.Is(err, app.ErrSeriesBusy) {
		t.Errorf("another file under the name at once: %v", err)
	}
	h.Clock.Move(time.Minute)
	if _, _, err := c.Import(t.Context(), file(by, "B", printed)); err != nil {
		t.Errorf("another file under the name a minute later: %v", err)
	}
	if n := len(allCards(t, h.Store, "B")); n != 1 {
		t.Errorf("%d cards after that", n)
	}
	if _, _, err := c.Import(t.Context(), f); !errors.Is(err, app.ErrSeriesGone) {
		t.Errorf("the stopped import goes on after that: %v", err)
	}
	// The same request goes on where it stopped.
	g := file(by, "C", text.String())
	ctx, stop = context.WithCancel(t.Context())
	c.Progress = func(ninety.Series, int, int) { stop() }
	if _, _, err := c.Import(ctx, g); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped with %v", err)
	}
	c.Progress = nil
	if s, faults, err := c.Import(t.Context(), g); err != nil || faults != nil || s.Stored != 2400 {
		t.Errorf("went on as %+v, %v, %v", s, faults, err)
	}
}

// writeSheets writes cards as a printer's table, each called C and its rank.
func writeSheets(t *testing.T, w io.Writer, c *app.Cards, sheets int) {
	t.Helper()
	by := app.SystemPerson
	made(t, c, order(by, "Z", sheets))
	fmt.Fprintln(w, "code,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27")
	for _, r := range allCards(t, c.Store, "Z") {
		fmt.Fprintf(w, "C%d", r.Number)
		for _, line := range r.Card().Grid() {
			for _, b := range line {
				fmt.Fprintf(w, ",%d", b)
			}
		}
		fmt.Fprintln(w)
	}
}

func TestArt10_LookUpChecksTheCode(t *testing.T) {
	regstest.Covers(t, "loto:10")
	t.Parallel()
	h, c, by := hall(t)
	made(t, c, order(by, "A", 1))
	code := codeOf(t, h, "A-2")
	for _, tc := range []struct {
		name, text, code string
		want             app.CodeVerdict
		err              error
	}{
		{"no code", "A-2", "", app.CodeAbsent, nil},
		{"the code", "A-2", code, app.CodeRight, nil},
		{"in small letters without its dash", "a2", strings.ToLower(strings.Replace(code, "-", " ", 1)), app.CodeRight, nil},
		{"the code of another card", "A-3", code, app.CodeWrong, nil},
		{"another code", "A-2", "0000-0000", app.CodeWrong, nil},
		{"a part of the code", "A-2", code[:8], app.CodeWrong, nil},
		{"a card that is none", "A-7", code, "", app.ErrCardUnknown},
		{"a series that is none", "B-1", "", "", app.ErrCardUnknown},
		{"no serial", "hello", "", "", app.ErrCardUnknown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := c.Look(t.Context(), by, tc.text, tc.code)
			if !errors.Is(err, tc.err) || got.Code != tc.want {
				t.Errorf("found %v with %v", got.Code, err)
			}
		})
	}
}

// codeOf prints all cards of series A and returns the code of one, as the file shows it.
func codeOf(t *testing.T, h *apptest.House, serial string) string {
	t.Helper()
	key, err := h.Vault.Unseal(secretOf(t, h))
	if err != nil {
		t.Fatal(err)
	}
	var s ninety.Serial
	if err := s.UnmarshalText([]byte(serial)); err != nil {
		t.Fatal(err)
	}
	row, err := h.Store.Card(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return s.Code(key, 500, row.Card())
}

// secretOf returns the sealed key of the codes as Unseal takes it; a first look makes it.
func secretOf(t *testing.T, h *apptest.House) (key, use, id string, sealed []byte) {
	t.Helper()
	if _, err := app.NewCards(h.Ground).Look(t.Context(), app.SystemPerson, "A-1", "x"); err != nil {
		t.Fatal(err)
	}
	row, err := h.Store.Secret(t.Context(), "ninety/codes", "key")
	if err != nil {
		t.Fatal(err)
	}
	return row.KeyID, row.Use, row.ID, row.Sealed
}

func TestArt10_WrongCodesAreFew(t *testing.T) {
	t.Parallel()
	h, c, by := hall(t)
	made(t, c, order(by, "A", 1))
	for range 10 {
		if got, err := c.Look(t.Context(), by, "A-1", "0000-0000"); err != nil || got.Code != app.CodeWrong {
			t.Fatal(got.Code, err)
		}
	}
	if _, err := c.Look(t.Context(), by, "A-1", codeOf(t, h, "A-1")); !errors.Is(err, app.ErrCodeTrials) {
		t.Errorf("the eleventh code is answered: %v", err)
	}
	if _, err := c.Look(t.Context(), by, "A-1", ""); err != nil {
		t.Errorf("without a code: %v", err)
	}
	h.Clock.Move(time.Hour)
	if got, err := c.Look(t.Context(), by, "A-1", codeOf(t, h, "A-1")); err != nil || got.Code != app.CodeRight {
		t.Errorf("an hour later: %v, %v", got.Code, err)
	}
}

func TestReadSerial(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"A-1234 7K2M-9QXW": {"A-1234", "7K2M-9QXW"},
		" a 12 ":           {"a 12", ""},
		"A-12":             {"A-12", ""},
		"XY/7":             {"XY/7", ""},
	} {
		if serial, code := app.ReadSerial(text); serial != want[0] || code != want[1] {
			t.Errorf("%q is %q and %q", text, serial, code)
		}
	}
}

func TestArt10_PrintSeries(t *testing.T) {
	t.Parallel()
	h, c, by := hall(t)
	made(t, c, order(by, "A", 2))
	o := app.CardPrint{Request: app.NewRequestID(), By: by, Series: "A", From: 2, To: 8, PerPage: 3,
		Title: "Loto", Value: "5,00 €", Labels: print.CardLabels{Series: "Série", Card: "carton", Stamp: "Tampon"}}
	var first, second bytes.Buffer
	for _, w := range []*bytes.Buffer{&first, &second} {
		if err := c.Print(t.Context(), o, func() io.Writer { return w }); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.HasPrefix(first.Bytes(), []byte("%PDF")) || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("the two files of one request have %d and %d bytes", first.Len(), second.Len())
	}
	if got := kinds(t, h, "ninety/series/A"); fmt.Sprint(got) != "[series_registered cards_printed]" {
		t.Errorf("the journal says %v", got)
	}
	for _, tc := range []struct {
		name string
		edit func(*app.CardPrint)
		want error
	}{
		{"from 0", func(o *app.CardPrint) { o.From = 0 }, app.ErrPrintRange},
		{"beyond the last", func(o *app.CardPrint) { o.To = 13 }, app.ErrPrintRange},
		{"backwards", func(o *app.CardPrint) { o.From = 9 }, app.ErrPrintRange},
		{"four to a page", func(o *app.CardPrint) { o.PerPage = 4 }, app.ErrPrintRange},
		{"another series", func(o *app.CardPrint) { o.Series = "B" }, app.ErrSeriesUnknown},
		{"no manager", func(o *app.CardPrint) { o.By = h.Staff("cashier", app.Cashier) }, app.ErrForbidden},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := o
			o.Request = app.NewRequestID()
			tc.edit(&o)
			err := c.Print(t.Context(), o, func() io.Writer { t.Error("written"); return io.Discard })
			if !errors.Is(err, tc.want) {
				t.Errorf("printed with %v", err)
			}
		})
	}
}
