package gamefile

import (
	"bytes"
	"fmt"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"boulier/game/instant"
	"boulier/game/instant/words"
)

// FuzzParse holds that a game file is read back the same from what it means, or refused
// with faults that each name the file and a line of it.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(wordGame))
	f.Add([]byte("prizes_total=25\nvalue_total=130\n" + sound + "line_total = 40\n"))
	f.Add([]byte("title='x'\nblock=0x9\nprice=+1_0.5\nprizes=[{count=1,amount=1}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, faults := Parse("g.toml", data)
		if len(faults) > 0 {
			wantPlaced(t, faults, "g.toml", data)
			return
		}
		again, faults := Parse("g.toml", encode(t, file))
		if len(faults) > 0 {
			t.Fatalf("what it means is refused: %v\n%s", faults, encode(t, file))
		}
		again.Digest = file.Digest
		if diff := cmp.Diff(file, again, sameBoards); diff != "" {
			t.Errorf("read back (-first +again):\n%s", diff)
		}
	})
}

// sameBoards compares boards, which keep to themselves what they were read from.
var sameBoards = cmp.Comparer(func(a, b words.Board) bool { return a == b })

// wantPlaced checks that every fault names the file and one of its lines.
func wantPlaced(t *testing.T, faults []Fault, name string, data []byte) {
	t.Helper()
	last := 1 + bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r"))
	for _, f := range faults {
		if f.File != name || f.Line < 1 || f.Line > last || f.Code == "" || f.Text == "" {
			t.Errorf("a fault without its place: %+v of %d lines", f, last)
		}
	}
}

// encode writes a game file that means the same.
func encode(t *testing.T, f File) []byte {
	t.Helper()
	g := f.Game
	doc := map[string]any{
		"title": g.Title, "kind": string(g.Kind), "block": g.Block, "price": g.Price.String(),
		"publisher": f.Publisher, "source": f.Source, "rules": f.Rules, "note": f.Note,
	}
	if g.Declared.Prizes != nil {
		doc["prizes_total"] = *g.Declared.Prizes
	}
	if g.Declared.Value != nil {
		doc["value_total"] = g.Declared.Value.String()
	}
	var prizes []map[string]any
	for i, p := range g.Table {
		prize := map[string]any{"count": p.Count, "amount": p.Amount.String()}
		if total := g.Declared.Lines[i]; total != nil {
			prize["line_total"] = total.String()
		}
		prizes = append(prizes, prize)
	}
	doc["prizes"] = prizes
	if g.Kind == instant.Words {
		doc["symbols"] = g.Words.Symbols[:]
		var boards []map[string]any
		for _, b := range g.Words.Boards {
			grid := b.Grid()
			boards = append(boards, map[string]any{"rows": grid[:]})
		}
		doc["boards"] = boards
	}
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(doc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzFindPlaces holds that, in every document that the TOML library accepts, the walker
// finds the same values as the library, each on a line of the document.
func FuzzFindPlaces(f *testing.F) {
	f.Add(sound)
	f.Add("a.\"b c\".'d' = [1, [2, {x.y = 'z'}], # c\n 3]\n[t.u]\nv=\"\"\"\n\\\"\"\"\"\"\n[[t.w]]\n[t.w.q]\n[[t.w.r]]\nk=1")
	f.Add("'' = '''a'b''\n''' \r\n\"\\u00e9\\t\" = 07:32:00\nd = 1979-05-27 07:32:00Z # x\ne={}\nf=[]")
	f.Add("0.\"000\".'0' = [0,[0]]\n0=\"\"\"0000\"\"\"")
	f.Fuzz(func(t *testing.T, text string) {
		var doc map[string]any
		if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			return // a mark of UTF-16, which the library skips although UTF-8 follows
		}
		if _, err := toml.Decode(text, &doc); err != nil {
			return
		}
		found, _ := findPlaces(text)
		for path := range found {
			// The library flattens a table in an array in an array; no game file has one.
			if _, inner, nested := strings.Cut(path, "]["); nested && strings.Contains(inner, ".") {
				return
			}
		}
		// It also lets a value follow a table of the same dotted key, and drops the value.
		for path := range found {
			for i := range path {
				if path[i] == '.' && found[path[:i]].raw != "" {
					return
				}
			}
		}
		var got []string
		for path, p := range found {
			if p.raw != "" {
				got = append(got, path)
			}
			if p.line < 1 || p.line > 1+strings.Count(text, "\n") {
				t.Errorf("%s is on line %d of %q", path, p.line, text)
			}
		}
		var want []string
		leaves("", reflect.ValueOf(doc), &want)
		sort.Strings(got)
		sort.Strings(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("places of %q (-want +got):\n%s", text, diff)
		}
	})
}

// leaves appends the paths of what is neither a table nor an array.
func leaves(path string, v reflect.Value, list *[]string) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Map:
		for _, key := range v.MapKeys() {
			leaves(child(path, key.String()), v.MapIndex(key), list)
		}
	case reflect.Slice:
		for i := range v.Len() {
			leaves(element(path, i), v.Index(i), list)
		}
	default:
		*list = append(*list, path)
	}
}

// FuzzParseTable holds that a table is read back the same from its canonical CSV, or
// refused with faults that each name the file and a line of it.
func FuzzParseTable(f *testing.F) {
	f.Add([]byte("count,amount\n2,1500.50\n1,3\n"))
	f.Add([]byte("\ufeffLine_Total;count;amount\r\n;2;1 500,50 €\r\n3;1;3\r\n"))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		terms := instant.Game{Block: 1 << 40, Price: 1}
		g, faults := ParseTable("t.csv", data, terms)
		if len(faults) > 0 {
			if !bytes.HasPrefix(data, []byte("PK")) { // rows of a workbook are no lines of text
				wantPlaced(t, faults, "t.csv", data)
			}
			return
		}
		var b strings.Builder
		b.WriteString("count,amount,line_total\n")
		for i, p := range g.Table {
			total := ""
			if c := g.Declared.Lines[i]; c != nil {
				total = (*c).String()
			}
			fmt.Fprintf(&b, "%d,%s,%s\n", p.Count, p.Amount, total)
		}
		again, faults := ParseTable("t.csv", []byte(b.String()), terms)
		if len(faults) > 0 {
			t.Fatalf("what it means is refused: %v\n%s", faults, b.String())
		}
		if diff := cmp.Diff(g, again); diff != "" {
			t.Errorf("read back (-first +again):\n%s", diff)
		}
	})
}
