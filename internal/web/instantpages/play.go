package instantpages

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/internal/app"
	"boulier/internal/web/ui"
)

// tiles is how many tiles a rack has; the zones of a board are numbered after them.
const tiles = len(words.Face{}.Rack)

// A play is how far a unit in play is scratched. Without scripts the address of the page
// remembers it; nothing depends on it.
type play struct {
	unit  app.UnitView
	open  map[int]bool
	Fresh bool   // the unit has just been uncovered
	Say   string // what the page has to say: locked, remains, or nothing
}

// playOf reads which zones the address says are open. A square whose letter is not open on
// the rack is not.
func playOf(u app.UnitView, list string) play {
	p := play{unit: u, open: map[int]bool{}}
	for part := range strings.SplitSeq(list, ".") {
		if n, err := strconv.Atoi(part); err == nil && isZone(u, n) {
			p.open[n] = true
		}
	}
	for n := range p.open {
		if p.locked(n) {
			delete(p.open, n)
		}
	}
	return p
}

// lastZone is the highest number that a zone of the unit may have.
func lastZone(u app.UnitView) int {
	if u.Words == nil {
		return len(instant.Face{})
	}
	return tiles + words.Side*words.Side
}

// isZone reports whether the unit has a zone of this number: a square without a letter is
// none.
func isZone(u app.UnitView, n int) bool {
	return n >= 1 && n <= lastZone(u) && (u.Words == nil || n <= tiles || square(u, n) != 0)
}

// square is the letter of the board in the zone, 0 if it has none or is not on the board.
func square(u app.UnitView, n int) byte {
	if u.Words == nil || n <= tiles {
		return 0
	}
	return u.Words.Board.Letter(n - tiles - 1)
}

// tile is the tile of the rack with the letter, from 1; 0 if there is none.
func tile(u app.UnitView, letter byte) int {
	return slices.Index(u.Words.Face.Rack[:], letter) + 1
}

// locked reports whether the zone is a square whose letter is not open on the rack: it is
// not to be scratched, or not yet (instant:4.4.manual).
func (p play) locked(n int) bool {
	letter := square(p.unit, n)
	return letter != 0 && !p.open[tile(p.unit, letter)]
}

// list writes the open zones for the address.
func (p play) list() string {
	var parts []string
	for n := 1; n <= lastZone(p.unit); n++ {
		if p.open[n] {
			parts = append(parts, strconv.Itoa(n))
		}
	}
	return strings.Join(parts, ".")
}

// remaining is how many zones are still to be scratched before the play ends.
func (p play) remaining() int { return p.tilesLeft() + p.squaresLeft(false) }

// tilesLeft is how many zones without a board before them are covered: the tiles of a rack,
// or the six zones.
func (p play) tilesLeft() (left int) {
	for n := 1; n <= min(lastZone(p.unit), max(tiles, len(instant.Face{}))); n++ {
		if square(p.unit, n) == 0 && isZone(p.unit, n) && !p.open[n] {
			left++
		}
	}
	return left
}

// squaresLeft is how many squares with a letter of the rack are covered: all, or those
// whose letter is open.
func (p play) squaresLeft(lit bool) (left int) {
	for n := tiles + 1; n <= lastZone(p.unit); n++ {
		letter := square(p.unit, n)
		if letter == 0 || p.open[n] || tile(p.unit, letter) == 0 {
			continue
		}
		if !lit || !p.locked(n) {
			left++
		}
	}
	return left
}

// under is what lies under a zone.
func under(u app.UnitView, n int) templ.Component {
	switch {
	case u.Words == nil:
		return ui.Amount(u.Face[n-1])
	case n <= tiles:
		return rackLetter(string(u.Words.Face.Rack[n-1]))
	default:
		return boardLetter(string(square(u, n)), factorAt(u.Words.Face, n-tiles-1))
	}
}

// factorAt is the factor of the symbol that frames the square, 0 without one (instant:4.6).
func factorAt(f words.Face, cell int) int {
	for _, s := range f.Symbols {
		if s.Cell == cell {
			return s.Factor
		}
	}
	return 0
}

// framed are the symbols that the page may show: those whose square is open, all of a unit
// that is whole (instant:4.3).
func (p play) framed() (list []words.Symbol) {
	for _, s := range p.unit.Words.Face.Symbols {
		if !p.unit.Covered || p.open[tiles+1+s.Cell] {
			list = append(list, s)
		}
	}
	return list
}

// counts reports whether the symbol multiplies the prize: it frames a letter of the
// completed word of a whole unit (instant:4.6).
func (p play) counts(s words.Symbol) bool {
	return !p.unit.Covered && slices.Contains(completed(p.unit).Cells(), s.Cell)
}

// zone is a zone as the card shows it. Those that win are marked once the whole unit is
// uncovered: three amounts alike, or the letters of the completed word.
func (p play) zone(ctx context.Context, n int) ui.Zone {
	u := p.unit
	z := ui.Zone{Number: n, From: "/units/" + u.Unit.String() + "/zones/" + strconv.Itoa(n),
		Open: !u.Covered || p.open[n]}
	switch letter := square(u, n); {
	case u.Words == nil:
		z.Won = !u.Covered && u.Prize > 0 && u.Face[n-1] == u.Prize
	case letter == 0:
		z.Label = ui.T(ctx, "words.tile", "Number", n)
		z.Won = !u.Covered && strings.Contains(completed(u).Text, string(u.Words.Face.Rack[n-1]))
	default:
		z.Cover, z.Needs, z.Label = string(letter), string(letter), ui.T(ctx, "words.square",
			"Letter", string(letter), "Row", (n-tiles-1)/words.Side+1, "Column", (n-tiles-1)%words.Side+1)
		z.Locked = !z.Open && p.locked(n)
		if t := tile(u, letter); t > 0 && p.open[t] {
			z.From += "?with=" + strconv.Itoa(t)
		}
		z.Won = !u.Covered && slices.Contains(completed(u).Cells(), n-tiles-1)
	}
	if z.Open {
		z.Under = under(u, n)
	}
	z.Remains = p.Say == "remains" && !z.Open && !z.Locked
	return z
}

// zones are those of a card without a board.
func (p play) zones(ctx context.Context) []ui.Zone {
	list := make([]ui.Zone, len(p.unit.Face))
	for i := range list {
		list[i] = p.zone(ctx, i+1)
	}
	return list
}

// completed is the word that the unit completes, the zero word if none (instant:4.5).
func completed(u app.UnitView) words.Word {
	if u.Words.Completed.Letters == 0 {
		return words.Word{}
	}
	return u.Words.Board.Word(u.Words.Completed.Letters)
}
