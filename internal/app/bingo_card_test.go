package app_test

import (
	"testing"

	"boulier/game/bingo"
	"boulier/internal/app"
)

// TestBingoCard_MistypedIsNone: one wrong figure, or two that changed places, is no card.
func TestBingoCard_MistypedIsNone(t *testing.T) {
	t.Parallel()
	for _, account := range []bingo.AccountID{1, 7, 42, 1042, 998_244} {
		for _, card := range []int{1, 2, 31} {
			want := app.BingoCard{Account: account, Card: card}
			for _, text := range []string{want.String(), want.QR(), " " + want.QR() + "\r\n"} {
				if got, ok := app.ParseBingoCard(text); !ok || got != want {
					t.Errorf("ParseBingoCard(%q) = %+v, %t", text, got, ok)
				}
			}
			text := []byte(want.String())
			for i := range text {
				for figure := byte('0'); figure <= '9'; figure++ {
					if text[i] == '-' || text[i] == figure {
						continue
					}
					was := text[i]
					text[i] = figure
					if got, ok := app.ParseBingoCard(string(text)); ok {
						t.Errorf("%s was typed as %s and taken for %+v", want, text, got)
					}
					text[i] = was
				}
				if i > 0 && text[i] != text[i-1] && text[i] != '-' && text[i-1] != '-' {
					text[i], text[i-1] = text[i-1], text[i]
					if got, ok := app.ParseBingoCard(string(text)); ok {
						t.Errorf("%s was typed as %s and taken for %+v", want, text, got)
					}
					text[i], text[i-1] = text[i-1], text[i]
				}
			}
		}
	}
}

func FuzzParseBingoCard(f *testing.F) {
	f.Add("boulier:bingo:42-1-07")
	f.Add("42 1 7")
	f.Fuzz(func(t *testing.T, text string) {
		if c, ok := app.ParseBingoCard(text); ok {
			if again, ok := app.ParseBingoCard(c.String()); !ok || again != c {
				t.Errorf("%q is %+v, written %s, read %+v", text, c, c, again)
			}
		}
	})
}
