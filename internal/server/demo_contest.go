package server

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/player"
)

// A demoClock is behind the real one while the past of the demonstration is made, and never
// afterwards.
type demoClock struct {
	machine func() time.Time
	behind  atomic.Int64
}

func (c *demoClock) now() time.Time { return c.machine().Add(-time.Duration(c.behind.Load())) }

// demoPast is how long ago the contest of the demonstration began.
const demoPast = 21 * 24 * time.Hour

// demoPlayers is how many simulated players take part.
const demoPlayers = 200

// A demoLeg is a leg of the contest of the demonstration: a real competition, its limit
// moved to a time after the beginning, its endings as they were, and when they are known.
type demoLeg struct {
	plan     contest.Plan
	limits   []time.Duration // of the fixtures, after the beginning
	endings  []contest.Ending
	enter    time.Duration // 0: not yet
	proclaim bool
}

const demoDay = 24 * time.Hour

// demoLegs are the five legs, one of each kind. What happened is public and well known; the
// dates are those of the demonstration.
func demoLegs() []demoLeg {
	return []demoLeg{demoGrandPrix(), demoRolandGarros(), demoSixNations(), demoGames2024(), demoWorldCup()}
}

func demoGrandPrix() demoLeg {
	p := contest.NewPlan(contest.LegNames)
	p.Title = "Formule 1 : Grand Prix de Monaco 2024"
	order := []contest.Name{"Charles Leclerc", "Oscar Piastri", "Carlos Sainz", "Lando Norris", "George Russell",
		"Max Verstappen", "Lewis Hamilton", "Yuki Tsunoda", "Alexander Albon", "Pierre Gasly", "Fernando Alonso",
		"Daniel Ricciardo", "Valtteri Bottas", "Lance Stroll", "Logan Sargeant", "Zhou Guanyu", "Esteban Ocon",
		"Sergio Pérez", "Nico Hülkenberg", "Kevin Magnussen"}
	p.List = order
	var places []contest.Placed
	for i, n := range order[:16] { // the others did not finish
		places = append(places, contest.Placed{Name: n, Place: i + 1})
	}
	p.Fixtures = []contest.Fixture{{}}
	return demoLeg{plan: p, limits: []time.Duration{2 * demoDay}, enter: 2*demoDay + 3*time.Hour, proclaim: true,
		endings: []contest.Ending{{Status: contest.Played, Places: places}}}
}

func demoRolandGarros() demoLeg {
	p := contest.NewPlan(contest.LegKnockout)
	p.Title = "Roland-Garros 2024, simple messieurs"
	p.List = []contest.Name{"Carlos Alcaraz", "Alexander Zverev", "Jannik Sinner", "Casper Ruud", "Novak Djokovic",
		"Stéfanos Tsitsipás", "Grigor Dimitrov", "Alex de Minaur", "Taylor Fritz", "Holger Rune", "Daniil Medvedev",
		"Hubert Hurkacz", "Matteo Arnaldi", "Félix Auger-Aliassime", "Corentin Moutet", "Francisco Cerúndolo"}
	var reached []contest.Reached
	for i, n := range p.List[:8] {
		reached = append(reached, contest.Reached{Name: n, Stage: contest.KnockoutLines[i]})
	}
	p.Fixtures = []contest.Fixture{{}}
	return demoLeg{plan: p, limits: []time.Duration{15 * demoDay}, enter: 16 * demoDay, proclaim: true,
		endings: []contest.Ending{{Status: contest.Played, Stages: reached}}}
}

func demoSixNations() demoLeg {
	p := contest.NewPlan(contest.LegWinner)
	p.Title = "Tournoi des Six Nations 2024, dernière journée"
	d := demoLeg{plan: p, enter: 19 * demoDay}
	d.match("Pays de Galles", "Italie", 18*demoDay, 21, 24)
	d.match("Irlande", "Écosse", 18*demoDay+3*time.Hour, 17, 13)
	d.match("France", "Angleterre", 18*demoDay+6*time.Hour, 33, 31)
	return d
}

// match adds a match with its score.
func (d *demoLeg) match(home, away string, limit time.Duration, h, a int8) {
	d.plan.Fixtures = append(d.plan.Fixtures, contest.Fixture{Home: home, Away: away})
	d.limits = append(d.limits, limit)
	d.endings = append(d.endings, contest.Ending{Status: contest.Played, Score: contest.Score{Home: h, Away: a}})
}

func demoGames2024() demoLeg {
	p := contest.NewPlan(contest.LegQuiz)
	p.Title = "Jeux de Paris 2024"
	p.Fixtures = []contest.Fixture{
		{Question: "Qui gagne le 100 m messieurs ?", Points: 3,
			Offered: []contest.Answer{"Noah Lyles", "Kishane Thompson", "Fred Kerley", "Marcell Jacobs"}},
		{Question: "Avec quelle avance sur le deuxième ?", Parent: 1, Points: 2,
			Offered: []contest.Answer{"Moins d’un centième", "Un à cinq centièmes", "Davantage"}},
		{Question: "Quel pays est premier par l’or, à égalité avec la Chine ?", Points: 1,
			Offered: []contest.Answer{"États-Unis", "Japon", "Australie", "France"}},
	}
	return demoLeg{plan: p, limits: []time.Duration{20 * demoDay, 20 * demoDay, 20*demoDay + 2*time.Hour}}
}

func demoWorldCup() demoLeg {
	p := contest.NewPlan(contest.LegScores)
	p.Title = "Coupe du monde 2022, huitièmes de finale rejoués"
	d := demoLeg{plan: p}
	for i, m := range [][2]string{{"Pays-Bas", "États-Unis"}, {"Argentine", "Australie"}, {"France", "Pologne"},
		{"Angleterre", "Sénégal"}, {"Japon", "Croatie"}, {"Brésil", "Corée du Sud"}, {"Maroc", "Espagne"}, {"Portugal", "Suisse"}} {
		d.match(m[0], m[1], demoPast+time.Duration(i/2+1)*demoDay+time.Duration(i%2)*4*time.Hour, 0, 0)
	}
	d.endings = nil
	return d
}

// fillContest makes the contest of the demonstration, its players and their past, the clock
// going on from where it is set back to.
func (s *Server) fillContest(ctx context.Context, manager, camille player.ID, rules int) error {
	names := make([]string, demoPlayers)
	for i := range names {
		names[i] = demoFirst[i%len(demoFirst)] + " " + string(rune('A'+i/len(demoFirst))) + "."
	}
	crowd, err := s.People.AddPuppets(ctx, names, rules)
	if err != nil {
		return err
	}
	if _, err := s.Contests.Join(ctx, app.Joining{Request: app.NewRequestID(), Player: camille, Rules: rules, Decency: true,
		Profile: app.Profile{Given: "Camille", Family: "Démo", Street: "1 place du Marché", Postcode: "35000", Town: "Rennes",
			Email: "camille@example.org", Locale: "fr", Address: "192.0.2.1"}}); err != nil {
		return err
	}
	begun := s.Ground.Now()
	to := func(after time.Duration) { s.clock.behind.Store(int64(demoPast - after)) }
	order := app.ContestOrder{By: manager}
	fresh := func() app.ContestOrder { order.Request = app.NewRequestID(); return order }
	if order.Contest, err = s.Contests.CreateContest(ctx, fresh(), "La grande année du sport", "Le club de la démonstration",
		contest.DefaultTerms()); err != nil {
		return err
	}
	legs, ids := demoLegs(), []contest.LegID{}
	for i := range legs {
		for f := range legs[i].plan.Fixtures {
			at := begun.Add(legs[i].limits[f]).Truncate(time.Minute)
			legs[i].plan.Fixtures[f].StartsAt, legs[i].plan.Fixtures[f].Limit = at, at
		}
		id, err := s.Contests.AddLeg(ctx, fresh(), legs[i].plan)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if err := s.Contests.AnnounceGift(ctx, fresh(), contest.SpecialGift{Title: "Deux places pour une finale", Count: 1}); err != nil {
		return err
	}
	if err := s.Contests.Announce(ctx, fresh(), begun.Add(time.Hour)); err != nil {
		return err
	}
	to(time.Hour)
	for _, id := range ids {
		if err := s.Contests.PublishLeg(ctx, app.LegOrder{Request: app.NewRequestID(), By: manager, Leg: id}, begun); err != nil {
			return err
		}
	}
	for i, id := range ids {
		who := crowd
		if i < len(ids)-1 { // the last one is for Camille to play
			who = append([]player.ID{camille}, crowd...)
		}
		if err := s.guess(ctx, legs[i].plan, id, who, uint64(i)); err != nil {
			return fmt.Errorf("server: slips of leg %d: %w", id, err)
		}
	}
	if err := s.fillShop(ctx, manager); err != nil {
		return err
	}
	if err := s.fillLeague(ctx, camille, crowd[:8]); err != nil {
		return err
	}
	for day := time.Duration(1); day <= 21; day++ {
		to(day*demoDay + 3*time.Hour)
		if day == 21 {
			s.clock.behind.Store(0)
		}
		if err := app.DoDue(ctx, s.Ground, s.Instant, s.Contests, s.Bingo); err != nil {
			return err
		}
		for i, l := range legs {
			if l.enter == 0 || l.enter > day*demoDay+3*time.Hour || l.enter <= (day-1)*demoDay+3*time.Hour {
				continue
			}
			o := app.LegOrder{Request: app.NewRequestID(), By: manager, Leg: ids[i]}
			err := s.Contests.EnterResults(ctx, o, l.endings, "", false)
			if err == nil && l.proclaim {
				o.Request = app.NewRequestID()
				err = s.Contests.ProclaimLeg(ctx, o)
			}
			if err != nil {
				return fmt.Errorf("server: results of leg %d: %w", ids[i], err)
			}
		}
	}
	return nil
}

// guess validates a slip for each of the players, all at once.
func (s *Server) guess(ctx context.Context, p contest.Plan, leg contest.LegID, who []player.ID, seed uint64) error {
	failed := make([]error, len(who))
	var all sync.WaitGroup
	for i, id := range who {
		picks := demoPicks(p, rand.New(rand.NewPCG(seed, uint64(i))))
		all.Go(func() {
			_, failed[i] = s.Contests.Submit(ctx, app.Submission{Request: app.NewRequestID(), Player: id, Leg: leg, Picks: picks})
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// demoPicks fills in a slip as somebody might who knows a little.
func demoPicks(p contest.Plan, r *rand.Rand) []contest.Pick {
	picks := make([]contest.Pick, p.Lines())
	names := append([]contest.Name(nil), p.List...)
	for i := 0; i+1 < len(names); i++ { // swaps near neighbours: the best stay near the top
		j := min(len(names)-1, i+r.IntN(6))
		names[i], names[j] = names[j], names[i]
	}
	for i := range picks {
		switch p.Kind {
		case contest.LegScores:
			picks[i] = contest.Pick(fmt.Sprintf("%d-%d", r.IntN(4), r.IntN(3)))
		case contest.LegWinner:
			picks[i] = []contest.Pick{"1", "1", "2", "N"}[r.IntN(4)]
		case contest.LegQuiz:
			offered := p.Fixtures[i].Offered
			picks[i] = contest.Pick(offered[min(r.IntN(len(offered)), r.IntN(len(offered)))])
		default:
			picks[i] = contest.Pick(names[i])
		}
	}
	return picks
}

// fillLeague makes a league of friends.
func (s *Server) fillLeague(ctx context.Context, owner player.ID, friends []player.ID) error {
	order := func(by player.ID, id app.LeagueID) app.LeagueOrder {
		return app.LeagueOrder{Request: app.NewRequestID(), By: by, League: id}
	}
	id, err := s.Contests.CreateLeague(ctx, order(owner, 0), "Les amis de Camille")
	if err != nil {
		return err
	}
	l, err := s.Contests.League(ctx, id, owner, "")
	if err != nil {
		return err
	}
	for _, who := range friends {
		if err := s.Contests.JoinLeague(ctx, order(who, id), l.Token); err != nil {
			return err
		}
	}
	return nil
}

// fillShop puts some gifts in the shop.
func (s *Server) fillShop(ctx context.Context, manager player.ID) error {
	for _, g := range []app.ShopGift{
		{Title: "Une carte postale du club", Text: "Écrite à la main, timbrée.", Price: 25, Stock: 50},
		{Title: "Une écharpe", Text: "Laine, aux couleurs du club.", Price: 12 * contest.Nugget, Stock: 8},
		{Title: "Un ballon signé", Text: "Signé par toute l’équipe.", Price: 60 * contest.Nugget, Stock: 1},
	} {
		if _, err := s.Contests.SetGift(ctx, app.GiftChange{Request: app.NewRequestID(), By: manager, Gift: g}); err != nil {
			return err
		}
	}
	return nil
}

var demoFirst = []string{"Alice", "Bruno", "Chloé", "David", "Emma", "Farid", "Gaëlle", "Hugo", "Inès", "Jules",
	"Karim", "Léa", "Marius", "Nadia", "Omar", "Pauline", "Quentin", "Rose", "Samir", "Théo"}
