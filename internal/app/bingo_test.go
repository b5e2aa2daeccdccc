package app_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"boulier/draw"
	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/proof"
	"boulier/internal/store"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
	"boulier/regs/regstest"

	"golang.org/x/mod/sumdb/note"
)

// A bingoHall is a house with two terminals, series of cards and the people it takes.
type bingoHall struct {
	*apptest.House
	t                *testing.T
	manager, cashier player.ID
	terminals        []bingo.TerminalID
	pins             map[bingo.AccountID]string
}

// bingoProposal sells 60 cards at 1 EUR of each of A and B in turn, and 60 at 2 EUR of C.
func bingoProposal() bingo.Proposal {
	return bingo.Proposal{Title: "Soirée", MaxPrice: 2_00, MostCards: 30,
		Tracks: []bingo.Track{{Price: 1_00, Series: []ninety.Series{"A", "B"}, Size: 60},
			{Price: 2_00, Series: []ninety.Series{"C"}, Size: 60}},
		SaleTime: time.Minute, Rhythm: 3 * time.Second, Prizes: []bingo.Prize{bingo.LinePrize, bingo.BingoPrize},
		Pots: []bingo.PotRule{{Name: "pot", Pattern: ninety.FullCard, Within: 80, Rate: 10 * bingo.Percent,
			Keep: 70 * bingo.Percent, Cap: 15_000_00, Refill: 70 * bingo.Percent}}}
}

func newBingoHall(t *testing.T, rounds int) *bingoHall {
	return newBingoHallOn(t, store.Config{Folder: t.TempDir()}, rounds)
}

func newBingoHallOn(t *testing.T, c store.Config, rounds int) *bingoHall {
	h := &bingoHall{House: apptest.On(t, c), t: t, pins: map[bingo.AccountID]string{}}
	h.manager, h.cashier = h.Staff("manager", app.Manager), h.Staff("cashier", app.Cashier)
	h.ok(h.Desk.Open(t.Context(), app.DrawerOpening{Request: app.NewRequestID(), Cashier: h.cashier, Desk: 1, Float: 100_00}))
	for _, series := range []ninety.Series{"A", "B", "C"} {
		made(t, h.Cards, order(h.manager, series, 10))
	}
	for _, name := range []string{"T1", "T2"} {
		id, code, err := h.Bingo.AddTerminal(t.Context(), h.as(h.manager), "Salle des fêtes", name)
		h.ok(err)
		if got, err := h.Bingo.Terminal(t.Context(), code); err != nil || got.ID != id || got.Name != name {
			t.Fatalf("the code of terminal %d gives %+v, %v", id, got, err)
		}
		h.terminals = append(h.terminals, id)
	}
	var programme []bingo.Proposal
	for range rounds {
		programme = append(programme, bingoProposal())
	}
	h.ok(h.Bingo.OpenSession(t.Context(), h.as(h.manager), programme))
	return h
}

func (h *bingoHall) ok(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *bingoHall) refused(what string, err error, want *regs.Violation) {
	h.t.Helper()
	if !errors.Is(err, want) {
		h.t.Errorf("%s: %v, want %s", what, err, want.Code)
	}
}

func (h *bingoHall) as(who player.ID) app.BingoAct {
	return app.BingoAct{Request: app.NewRequestID(), By: who}
}

// due does what is due now.
func (h *bingoHall) due() {
	h.t.Helper()
	h.ok(app.DoDue(h.t.Context(), h.Ground, h.Instant, h.Contests, h.Bingo))
}

// guest is somebody with an anonymous account, loaded and entered at a terminal.
func (h *bingoHall) guest(terminal int, cents money.Cents) bingo.AccountID {
	h.t.Helper()
	ctx := h.t.Context()
	id, err := h.Bingo.OpenAccount(ctx, h.as(h.cashier), 0)
	h.ok(err)
	if cents > 0 {
		_, err = h.Desk.Load(ctx, app.DeskOrder{Request: app.NewRequestID(), Cashier: h.cashier, Player: player.ID(id),
			Means: app.Cash, Amount: cents})
		h.ok(err)
	}
	h.pins[id], err = h.Bingo.IssuePIN(ctx, h.as(h.cashier), id)
	h.ok(err)
	h.ok(h.Bingo.Enter(ctx, app.BingoEntry{Terminal: h.terminals[terminal], Account: id, Card: 1, PIN: h.pins[id]}))
	return id
}

func (h *bingoHall) buy(round bingo.RoundID, terminal int, id bingo.AccountID, price money.Cents, n int) (bingo.CardsSold, error) {
	return h.Bingo.BuyCards(h.t.Context(), app.BingoPurchase{Request: app.NewRequestID(), Account: id,
		Terminal: h.terminals[terminal], Round: round, Price: price, Count: n})
}

func (h *bingoHall) balance(path ledger.Path) money.Cents {
	h.t.Helper()
	a, err := h.Store.Account(h.t.Context(), path)
	h.ok(err)
	return money.Cents(a.Balance)
}

func (h *bingoHall) has(id bingo.AccountID) money.Cents {
	return h.balance(ledger.Path("player:" + player.ID(id).String()))
}

// sale brings the day to the open sale of the next round, and returns it.
func (h *bingoHall) sale() bingo.RoundID {
	h.t.Helper()
	for range 5 {
		h.due()
		s, err := h.Bingo.Session(h.t.Context())
		h.ok(err)
		if s.Playing != 0 && h.round(s.Playing).Phase == bingo.Selling {
			return s.Playing
		}
	}
	h.t.Fatal("no sale opens")
	return 0
}

func (h *bingoHall) round(id bingo.RoundID) bingo.Round {
	h.t.Helper()
	r, _, err := h.Bingo.Round(h.t.Context(), id)
	h.ok(err)
	return r
}

// play lets the clock go on until the round is revealed, or has so many balls.
func (h *bingoHall) play(id bingo.RoundID, balls int) bingo.Round {
	h.t.Helper()
	for range 200 {
		r := h.round(id)
		if r.Secret != "" || len(r.Balls) >= balls {
			return r
		}
		if at := r.Due(); at.After(h.Now()) {
			h.Clock.Move(at.Sub(h.Now()))
		}
		h.due()
	}
	h.t.Fatal("the round does not end")
	return bingo.Round{}
}

// sound holds what must always hold of a round that is over or void.
func (h *bingoHall) sound(r bingo.Round, guests ...bingo.AccountID) {
	h.t.Helper()
	ctx := h.t.Context()
	if left := h.balance(ledger.Path("bingo:" + player.ID(r.ID).String())); left != 0 {
		h.t.Errorf("round %d keeps %s EUR", r.ID, left)
	}
	for _, g := range guests {
		if held := h.balance(ledger.Path("player:" + player.ID(g).String() + ":held")); held != 0 {
			h.t.Errorf("account %d has %s EUR held", g, held)
		}
	}
	h.ok(h.Bingo.ReplayRound(ctx, r.ID))
	h.ok(h.Bingo.ReplaySession(ctx))
	if r.Phase == bingo.Over {
		h.ok(h.Bingo.Audit(ctx, r.ID))
	}
	secret, err := draw.ParseSecret(r.Secret)
	h.ok(err)
	if draw.Commit(draw.BingoRound, draw.ID(player.ID(r.ID).String()), secret).String() != r.Commitment {
		h.t.Error("the secret is not the one committed to")
	}
	var file bytes.Buffer
	h.ok(h.Bingo.ExportRound(ctx, r.ID, func() io.Writer { return &file }))
	if _, err := proof.Verify("round.jsonl", &file, proof.Options{Key: h.Vault.VerifierKey()}); err != nil {
		h.t.Error(err)
	}
	h.House.Sound()
}

func TestArt93_AWholeHallDay(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.1", "bingo:93.2", "bingo:93.4", "bingo:93.6", "bingo:93.8", "bingo:93.12", "bingo:93.14", "bingo:93.15")
	h := newBingoHall(t, 2)
	ada, bob := h.guest(0, 20_00), h.guest(1, 10_00)
	first := h.sale()
	a, err := h.buy(first, 0, ada, 1_00, 5)
	h.ok(err)
	b, err := h.buy(first, 1, bob, 2_00, 3)
	h.ok(err)
	if a.Rank != 1 || b.Rank != 2 || b.First != 5 || h.has(ada) != 15_00 || h.has(bob) != 4_00 {
		t.Errorf("sold %+v to %s EUR and %+v to %s EUR", a, h.has(ada), b, h.has(bob))
	}
	_, err = h.buy(first, 1, bob, 2_00, 3)
	h.refused("two EUR are missing (reading B2)", err, bingo.ErrCredits)
	_, err = h.buy(first, 1, ada, 1_00, 1)
	h.refused("from another terminal", err, bingo.ErrTerminal)
	_, err = h.buy(first, 0, ada+50, 1_00, 1)
	h.refused("a wrong account", err, bingo.ErrNoAccount)
	r := h.round(first)
	h.Clock.Move(r.Sale.Closes.Sub(h.Now()))
	_, err = h.buy(first, 0, ada, 1_00, 1)
	h.refused("at the closing instant (reading B3)", err, bingo.ErrSaleClosed)

	r = h.play(first, 12)
	if r.Cards != 8 || r.Sales != 11_00 || r.Amounts[0] != 1_10 || r.Amounts[1] != 6_60 || r.Pots[0].Amount != 77 || r.Last {
		t.Errorf("announced %+v", r)
	}
	h.Bingo = app.NewBingo(h.Ground, h.Cards) // the program stops and starts again
	var held money.Cents
	for r = h.play(first, 13); r.Phase == bingo.Drawing; r = h.play(first, len(r.Balls)+1) {
		for _, g := range []bingo.AccountID{ada, bob} {
			held += h.balance(ledger.Path("player:" + player.ID(g).String() + ":held"))
		}
	}
	if held == 0 || h.has(ada)+h.has(bob) < 19_00 {
		t.Error("a prize is held while the round goes on, and is not in the account (reading B10)")
	}
	r = h.play(first, 99)
	h.sound(r, ada, bob)
	if got := h.has(ada) + h.has(bob) + h.balance("house:bingo"); got != 30_00 {
		t.Errorf("players and house have %s EUR, want 30.00", got)
	}
	won := money.Cents(0)
	for _, w := range r.Wins {
		won += w.Amount
	}
	if h.has(ada)+h.has(bob) != 19_00+won {
		t.Errorf("players have %s EUR after %s EUR of prizes", h.has(ada)+h.has(bob), won)
	}

	second := h.sale()
	if r := h.round(second); !r.Last || r.Number != 2 {
		t.Errorf("round %d: last %t", r.Number, r.Last)
	}
	a, err = h.buy(second, 0, ada, 1_00, 1)
	h.ok(err)
	if a.Runs[0] != (bingo.Run{Series: "A", From: 6, To: 6}) {
		t.Errorf("the cards go on at %v", a.Runs)
	}
	h.sound(h.play(second, 99), ada)
	h.due()
	h.due()
	if s, err := h.Bingo.Session(t.Context()); err != nil || s.Playing != 0 || s.Started != 2 {
		t.Errorf("after the last round: %+v, %v", s, err)
	}
	h.ok(h.Bingo.CloseSession(t.Context(), h.as(h.manager)))
	_, err = h.Desk.PayOut(t.Context(), app.DeskOrder{Request: app.NewRequestID(), Cashier: h.cashier,
		Player: player.ID(ada), Amount: h.has(ada)})
	h.ok(err)
	if h.has(ada) != 0 {
		t.Errorf("cashed out, and %s EUR are left", h.has(ada))
	}
}

func TestArt93_10_VoidRound(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := newBingoHall(t, 2)
	ada, bob := h.guest(0, 20_00), h.guest(1, 20_00)
	id := h.sale()
	for range 3 {
		_, err := h.buy(id, 0, ada, 1_00, 6)
		h.ok(err)
		_, err = h.buy(id, 1, bob, 2_00, 2)
		h.ok(err)
	}
	r := h.round(id)
	for n := 1; len(r.Wins) == 0; n++ { // until a line is won
		r = h.play(id, n)
	}
	if r.Phase != bingo.Drawing {
		t.Fatalf("the round is %s", r.Phase)
	}
	h.refused("by a cashier", h.Bingo.VoidRound(t.Context(), h.as(h.cashier), id, "panne"), app.ErrForbidden)
	h.ok(h.Bingo.VoidRound(t.Context(), h.as(h.manager), id, "panne de courant"))
	r = h.play(id, 99)
	if r.Phase != bingo.Void || h.has(ada) != 20_00 || h.has(bob) != 20_00 || h.balance("house:bingo") != 0 {
		t.Errorf("%s: %s and %s EUR, house %s", r.Phase, h.has(ada), h.has(bob), h.balance("house:bingo"))
	}
	h.sound(r, ada, bob)
	id = h.sale()
	sold, err := h.buy(id, 0, ada, 1_00, 1)
	h.ok(err)
	if sold.Runs[0].From != 19 {
		t.Errorf("after a void the cards go on at %v", sold.Runs)
	}
	h.ok(h.Bingo.VoidRound(t.Context(), h.as(h.manager), id, "écrans noirs")) // in its sale
	_, err = h.buy(id, 1, bob, 2_00, 1)
	h.refused("a card of a void round", err, bingo.ErrSaleClosed)
	r = h.play(id, 99)
	if h.has(ada) != 20_00 || h.has(bob) != 20_00 {
		t.Errorf("void in its sale: %s and %s EUR", h.has(ada), h.has(bob))
	}
	h.sound(r, ada, bob)
}

func TestArt93_10_RefundOfATerminalFault(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := newBingoHall(t, 1)
	ada, bob := h.guest(0, 20_00), h.guest(1, 20_00)
	id := h.sale()
	_, err := h.buy(id, 0, ada, 1_00, 6)
	h.ok(err)
	_, err = h.buy(id, 1, bob, 1_00, 6)
	h.ok(err)
	h.play(id, 3)
	refund := func() error {
		return h.Bingo.RefundFault(t.Context(), h.as(h.cashier), id, h.terminals[0], player.ID(ada))
	}
	h.refused("nobody recorded a fault", refund(), bingo.ErrNoFault)
	h.ok(h.Bingo.RecordFault(t.Context(), h.as(h.cashier), id, h.terminals[0], "écran noir"))
	h.ok(refund())
	h.refused("twice", refund(), bingo.ErrNoRefund)
	if h.has(ada) != 20_00 {
		t.Errorf("refunded to %s EUR", h.has(ada))
	}
	r := h.play(id, 99)
	for _, w := range r.Wins {
		for _, x := range w.Winners {
			if x.Player == player.ID(ada) {
				t.Errorf("a refunded card won: %+v", x)
			}
		}
	}
	h.sound(r, ada, bob)
}

func TestArt93_9_NobodyBuys(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.9")
	h := newBingoHall(t, 1)
	r := h.play(h.sale(), 99)
	if r.Phase != bingo.Over || r.End != bingo.NoCards || len(r.Balls) != 0 {
		t.Errorf("%s, %s, %d balls", r.Phase, r.End, len(r.Balls))
	}
	h.sound(r)
}

func TestArt93_3_PINs(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.3")
	h := newBingoHall(t, 1)
	ada := h.guest(0, 0)
	enter := func(pin string) error {
		return h.Bingo.Enter(t.Context(), app.BingoEntry{Terminal: h.terminals[1], Account: ada, Card: 1, PIN: pin})
	}
	h.refused("no account", h.Bingo.Enter(t.Context(), app.BingoEntry{Terminal: h.terminals[1], Account: 999, Card: 1}), bingo.ErrNoAccount)
	h.refused("no terminal", h.Bingo.Enter(t.Context(), app.BingoEntry{Terminal: 99, Account: ada, Card: 1, PIN: h.pins[ada]}), app.ErrBingoTerminal)
	for range bingo.PINTrials {
		h.refused("a wrong PIN", enter("x"), bingo.ErrPIN)
	}
	h.refused("after three", enter(h.pins[ada]), bingo.ErrLocked)
	var err error
	h.pins[ada], err = h.Bingo.IssuePIN(t.Context(), h.as(h.cashier), ada)
	h.ok(err)
	h.ok(enter(h.pins[ada]))
	h.ok(h.Bingo.Leave(t.Context(), ada, h.terminals[1]))
	h.ok(h.Bingo.BlockAccount(t.Context(), h.as(h.cashier), ada, "perdue"))
	h.refused("blocked", enter(h.pins[ada]), bingo.ErrBlocked)
	if got := kinds(t, h.House, "bingo/account/"+player.ID(ada).String()); strings.Count(strings.Join(got, " "), "pin_failed") != 3 {
		t.Errorf("journaled %v", got)
	}
}

// TestArt93_8_RushAtClosing has many players buy at once while the clock passes the closing
// instant: no gap, no card twice, none outside the window, no account below zero.
func TestArt93_8_RushAtClosing(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.6", "bingo:93.8")
	h := newBingoHall(t, 1)
	var guests []bingo.AccountID
	for range 8 {
		guests = append(guests, h.guest(0, 7_00))
	}
	id := h.sale()
	closes := h.round(id).Sale.Closes
	h.Clock.Move(closes.Sub(h.Now()) - time.Millisecond)
	var group sync.WaitGroup
	var mu sync.Mutex
	var paid money.Cents
	for i, g := range guests {
		for k := range 6 {
			group.Go(func() {
				if i == 4 && k == 3 {
					h.Clock.Move(time.Millisecond)
				}
				sold, err := h.Bingo.BuyCards(context.Background(), app.BingoPurchase{Request: app.NewRequestID(),
					Account: g, Terminal: h.terminals[0], Round: id, Price: 1_00, Count: 1 + k%3})
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					paid += money.Cents(sold.Count) * 1_00
				case !errors.Is(err, bingo.ErrSaleClosed) && !errors.Is(err, bingo.ErrCredits) && !errors.Is(err, bingo.ErrSoldOut):
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
	_, err := h.buy(id, 0, guests[0], 1_00, 1)
	h.refused("after the rush", err, bingo.ErrSaleClosed)
	r := h.play(id, 99)
	if r.Sales != paid {
		t.Errorf("sales of %s EUR, players paid %s", r.Sales, paid)
	}
	h.sound(r, guests...) // the audit holds ranks, places and numbers
}

// unsigned is a journal whose checkpoints cannot be signed.
type unsigned struct{}

func (unsigned) Sequence(context.Context, note.Signer) (app.CheckpointRecord, error) {
	return app.CheckpointRecord{}, errors.New("no signature today")
}

func TestArt93_10_NoSaleBeforeTheCommitmentIsSigned(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	h := newBingoHall(t, 1)
	h.due()
	good := h.Journal
	h.Journal = unsigned{}
	if err := app.DoDue(t.Context(), h.Ground, h.Instant, h.Contests, h.Bingo); err == nil {
		t.Error("nothing failed")
	}
	if r := h.round(1); r.Phase != bingo.Committed {
		t.Errorf("the round is %s without a signed checkpoint", r.Phase)
	}
	h.Journal = good
	h.sale()
}

// TestDueIn holds that a ball is drawn when it is due, not when somebody looks.
func TestDueIn(t *testing.T) {
	t.Parallel()
	h := newBingoHall(t, 1)
	if got := app.DueIn(t.Context(), h.Ground, time.Second); got != time.Second {
		t.Errorf("what is due now has failed, and is tried again in %s", got)
	}
	h.sale() // of a minute
	h.Clock.Move(59 * time.Second)
	if got := app.DueIn(t.Context(), h.Ground, 5*time.Second); got != time.Second {
		t.Errorf("a second before the closing: %s", got)
	}
	if got := app.DueIn(t.Context(), h.Ground, 500*time.Millisecond); got != 500*time.Millisecond {
		t.Errorf("half a second before that: %s", got)
	}
}

// TestArt93_11_PotsOfTwoDays holds that a pot goes on on the next day, and that what it holds is
// in the account of the house until it is won.
func TestArt93_11_PotsOfTwoDays(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.11", "std:46")
	h := newBingoHall(t, 1)
	ada := h.guest(0, 50_00)
	id := h.sale()
	_, err := h.buy(id, 0, ada, 2_00, 20)
	h.ok(err)
	first := h.play(id, 99)
	h.sound(first, ada)
	h.due()
	s, err := h.Bingo.Session(t.Context())
	h.ok(err)
	if s.Pots[0].Amount+s.Pots[0].Reserve == 0 {
		t.Fatalf("nothing is in the pot after sales of %s EUR: %+v", first.Sales, s.Pots)
	}
	h.ok(h.Bingo.CloseSession(t.Context(), h.as(h.manager)))
	h.Clock.Move(24 * time.Hour)
	bare := bingoProposal()
	bare.Pots = nil
	h.refused("the pot is left behind", h.Bingo.OpenSession(t.Context(), h.as(h.manager), []bingo.Proposal{bare}), bingo.ErrPotLeft)
	h.ok(h.Bingo.OpenSession(t.Context(), h.as(h.manager), []bingo.Proposal{bingoProposal()}))
	h.refused("the PIN of yesterday", h.Bingo.Enter(t.Context(), app.BingoEntry{Terminal: h.terminals[0], Account: ada,
		Card: 1, PIN: h.pins[ada]}), bingo.ErrPINDay)
	id = h.sale()
	r := h.play(id, 0)
	if r, err := h.Bingo.Session(t.Context()); err != nil || r.Pots[0] != s.Pots[0] {
		t.Errorf("the second day begins with %+v, the first ended with %+v, %v", r.Pots, s.Pots, err)
	}
	h.Clock.Move(time.Minute)
	h.due()
	if r = h.round(id); r.Phase != bingo.Over || r.Next[0] != s.Pots[0] {
		t.Errorf("nobody bought: %s, the pot is %+v", r.Phase, r.Next)
	}
	h.sound(h.play(id, 99), ada)
}

// TestStd4_DisableTheBingo disables the sale of cards on demand: what was sold is drawn and paid.
func TestStd4_DisableTheBingo(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:4")
	h := newBingoHall(t, 1)
	admin := h.Staff("admin", app.Administrator)
	office := app.NewOffice(h.Ground, h.Vault, nil)
	ada := h.guest(0, 20_00)
	id := h.sale()
	_, err := h.buy(id, 0, ada, 1_00, 3)
	h.ok(err)
	for _, target := range []app.Target{app.AllBingo, app.All, app.PlayerTarget(player.ID(ada))} {
		for _, off := range []bool{true, false} {
			h.ok(office.Switch(t.Context(), app.Switching{Request: app.NewRequestID(), By: admin, Target: target, Off: off, Reason: "contrôle"}))
			_, err := h.buy(id, 0, ada, 1_00, 1)
			if off {
				h.refused(string(target), err, app.ErrDisabled)
			} else {
				h.ok(err)
			}
		}
	}
	h.ok(office.Switch(t.Context(), app.Switching{Request: app.NewRequestID(), By: admin, Target: app.AllBingo, Off: true, Reason: "contrôle"}))
	r := h.play(id, 99)
	if r.Phase != bingo.Over || r.Cards != 6 {
		t.Errorf("%s with %d cards", r.Phase, r.Cards)
	}
	h.sound(r, ada)
}
