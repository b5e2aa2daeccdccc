package proof

import (
	"fmt"
	"slices"
	"strings"

	"boulier/game/loto"
	"boulier/journal"
)

// report says what the day was found to prove.
func (c *lotoCourse) report(now, before journal.Head) Report {
	p := Report{Format: FormatLoto, Key: c.head.Key, Head: now}
	s := c.session
	p.say("day %d of loto, « %s »: %d of %d rounds played, none of its %d facts missing", c.head.Day, s.Plan.Title,
		len(s.Results), len(s.Plan.Rounds), len(c.facts))
	p.say("what draws its rounds was in a signed checkpoint of %d leaves before the sale", before.Size)
	for _, name := range sortedSeries(c.series) {
		p.say("series %s: %d cards, with the numbers that were registered before the sale", name, c.series[name].Cards)
	}
	p.say("%d cards sold, in the order of sale", len(c.order))
	for _, r := range s.Results {
		if s.Plan.Rounds[r.Round-1].Cage {
			p.say("round %d, %d cards: its %d numbers came out of a real cage, which nothing proves", r.Round, r.Cards, len(r.Calls))
		} else {
			p.say("round %d, %d cards: its secret is the one committed to; the order of its %d numbers follows from it",
				r.Round, r.Cards, len(r.Calls))
		}
		for _, w := range r.Won {
			prize := s.Plan.Rounds[r.Round-1].Prizes[w.Prize]
			p.say("round %d, %s on number %d: %s, %s", r.Round, stageWords[prize.Stage], w.Calls, prize.Name, awardWords(w))
		}
	}
	return p
}

// stageWords name the stages in English.
var stageWords = map[loto.Stage]string{loto.StageQuine: "line", loto.StageTwoLines: "two lines", loto.StageFullCard: "full card"}

// awardWords says who has what of a stage.
func awardWords(w loto.Won) string {
	var list []string
	for _, a := range w.Awards {
		what := "the prize"
		switch {
		case a.Consolation:
			what = "a consolation"
		case a.Amount > 0:
			what = a.Amount.String() + " EUR"
		}
		if a.Token > 0 {
			what += fmt.Sprintf(" by token %d", a.Token)
		}
		list = append(list, a.Serial.String()+" has "+what)
	}
	return strings.Join(list, ", ")
}

func sortedSeries[K ~string, V any](m map[K]V) (keys []K) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
