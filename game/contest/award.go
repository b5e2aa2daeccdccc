package contest

import "boulier/regs"

// Points count what predictions earn; whole, never negative.
type Points int

// A Rule is the sentence of the regulation that gave a line of a slip its points, or
// none. Its text form is a stable code by which the words for players are keyed.
type Rule uint8

// The rules, in the order of the regulation. The zero Rule is NotPlayedYet.
const (
	NotPlayedYet   Rule = iota // no result so far
	EmptyLine                  // nothing was predicted before the limit
	VoidFixture                // the fixture left the leg (Reading C10)
	PlaceHeld                  // the lesser of the values of two places
	PlaceUnscored              // the name took no scored place (Reading C2)
	ExactScore                 // right outcome and the score
	RightGap                   // right outcome and the goal difference
	RightOutcome               // right outcome alone
	OneCount                   // wrong outcome, the goals of one side right (Reading C7)
	WrongOutcome               // nothing right
	RightRetired               // right winner, the loser gave up (Reading C8)
	RightWinner                // « Vainqueur du match »
	WrongWinner                // likewise, wrong
	StageHeld                  // the lesser of the values of two stages
	StageUnscored              // the name is not among the last eight
	RightAnswer                // the answer to a main question
	RightSubAnswer             // the answer to a sub-question, its question being right
	SubAnswerLost              // a right sub-answer under a wrong answer (Reading C12)
	WrongAnswer                // neither
)

// rules gives each Rule its code and its clause.
var rules = [...]struct {
	code string
	ref  regs.Ref
}{
	NotPlayedYet:   {"not_played_yet", "contest:7"},
	EmptyLine:      {"empty_line", "contest:4.slip"},
	VoidFixture:    {"void_fixture", "contest:13"},
	PlaceHeld:      {"place_held", "contest:6.names"},
	PlaceUnscored:  {"place_unscored", "contest:6.names"},
	ExactScore:     {"exact_score", "contest:6.scores"},
	RightGap:       {"right_gap", "contest:6.scores"},
	RightOutcome:   {"right_outcome", "contest:6.scores"},
	OneCount:       {"one_count", "contest:6.scores"},
	WrongOutcome:   {"wrong_outcome", "contest:6.scores"},
	RightRetired:   {"right_retired", "contest:6.scores"},
	RightWinner:    {"right_winner", "contest:6.winner"},
	WrongWinner:    {"wrong_winner", "contest:6.winner"},
	StageHeld:      {"stage_held", "contest:6.knockout"},
	StageUnscored:  {"stage_unscored", "contest:6.knockout"},
	RightAnswer:    {"right_answer", "contest:6.quiz"},
	RightSubAnswer: {"right_sub_answer", "contest:6.quiz"},
	SubAnswerLost:  {"sub_answer_lost", "contest:6.quiz"},
	WrongAnswer:    {"wrong_answer", "contest:6.quiz"},
}

// String returns the stable code of r, such as "exact_score".
func (r Rule) String() string { return rules[r].code }

// Ref returns the clause that r belongs to.
func (r Rule) Ref() regs.Ref { return rules[r].ref }

// An Award is what one line of a slip earned and why: Points by Rule. Base and Other are
// the two figures that the sentence works on, so that a page can write it out:
// for scores the points of the outcome and what the score adds (3 + 2), for names and
// stages the value of the place predicted and of the place taken (the lesser of 10 and 4).
// Other rules leave both 0.
type Award struct {
	Rule        Rule
	Points      Points
	Base, Other Points
}

// Total adds the points of the lines of a slip. No minimum is guaranteed: a slip with
// nothing right is worth 0 (contest:5).
func Total(awards []Award) (sum Points) {
	for _, a := range awards {
		sum += a.Points
	}
	return sum
}

// lesser returns the award of a name predicted at a place worth base that took one worth
// other (contest:6.names, contest:6.knockout).
func lesser(rule Rule, base, other Points) Award {
	return Award{rule, min(base, other), base, other}
}
