package ninety

import (
	"slices"
	"strings"
	"testing"

	"boulier/regs/regstest"

	"pgregory.net/rapid"
)

// TestArt10_Serial reads serials as people type them (loto:10: a card of another series
// must be told apart).
func TestArt10_Serial(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:10")
	for _, tc := range []struct {
		typed string
		want  Serial // zero where it is refused
	}{
		{"A-1234", Serial{"A", 1234}},
		{" a-0012 ", Serial{"A", 12}},
		{"a 12", Serial{"A", 12}},
		{"A12", Serial{"A", 12}},
		{"FETE - 7", Serial{"FETE", 7}},
		{"A2026-99999999", Serial{"A2026", 99_999_999}},
		{"", Serial{}}, {"A", Serial{}}, {"12", Serial{}}, {"A-", Serial{}}, {"-12", Serial{}},
		{"A-0", Serial{}}, {"A-100000000", Serial{}}, {"A--", Serial{}}, {"É-1", Serial{}},
		{"9A-1", Serial{}}, {"ABCDEFGHI-1", Serial{}}, {"A-1x", Serial{}}, {"A-99999999999999999999", Serial{}},
	} {
		var got Serial
		if err := got.UnmarshalText([]byte(tc.typed)); got != tc.want || (err == nil) != (tc.want != Serial{}) {
			t.Errorf("%q is read as %v, %v; want %v", tc.typed, got, err, tc.want)
		}
	}
}

func TestSerial_ReadsWhatItPrints(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := Serial{
			Series(rapid.StringMatching(`[A-Z][A-Z0-9]{0,7}`).Draw(t, "series")),
			rapid.IntRange(1, maxNumber).Draw(t, "number"),
		}
		var got Serial
		if err := got.UnmarshalText([]byte(want.String())); err != nil || got != want {
			t.Fatalf("%v is read as %v, %v", want, got, err)
		}
		if !want.Series.Valid() {
			t.Fatalf("%q is not valid", want.Series)
		}
		sheet, place := want.Sheet()
		if place < 0 || place > 5 || (sheet-1)*6+place+1 != want.Number {
			t.Fatalf("%v is card %d of sheet %d", want, place, sheet)
		}
	})
}

// TestSerial_SortsAsNumbers: past 9 999 a text would sort 10000 before 9999.
func TestSerial_SortsAsNumbers(t *testing.T) {
	t.Parallel()
	list := []Serial{{"B", 1}, {"A", 10000}, {"A", 9999}, {"A", 2}}
	slices.SortFunc(list, Serial.Compare)
	if want := []Serial{{"A", 2}, {"A", 9999}, {"A", 10000}, {"B", 1}}; !slices.Equal(list, want) {
		t.Errorf("sorted: %v", list)
	}
}

// TestSerial_Code shows that the code changes with everything it binds.
func TestSerial_Code(t *testing.T) {
	t.Parallel()
	cards := deal(seeded("code"), 1)
	key := []byte("0123456789abcdef0123456789abcdef")
	base := Serial{"A", 12}.Code(key, 500, cards[0])
	if want := codeVector; base != want {
		t.Errorf("the code is %s, want %s", base, want)
	}
	if len(base) != 9 || base[4] != '-' || strings.Trim(base, codeAlphabet+"-") != "" {
		t.Errorf("%q cannot be read out", base)
	}
	moved := cards[0]
	moved.Lines[0], moved.Lines[1] = moved.Lines[1], moved.Lines[0]
	for name, other := range map[string]string{
		"series": Serial{"B", 12}.Code(key, 500, cards[0]),
		"number": Serial{"A", 13}.Code(key, 500, cards[0]),
		"value":  Serial{"A", 12}.Code(key, 501, cards[0]),
		"card":   Serial{"A", 12}.Code(key, 500, cards[1]),
		"lines":  Serial{"A", 12}.Code(key, 500, moved),
		"key":    Serial{"A", 12}.Code(append([]byte{'x'}, key[1:]...), 500, cards[0]),
	} {
		if other == base {
			t.Errorf("the code does not depend on the %s", name)
		}
	}
}

// codeVector is the code of a fixed card under a fixed key: codes on printed cards must
// stay valid in every later version.
const codeVector = "GCKR-AD93"
