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
	"boulier/internal/web/webtest"
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
	tab.WaitFor(`document.querySelector("main").textContent.replace(/\s+/g, " ").includes(` + strconv.Quote(text) + `)`)
}

// TestBingo_TwoTerminalsAndAHall plays a round in three browsers: sale, draw, line, a shared
// bingo, cash; a terminal is reloaded and the program stopped and started in the middle, and
// the last round is announced.
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
	d.play(one, two, hall, everywhere)

	// The cash desk pays; the terminal shows what is left (bingo:93.14).
	who := player.ID(cards[0].Account)
	purse, err := d.Ground.Purse(t.Context(), who)
	d.ok(err)
	one.WaitFor(credits + ` === ` + cents(purse.Shown))
	_, err = d.Desk.PayOut(t.Context(), app.DeskOrder{Request: app.NewRequestID(), Cashier: d.cashier, Player: who,
		Means: app.Cash, Amount: purse.Shown})
	d.ok(err)
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

// play plays the round that has the shared bingo.
func (d *hallDay) play(one, two, hall *webtest.Tab, everywhere func(string)) {
	d.t.Helper()
	round := d.sale()
	everywhere(`document.querySelector("#bingo")?.dataset.phase === "selling"`)
	everywhere(`/^(1:00|0:5\d)$/.test(document.querySelector(".bingo-clock").textContent)`)
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
