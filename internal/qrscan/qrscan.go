// Package qrscan reads the QR code in a photograph, as a phone takes it of a card: phones on
// plain http have no live camera, so that a picture is sent and read here.
package qrscan

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif"  // pictures that come as GIF
	_ "image/jpeg" // as phones take them
	_ "image/png"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// MaxBytes bounds a photograph that is sent.
const MaxBytes = 12 << 20

// maxDots bounds a photograph once it is unpacked.
const maxDots = 60_000_000

// sides are the lengths, in dots, to which a photograph is made smaller, one after the other,
// until a code is found: a sharp picture is found in the first, a blurred or grainy one in a
// smaller one.
var sides = []int{1200, 700, 1800}

// ErrNoCode says that no code was found; ErrNoPhoto that the file is no picture.
var (
	ErrNoCode  = errors.New("qrscan: no QR code in the picture")
	ErrNoPhoto = errors.New("qrscan: no picture that can be read")
)

// Read returns the text of the QR code in a PNG, JPEG or GIF.
func Read(photo []byte) (text string, err error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(photo))
	if err != nil || config.Width < 1 || config.Height < 1 || config.Width > maxDots/config.Height {
		return "", ErrNoPhoto
	}
	picture, _, err := image.Decode(bytes.NewReader(photo))
	if err != nil {
		return "", ErrNoPhoto
	}
	defer func() { // the reader of codes is a stranger, and whatever is sent reaches it
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("%w (%v)", ErrNoCode, p)
		}
	}()
	full := grey(picture)
	hints := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true}
	tried := 0
	for _, side := range sides {
		small := shrunk(full, side)
		if long := max(small.Bounds().Dx(), small.Bounds().Dy()); long == tried {
			continue
		} else {
			tried = long
		}
		for _, binarizer := range []func(gozxing.LuminanceSource) gozxing.Binarizer{gozxing.NewHybridBinarizer, gozxing.NewGlobalHistgramBinarizer} {
			bitmap, err := gozxing.NewBinaryBitmap(binarizer(gozxing.NewLuminanceSourceFromImage(small)))
			if err != nil {
				continue
			}
			if found, err := qrcode.NewQRCodeReader().Decode(bitmap, hints); err == nil {
				return found.GetText(), nil
			}
		}
	}
	return "", ErrNoCode
}

// grey returns a picture in grey.
func grey(p image.Image) *image.Gray {
	out := image.NewGray(image.Rectangle{Max: p.Bounds().Size()})
	draw.Draw(out, out.Bounds(), p, p.Bounds().Min, draw.Src)
	return out
}

// shrunk returns a picture whose longer side has at most side dots, each the mean of those
// that it stands for.
func shrunk(p *image.Gray, side int) *image.Gray {
	size := p.Bounds().Size()
	long := max(size.X, size.Y)
	if long <= side {
		return p
	}
	w, h := max(1, size.X*side/long), max(1, size.Y*side/long)
	out := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		top, bottom := y*size.Y/h, max((y+1)*size.Y/h, y*size.Y/h+1)
		for x := range w {
			left, right := x*size.X/w, max((x+1)*size.X/w, x*size.X/w+1)
			sum := 0
			for yy := top; yy < bottom; yy++ {
				for _, dot := range p.Pix[yy*p.Stride+left : yy*p.Stride+right] {
					sum += int(dot)
				}
			}
			out.Pix[y*out.Stride+x] = uint8(sum / ((bottom - top) * (right - left)))
		}
	}
	return out
}
