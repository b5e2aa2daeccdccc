package money

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		in   string
		want Cents
		err  error
	}{
		{"2", 200, nil},
		{"2.00", 200, nil},
		{"2,5", 250, nil},
		{"0.50", 50, nil},
		{"15 000", 1500000, nil},
		{"1\u202f830\u00a0120,00", 183012000, nil},
		{"1 500 000.5", 150000050, nil},
		{"-3,20", -320, nil},
		{"", 0, ErrSyntax},
		{"-", 0, ErrSyntax},
		{".50", 0, ErrSyntax},
		{"2.", 0, ErrSyntax},
		{"2.005", 0, ErrSyntax},
		{"1,830,120.00", 0, ErrSyntax},
		{"1 50", 0, ErrSyntax},
		{"1500 000", 0, ErrSyntax},
		{" 2", 0, ErrSyntax},
		{"2 EUR", 0, ErrSyntax},
		{"1e3", 0, ErrSyntax},
		{"99999999999999999999", 0, ErrOverflow},
	} {
		got, err := Parse(tc.in)
		if got != tc.want || !errors.Is(err, tc.err) {
			t.Errorf("Parse(%q) = %d, %v; want %d, %v", tc.in, got, err, tc.want, tc.err)
		}
	}
}

func TestAddAndTimes_RefuseOverflow(t *testing.T) {
	t.Parallel()
	if _, err := Cents(math.MaxInt64).Add(1); !errors.Is(err, ErrOverflow) {
		t.Errorf("Add past the top: %v", err)
	}
	if _, err := Cents(math.MinInt64).Add(-1); !errors.Is(err, ErrOverflow) {
		t.Errorf("Add past the bottom: %v", err)
	}
	if _, err := Cents(math.MaxInt64 / 2).Times(3); !errors.Is(err, ErrOverflow) {
		t.Errorf("Times past the top: %v", err)
	}
	if got, err := Cents(1200).Times(2000); got != 2400000 || err != nil {
		t.Errorf("12 EUR × 2000 = %d, %v", got, err)
	}
}

func TestString_ReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := Cents(rapid.Int64Range(-9e17, 9e17).Draw(t, "cents"))
		if got, err := Parse(c.String()); got != c || err != nil {
			t.Errorf("Parse(%q) = %d, %v", c.String(), got, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("2,50")
	f.Add("1 830 120.00")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Parse(s)
		if err != nil {
			return
		}
		if again, err := Parse(c.String()); again != c || err != nil {
			t.Errorf("Parse(%q) = %d, and %q reads as %d, %v", s, c, c.String(), again, err)
		}
	})
}
