//go:build !race

package site_test

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/server"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/webtest"
	"boulier/money"
	"boulier/player"
	"boulier/regs/regstest"
)

// A hallDay is the whole program by a clock that the test moves, with two guests.
type hallDay struct {
	*bingoHouse
	folder, listen string
	server         *server.Server
	stop           func()
	next           atomic.Pointer[draw.Secret] // the secret that is drawn next, if it is given
}

// start runs the program on its folder.
func (d *hallDay) start() {
	d.t.Helper()
	s, err := server.Open(d.t.Context(), server.Config{Data: d.folder, Listen: d.listen, Version: "test", Now: d.Clock.Now,
		Log: slog.New(slog.DiscardHandler), PerAddress: web.Limit{Rate: 1e6, Burst: 1e6}})
	d.ok(err)
	random := s.Ground.Entropy
	s.Ground.Entropy = func(b []byte) {
		random(b)
		if given := d.next.Load(); given != nil && len(b) == len(given) {
			copy(b, given[:])
			d.next.Store(nil)
		}
	}
	d.server, d.listen = s, strings.TrimPrefix(s.URL(), "http://")
	d.house.url = s.URL()
	d.Ground, d.Instant, d.Contests, d.Bingo, d.Cards = s.Ground, s.Instant, s.Contests, s.Bingo, s.Cards
	d.People, d.Desk = s.People, s.Desk()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	d.stop = func() {
		cancel()
		if err := <-done; err != nil {
			d.t.Error(err)
		}
		d.stop = func() {}
	}
}

// sharedSecret finds a secret for which a card of each of two purchases completes the bingo on
// the same ball, and none earlier: a shared bingo is rare, and the test cannot wait for it.
func (d *hallDay) sharedSecret(round bingo.RoundID, sales []bingo.CardsSold) draw.Secret {
	d.t.Helper()
	var faces [][]ninety.Card
	for _, e := range sales {
		held, err := d.Bingo.Faces(d.t.Context(), app.BingoHand{Bought: []bingo.CardsSold{e}})
		d.ok(err)
		var cards []ninety.Card
		for _, h := range held {
			cards = append(cards, h.Card)
		}
		faces = append(faces, cards)
	}
	salt := bingo.Digest(slices.Values(sales))
	when := func(cards []ninety.Card, order []ninety.Ball) int {
		drawn := ninety.BallSet{}
		for i, b := range order {
			drawn = drawn.With(b)
			for _, c := range cards {
				if ninety.FullCard.Missing(c, drawn) == 0 {
					return i
				}
			}
		}
		return len(order)
	}
	for n := range 1_000_000 {
		s := draw.Secret{byte(n), byte(n >> 8), byte(n >> 16), 1}
		order := ninety.Draw(draw.NewStream(draw.BingoRound, draw.ID(strconv.FormatInt(int64(round), 10)), s, salt[:]))
		if when(faces[0], order) == when(faces[1], order) {
			return s
		}
	}
	d.t.Fatal("no secret gives a shared bingo")
	return draw.Secret{}
}

// What a screen shows: the credits in cents, the balls that are out, whether the cards are
// marked with them.
const (
	credits     = `Number(document.querySelector(".terminal-credits live-amount").textContent.replace(/\D/g, ""))`
	ballsOut    = `document.querySelectorAll(".board [data-out]").length`
	cardsMarked = `[...document.querySelectorAll(".bingo-card [data-n]")].every(c =>
		c.hasAttribute("data-out") === document.querySelector('.board [data-ball="' + c.dataset.n + '"]').hasAttribute("data-out"))`
)

// nearCards is a mark for each card that lacks one number for the line.
const nearCards = `[...document.querySelectorAll("[data-lacks]")].map(e => /Plus qu’un numéro/.test(e.textContent) ? "x" : "").join("")`

// tells waits until a page says a text, whatever the spaces in it.
func tells(tab *webtest.Tab, text string) {
	tab.WaitFor(`document.querySelector("main").textContent.replace(/\s+/g, " ").includes(` +
		strconv.Quote(strings.Join(strings.Fields(text), " ")) + `)`)
}

// TestBingo_TwoTerminalsAndAHall plays a round in three browsers: sale, draw, line, a shared
// bingo, and cash at the desk of the cashier; a change of prizes is announced in the sale, a
// terminal is reloaded, an account goes to another terminal, and the program is stopped and
// started in the middle; the last round is announced.
func TestBingo_TwoTerminalsAndAHall(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.1", "bingo:93.3", "bingo:93.4", "bingo:93.6", "bingo:93.7", "bingo:93.9", "bingo:93.10",
		"bingo:93.12", "bingo:93.13", "bingo:93.15")
	d := &hallDay{folder: t.TempDir(), listen: "127.0.0.1:0",
		bingoHouse: &bingoHouse{t: t, house: &house{House: &apptest.House{T: t, Clock: &apptest.Clock{}}}}}
	d.Clock.Set(time.Now()) // sessions of browsers go by the machine's clock
	d.start()
	t.Cleanup(func() { d.stop() })
	d.prepare()
	cards, pins := [2]app.BingoCard{}, [2]string{}
	for i := range cards {
		cards[i], pins[i] = d.guest(20_00)
	}
	planned := []bingo.CardsSold{
		{Price: 1_00, Count: 6, Runs: []bingo.Run{{Series: "A", From: 1, To: 6}}},
		{Price: 2_00, Count: 3, Runs: []bingo.Run{{Series: "B", From: 1, To: 3}}}}
	secret := d.sharedSecret(1, planned)
	d.next.Store(&secret)
	d.openDay(2)

	one, two, hall := tab(t), tab(t), tab(t)
	for i, b := range []*webtest.Tab{one, two} {
		b.View(1280, "light", true)
		d.authorize(b, i)
		d.enter(b, cards[i], pins[i])
	}
	hall.View(1920, "dark", true)
	hall.Visit(d.url + "/bingo/hall")
	screens := []*webtest.Tab{one, two, hall}
	everywhere := func(condition string) {
		t.Helper()
		for _, b := range screens {
			b.WaitFor(condition)
		}
	}
	d.play(screens, everywhere)
	one = screens[0]

	// The cash desk pays; the terminal shows what is left (bingo:93.14).
	purse, err := d.Ground.Purse(t.Context(), player.ID(cards[0].Account))
	d.ok(err)
	one.WaitFor(credits + ` === ` + cents(purse.Shown))
	d.cashOut(tab(t), cards[0], purse.Shown)
	one.WaitFor(credits + ` === 0`)
	follow(one, `document.querySelector('a[href="/bingo/terminal/movements"]').click()`)
	for _, kind := range []string{"Chargement", "Cartons de bingo", "Lot de bingo"} {
		tells(one, kind)
	}

	// The last round of the day is announced on every screen (bingo:93.15).
	d.sale()
	for _, b := range []*webtest.Tab{two, hall} {
		b.WaitFor(`document.querySelector("#bingo").dataset.phase === "selling" && !document.querySelector("[data-last-mark]").hidden`)
	}
	two.Axe()
}

// cashOut pays all that an account holds by the page of the cashier, whose drawer holds less
// afterwards: the card is scanned, one button pays, and the receipt says how much.
func (d *hallDay) cashOut(desk *webtest.Tab, card app.BingoCard, all money.Cents) {
	d.t.Helper()
	ctx, words := d.t.Context(), locales.For("fr", time.UTC)
	before, err := d.Desk.Drawer(ctx, d.cashier)
	d.ok(err)
	desk.View(1280, "light", true)
	desk.Visit(d.url + "/signin")
	follow(desk, `document.querySelector("[name=name]").value = "caisse";
		document.querySelector("[name=password]").value = "a long password";
		document.querySelector("[name=password]").form.requestSubmit()`)
	desk.Visit(d.url + "/desk/bingo")
	follow(desk, `document.querySelector("[name=account]").value = "`+card.QR()+`";
		document.querySelector("[name=account]").form.requestSubmit()`)
	tells(desk, "Tout rendre : "+words.Amount(all))
	desk.Axe()
	follow(desk, `document.querySelector("button[name=all]").click()`)
	tells(desk, "Rendez "+words.Amount(all))
	after, err := d.Desk.Drawer(ctx, d.cashier)
	d.ok(err)
	if after.Due.Cash != before.Due.Cash-all || after.Entries[0].Act != app.PayOut || after.Entries[0].Balance != 0 {
		d.t.Errorf("the drawer is due %s EUR, was due %s and paid %s", after.Due.Cash, before.Due.Cash, all)
	}
}

// changePrizes saves other prizes than those in force: every screen announces them in the
// time of sale already (bingo:93.11).
func (d *hallDay) changePrizes(everywhere func(string)) {
	d.t.Helper()
	ctx := d.t.Context()
	usual := bingoProposal()
	_, err := d.Bingo.SaveProposal(ctx, d.as(d.manager), 0, usual, "CRAJ 118")
	d.ok(err)
	everywhere(`!document.querySelector("[data-notice]")`)
	rich := usual
	rich.Title, rich.Prizes = "Partie riche", []bingo.Prize{{Name: "line", Pattern: ninety.Line, Rate: 20 * bingo.Percent},
		{Name: "bingo", Pattern: ninety.FullCard, Rate: 55 * bingo.Percent}}
	_, err = d.Bingo.SaveProposal(ctx, d.as(d.manager), 0, rich, "CRAJ 119")
	d.ok(err)
	everywhere(`document.querySelector("#bingo").dataset.phase === "selling" &&
		/Partie riche/.test(document.querySelector("[data-notice]")?.textContent) && document.querySelector("[data-notice]").checkVisibility()`)
	everywhere(`/Les lots à gagner vont changer/.test(document.querySelector("[data-say]").textContent)`)
}

// play plays the round that has the shared bingo. The screens are two terminals and the hall;
// the first player goes on at the third terminal.
func (d *hallDay) play(screens []*webtest.Tab, everywhere func(string)) {
	d.t.Helper()
	one, two, hall := screens[0], screens[1], screens[2]
	round := d.sale()
	everywhere(`document.querySelector("#bingo")?.dataset.phase === "selling"`)
	everywhere(`/^(1:00|0:5\d)$/.test(document.querySelector(".bingo-clock").textContent)`)
	d.changePrizes(everywhere)
	hall.Shot("bingo-hall-announced")
	one.Shot("bingo-terminal-announced")
	take(one, "100", "6")
	tells(one, "6 cartons : A-1 → A-6. 6,00 € débités")
	take(two, "200", "3")
	one.WaitFor(`document.querySelectorAll(".bingo-card").length === 6`)
	everywhere(`document.querySelector("[data-sold]").textContent === "9"`)

	d.on(round) // the sale closes: cards and prizes are announced before the first ball
	r := d.on(round)
	everywhere(`document.querySelector("#bingo").dataset.phase === "drawing"`)
	tells(two, "9 cartons vendus. Ligne : 1,20 €. Bingo : 7,20 €.")
	for len(r.Balls) < 12 {
		r = d.on(round)
	}
	everywhere(ballsOut + ` === 12 && ` + cardsMarked)
	one.Visit(d.url + "/bingo/terminal") // a reload in the middle
	one.WaitFor(ballsOut + ` === 12 && ` + cardsMarked)

	// The first account is presented at another terminal: its cards are there, and the terminal
	// that it has left shows nothing of it any more.
	three := tab(d.t)
	three.View(1280, "light", true)
	d.authorize(three, 2)
	d.enter(three, app.BingoCard{Account: d.guests[0].account, Card: 1}, d.guests[0].pin)
	three.WaitFor(`document.querySelectorAll(".bingo-card").length === 6 && ` + ballsOut + ` === 12 && ` + cardsMarked)
	tells(one, "est maintenant à un autre terminal")
	one.WaitFor(`!document.querySelector(".bingo-card") && !document.querySelector(".terminal-credits")`)
	one, screens[0] = three, three

	d.stop()
	everywhere(`!document.querySelector("[data-lost]").hidden`)
	d.start()
	r = d.on(round)
	everywhere(`document.querySelector("[data-lost]").hidden && ` + ballsOut + ` === ` + strconv.Itoa(len(r.Balls)))
	signalled := false
	for r = d.on(round); !r.Won(0, false); r = d.on(round) {
		near, err := d.Bingo.Near(d.t.Context(), round)
		d.ok(err)
		if near.Cards[0] > 0 && !signalled { // a number is missing somewhere: every screen signals it
			signalled = true
			everywhere(`document.querySelector('[data-prize="0"]').hasAttribute("data-close") &&
				document.querySelector('[data-prize="0"] [data-state]').textContent.startsWith("` + strconv.Itoa(near.Cards[0]) + `")`)
			one.WaitFor(ballsOut + ` === ` + strconv.Itoa(len(r.Balls)))
			if own := one.Text(nearCards) + two.Text(nearCards); len(own) != near.Cards[0] {
				d.t.Errorf("%d cards lack a number for the line, the terminals signal %q", near.Cards[0], own)
			}
		}
	}
	if !signalled {
		d.t.Error("no line was near before it was won")
	}
	everywhere(ballsOut + ` === ` + strconv.Itoa(len(r.Balls)))
	everywhere(`document.querySelector('[data-prize="0"]').hasAttribute("data-won")`)
	tells(hall, "Ligne à la boule "+strconv.Itoa(len(r.Balls))+" : 1,20 €.")
	two.WaitFor(cardsMarked)
	follow(two, `document.querySelector('form[action="/bingo/terminal/leave"] button').click()`)
	tells(two, "Vos cartons continuent de jouer")
	for r.Phase == bingo.Drawing && len(r.Balls) < 45 {
		r = d.on(round)
	}
	d.enterAgain(two)
	two.WaitFor(`document.querySelectorAll(".bingo-card").length === 3 && ` + cardsMarked)
	for r.Phase == bingo.Drawing {
		r = d.on(round)
	}
	everywhere(`document.querySelector("#bingo").dataset.phase === "over"`)
	everywhere(`document.querySelector('[data-prize="1"] [data-state]').textContent.includes("` + strconv.Itoa(len(r.Balls)) + `, 2 cartons")`)
	win := r.Wins[slices.IndexFunc(r.Wins, func(w bingo.Win) bool { return w.Prize == 1 && !w.Pot })]
	if len(win.Winners) != 2 || win.Winners[0].Share+win.Winners[1].Share != win.Amount ||
		win.Winners[0].Share != win.Amount/3 {
		d.t.Errorf("the bingo was shared as %+v", win)
	}
	for _, b := range []*webtest.Tab{one, two} {
		b.WaitFor(`document.querySelector("[data-earned] .amount") && document.querySelector(".bingo-card[data-won]")`)
	}
	hall.Shot("bingo-hall-shared")
	one.Shot("bingo-terminal-shared")
}

// enterAgain presents the second account at its terminal again.
func (d *hallDay) enterAgain(b *webtest.Tab) {
	d.t.Helper()
	card := app.BingoCard{Account: d.guests[1].account, Card: 1}
	d.enter(b, card, d.guests[1].pin)
}
