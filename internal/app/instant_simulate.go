package app

import (
	"context"
	"sync"

	"boulier/draw"
	"boulier/game/instant"
	"boulier/internal/face"
	"boulier/internal/gamefile"
	"boulier/regs"
)

// ErrSimulationBusy refuses a simulation while another is played.
var ErrSimulationBusy = &regs.Violation{Ref: "instant:3", Code: "simulation_busy"}

// keptSimulations is how many simulations are kept, the latest ones.
const keptSimulations = 8

// simulationStep is after how many units a simulation tells how far it is.
const simulationStep = 20_000

// A Simulation is a whole block of a game played in memory: each unit sold by the rules of
// a sale, each face made and read as one that is shown. Nothing of it is kept or sold.
type Simulation struct {
	ID   int64
	File gamefile.File
	From GameID // the game it was asked for, 0 for a draft
	Done int64  // units of File.Game.Block whose face was made

	Ended  bool
	Err    error // why it ended without a result
	Result instant.Simulation
	// Of a word game: units that show 0, 1 and 2 symbols, and losing units that lack one
	// single letter of the word of so many letters.
	Symbols [3]int64
	Near    map[int]int64
}

// Simulations plays blocks of games in memory, one at a time and outside any transaction.
// The latest are kept until the program stops.
type Simulations struct {
	mu      sync.Mutex
	last    int64
	running bool
	kept    map[int64]Simulation
}

// Start begins to play a block, and returns at once. It tells its progress to moved, which
// may be called from another goroutine.
func (s *Simulations) Start(f gamefile.File, from GameID, moved func(Simulation)) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return 0, ErrSimulationBusy.With("simulation %d is played", s.last)
	}
	s.running = true
	s.last++
	if s.kept == nil {
		s.kept = map[int64]Simulation{}
	}
	delete(s.kept, s.last-keptSimulations)
	sim := Simulation{ID: s.last, File: f, From: from}
	s.kept[sim.ID] = sim
	go func() {
		sim.Err = sim.play(RandomBytes, func(now Simulation) {
			s.keep(now)
			moved(now)
		})
		sim.Ended = true
		s.keep(sim)
		moved(sim)
	}()
	return sim.ID, nil
}

// keep puts what is known of a simulation in place of what was.
func (s *Simulations) keep(sim Simulation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.kept[sim.ID]; ok {
		s.kept[sim.ID] = sim
	}
	if sim.Ended {
		s.running = false
	}
}

// Simulation returns a simulation as it stands; ErrNotFound if it is not kept.
func (s *Simulations) Simulation(_ context.Context, id int64) (Simulation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sim, ok := s.kept[id]
	if !ok {
		return Simulation{}, ErrNotFound
	}
	return sim, nil
}

// play sells the block, then makes the face of each unit, on each board in turn.
func (s *Simulation) play(entropy func([]byte), moved func(Simulation)) (err error) {
	var secret draw.Secret
	entropy(secret[:])
	g := s.File.Game
	s.Result, err = instant.Simulate(g, draw.NewStream(draw.InstantOrder, "simulation", secret, nil))
	if err != nil {
		return err
	}
	maker, err := face.New(g)
	if err != nil {
		return err
	}
	seeds := draw.NewSeeds(draw.InstantSeeds, "simulation", secret, nil)
	near := map[int]int64{}
	unit := draw.Unit{}
	for outcome, count := range s.Result.Block.Given[:len(g.Table)+1] {
		unit.Outcome = uint16(outcome)
		for range count {
			unit.Seed = seeds.At(uint64(unit.Index))
			if err := s.show(maker, unit, near); err != nil {
				return err
			}
			unit.Index++
			if s.Done = int64(unit.Index); s.Done%simulationStep == 0 {
				moved(*s)
			}
		}
	}
	s.Near = near
	return nil
}

// show makes the face of a unit and counts what it shows.
func (s *Simulation) show(maker *face.Maker, u draw.Unit, near map[int]int64) error {
	boards := s.File.Game.Words.Boards
	board := 0
	if len(boards) > 0 {
		board = 1 + u.Index%len(boards)
	}
	shown, err := maker.Make(u, board)
	if err != nil || board == 0 {
		return err
	}
	s.Symbols[len(shown.Words.Symbols)]++
	if u.Outcome > 0 {
		return nil
	}
	for _, w := range boards[board-1].Words() {
		missing := 0
		for i := range len(w.Text) {
			if !shown.Words.Uncovers(w.Text[i]) {
				missing++
			}
		}
		if missing == 1 {
			near[len(w.Text)]++
		}
	}
	return nil
}
