package contestfile

import (
	"io"
	"strconv"

	"boulier/game/contest"
)

// lastPlace bounds the places of a classification.
const lastPlace = 99_999

// Places reads a classification in the columns place,name. Places may repeat (dead heats)
// and a place may be empty (not classified); a name stands once.
func Places(file string, in io.Reader) (map[contest.Name]int, error) {
	places, lines := map[contest.Name]int{}, seen[contest.Name]{}
	err := eachRow(file, in, []string{"place", "name"}, func(r row) error {
		name := contest.Name(r.cells[1])
		if err := r.filled(1, "name"); err != nil {
			return err
		}
		if err := lines.once(r, name, "name "+string(name)); err != nil {
			return err
		}
		places[name] = 0
		if r.cells[0] == "" {
			return nil
		}
		place, err := r.whole(0, "place", 1, lastPlace)
		places[name] = place
		return err
	})
	return places, err
}

// A slips gathers slips by player, in the order in which players first appear.
type slips[P any] struct {
	all []Slip[P]
	at  map[string]int
}

// of returns the slip of a player, made by empty when it is new.
func (s *slips[P]) of(player string, empty func() P) *P {
	i, ok := s.at[player]
	if !ok {
		if s.at == nil {
			s.at = map[string]int{}
		}
		i = len(s.all)
		s.at[player], s.all = i, append(s.all, Slip[P]{player, empty()})
	}
	return &s.all[i].Predictions
}

// A named is one cell of a player's slip, by what it is called.
type named struct{ player, cell string }

// PredictedNames reads predictions in the columns player,slot,name, for slots 1 to slots.
// A slot that a player has no line for, or whose name is empty, is an empty line. A name
// twice by one player is refused.
func PredictedNames(file string, in io.Reader, slots int) ([]Slip[[]contest.Name], error) {
	var s slips[[]contest.Name]
	slotLines, nameLines := seen[named]{}, seen[named]{}
	err := eachRow(file, in, []string{"player", "slot", "name"}, func(r row) error {
		player, name := r.cells[0], r.cells[2]
		if err := r.filled(0, "player"); err != nil {
			return err
		}
		slot, err := r.whole(1, "slot", 1, slots)
		if err != nil {
			return err
		}
		if err := slotLines.once(r, named{player, strconv.Itoa(slot)},
			"player "+player+" for slot "+r.cells[1]); err != nil {
			return err
		}
		if name != "" {
			if err := nameLines.once(r, named{player, name}, "name "+name+" of player "+player); err != nil {
				return err
			}
		}
		slip := s.of(player, func() []contest.Name { return make([]contest.Name, slots) })
		(*slip)[slot-1] = contest.Name(name)
		return nil
	})
	return s.all, err
}

// stages are the stages of a knockout as files spell them.
var stages = map[string]contest.Stage{
	"winner": contest.Champion, "finalist": contest.Finalist,
	"semi": contest.SemiFinalist, "quarter": contest.QuarterFinalist,
}

// stage reads a cell as a stage.
func (r row) stage(cell int) (contest.Stage, error) {
	s, ok := stages[r.cells[cell]]
	if !ok {
		return s, r.refuse("stage is %q; it must be winner, finalist, semi or quarter", r.cells[cell])
	}
	return s, nil
}

// Stages reads the last eight of a knockout in the columns stage,name. A name stands once,
// and no more names at a stage than it has.
func Stages(file string, in io.Reader) (map[contest.Name]contest.Stage, error) {
	reached, lines := map[contest.Name]contest.Stage{}, seen[contest.Name]{}
	held := map[contest.Stage]int{}
	err := eachRow(file, in, []string{"stage", "name"}, func(r row) error {
		stage, err := r.stage(0)
		if err != nil {
			return err
		}
		name := contest.Name(r.cells[1])
		if err := r.filled(1, "name"); err != nil {
			return err
		}
		if err := lines.once(r, name, "name "+string(name)); err != nil {
			return err
		}
		if held[stage]++; held[stage] > stage.Holders() {
			return r.refuse("more than %d at stage %s", stage.Holders(), r.cells[0])
		}
		reached[name] = stage
		return nil
	})
	return reached, err
}

// PredictedStages reads predictions in the columns player,stage,name. A name twice by one
// player is refused, and more names at a stage than it has.
func PredictedStages(file string, in io.Reader) ([]Slip[[8]contest.Name], error) {
	var s slips[[8]contest.Name]
	nameLines, held := seen[named]{}, map[named]int{}
	err := eachRow(file, in, []string{"player", "stage", "name"}, func(r row) error {
		player, name := r.cells[0], r.cells[2]
		if err := r.filled(0, "player"); err != nil {
			return err
		}
		stage, err := r.stage(1)
		if err != nil {
			return err
		}
		key := named{player, r.cells[1]}
		if held[key]++; held[key] > stage.Holders() {
			return r.refuse("player %s names more than %d at stage %s", player, stage.Holders(), r.cells[1])
		}
		if name != "" {
			if err := nameLines.once(r, named{player, name}, "name "+name+" of player "+player); err != nil {
				return err
			}
		}
		slip := s.of(player, func() (none [8]contest.Name) { return none })
		before := held[key] - 1
		for i, of := range contest.KnockoutLines {
			if of != stage {
				continue
			}
			if before == 0 {
				slip[i] = contest.Name(name)
				break
			}
			before--
		}
		return nil
	})
	return s.all, err
}
