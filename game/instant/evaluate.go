package instant

import "fmt"

// Evaluate says what a face wins, reading only what a player sees and the rules of the
// game: an amount shown exactly three times is won. It returns an error for a face that
// no unit may show: an amount that is not in the table, one shown four times or more, or
// two shown three times.
//
// It checks the maker, and so shares no function with it; a test holds that.
func Evaluate(t Table, face Face) (Outcome, error) {
	var outcome Outcome
	known := 0 // zones whose amount is in the table
	for i, prize := range t {
		times := 0
		for _, amount := range face {
			if amount == prize.Amount {
				times++
			}
		}
		known += times
		switch {
		case times > 3:
			return 0, fmt.Errorf("instant: a face shows %s EUR %d times", prize.Amount, times)
		case times == 3 && outcome != 0:
			return 0, fmt.Errorf("instant: a face shows both %s and %s EUR three times",
				t[outcome-1].Amount, prize.Amount)
		case times == 3:
			outcome = Outcome(i + 1)
		}
	}
	if known != len(face) {
		return 0, fmt.Errorf("instant: a face shows %d amounts that are not in the table",
			len(face)-known)
	}
	return outcome, nil
}
