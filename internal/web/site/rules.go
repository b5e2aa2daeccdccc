package site

import (
	"strings"
	"time"

	"boulier/internal/web/locales"
	"boulier/money"
)

// RulesParts are the parts of the rules page, in order; the words are the messages
// rules.PART and rules.PART.text.
var RulesParts = []string{"unit", "win", "blocks", "lot", "balance", "interrupted", "close", "adults", "accept"}

// RulesTexts is the text of the rules in all languages: its digest makes a version.
func RulesTexts() []byte {
	var b strings.Builder
	for _, lang := range locales.Languages {
		words := locales.For(lang, time.UTC)
		for _, part := range RulesParts {
			b.WriteString(words.T("rules."+part) + "\n" + words.T("rules."+part+".text") + "\n")
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
