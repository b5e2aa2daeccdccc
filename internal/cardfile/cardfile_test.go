package cardfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"boulier/draw"
	"boulier/game/ninety"
	"boulier/regs/regstest"
)

// real returns a file of other people, or skips where there is none.
func real(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("BOULIER_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the data folder is absent: %v", err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "cards", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// broken counts the cards of a report that break each rule.
func broken(r *Report) map[string]int {
	n := map[string]int{}
	for _, v := range r.Refused {
		seen := map[string]bool{}
		for _, f := range v.Faults {
			if !seen[f.Code] {
				n[f.Code]++
			}
			seen[f.Code] = true
		}
	}
	return n
}

// TestCheck_RealFiles holds the verdicts on real files, by profile.
func TestCheck_RealFiles(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:10")
	type rules = map[string]int
	for _, tc := range []struct {
		file, profile          string
		cards, refused, sheets int
		rules                  rules
		lined                  bool
	}{
		// Their columns do not ascend; most of the cards break another rule too.
		{"ilnata-ffd-tombola-cartelle.sample.csv", "fr", 48, 48, 0,
			rules{"column_count": 38, "column_order": 48, "line_count": 8}, true},
		{"ilnata-ffd-tombola-cartelle.sample.csv", "no-triple", 48, 48, 0,
			rules{"column_count": 47, "column_order": 48, "line_count": 8}, true},
		{"ilnata-ffd-tombola-cartelle.sample.csv", "free", 48, 8, 0, rules{"line_count": 8}, true},
		// Six good sheets, but for the order in the columns.
		{"kf2001-tombola-cartelle.json", "fr", 36, 36, 6, rules{"column_order": 36}, true},
		{"kf2001-tombola-cartelle.json", "free", 36, 0, 6, rules{}, true},
		{"pablopilotti-correcto-cartones.sample.txt", "fr", 90, 0, 0, rules{}, false},
		{"pablopilotti-correcto-cartones.sample.txt", "no-triple", 90, 86, 0,
			rules{"column_count": 86}, false},
		// It partitions 1 to 90, and has nine blank columns.
		{"wojciecholech-readme-old-strip-blank-columns.json", "fr", 6, 6, 1, rules{"column_count": 6}, true},
		{"wojciecholech-readme-old-strip-blank-columns.json", "free", 6, 0, 1, rules{}, true},
		{"wojciecholech-readme-strip-valid.txt", "fr", 6, 0, 1, rules{}, true},
		{"wojciecholech-readme-strip-valid.txt", "no-triple", 6, 5, 1, rules{"column_count": 5}, true},
	} {
		t.Run(tc.file+"/"+tc.profile, func(t *testing.T) {
			s, err := Read(tc.file, real(t, tc.file))
			if err != nil {
				t.Fatal(err)
			}
			r := s.Check(Profiles[tc.profile])
			if r.Cards != tc.cards || len(r.Refused) != tc.refused || s.Lined != tc.lined ||
				r.Sheets != tc.sheets || len(r.Broken) != 0 {
				t.Errorf("%d cards, %d refused, %d sheets, %v broken, lined: %v; want %+v",
					r.Cards, len(r.Refused), r.Sheets, r.Broken, s.Lined, tc)
			}
			if diff := cmp.Diff(tc.rules, broken(r)); diff != "" {
				t.Errorf("cards by broken rule (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCheck_BlankColumns counts the blank columns of the sheet that has nine.
func TestCheck_BlankColumns(t *testing.T) {
	t.Parallel()
	s, err := Read("old.json", real(t, "wojciecholech-readme-old-strip-blank-columns.json"))
	if err != nil {
		t.Fatal(err)
	}
	blank := 0
	for _, v := range s.Check(Profiles["fr"]).Refused {
		for _, f := range v.Faults {
			if strings.Contains(f.Detail, "has 0 numbers") {
				blank++
			}
		}
	}
	if blank != 9 {
		t.Errorf("%d blank columns, want 9", blank)
	}
}

// sheetsOf gives n sheets of a fixed series.
func sheetsOf(n int) func(func(*ninety.Sheet) bool) {
	return func(yield func(*ninety.Sheet) bool) {
		src := draw.NewStream(draw.NinetySheets, "T", draw.Secret{7}, nil)
		for range n {
			var s ninety.Sheet
			if s.Deal(src); !yield(&s) {
				return
			}
		}
	}
}

// written returns what cards make writes of n sheets.
func written(t *testing.T, format string, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	write := WriteCSV
	if format == "json" {
		write = WriteJSON
	}
	if err := write(&b, "T", sheetsOf(n)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWrite_IsReadBack(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"csv", "json"} {
		s, err := Read("t."+format, written(t, format, 5))
		if err != nil {
			t.Fatal(err)
		}
		if s.Series != "T" || len(s.Cards) != 30 {
			t.Fatalf("%s: series %q of %d cards", format, s.Series, len(s.Cards))
		}
		i := 0
		for sheet := range sheetsOf(5) {
			for _, c := range sheet {
				got := s.Cards[i]
				if i++; got.Grid != c.Grid() || got.Code != fmt.Sprint(i) || got.Sheet != (i-1)/6+1 {
					t.Fatalf("%s: card %d is read as %+v", format, i, got)
				}
			}
		}
		if r := s.Check(Profiles["fr"]); !r.OK() || r.Sheets != 5 {
			t.Errorf("%s: %d sheets, refused %v, broken %v", format, r.Sheets, r.Refused, r.Broken)
		}
	}
}

// one is a valid card as a row of 27 places.
var one = strings.Split("1,,22,33,42,56,,,,,13,,38,44,,60,75,,8,18,23,,,,67,,80", ",")

// utf16Text returns text as UTF-16 with a mark at its head.
func utf16Text(text string, order binary.AppendByteOrder, mark bool) []byte {
	var b []byte
	if mark {
		text = "\ufeff" + text
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// TestRead_Formats reads the same card from every form.
func TestRead_Formats(t *testing.T) {
	t.Parallel()
	numbers := make([]string, 27)
	labels := make([]string, 27)
	zeros, nulls := slices.Clone(one), slices.Clone(one)
	for i := range one {
		numbers[i], labels[i] = fmt.Sprint(i+1), fmt.Sprintf("L%dC%d", i/9+1, i%9+1)
		if one[i] == "" {
			zeros[i], nulls[i] = "0", []string{"-1", "0", "null", `""`}[i%4]
		}
	}
	rows := func(list []string, by, end string) string {
		return strings.Join(list[:9], by) + end + strings.Join(list[9:18], by) + end +
			strings.Join(list[18:], by)
	}
	coded := "code," + strings.Join(numbers, ",") + "\n007," + strings.Join(one, ",") + "\n"
	ref := "Ref;Status;Player;" + strings.Join(labels, ";") + "\r\nX9;sold;Zoé;" + strings.Join(one, ";")
	dashes := slices.Clone(zeros)
	for i := range dashes {
		if dashes[i] == "0" {
			dashes[i] = "--"
		}
	}
	for name, data := range map[string][]byte{
		"code,1..27":         []byte(coded),
		"with a mark, CRLF":  []byte("\ufeff" + strings.ReplaceAll(coded, "\n", "\r\n")),
		"CR":                 []byte(strings.ReplaceAll(coded, "\n", "\r")),
		"tabs":               []byte(strings.ReplaceAll(coded, ",", "\t")),
		"quoted":             []byte(strings.ReplaceAll(coded, "007", `"007"`)),
		"UTF-16LE":           utf16Text(coded, binary.LittleEndian, true),
		"UTF-16BE":           utf16Text(ref, binary.BigEndian, true),
		"UTF-16LE, no mark":  utf16Text(ref, binary.LittleEndian, false),
		"UTF-16BE, no mark":  utf16Text(coded, binary.BigEndian, false),
		"Ref,Status,Player":  []byte(ref),
		"27 places a line":   []byte(strings.Join(one, ";")),
		"printed rows":       []byte("Carton 1\n=====\n" + rows(dashes, "  ", "\n") + "\n-----\n"),
		"framed rows":        []byte("| " + rows(dashes, " | ", " |\n| ") + " |"),
		"rows of zeros":      []byte(rows(zeros, " ", "\n\n")),
		"flat JSON":          []byte("[" + strings.Join(nulls, ", ") + "]\n"),
		"JSON cards":         []byte("[[" + strings.Join(nulls, ",") + "]]"),
		"JSON rows":          []byte("[[" + rows(nulls, ",", "],\n[") + "]]"),
		"JSON cards of rows": []byte("\ufeff[[[" + rows(nulls, ",", "],[") + "]]]"),
	} {
		s, err := Read(name, data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var want ninety.Grid
		for i, f := range one {
			want[i/9][i%9], _ = place(f)
		}
		if len(s.Cards) != 1 || s.Cards[0].Grid != want || !s.Lined {
			t.Errorf("%s: read as %+v", name, s.Cards)
		}
		if !s.Check(Profiles["fr"]).OK() {
			t.Errorf("%s: the card is refused", name)
		}
	}
}

// TestRead_Refuses names, for each file that cannot be read, the line and the reason.
func TestRead_Refuses(t *testing.T) {
	t.Parallel()
	header := "code,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27\n"
	fifteen := "4 15 29 37 36 32 47 45 53 51 67 78 77 87 85\n"
	for _, tc := range []struct {
		name, data string
		line       int
		text       string
	}{
		{"nothing", "", 1, "no card"},
		{"titles only", "Cartons\nde la fête\n", 2, "no card"},
		{"rubbish", "\x01\x02\xff\xfe", 1, "UTF-8"},
		{"a broken character on line 2", "Cartons\n\xff\n", 2, "UTF-8"},
		{"half a character of UTF-16", "\xff\xfe1\x002", 1, "half a character"},
		{"13 numbers", fifteen + "4 15 29 37 36 32 47 45 53 51 67 78 77\n", 2, "13 numbers"},
		{"half a line", header + "001," + strings.Join(one, ",") + "\n002,1,16,,31,,5", 3, "7 fields under a header of 28"},
		{"a number of four digits", "1000 15 29 37 36 32 47 45 53 51 67 78 77 87 85", 1, "neither a number"},
		{"256, which no byte holds", "256 15 29 37 36 32 47 45 53 51 67 78 77 87 85", 1, "neither a number"},
		{"a word among numbers", "1 deux 3", 1, `"deux" is neither`},
		{"two formats", fifteen + strings.Join(one, ","), 2, "keep one format"},
		{"two headers", header + "1," + strings.Join(one, ",") + "\n" + header, 3, "second header"},
		{"no code", header + "," + strings.Join(one, ","), 2, "no code"},
		{"two rows of three", "1 0 22 33 42 56 0 0 0\n\n0 13 0 38 44 0 60 75 0\n", 1, "2 rows instead of 3"},
		{"JSON cut off", "[1,\n2,", 2, "too early"},
		{"JSON that is none", "[1,\n2,}", 2, "no JSON"},
		{"JSON of 28", "[" + strings.Repeat("0,\n", 27) + "0]", 1, "cards of 27"},
		{"JSON of words", "[\n[\"a\"]]", 2, "neither a number"},
		{"JSON of truth", "[true]", 1, "true is neither"},
		{"JSON of half numbers", "[1.5]", 1, "neither a number"},
		{"JSON too deep", "[[[[[[[[[1]]]]]]]]]", 1, "too deep"},
		{"JSON with more after it", "[" + strings.Repeat("0,", 26) + "0]\n[]", 2, "after the end"},
		{"JSON with an unknown key", "{\"series\":\"A\",\n\"prize\":3}", 2, `"prize" is not a key`},
		{"JSON card of two rows", `{"sheets":[{"cards":[{"rows":[[1,0,22,33,42,56,0,0,0],[0,13,0,38,44,0,60,75,0]]}]}]}`,
			1, "2 rows instead of 3"},
		{"JSON sheet without a number", `{"sheets":[{"number":"x"}]}`, 1, "does not name a sheet"},
	} {
		_, err := Read("f", []byte(tc.data))
		var e *Error
		if !errors.As(err, &e) || e.Line != tc.line || !strings.Contains(e.Text, tc.text) {
			t.Errorf("%s: %v; want line %d with %q", tc.name, err, tc.line, tc.text)
		}
	}
}

// TestCheck_Set finds what only the whole set shows.
func TestCheck_Set(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:10")
	for _, tc := range []struct {
		name   string
		change func(s *Set)
		rules  map[string]int
		broken int
		rows   int
	}{
		{"two good sheets", func(*Set) {}, map[string]int{}, 0, 0},
		{"a card twice", func(s *Set) { s.Cards[7].Grid = s.Cards[0].Grid },
			map[string]int{"equal_card": 1}, 1, 3},
		{"the same numbers in other rows", func(s *Set) {
			g := s.Cards[0].Grid
			g[0], g[1] = g[1], g[0]
			s.Cards[7].Grid = g
		}, map[string]int{"equal_card": 1, "column_order": 1}, 1, 3},
		{"a code twice", func(s *Set) { s.Cards[7].Code = s.Cards[2].Code },
			map[string]int{"equal_code": 1}, 0, 0},
		{"an equal row is no fault", func(s *Set) { s.Cards[7].Grid[0] = s.Cards[0].Grid[0] }, nil, 1, 1},
		{"cards exchanged between sheets", func(s *Set) {
			s.Cards[0].Grid, s.Cards[6].Grid = s.Cards[6].Grid, s.Cards[0].Grid
		}, map[string]int{}, 2, 0},
		{"a sheet of three", func(s *Set) { s.Cards = s.Cards[:9] }, map[string]int{}, 0, 0},
		{"a sheet of four", func(s *Set) { s.Cards = s.Cards[:10] }, map[string]int{}, 1, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, err := Read("t.csv", written(t, "csv", 2))
			if err != nil {
				t.Fatal(err)
			}
			tc.change(s)
			r := s.Check(Profiles["fr"])
			if got := broken(r); tc.rules != nil && !cmp.Equal(got, tc.rules) {
				t.Errorf("rules broken: %v, want %v", got, tc.rules)
			}
			if len(r.Broken) != tc.broken || r.EqualRows < tc.rows {
				t.Errorf("%d sheets broken (%v) and %d equal rows, want %d and %d",
					len(r.Broken), r.Broken, r.EqualRows, tc.broken, tc.rows)
			}
			if r.OK() != (tc.broken == 0 && len(tc.rules) == 0) {
				t.Errorf("OK is %v", r.OK())
			}
		})
	}
}
