package contestpages

import (
	"context"
	"fmt"
	"strings"

	"boulier/game/contest"
	"boulier/internal/web/locales"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// nuggetsText writes an amount of nuggets: « 13,25 pépites ».
func nuggetsText(ctx context.Context, n contest.Nuggets) string {
	whole, sign := int64(n/contest.Nugget), ""
	if n < 0 {
		whole, sign = -whole, "−"
	}
	text := sign + locales.From(ctx).Count(whole)
	if part := max(n, -n) % contest.Nugget; part != 0 {
		text += pages.DecimalMark(ctx) + fmt.Sprintf("%02d", part)
	}
	return ui.T(ctx, "nuggets.amount", "Number", text)
}

// stateTone is how a state looks.
func stateTone(s contest.State) ui.Tone {
	switch s {
	case contest.Open:
		return ui.Success
	case contest.Closed, contest.Provisional:
		return ui.Warning
	case contest.Cancelled:
		return ui.Danger
	default:
		return ui.Info
	}
}

func fixtureName(ctx context.Context, p contest.Plan, f contest.Fixture) string {
	switch p.Kind {
	case contest.LegQuiz:
		return f.Question
	case contest.LegNames, contest.LegKnockout:
		return p.Title
	}
	return ui.T(ctx, "contest.versus", "Home", f.Home, "Away", f.Away)
}

// lineName names a line of a slip.
func lineName(ctx context.Context, p contest.Plan, line int) string {
	switch p.Kind {
	case contest.LegNames:
		return ui.T(ctx, "contest.place", "Place", line+1)
	case contest.LegKnockout:
		return ui.T(ctx, "contest.stage."+stageKey(contest.KnockoutLines[line]))
	}
	return fixtureName(ctx, p, p.Fixtures[line])
}

func stageKey(s contest.Stage) string {
	return [...]string{"none", "winner", "finalist", "semi", "quarter"}[s]
}

// pickText writes what a line predicts.
func pickText(ctx context.Context, p contest.Plan, line int, pick contest.Pick) string {
	if pick == "" {
		return "—"
	}
	if p.Kind == contest.LegWinner {
		f := p.Fixtures[line]
		switch pick {
		case "1":
			return ui.T(ctx, "contest.pick.home", "Side", f.Home)
		case "2":
			return ui.T(ctx, "contest.pick.away", "Side", f.Away)
		}
		return ui.T(ctx, "contest.pick.draw")
	}
	if p.Kind == contest.LegScores {
		return strings.Replace(string(pick), "-", "–", 1)
	}
	return string(pick)
}

// endingText writes how a fixture ended.
func endingText(ctx context.Context, p contest.Plan, i int, e contest.Ending) string {
	switch e.Status {
	case contest.Awaited:
		return ui.T(ctx, "contest.awaited")
	case contest.Void:
		return ui.T(ctx, "contest.void")
	}
	switch p.Kind {
	case contest.LegNames:
		var parts []string
		for _, x := range e.Places {
			parts = append(parts, fmt.Sprintf("%d. %s", x.Place, x.Name))
		}
		return strings.Join(parts, " · ")
	case contest.LegKnockout:
		var parts []string
		for _, x := range e.Stages {
			parts = append(parts, ui.T(ctx, "contest.reached", "Stage", ui.T(ctx, "contest.stage."+stageKey(x.Stage)), "Name", string(x.Name)))
		}
		return strings.Join(parts, " · ")
	case contest.LegQuiz:
		var parts []string
		for _, a := range e.Accepted {
			parts = append(parts, string(a))
		}
		return strings.Join(parts, " / ")
	}
	score := fmt.Sprintf("%d–%d", e.Score.Home, e.Score.Away)
	if e.Status == contest.Retired {
		side := p.Fixtures[i].Home
		if e.Winner == contest.AwayWin {
			side = p.Fixtures[i].Away
		}
		return ui.T(ctx, "contest.retired", "Score", score, "Side", side)
	}
	return score
}

// ruleText is the sentence of the rule that gave the points of a line.
func ruleText(ctx context.Context, a contest.Award) string {
	return ui.T(ctx, "rule."+a.Rule.String(), "Base", int(a.Base), "Other", int(a.Other), "Points", int(a.Points))
}

// side returns one half of a score that was predicted.
func side(pick contest.Pick, i int) string {
	parts := strings.Split(string(pick), "-")
	if len(parts) != 2 {
		return ""
	}
	return parts[i]
}
