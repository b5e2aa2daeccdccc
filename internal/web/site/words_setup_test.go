package site_test

import (
	"strings"
	"testing"

	"boulier/game/instant/words"
	"boulier/internal/app"
	"boulier/internal/games"
)

// petitsMots is the shipped word game in a block small enough for a test: fifty units win,
// most of them multiplied, ten do not.
func petitsMots(t testing.TB) string {
	t.Helper()
	_, text, err := games.Read("mots-croises")
	if err != nil {
		t.Fatal(err)
	}
	_, boards, _ := strings.Cut(string(text), "[[boards]]")
	file := `title = "Petits mots"
source = "table d’essai"
note = "reconstruction, non officielle"
kind = "words"
block = 60
price = 2.00
symbols = [10, 30, 60]
`
	for _, amount := range []string{"36.00", "24.00", "12.00", "6.00", "4.00"} {
		file += "\n[[prizes]]\ncount = 10\namount = " + amount + "\n"
	}
	return file + "\n[[boards]]" + boards
}

// openWords starts a house where the word game is on sale.
func openWords(t *testing.T) *house {
	t.Helper()
	h := open(t)
	h.issue = h.OnSale(h.Staff("mots", app.Manager), petitsMots(t))
	return h
}

// squares returns the zones of the board whose letter is on the rack, in order.
func squares(u app.UnitView) (zones []int) {
	for cell := range words.Side * words.Side {
		if c := u.Words.Board.Letter(cell); c != 0 && strings.IndexByte(string(u.Words.Face.Rack[:]), c) >= 0 {
			zones = append(zones, 8+cell)
		}
	}
	return zones
}
