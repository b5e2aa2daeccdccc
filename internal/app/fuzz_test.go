package app

import (
	"errors"
	"fmt"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"boulier/game/ninety"
)

// FuzzParseUnitRef holds that a reference is read where String writes it and nowhere else:
// anything else is ErrNotFound and no unit.
func FuzzParseUnitRef(f *testing.F) {
	f.Add("3-14", int64(3), int64(14))
	f.Add("-1--2", int64(0), int64(-1))
	f.Add("3-14\n", int64(1), int64(1_500_000))
	f.Add("03-14", int64(1<<63-1), int64(-1<<63))
	f.Add("3-14 ", int64(7), int64(0))
	f.Add("3 - 14", int64(7), int64(7))
	f.Add("9223372036854775808-1", int64(7), int64(7))
	f.Fuzz(func(t *testing.T, text string, block, number int64) {
		u, err := ParseUnitRef(text)
		if err != nil && (!errors.Is(err, ErrNotFound) || u != UnitRef{}) {
			t.Errorf("%q is refused with %v, and %v", text, err, u)
		}
		if err == nil && u.String() != text {
			t.Errorf("%q is read as %v", text, u)
		}
		want := UnitRef{BlockID(block), number}
		if got, err := ParseUnitRef(want.String()); err != nil || got != want {
			t.Errorf("%v is read as %v, %v", want, got, err)
		}
	})
}

// requestForm is how a UUIDv7 is written, in any case.
var requestForm = regexp.MustCompile(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// FuzzParseRequestID holds that an identifier is read exactly where a UUIDv7 is written, as
// what is written; anything else is ErrRequestID.
func FuzzParseRequestID(f *testing.F) {
	whole := "0193814e-5c00-7abc-8def-0123456789ab"
	for _, text := range []string{whole, strings.ToUpper(whole), "urn:uuid:" + whole, "{" + whole + "}", whole[:35], whole + "0",
		"0193814e-5c00-4abc-8def-0123456789ab", "0193814e5c00-7abc-8def--0123456789ab", "0193814e5c007abc8def0123456789ab", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := ParseRequestID(text)
		switch {
		case (err == nil) != requestForm.MatchString(text):
			t.Errorf("%q is read as %s, %v", text, id, err)
		case err == nil && !strings.EqualFold(id.String(), text):
			t.Errorf("%q is read as %s", text, id)
		case err != nil && (!errors.Is(err, ErrRequestID) || id != RequestID{}):
			t.Errorf("%q is refused with %v, and %s", text, err, id)
		}
	})
}

// FuzzReadSerial holds that nothing that was typed is lost or made up; that what is a serial
// by itself has no code; and that a serial, however it is typed, is told from its code.
func FuzzReadSerial(f *testing.F) {
	for _, text := range []string{"A-1234 GCKR-AD93", "A-1234", " a 12\tgckrad93", "fete - 7  OILO-0000",
		"FETE -12345678", "No 12-B", "", "A-1 -", "A 1-2-3-4-5-6-7-8"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		serial, code := ReadSerial(text)
		typed := strings.Join(strings.Fields(text), " ")
		if got := strings.Join(strings.Fields(serial+" "+code), " "); got != typed {
			t.Errorf("%q is read as %q and %q", text, serial, code)
		}
		if code != "" && len(foldCode(code)) != 8 {
			t.Errorf("%q has the code %q", text, code)
		}
		var s ninety.Serial
		if s.UnmarshalText([]byte(text)) != nil {
			return
		}
		if code != "" {
			t.Errorf("%q is %v, and was read with the code %q", text, s, code)
		}
		var again ninety.Serial
		serial, code = ReadSerial(text + " GCKR-AD93")
		if err := again.UnmarshalText([]byte(serial)); err != nil || again != s || code != "GCKR-AD93" {
			t.Errorf("%q with a code is read as %q (%v) and %q", text, serial, err, code)
		}
	})
}

// plainEmail is what everybody's address looks like.
var plainEmail = regexp.MustCompile(`^[a-z0-9]+([._+-][a-z0-9]+)*@[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]{2,10})+$`)

// FuzzCheckEmail holds that a usual address is taken; that one that is taken stands in the
// head of a letter and is found there again, with nothing that cannot be seen; and that a
// refusal is ErrEmail and does not repeat the address.
func FuzzCheckEmail(f *testing.F) {
	for _, text := range []string{"camille@example.org", "a.b+c@sub.example.fr", "é@exemple.fr", "a@[192.0.2.1]", "", "a@b",
		"a@b.c\r\nBcc: x@y.z", "<a@b.c>", "A <a@b.c>", "a@b.c, d@e.f", `"a b"@c.d`,
		"a@b.c (hall)", "a\u00a0@b.c", "a\u202e@b.c", "@.", strings.Repeat("a", 250) + "@b.c"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		err := CheckEmail(text)
		if err != nil {
			if plainEmail.MatchString(text) && len(text) <= 254 {
				t.Errorf("%q is refused", text)
			}
			if want := ErrEmail.With("%d characters", len(text)); err.Error() != want.Error() || !errors.Is(err, ErrEmail) {
				t.Errorf("%q is refused with %v", text, err)
			}
			return
		}
		if len(text) > 254 || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
			t.Errorf("%q is taken", text)
		}
		list, err := mail.ParseAddressList((&mail.Address{Name: "Camille, M.", Address: text}).String())
		if err != nil || len(list) != 1 || list[0].Address != text {
			t.Errorf("%q is written and read again as %v, %v", text, list, err)
		}
	})
}

// FuzzParseRef holds that a reference is read as what it was written from, and that what is
// none is refused whole.
func FuzzParseRef(f *testing.F) {
	f.Add("leg/7", "leg", int64(7))
	f.Add("contest/-7", "contest", int64(-1<<63))
	f.Add("leg/7/8", "", int64(0))
	f.Add("leg/", "x", int64(1))
	f.Add("leg", "x", int64(1))
	f.Add("leg/9223372036854775808", "x", int64(1))
	f.Fuzz(func(t *testing.T, text, kind string, n int64) {
		k, m, err := parseRef(text)
		if err != nil && (k != "" || m != 0 || !strings.HasSuffix(err.Error(), ": "+text)) {
			t.Errorf("%q is refused with %v, and %q, %d", text, err, k, m)
		}
		if err == nil && !strings.HasPrefix(text, k+"/") {
			t.Errorf("%q is read as %q, %d", text, k, m)
		}
		ref := fmt.Sprintf("%s/%d", kind, n)
		if k, m, err = parseRef(ref); !strings.Contains(kind, "/") && (err != nil || k != kind || m != n) {
			t.Errorf("%q is read as %q, %d, %v", ref, k, m, err)
		}
	})
}
