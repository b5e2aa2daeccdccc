package print

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boulier/regs/regstest"
)

func sheet(rows ...[]string) Sheet {
	return Sheet{Nothing: "Aucune activité", Made: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC),
		Head:  Head{Title: "Rapport", Lines: [][2]string{{"Maison", "Amicale"}, {"Période", "hier"}, {"Établi", "à midi"}}},
		Parts: []Part{{Title: "Blocs", Columns: []Column{{Label: "Bloc"}, {Label: "Mises", Numeric: true}}, Rows: rows}}}
}

// TestStd26_SheetCSV reads a report as a spreadsheet does: head, table, or « no activity ».
func TestStd26_SheetCSV(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:26")
	head := [][]string{{"Rapport"}, {"Maison", "Amicale"}, {"Période", "hier"}, {"Établi", "à midi"}}
	for _, tc := range []struct {
		name  string
		sheet Sheet
		want  [][]string
	}{
		{"with rows", sheet([]string{"1", "-12,00"}), append(head[:4:4], []string{"Blocs"}, []string{"Bloc", "Mises"}, []string{"1", "-12,00"})},
		{"without activity", sheet(), append(head[:4:4], []string{"Aucune activité"}, []string{"Blocs"}, []string{"Bloc", "Mises"})},
		{"a formula stays a text", sheet([]string{"=HYPERLINK(1)", "@x"}, []string{"-1+1", "+2"}), append(head[:4:4], []string{"Blocs"},
			[]string{"Bloc", "Mises"}, []string{"'=HYPERLINK(1)", "'@x"}, []string{"'-1+1", "'+2"})},
	} {
		b, err := SheetCSV(tc.sheet)
		if err != nil {
			t.Fatal(err)
		}
		body, ok := bytes.CutPrefix(b, []byte("\ufeff"))
		if !ok {
			t.Errorf("%s: no mark of UTF-8", tc.name)
		}
		r := csv.NewReader(bytes.NewReader(body))
		r.Comma, r.FieldsPerRecord = ';', -1
		got, err := r.ReadAll()
		if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", tc.name, err, diff)
		}
	}
}

// TestSheetPDF_EveryRowIsOnAPage counts the pages of a long report, and sees that a report
// is the same file each time.
func TestSheetPDF_EveryRowIsOnAPage(t *testing.T) {
	t.Parallel()
	var rows [][]string
	for n := range 100 {
		rows = append(rows, []string{fmt.Sprint(n), strings.Repeat("9", n%30)})
	}
	b, err := SheetPDF(sheet(rows...))
	if err != nil {
		t.Fatal(err)
	}
	if pages := bytes.Count(b, []byte("/Type /Page\n")); pages != 3 {
		t.Errorf("%d pages for 100 rows, want 3", pages)
	}
	again, err := SheetPDF(sheet(rows...))
	if err != nil || !bytes.Equal(b, again) {
		t.Errorf("the same report is another file: %v", err)
	}
	none, err := SheetPDF(sheet())
	if err != nil || bytes.Count(none, []byte("/Type /Page\n")) != 1 {
		t.Errorf("a report of nothing: %v", err)
	}
}
