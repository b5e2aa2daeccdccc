// Package money holds amounts of euros as whole cents. It is pure: formatting for
// people belongs to the web layer.
package money

import (
	"errors"
	"fmt"
	"math"
)

// Cents is an amount of euros in cents; negative for what is owed.
type Cents int64

// ErrOverflow is returned by a sum or product that does not fit 64 bits.
var ErrOverflow = errors.New("money: amount out of range")

// ErrSyntax is returned by Parse for anything but an amount in euros.
var ErrSyntax = errors.New("money: not an amount in euros with at most two decimals")

// Add returns c + d, or ErrOverflow.
func (c Cents) Add(d Cents) (Cents, error) {
	sum := c + d
	if (sum > c) != (d > 0) && d != 0 {
		return 0, ErrOverflow
	}
	return sum, nil
}

// Times returns n × c, or ErrOverflow.
func (c Cents) Times(n int64) (Cents, error) {
	if c == 0 || n == 0 {
		return 0, nil
	}
	p := c * Cents(n)
	if p/Cents(n) != c || (c == math.MinInt64 && n == -1) || (n == math.MinInt64 && c == -1) {
		return 0, ErrOverflow
	}
	return p, nil
}

// String gives the amount in euros with a decimal point, as files and logs hold it.
func (c Cents) String() string {
	sign, u := "", uint64(c)
	if c < 0 {
		sign, u = "-", -u
	}
	return fmt.Sprintf("%s%d.%02d", sign, u/100, u%100)
}

// Parse reads an amount in euros as people write it: digits, perhaps a decimal point or
// comma with one or two decimals, perhaps spaces (also narrow or no-break ones) between
// groups of three digits, perhaps a sign in front. It returns ErrSyntax or ErrOverflow.
func Parse(s string) (Cents, error) {
	negative := len(s) > 0 && s[0] == '-'
	if negative {
		s = s[1:]
	}
	var whole, cents []rune
	seenMark := false
	run := 0 // digits since the last group separator
	grouped := false
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9' && seenMark:
			cents = append(cents, r)
		case r >= '0' && r <= '9':
			whole = append(whole, r)
			run++
		case (r == '.' || r == ',') && !seenMark:
			seenMark = true
			if grouped && run != 3 {
				return 0, ErrSyntax
			}
		case (r == ' ' || r == '\u00a0' || r == '\u202f') && !seenMark:
			if run == 0 || run > 3 || (grouped && run != 3) {
				return 0, ErrSyntax
			}
			grouped, run = true, 0
		default:
			return 0, ErrSyntax
		}
	}
	if len(whole) == 0 || (seenMark && (len(cents) == 0 || len(cents) > 2)) ||
		(grouped && !seenMark && run != 3) {
		return 0, ErrSyntax
	}
	for len(cents) < 2 {
		cents = append(cents, '0')
	}
	var total Cents
	for _, r := range append(whole, cents...) {
		if total > (math.MaxInt64-9)/10 {
			return 0, ErrOverflow
		}
		total = total*10 + Cents(r-'0')
	}
	if negative {
		total = -total
	}
	return total, nil
}
