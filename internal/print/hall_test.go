package print

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestHall_PagesAndNothingLost: a sign a page, a round a page, ten tickets a page, and the
// same content gives the same bytes.
func TestHall_PagesAndNothingLost(t *testing.T) {
	t.Parallel()
	made := time.Date(2027, 3, 7, 8, 0, 0, 0, time.UTC)
	long := strings.Repeat("Très long nom de lot ", 8)
	for name, tc := range map[string]struct {
		write func() ([]byte, error)
		pages int
	}{
		"signs": {func() ([]byte, error) {
			return Signs("Loto", made, []Sign{{"Loto", "Caisse 1", "Carton : 5 €"}, {"Loto", long, long}})
		}, 2},
		"book": {func() ([]byte, error) {
			return CallBook{Title: long, Made: made, Rules: []string{long}, Pages: []CallPage{{Title: long, Prizes: []CallPrize{{long, long, long, long}}}, {}}}.Write()
		}, 3},
		"blank sheet": {func() ([]byte, error) { return CallBook{Made: made, Pages: []CallPage{{}}}.Write() }, 1},
		"tickets":     {func() ([]byte, error) { return Tickets("Loto", made, make([]Ticket, 11)) }, 2},
	} {
		first, err := tc.write()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again, err := tc.write(); err != nil || !bytes.Equal(first, again) {
			t.Errorf("%s: not the same again, %v", name, err)
		}
		if got := bytes.Count(first, []byte("/Type /Page\n")); got != tc.pages {
			t.Errorf("%s: %d pages, want %d", name, got, tc.pages)
		}
	}
}
