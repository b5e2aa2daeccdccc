package site

import (
	"context"
	"strings"
	"time"

	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/money"
)

// A RulePart is one rule as the rules page states it, in the messages rules.KEY and
// rules.KEY.text: the clauses it states, and the readings that were chosen.
type RulePart struct {
	Key      string
	Clauses  string
	Readings string // numbers of docs/interpretations.md, or empty
}

// RuleParts are the parts of the rules page, in order.
var RuleParts = []RulePart{
	{"words_board", "instant:4.1, instant:4.2", "I3, I9"},
	{"words_face", "instant:4.2, instant:4.3, instant:4.4.manual, instant:4.4.auto", "I4, I7, I11"},
	{"words_win", "instant:4.5", "I4"},
	{"words_bonus", "instant:4.6", "I5, I11"},
	{"words_block", "instant:2, instant:3", "I1, I2"},
	{"words_text", "instant:1, instant:6", "I12"},
	{"unit", "instant:2, instant:4.4.stake", "I7"},
	{"win", "instant:4.5", "I4"},
	{"table", "instant:3", "I1"},
	{"lot", "instant:3, instant:4.2", "I2, I3"},
	{"blocks", "instant:2, instant:3", "I8"},
	{"secret", "instant:3", "I8"},
	{"scratch", "instant:4.3, instant:4.4.manual, instant:4.4.auto", "I7, I11"},
	{"balance", "instant:4.4.stake", "I6"},
	{"interrupted", "instant:4.4.interrupted", "I6, I10"},
	{"close", "instant:2", "I8"},
	{"adults", "std:5, std:13, std:14, std:57", ""},
	{"accept", "instant:5, std:6, std:47", ""},
}

// refs writes the references of a rule for readers.
func (r RulePart) refs(ctx context.Context) string {
	if r.Readings == "" {
		return ui.T(ctx, "rules.refs.clauses", "Clauses", r.Clauses)
	}
	return ui.T(ctx, "rules.refs", "Clauses", r.Clauses, "Readings", r.Readings)
}

// RulesTexts is the text of the rules in all languages, with the readings chosen: its
// digest makes a version.
func RulesTexts() []byte {
	var b strings.Builder
	for _, lang := range locales.Languages {
		words := locales.For(lang, time.UTC)
		for _, part := range RuleParts {
			for _, text := range []string{words.T("rules." + part.Key), words.T("rules." + part.Key + ".text"),
				part.Clauses, part.Readings} {
				b.WriteString(text + "\n")
			}
		}
	}
	return []byte(b.String())
}

// topPrize is the largest prize of a game.
func topPrize(o offer) money.Cents {
	var top money.Cents
	for _, p := range o.File.Game.Table {
		top = max(top, p.Amount)
	}
	return top
}
