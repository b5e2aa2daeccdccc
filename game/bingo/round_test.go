package bingo

import (
	"errors"
	"slices"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/ninety"
	"boulier/money"
	"boulier/player"
	"boulier/regs/regstest"

	"pgregory.net/rapid"
)

func TestArt93_9_StartIsAnnounced(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.1", "bingo:93.9", "bingo:93.10")
	h := selling(t, proposal())
	h.buy(1, 1_00, 3)
	h.buy(2, 2_00, 1)
	_, err := h.Close(h.Round.Sale.Closes.Add(-1), h.Sale, "", "", nil)
	refuses(t, "closing in the time of sale", err, ErrSaleOpen)
	_, err = h.Draw(1, nil, noon)
	refuses(t, "a ball in the time of sale", err, ErrRoundPhase)
	if h.Due() != h.Round.Sale.Closes {
		t.Errorf("due at %s", h.Due())
	}
	h.close()
	e := h.events[len(h.events)-1].(SaleClosed)
	if e.Cards != 4 || e.Sales != 5_00 || !slices.Equal(e.Amounts, []money.Cents{50, 3_00}) {
		t.Errorf("announced %+v", e)
	}
	_, err = h.Draw(1, h.board, h.now)
	refuses(t, "a ball before its time", err, ErrTooSoon)
	h.draw(1)
	_, err = h.Draw(2, h.board, h.now.Add(3*time.Second-1))
	refuses(t, "a ball before the rhythm", err, ErrTooSoon)
	_, err = h.Draw(1, h.board, h.Due())
	refuses(t, "a ball twice", err, ErrBall)
	_, err = h.Draw(91, h.board, h.Due())
	refuses(t, "a ball that is none", err, ErrBall)
	first, err := h.Draw(2, h.board, h.Due())
	if again, err2 := h.Draw(2, h.board, h.Due()); err != nil || err2 != nil || len(first) != len(again) {
		t.Errorf("a transaction that runs again: %v, %v", err, err2)
	}
}

// hand is a round in which each of the given faces is a card, sold one by one in this order.
func hand(t *testing.T, p Proposal, prices []money.Cents, faces ...ninety.Card) *table {
	t.Helper()
	h := selling(t, p)
	n := 0
	h.faces = func(ninety.Serial) ninety.Card { n++; return faces[n-1] }
	for i := range faces {
		h.buy(player.ID(i+1), prices[i], 1)
	}
	h.close()
	return h
}

func TestArt93_13_TheRoundEndsWithAFullCard(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.12", "bingo:93.13")
	h := hand(t, proposal(), []money.Cents{1_00, 2_00, 1_00}, card(0), card(0), card(50))
	h.draw(1, 2, 3, 4)
	if n := len(slices.Collect(h.board.Near(ninety.Line))); n != 2 || len(h.Wins) != 0 {
		t.Errorf("%d near (reading B9), %v", n, h.Wins)
	}
	h.draw(5)
	if len(h.Wins) != 1 || h.Wins[0].Prize != 0 || h.Wins[0].Ball != 5 || h.Phase != Drawing {
		t.Fatalf("wins %+v, %s: the round goes on after a prize", h.Wins, h.Phase)
	}
	if w := h.Wins[0].Winners; w[0].Share != 13 || w[1].Share != 27 || h.Wins[0].Amount != 40 {
		t.Errorf("the line is shared by price: %+v", w)
	}
	h.draw(51, 52, 53, 54, 55) // a second line, later: the prize is won
	if len(h.Wins) != 1 {
		t.Errorf("the line was won twice")
	}
	if open := h.Open(); !slices.Equal(open, []ninety.Goal{ninety.FullCard}) {
		t.Errorf("open %v", open)
	}
	h.draw(seq(11, 15)...)
	h.draw(seq(21, 24)...)
	if h.Phase != Drawing {
		t.Fatal("ended early")
	}
	h.draw(25)
	if h.Phase != Over || h.End != Completed || len(h.Wins) != 2 {
		t.Errorf("%s, %s, %d wins", h.Phase, h.End, len(h.Wins))
	}
	_, err := h.Draw(90, h.board, h.now.Add(time.Hour))
	refuses(t, "a ball after the end", err, ErrRoundPhase)
	h.audit()
}

func TestArt93_13_SeveralPrizesOnOneBall(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.12", "bingo:93.13")
	p := proposal()
	p.Prizes = []Prize{BingoPrize, {"corners", 1<<0 | 1<<4 | 1<<10 | 1<<14, 0, 5_00}, LinePrize}
	h := hand(t, p, []money.Cents{1_00}, card(0))
	h.draw(1, 2, 3, 4, 21, 25)
	if len(h.Wins) != 0 {
		t.Fatalf("wins %+v", h.Wins)
	}
	h.draw(5) // completes a line and the corners
	h.draw(slices.Concat(seq(11, 15), seq(22, 24))...)
	var prizes []int
	for _, w := range h.Wins {
		prizes = append(prizes, w.Prize)
	}
	if !slices.Equal(prizes, []int{2, 1, 0}) || h.Wins[1].Ball != 7 || h.Phase != Over {
		t.Errorf("prizes %v: the line first (reading B7); %s", prizes, h.Phase)
	}
	h.audit()
}

func TestArt93_13_AllCombinationsWon(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.13")
	h := hand(t, proposal(), []money.Cents{1_00}, card(0))
	h.Proposal.Prizes = h.Proposal.Prizes[:1] // rules without a bingo
	h.draw(1, 2, 3, 4, 5)
	if h.Phase != Over || h.End != AllWon {
		t.Errorf("%s, %s", h.Phase, h.End)
	}
}

func TestArt93_13_LastBall(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.13")
	h := hand(t, proposal(), []money.Cents{1_00}, card(65)) // 66–70, 76–80, 86–90
	h.draw(seq(1, 89)...)
	if h.Phase != Drawing || len(h.Balls) != 89 {
		t.Fatalf("%s after %d balls", h.Phase, len(h.Balls))
	}
	h.draw(90)
	if h.Phase != Over || h.Wins[1].Ball != 90 {
		t.Errorf("%s, %+v", h.Phase, h.Wins)
	}
	h.audit()
}

func TestArt93_9_EmptyRound(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.9", "bingo:93.13")
	p := proposal()
	p.Prizes = slices.Clone(p.Prizes)
	p.Prizes[1].Amount, p.Prizes[1].Rate = 500_00, 0
	h := selling(t, p)
	h.close()
	if h.Phase != Over || h.End != NoCards || h.Amounts[1] != 0 {
		t.Errorf("%s, %s, %v", h.Phase, h.End, h.Amounts)
	}
	h.audit()
}

func TestArt93_11_PotWithinBalls(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.11")
	p := proposal()
	p.Pots = []PotRule{{"pot", ninety.FullCard, 15, 10 * Percent, 70 * Percent, 15_000_00, 70 * Percent}}
	balls := slices.Concat(seq(1, 5), seq(11, 15), seq(21, 25))
	for _, tc := range []struct {
		name  string
		balls []ninety.Ball
		want  []Pot
		wins  int
	}{
		{"on ball 15: won and refilled", balls, []Pot{{70_02, 30_01}}, 3},
		{"on ball 16: kept", slices.Concat([]ninety.Ball{90}, balls), []Pot{{50_07, 100_03}}, 2},
	} {
		h := selling(t, p)
		h.faces = func(ninety.Serial) ninety.Card { return card(0) }
		h.buy(1, 1_00, 1)
		h.close(Pot{50_00, 100_00})
		if h.Pots[0] != (Pot{50_07, 100_03}) {
			t.Fatalf("played for %v", h.Pots)
		}
		h.draw(tc.balls...)
		if h.Phase != Over || len(h.Wins) != tc.wins || !slices.Equal(h.Next, tc.want) {
			t.Errorf("%s: %s, %+v, %v", tc.name, h.Phase, h.Wins, h.Next)
		}
		h.audit()
	}
}

func TestArt93_10_Void(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10", "bingo:93.12")
	h := hand(t, proposal(), []money.Cents{1_00, 2_00}, card(0), card(50))
	h.draw(1, 2, 3, 4, 5)
	_, err := h.Void(9, " ", h.Sale)
	refuses(t, "without a reason", err, ErrReason)
	events, err := h.Void(9, "panne", h.Sale)
	h.do(events, err)
	if e := events[0].(RoundVoided); e.Refund != 3_00 || e.Taken != 30 || h.Phase != Void {
		t.Errorf("%+v, %s: every card is refunded, prizes are taken back (reading B10)", e, h.Phase)
	}
	_, err = h.Void(9, "encore", h.Sale)
	refuses(t, "twice", err, ErrRoundPhase)
	_, err = h.Reveal("s", "another")
	refuses(t, "another secret", err, ErrSecret)
	h.do(h.Reveal("s", "c"))

	h = selling(t, proposal())
	h.buy(1, 1_00, 3)
	h.do(h.Void(9, "panne", h.Sale))
	_, err = h.Sale.Sell(Purchase{Player: 2, Price: 1_00, Count: 1, At: h.now, Credits: 1_00})
	refuses(t, "a card of a round that is void", err, ErrSaleClosed)
}

func TestArt93_10_TerminalFault(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := selling(t, proposal())
	faces := []ninety.Card{card(0), card(50), card(0)}
	n := 0
	h.faces = func(ninety.Serial) ninety.Card { n++; return faces[n-1] }
	h.buy(1, 1_00, 2)
	h.buy(2, 1_00, 1)
	h.close()
	amounts := h.Amounts
	_, err := h.Refund(h.sales[0], nil, 9)
	refuses(t, "a fault that nobody recorded", err, ErrNoFault)
	h.do(h.RecordFault(1, "écran noir", 9))
	_, err = h.Refund(h.sales[1], nil, 9)
	refuses(t, "another terminal", err, ErrNoFault)
	h.draw(1, 2, 3, 4, 5) // the cards 0 and 2 win the line
	h.do(h.Refund(h.sales[0], nil, 9))
	if e := h.refunds[0]; !slices.Equal(e.Places, []int{1}) || e.Amount != 1_00 || !e.House {
		t.Errorf("refunded %+v: a card that won stays", e)
	}
	if !slices.Equal(h.Amounts, amounts) || h.Sale.House != 1_00 {
		t.Errorf("prizes %v, house %s", h.Amounts, h.Sale.House)
	}
	_, err = h.Refund(h.sales[0], []int{1}, 9)
	refuses(t, "twice", err, ErrNoRefund)
	h.draw(seq(51, 55)...)
	h.draw(seq(61, 65)...)
	h.draw(seq(71, 75)...)
	if h.Phase != Drawing || len(slices.Collect(h.board.Near(ninety.FullCard))) != 0 {
		t.Errorf("a card that left the round won: %+v", h.Wins)
	}
	h.draw(slices.Concat(seq(11, 15), seq(21, 25))...)
	if events, err := h.Void(9, "trop tard", h.Sale); err == nil {
		t.Errorf("a round that is over: %v", events)
	}
	h.audit()

	h = selling(t, proposal())
	h.buy(1, 1_00, 2)
	h.do(h.RecordFault(1, "écran noir", 9))
	h.do(h.Refund(h.sales[0], nil, 9))
	h.close()
	if h.Sales != 0 || h.End != NoCards || h.Sale.House != 0 {
		t.Errorf("refunded in the time of sale: %s EUR, %s, house %s", h.Sales, h.End, h.Sale.House)
	}

	h = hand(t, proposal(), []money.Cents{1_00}, card(0))
	h.do(h.RecordFault(1, "écran noir", 9))
	h.do(h.Refund(h.sales[0], nil, 9))
	h.draw(90)
	if h.End != NoCards || len(h.Balls) != 0 {
		t.Errorf("nobody plays any more: %s, %v", h.End, h.Balls)
	}
}

func TestArt93_10_Witness(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := &table{t: t, now: noon, faces: func(ninety.Serial) ninety.Card { return card(0) }}
	h.do(Plan(1, 1, proposal()))
	_, err := h.OpenSale(noon, []Cursor{{0, 1}, {0, 1}}, false)
	refuses(t, "a sale before the commitment", err, ErrRoundPhase)
	_, err = h.Commit("", Witness{Commitment: "w"})
	refuses(t, "no commitment", err, ErrCommitment)
	_, err = h.Commit("c", Witness{Commitment: "c"})
	refuses(t, "a witness that has the house's own commitment", err, ErrCommitment)
	h.do(h.Commit("c", Witness{Commitment: "w", Key: "k", Signed: "s"}))
	if h.Witness != "w" || h.WitnessKey != "k" {
		t.Errorf("the witness of the round: %q by %q", h.Witness, h.WitnessKey)
	}
	_, err = h.OpenSale(noon, []Cursor{{0, 61}, {0, 1}}, false)
	refuses(t, "a start outside the series", err, ErrStarts)
	h.do(h.OpenSale(noon, []Cursor{{0, 1}, {0, 1}}, true))
	h.buy(1, 1_00, 1)
	_, err = h.OpenWitness("0a", "w")
	refuses(t, "the witness before closing", err, ErrRoundPhase)
	h.close()
	_, err = h.Draw(1, h.board, h.Due())
	refuses(t, "a ball without the witness", err, ErrWitness)
	_, err = h.DrawSalt()
	refuses(t, "the salt without the witness", err, ErrWitness)
	_, err = h.OpenWitness("0a", "x")
	refuses(t, "another secret", err, ErrSecret)
	h.do(h.OpenWitness("0a", "w"))
	digest := Digest(slices.Values(h.sales))
	if salt, err := h.DrawSalt(); err != nil || !slices.Equal(salt, append(digest[:], 0x0a)) {
		t.Errorf("salt %x, %v", salt, err)
	}
	h.draw(1)
}

// TestRound_OfAnyCards plays rounds of real cards with refunds and a stop in the middle, and
// has each audited by the other implementation.
func TestRound_OfAnyCards(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10", "bingo:93.12", "bingo:93.13")
	pool := map[ninety.Series][]ninety.Card{"A": cards("A", 60), "B": cards("B", 60), "C": cards("C", 60)}
	rapid.Check(t, func(rt *rapid.T) {
		p := proposal()
		p.Prizes = append(slices.Clone(p.Prizes), Prize{"corners", 1<<0 | 1<<4 | 1<<10 | 1<<14, 5 * Percent, 0},
			Prize{"two lines", ninety.TwoLines, 0, 3_33})
		p.Pots = []PotRule{{"pot", ninety.FullCard, 60, 10 * Percent, 70 * Percent, 15_000_00, 70 * Percent}}
		h := selling(t, p, Cursor{0, rapid.IntRange(1, 60).Draw(rt, "start")}, Cursor{0, 1})
		h.faces = func(s ninety.Serial) ninety.Card { return pool[s.Series][s.Number-1] }
		for i := range rapid.IntRange(1, 12).Draw(rt, "players") {
			h.buy(player.ID(i+1), money.Cents(100*rapid.IntRange(1, 2).Draw(rt, "price")), rapid.IntRange(1, 5).Draw(rt, "count"))
		}
		h.close(Pot{1_23, 4_56})
		secret := draw.Secret{byte(rapid.IntRange(0, 255).Draw(rt, "secret"))}
		salt, err := h.DrawSalt()
		if err != nil {
			rt.Fatal(err)
		}
		order := ninety.Draw(draw.NewStream(draw.BingoRound, "17", secret, salt))
		stop := rapid.IntRange(0, 40).Draw(rt, "stop")
		h.draw(order[:stop]...)
		if h.Phase == Drawing && rapid.Bool().Draw(rt, "fault") {
			h.do(h.RecordFault(1, "écran", 9))
			// Cards that have won are not refunded (reading B11).
			if events, err := h.Refund(h.sales[0], nil, 9); !errors.Is(err, ErrNoRefund) {
				h.do(events, err)
			}
		}
		h.board = NewBoard(p, h.sold) // a restart
		for _, e := range h.refunds {
			h.board.Leave(e.Places...)
		}
		if err := h.board.Catch(h.Balls); err != nil {
			rt.Fatal(err)
		}
		h.draw(order[len(h.Balls):]...)
		if h.Phase != Over {
			rt.Errorf("%s after %d balls", h.Phase, len(h.Balls))
		}
		h.audit()
	})
}
