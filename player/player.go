// Package player names the people who play and those who work, and holds the rule of age.
package player

import (
	"strconv"
	"time"
)

// ID identifies a registered person; dense from 1. Journals hold nothing else of a person.
type ID int64

func (id ID) String() string { return strconv.FormatInt(int64(id), 10) }

// AdultAge is the age in years from which a person may play for money.
const AdultAge = 18

// Adult reports whether a person born on the given day is of age on the day that now
// falls on in loc. Whoever is born on 29 February comes of age on 1 March of a common
// year. The birth day is a date: its year, month and day count, not its zone.
func Adult(born, now time.Time, loc *time.Location) bool {
	y, m, d := now.In(loc).Date()
	by, bm, bd := born.Date()
	comes := time.Date(by+AdultAge, bm, bd, 0, 0, 0, 0, time.UTC)
	return !time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Before(comes)
}
