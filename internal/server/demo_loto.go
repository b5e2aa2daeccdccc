package server

import (
	"context"
	"time"

	"boulier/game/loto"
	"boulier/internal/app"
	"boulier/player"
)

// The demonstration's loto: its series in sheets of six, its sales, the numbers already out.
const (
	demoSheets  = 60
	demoSpecial = 10
	demoSales   = 30
	demoCalls   = 8
)

// fillLoto makes a day of loto that is in progress: the newcomer calls, checks, displays.
func (s *Server) fillLoto(ctx context.Context, manager, cashier, caller player.ID) error {
	for _, o := range []app.MadeSeries{{Name: "A", Sheets: demoSheets, Value: 5_00, Title: "Loto du printemps"},
		{Name: "V", Sheets: demoSpecial, Value: 6_00, Title: "La voiture"}} {
		o.Request, o.By = app.NewRequestID(), manager
		if err := s.Cards.Order(ctx, o); err != nil {
			return err
		}
	}
	if err := s.Cards.MakeWanted(ctx); err != nil {
		return err
	}
	now := s.Ground.Now()
	day, err := s.Loto.Create(ctx, app.NewLotoDay{Request: app.NewRequestID(), By: manager, Plan: loto.Usual(loto.Outline{
		Title: "Loto du printemps", Doors: now.Add(-3 * time.Hour).Truncate(time.Minute), Start: now.Add(-time.Hour).Truncate(time.Minute),
		Ordinary: loto.SeriesRange{Series: "A", From: 1, To: 6 * demoSheets},
		Special:  loto.SeriesRange{Series: "V", From: 1, To: 6 * demoSpecial},
		Desks:    2, Rounds: 6, WalkIns: true, Voucher: "Bon d’achat", Car: "La voiture", RoundTitle: "Partie",
		Consolation: "Un filet garni", CarNote: "Les frais d’immatriculation sont à la charge du gagnant."})})
	if err != nil {
		return err
	}
	act := func(who player.ID) app.LotoAct {
		return app.LotoAct{Request: app.NewRequestID(), By: who, Day: day}
	}
	if err := s.Loto.OpenDay(ctx, act(manager)); err != nil {
		return err
	}
	if err := s.sellDemo(ctx, cashier, act); err != nil {
		return err
	}
	if err := s.Loto.TakeControl(ctx, act(caller)); err != nil {
		return err
	}
	if err := s.Loto.Recall(ctx, act(caller)); err != nil {
		return err
	}
	if err := s.Loto.OpenRound(ctx, act(caller), 1); err != nil {
		return err
	}
	for n := range demoCalls {
		if err := s.Loto.CallNext(ctx, act(caller), n); err != nil {
			return err
		}
	}
	return nil
}

// sellDemo sells cards to invented people, and leaves the drawer open.
func (s *Server) sellDemo(ctx context.Context, cashier player.ID, act func(player.ID) app.LotoAct) error {
	desk := app.Desk{Ground: s.Ground}
	if err := desk.Open(ctx, app.DrawerOpening{Request: app.NewRequestID(), Cashier: cashier, Desk: 1, Float: 100_00}); err != nil {
		return err
	}
	for n := range demoSales {
		item := loto.Item{Unit: []loto.Unit{loto.SheetOf6, loto.SheetOf3, loto.OneCard}[n%3]}
		_, err := s.Loto.Sell(ctx, app.LotoSale{LotoAct: act(cashier), Items: []loto.Item{item}, Means: app.Cash, Inside: true})
		if err != nil {
			return err
		}
	}
	return nil
}
