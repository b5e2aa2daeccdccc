package bingo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/ninety"
	"boulier/money"
	"boulier/player"
	"boulier/regs/regstest"
)

// A hallDay is a day of three halls by a clock that nobody waits for: terminals, players with
// money, the house, and the card that every track sells next.
type hallDay struct {
	t     *testing.T
	rand  *rand.Rand
	now   time.Time
	s     Session
	faces func(ninety.Serial) ninety.Card
	next  []Cursor // by track, counted here and not by the rules
	has   map[player.ID]money.Cents
	house money.Cents // what it keeps, with what the pots hold

	loaded, paid        money.Cents
	ties, wraps, potWon int
	prices              map[money.Cents]bool // of the cards that shared a prize
}

// hallPlayers are three at each of the terminals 1, 2 and 3, one in each hall.
const hallPlayers = 9

func (d *hallDay) apply(events []Event, err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range events {
		d.s = d.s.Apply(e)
	}
}

// programme is a day of rounds of three kinds: the usual one, one with two lines and corners,
// one with a fixed bingo. All feed the same pot.
func programme(rounds int) (list []Proposal) {
	usual := proposal()
	usual.Pots = []PotRule{{"pot", ninety.FullCard, 62, 10 * Percent, 70 * Percent, 40_00, 70 * Percent}}
	more, fixed := usual, usual
	more.Title, fixed.Title = "Deux lignes", "Lot fixe"
	more.Prizes = append(slices.Clone(usual.Prizes), Prize{"two lines", ninety.TwoLines, 10 * Percent, 0},
		Prize{"corners", 1<<0 | 1<<4 | 1<<10 | 1<<14, 5 * Percent, 0})
	fixed.Prizes = []Prize{LinePrize, {"bingo", ninety.FullCard, 0, 25_00}}
	for n := range rounds {
		list = append(list, []Proposal{usual, more, fixed}[n%3])
	}
	return list
}

// buy lets a player ask for cards, and holds that they are the next ones of their track, that
// they are paid, and that whoever lacks money is charged nothing.
func (d *hallDay) buy(h *table, who player.ID, price money.Cents, n int) {
	d.t.Helper()
	i := slices.IndexFunc(h.Proposal.Tracks, func(t Track) bool { return t.Price == price })
	held := 0
	for _, e := range h.sales {
		if e.Player == who {
			held += e.Count
		}
	}
	events, err := h.Sale.Sell(Purchase{Player: who, Terminal: TerminalID(1 + who%3), Price: price, Count: n,
		At: d.now, Held: held, Credits: d.has[who]})
	if d.has[who] < price*money.Cents(n) {
		refuses(d.t, fmt.Sprintf("player %d with %s EUR", who, d.has[who]), err, ErrCredits)
		d.loaded, d.has[who] = d.loaded+30_00, d.has[who]+30_00 // and goes to the cash desk
		return
	}
	if errors.Is(err, ErrSoldOut) || errors.Is(err, ErrMost) {
		return
	}
	h.do(events, err)
	e := events[0].(CardsSold)
	for s := range e.Serials() {
		track := h.Proposal.Tracks[i]
		if want := (ninety.Serial{Series: track.Series[d.next[i].Series], Number: d.next[i].Number}); s != want {
			d.t.Errorf("round %d sells %s, the next one is %s", h.Number, s, want)
		}
		if d.next[i].Number++; d.next[i].Number > track.Size {
			d.next[i] = Cursor{(d.next[i].Series + 1) % len(track.Series), 1}
		}
	}
	if len(e.Runs) > 1 {
		d.wraps++
	}
	d.has[who] -= price * money.Cents(n)
	d.house += price * money.Cents(n)
}

// round plays the next round: who buys is for buyers to say, and what happens after so many
// balls is for then.
func (d *hallDay) round(buyers int, after int, then func(h *table)) *table {
	d.t.Helper()
	id := RoundID(100 + d.s.Started)
	before := slices.Clone(d.s.Pots)
	d.apply(d.s.StartRound(id))
	h := &table{t: d.t, faces: d.faces}
	h.do(Plan(id, d.s.Started, d.s.Programme[d.s.Started-1]))
	h.do(h.Commit("c", Witness{}))
	h.do(h.OpenSale(d.now, d.s.Starts, d.s.Started == d.s.Last))
	for range 3 * buyers {
		d.now = d.now.Add(time.Second)
		who := player.ID(1 + d.rand.IntN(min(buyers, hallPlayers)))
		d.buy(h, who, money.Cents(100*(1+d.rand.IntN(2))), 1+d.rand.IntN(6))
	}
	h.close(before...)
	d.now = h.now
	salt, err := h.DrawSalt()
	if err != nil {
		d.t.Fatal(err)
	}
	order := ninety.Draw(draw.NewStream(draw.BingoRound, draw.ID(fmt.Sprint(id)), draw.Secret{byte(id)}, salt))
	h.draw(order[:after]...)
	if then != nil {
		then(h)
	}
	if h.Phase == Drawing {
		h.board = NewBoard(h.Proposal, h.sold) // a restart in the middle
		for _, e := range h.refunds {
			h.board.Leave(e.Places...)
		}
		if err := h.board.Catch(h.Balls); err != nil {
			d.t.Fatal(err)
		}
		h.draw(order[len(h.Balls):]...)
	}
	d.settle(h, before)
	return h
}

// settle pays what was won, or refunds a void round, and holds that no cent is lost on the way.
func (d *hallDay) settle(h *table, before []Pot) {
	d.t.Helper()
	switch h.Phase {
	case Void:
		for _, e := range h.sales {
			d.has[e.Player] += e.Price * money.Cents(e.Count)
			d.house -= e.Price * money.Cents(e.Count)
		}
	case Over:
		pots := before[0].Amount + before[0].Reserve + h.Sales/10 // what the pot holds afterwards
		defer func() {
			if got := d.s.Pots[0].Amount + d.s.Pots[0].Reserve; got != pots {
				d.t.Errorf("after round %d the pot and its reserve hold %s EUR, want %s", h.Number, got, pots)
			}
		}()
		for _, w := range h.Wins {
			var sum money.Cents
			if w.Pot {
				d.potWon++
				pots -= w.Amount
			}
			for _, x := range w.Winners {
				sum += x.Share
				d.has[x.Player] += x.Share
				d.house -= x.Share
			}
			if len(w.Winners) > 1 {
				d.ties++
				for _, x := range w.Winners {
					d.prices[x.Price] = true
				}
			}
			if sum != w.Amount {
				d.t.Errorf("round %d: shares of %s EUR of a prize of %s", h.Number, sum, w.Amount)
			}
		}
		h.audit()
	default:
		d.t.Fatalf("round %d is %s", h.Number, h.Phase)
	}
	h.do(h.Reveal("s", "c"))
	d.apply(d.s.FinishRound(h.Round, h.Sale))
	if h.Phase == Void && !slices.Equal(d.s.Pots, before) {
		d.t.Errorf("a void round changes the pots: %v, before %v", d.s.Pots, before)
	}
	if !slices.Equal(d.s.Starts, d.next) {
		d.t.Errorf("after round %d the cards go on at %v, want %v", h.Number, d.s.Starts, d.next)
	}
	total := d.house
	for who, has := range d.has {
		if total += has; has < 0 {
			d.t.Errorf("player %d has %s EUR", who, has)
		}
	}
	if total != d.loaded {
		d.t.Errorf("after round %d there are %s EUR, loaded were %s", h.Number, total, d.loaded)
	}
}

// TestArt93_ADayOfThreeHalls plays a whole day of 36 rounds: a round that nobody buys and one
// of a single buyer, a void one, a faulty terminal, a pause, ties, pots, series that run out,
// restarts in every draw, and the last round.
func TestArt93_ADayOfThreeHalls(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.1", "bingo:93.4", "bingo:93.6", "bingo:93.8", "bingo:93.9", "bingo:93.11", "bingo:93.12",
		"bingo:93.13", "bingo:93.15")
	pool := map[ninety.Series][]ninety.Card{"A": cards("A", 60), "B": cards("B", 60), "C": cards("C", 60)}
	d := &hallDay{t: t, rand: rand.New(rand.NewPCG(93, 15)), now: noon, next: []Cursor{{0, 1}, {0, 1}},
		faces: func(s ninety.Serial) ninety.Card { return pool[s.Series][s.Number-1] },
		has:   map[player.ID]money.Cents{}, prices: map[money.Cents]bool{}}
	d.apply(d.s.OpenSession(SessionOpened{Day: "2027-03-07", Programme: programme(40)}))
	const last = 36
	for d.s.Started < last {
		switch d.s.Started + 1 {
		case 5:
			if h := d.round(0, 0, nil); h.End != NoCards {
				t.Errorf("nobody bought, and the round ends %q", h.End)
			}
		case 9:
			if h := d.round(1, 0, nil); h.End != Completed || h.Wins[0].Winners[0].Player != 1 {
				t.Errorf("one buyer: %q, %+v", h.End, h.Wins)
			}
		case 12:
			h := d.round(6, 45, func(h *table) { h.do(h.Void(9, "coupure", h.Sale)) })
			if h.Phase != Void || len(h.Wins) == 0 {
				t.Errorf("round 12 is %s with %d prizes taken back", h.Phase, len(h.Wins))
			}
		case 20:
			h := d.round(6, 10, func(h *table) {
				bought := h.sales[0]
				h.do(h.RecordFault(bought.Terminal, "écran noir", 9))
				h.do(h.Refund(bought, nil, 9))
				d.has[bought.Player] += h.refunds[0].Amount
				d.house -= h.refunds[0].Amount
			})
			if h.Sale.House != h.refunds[0].Amount || h.Sale.House == 0 {
				t.Errorf("the house bears %s EUR of %s", h.Sale.House, h.refunds[0].Amount)
			}
		case 25:
			d.apply(d.s.Pause(9, "repas"))
			_, err := d.s.StartRound(999)
			refuses(t, "a round in a pause", err, ErrPaused)
			d.now = d.now.Add(time.Hour)
			d.apply(d.s.Resume(9))
			d.apply(d.s.MarkLast(last, 9))
			d.round(6, 30, nil)
		default:
			if h := d.round(hallPlayers, 20, nil); h.Last != (h.Number == last) {
				t.Errorf("round %d: last %t", h.Number, h.Last)
			}
		}
	}
	_, err := d.s.StartRound(999)
	refuses(t, "a round after the last", err, ErrLastRound)
	d.apply(d.s.CloseSession(9))
	for _, has := range d.has { // everyone cashes out (bingo:93.14)
		d.paid += has
	}
	if d.loaded-d.paid != d.house || d.house <= 0 {
		t.Errorf("loaded %s EUR, paid %s, the house has %s", d.loaded, d.paid, d.house)
	}
	if d.ties < 3 || len(d.prices) < 2 || d.wraps < 3 || d.potWon == 0 {
		t.Errorf("the day had %d ties of cards at %v, %d series that ran out in a request, %d pots: too tame to show anything",
			d.ties, d.prices, d.wraps, d.potWon)
	}
}
