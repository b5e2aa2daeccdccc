package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/games"
	"boulier/ledger"
	"boulier/player"
)

// DemoPassword is the password of every person of the demonstration.
const DemoPassword = "boulier-demo"

// A DemoPerson is somebody whom the demonstration prints.
type DemoPerson struct {
	SignIn, Name string
	Roles        []app.Role
}

// DemoPeople are the people of the demonstration.
var DemoPeople = []DemoPerson{
	{"camille", "Camille", []app.Role{app.Player}},
	{"caisse", "Dominique, à la caisse", []app.Role{app.Cashier}},
	{"jeux", "Claude, aux jeux", []app.Role{app.Manager}},
	{"redaction", "Sacha, à la rédaction", []app.Role{app.Editor}},
	{"admin", "Alix, à l’administration", []app.Role{app.Administrator}},
	{"controle", "Maxime, au contrôle", []app.Role{app.Inspector}},
	{"meneur", "Yann, meneur de jeu", []app.Role{app.Caller}},
	{"cartons", "Nolwenn, contrôle des cartons", []app.Role{app.Checker}},
	{"entree", "Erwan, à la vente des cartons", []app.Role{app.Cashier}},
	{"bingo", "Gaëlle, à la caisse du bingo", []app.Role{app.Cashier}},
}

// demoGames are put on sale by the demonstration, the last one first on the home page.
var demoGames = []string{"deux-fois", "patience", "mots-croises"}

// demoMoney is what the demonstration's player has, in cents.
const demoMoney = 50_00

// FillDemo makes the demonstration's people and games, unless they are there already. The
// blocks are made when the server runs.
func (s *Server) FillDemo(ctx context.Context) error {
	defer s.clock.behind.Store(0)
	n, err := s.People.Administrators(ctx)
	if err != nil {
		return err
	}
	if n > 0 {
		return s.checkFilled(ctx)
	}
	rules, err := s.Ground.CurrentRules(ctx)
	if err != nil {
		return err
	}
	var manager, camille player.ID
	ids := map[string]player.ID{}
	for _, p := range DemoPeople {
		id, err := s.addDemoPerson(ctx, p, rules.InForce())
		if err != nil {
			return err
		}
		ids[p.SignIn] = id
		if p.Roles[0] == app.Manager {
			manager = id
		}
		if p.Roles[0] == app.Player {
			camille = id
		}
	}
	if err := s.fillContest(ctx, manager, camille, rules.InForce()); err != nil {
		return err
	}
	if err := s.fillLoto(ctx, manager, ids["entree"], ids["meneur"]); err != nil {
		return err
	}
	if err := s.fillBingo(ctx, manager, ids["bingo"], camille); err != nil {
		return err
	}
	for _, name := range demoGames {
		_, data, err := games.Read(name)
		if err != nil {
			return err
		}
		game, _, err := s.Instant.ImportGame(ctx, app.GameImport{Request: app.NewRequestID(), By: manager,
			Name: name + ".toml", File: data})
		if err != nil {
			return err
		}
		now := s.Ground.Now()
		_, err = s.Instant.OpenIssue(ctx, app.IssueOpening{Request: app.NewRequestID(), By: manager, Game: game,
			Window: instant.Window{Opens: now, Closes: now.AddDate(1, 0, 0).Truncate(time.Hour)}, Blocks: 1})
		if err != nil {
			return err
		}
	}
	return nil
}

// ErrHalfDemo refuses a demonstration whose making was cut off.
var ErrHalfDemo = errors.New("server: half a demonstration: its making was cut off")

// checkFilled sees that a demonstration was made to its end, which is its last game.
func (s *Server) checkFilled(ctx context.Context) error {
	issues, err := s.Instant.Issues(ctx)
	if err == nil && len(issues) < len(demoGames) {
		err = fmt.Errorf("%w; remove %s and start again", ErrHalfDemo, s.config.Data)
	}
	return err
}

func (s *Server) addDemoPerson(ctx context.Context, p DemoPerson, rules int) (player.ID, error) {
	if p.Roles[0] != app.Player {
		return s.People.AddStaff(ctx, app.NewStaff{Request: app.NewRequestID(), By: app.SystemPerson,
			SignIn: p.SignIn, Name: p.Name, Password: DemoPassword, Locale: "fr", Roles: p.Roles})
	}
	id, err := s.People.Register(ctx, app.Registration{Request: app.NewRequestID(), SignIn: p.SignIn,
		Password: DemoPassword, Name: p.Name, Locale: "fr", Rules: rules,
		Born: time.Date(1990, time.May, 17, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return 0, err
	}
	account := ledger.Path("player:" + id.String())
	err = s.Store.Update(ctx, app.Keys{Accounts: []ledger.Path{"bank", account}}, func(tx app.Tx) error {
		_, err := tx.Post(app.Posting{Kind: "load", Ref: "demo", Moves: []ledger.Movement{
			{From: "bank", To: account, Amount: ledger.Euros(demoMoney)}}})
		return err
	})
	return id, err
}
