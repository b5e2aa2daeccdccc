package spreadsheet

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

func TestRead(t *testing.T) {
	t.Parallel()
	book := excelize.NewFile()
	for at, value := range map[string]any{"A1": " lot ", "B1": "montant", "A3": "Bon", "B3": 20.5} {
		if err := book.SetCellValue("Sheet1", at, value); err != nil {
			t.Fatal(err)
		}
	}
	var xlsx bytes.Buffer
	if err := book.Write(&xlsx); err != nil {
		t.Fatal(err)
	}
	want := []Row{{1, []string{"lot", "montant"}}, {3, []string{"Bon", "20.5"}}}
	for name, tc := range map[string]struct {
		data []byte
		want []Row
		code string
	}{
		"a workbook":           {xlsx.Bytes(), want, ""},
		"semicolons":           {[]byte("\ufefflot; montant\r\n\r\nBon;20.5\r\n"), want, ""},
		"commas":               {[]byte("lot,montant\n\nBon,20.5"), want, ""},
		"old ends of lines":    {[]byte("lot;montant\r\rBon;20.5\r"), want, ""},
		"a title before":       {[]byte("\"\"\n\nlot;montant"), []Row{{3, []string{"lot", "montant"}}}, ""},
		"one byte a character": {[]byte("lot;20 \x80\nt\xe9l\xe9;1"), []Row{{1, []string{"lot", "20 €"}}, {2, []string{"télé", "1"}}}, ""},
		"UTF-16":               {[]byte("\xff\xfel\x00"), nil, "not_utf8"},
		"quotation marks":      {[]byte("lot,\"mon\"tant"), nil, "bad_csv"},
		"no workbook":          {[]byte("PK\x03\x04rest"), nil, "bad_xlsx"},
		"nothing":              {nil, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, fault := Read(tc.data)
			code := ""
			if fault != nil {
				code = fault.Code
			}
			if diff := cmp.Diff(tc.want, rows); diff != "" || code != tc.code {
				t.Errorf("fault %q, want %q; rows (-want +got):\n%s", code, tc.code, diff)
			}
		})
	}
}

func TestRead_BinaryNumbersAsTheyWereTyped(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"1.5E+6": "1500000", "0.10000000000000001": "0.1", "2,50": "2,50", "x": "x", "0.005": "0.005",
	} {
		if got := shortest(cell); got != want {
			t.Errorf("%q is read as %q, want %q", cell, got, want)
		}
	}
}

// FuzzRead: whatever the file, it is a table of trimmed cells or a fault with its line.
func FuzzRead(f *testing.F) {
	f.Add([]byte("lot;montant\nBon;20"))
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("a,\"b\nc\",d"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, fault := Read(data)
		if fault != nil && (len(rows) > 0 || fault.Line < 1 || fault.Code == "" || fault.Text == "") {
			t.Errorf("%d rows with the fault %+v", len(rows), fault)
		}
		for _, r := range rows {
			if r.Line < 1 || len(r.Cells) == 0 {
				t.Errorf("the row %+v", r)
			}
		}
	})
}
