package app

import (
	"strings"
	"testing"

	"boulier/game/bingo"
)

// FuzzReadBingoEvent holds that the payload of an event is refused with its kind, or is an
// event of that kind which has one text and is read the same from it; a kind of another game
// is no event, whatever its payload.
func FuzzReadBingoEvent(f *testing.F) {
	f.Add("ball_drawn", []byte(`{"ball":42,"count":1}`))
	f.Add("cards_sold", []byte(`{"player":7,"first":1,"count":2}`))
	f.Add("prize_won", []byte(`{"winners":[{"player":7}]}`))
	f.Add("round_planned", []byte(`{"fact":"\u005f\""}`))
	f.Add("plan_saved", []byte(`{"plan":{}}`))
	f.Add("sale_closed", []byte(`{} {}`))
	f.Add("cards_stamped", []byte(`no JSON`))
	f.Fuzz(func(t *testing.T, kind string, payload []byte) {
		e, err := ReadBingoEvent(kind, payload)
		if _, ours := bingoKinds[kind]; !ours {
			if e != nil || err != nil {
				t.Errorf("the kind %q is read as %v, %v", kind, e, err)
			}
			return
		}
		if err != nil {
			if e != nil || !strings.Contains(err.Error(), kind) {
				t.Errorf("%q of %s is refused with %v, and %v", payload, kind, err, e)
			}
			return
		}
		if e.Kind() != kind {
			t.Fatalf("%q of %s is read as %s", payload, kind, e.Kind())
		}
		sameText(t, kind, e)
	})
}

// sameText writes an event, reads it and writes it once more.
func sameText(t *testing.T, kind string, e bingo.Event) {
	t.Helper()
	text, err := encodeSnake(e)
	if err != nil {
		t.Skip() // a year that JSON has no text for
	}
	again, err := ReadBingoEvent(kind, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if second, err := encodeSnake(again); err != nil || string(second) != string(text) {
		t.Errorf("%s, then %s, %v", text, second, err)
	}
}
