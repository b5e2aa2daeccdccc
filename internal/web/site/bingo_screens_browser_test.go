//go:build !race

package site_test

import (
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/web/webtest"
)

// authorize makes a tab a terminal, and enter presents an account there.
func (h *bingoHouse) authorize(b *webtest.Tab, terminal int) {
	b.Visit(h.url + "/bingo/terminal")
	follow(b, `document.querySelector("[name=code]").value = "`+h.codes[terminal]+`";
		document.querySelector("[name=code]").form.requestSubmit()`)
}

func (h *bingoHouse) enter(b *webtest.Tab, card app.BingoCard, pin string) {
	follow(b, `document.querySelector("[name=card]").value = "`+card.QR()+`";
		document.querySelector("[name=pin]").value = "`+pin+`";
		document.querySelector("[name=pin]").form.requestSubmit()`)
	b.WaitFor(`document.querySelector(".terminal-credits")`)
}

// take buys cards with the buttons of the terminal.
func take(b *webtest.Tab, price, count string) {
	follow(b, `document.querySelector('[name=price][value="`+price+`"]').click();
		document.querySelector('[data-take="`+count+`"]').click();
		document.querySelector(".bingo-pay").click()`)
}

// TestBingo_ScreensAtEveryWidthAndTheme looks at the screens of players and halls.
func TestBingo_ScreensAtEveryWidthAndTheme(t *testing.T) {
	t.Parallel()
	h := openBingo(t, 3)
	b, hall := tab(t), tab(t)
	b.Visit(h.url + "/bingo/terminal")
	b.Look("bingo-authorize")
	h.authorize(b, 0)
	round := h.sale()
	b.Visit(h.url + "/bingo/terminal")
	b.Look("bingo-enter")
	card, pin := h.guest(60_00)
	h.enter(b, card, pin)
	h.Clock.Move(17 * time.Second)
	take(b, "100", "6")
	take(b, "200", "3")
	b.Look("bingo-sale")
	hall.Visit(h.url + "/bingo/hall")
	hall.Look("bingo-hall-sale")
	for range 31 {
		h.on(round)
	}
	b.Visit(h.url + "/bingo/terminal")
	b.Look("bingo-draw")
	hall.Visit(h.url + "/bingo/hall")
	hall.Look("bingo-hall-draw")
	for {
		if r := h.on(round); r.Phase == bingo.Over {
			break
		}
	}
	b.Visit(h.url + "/bingo/terminal")
	b.Look("bingo-over")
	hall.Visit(h.url + "/bingo/hall")
	hall.Look("bingo-hall-over")
	h.sale()
	b.Visit(h.url + "/bingo/terminal")
	b.Look("bingo-next")
	hall.Visit(h.url + "/bingo/hall")
	hall.Look("bingo-hall-next")
	b.Visit(h.url + "/bingo/terminal/movements")
	b.Look("bingo-moves")
	b.Visit(h.url + "/bingo")
	b.Look("bingo-public")
	b.Visit(h.url + "/bingo/rounds/1")
	b.Look("bingo-round")
}
