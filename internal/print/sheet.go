package print

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// A Sheet is a report: a head, then tables. All texts are already in words.
type Sheet struct {
	Head    Head
	Parts   []Part
	Nothing string    // what is said where there is nothing to report (std:26)
	Made    time.Time // the date in the file
}

// A Head says whose report it is, of what, of which time, made when: label and text.
type Head struct {
	Title string
	Lines [][2]string
}

// A Part is one table of a sheet; with one column it is a list of sentences.
type Part struct {
	Title   string
	Columns []Column
	Rows    [][]string
}

// A Column is a column of a table; figures stand on its right.
type Column struct {
	Label   string
	Numeric bool
}

// empty reports whether no table has a row.
func (s Sheet) empty() bool {
	for _, p := range s.Parts {
		if len(p.Rows) > 0 {
			return false
		}
	}
	return true
}

// SheetCSV writes a report for a spreadsheet: UTF-8 with its mark, semicolons. A text that
// a spreadsheet could take for a formula is written as a text.
func SheetCSV(s Sheet) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("\ufeff")
	w := csv.NewWriter(&out)
	w.Comma = ';'
	rows := [][]string{{s.Head.Title}}
	for _, l := range s.Head.Lines {
		rows = append(rows, l[:])
	}
	if s.empty() {
		rows = append(rows, nil, []string{s.Nothing})
	}
	for _, p := range s.Parts {
		rows = append(rows, nil, []string{p.Title}, labels(p.Columns))
		rows = append(rows, p.Rows...)
	}
	for _, row := range rows {
		safe := make([]string, len(row))
		for i, cell := range row {
			safe[i] = harmless(cell)
		}
		if err := w.Write(safe); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

func labels(columns []Column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.Label
	}
	return out
}

// harmless puts an apostrophe before what a spreadsheet would calculate; an amount below
// zero stays a number.
func harmless(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if cell[0] == '-' && strings.Trim(cell[1:], "0123456789.,") == "" {
		return cell
	}
	return "'" + cell
}

// The measures of a sheet in millimetres, and its type in points.
const (
	sheetMargin = 16.0
	rowHeight   = 6.2
	sheetText   = 9.0
	sheetTitle  = 18.0
)

// SheetPDF writes a report as a PDF of A4 pages, the head on the first, the number on each.
func SheetPDF(s Sheet) ([]byte, error) {
	pdf := newPDF(s.Head.Title, s.Made)
	pdf.SetMargins(sheetMargin, sheetMargin, sheetMargin)
	pdf.SetAutoPageBreak(true, sheetMargin+rowHeight)
	pdf.AliasNbPages("{pages}")
	pdf.SetFooterFunc(func() {
		pdf.SetY(-sheetMargin)
		pdf.SetFont("text", "", sheetText)
		pdf.CellFormat(0, rowHeight, s.Head.Title, "T", 0, "L", false, 0, "")
		pdf.SetX(sheetMargin)
		pdf.CellFormat(0, rowHeight, pageNumber(pdf), "", 0, "R", false, 0, "")
	})
	pdf.AddPage()
	pdf.SetFont("title", "", sheetTitle)
	pdf.MultiCell(0, 9, s.Head.Title, "B", "L", false)
	pdf.Ln(2)
	for _, l := range s.Head.Lines {
		pdf.SetFont("text", "", sheetText)
		pdf.CellFormat(52, rowHeight, l[0], "", 0, "L", false, 0, "")
		pdf.SetFont("text", "B", sheetText)
		pdf.MultiCell(0, rowHeight, l[1], "", "L", false)
	}
	if s.empty() {
		pdf.Ln(rowHeight)
		pdf.SetFont("text", "B", sheetText)
		pdf.MultiCell(0, rowHeight, s.Nothing, "", "L", false)
	}
	for _, p := range s.Parts {
		if len(p.Rows) > 0 {
			drawPart(pdf, p)
		}
	}
	var out bytes.Buffer
	err := pdf.Output(&out)
	return out.Bytes(), err
}

func pageNumber(pdf *fpdf.Fpdf) string {
	return strconv.Itoa(pdf.PageNo()) + " / {pages}"
}

// drawPart draws a table, its labels again on each page. Columns are as wide as what they
// hold, stretched alike to the width of the page; where there is no room, the widest are
// squeezed and their cells broken into lines.
func drawPart(pdf *fpdf.Fpdf, p Part) {
	widths := columnWidths(pdf, p)
	head := func() {
		pdf.SetFont("text", "B", sheetText)
		for i, c := range p.Columns {
			pdf.CellFormat(widths[i], rowHeight, fit(pdf, c.Label, widths[i]), "B", 0, align(c), false, 0, "")
		}
		pdf.Ln(rowHeight)
		pdf.SetFont("text", "", sheetText)
	}
	pdf.Ln(rowHeight)
	if pdf.GetY() > pageHeight-3*sheetMargin {
		pdf.AddPage()
	}
	pdf.SetFont("text", "B", sheetText+2)
	pdf.MultiCell(0, rowHeight+1, p.Title, "", "L", false)
	if len(p.Columns) == 1 { // sentences, whole
		pdf.SetFont("text", "", sheetText+1)
		for _, row := range p.Rows {
			pdf.MultiCell(0, rowHeight-1, row[0], "", "L", false)
			pdf.Ln(1.5)
		}
		return
	}
	head()
	for _, row := range p.Rows {
		lines, tall := wrapped(pdf, row, widths)
		if pdf.GetY()+tall > pageHeight-sheetMargin-rowHeight {
			pdf.AddPage()
			head()
		}
		x, y := pdf.GetX(), pdf.GetY()
		for i, cell := range lines {
			for n, line := range cell {
				pdf.SetXY(x, y+float64(n)*wrapHeight)
				pdf.CellFormat(widths[i], rowHeight, fit(pdf, line, widths[i]), "", 0, align(p.Columns[i]), false, 0, "")
			}
			x += widths[i]
		}
		pdf.Line(sheetMargin, y+tall, x, y+tall)
		pdf.SetXY(sheetMargin, y+tall)
	}
}

// wrapHeight is from one line of a cell to the next, in millimetres.
const wrapHeight = 4.2

// wrapped breaks the cells of a row into lines, and says how tall the row is.
func wrapped(pdf *fpdf.Fpdf, row []string, widths []float64) (lines [][]string, tall float64) {
	tall = rowHeight
	for i, cell := range row {
		parts := []string{cell}
		if pdf.GetStringWidth(cell)+2 > widths[i] {
			parts = pdf.SplitText(cell, widths[i])
		}
		tall = max(tall, rowHeight+float64(len(parts)-1)*wrapHeight)
		lines = append(lines, parts)
	}
	return lines, tall
}

func align(c Column) string {
	if c.Numeric {
		return "R"
	}
	return "L"
}

func columnWidths(pdf *fpdf.Fpdf, p Part) []float64 {
	const room = pageWidth - 2*sheetMargin
	pdf.SetFont("text", "B", sheetText)
	widths := make([]float64, len(p.Columns))
	sum := 0.0
	for i, c := range p.Columns {
		widths[i] = pdf.GetStringWidth(c.Label)
		for _, row := range p.Rows {
			widths[i] = max(widths[i], pdf.GetStringWidth(row[i]))
		}
		widths[i] += 4
		sum += widths[i]
	}
	if sum > room {
		share(widths, room)
		return widths
	}
	for i := range widths {
		widths[i] *= room / sum
	}
	return widths
}

// share makes room for columns that are wider together than the page: those below an even
// part keep their width, the others share the rest alike.
func share(widths []float64, room float64) {
	wide := make([]bool, len(widths))
	for {
		left, n := room, 0
		for i, w := range widths {
			if wide[i] {
				n++
			} else {
				left -= w
			}
		}
		even := room / float64(len(widths))
		if n > 0 {
			even = left / float64(n)
		}
		more := false
		for i, w := range widths {
			if !wide[i] && w > even {
				wide[i], more = true, true
			}
		}
		if !more {
			for i := range widths {
				if wide[i] {
					widths[i] = even
				}
			}
			return
		}
	}
}

// fit cuts a text that is wider than its cell, and says so by an ellipsis.
func fit(pdf *fpdf.Fpdf, text string, width float64) string {
	if pdf.GetStringWidth(text)+2 <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && pdf.GetStringWidth(string(runes)+"…")+2 > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
