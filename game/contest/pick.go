package contest

import (
	"strconv"
	"strings"
	"time"

	"boulier/player"
)

// A Pick is one line of a slip as text: a name, a score such as "2-1", an outcome 1, N or
// 2, an answer. "" is an empty line.
type Pick string

// ParseScore reads a pick such as "2-1"; "" is NoScore.
func ParseScore(p Pick) (Score, error) {
	if p == "" {
		return NoScore, nil
	}
	home, away, ok := strings.Cut(string(p), "-")
	h, err1 := strconv.ParseUint(home, 10, 7)
	a, err2 := strconv.ParseUint(away, 10, 7)
	s := Score{int8(h), int8(a)}
	if !ok || err1 != nil || err2 != nil || !s.valid() {
		return NoScore, ErrScoreIllegal.With("%q is not a score", p)
	}
	return s, nil
}

// outcomes are the picks of outcomes, in the order of their numbers.
var outcomes = [...]Pick{NoOutcome: "", HomeWin: "1", Draw: "N", AwayWin: "2"}

// Pick returns the text of an outcome: 1, N or 2.
func (o Outcome) Pick() Pick { return outcomes[o] }

// ParseOutcome reads a pick 1, N or 2; "" is NoOutcome.
func ParseOutcome(p Pick) (Outcome, error) {
	for o, text := range outcomes {
		if p == text {
			return Outcome(o), nil
		}
	}
	return NoOutcome, ErrOutcomeIllegal.With("%q is not 1, N or 2", p)
}

// maxPick bounds what a line holds, in bytes.
const maxPick = 200

// CheckPicks returns what a slip may not hold, whatever the time: names not in the list or
// given twice, scores and outcomes that the format rules out, answers not offered. Empty
// lines pass; Revise asks for them.
func (p Plan) CheckPicks(picks []Pick) error {
	if len(picks) != p.Lines() {
		return ErrSlipMisshapen.With("%d lines, the leg has %d", len(picks), p.Lines())
	}
	for i, pick := range picks {
		if len(pick) > maxPick {
			return ErrSlipMisshapen.With("line %d has %d bytes", i+1, len(pick))
		}
	}
	switch p.Kind {
	case LegNames, LegKnockout:
		return CheckNames(namesOf(picks), p.List)
	case LegQuiz:
		return p.Quiz(nil).CheckSlip(answersOf(picks))
	}
	formats := make([]Format, len(picks))
	for i := range picks {
		formats[i] = p.Fixtures[i].Format
	}
	if p.Kind == LegWinner {
		slip := make([]Outcome, len(picks))
		for i, pick := range picks {
			var err error
			if slip[i], err = ParseOutcome(pick); err != nil {
				return err
			}
		}
		return CheckWinners(slip, formats)
	}
	slip := make([]Score, len(picks))
	for i, pick := range picks {
		var err error
		if slip[i], err = ParseScore(pick); err != nil {
			return err
		}
	}
	return CheckScores(slip, formats)
}

func namesOf(picks []Pick) []Name {
	names := make([]Name, len(picks))
	for i, p := range picks {
		names[i] = Name(p)
	}
	return names
}

func answersOf(picks []Pick) []Answer {
	answers := make([]Answer, len(picks))
	for i, p := range picks {
		answers[i] = Answer(p)
	}
	return answers
}

// Awards returns what each line of a slip earns by the endings, one a fixture, and why
// (contest:6). The picks must have passed CheckPicks: another text earns nothing.
func (p Plan) Awards(picks []Pick, endings []Ending) []Award {
	if len(picks) != p.Lines() || len(endings) != len(p.Fixtures) {
		panic("contest: the slip, the leg and its endings differ in length")
	}
	switch p.Kind {
	case LegNames:
		if endings[0].Status == Void {
			return voidAwards(len(picks))
		}
		return p.Places.Awards(namesOf(picks), endings[0].places())
	case LegKnockout:
		if endings[0].Status == Void {
			return voidAwards(len(picks))
		}
		return p.Stages.Awards([8]Name(namesOf(picks)), endings[0].stages())
	case LegQuiz:
		return p.Quiz(endings).Awards(answersOf(picks))
	}
	awards := make([]Award, len(picks))
	for i, pick := range picks {
		r := endings[i].Result()
		if p.Kind == LegWinner {
			o, _ := ParseOutcome(pick)
			awards[i] = AwardWinner(o, r.Status, r.Outcome(), p.Winner)
			continue
		}
		s, _ := ParseScore(pick)
		awards[i] = p.ScaleOf(i).Award(s, r)
	}
	return awards
}

// ScaleOf returns the scale of a match of a leg of scores (contest:6.scores).
func (p Plan) ScaleOf(fixture int) Scale {
	if p.Fixtures[fixture].Format == DrawAllowed {
		return p.Scores
	}
	return p.NoDraw
}

func voidAwards(n int) []Award {
	awards := make([]Award, n)
	for i := range awards {
		awards[i].Rule = VoidFixture
	}
	return awards
}

// An Ending is how a fixture ended, in the version of the day. Which of its fields mean
// something depends on the kind of the leg.
type Ending struct {
	Status   Status
	Score    Score     // of a match
	Winner   Outcome   // of a match that one side gave up
	Places   []Placed  // of a classification
	Stages   []Reached // of a knockout
	Accepted []Answer  // of a question: the right answers
}

// Placed is the official place of a participant, from 1; several may share one (Reading
// C4).
type Placed struct {
	Name  Name
	Place int
}

// Reached is how far a participant came.
type Reached struct {
	Name  Name
	Stage Stage
}

// Result returns how a match ended.
func (e Ending) Result() Result { return Result{e.Status, e.Score, e.Winner} }

func (e Ending) places() map[Name]int {
	if e.Status == Awaited {
		return nil
	}
	places := make(map[Name]int, len(e.Places))
	for _, p := range e.Places {
		places[p.Name] = p.Place
	}
	return places
}

func (e Ending) stages() map[Name]Stage {
	if e.Status == Awaited {
		return nil
	}
	stages := make(map[Name]Stage, len(e.Stages))
	for _, r := range e.Stages {
		stages[r.Name] = r.Stage
	}
	return stages
}

// Settled reports whether nothing more is awaited of the fixture.
func (e Ending) Settled() bool { return e.Status != Awaited }

// checkEnding returns why a fixture of p cannot end as e.
func (p Plan) checkEnding(fixture int, e Ending) error {
	if e.Status == Void || e.Status == Awaited {
		return nil
	}
	if e.Status > Void {
		return ErrResultIllegal.With("status %d", e.Status)
	}
	switch p.Kind {
	case LegScores, LegWinner:
		return e.Result().Check(p.Fixtures[fixture].Format)
	case LegQuiz:
		if len(e.Accepted) == 0 {
			return ErrResultIllegal.With("question %d has no right answer", fixture+1)
		}
		for _, a := range e.Accepted {
			if err := p.Quiz(nil)[fixture : fixture+1].CheckSlip([]Answer{a}); err != nil {
				return err
			}
		}
	case LegNames:
		return p.checkPlaces(e.Places)
	case LegKnockout:
		return p.checkStages(e.Stages)
	}
	return nil
}

// checkPlaces refuses a name out of the list or given twice, and places that no official
// classification has: the first is 1, and after n names the next place is at most n+1
// (Reading C4).
func (p Plan) checkPlaces(places []Placed) error {
	if len(places) == 0 || places[0].Place != 1 {
		return ErrResultIllegal.With("nobody is first")
	}
	names := make([]Name, len(places))
	for i, placed := range places {
		names[i] = placed.Name
		if i > 0 && placed.Place != places[i-1].Place && placed.Place != i+1 {
			return ErrResultIllegal.With("place %d after %d names", placed.Place, i)
		}
	}
	return CheckNames(names, p.List)
}

func (p Plan) checkStages(reached []Reached) error {
	names, at := make([]Name, len(reached)), map[Stage]int{}
	for i, r := range reached {
		names[i] = r.Name
		at[r.Stage]++
	}
	for s := Champion; s <= QuarterFinalist; s++ {
		if at[s] != s.Holders() {
			return ErrResultIllegal.With("%d names at stage %d, not %d", at[s], s, s.Holders())
		}
	}
	if len(reached) != len(KnockoutLines) {
		return ErrResultIllegal.With("%d names", len(reached))
	}
	return CheckNames(names, p.List)
}

// VisibleLines reports, for each line of a slip, whether viewer may see it (Reading C25).
func (p Plan) VisibleLines(viewer, owner player.ID, at time.Time) []bool {
	seen := make([]bool, p.Lines())
	for i, limit := range p.Limits() {
		seen[i] = Visible(viewer, owner, limit, at)
	}
	return seen
}
