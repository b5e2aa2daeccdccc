package snake

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type thing struct {
	ID       int
	OpensAt  time.Time
	Title    string
	Amounts  []int
	Inner    struct{ SaleTime time.Duration }
	Last     bool
	unstored int
}

func TestEncode(t *testing.T) {
	t.Parallel()
	var full thing
	full.ID, full.Title, full.Amounts, full.Last = 7, "Soirée <l'après-midi> & \"nuit\"", []int{0, 3}, true
	full.OpensAt = time.Date(2026, 12, 1, 10, 0, 0, 5000, time.UTC)
	full.Inner.SaleTime = time.Minute
	for _, tc := range []struct {
		v    thing
		want string
	}{
		{thing{unstored: 1}, `{}`},
		{full, `{"amounts":[0,3],"id":7,"inner":{"sale_time":60000000000},"last":true,` +
			`"opens_at":"2026-12-01T10:00:00.000005Z","title":"Soirée <l'après-midi> & \"nuit\""}`},
	} {
		b, err := Encode(tc.v)
		if err != nil || string(b) != tc.want {
			t.Errorf("%s, %v, want %s", b, err, tc.want)
		}
		var again thing
		if err := Decode(b, &again); err != nil {
			t.Fatal(err)
		}
		tc.v.unstored = 0
		if diff := cmp.Diff(tc.v, again, cmp.AllowUnexported(thing{})); diff != "" {
			t.Error(diff)
		}
	}
}

func TestDecode_Refusals(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `{`, `{} {}`, `{"id":"x"}`} {
		var v thing
		if err := Decode([]byte(text), &v); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// FuzzDecode checks that whatever can be read has one text, which reads the same.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"id":7,"inner":{"sale_time":1},"opens_at":"2026-12-01T10:00:00Z"}`))
	f.Add([]byte(`{"ID":1e2,"amounts":[1]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var v, again thing
		if Decode(text, &v) != nil {
			return
		}
		b, err := Encode(v)
		if err != nil {
			t.Skip() // a year that JSON has no text for
		}
		if err := Decode(b, &again); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if c, err := Encode(again); err != nil || string(c) != string(b) {
			t.Errorf("%s, then %s, %v", b, c, err)
		}
	})
}
