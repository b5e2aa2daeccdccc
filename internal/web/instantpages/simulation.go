package instantpages

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"strconv"
	"strings"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/gamefile"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
)

// simulate begins to play a block of a game, and shows it. Where another is being played,
// busy shows the page again.
func (s *Section) simulate(v *web.Visit, f gamefile.File, from app.GameID, busy func(ui.Notice) error) error {
	id, err := s.simulations.Start(f, from, s.simulationMoved)
	if notice, refused := v.Refused(err); refused {
		return busy(notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(fmt.Sprintf("/manage/simulations/%d", id))
}

// simulationMoved tells whoever looks at a simulation how far it is.
func (s *Section) simulationMoved(sim app.Simulation) {
	if sim.Ended {
		if sim.Err != nil {
			s.Ground.Log.Error("a block could not be simulated", "error", sim.Err)
		}
		s.Hub.Publish(simulationTopic(sim.ID), 1, "simulated", []byte("{}"))
		return
	}
	s.Hub.Gauge(simulationTopic(sim.ID), "progress", fmt.Appendf(nil, `{"done":%d,"total":%d}`, sim.Done, sim.File.Game.Block))
}

// simulationMissed is the one fact of a simulation, for a page that came before it ended.
func (s *Section) simulationMissed(ctx context.Context, topic string, after int64) ([]web.Fact, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(topic, simulationTopicPrefix), 10, 64)
	if err != nil {
		return nil, err
	}
	sim, err := s.simulations.Simulation(ctx, id)
	if errors.Is(err, app.ErrNotFound) || err == nil && (!sim.Ended || after > 0) {
		return nil, nil
	}
	return []web.Fact{{Topic: topic, Number: 1, Name: "simulated", Data: []byte("{}")}}, err
}

// simulateGame plays a block of an imported game.
func (s *Section) simulateGame(v *web.Visit) error {
	if _, err := v.Form(); err != nil {
		return err
	}
	rec, file, err := s.gameOf(v)
	if err != nil {
		return err
	}
	return s.simulate(v, file, rec.ID, func(n ui.Notice) error {
		return s.gameAgain(v, http.StatusConflict, nil, n)
	})
}

// simulation returns the simulation of a number.
func (s *Section) simulation(v *web.Visit, number string) (app.Simulation, error) {
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return app.Simulation{}, web.NotFound
	}
	sim, err := s.simulations.Simulation(v.Context(), id)
	if errors.Is(err, app.ErrNotFound) {
		err = web.NotFound
	}
	return sim, err
}

func (s *Section) showSimulation(v *web.Visit) error {
	sim, err := s.simulation(v, v.Path("number"))
	if err != nil {
		return err
	}
	live := ""
	if !sim.Ended {
		live = simulationTopic(sim.ID) + ":0"
	}
	return v.Show(ui.View{Title: v.T("simulation.title"), Accent: ui.Instant, Live: live},
		simulationBody(sim, sim.File.Game.Warnings(s.Ground.Now())))
}

// lawText says what a law has against a return.
func lawText(words *locales.Words, w instant.Warning) string {
	return words.T("law."+w.Code, "Return", rat(words, w.Return, 100, 3), "Low", rat(words, w.Low, 100, 0),
		"High", rat(words, w.High, 100, 0), "Law", w.Law, "Since", words.Day(w.Since))
}

// rat writes a fraction times a factor with some decimals, cut down: a return is never
// said to be more than it is.
func rat(words *locales.Words, r *big.Rat, times, decimals int64) string {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil)
	n := new(big.Int).Mul(r.Num(), big.NewInt(times))
	n.Quo(n.Mul(n, power), r.Denom())
	whole, rest := new(big.Int).QuoRem(n, power, new(big.Int))
	text := words.Count(whole.Int64())
	if decimals == 0 {
		return text
	}
	mark := "."
	if words.Lang() == "fr" {
		mark = ","
	}
	return text + mark + fmt.Sprintf("%0*d", decimals, rest.Int64())
}

// oneIn says among how many units one is such, to the nearest tenth; a dash where none is.
func oneIn(words *locales.Words, block, units int64) string {
	if units == 0 {
		return "—"
	}
	return odds(words, big.NewRat(block, units))
}

// odds writes among how many units one is such, to the nearest tenth.
func odds(words *locales.Words, r *big.Rat) string {
	tenths := new(big.Int).Mul(r.Num(), big.NewInt(20))
	tenths.Quo(tenths.Add(tenths, r.Denom()), new(big.Int).Mul(r.Denom(), big.NewInt(2)))
	return rat(words, new(big.Rat).SetFrac(tenths, big.NewInt(10)), 1, 1)
}
