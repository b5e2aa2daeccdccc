package proof

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"boulier/game/loto"
	"boulier/internal/snake"
	"boulier/journal"
	"boulier/player"
)

// KindSecrets is the fact that lets everyone check a round of the loto; its payload is a
// LotoSecrets. KindSeries registers a series of cards; its payload is a RegisteredSeries.
const (
	KindSecrets journal.Kind = "secrets_revealed"
	KindSeries  journal.Kind = "series_registered"
)

// LotoSecrets are the secrets of a round: of its balls, and of the tokens of each prize.
type LotoSecrets struct {
	Round  int
	Secret string
	Ties   []string
}

// lotoKinds are the events of the loto by their kinds.
var lotoKinds = func() map[string]reflect.Type {
	kinds := map[string]reflect.Type{}
	for _, e := range []loto.Event{loto.Planned{}, loto.DayOpened{}, loto.SaleOpened{}, loto.RulesRecalled{},
		loto.ControlTaken{}, loto.RoundOpened{}, loto.BallCalled{}, loto.CallCorrected{}, loto.CallRepeated{},
		loto.DrawStopped{}, loto.DrawResumed{}, loto.ClaimMade{}, loto.CheckBegan{}, loto.ClaimChecked{},
		loto.ClaimsRejected{}, loto.TieFound{}, loto.ShareAnswered{}, loto.TokenDrawn{}, loto.PrizeAwarded{},
		loto.PrizeHandedOver{}, loto.RoundClosed{}, loto.Paused{}, loto.PauseEnded{}, loto.DisputeDecided{},
		loto.PersonExcluded{}, loto.ExclusionExplained{}, loto.DayPostponed{}, loto.DayClosed{}, loto.CardsSold{},
		loto.SaleTakenBack{}, loto.CardsStamped{}, loto.CardsVoided{}, loto.Pictured{}} {
		kinds[e.Kind()] = reflect.TypeOf(e)
	}
	return kinds
}()

// lotoWithheld are the facts whose words are of people: an export for everyone has their
// leaves alone. They change nothing of the game.
var lotoWithheld = map[journal.Kind]bool{journal.Kind(loto.DisputeDecided{}.Kind()): true,
	journal.Kind(loto.ExclusionExplained{}.Kind()): true}

// A lotoPayload is an event and who brought it about.
type lotoPayload struct {
	By   player.ID
	Fact loto.Event
}

// EncodeLoto returns the payload of an event of the loto that a person brought about.
func EncodeLoto(by player.ID, e loto.Event) ([]byte, error) { return snake.Encode(lotoPayload{by, e}) }

// DecodeLoto reads what EncodeLoto wrote, by its kind. The event is nil for a kind that is
// not of the rules, such as the secrets of a round.
func DecodeLoto(kind string, payload []byte) (e loto.Event, by player.ID, err error) {
	t, ok := lotoKinds[kind]
	if !ok {
		return nil, 0, nil
	}
	var p struct {
		By   player.ID
		Fact json.RawMessage
	}
	if err := snake.Decode(payload, &p); err != nil {
		return nil, 0, fmt.Errorf("a %s of the loto: %w", kind, err)
	}
	v := reflect.New(t)
	if len(p.Fact) > 0 {
		if err := json.Unmarshal(p.Fact, v.Interface()); err != nil {
			return nil, 0, fmt.Errorf("a %s of the loto: %w", kind, err)
		}
	}
	return v.Elem().Interface().(loto.Event), p.By, nil
}

// A lotoFact is a fact of a day, proved. Event is nil for the secrets of a round and for what
// is withheld.
type lotoFact struct {
	journal.Leaf
	Event   loto.Event
	Secrets LotoSecrets
	Index   int64
	line    int
}

// readLotoFact reads the next line, which must be fact number n of the day.
func readLotoFact(l *lines, head journal.Head, s journal.Stream, n int64) (f lotoFact, err error) {
	p, leaf, err := nextProved(l)
	if err != nil {
		return f, err
	}
	if lotoWithheld[leaf.Kind] && p.Payload == "" && p.Salt == (Salt{}) {
		f.Leaf, err = leaf, p.placed(leaf, head, s, n, leaf.Kind)
	} else if f.Leaf, err = p.open(head, s, n, leaf.Kind); err == nil {
		err = f.decode(p.Payload)
	}
	if err != nil {
		return f, l.fault("%w", err)
	}
	f.Index, f.line = p.Index, l.n
	return f, nil
}

// decode reads the payload, which must be in its canonical form.
func (f *lotoFact) decode(payload string) error {
	var again []byte
	if f.Kind == KindSecrets {
		if err := snake.Decode([]byte(payload), &f.Secrets); err != nil {
			return fmt.Errorf("payload: %w", jsonError(err))
		}
		again, _ = snake.Encode(f.Secrets)
	} else {
		e, by, err := DecodeLoto(string(f.Kind), []byte(payload))
		if err != nil {
			return fmt.Errorf("payload: %w", jsonError(err))
		}
		if e == nil {
			return fmt.Errorf("a day of loto has no fact %s", f.Kind)
		}
		f.Event = e
		again, _ = EncodeLoto(by, e)
	}
	if !bytes.Equal(again, []byte(payload)) || !lotoInUTC(f.Event) {
		return fmt.Errorf("payload: %w", errCanonical)
	}
	return nil
}

// lotoInUTC reports whether the times of an event have no other zone.
func lotoInUTC(e loto.Event) bool {
	var times []time.Time
	switch e := e.(type) {
	case loto.Planned:
		times = append(times, e.Plan.Doors, e.Plan.Start)
		for _, b := range e.Plan.Breaks {
			times = append(times, b.At)
		}
	case loto.Paused:
		times = append(times, e.Until)
	case loto.DayPostponed:
		times = append(times, e.Doors, e.Start)
	}
	return !slices.ContainsFunc(times, func(t time.Time) bool { return t.Location() != time.UTC })
}
