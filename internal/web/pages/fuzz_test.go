package pages

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boulier/internal/app"
)

// FuzzCursorOf holds that the place of a movement is read as it was written, and that any
// other text is the newest place or one that is written and read the same.
func FuzzCursorOf(f *testing.F) {
	f.Add("17-2", int64(17), int64(2))
	f.Add("", int64(0), int64(0))
	f.Add("-17-2", int64(1<<63-1), int64(1<<63-1))
	f.Add("17--2", int64(1), int64(-1))
	f.Add("17", int64(1), int64(1))
	f.Add("17-2-3", int64(1), int64(1))
	f.Add("9223372036854775808-1", int64(1), int64(1))
	f.Fuzz(func(t *testing.T, text string, at, line int64) {
		c := CursorOf(text)
		if again := CursorOf(CursorText(c.At, c.Line)); again != c {
			t.Errorf("%q is read as %v, then as %v", text, c, again)
		}
		want := app.Cursor{At: at, Line: line}
		if got := CursorOf(CursorText(at, line)); at >= 0 && got != want {
			t.Errorf("%v is written and read as %v", want, got)
		}
	})
}

// FuzzSession holds that what the store has for a session is refused, or is a session that is
// written and read the same, with a person always beside the epoch that may end it.
func FuzzSession(f *testing.F) {
	whole, err := sessionCodec{}.Encode(time.Date(2026, 12, 1, 10, 0, 0, 5, time.UTC),
		map[string]any{personKey: int64(7), epochKey: 2, AccountKey: int64(9)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte(`{"deadline":"2026-12-01T10:00:00+23:59","epoch":3}`))
	f.Add([]byte(`{"deadline":"99999-12-01T10:00:00Z","person":1}`))
	f.Add([]byte(`{"person":1.5}`))
	f.Add([]byte(`null`))
	f.Add([]byte("\x0f\xff\x81\x02"))
	f.Fuzz(func(t *testing.T, data []byte) {
		deadline, values, err := sessionCodec{}.Decode(data)
		if err != nil {
			if values != nil || !deadline.IsZero() {
				t.Errorf("%q is refused with %v, and %v", data, err, values)
			}
			return
		}
		if _, ok := values[personKey].(int64); ok != (values[epochKey] != nil) {
			t.Errorf("%q has a person without epoch, or an epoch without: %v", data, values)
		}
		text, err := sessionCodec{}.Encode(deadline, values)
		if err != nil {
			t.Fatalf("%q is read as %v until %s, which cannot be written: %v", data, values, deadline, err)
		}
		until, again, err := sessionCodec{}.Decode(text)
		if err != nil || !until.Equal(deadline) || !cmp.Equal(values, again) {
			t.Errorf("%q is read as %v until %s, then as %v until %s (%v)", data, values, deadline, again, until, err)
		}
	})
}
