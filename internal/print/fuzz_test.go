package print

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sixDigits is a colour that is not named.
var sixDigits = regexp.MustCompile(`^#?[0-9A-Fa-f]{6}$`)

// FuzzParseColour holds that a colour is read exactly where it is a name or six digits, that
// it is the one these digits write, and that anything else is ErrColour and black.
func FuzzParseColour(f *testing.F) {
	for _, text := range []string{"bottle", "OCHRE", "#0f5c44", "0F5C44", "",
		"#", "##0f5c4", "+0f5c4", "0x0f5c", "0f5_c4", "#0f5c4", "#0f5c444", "bottle "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseColour(text)
		known := slices.ContainsFunc(strings.Split(names(), ", "), func(n string) bool { return n == strings.ToLower(text) })
		switch {
		case (err == nil) != (known || sixDigits.MatchString(text)):
			t.Errorf("%q is read as %v, %v", text, c, err)
		case err != nil:
			if err != ErrColour || c != (Colour{}) {
				t.Errorf("%q is refused with %v, and %v", text, err, c)
			}
		case !known && fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B) != strings.ToLower(strings.TrimPrefix(text, "#")):
			t.Errorf("%q is read as %v", text, c)
		}
	})
}

// logos are pictures of each kind that a partner may send, and of some that none should.
func logos(f *testing.F) (list [][]byte) {
	picture := image.NewNRGBA(image.Rect(0, 0, 5, 3))
	grey := image.NewGray16(picture.Rect)
	patches := image.NewPaletted(picture.Rect, color.Palette{color.Black, color.White})
	add := func(write func(w io.Writer) error) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			f.Fatal(err)
		}
		list = append(list, b.Bytes())
	}
	for _, m := range []image.Image{picture, grey, patches} {
		add(func(w io.Writer) error { return png.Encode(w, m) })
		add(func(w io.Writer) error { return jpeg.Encode(w, m, nil) })
	}
	add(func(w io.Writer) error { return gif.Encode(w, patches, nil) })
	plain := list[1] // a JPEG; the next says that its three colours are red, green and blue
	adobe := []byte("\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00")
	list = append(list, slices.Concat(plain[:2], adobe, plain[2:]))
	size := bytes.Index(plain, []byte{0, 3, 0, 5}) // and this one, that it is as big as a wall
	list = append(list, slices.Concat(plain[:size], []byte{0xff, 0xff, 0xff, 0xff}, plain[size+4:]))
	return append(list, plain[:len(plain)-20], []byte("\x89PNG\r\n\x1a\n"), nil)
}

// FuzzCheckLogos holds that a file is refused with ErrLogo, or is a picture that a document
// takes; and that a logo which is refused by itself is refused among others.
func FuzzCheckLogos(f *testing.F) {
	for _, l := range logos(f) {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := &cardDrawing{Cards: Cards{Logos: [][]byte{data}}, pdf: newPDF("", design(2).Made)}
		err := CheckLogos(d.Logos)
		if err != nil {
			if !errors.Is(err, ErrLogo) {
				t.Errorf("refused with %v", err)
			}
			if CheckLogos([][]byte{logoPNG(t, 3, 3), data}) == nil {
				t.Error("taken behind another one")
			}
			return
		}
		if err := d.registerLogos(); err != nil {
			t.Fatalf("taken, and not printed: %v", err)
		}
		if l := d.logos[0]; !(l.ratio > 0) {
			t.Errorf("the logo is %g times as wide as high", l.ratio)
		}
		if err := d.pdf.Output(io.Discard); err != nil {
			t.Errorf("taken, and not written: %v", err)
		}
		if CheckLogos([][]byte{data, data, data, data, data}) == nil {
			t.Error("five logos are taken")
		}
	})
}
