package words

import "boulier/money"

// An Outcome is what a unit of the word game wins: with the word of how many letters, times
// which factor. The zero Outcome loses.
type Outcome struct{ Letters, Factor int }

// A win is an outcome and its prize.
type win struct {
	Outcome
	prize money.Cents
}

// wins lists what can be won: the amounts of instant:4.5 times the factors that
// instant:4.6 allows to each word. No two have one amount, so that an amount names its
// outcome.
var wins = []win{
	{Outcome{3, 1}, 200}, {Outcome{3, 2}, 2 * 200}, {Outcome{3, 3}, 3 * 200},
	{Outcome{4, 1}, 1200}, {Outcome{4, 2}, 2 * 1200}, {Outcome{4, 3}, 3 * 1200},
	{Outcome{5, 1}, 150_00}, {Outcome{5, 2}, 2 * 150_00},
	{Outcome{6, 1}, 1500_00},
	{Outcome{7, 1}, 15_000_00},
}

// Outcomes returns every outcome that wins, the smallest prize first.
func Outcomes() []Outcome {
	list := make([]Outcome, len(wins))
	for i, w := range wins {
		list[i] = w.Outcome
	}
	return list
}

// OutcomeOf returns the outcome that wins the amount, or false if none does.
func OutcomeOf(prize money.Cents) (Outcome, bool) {
	for _, w := range wins {
		if w.prize == prize {
			return w.Outcome, true
		}
	}
	return Outcome{}, false
}

// Amount returns what the outcome wins, 0 if it loses or is none that can be.
func (o Outcome) Amount() money.Cents {
	for _, w := range wins {
		if w.Outcome == o {
			return w.prize
		}
	}
	return 0
}
