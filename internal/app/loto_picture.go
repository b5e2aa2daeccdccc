package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	_ "image/gif" // pictures that come as GIF
	"image/jpeg"
	"image/png"
	"time"

	"boulier/game/loto"
	"boulier/regs"
)

// A LotoPicture is a picture of a prize or a partner's logo, as it is shown.
type LotoPicture struct {
	Kind string `json:"kind"` // image/png or image/jpeg
	Body []byte `json:"body"`
}

// The bounds of pictures.
const (
	MaxLotoPicture = 12 << 20 // bytes of a file that is sent: a phone's photograph
	maxPictureDots = 60_000_000
	pictureSide    = 960 // dots of what is kept, on its longer side
)

// ErrPicture refuses a file that is no picture that can be shown.
var ErrPicture = &regs.Violation{Ref: "loto:12", Code: "loto_picture"}

// pictureCell is named by the digest of the picture, so that a day copied from another shows
// the same ones.
func pictureCell(name string) Cell[LotoPicture] { return Cell[LotoPicture]("loto/picture/" + name) }

// A PicturePlace says whose picture it is: a prize's, by its round and its index there, both
// from 1, or where Round is 0 a partner's.
type PicturePlace struct{ Round, Prize int }

// SetPicture puts a picture in its place, in its own size at most pictureSide: it is shown,
// not printed. A picture can be changed as long as the day is not closed; it is no stake.
func (l *Loto) SetPicture(ctx context.Context, a LotoAct, at PicturePlace, file []byte) error {
	p, err := shownPicture(file)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(p.Body)
	name := hex.EncodeToString(sum[:16])
	cell := pictureCell(name)
	return l.act(ctx, a, lotoDo{name: "picture", params: []any{at, name}, may: ManageGames,
		states: []string{string(cell)}, decide: func(tx Tx, s loto.Session) ([]loto.Event, error) {
			events, err := s.Picture(at.Round, at.Prize, name)
			if err == nil {
				cell.Put(tx, p)
			}
			return events, err
		}})
}

// RemovePicture takes a picture away; a partner's is named.
func (l *Loto) RemovePicture(ctx context.Context, a LotoAct, at PicturePlace, partner string) error {
	return l.simple(ctx, a, "picture/remove", []any{at, partner}, ManageGames, false,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) {
			return s.RemovePicture(at.Round, at.Prize, partner)
		})
}

// Picture returns a picture; ErrNotFound if there is none.
func (l *Loto) Picture(ctx context.Context, name string) (LotoPicture, error) {
	if len(name) != 32 {
		return LotoPicture{}, ErrNotFound
	}
	p, _, err := pictureCell(name).Read(ctx, l.Store)
	if err == nil && len(p.Body) == 0 {
		err = ErrNotFound
	}
	return p, err
}

// shownPicture reads a file and returns what is shown of it: nothing that hides in a file
// reaches a browser, since its dots alone are written again.
func shownPicture(file []byte) (LotoPicture, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil || config.Width < 1 || config.Height < 1 || config.Width*config.Height > maxPictureDots {
		return LotoPicture{}, ErrPicture.With("%d bytes: %v", len(file), err)
	}
	picture, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return LotoPicture{}, ErrPicture.With("%v", err)
	}
	small := shrunk(picture, pictureSide)
	var out bytes.Buffer
	if small.Opaque() {
		err = jpeg.Encode(&out, small, &jpeg.Options{Quality: 85})
		return LotoPicture{"image/jpeg", out.Bytes()}, err
	}
	err = png.Encode(&out, small)
	return LotoPicture{"image/png", out.Bytes()}, err
}

// shrunk returns a picture whose longer side has at most side dots: each is the mean of those
// that it stands for.
func shrunk(p image.Image, side int) *image.NRGBA {
	b := p.Bounds()
	long := max(b.Dx(), b.Dy())
	w, h := b.Dx(), b.Dy()
	if long > side {
		w, h = max(1, b.Dx()*side/long), max(1, b.Dy()*side/long)
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			out.Set(x, y, mean(p, image.Rect(b.Min.X+x*b.Dx()/w, b.Min.Y+y*b.Dy()/h,
				b.Min.X+(x+1)*b.Dx()/w, b.Min.Y+(y+1)*b.Dy()/h)))
		}
	}
	return out
}

// mean is the mean colour of a part of a picture, at least one dot of it.
func mean(p image.Image, part image.Rectangle) color.Color {
	var r, g, b, a, n uint64
	for y := part.Min.Y; y < max(part.Max.Y, part.Min.Y+1); y++ {
		for x := part.Min.X; x < max(part.Max.X, part.Min.X+1); x++ {
			cr, cg, cb, ca := p.At(x, y).RGBA()
			r, g, b, a, n = r+uint64(cr), g+uint64(cg), b+uint64(cb), a+uint64(ca), n+1
		}
	}
	return color.RGBA64{uint16(r / n), uint16(g / n), uint16(b / n), uint16(a / n)}
}
