package pages

import (
	"context"
	"slices"
	"strings"
	"time"

	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
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

// BingoRuleParts are the rules of the interconnected bingo (article 93); versions of the rules
// hold them, and whoever opens an account at a desk accepts them.
var BingoRuleParts = []RulePart{
	{"bingo_account", "bingo:93.2, bingo:93.3", "B16"},
	{"bingo_sale", "bingo:93.1, bingo:93.5, bingo:93.8", "B1, B3, B4, B5"},
	{"bingo_order", "bingo:93.4, bingo:93.6", "B1, B2, B14"},
	{"bingo_start", "bingo:93.9", "B8"},
	{"bingo_draw", "bingo:93.10", "B9, B13"},
	{"bingo_patterns", "bingo:93.11", "B8, B15"},
	{"bingo_share", "bingo:93.12, bingo:93.13", "B6, B7, B15"},
	{"bingo_fault", "bingo:93.10, bingo:93.12", "B10, B11"},
	{"bingo_cash", "bingo:93.7, bingo:93.14", ""},
	{"bingo_last", "bingo:93.15", "B12"},
}

// ContestRuleParts are the rules of the prediction contests, with the netiquette
// (contest:18): versions of the rules hold them too.
var ContestRuleParts = []RulePart{
	{"contest_who", "contest:3.age, contest:3.one, contest:3.multiple", "C21"},
	{"contest_register", "contest:4.register, contest:4.conduct, contest:4.identity", "C14"},
	{"contest_netiquette", "contest:4.register, contest:4.conduct", ""},
	{"contest_slip", "contest:4.slip, contest:5", "C5, C17, C25"},
	{"contest_points", "contest:6.names, contest:6.scores, contest:6.winner, contest:6.knockout, contest:6.quiz", "C2, C3, C4, C6, C7, C8, C9, C12"},
	{"contest_rank", "contest:7, contest:10", "C10, C13"},
	{"contest_pots", "contest:8.leg, contest:8.contest, contest:9", "C14, C15, C16, C26"},
	{"contest_gifts", "contest:11, contest:12, contest:16", "C18, C19, C20, C22"},
	{"contest_changes", "contest:13, contest:13.notice", "C10, C11"},
	{"contest_costs", "contest:14", "C24"},
	{"contest_data", "contest:15", "C23"},
	{"contest_disputes", "contest:17", "C11, C19"},
	{"contest_text", "contest:18", "C1"},
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
		for _, part := range slices.Concat(RuleParts, BingoRuleParts, ContestRuleParts) {
			for _, text := range []string{words.T("rules." + part.Key), words.T("rules." + part.Key + ".text"),
				part.Clauses, part.Readings} {
				b.WriteString(text + "\n")
			}
		}
	}
	return []byte(b.String())
}

// ContestRulesText is the rules of the contests as a text to send (contest:18).
func ContestRulesText(words *locales.Words) string {
	var b strings.Builder
	b.WriteString(words.T("rules.contest.title") + "\n\n")
	for _, part := range ContestRuleParts {
		b.WriteString(words.T("rules."+part.Key) + "\n" + words.T("rules."+part.Key+".text") + "\n[" + part.Clauses + "]\n\n")
	}
	return b.String()
}
