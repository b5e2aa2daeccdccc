package print

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"iter"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"rsc.io/qr"

	"boulier/draw"
	"boulier/game/ninety"
	"boulier/regs/regstest"
)

// printed gives the cards from 1 to n of a fixed series.
func printed(n int) iter.Seq[PrintedCard] {
	return func(yield func(PrintedCard) bool) {
		src := draw.NewStream(draw.NinetySheets, "T", draw.Secret{7}, nil)
		var s ninety.Sheet
		for i := range n {
			if i%6 == 0 {
				s.Deal(src)
			}
			serial := ninety.Serial{Series: "T", Number: i + 1}
			if !yield(PrintedCard{serial, s[i%6], serial.Code([]byte("key"), 0, s[i%6])}) {
				return
			}
		}
	}
}

// design is a complete design.
func design(perPage int) Cards {
	return Cards{Title: "Loto de l’été à Mâcon", Colour: SeriesColour("T"), PerPage: perPage, Value: "5,00 €",
		Labels: CardLabels{"Série", "carton", "Tampon du jour"}, Made: time.Unix(1_700_000_000, 0)}
}

// pages returns the drawing of each page of a PDF as text.
func pages(t *testing.T, pdf []byte) (list []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`).FindAllSubmatch(pdf, -1) {
		z, err := zlib.NewReader(bytes.NewReader(m[1]))
		if err != nil {
			continue
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(" BI ")) {
			list = append(list, string(text))
		}
	}
	return list
}

// TestWriteCards_EachCardHasItsCode reads the QR codes out of the pages: every card once,
// in order, with its series, number and security code, on as few pages as there can be.
func TestWriteCards_EachCardHasItsCode(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:10")
	mask := regexp.MustCompile(`BI /W (\d+) /H \d+ /IM true /BPC 1 /D \[1 0\] /F /AHx ID ([0-9a-f]+)> EI`)
	for _, perPage := range []int{2, 3, 6} {
		const cards = 14
		var pdf bytes.Buffer
		done := 0
		d := design(perPage)
		d.Progress = func() { done++ }
		if err := WriteCards(&pdf, d, printed(cards)); err != nil {
			t.Fatal(err)
		}
		list := pages(t, pdf.Bytes())
		if want := (cards + perPage - 1) / perPage; len(list) != want || done != want {
			t.Fatalf("%d to a page: %d pages, %d reported, want %d", perPage, len(list), done, want)
		}
		found := mask.FindAllStringSubmatch(strings.Join(list, "\n"), -1)
		i := 0
		for c := range printed(cards) {
			code, err := qr.Encode(c.Serial.String()+" "+c.Code, qr.M)
			if err != nil {
				t.Fatal(err)
			}
			if i >= len(found) || found[i][1] != fmt.Sprint(code.Size) {
				t.Fatalf("%d to a page: card %v has no QR code", perPage, c.Serial)
			}
			bits, err := hex.DecodeString(found[i][2])
			if err != nil {
				t.Fatal(err)
			}
			width := len(bits) / code.Size
			for y := range code.Size {
				for x := range code.Size {
					if bits[y*width+x/8]>>(7-x%8)&1 == 1 != code.Black(x, y) {
						t.Fatalf("card %v: module %d, %d is wrong", c.Serial, x, y)
					}
				}
			}
			i++
		}
	}
}

// TestWriteCards_KeepsTheMargins looks at every rectangle that is drawn: none comes
// nearer to an edge of the paper than printers reach.
func TestWriteCards_KeepsTheMargins(t *testing.T) {
	t.Parallel()
	box := regexp.MustCompile(`(?m)^(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) re`)
	for _, perPage := range []int{2, 3, 6} {
		var pdf bytes.Buffer
		if err := WriteCards(&pdf, design(perPage), printed(perPage)); err != nil {
			t.Fatal(err)
		}
		found := box.FindAllStringSubmatch(pages(t, pdf.Bytes())[0], -1)
		if len(found) < 27*perPage {
			t.Fatalf("%d to a page: only %d rectangles", perPage, len(found))
		}
		const unit = 25.4 / 72
		for _, m := range found {
			var v [4]float64
			for i := range v {
				if _, err := fmt.Sscan(m[i+1], &v[i]); err != nil {
					t.Fatal(err)
				}
			}
			left, right := math.Min(v[0], v[0]+v[2])*unit, math.Max(v[0], v[0]+v[2])*unit
			low, high := math.Min(v[1], v[1]+v[3])*unit, math.Max(v[1], v[1]+v[3])*unit
			if left < 8.9 || right > 201.1 || low < 8.9 || high > 288.1 {
				t.Errorf("%d to a page: a rectangle from %.1f, %.1f to %.1f, %.1f mm", perPage, left, low, right, high)
			}
		}
	}
}

func TestWriteCards_IsTheSameForTheSame(t *testing.T) {
	t.Parallel()
	var a, b bytes.Buffer
	if err := errors.Join(WriteCards(&a, design(6), printed(9)), WriteCards(&b, design(6), printed(9))); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two prints of the same cards differ")
	}
}

// logoPNG returns a picture.
func logoPNG(t *testing.T, w, h int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = 200
	}
	m.Set(1, 1, color.Black)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWriteCards_Logos(t *testing.T) {
	t.Parallel()
	d := design(3)
	d.Logos = [][]byte{logoPNG(t, 40, 10), logoPNG(t, 10, 40)}
	var pdf bytes.Buffer
	if err := WriteCards(&pdf, d, printed(3)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(pages(t, pdf.Bytes())[0], " Do Q"); n != 6 {
		t.Errorf("%d logos are drawn on three cards, want 6", n)
	}
}

func TestWriteCards_Refuses(t *testing.T) {
	t.Parallel()
	picture := logoPNG(t, 4, 4)
	for _, tc := range []struct {
		name   string
		change func(d *Cards)
		want   error
	}{
		{"four to a page", func(d *Cards) { d.PerPage = 4 }, ErrPerPage},
		{"a logo that is no picture", func(d *Cards) { d.Logos = [][]byte{[]byte("logo")} }, ErrLogo},
		{"five logos", func(d *Cards) { d.Logos = [][]byte{picture, picture, picture, picture, picture} }, ErrLogo},
	} {
		d := design(6)
		tc.change(&d)
		if err := WriteCards(io.Discard, d, printed(1)); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
}

// TestColours_AreLegible computes the contrast of the white title on each colour, and of
// ink on its tint (WCAG 2.2 AA: 4.5).
func TestColours_AreLegible(t *testing.T) {
	t.Parallel()
	light := func(c Colour) float64 {
		part := func(v uint8) float64 {
			if x := float64(v) / 255; x > 0.04045 {
				return math.Pow((x+0.055)/1.055, 2.4)
			}
			return float64(v) / 255 / 12.92
		}
		return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
	}
	seen := map[Colour]bool{}
	for i, n := range named {
		if contrast := 1.05 / (light(n.Colour) + 0.05); contrast < 4.5 {
			t.Errorf("white on %s has a contrast of %.2f", n.name, contrast)
		}
		if got, err := ParseColour(strings.ToUpper(n.name)); err != nil || got != n.Colour {
			t.Errorf("%s is read as %v, %v", n.name, got, err)
		}
		seen[SeriesColour(ninety.Series(rune('A'+i)))] = true
	}
	if len(seen) != len(named) {
		t.Errorf("series A to H have %d colours", len(seen))
	}
	if got, err := ParseColour("#0F5c44"); err != nil || got != named[0].Colour {
		t.Errorf("#0F5c44 is read as %v, %v", got, err)
	}
	for _, bad := range []string{"", "#fff", "red", "0f5c4", "+f5c44", "0f5c445"} {
		if _, err := ParseColour(bad); !errors.Is(err, ErrColour) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// BenchmarkCards prints 10 000 cards: 10 s and 30 MB at most.
func BenchmarkCards(b *testing.B) {
	for _, perPage := range []int{2, 6} {
		b.Run(fmt.Sprint(perPage), func(b *testing.B) {
			var pdf bytes.Buffer
			for b.Loop() {
				pdf.Reset()
				if err := WriteCards(&pdf, design(perPage), printed(10_000)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(pdf.Len())/1e6, "MB")
		})
	}
}
