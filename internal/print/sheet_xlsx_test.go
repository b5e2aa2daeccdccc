package print

import (
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"
)

func TestSheetXLSX_FiguresAreNumbersAndTextsAreTexts(t *testing.T) {
	t.Parallel()
	out, err := SheetXLSX(Sheet{Head: Head{Title: "Bilan", Lines: [][2]string{{"Jour", "7"}}}, Nothing: "rien",
		Parts: []Part{{Title: "Recettes", Columns: []Column{{Label: "Caisse"}, {Label: "Espèces", Numeric: true}},
			Rows: [][]string{{"=1+1", "12.50"}, {"2", ""}}}}})
	if err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]string{"A1": "Bilan", "B2": "7", "A4": "Recettes", "A5": "Caisse", "A6": "=1+1", "B6": "12.5", "A7": "2"} {
		if got, err := book.GetCellValue("Sheet1", at); err != nil || got != want {
			t.Errorf("%s holds %q, %v; want %q", at, got, err, want)
		}
	}
	for at, want := range map[string]excelize.CellType{"A6": excelize.CellTypeSharedString, "B6": excelize.CellTypeUnset, "A7": excelize.CellTypeSharedString} {
		if got, err := book.GetCellType("Sheet1", at); err != nil || got != want {
			t.Errorf("%s is of type %d, %v; want %d", at, got, err, want)
		}
	}
	if formula, _ := book.GetCellFormula("Sheet1", "A6"); formula != "" {
		t.Errorf("a text became the formula %q", formula)
	}
}
