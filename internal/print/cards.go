package print

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"image"
	drawing "image/draw"
	_ "image/jpeg" // partners' logos
	"image/png"
	"io"
	"iter"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"boulier/game/ninety"
)

// The fonts, with their licences beside them: fonts/README.md says where they come from.
var (
	//go:embed fonts/atkinson-hyperlegible-next-400.ttf
	fontText []byte
	//go:embed fonts/atkinson-hyperlegible-next-700.ttf
	fontBold []byte
	//go:embed fonts/bricolage-grotesque-800.ttf
	fontTitle []byte
)

// A Cards says how the cards of a series look. Labels are the words of one language.
type Cards struct {
	Title    string
	Colour   Colour
	PerPage  int // 2, 3 or 6 to an A4 page
	Value    string
	Logos    [][]byte // PNG or JPEG, of partners; at most 4
	Labels   CardLabels
	Made     time.Time // the date in the file
	Progress func()    // called after each page, if not nil
}

// CardLabels are the words on a card.
type CardLabels struct{ Series, Card, Stamp string }

// A PrintedCard is a card with its identity.
type PrintedCard struct {
	Serial ninety.Serial
	Card   ninety.Card
	Code   string // its security code
}

// Errors of a design that cannot be printed.
var (
	ErrPerPage = errors.New("print: cards go 2, 3 or 6 to a page")
	ErrLogo    = errors.New("print: a logo must be a PNG or JPEG image, and there are at most 4")
)

// Page measures in millimetres. Printers leave 4 to 6 mm at the edges white; nothing
// stands within 9.
const (
	pageWidth, pageHeight = 210.0, 297.0
	margin                = 9.0
	cardWidth             = pageWidth - 2*margin
)

// layout is where the parts of a card stand, in millimetres from its upper left corner.
type layout struct {
	height     float64 // of the strip that is cut out
	band       float64 // height of the coloured band on top
	grid       rect
	panel      rect // identity: serial, QR code, security code, stamp
	title      float64
	serial     float64 // sizes of type in points
	number     float64
	small      float64
	horizontal bool // the panel stands below the grid
}

type rect struct{ x, y, w, h float64 }

// layouts are the designs by cards to a page.
var layouts = map[int]layout{
	2: {height: 139.5, band: 15, grid: rect{0, 15, cardWidth, 86}, panel: rect{0, 104.5, cardWidth, 30},
		title: 24, serial: 34, number: 40, small: 9, horizontal: true},
	3: {height: 93, band: 11, grid: rect{0, 11, cardWidth, 52.5}, panel: rect{0, 65.5, cardWidth, 24.5},
		title: 18, serial: 26, number: 33, small: 8, horizontal: true},
	6: {height: 46.5, band: 7, grid: rect{0, 7, 141, 37}, panel: rect{143.5, 0, 48.5, 44},
		title: 12, serial: 24, number: 25, small: 6.5},
}

// WriteCards writes the cards as a PDF of A4 pages to cut, in their order.
func WriteCards(w io.Writer, c Cards, cards iter.Seq[PrintedCard]) error {
	l, ok := layouts[c.PerPage]
	if !ok {
		return ErrPerPage
	}
	d := &cardDrawing{Cards: c, layout: l, pdf: newPDF(c.Title, c.Made)}
	if err := d.registerLogos(); err != nil {
		return err
	}
	place := 0
	for card := range cards {
		if place == 0 {
			d.pdf.AddPage()
			d.cuts()
		}
		if err := d.card(margin, margin+float64(place)*l.height, card); err != nil {
			return err
		}
		if place = (place + 1) % c.PerPage; place == 0 && c.Progress != nil {
			c.Progress()
		}
	}
	if place != 0 && c.Progress != nil {
		c.Progress()
	}
	return d.pdf.Output(w)
}

// newPDF returns an empty document with the fonts. The same content gives the same bytes.
func newPDF(title string, made time.Time) *fpdf.Fpdf {
	pdf := fpdf.New("P", "mm", "A4", "")
	pdf.SetMargins(margin, margin, margin)
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetTitle(title, true)
	pdf.SetCreator("Boulier", true)
	pdf.SetCreationDate(made)
	pdf.SetModificationDate(made)
	pdf.SetCatalogSort(true)
	pdf.AddUTF8FontFromBytes("text", "", fontText)
	pdf.AddUTF8FontFromBytes("text", "B", fontBold)
	pdf.AddUTF8FontFromBytes("title", "", fontTitle)
	return pdf
}

// cardDrawing draws cards on pages.
type cardDrawing struct {
	Cards
	layout
	pdf   *fpdf.Fpdf
	logos []logo
}

// logo is a registered image and its shape.
type logo struct {
	name  string
	ratio float64 // width over height
}

// registerLogos makes the logos ready to be drawn.
func (d *cardDrawing) registerLogos() error {
	if err := CheckLogos(d.Logos); err != nil {
		return err
	}
	for i, data := range d.Logos {
		picture, kind, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			return ErrLogo
		}
		size := picture.Bounds().Size()
		// Written anew is what the document does not know: interlacing and 16 bits of a PNG, and
		// a JPEG of red, green and blue.
		if _, rgb := picture.(*image.RGBA); kind == "png" || rgb {
			plain := image.NewNRGBA(image.Rectangle{Max: size})
			drawing.Draw(plain, plain.Bounds(), picture, picture.Bounds().Min, drawing.Src)
			var b bytes.Buffer
			if err := png.Encode(&b, plain); err != nil {
				return fmt.Errorf("print: a logo: %w", err)
			}
			data, kind = b.Bytes(), "png"
		}
		l := logo{fmt.Sprintf("logo%d", i), float64(size.X) / float64(size.Y)}
		d.pdf.RegisterImageOptionsReader(l.name, fpdf.ImageOptions{ImageType: kind}, bytes.NewReader(data))
		d.logos = append(d.logos, l)
	}
	return d.pdf.Error()
}

// The bounds of the logos of a design.
const (
	MaxLogos   = 4
	maxLogoDot = 8_000_000 // a photograph of 8 million dots fills a page, not a logo
)

// CheckLogos returns ErrLogo unless each logo is a picture that can be printed, and there
// are at most MaxLogos.
func CheckLogos(logos [][]byte) error {
	if len(logos) > MaxLogos {
		return ErrLogo
	}
	for _, data := range logos {
		config, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || config.Height < 1 || config.Width < 1 || config.Height*config.Width > maxLogoDot {
			return ErrLogo
		}
		if _, _, err := image.Decode(bytes.NewReader(data)); err != nil {
			return ErrLogo
		}
	}
	return nil
}

// cuts draws the lines between the cards of a page, along which it is cut.
func (d *cardDrawing) cuts() {
	d.pdf.SetDrawColor(150, 150, 150)
	d.pdf.SetLineWidth(0.15)
	d.pdf.SetDashPattern([]float64{1.2, 1.2}, 0)
	for i := 1; i < d.PerPage; i++ {
		y := margin + float64(i)*d.height - 1.25
		d.pdf.Line(margin, y, pageWidth-margin, y)
	}
	d.pdf.SetDashPattern(nil, 0)
}

// card draws one card with its corner at x, y.
func (d *cardDrawing) card(x, y float64, c PrintedCard) error {
	d.band(x, y, c)
	d.grid9(x+d.layout.grid.x, y+d.layout.grid.y, c.Card)
	return d.identity(x+d.panel.x, y+d.panel.y, c)
}

// band draws the coloured band: the title, and beside it the serial or the price.
func (d *cardDrawing) band(x, y float64, c PrintedCard) {
	width := d.layout.grid.w
	d.fill(d.Colour)
	d.pdf.Rect(x, y, width, d.layout.band, "F")
	d.pdf.SetTextColor(255, 255, 255)
	d.text("title", "", d.title, rect{x + 3, y, width * 0.58, d.layout.band}, "L", d.Title)
	right := rect{x + width*0.62, y, width*0.38 - 3, d.layout.band}
	if d.horizontal {
		d.text("title", "", d.serial*0.8, right, "R", c.Serial.String())
	} else if d.Value != "" {
		d.text("text", "B", d.title, right, "R", d.Value)
	}
}

// grid9 draws the three lines of nine places. Numbers stand on white and blanks are
// tinted, so that a card reads in grey too.
func (d *cardDrawing) grid9(x, y float64, c ninety.Card) {
	g := d.layout.grid
	w, h := g.w/9, g.h/3
	d.fill(d.Colour.tint())
	d.pdf.Rect(x, y, g.w, g.h, "F")
	d.pdf.SetFillColor(255, 255, 255)
	d.stroke(d.Colour)
	d.pdf.SetLineWidth(0.25)
	d.pdf.SetTextColor(20, 18, 16)
	d.pdf.SetFont("text", "B", d.number)
	baseline := (h + d.number*0.3528*0.668) / 2 // figures are 0.668 of the type size high
	for i, line := range c.Grid() {
		for col, ball := range line {
			left, top := x+float64(col)*w, y+float64(i)*h
			if ball == 0 {
				d.pdf.Rect(left, top, w, h, "D")
				continue
			}
			d.pdf.Rect(left, top, w, h, "FD")
			text := fmt.Sprint(ball)
			d.pdf.Text(left+(w-d.pdf.GetStringWidth(text))/2, top+baseline, text)
		}
	}
	d.pdf.SetLineWidth(0.6)
	d.pdf.Rect(x, y, g.w, g.h, "D")
}

// text draws a text within a box, in smaller type if it is too long, in the middle of the
// box's height.
func (d *cardDrawing) text(family, style string, size float64, box rect, align, text string) {
	d.pdf.SetFont(family, style, size)
	width := d.pdf.GetStringWidth(text)
	if width > box.w {
		size *= box.w / width
		d.pdf.SetFontSize(size)
		width = box.w
	}
	x := box.x
	switch align {
	case "R":
		x += box.w - width
	case "C":
		x += (box.w - width) / 2
	}
	d.pdf.Text(x, box.y+(box.h+size*0.3528*0.68)/2, text)
}

// fill and stroke set a colour.
func (d *cardDrawing) fill(c Colour)   { d.pdf.SetFillColor(int(c.R), int(c.G), int(c.B)) }
func (d *cardDrawing) stroke(c Colour) { d.pdf.SetDrawColor(int(c.R), int(c.G), int(c.B)) }
