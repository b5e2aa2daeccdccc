package print

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"boulier/money"
)

// A Statement is the movements of an account on paper (std:15). Texts are the words of one
// language; Head is written above everything, a label and a value a line.
type Statement struct {
	Title   string
	Made    time.Time
	Head    [][2]string
	Columns [5]string // number, date, movement, amount, balance after
	Opening money.Cents
	Lines   []StatementLine
	Before  string // names the opening balance
	Total   string // names the sum of the movements
	Empty   string // stands where there is no movement (std:26)
	Page    string // the word before the number of a page
	Amount  func(money.Cents) string
}

// A StatementLine is one movement: its amount is signed, After is the balance it led to.
type StatementLine struct {
	ID, When, What string
	Amount, After  money.Cents
}

// statementWidths are the columns in millimetres; together the width between margins.
var statementWidths = [5]float64{48, 42, 46, 28, 28}

const statementRow = 6.0 // height of a line in millimetres

// WriteStatement writes the statement as a PDF of A4 pages. It returns an error, and writes
// nothing, unless each balance is the one before plus the movement.
func WriteStatement(w io.Writer, s Statement) error {
	balance := s.Opening
	for n, line := range s.Lines {
		if balance += line.Amount; balance != line.After {
			return fmt.Errorf("print: line %d of the statement leads to %s, it says %s", n+1, balance, line.After)
		}
	}
	pdf := newPDF(s.Title, s.Made)
	pdf.SetAutoPageBreak(true, 18)
	pdf.SetFooterFunc(func() {
		pdf.SetY(-13)
		pdf.SetFont("text", "", 8)
		pdf.CellFormat(0, 5, s.Page+" "+strconv.Itoa(pdf.PageNo()), "", 0, "R", false, 0, "")
	})
	pdf.AddPage()
	pdf.SetFont("title", "", 24)
	pdf.CellFormat(0, 14, s.Title, "", 1, "L", false, 0, "")
	for _, h := range s.Head {
		pdf.SetFont("text", "", 9)
		pdf.CellFormat(42, 5, h[0], "", 0, "L", false, 0, "")
		pdf.SetFont("text", "B", 9)
		pdf.MultiCell(0, 5, h[1], "", "L", false)
	}
	pdf.Ln(5)
	// From now on each page begins with the names of the columns.
	pdf.SetHeaderFunc(func() { statementNames(pdf, s.Columns) })
	statementNames(pdf, s.Columns)
	statementTable(pdf, s, balance)
	return pdf.Output(w)
}

func statementNames(pdf *fpdf.Fpdf, names [5]string) {
	pdf.SetFont("text", "B", 8)
	statementCells(pdf, names, "B")
	pdf.SetFont("text", "", 9)
}

func statementTable(pdf *fpdf.Fpdf, s Statement, closing money.Cents) {
	pdf.SetDrawColor(160, 160, 160)
	statementCells(pdf, [5]string{"", "", s.Before, "", s.Amount(s.Opening)}, "B")
	for _, line := range s.Lines {
		amount := s.Amount(line.Amount)
		if line.Amount > 0 {
			amount = "+" + amount
		}
		statementCells(pdf, [5]string{line.ID, line.When, line.What, amount, s.Amount(line.After)}, "B")
	}
	if len(s.Lines) == 0 {
		statementCells(pdf, [5]string{"", "", s.Empty, "", ""}, "B")
	}
	pdf.SetFont("text", "B", 9)
	statementCells(pdf, [5]string{"", "", s.Total, s.Amount(closing - s.Opening), s.Amount(closing)}, "")
}

// statementCells writes one line of the table.
func statementCells(pdf *fpdf.Fpdf, cells [5]string, border string) {
	for i, text := range cells {
		align := "L"
		if i >= 3 {
			align = "R"
		}
		pdf.CellFormat(statementWidths[i], statementRow, text, border, 0, align, false, 0, "")
	}
	pdf.Ln(-1)
}
