package ninety

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// A Series names cards that were made together (« série », loto:10): 1 to 8 capitals and
// digits, the first a capital. No two cards of a series have the same number.
type Series string

// Valid reports whether s may name a series.
func (s Series) Valid() bool {
	for i, r := range s {
		if (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return 1 <= len(s) && len(s) <= 8
}

// maxNumber bounds the numbers of a series, so that each can be read out.
const maxNumber = 99_999_999

// A Serial says which card a card is: its series, and its number in it from 1. Numbers
// run through the series: sheet 2 of six holds the cards 7 to 12.
type Serial struct {
	Series Series
	Number int
}

// String returns the serial as it is printed and read out, such as « A-1234 ».
func (s Serial) String() string { return fmt.Sprintf("%s-%d", s.Series, s.Number) }

// MarshalText writes what String writes, for whoever keeps a serial.
func (s Serial) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a serial as people type it: any case, leading zeros, and a dash or
// spaces or nothing between the series and the number. « A12 » is card 12 of series A;
// a series that ends in a digit needs its dash.
func (s *Serial) UnmarshalText(text []byte) error {
	typed := strings.ToUpper(strings.TrimSpace(string(text)))
	cut := strings.LastIndexAny(typed, "- ")
	if cut < 0 {
		cut = len(strings.TrimRight(typed, "0123456789")) - 1
	}
	series := Series(strings.TrimRight(typed[:cut+1], "- "))
	number, err := strconv.ParseUint(typed[cut+1:], 10, 32)
	if err != nil || number == 0 || number > maxNumber || !series.Valid() {
		return fmt.Errorf("%q is not a serial such as A-1234", text)
	}
	*s = Serial{series, int(number)}
	return nil
}

// Compare orders serials: by series as text, then by number as numbers.
func (s Serial) Compare(t Serial) int {
	return cmp.Or(cmp.Compare(s.Series, t.Series), cmp.Compare(s.Number, t.Number))
}

// Sheet returns the number of the sheet of six that the card belongs to, from 1, and its
// place on the sheet, 0 to 5.
func (s Serial) Sheet() (sheet, place int) {
	return (s.Number-1)/perSheet + 1, (s.Number - 1) % perSheet
}

// codeAlphabet has no I, L, O or U, so that a code can be read out (Crockford base 32).
const codeAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// Code returns the security code of card c, « XXXX-XXXX »: 40 bits of an HMAC-SHA-256
// that only who holds the operator's key can make. The code binds the serial, the card's
// value in whatever unit the caller counts (0 if the value is not fixed), and every number in
// its line: docs/randomness.md says how to make it again.
func (s Serial) Code(key []byte, value int64, c Card) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "boulier/card/v1\n%s\n%d\n%d\n", s.Series, s.Number, value)
	for _, line := range c.Lines {
		for b := range line.All() {
			mac.Write([]byte{byte(b)})
		}
	}
	bits := binary.BigEndian.Uint64(mac.Sum(nil))
	code := make([]byte, 0, 9)
	for i := range 8 {
		if i == 4 {
			code = append(code, '-')
		}
		code = append(code, codeAlphabet[bits>>(59-5*i)&31])
	}
	return string(code)
}
