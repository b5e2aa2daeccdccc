package main

import (
	"encoding/csv"
	"io"
	"os"
	"strconv"
	"strings"

	"boulier/game/contest"
	"boulier/internal/contestfile"
)

// contestCmd scores and ranks prediction contests from files, without a server.
type contestCmd struct {
	Score contestScoreCmd `cmd:"" help:"Score predictions against results."`
	Rank  contestRankCmd  `cmd:"" help:"Rank players by points, and share a pot of nuggets."`
}

// contestScoreCmd scores the predictions of a leg. It scores what is given: slips with
// lines missing are refused when they are validated, not here.
type contestScoreCmd struct {
	Kind        string `required:"" enum:"scores,names,winner,knockout,quiz" help:"Kind of leg: ${enum}."`
	Results     string `required:"" placeholder:"FILE" help:"CSV file of results."`
	Predictions string `required:"" placeholder:"FILE" help:"CSV file of predictions."`
	Scale       string `placeholder:"10,8,6,4,2,1" help:"Names: points of the places."`

	NoDraw         bool  `help:"Scores: a sport without draws, scored 2, 1, 0, 0."`
	Outcome        *int  `placeholder:"3" help:"Scores: points of the right winner or draw."`
	Exact          *int  `placeholder:"2" help:"Scores: added for the exact score."`
	Difference     *int  `placeholder:"1" help:"Scores: else added for the right goal difference."`
	Consolation    *int  `placeholder:"1" help:"Scores: one side's goals right, outcome wrong."`
	DrawDifference *bool `placeholder:"true" help:"Scores: another draw has the gap too."`
}

// Run scores and writes player,fixture,points for scores, player,points otherwise.
func (c contestScoreCmd) Run(s streams) error {
	if err := c.check(); err != nil {
		return err
	}
	results, err := os.Open(c.Results)
	if err != nil {
		return err
	}
	defer results.Close()
	predictions, err := os.Open(c.Predictions)
	if err != nil {
		return err
	}
	defer predictions.Close()
	var records [][]string
	switch c.Kind {
	case "scores":
		records, err = c.scores(results, predictions)
	case "names":
		records, err = c.names(results, predictions)
	case "winner":
		records, err = c.winner(results, predictions)
	case "knockout":
		records, err = c.knockout(results, predictions)
	case "quiz":
		records, err = c.quiz(results, predictions)
	}
	if err != nil {
		return err
	}
	return csv.NewWriter(s.out).WriteAll(records)
}

// check refuses options that the kind of leg does not know.
func (c contestScoreCmd) check() error {
	if c.Scale != "" && c.Kind != "names" {
		return misused("--scale is only for --kind names")
	}
	if c.Kind != "scores" && (c.NoDraw || c.Outcome != nil || c.Exact != nil ||
		c.Difference != nil || c.Consolation != nil || c.DrawDifference != nil) {
		return misused("--no-draw, --outcome, --exact, --difference, --consolation and " +
			"--draw-difference are only for --kind scores")
	}
	return nil
}

// scale returns the scale of a leg of scores, with its format.
func (c contestScoreCmd) scale() (contest.Scale, contest.Format, error) {
	scale, format := contest.WithDraws, contest.DrawAllowed
	if c.NoDraw {
		scale, format = contest.WithoutDraws, contest.DrawBarred
	}
	for _, option := range []struct {
		given *int
		to    *contest.Points
	}{
		{c.Outcome, &scale.Outcome},
		{c.Exact, &scale.Exact},
		{c.Difference, &scale.Difference},
		{c.Consolation, &scale.Consolation},
	} {
		if option.given != nil {
			*option.to = contest.Points(*option.given)
		}
	}
	if c.DrawDifference != nil {
		scale.DrawDifference = *c.DrawDifference
	}
	return scale, format, scale.Check()
}

func (c contestScoreCmd) scores(results, predictions io.Reader) ([][]string, error) {
	scale, format, err := c.scale()
	if err != nil {
		return nil, err
	}
	played, err := contestfile.Scores(c.Results, results, format)
	if err != nil {
		return nil, err
	}
	lines, err := contestfile.PredictedScores(c.Predictions, predictions, played)
	if err != nil {
		return nil, err
	}
	records := [][]string{{"player", "fixture", "points"}}
	for _, l := range lines {
		award := scale.Award(l.Score, contest.Full(played[l.Fixture]))
		records = append(records, []string{
			l.Player, string(l.Fixture), strconv.Itoa(int(award.Points)),
		})
	}
	return records, nil
}

func (c contestScoreCmd) names(results, predictions io.Reader) ([][]string, error) {
	scale := contest.SixPlaces
	if c.Scale != "" {
		scale = nil
		for value := range strings.SplitSeq(c.Scale, ",") {
			points, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil {
				return nil, misused("--scale: %q is not a whole number of points", value)
			}
			scale = append(scale, contest.Points(points))
		}
	}
	if err := scale.Check(); err != nil {
		return nil, misused("--scale: %w", err)
	}
	places, err := contestfile.Places(c.Results, results)
	if err != nil {
		return nil, err
	}
	slips, err := contestfile.PredictedNames(c.Predictions, predictions, len(scale))
	return totals(slips, err, func(slip []contest.Name) []contest.Award {
		return scale.Awards(slip, places)
	})
}

func (c contestScoreCmd) winner(results, predictions io.Reader) ([][]string, error) {
	played, err := contestfile.Outcomes(c.Results, results)
	if err != nil {
		return nil, err
	}
	slips, err := contestfile.PredictedOutcomes(c.Predictions, predictions, played)
	return totals(slips, err, func(slip []contestfile.OutcomeLine) (awards []contest.Award) {
		for _, p := range slip {
			awards = append(awards, contest.AwardWinner(
				p.Outcome, contest.Played, played[p.Fixture], contest.RightWinnerPoints))
		}
		return awards
	})
}

func (c contestScoreCmd) knockout(results, predictions io.Reader) ([][]string, error) {
	reached, err := contestfile.Stages(c.Results, results)
	if err != nil {
		return nil, err
	}
	slips, err := contestfile.PredictedStages(c.Predictions, predictions)
	return totals(slips, err, func(slip [8]contest.Name) []contest.Award {
		return contest.LastEight.Awards(slip, reached)
	})
}

func (c contestScoreCmd) quiz(results, predictions io.Reader) ([][]string, error) {
	quiz, err := contestfile.Quiz(c.Results, results)
	if err != nil {
		return nil, err
	}
	slips, err := contestfile.Answers(c.Predictions, predictions, quiz)
	return totals(slips, err, quiz.Awards)
}

// totals returns the points of each slip as records, unless reading the slips failed.
func totals[P any](slips []contestfile.Slip[P], err error, score func(P) []contest.Award) (
	[][]string, error,
) {
	if err != nil {
		return nil, err
	}
	records := [][]string{{"player", "points"}}
	for _, slip := range slips {
		points := contest.Total(score(slip.Predictions))
		records = append(records, []string{slip.Player, strconv.Itoa(int(points))})
	}
	return records, nil
}

// contestRankCmd ranks players and shares a pot: of a leg, given, or of a contest of so
// many legs.
type contestRankCmd struct {
	Points string `required:"" placeholder:"FILE" help:"CSV file with the columns player,points."`
	Pot    string `xor:"pot" placeholder:"NUGGETS" help:"Share this pot."`
	Legs   *int   `xor:"pot" placeholder:"N" help:"Share the pot of a contest of N legs."`
}

// Run writes rank,player,points,share, and what of the pot is not paid out on a last line.
func (c contestRankCmd) Run(s streams) error {
	pot, err := c.pot()
	if err != nil {
		return err
	}
	f, err := os.Open(c.Points)
	if err != nil {
		return err
	}
	defer f.Close()
	players, standings, err := contestfile.Points(c.Points, f)
	if err != nil {
		return err
	}
	ranking := contest.Rank(standings)
	shares, remainder := contest.TenRanks.Split(pot, ranking)
	shared := c.Pot != "" || c.Legs != nil
	records := [][]string{{"rank", "player", "points", "share"}}
	for i, r := range ranking {
		record := []string{
			strconv.Itoa(r.Rank), players[r.Player-1], strconv.Itoa(int(r.Points)), "",
		}
		if shared {
			record[3] = shares[i].String()
		}
		records = append(records, record)
	}
	if shared {
		records = append(records, []string{"", "remainder", "", remainder.String()})
	}
	return csv.NewWriter(s.out).WriteAll(records)
}

// pot returns the pot to share, 0 if none was asked for.
func (c contestRankCmd) pot() (contest.Nuggets, error) {
	switch {
	case c.Legs != nil && *c.Legs < 0:
		return 0, misused("--legs %d: a contest has no fewer than 0 legs", *c.Legs)
	case c.Legs != nil:
		return contest.Pots.Contest(min(*c.Legs, 1_000_000)), nil
	case c.Pot != "":
		pot, err := contest.ParseNuggets(c.Pot)
		if err != nil {
			return 0, misused("--pot %s: %w", c.Pot, err)
		}
		return pot, nil
	}
	return 0, nil
}
