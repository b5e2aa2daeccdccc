package gamefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"boulier/game/instant"
	"boulier/money"
	"boulier/regs/regstest"
)

// published is a prize table of the data folder.
type published struct {
	Game          string
	Block         int64
	PriceCents    int64      `json:"price_cents"`
	Lots          [][2]int64 // count, amount in cents
	DeclaredLots  int64      `json:"declared_lots"`
	DeclaredCents int64      `json:"declared_cents"`
	// PrintedLineTotalCents holds line totals as printed, by amount in EUR.
	PrintedLineTotalCents map[string]int64 `json:"printed_line_total_cents"`
}

// readPublished returns the tables of the data folder, or skips where there is none.
func readPublished(t *testing.T) (tables []published) {
	t.Helper()
	dir := os.Getenv("BOULIER_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		t.Skipf("the data folder %s is absent: set BOULIER_DATA", dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, "instant", "prize-tables.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &tables); err != nil {
		t.Fatal(err)
	}
	return tables
}

// TestArt3_PublishedTables reads each published table as a game file, as CSV and as
// XLSX: all are accepted but the one whose published copy misprints a line total.
func TestArt3_PublishedTables(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	tables := readPublished(t)
	if len(tables) != 6 {
		t.Fatalf("%d tables, want 6", len(tables))
	}
	for _, p := range tables {
		t.Run(p.Game, func(t *testing.T) {
			t.Parallel()
			var game, sheet strings.Builder
			fmt.Fprintf(&game, "title = %q\nblock = %d\nprice = %s\nprizes_total = %d\nvalue_total = %s\n",
				p.Game, p.Block, money.Cents(p.PriceCents), p.DeclaredLots, money.Cents(p.DeclaredCents))
			sheet.WriteString("amount;COUNT;line_total\r\n")
			misprint := 0
			for i, lot := range p.Lots {
				amount := money.Cents(lot[1])
				total, printed := p.PrintedLineTotalCents[fmt.Sprint(lot[1])]
				fmt.Fprintf(&game, "[[prizes]]\ncount = %d\namount = %s\n", lot[0], amount)
				line := ""
				if printed {
					misprint = i + 1
					line = money.Cents(total).String()
					fmt.Fprintf(&game, "line_total = %s\n", line)
				}
				fmt.Fprintf(&sheet, "%s;%d;%s\r\n", strings.Replace(amount.String(), ".", ",", 1), lot[0], line)
			}
			terms := instant.Game{Block: p.Block, Price: money.Cents(p.PriceCents)}
			terms.Declared.Prizes = &p.DeclaredLots
			terms.Declared.Value = (*money.Cents)(&p.DeclaredCents)
			f, faults := Parse("g.toml", []byte(game.String()))
			g, sheetFaults := ParseTable("t.csv", []byte("\ufeff"+sheet.String()), terms)
			book, bookFaults := ParseTable("t.xlsx", workbook(t, sheet.String()), terms)
			if misprint > 0 {
				// Five header lines, three lines a prize before it, then its line total.
				want := []string{fmt.Sprintf("g.toml:%d:line_total_differs", 5+3*(misprint-1)+4),
					fmt.Sprintf("t.csv:%d:line_total_differs", misprint+1),
					fmt.Sprintf("t.xlsx:%d:line_total_differs", misprint+1)}
				all := append(append(faults, sheetFaults...), bookFaults...)
				if diff := cmp.Diff(want, brief(all)); diff != "" {
					t.Errorf("faults (-want +got):\n%s", diff)
				}
				return
			}
			if len(faults)+len(sheetFaults)+len(bookFaults) > 0 {
				t.Fatalf("refused: %v %v %v", faults, sheetFaults, bookFaults)
			}
			if diff := cmp.Diff(f.Game.Table, g.Table); diff != "" {
				t.Errorf("the game file and the CSV differ:\n%s", diff)
			}
			if diff := cmp.Diff(g.Table, book.Table); diff != "" {
				t.Errorf("the CSV and the workbook differ:\n%s", diff)
			}
			if n, err := g.Table.Prizes(); err != nil || n != p.DeclaredLots {
				t.Errorf("%d prizes (%v), want %d", n, err, p.DeclaredLots)
			}
		})
	}
}

// workbook returns a workbook of one sheet with the cells of a CSV with semicolons and
// decimal commas, numbers as numbers.
func workbook(t *testing.T, text string) []byte {
	t.Helper()
	book := excelize.NewFile()
	for i, line := range strings.Split(strings.TrimSpace(text), "\r\n") {
		for k, cell := range strings.Split(line, ";") {
			name, err := excelize.CoordinatesToCellName(k+1, i+1)
			if err != nil {
				t.Fatal(err)
			}
			var v any = cell
			if c, err := money.Parse(cell); err == nil {
				v = float64(c) / 100
			}
			if err := book.SetCellValue("Sheet1", name, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// brief returns faults as file:line:code.
func brief(faults []Fault) (list []string) {
	for _, f := range faults {
		list = append(list, fmt.Sprintf("%s:%d:%s", f.File, f.Line, f.Code))
	}
	return list
}

const sound = `title = "Petit jeu"
block = 100
price = 2.00
[[prizes]]
count = 1
amount = 50
[[prizes]]
count = 4
amount = "10,00"
[[prizes]]
count = 20
amount = 2.0
`

func TestArt3_ParseGameFile(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	f, faults := Parse("g.toml", []byte(sound+"note = 1"))
	if want := []string{"g.toml:13:unknown_key"}; !cmp.Equal(brief(faults), want) {
		t.Errorf("a key of the game under a prize: %v", brief(faults))
	}
	f, faults = Parse("g.toml", []byte("note = \"reconstruction\"\n"+sound))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	want := instant.Game{
		Title: "Petit jeu", Kind: instant.ThreeAlike, Block: 100, Price: 200,
		Table: instant.Table{{Count: 1, Amount: 5000}, {Count: 4, Amount: 1000}, {Count: 20, Amount: 200}},
	}
	want.Declared.Lines = make([]*money.Cents, 3)
	if diff := cmp.Diff(want, f.Game); diff != "" || f.Note != "reconstruction" {
		t.Errorf("game (-want +got):\n%s\nnote %q", diff, f.Note)
	}
}

func TestArt3_GameFileFaults(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	for _, tc := range []struct {
		name, old, new string
		want           []string
	}{
		{"not TOML", "block = 100", "block 100", []string{"2:bad_toml"}},
		{"not UTF-8", "Petit", "Pet\xff", []string{"1:bad_toml"}},
		{"an unknown key", "block", "blocks", []string{"1:missing_key", "2:unknown_key"}},
		{"an unknown key of a prize", "count = 4", "count = 4\ncolour = 3", []string{"9:unknown_key"}},
		{"an unknown table is told once", "[[prizes]]\ncount = 1\n",
			"[odd]\na = 1\nb = [1, {c = 2}]\n[[prizes]]\ncount = 1\n", []string{"4:unknown_key"}},
		{"title is no text", `"Petit jeu"`, "3", []string{"1:not_text"}},
		{"empty title", "Petit jeu", "", []string{"1:no_title"}},
		{"unknown kind", "block", "kind = \"dice\"\nblock", []string{"2:unknown_kind"}},
		{"empty kind", "block", "kind = \"\"\nblock", []string{"2:unknown_kind"}},
		{"kind is no text", "block", "kind = 7\nblock", []string{"2:not_text"}},
		{"block is a float", "block = 100", "block = 100.0", []string{"2:not_whole"}},
		{"three decimals", "price = 2.00", "price = 2.001", []string{"3:not_amount"}},
		{"decimals that a float loses", "amount = 50", "amount = 50.0000000000000001", []string{"6:not_amount"}},
		{"an exponent", "amount = 50", "amount = 5e1", []string{"6:not_amount"}},
		{"amount is a date", "amount = 50", "amount = 2026-01-01", []string{"6:not_amount"}},
		{"amount is missing", "amount = 50\n", "", []string{"4:missing_key"}},
		{"negative amount", "amount = 50", "amount = -50", []string{"6:amount_not_positive"}},
		{"count 0", "count = 4", "count = 0", []string{"8:count_not_positive"}},
		{"an amount twice", `"10,00"`, "50", []string{"4:too_few_amounts", "9:amount_twice"}},
		{"more prizes than units", "count = 20", "count = 200", []string{"2:more_prizes_than_units"}},
		{"wrong totals", "price", "prizes_total = 26\nvalue_total = 130.01\nprice",
			[]string{"3:prizes_total_differs", "4:value_total_differs"}},
		{"wrong line total", "amount = 2.0", "amount = 2.0\nline_total = 41", []string{"13:line_total_differs"}},
		{"an unreadable amount hides no other fault", "count = 4\namount = \"10,00\"",
			"count = 0\namount = \"ten\"\n", []string{"8:count_not_positive", "9:not_amount"}},
		{"prizes is a number", "[[prizes]]\ncount = 1\namount = 50\n[[prizes]]\ncount = 4\namount = \"10,00\"\n" +
			"[[prizes]]\ncount = 20\namount = 2.0\n", "prizes = 3\n", []string{"4:not_prizes"}},
		{"no prizes", "[[prizes]]\ncount = 1\namount = 50\n[[prizes]]\ncount = 4\namount = \"10,00\"\n" +
			"[[prizes]]\ncount = 20\namount = 2.0\n", "", []string{"1:missing_key"}},
		{"two amounts", "[[prizes]]\ncount = 20\namount = 2.0\n", "", []string{"4:too_few_amounts"}},
		{"inline tables and several lines", sound,
			"title = \"\"\"a\nb\"\"\" # c\nblock=9\nprice='1'\nprizes = [ {count=1,amount=1},\n{count=1,amount=2},\n" +
				"{count=1,amount=-3}]", []string{"7:amount_not_positive"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(sound, tc.old) {
				t.Fatalf("%q is not in the sound file", tc.old)
			}
			_, faults := Parse("g.toml", []byte(strings.Replace(sound, tc.old, tc.new, 1)))
			for i := range tc.want {
				tc.want[i] = "g.toml:" + tc.want[i]
			}
			if diff := cmp.Diff(tc.want, brief(faults)); diff != "" {
				t.Errorf("faults (-want +got):\n%s\n%v", diff, faults)
			}
			for _, f := range faults {
				if !strings.Contains(f.Text, ":") {
					t.Errorf("%s does not say what to do: %s", f.Code, f.Text)
				}
			}
		})
	}
	if _, faults := Parse("g.toml", make([]byte, maxBytes+1)); len(faults) != 1 || faults[0].Code != "too_large" {
		t.Errorf("a huge file: %v", brief(faults))
	}
}

func TestArt3_TableFaults(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	for _, tc := range []struct {
		name, text string
		want       []string // none: accepted as 2 × 1 500,50 and 1 × 3
	}{
		{"commas and points", "count,amount\n2,1500.50\n1,3\n", nil},
		{"semicolons and decimal commas", "count;amount\r\n2;1500,50\r\n1;3,00\r\n", nil},
		{"quoted decimal commas", "count,amount\n2,\"1500,5\"\n1,3", nil},
		{"spaces, sign of the euro, byte order mark", "\ufeffCount ; AMOUNT\n 2 ;1\u202f500,50\u00a0€\n1;3 EUR\n", nil},
		{"one byte a character", "count;amount\n2;1\xa0500,50 \x80\n1;3\n", nil},
		{"other order, line totals, empty ones", "line_total,amount,count\n3001,1500.5,2\n,3,1\n", nil},
		{"empty rows and columns", "count;amount;;\n;;;\n2;1500,50;;\n\n1;3;;\n;;;\n", nil},
		{"carriage returns alone", "count,amount\r2,1500.50\r1,3\r", nil},
		{"decimals of nothing in a count", "count;amount\n2,00;1500,50\n1;3\n", nil},
		{"nothing", "", []string{"1:empty"}},
		{"blank", "\n;;\n", []string{"1:empty"}},
		{"only a header", "count,amount\n", []string{"1:no_prizes"}},
		{"UTF-16", "\xff\xfec\x00", []string{"1:not_utf8"}},
		{"no header", "2,3\n", []string{"1:unknown_column", "1:unknown_column", "1:missing_column", "1:missing_column"}},
		{"a column twice", "count,amount,Count\n2,1500.50,2\n0,3,1", []string{"1:column_twice", "3:count_not_positive"}},
		{"an unknown column hides no other fault", "count,colour,amount,sum\n1,red,2,5\nx,blue,3,5\n",
			[]string{"1:unknown_column", "1:unknown_column", "3:not_whole"}},
		{"decimal commas between commas", "count,amount\n2,1500,50\n", []string{"2:too_many_cells"}},
		{"quotation marks", "count,amount\n2,\"3\n", []string{"2:bad_csv"}},
		{"a quotation mark that is not closed", "count,amount\n2,\"3\n1,4\n1,5\n", []string{"2:bad_csv"}},
		{"missing cells", "count,amount\n,3\n4\n", []string{"2:missing_cell", "3:missing_cell"}},
		{"every fault of every line", "count,amount,line_total\n1.5,2\nx,y,z\n0,-1,5\n1,2,3",
			[]string{"2:not_whole", "3:not_whole", "3:not_amount", "3:not_amount",
				"4:count_not_positive", "4:amount_not_positive", "4:line_total_differs", "5:line_total_differs"}},
		{"no workbook", "PK\x03\x04rubbish", []string{"1:bad_xlsx"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			g, faults := ParseTable("t.csv", []byte(tc.text), instant.Game{Block: 9, Price: 50})
			for i := range tc.want {
				tc.want[i] = "t.csv:" + tc.want[i]
			}
			if diff := cmp.Diff(tc.want, brief(faults)); diff != "" {
				t.Errorf("faults (-want +got):\n%s\n%v", diff, faults)
			}
			want := instant.Table{{Count: 2, Amount: 150050}, {Count: 1, Amount: 300}}
			if tc.want == nil && !cmp.Equal(want, g.Table) {
				t.Errorf("the table is %v, want %v", g.Table, want)
			}
		})
	}
}
