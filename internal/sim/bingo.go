package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/proof"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// guests is how many anonymous accounts play the bingo: their PINs take time.
const guests = 3

// A hall is the bingo of a world: a terminal a guest, and what each has staked in each round.
type hall struct {
	terminals []bingo.TerminalID
	accounts  []bingo.AccountID
	staked    map[bingo.RoundID]map[player.ID]money.Cents
	settled   bingo.RoundID // the rounds up to here are in the money of the world
}

// simRounds is how many rounds a world has at most.
const simRounds = 40

// simProposal is played in every round: a small series, so that it runs out within a request.
func simProposal() bingo.Proposal {
	return bingo.Proposal{Title: "Simulation", MaxPrice: 2_00, MostCards: 12,
		Tracks: []bingo.Track{{Price: 1_00, Series: []ninety.Series{"A"}, Size: 24},
			{Price: 2_00, Series: []ninety.Series{"B"}, Size: 24}},
		SaleTime: time.Minute, Rhythm: 3 * time.Second, Prizes: []bingo.Prize{bingo.LinePrize, bingo.BingoPrize},
		Pots: []bingo.PotRule{{Name: "pot", Pattern: ninety.FullCard, Within: 65, Rate: 10 * bingo.Percent,
			Keep: 70 * bingo.Percent, Cap: 1_000_00, Refill: 70 * bingo.Percent}}}
}

// furnishBingo makes the cards, the terminals and the guests, and opens the day.
func (w *World) furnishBingo() error {
	ctx := context.Background()
	w.hall.staked = map[bingo.RoundID]map[player.ID]money.Cents{}
	as := func(who player.ID) app.BingoAct { return app.BingoAct{Request: app.NewRequestID(), By: who} }
	cards := app.NewCards(w.ground)
	for _, series := range []ninety.Series{"A", "B"} {
		if err := cards.Order(ctx, app.MadeSeries{Request: app.NewRequestID(), By: w.manager, Name: series,
			Sheets: 4, Value: 1_00, Title: "Bingo"}); err != nil {
			return err
		}
	}
	if err := cards.MakeWanted(ctx); err != nil {
		return err
	}
	for n := range guests {
		t, _, err := w.bingo.AddTerminal(ctx, as(w.manager), "Salle", fmt.Sprintf("Terminal %d", n+1))
		if err != nil {
			return err
		}
		id, err := w.bingo.OpenAccount(ctx, as(w.cashier), 0)
		if err != nil {
			return err
		}
		pin, err := w.bingo.IssuePIN(ctx, as(w.cashier), id)
		if err != nil {
			return err
		}
		if err := w.bingo.Enter(ctx, app.BingoEntry{Terminal: t, Account: id, Card: 1, PIN: pin}); err != nil {
			return err
		}
		w.hall.terminals, w.hall.accounts = append(w.hall.terminals, t), append(w.hall.accounts, id)
		w.players = append(w.players, player.ID(id))
	}
	var programme []bingo.Proposal
	for range simRounds {
		programme = append(programme, simProposal())
	}
	return w.bingo.OpenSession(ctx, as(w.manager), programme)
}

// buyCards lets a guest ask for cards of the round that is on, sometimes outside its sale.
func (w *World) buyCards() error {
	view, err := w.bingo.Look(context.Background())
	if err != nil || view.Round.ID == 0 {
		return err
	}
	if view.Round.Phase != bingo.Selling && w.rand.IntN(4) > 0 {
		return w.playOn()
	}
	n := w.rand.IntN(guests)
	p := app.BingoPurchase{Account: w.hall.accounts[n], Terminal: w.hall.terminals[n], Round: view.Round.ID,
		Price: money.Cents(100 * (1 + w.rand.IntN(2))), Count: 1 + w.rand.IntN(5)}
	who, cost := player.ID(p.Account), p.Price*money.Cents(p.Count)
	_, refused, err := ask(w, "buy cards", app.NewRequestID(), func(r app.RequestID) (string, error) {
		p.Request = r
		sold, err := w.bingo.BuyCards(context.Background(), p)
		return fmt.Sprint(sold), err
	})
	switch {
	case err != nil:
		return err
	case refused != nil && refused.Is(bingo.ErrCredits) && w.money[who] >= cost:
		return fmt.Errorf("somebody with %s EUR was refused: %w", w.money[who], refused)
	case refused != nil:
		w.Counts[refused.Code]++
		return nil
	}
	if w.hall.staked[p.Round] == nil {
		w.hall.staked[p.Round] = map[player.ID]money.Cents{}
	}
	w.hall.staked[p.Round][who] += cost
	w.money[who] -= cost
	w.Counts["cards sold"] += p.Count
	return nil
}

// someBalls is how many steps of the day one step of the world plays.
const someBalls = 25

// playOn lets the bingo go on for a while by its clock.
func (w *World) playOn() error {
	for range 1 + w.rand.IntN(someBalls) {
		view, err := w.bingo.Look(context.Background())
		if err != nil {
			return err
		}
		if view.Round.Phase == bingo.Selling && w.rand.IntN(4) > 0 {
			return nil // somebody may still buy
		}
		if err := w.dueAt(view.Round.Due()); err != nil {
			return err
		}
	}
	return nil
}

// voidRound has the manager void the round that is on, whatever its phase, and the cards are
// refunded by what follows.
func (w *World) voidRound() error {
	view, err := w.bingo.Look(context.Background())
	if err != nil || view.Round.ID == 0 {
		return err
	}
	id := view.Round.ID
	_, _, err = ask(w, "void a round", app.NewRequestID(), func(r app.RequestID) (struct{}, error) {
		return struct{}{}, w.bingo.VoidRound(context.Background(), app.BingoAct{Request: r, By: w.manager}, id, "simulation")
	})
	for err == nil { // until its secret is out: then every card is refunded
		var r bingo.Round
		if r, _, err = w.bingo.Round(context.Background(), id); err != nil || r.Phase != bingo.Void || r.Secret != "" {
			break
		}
		err = w.dueAt(time.Time{})
	}
	return err
}

// dueAt does what is due at a moment, or a while from now: a clock that was set back has to
// come to what is due again.
func (w *World) dueAt(at time.Time) error {
	w.mu.Lock()
	w.now = w.now.Add(time.Second)
	if at.After(w.now) {
		w.now = at
	}
	w.mu.Unlock()
	return w.due()
}

// settle counts what the rounds that are over have given to the guests.
func (w *World) settle() error {
	for id := w.hall.settled + 1; ; id++ {
		r, _, err := w.bingo.Round(context.Background(), id)
		switch {
		case errors.Is(err, app.ErrNotFound):
			return nil
		case err != nil:
			return err
		case r.Phase == bingo.Void && r.Secret != "":
			for who, stake := range w.hall.staked[id] {
				w.money[who] += stake
			}
			w.Counts["round void"]++
		case r.Phase == bingo.Over:
			for _, win := range r.Wins {
				for _, x := range win.Winners {
					w.money[x.Player] += x.Share
				}
			}
			w.Counts["round over"]++
		default:
			return nil
		}
		w.hall.settled = id
	}
}

// finishBingo plays the round that is on to its end, and holds of every round that its journal
// gives its state, that a second implementation finds the same, that its proof holds, and that
// no money stays in it.
func (w *World) finishBingo() error {
	ctx := context.Background()
	if err := w.bingo.Pause(ctx, app.BingoAct{Request: app.NewRequestID(), By: w.manager}, "fin"); err != nil {
		return err
	}
	for {
		s, err := w.bingo.Session(ctx)
		if err != nil {
			return err
		}
		if s.Playing == 0 {
			break
		}
		if err := w.playOn(); err != nil {
			return err
		}
	}
	if err := w.bingo.ReplaySession(ctx); err != nil {
		return err
	}
	for id := bingo.RoundID(1); id <= w.hall.settled; id++ {
		r, _, err := w.bingo.Round(ctx, id)
		if err != nil {
			return err
		}
		if err := w.bingo.ReplayRound(ctx, id); err != nil {
			return err
		}
		if r.Phase == bingo.Over {
			if err := w.bingo.Audit(ctx, id); err != nil {
				return err
			}
		}
		if err := w.verifyRound(id); err != nil {
			return fmt.Errorf("round %d: %w", id, err)
		}
		left, err := w.store.Account(ctx, ledger.Path(fmt.Sprintf("bingo:%d", id)))
		if err != nil || left.Balance != 0 {
			return fmt.Errorf("round %d keeps %d cents, %w", id, left.Balance, err)
		}
	}
	return nil
}

// verifyRound checks the file that proves a round.
func (w *World) verifyRound(id bingo.RoundID) error {
	out, in := io.Pipe()
	go func() {
		in.CloseWithError(w.bingo.ExportRound(context.Background(), id, func() io.Writer { return in }))
	}()
	_, err := proof.Verify("round.jsonl", out, proof.Options{Key: w.vault.VerifierKey()})
	return err
}
