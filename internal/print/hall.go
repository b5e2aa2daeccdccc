package print

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// A Sign is a sheet that hangs at a desk: what it is, whom it is for, read from far away.
type Sign struct {
	Kicker string // the day
	Title  string // as large as the sheet allows
	Text   string
}

// Signs writes one A4 page a sign, lying.
func Signs(title string, made time.Time, signs []Sign) ([]byte, error) {
	pdf := newPDF(title, made)
	pdf.SetMargins(18, 18, 18)
	for _, s := range signs {
		pdf.AddPageFormat("L", fpdf.SizeType{Wd: pageWidth, Ht: pageHeight})
		const room = pageHeight - 2*18 // the long side lies
		pdf.Rect(18, 18, room, 5, "F")
		pdf.SetXY(18, 30)
		pdf.SetFont("text", "B", 20)
		pdf.CellFormat(room, 10, s.Kicker, "", 1, "L", false, 0, "")
		size := squeeze(pdf, "title", "", 190, s.Title, room)
		pdf.SetXY(18, 92-size*0.18)
		pdf.CellFormat(room, size*0.36, s.Title, "", 1, "L", false, 0, "")
		pdf.SetXY(18, 138)
		pdf.SetFont("text", "", 30)
		pdf.MultiCell(room, 13, s.Text, "", "L", false)
	}
	return written(pdf)
}

// squeeze sets a font of that size, or as much smaller as the text needs to stay in its room,
// and returns the size in points.
func squeeze(pdf *fpdf.Fpdf, family, style string, size float64, text string, room float64) float64 {
	pdf.SetFont(family, style, size)
	if w := pdf.GetStringWidth(text) + 2; w > room {
		size *= room / w
	}
	pdf.SetFontSize(size)
	return size
}

func written(pdf *fpdf.Fpdf) ([]byte, error) {
	var out bytes.Buffer
	if err := pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("print: %w", err)
	}
	return out.Bytes(), nil
}

// A CallPage is one page of the caller's book: a round with its prizes, the board to tick and
// the order in which the numbers come. An empty one is a blank call sheet.
type CallPage struct {
	Title  string
	Note   string // how its numbers are drawn
	Prizes []CallPrize
}

// A CallPrize is a stage of a round as the caller announces it.
type CallPrize struct{ Stage, Prize, Series, Consolation string }

// A CallBook is the caller's book.
type CallBook struct {
	Title, Lead string
	Made        time.Time
	RulesTitle  string
	Rules       []string // recalled before play; none for a blank call sheet
	Pages       []CallPage
	Labels      CallLabels
}

// CallLabels are the words of a call page.
type CallLabels struct{ Stage, Prize, Series, Consolation, Winner, Board, Order, Remarks, Signature string }

// Write writes the book as a PDF of A4 pages.
func (b CallBook) Write() ([]byte, error) {
	pdf := newPDF(b.Title, b.Made)
	pdf.SetMargins(sheetMargin, sheetMargin, sheetMargin)
	if len(b.Rules) > 0 {
		pdf.SetAutoPageBreak(true, sheetMargin)
		pdf.AddPage()
		pdf.SetFont("title", "", 26)
		pdf.MultiCell(0, 12, b.Title, "", "L", false)
		pdf.SetFont("text", "", 12)
		pdf.MultiCell(0, 7, b.Lead, "", "L", false)
		pdf.Ln(5)
		pdf.SetFont("text", "B", 14)
		pdf.MultiCell(0, 8, b.RulesTitle, "B", "L", false)
		pdf.Ln(3)
		pdf.SetFont("text", "", 13)
		for _, r := range b.Rules {
			pdf.MultiCell(0, 7, r, "", "L", false)
			pdf.Ln(2.5)
		}
		pdf.SetAutoPageBreak(false, 0)
	}
	for _, p := range b.Pages {
		b.page(pdf, p)
	}
	return written(pdf)
}

// page draws the page of a round.
func (b CallBook) page(pdf *fpdf.Fpdf, p CallPage) {
	const room = pageWidth - 2*sheetMargin
	pdf.AddPage()
	squeeze(pdf, "title", "", 22, p.Title, room)
	pdf.CellFormat(room, 11, p.Title, "", 1, "L", false, 0, "")
	squeeze(pdf, "text", "", 9, b.Title+" · "+p.Note, room)
	pdf.CellFormat(room, 5, b.Title+" · "+p.Note, "B", 1, "L", false, 0, "")
	pdf.Ln(3)
	widths := []float64{26, 50, 20, 46, room - 142}
	line := func(style string, h float64, cells ...string) {
		for i, c := range cells {
			squeeze(pdf, "text", style, 10, c, widths[i])
			pdf.CellFormat(widths[i], h, c, "B", 0, "L", false, 0, "")
		}
		pdf.Ln(h)
	}
	line("B", 6, b.Labels.Stage, b.Labels.Prize, b.Labels.Series, b.Labels.Consolation, b.Labels.Winner)
	for _, prize := range p.Prizes {
		line("", 11, prize.Stage, prize.Prize, prize.Series, prize.Consolation, "")
	}
	pdf.Ln(4)
	pdf.SetFont("text", "B", 10)
	pdf.CellFormat(room, 6, b.Labels.Board, "", 1, "L", false, 0, "")
	grid(pdf, 10, 9, room/10, 9.5, func(i int) string { return strconv.Itoa(i + 1) })
	pdf.Ln(4)
	pdf.SetFont("text", "B", 10)
	pdf.CellFormat(room, 6, b.Labels.Order, "", 1, "L", false, 0, "")
	grid(pdf, 15, 6, room/15, 7.5, func(int) string { return "" })
	pdf.Ln(4)
	pdf.SetFont("text", "B", 10)
	pdf.CellFormat(room, 6, b.Labels.Remarks, "", 1, "L", false, 0, "")
	for pdf.GetY() < pageHeight-sheetMargin-12 {
		pdf.CellFormat(room, 8, "", "B", 1, "L", false, 0, "")
	}
	pdf.SetFont("text", "", 9)
	pdf.SetXY(sheetMargin, pageHeight-sheetMargin-2)
	pdf.CellFormat(room, 5, b.Labels.Signature, "", 0, "L", false, 0, "")
}

// grid draws boxes, row by row.
func grid(pdf *fpdf.Fpdf, columns, rows int, w, h float64, text func(int) string) {
	pdf.SetFont("text", "B", 12)
	pdf.SetDrawColor(120, 116, 110)
	for i := range columns * rows {
		end := 0
		if (i+1)%columns == 0 {
			end = 1
		}
		pdf.CellFormat(w, h, text(i), "1", end, "C", false, 0, "")
	}
	pdf.SetDrawColor(0, 0, 0)
}

// A Ticket is a reservation on paper.
type Ticket struct{ Title, When, Holder, Code, QR, Text string }

// The tickets of a page: two beside each other, five below.
const (
	ticketColumns, ticketRows = 2, 5
	ticketWidth               = (pageWidth - 2*margin) / ticketColumns
	ticketHeight              = (pageHeight - 2*margin) / ticketRows
)

// Tickets writes reservations, ten to a page, to be cut.
func Tickets(title string, made time.Time, list []Ticket) ([]byte, error) {
	pdf := newPDF(title, made)
	for i, t := range list {
		at := i % (ticketColumns * ticketRows)
		if at == 0 {
			pdf.AddPage()
		}
		x := margin + float64(at%ticketColumns)*ticketWidth
		y := margin + float64(at/ticketColumns)*ticketHeight
		pdf.SetDrawColor(150, 150, 150)
		pdf.SetDashPattern([]float64{1.2, 1.2}, 0)
		pdf.Rect(x, y, ticketWidth, ticketHeight, "D")
		pdf.SetDashPattern(nil, 0)
		if err := drawQR(pdf, x+3, y+4, 32, pageHeight, t.QR); err != nil {
			return nil, fmt.Errorf("print: the code of reservation %s: %w", t.Code, err)
		}
		const left = 37.0
		room := ticketWidth - left - 3
		put := func(family, style string, size, h float64, text string) {
			squeeze(pdf, family, style, size, text, room)
			pdf.SetX(x + left)
			pdf.CellFormat(room, h, text, "", 1, "L", false, 0, "")
		}
		pdf.SetXY(x+left, y+4)
		put("title", "", 13, 7, t.Title)
		put("text", "", 8, 4.5, t.When)
		put("text", "B", 11, 6, t.Holder)
		put("title", "", 17, 9, t.Code)
		pdf.SetFont("text", "", 7.5)
		pdf.SetXY(x+3, y+38)
		pdf.MultiCell(ticketWidth-6, 3.6, t.Text, "", "L", false)
	}
	return written(pdf)
}
