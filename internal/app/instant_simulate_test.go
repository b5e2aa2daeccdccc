package app_test

import (
	"errors"
	"testing"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/gamefile"
	"boulier/internal/games"
	"boulier/regs/regstest"
)

// TestArt3_SimulationsOneAtATime plays a block while a second one is refused, and counts
// every unit of it.
func TestArt3_SimulationsOneAtATime(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:3")
	f, _, err := games.Read("mots-croises")
	if err != nil {
		t.Fatal(err)
	}
	f.Game.Block, f.Game.Table = 60_000, instant.Table{{Count: 500, Amount: 12_00}, {Count: 9_500, Amount: 2_00}}
	var s app.Simulations
	moved, proceed := make(chan app.Simulation), make(chan bool)
	id, err := s.Start(f, 0, func(now app.Simulation) {
		moved <- now
		<-proceed
	})
	if err != nil {
		t.Fatal(err)
	}
	first := <-moved
	if first.Done != 20_000 || first.Ended {
		t.Errorf("told of %d units, ended: %t", first.Done, first.Ended)
	}
	if _, err := s.Start(f, 0, func(app.Simulation) {}); !errors.Is(err, app.ErrSimulationBusy) {
		t.Errorf("a second simulation: %v", err)
	}
	close(proceed)
	last := first
	for !last.Ended {
		last = <-moved
	}
	if got, err := s.Simulation(t.Context(), id); err != nil || got.Done != 60_000 || !got.Ended || got.Err != nil {
		t.Fatalf("%+v %v", got, err)
	}
	if last.Result.Block.Paid != 500*12_00+9_500*2_00 || last.Result.Block.Given[0] != 50_000 {
		t.Errorf("the block gave %+v", last.Result.Block)
	}
	if n := last.Symbols[0] + last.Symbols[1] + last.Symbols[2]; n != 60_000 {
		t.Errorf("symbols of %d units", n)
	}
	// Weights of 60, 30 and 10: all three occur, none more often than a smaller number.
	if last.Symbols[0] <= last.Symbols[1] || last.Symbols[1] <= last.Symbols[2] || last.Symbols[2] == 0 {
		t.Errorf("symbols %v", last.Symbols)
	}
	// A rack of seven letters is one letter short of three more often than of seven.
	if last.Near[3] <= last.Near[5] || last.Near[5] <= last.Near[7] || last.Near[3] > 50_000 || len(last.Near) > 5 {
		t.Errorf("near %v", last.Near)
	}
	if _, err := s.Simulation(t.Context(), id+1); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("a simulation that is none: %v", err)
	}
}

// TestSimulations_KeepsTheLatest forgets the ninth before last, and one that fails leaves
// room for the next.
func TestSimulations_KeepsTheLatest(t *testing.T) {
	t.Parallel()
	var s app.Simulations
	f := gamefile.File{Game: instant.Game{Title: "T", Kind: "dice", Block: 10, Price: 1}}
	ended := make(chan app.Simulation, 1)
	for range 9 {
		if _, err := s.Start(f, 0, func(now app.Simulation) { ended <- now }); err != nil {
			t.Fatal(err)
		}
		select {
		case now := <-ended:
			if !now.Ended || now.Err == nil {
				t.Errorf("a game without a face: %+v", now)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("no end")
		}
	}
	if _, err := s.Simulation(t.Context(), 1); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("the first is still there: %v", err)
	}
	if _, err := s.Simulation(t.Context(), 2); err != nil {
		t.Error(err)
	}
}
