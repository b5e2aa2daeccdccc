package print

import (
	"encoding/hex"
	"fmt"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	"rsc.io/qr"
)

// identity draws what tells a card from every other: its serial, large enough to be read
// out, its QR code and security code, and the place for the day's stamp (loto:8).
func (d *cardDrawing) identity(x, y float64, c PrintedCard) error {
	if d.horizontal {
		return d.identityBelow(x, y, c)
	}
	return d.identityBeside(x, y, c)
}

// identityBelow draws the panel below the grid, from left to right: QR code, serial,
// partners, stamp.
func (d *cardDrawing) identityBelow(x, y float64, c PrintedCard) error {
	h := d.panel.h
	if err := d.qr(x, y, h, c); err != nil {
		return err
	}
	left := x + h + 4
	d.pdf.SetTextColor(20, 18, 16)
	d.text("title", "", d.serial, rect{left, y, 62, h * 0.5}, "L", c.Serial.String())
	d.text("text", "B", d.small*1.35, rect{left, y + h*0.52, 62, h * 0.2}, "L", c.Code)
	d.pdf.SetTextColor(80, 76, 70)
	d.text("text", "", d.small, rect{left, y + h*0.74, 62, h * 0.2}, "L", d.describe(c))
	stampWidth := h * 1.5
	d.partners(rect{left + 66, y + 1, cardWidth - h - 4 - 66 - stampWidth - 4, h - 2})
	d.stamp(rect{x + cardWidth - stampWidth, y, stampWidth, h})
	return nil
}

// identityBeside draws the panel beside the grid: serial on top, then QR code and stamp.
func (d *cardDrawing) identityBeside(x, y float64, c PrintedCard) error {
	w := d.panel.w
	d.pdf.SetTextColor(20, 18, 16)
	d.text("title", "", d.serial, rect{x, y, w, 9}, "L", c.Serial.String())
	const side = 25.0
	if err := d.qr(x, y+10, side, c); err != nil {
		return err
	}
	d.pdf.SetTextColor(20, 18, 16)
	d.text("text", "B", d.small*1.25, rect{x, y + 35.6, side, 4}, "C", c.Code)
	d.pdf.SetTextColor(80, 76, 70)
	d.text("text", "", d.small, rect{x, y + 39.6, side, 3.4}, "C", d.describe(c))
	d.stamp(rect{x + side + 2, y + 10, w - side - 2, 20.5})
	d.partners(rect{x + side + 2, y + 32, w - side - 2, 12})
	return nil
}

// describe says in words which card it is.
func (d *cardDrawing) describe(c PrintedCard) string {
	text := fmt.Sprintf("%s %s · %s %d", d.Labels.Series, c.Serial.Series, d.Labels.Card, c.Serial.Number)
	if d.horizontal && d.Value != "" {
		text += " · " + d.Value
	}
	return text
}

// stamp draws the box for the day's stamp.
func (d *cardDrawing) stamp(box rect) {
	d.pdf.SetDrawColor(120, 116, 110)
	d.pdf.SetLineWidth(0.2)
	d.pdf.SetDashPattern([]float64{0.8, 0.8}, 0)
	d.pdf.RoundedRect(box.x, box.y, box.w, box.h, 2, "1234", "D")
	d.pdf.SetDashPattern(nil, 0)
	d.pdf.SetTextColor(120, 116, 110)
	d.text("text", "", d.small, rect{box.x + 1.5, box.y + box.h - 5, box.w - 3, 4}, "C", d.Labels.Stamp)
}

// partners draws the partners' logos side by side in a box, each as large as its part
// of the box allows.
func (d *cardDrawing) partners(box rect) {
	if len(d.logos) == 0 {
		return
	}
	const gap = 2.0
	part := (box.w - gap*float64(len(d.logos)-1)) / float64(len(d.logos))
	for i, l := range d.logos {
		w, h := part, part/l.ratio
		if h > box.h {
			w, h = box.h*l.ratio, box.h
		}
		x := box.x + float64(i)*(part+gap) + (part-w)/2
		d.pdf.Image(l.name, x, box.y+(box.h-h)/2, w, h, false, "", 0, "")
	}
}

// qr draws the QR code of a card in a square: series, number and security code, as a
// scanner that types would type them. It is an image mask of a bit a module, written in
// the page itself: a hundred bytes, sharp at any size.
func (d *cardDrawing) qr(x, y, side float64, c PrintedCard) error {
	return drawQR(d.pdf, x, y, side, pageHeight, c.Serial.String()+" "+c.Code)
}

// drawQR draws a text as a QR code into a square of a page of this height.
func drawQR(pdf *fpdf.Fpdf, x, y, side, pageHeight float64, text string) error {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return fmt.Errorf("QR code of %q: %w", text, err)
	}
	const quiet = 2 // modules left white inside the square; the page around adds more
	width := (code.Size + 7) / 8
	bits := make([]byte, width*code.Size)
	for row := range code.Size {
		for col := range code.Size {
			if code.Black(col, row) {
				bits[row*width+col/8] |= 0x80 >> (col % 8)
			}
		}
	}
	const pointsPerMM = 72 / 25.4
	module := side / float64(code.Size+2*quiet)
	edge := module * float64(code.Size) * pointsPerMM
	var b strings.Builder
	fmt.Fprintf(&b, "q 0 g %.3f 0 0 %.3f %.3f %.3f cm ", edge, edge,
		(x+quiet*module)*pointsPerMM, (pageHeight-y-side+quiet*module)*pointsPerMM)
	fmt.Fprintf(&b, "BI /W %d /H %d /IM true /BPC 1 /D [1 0] /F /AHx ID %s> EI Q",
		code.Size, code.Size, hex.EncodeToString(bits))
	pdf.RawWriteStr(b.String())
	return nil
}
