package ninety

import (
	"regexp"
	"strings"
	"testing"
)

// typedSerial says a second time what people may type: see Serial.UnmarshalText.
var typedSerial = regexp.MustCompile(`^([A-Z][A-Z0-9]{0,7}[- ]+|[A-Z]|[A-Z][A-Z0-9]{0,6}[A-Z])0*[1-9][0-9]{0,7}$`)

// FuzzSerial holds that a serial is read exactly where people may type one, that it is read
// again from what is printed, and that a refusal leaves what was there before.
func FuzzSerial(f *testing.F) {
	for _, text := range []string{"A-1234", " a-0012 ", "a 12", "A12", "FETE - 7", "A2026-99999999", "A2026-0099999999",
		"", "-", "12", "A-", "A-0", "A-100000000", "A--1", "9A-1", "ABCDEFGHI-1", "A-1x", "A-+1", "A-1_0", "É-1", "A\t1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before := Serial{"BEFORE", 7}
		s := before
		err := s.UnmarshalText([]byte(text))
		if want := typedSerial.MatchString(strings.ToUpper(strings.TrimSpace(text))); (err == nil) != want {
			t.Fatalf("%q is read as %v, %v", text, s, err)
		}
		if err != nil {
			if s != before {
				t.Errorf("%q is refused and leaves %v", text, s)
			}
			return
		}
		again := before
		if err := again.UnmarshalText([]byte(s.String())); err != nil || again != s {
			t.Errorf("%q is %v, printed %s, read again %v, %v", text, s, s, again, err)
		}
	})
}
