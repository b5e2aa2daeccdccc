package contest

import (
	"math/big"
	"regexp"
	"testing"
)

// writtenNuggets says a second time what an amount may look like: see ParseNuggets.
var writtenNuggets = regexp.MustCompile(`^[0-9]+(\.[0-9]{1,2})?$`)

// FuzzParseNuggets holds that an amount is read exactly where it is written as one and not
// above MaxPot, that it is worth what a fraction says, and that what String writes is read
// the same. Anything else is ErrNuggets and no amount.
func FuzzParseNuggets(f *testing.F) {
	for _, text := range []string{"200", "0", "12.5", "0.07", "10000000000000", "10000000000000.00", "000000000000000000000001.5",
		"", ".5", "1.", "1.234", "-1", "+1", "1,5", "1.-1", "1_0", "x", "10000000000000.01", "99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseNuggets(text)
		want, ok := new(big.Rat), writtenNuggets.MatchString(text)
		if ok {
			want.SetString(text)
			want.Mul(want, big.NewRat(int64(Nugget), 1))
			ok = want.Cmp(big.NewRat(int64(MaxPot), 1)) <= 0
		}
		if !ok {
			if err != ErrNuggets || n != 0 {
				t.Errorf("%q is read as %s, %v", text, n, err)
			}
			return
		}
		if err != nil || want.Cmp(big.NewRat(int64(n), 1)) != 0 {
			t.Fatalf("%q is read as %s, %v", text, n, err)
		}
		if again, err := ParseNuggets(n.String()); err != nil || again != n {
			t.Errorf("%s is read again as %s, %v", n, again, err)
		}
	})
}
