package cardfile

import (
	"fmt"

	"boulier/game/ninety"
)

// Profiles are the national variants by the names that people give them: 1 to 3 numbers
// in a column, ascending; 1 or 2; or columns as they come.
var Profiles = map[string]ninety.Profile{
	"fr":        {Min: 1, Max: 3},
	"no-triple": {Min: 1, Max: 2},
	"free":      {Min: 0, Max: 3, AnyOrder: true},
}

// A Verdict is a card that is refused, with every reason.
type Verdict struct {
	Card   *Card
	Faults []ninety.Fault
}

// A Report says what Check found in a set.
type Report struct {
	Cards      int
	Refused    []Verdict // in the order of the file
	Sheets     int       // groups of cards that were compared with 1 to 90
	Broken     []Broken  // the sheets that do not partition
	EqualRows  int       // rows that stand on an earlier card too
	FirstEqual string    // where the first of them are
}

// A Broken is a sheet that is refused.
type Broken struct {
	Line int    // where its first card starts in the file
	Text string // its cards and the reason
}

// OK reports whether no card and no sheet is refused. Equal rows are no fault: there are
// few enough rows that every large set has some.
func (r *Report) OK() bool { return len(r.Refused) == 0 && len(r.Broken) == 0 }

// Check judges every card of the set by the profile, then the set: no two cards with the
// same numbers or the same code, and sheets that hold each number once.
func (s *Set) Check(p ninety.Profile) *Report {
	rep := &Report{Cards: len(s.Cards)}
	again := s.repeats()
	for i := range s.Cards {
		c := &s.Cards[i]
		var faults []ninety.Fault
		if s.Lined {
			faults = p.Check(c.Grid)
		} else {
			faults = p.CheckNumbers(c.Numbers)
		}
		if faults = append(faults, again[i]...); faults != nil {
			rep.Refused = append(rep.Refused, Verdict{c, faults})
		}
	}
	if s.Lined {
		s.equalRows(rep)
	}
	s.sheets(rep)
	return rep
}

// repeats returns, by card, the faults of the cards that repeat an earlier one.
func (s *Set) repeats() map[int][]ninety.Fault {
	faults := map[int][]ninety.Fault{}
	numbers := make([]ninety.BallSet, 0, len(s.Cards)) // of complete cards
	complete := make([]int, 0, len(s.Cards))
	codes := make(map[string]int, len(s.Cards))
	for i := range s.Cards {
		c := &s.Cards[i]
		if n := c.numbers(); n.Len() == int(shapeNoRow) {
			numbers, complete = append(numbers, n), append(complete, i)
		}
		if first, ok := codes[c.Code]; ok {
			faults[i] = append(faults[i], ninety.Fault{Code: "equal_code",
				Detail: fmt.Sprintf("the card of line %d has the same code", s.Cards[first].Line)})
			continue
		}
		codes[c.Code] = i
	}
	for _, pair := range ninety.Repeats(numbers) {
		first, again := complete[pair[0]], complete[pair[1]]
		faults[again] = append(faults[again], ninety.Fault{Code: "equal_card",
			Detail: fmt.Sprintf("the same numbers as card %s", s.Cards[first].Code)})
	}
	return faults
}

// equalRows counts the rows that stand on an earlier card too.
func (s *Set) equalRows(rep *Report) {
	rows := make([]ninety.BallSet, 0, 3*len(s.Cards))
	at := make([]int, 0, 3*len(s.Cards)) // row 3·i + r of the set stands here in rows
	for i := range s.Cards {
		for r := range s.Cards[i].Grid {
			if row := s.Cards[i].row(r); row.Len() == 5 {
				rows, at = append(rows, row), append(at, 3*i+r)
			}
		}
	}
	pairs := ninety.Repeats(rows)
	rep.EqualRows = len(pairs)
	if len(pairs) > 0 {
		a, b := at[pairs[0][0]], at[pairs[0][1]]
		rep.FirstEqual = fmt.Sprintf("row %d of card %s and row %d of card %s",
			a%3+1, s.Cards[a/3].Code, b%3+1, s.Cards[b/3].Code)
	}
}

// sheets compares sheets with 1 to 90. Where the file names no sheet, six cards in a row
// are tried; if none of them partitions, the cards were not made in sheets.
func (s *Set) sheets(rep *Report) {
	named := s.Cards[0].Sheet != 0
	if !named && len(s.Cards)%6 != 0 {
		return
	}
	whole := 0
	for from, to := 0, 0; from < len(s.Cards); from = to {
		to = from + 6
		if named {
			for to = from + 1; to < len(s.Cards) && s.Cards[to].Sheet == s.Cards[from].Sheet; {
				to++
			}
		}
		rep.Sheets++
		if err := partition(s.Cards[from:to]); err != nil {
			name := fmt.Sprintf("cards %s to %s", s.Cards[from].Code, s.Cards[to-1].Code)
			rep.Broken = append(rep.Broken, Broken{s.Cards[from].Line, fmt.Sprintf("%s: %v", name, err)})
			continue
		}
		whole++
	}
	if !named && whole == 0 {
		rep.Sheets, rep.Broken = 0, nil
	}
}

// partition returns an error unless six cards hold 1 to 90 once, or three hold 45
// different numbers.
func partition(cards []Card) error {
	if len(cards) != 6 && len(cards) != 3 {
		return fmt.Errorf("%d cards on a sheet instead of 6 or 3", len(cards))
	}
	var seen ninety.BallSet
	for i := range cards {
		numbers := cards[i].numbers()
		if twice := numbers.Minus(numbers.Minus(seen)); twice.Len() != 0 {
			for b := range twice.All() {
				return fmt.Errorf("%d stands on two cards of the sheet", b)
			}
		}
		seen = seen.Union(numbers)
	}
	if missing := 15*len(cards) - seen.Len(); missing != 0 {
		return fmt.Errorf("the sheet has %d numbers instead of %d", seen.Len(), 15*len(cards))
	}
	return nil
}
