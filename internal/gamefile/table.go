package gamefile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"boulier/game/instant"
	"boulier/money"
)

// ParseTable reads a prize table straight from a spreadsheet, XLSX (its first sheet) or
// CSV, into game g, which brings its block, its price and perhaps its totals. Columns are
// named by the first row, in any order and case: count, amount, perhaps line_total, whose
// cells may be empty. CSV may have commas or semicolons, decimal points or commas, spaces
// between thousands, an euro sign, a byte order mark, and any ends of lines.
//
// It returns the game, or every fault. Faults of the whole are given at the first row.
func ParseTable(name string, data []byte, g instant.Game) (instant.Game, []Fault) {
	fs := newFaults(name)
	rows := readRows(fs, data)
	if len(fs.list) > 0 {
		return instant.Game{}, fs.list
	}
	columns := readHeader(fs, rows[0])
	if len(fs.list) > 0 {
		return instant.Game{}, fs.list
	}
	g.Table, g.Declared.Lines = nil, nil
	var lines []int // of the file, by line of the table
	for _, row := range rows[1:] {
		lines = append(lines, row.line)
		readPrize(fs, &g, columns, row)
	}
	fs.check(g, func(at field) int {
		if at.line > 0 {
			return lines[at.line-1]
		}
		return rows[0].line
	})
	if len(fs.list) > 0 {
		return instant.Game{}, fs.sorted()
	}
	return g, nil
}

// A row is the cells of a row of a table, trimmed, and the line where it begins.
type row struct {
	line  int
	cells []string
}

// readRows returns the rows that are not empty, at least one unless it adds a fault.
func readRows(fs *faults, data []byte) (rows []row) {
	if len(data) > maxBytes {
		fs.add(1, "too_large", "the file has more than %d MB: is it a prize table?", maxBytes>>20)
		return nil
	}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) { // a ZIP archive, as XLSX is
		rows = readXLSX(fs, data)
	} else {
		rows = readCSV(fs, data)
	}
	rows = slices.DeleteFunc(rows, func(r row) bool {
		return !slices.ContainsFunc(r.cells, func(cell string) bool { return cell != "" })
	})
	if len(rows) == 0 && len(fs.list) == 0 {
		fs.add(1, "empty",
			"the file is empty: its first row must be count,amount or count,amount,line_total")
	}
	return rows
}

// readCSV reads text whose cells stand between commas or semicolons.
func readCSV(fs *faults, data []byte) (rows []row) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		fs.add(1, "not_utf8", "this is UTF-16 text: save the table as CSV UTF-8")
		return nil
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
	header, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	if strings.Contains(header, ";") {
		r.Comma = ';'
	}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows
		}
		var at *csv.ParseError
		if errors.As(err, &at) {
			fs.add(at.Line, "bad_csv", "the quotation marks are not those of CSV: %v", at.Err)
			return nil
		}
		line, _ := r.FieldPos(0)
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, row{line, cells})
	}
}

// fromLatin1 reads text that older spreadsheets save with one byte a character: a table
// holds no other than the space between thousands and perhaps the euro sign.
func fromLatin1(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c == 0x80 { // as Windows writes it
			b.WriteRune('€')
			continue
		}
		b.WriteRune(rune(c))
	}
	return b.String()
}

// readXLSX reads the first sheet of a workbook.
func readXLSX(fs *faults, data []byte) (rows []row) {
	book, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{
		RawCellValue: true, UnzipSizeLimit: 16 * maxBytes, UnzipXMLSizeLimit: 4 * maxBytes,
	})
	if err != nil {
		fs.add(1, "bad_xlsx", "this is not a workbook that can be read (%v): save the table again", err)
		return nil
	}
	defer book.Close() // removes its temporary files; nothing was written
	cells, err := book.GetRows(book.GetSheetName(0))
	if err != nil {
		fs.add(1, "bad_xlsx", "the first sheet cannot be read (%v): save the table again", err)
		return nil
	}
	for i, list := range cells {
		for k := range list {
			list[k] = shortest(strings.TrimSpace(list[k]))
		}
		rows = append(rows, row{i + 1, list})
	}
	return rows
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

// readHeader returns the index of each column by its name.
func readHeader(fs *faults, header row) map[string]int {
	columns := map[string]int{}
	for i, cell := range header.cells {
		name := strings.ToLower(cell)
		_, twice := columns[name]
		switch {
		case name == "":
		case !slices.Contains(knownOfPrize, name):
			fs.add(header.line, "unknown_column",
				"there is no column %q in a prize table: name it count, amount or line_total, or remove it",
				cell)
		case twice:
			fs.add(header.line, "column_twice", "the column %q stands twice: remove one", name)
		default:
			columns[name] = i
		}
	}
	for _, name := range []string{"count", "amount"} {
		if _, ok := columns[name]; !ok {
			fs.add(header.line, "missing_column",
				"there is no column %s: name the columns in the first row, such as count,amount", name)
		}
	}
	return columns
}

// readPrize adds the prize of a row to the table.
func readPrize(fs *faults, g *instant.Game, columns map[string]int, r row) {
	line := len(g.Table) + 1
	var p instant.Prize
	var total *money.Cents
	width := 0
	for _, i := range columns {
		width = max(width, i+1)
	}
	beyond := r.cells[min(width, len(r.cells)):]
	if slices.ContainsFunc(beyond, func(cell string) bool { return cell != "" }) {
		fs.bad[field{line, "count"}], fs.bad[field{line, "amount"}] = true, true
		fs.add(r.line, "too_many_cells", "the row has more cells than the first row has names: "+
			"with decimal commas, set cells apart by semicolons or put amounts between quotation marks")
	} else {
		n := readCell(fs, columns, r, line, "count")
		if n != nil && *n%100 != 0 {
			fs.bad[field{line, "count"}] = true
			fs.add(r.line, "not_whole", "the count is not a whole number: write digits only")
		} else if n != nil {
			p.Count = int64(*n / 100)
		}
		if c := readCell(fs, columns, r, line, "amount"); c != nil {
			p.Amount = *c
		}
		if i, ok := columns["line_total"]; ok && i < len(r.cells) && r.cells[i] != "" {
			total = readCell(fs, columns, r, line, "line_total")
		}
	}
	g.Table = append(g.Table, p)
	g.Declared.Lines = append(g.Declared.Lines, total)
}

// readCell returns the number in a cell in hundredths, or nil after adding a fault.
func readCell(fs *faults, columns map[string]int, r row, line int, name string) *money.Cents {
	cell := ""
	if i := columns[name]; i < len(r.cells) {
		cell = r.cells[i]
	}
	number := cell
	if name != "count" {
		number = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(cell, "€"), "EUR"))
	}
	c, err := money.Parse(number)
	if err == nil {
		return &c
	}
	fs.bad[field{line, name}] = true
	switch {
	case cell == "":
		fs.add(r.line, "missing_cell", "the %s is missing: fill the cell or remove the row", name)
	case name == "count":
		fs.add(r.line, "not_whole",
			"the count %q is not a whole number: write digits only, such as 1500", cell)
	default:
		fs.add(r.line, "not_amount",
			"the %s %q is not an amount in euros: write it as 2.00, with two decimals at most", name, cell)
	}
	return nil
}
