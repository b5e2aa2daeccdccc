package qrscan

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"

	"rsc.io/qr"
)

// reads fails unless photo says text.
func reads(t *testing.T, photo []byte, text string) {
	t.Helper()
	if got, err := Read(photo); err != nil || got != text {
		t.Errorf("read %q, %v", got, err)
	}
}

// photograph is what a phone takes of a card on a table: the code is a part of it, turned, in
// a light that falls off, blurred and grainy.
func photograph(t testing.TB, text string, dots, width int, turn float64, seed uint64) []byte {
	t.Helper()
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	height := width * 3 / 4
	p := image.NewGray(image.Rect(0, 0, width, height))
	sin, cos := math.Sin(turn), math.Cos(turn)
	dark := func(x, y float64) float64 { // the card at a point of the picture: 0 ink, 1 paper
		x, y = x-float64(width)/2, y-float64(height)/2
		cx, cy := (x*cos+y*sin)/float64(dots)+float64(code.Size)/2, (y*cos-x*sin)/float64(dots)+float64(code.Size)/2
		if cx < -4 || cy < -4 || cx > float64(code.Size)+4 || cy > float64(code.Size)+4 {
			return 0.55 // the table
		}
		if cx >= 0 && cy >= 0 && code.Black(int(cx), int(cy)) {
			return 0.08
		}
		return 0.95
	}
	for y := range height {
		for x := range width {
			sum := 0.0
			for _, d := range [][2]float64{{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}} { // blurred
				sum += dark(float64(x)+d[0], float64(y)+d[1]) / 5
			}
			light := 0.6 + 0.4*float64(x)/float64(width)
			p.SetGray(x, y, color.Gray{uint8(min(255, max(0, 255*sum*light+r.NormFloat64()*6)))})
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, p, &jpeg.Options{Quality: 70}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRead(t *testing.T) {
	t.Parallel()
	const text = "boulier:A-123.K7QX2"
	for name, photo := range map[string][]byte{
		"straight":    photograph(t, text, 12, 1600, 0, 1),
		"turned":      photograph(t, text, 12, 1600, 0.4, 2),
		"upside down": photograph(t, text, 10, 1600, math.Pi+0.1, 3),
		"far away":    photograph(t, text, 7, 2400, 0.2, 4),
		"small":       photograph(t, text, 8, 500, 0.1, 6),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reads(t, photo, text)
		})
	}
}

func TestRead_WhatIsNoCode(t *testing.T) {
	t.Parallel()
	paper := image.NewGray(image.Rect(0, 0, 640, 480))
	draw.Draw(paper, paper.Bounds(), image.White, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := png.Encode(&out, paper); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		photo []byte
		want  error
	}{"paper": {out.Bytes(), ErrNoCode}, "text": {[]byte("boulier"), ErrNoPhoto}, "nothing": {nil, ErrNoPhoto},
		"half": {out.Bytes()[:len(out.Bytes())/2], ErrNoPhoto}} {
		if text, err := Read(tc.photo); !errors.Is(err, tc.want) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// FuzzRead: whatever is sent, it is a text or one of the two faults.
func FuzzRead(f *testing.F) {
	f.Add(photograph(f, "A-1", 3, 200, 0, 1))
	f.Add([]byte("GIF89a"))
	f.Fuzz(func(t *testing.T, photo []byte) {
		if text, err := Read(photo); err != nil && (text != "" || !errors.Is(err, ErrNoCode) && !errors.Is(err, ErrNoPhoto)) {
			t.Errorf("%q, %v", text, err)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	photo := photograph(b, "boulier:A-123.K7QX2", 12, 1600, 0.2, 1)
	for b.Loop() {
		if _, err := Read(photo); err != nil {
			b.Fatal(err)
		}
	}
}
