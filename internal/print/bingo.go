package print

import (
	"io"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// An AccountCard is the card of an electronic account of the bingo (bingo:93.3): what is
// presented at a terminal. The PIN never stands on it.
type AccountCard struct {
	Title    string // « Bingo »
	Operator string
	Label    string // above the number
	Number   string
	Lines    []string // what to know, below
	QR       string
	Made     time.Time
}

// The measures of a card as wallets take it, in millimetres.
const (
	accountCardWidth  = 85.6
	accountCardHeight = 54.0
	accountCardQR     = 30.0
)

// WriteAccountCard writes a card as a PDF of one page of its size.
func WriteAccountCard(w io.Writer, c AccountCard) error {
	pdf := newPDF(c.Title+" "+c.Number, c.Made)
	pdf.AddPageFormat("L", fpdf.SizeType{Wd: accountCardHeight, Ht: accountCardWidth})
	pdf.SetFillColor(44, 60, 187)
	pdf.Rect(0, 0, accountCardWidth, 12, "F")
	pdf.SetTextColor(255, 249, 239)
	pdf.SetFont("title", "", 17)
	pdf.SetXY(5, 1.5)
	pdf.CellFormat(40, 9, c.Title, "", 0, "L", false, 0, "")
	pdf.SetFont("text", "", 7.5)
	pdf.SetXY(40, 1.5)
	pdf.CellFormat(accountCardWidth-45, 9, fit(pdf, c.Operator, accountCardWidth-45), "", 0, "R", false, 0, "")
	pdf.SetTextColor(80, 76, 70)
	pdf.SetFont("text", "", 7.5)
	pdf.SetXY(5, 15)
	pdf.CellFormat(40, 4, c.Label, "", 0, "L", false, 0, "")
	pdf.SetTextColor(20, 18, 16)
	pdf.SetFont("title", "", 20)
	pdf.SetXY(5, 19)
	pdf.CellFormat(46, 10, c.Number, "", 0, "L", false, 0, "")
	pdf.SetFont("text", "", 7.5)
	y := 32.0
	for _, line := range c.Lines {
		pdf.SetXY(5, y)
		pdf.MultiCell(44, 3.6, line, "", "L", false)
		y = pdf.GetY() + 1
	}
	if err := drawQR(pdf, accountCardWidth-accountCardQR-5, 17, accountCardQR, accountCardHeight, c.QR); err != nil {
		return err
	}
	return pdf.Output(w)
}
