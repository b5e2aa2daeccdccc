package main

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"time"

	"boulier/draw"
	"boulier/game/instant"
)

// instantSimulateCmd plays a block that no server sells.
type instantSimulateCmd struct {
	Game string `arg:"" help:"Game file (TOML)."`
	Seed string `default:"1" help:"Any text; another one deals another block."`
	Date string `help:"Day of the law, such as 2006-12-11; today unless given."`
}

// Run prints the table with its odds, the block as it was played, and warnings.
func (c instantSimulateCmd) Run(s streams) error {
	day := time.Now()
	if c.Date != "" {
		var err error
		if day, err = time.Parse(time.DateOnly, c.Date); err != nil {
			return misused("--date %q: write a day such as 2006-12-11", c.Date)
		}
	}
	f, _, err := readGame(s, c.Game)
	if err != nil {
		return err
	}
	g := f.Game
	secret := draw.Secret(sha256.Sum256([]byte(c.Seed)))
	sim, err := instant.Simulate(g, draw.NewStream(draw.InstantOrder, "simulation", secret, nil))
	if err != nil {
		return err
	}
	if err := summary(s.out, c.Game, g); err != nil {
		return err
	}
	for i, p := range g.Table {
		fmt.Fprintf(s.out, "%14s EUR %10d units, one in %s; first after %d units\n", p.Amount, p.Count,
			g.OneIn(i+1).FloatString(1), sim.FirstOfLines[i])
	}
	hundred := big.NewRat(100, 1)
	fmt.Fprintf(s.out, "stakes %s EUR, paid %s EUR, %s %% of the units win, at most %d losing units in a row\n",
		sim.Block.Stakes, sim.Block.Paid, new(big.Rat).Mul(sim.HitRate, hundred).FloatString(3), sim.LongestWait)
	for _, w := range g.Warnings(day) {
		fmt.Fprintf(s.out, "warning: the return of %s %% is outside %s to %s %%, which the law sets for scratch games: %s\n",
			percent(g), new(big.Rat).Mul(w.Low, hundred).FloatString(0),
			new(big.Rat).Mul(w.High, hundred).FloatString(0), w.Law)
	}
	return nil
}
