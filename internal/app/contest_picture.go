package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"boulier/player"
)

// giftPictureCell is named by the digest of the picture, so that its address is of it alone.
func giftPictureCell(name string) Cell[LotoPicture] {
	return Cell[LotoPicture]("contest/picture/" + name)
}

// A GiftPicture is a manager's picture for a gift; no file takes away the one there is.
type GiftPicture struct {
	Request RequestID
	By      player.ID
	Gift    GiftID
	File    []byte
}

// SetGiftPicture gives a gift of the shop its picture, as the prizes of a loto have theirs
// (contest:12).
func (c *Contests) SetGiftPicture(ctx context.Context, o GiftPicture) error {
	var picture LotoPicture
	name := ""
	if len(o.File) > 0 {
		var err error
		if picture, err = shownPicture(o.File); err != nil {
			return err
		}
		sum := sha256.Sum256(picture.Body)
		name = hex.EncodeToString(sum[:16])
	}
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "contest/picture", []any{o.Gift, name}),
		States: []string{string(giftCell(o.Gift)), string(giftPictureCell(name)), string(standingOf(o.By))}}
	_, err := Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, o.By, ManageGames); err != nil {
			return struct{}{}, err
		}
		g, err := giftCell(o.Gift).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if g.ID == 0 {
			return struct{}{}, ErrGiftUnknown.With("gift %d", o.Gift)
		}
		g.Picture = name
		giftCell(g.ID).Put(tx, g)
		if name != "" {
			giftPictureCell(name).Put(tx, picture)
		}
		return struct{}{}, giftCell(g.ID).Append(tx, "gift_pictured", struct {
			Picture string    `json:"picture"`
			By      player.ID `json:"by"`
		}{name, o.By})
	})
	return err
}

// GiftPicture returns a picture by its name; ErrNotFound if there is none.
func (c *Contests) GiftPicture(ctx context.Context, name string) (LotoPicture, error) {
	p, _, err := giftPictureCell(name).Read(ctx, c.Store)
	if err == nil && len(p.Body) == 0 {
		err = ErrNotFound
	}
	return p, err
}
