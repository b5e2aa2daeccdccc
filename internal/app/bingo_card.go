package app

import (
	"fmt"
	"strconv"
	"strings"

	"boulier/game/bingo"
)

// A BingoCard is what stands on the card of an electronic account (bingo:93.3): which
// account, and which of its cards, counted from 1.
type BingoCard struct {
	Account bingo.AccountID
	Card    int
}

// check is what makes a wrongly typed number no number: two figures, as on a bank account.
func (c BingoCard) check() int64 { return 98 - (int64(c.Account)*10_000+int64(c.Card)*100)%97 }

// String is the number that is printed on the card and can be typed: account, card, check.
func (c BingoCard) String() string {
	return fmt.Sprintf("%d-%d-%02d", int64(c.Account), c.Card, c.check())
}

// QR is the text of the card's QR code, which a scanner types.
func (c BingoCard) QR() string { return "boulier:bingo:" + c.String() }

// ParseBingoCard reads a number that was typed or scanned; ok is false when it is none. The
// separators do not matter, for scanners and keyboards disagree about them.
func ParseBingoCard(text string) (c BingoCard, ok bool) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if len(parts) != 3 {
		return c, false
	}
	var n [3]int64
	for i, p := range parts {
		var err error
		if n[i], err = strconv.ParseInt(p, 10, 64); err != nil || n[i] < 1 || n[i] > 1e12 {
			return c, false
		}
	}
	c = BingoCard{bingo.AccountID(n[0]), int(n[1])}
	return c, n[1] < 100 && n[2] == c.check()
}
