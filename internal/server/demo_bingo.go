package server

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/web/bingopages"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// The demonstration's bingo: halls, players in each, rounds that are planned ahead.
const (
	demoBingoSheets  = 100 // of six cards, in each of two series
	demoBingoPlayers = 8   // in each hall
	demoBingoAhead   = 12  // rounds
	demoBingoDesk    = 4
	demoBingoPurse   = 30_00 // what a simulated player begins with, in cents
)

// demoBingoHalls are the halls that are connected.
var demoBingoHalls = [][2]string{{"Salle des fêtes", "Saint-Rémy"}, {"Le Grand Café", "Bourg-le-Château"}, {"Espace Lumière", "La Plaine"}}

// A demoBingo is what the demonstration remembers of its bingo.
type demoBingo struct {
	Manager  player.ID
	Cashier  player.ID
	Trial    bingo.TerminalID // for whoever tries it
	Account  bingo.AccountID
	Seats    []bingo.TerminalID
	Players  []bingo.AccountID // at the seat of the same place
	Prepared bool
}

const demoBingoCell = app.Cell[demoBingo]("demo/bingo")

// demoRound is short, so that a newcomer never waits a minute for cards.
func demoRound() bingo.Proposal {
	return bingo.Proposal{Title: "Partie éclair", MaxPrice: 2_00, MostCards: 24,
		Tracks: []bingo.Track{{Price: 1_00, Series: []ninety.Series{"J"}, Size: 6 * demoBingoSheets},
			{Price: 2_00, Series: []ninety.Series{"K"}, Size: 6 * demoBingoSheets}},
		SaleTime: 20 * time.Second, Rhythm: 700 * time.Millisecond,
		Prizes: []bingo.Prize{bingo.LinePrize, bingo.BingoPrize},
		Pots: []bingo.PotRule{{Name: "éclair", Pattern: ninety.FullCard, Within: 50, Rate: 10 * bingo.Percent,
			Keep: 70 * bingo.Percent, Cap: 5_000_00, Refill: 70 * bingo.Percent}}}
}

func demoRounds(n int) (list []bingo.Proposal) {
	for range n {
		list = append(list, demoRound())
	}
	return list
}

// fillBingo makes the cards, the halls and the day; players come when the server runs.
func (s *Server) fillBingo(ctx context.Context, manager, cashier, trial player.ID) error {
	act := func() app.BingoAct { return app.BingoAct{Request: app.NewRequestID(), By: manager} }
	for _, series := range []ninety.Series{"J", "K"} {
		if err := s.Cards.Order(ctx, app.MadeSeries{Request: app.NewRequestID(), By: manager, Name: series,
			Sheets: demoBingoSheets, Value: 1_00, Title: "Bingo"}); err != nil {
			return err
		}
	}
	if err := s.Cards.MakeWanted(ctx); err != nil {
		return err
	}
	d := demoBingo{Manager: manager, Cashier: cashier}
	for i, hall := range demoBingoHalls {
		if _, err := s.Bingo.AddHall(ctx, act(), hall[0], hall[1]); err != nil {
			return err
		}
		for n := range demoBingoPlayers {
			id, _, err := s.Bingo.AddTerminal(ctx, act(), hall[0]+", "+hall[1], fmt.Sprintf("Terminal %d", n+1))
			if err != nil {
				return err
			}
			d.Seats = append(d.Seats, id)
		}
		if i > 0 {
			continue
		}
		var err error
		if d.Trial, _, err = s.Bingo.AddTerminal(ctx, act(), hall[0]+", "+hall[1], "Terminal d’essai"); err != nil {
			return err
		}
	}
	var err error
	if d.Account, err = s.Bingo.OpenAccount(ctx, app.BingoAct{Request: app.NewRequestID(), By: cashier}, trial); err != nil {
		return err
	}
	if _, err := s.Bingo.SaveProposal(ctx, act(), 0, demoRound(), "démonstration"); err != nil {
		return err
	}
	if err := s.Bingo.OpenSession(ctx, act(), demoRounds(demoBingoAhead)); err != nil {
		return err
	}
	return s.keepDemo(ctx, d)
}

func (s *Server) keepDemo(ctx context.Context, d demoBingo) error {
	return s.Store.Update(ctx, app.Keys{States: []string{string(demoBingoCell)}}, func(tx app.Tx) error {
		demoBingoCell.Put(tx, d)
		return nil
	})
}

// playBingo plays the demonstration's bingo until ctx ends: players sit down, buy, win and
// cash out, and the programme never runs out.
func (s *Server) playBingo(ctx context.Context) error {
	d, _, err := demoBingoCell.Read(ctx, s.Store)
	if err != nil || d.Manager == 0 {
		return err
	}
	code, err := s.Bingo.RenewTerminal(ctx, app.BingoAct{Request: app.NewRequestID(), By: d.Manager}, d.Trial)
	if err != nil {
		return err
	}
	trial := func() error { return s.offerTrial(ctx, d, code) }
	if err := trial(); err != nil {
		return err
	}
	if err := s.seatPlayers(ctx, &d); err != nil {
		return err
	}
	seats := make([]demoSeat, len(d.Players))
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	day := ""
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		view, err := s.Bingo.Look(ctx)
		if err != nil {
			return err
		}
		if day != view.Session.Day { // the PIN is of the day
			if err := errors.Join(trial(), s.Desk().Open(ctx, d.drawer())); err != nil && !refused(err) {
				return err
			}
			day = view.Session.Day
		}
		if err := s.planAhead(ctx, d, view); err != nil && !refused(err) {
			return err
		}
		for i := range seats {
			if err := s.playSeat(ctx, d, i, &seats[i], view); err != nil && !refused(err) {
				return err
			}
		}
	}
}

// refused reports whether a rule said no: somebody else plays with the demonstration, too.
func refused(err error) bool {
	_, is := errors.AsType[*regs.Violation](err)
	return is
}

// Desk returns the desks of the house.
func (s *Server) Desk() app.Desk { return app.Desk{Ground: s.Ground} }

func (d demoBingo) drawer() app.DrawerOpening {
	return app.DrawerOpening{Request: app.NewRequestID(), Cashier: d.Cashier, Desk: demoBingoDesk, Float: 2_000_00}
}

// offerTrial gives whoever tries the demonstration a terminal and an account with a PIN.
func (s *Server) offerTrial(ctx context.Context, d demoBingo, code string) error {
	pin, err := s.Bingo.IssuePIN(ctx, app.BingoAct{Request: app.NewRequestID(), By: d.Cashier}, d.Account)
	if err != nil {
		return err
	}
	x, err := s.Bingo.Account(ctx, d.Account)
	if err != nil {
		return err
	}
	s.trial.Store(&bingopages.Demo{Code: code, Card: app.BingoCard{Account: d.Account, Card: x.Card}, PIN: pin})
	return nil
}

// seatPlayers opens an account for each seat, once, and enters it there.
func (s *Server) seatPlayers(ctx context.Context, d *demoBingo) error {
	if err := s.Desk().Open(ctx, d.drawer()); err != nil && !refused(err) {
		return err
	}
	act := func() app.BingoAct { return app.BingoAct{Request: app.NewRequestID(), By: d.Cashier} }
	for i := len(d.Players); i < len(d.Seats); i++ {
		id, err := s.Bingo.OpenAccount(ctx, act(), 0)
		if err != nil {
			return err
		}
		pin, err := s.Bingo.IssuePIN(ctx, act(), id)
		if err != nil {
			return err
		}
		if err := s.Bingo.Enter(ctx, app.BingoEntry{Terminal: d.Seats[i], Account: id, Card: 1, PIN: pin}); err != nil {
			return err
		}
		d.Players = append(d.Players, id)
		if err := s.keepDemo(ctx, *d); err != nil {
			return err
		}
	}
	return nil
}

// planAhead adds rounds before the programme runs out; at midnight it lets it, so that a day
// has its last round, and begins the next one.
func (s *Server) planAhead(ctx context.Context, d demoBingo, view app.BingoView) error {
	act := app.BingoAct{Request: app.NewRequestID(), By: d.Manager}
	today := s.Ground.Now().In(s.Ground.Zone).Format(time.DateOnly)
	day := view.Session
	switch {
	case day.Open && day.Day == today && day.Last-day.Started < 3 && day.Last == len(day.Programme):
		return s.Bingo.ChangeProgramme(ctx, act, day.Started+1, demoRounds(demoBingoAhead), s.Ground.Now())
	case day.Open && day.Day != today && day.Playing == 0 && day.Started >= day.Last:
		return s.Bingo.CloseSession(ctx, act)
	case !day.Open && day.Day != today:
		return s.Bingo.OpenSession(ctx, act, demoRounds(demoBingoAhead))
	}
	return nil
}

// A demoSeat is what a simulated player is about.
type demoSeat struct {
	round bingo.RoundID // seen last
	after time.Duration // of the sale, when cards are bought
	done  bool
}

// playSeat lets a simulated player do what comes: buy cards some time after the sale opens,
// and see the cash desk first when there is much or little money.
func (s *Server) playSeat(ctx context.Context, d demoBingo, i int, seat *demoSeat, view app.BingoView) error {
	r := view.Round
	if r.Phase != bingo.Selling {
		return nil
	}
	if seat.round != r.ID {
		length := int64(r.Proposal.SaleTime) * 3 / 4
		*seat = demoSeat{round: r.ID, after: time.Duration(rand.Int64N(length + 1)), done: rand.IntN(4) == 0}
	}
	if seat.done || s.Ground.Now().Before(r.Sale.Opens.Add(seat.after)) {
		return nil
	}
	seat.done = true
	id := d.Players[i]
	if err := s.visitDesk(ctx, d, player.ID(id)); err != nil {
		return err
	}
	track := r.Proposal.Tracks[rand.IntN(len(r.Proposal.Tracks))]
	_, err := s.Bingo.BuyCards(ctx, app.BingoPurchase{Request: app.NewRequestID(), Account: id, Terminal: d.Seats[i],
		Round: r.ID, Price: track.Price, Count: 1 + rand.IntN(6)})
	return err
}

// visitDesk pays a player who has much, and loads the account of one who has little.
func (s *Server) visitDesk(ctx context.Context, d demoBingo, who player.ID) error {
	a, err := s.Store.Account(ctx, ledger.Path("player:"+who.String()))
	if err != nil {
		return err
	}
	has := money.Cents(a.Balance)
	o := app.DeskOrder{Request: app.NewRequestID(), Cashier: d.Cashier, Player: who, Means: app.Cash}
	switch {
	case has > 3*demoBingoPurse:
		o.Amount = has - demoBingoPurse
		_, err = s.Desk().PayOut(ctx, o)
	case has < 12_00:
		o.Amount = demoBingoPurse
		_, err = s.Desk().Load(ctx, o)
	}
	return err
}
