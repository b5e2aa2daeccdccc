package print

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/xuri/excelize/v2"
)

// SheetXLSX writes a report as a workbook of one sheet. Figures are numbers, and every text
// is a text, whatever it begins with.
func SheetXLSX(s Sheet) ([]byte, error) {
	book := excelize.NewFile()
	defer book.Close()
	const sheet = "Sheet1"
	bold, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return nil, fmt.Errorf("print: a style of the workbook: %w", err)
	}
	row := 0
	var failed error
	write := func(heading bool, numeric func(int) bool, cells ...string) {
		row++
		for i, text := range cells {
			at, err := excelize.CoordinatesToCellName(i+1, row)
			if err != nil {
				failed = err
				return
			}
			var value any = text
			if n, err := strconv.ParseFloat(text, 64); err == nil && numeric(i) {
				value = n
			}
			if err := book.SetCellValue(sheet, at, value); err != nil {
				failed = err
			}
			if heading {
				failed = firstOf(failed, book.SetCellStyle(sheet, at, at, bold))
			}
		}
	}
	never := func(int) bool { return false }
	write(true, never, s.Head.Title)
	for _, l := range s.Head.Lines {
		write(false, never, l[:]...)
	}
	if s.empty() {
		row++
		write(false, never, s.Nothing)
	}
	for _, p := range s.Parts {
		row++
		write(true, never, p.Title)
		write(true, never, labels(p.Columns)...)
		for _, cells := range p.Rows {
			write(false, func(i int) bool { return p.Columns[i].Numeric }, cells...)
		}
	}
	if failed != nil {
		return nil, fmt.Errorf("print: writing the workbook: %w", failed)
	}
	var out bytes.Buffer
	if err := book.Write(&out); err != nil {
		return nil, fmt.Errorf("print: writing the workbook: %w", err)
	}
	return out.Bytes(), nil
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
