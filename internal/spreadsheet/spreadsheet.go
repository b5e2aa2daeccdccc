// Package spreadsheet reads a table from a file that a spreadsheet has saved: XLSX, of which
// the first sheet counts, or CSV with commas or semicolons, a byte order mark or none, and any
// ends of lines. It knows nothing of what the table says.
package spreadsheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"boulier/money"
)

// maxUnpacked bounds what a workbook unpacks to, in bytes; its parts are bounded by a quarter.
const maxUnpacked = 64 << 20

// A Row is the cells of a row, without the spaces around them, and the line where it begins.
type Row struct {
	Line  int // from 1; of a workbook, the row
	Cells []string
}

// A Fault is why a file is no table.
type Fault struct {
	Line int
	Code string
	Text string // what is wrong and what to do, in English
}

// Read returns the rows that are not empty.
func Read(data []byte) (rows []Row, fault *Fault) {
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) { // a ZIP archive, as XLSX is
		rows, fault = readXLSX(data)
	} else {
		rows, fault = readCSV(data)
	}
	rows = slices.DeleteFunc(rows, func(r Row) bool {
		return !slices.ContainsFunc(r.Cells, func(cell string) bool { return cell != "" })
	})
	return rows, fault
}

// readCSV reads text whose cells stand between commas or semicolons.
func readCSV(data []byte) (rows []Row, _ *Fault) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, &Fault{1, "not_utf8", "this is UTF-16 text: save the table as CSV UTF-8"}
	}
	text := string(bytes.TrimPrefix(data, []byte("\ufeff")))
	if !utf8.ValidString(text) {
		text = fromLatin1(text)
	}
	// A carriage return alone ends a line where there is no line feed at all.
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = -1
	for line := range strings.Lines(text) { // the first one that is set apart says by what
		if strings.ContainsAny(line, ";,") {
			if strings.Contains(line, ";") {
				r.Comma = ';'
			}
			break
		}
	}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if at, ok := errors.AsType[*csv.ParseError](err); ok {
			return nil, &Fault{at.StartLine, "bad_csv", fmt.Sprintf("the quotation marks are not those of CSV (%v): "+
				"close those of this row, or remove them", at.Err)}
		}
		line, _ := r.FieldPos(0)
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, Row{line, cells})
	}
}

// fromLatin1 reads text that older spreadsheets save with one byte a character, as Windows
// writes the euro sign.
func fromLatin1(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c == 0x80 {
			b.WriteRune('€')
			continue
		}
		b.WriteRune(rune(c))
	}
	return b.String()
}

// readXLSX reads the first sheet of a workbook.
func readXLSX(data []byte) (rows []Row, _ *Fault) {
	book, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{
		RawCellValue: true, UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxUnpacked / 4,
	})
	if err != nil {
		return nil, &Fault{1, "bad_xlsx", fmt.Sprintf("this is not a workbook that can be read (%v): save the table again", err)}
	}
	defer book.Close() // removes its temporary files; nothing was written
	cells, err := book.GetRows(book.GetSheetName(0))
	if err != nil {
		return nil, &Fault{1, "bad_xlsx", fmt.Sprintf("the first sheet cannot be read (%v): save the table again", err)}
	}
	for i, list := range cells {
		for k := range list {
			list[k] = shortest(strings.TrimSpace(list[k]))
		}
		rows = append(rows, Row{i + 1, list})
	}
	return rows, nil
}

// shortest writes a number that a workbook holds in binary (0.10000000000000001, 1.5E+6)
// as it was typed: the shortest decimal that means the same number.
func shortest(cell string) string {
	if _, err := money.Parse(cell); err == nil {
		return cell
	}
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return cell
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
