package site_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/internal/app"
	"boulier/regs/regstest"
)

// A wordHouse is a house with the word game on sale, and anne at her browser.
type wordHouse struct {
	*staffHouse
	*client
	game string // path
	id   instant.IssueID
}

func newWordHouse(t *testing.T, cents int64) *wordHouse {
	t.Helper()
	h := newStaffHouse(t)
	id := h.OnSale(h.people["manon"], petitsMots(t))
	h.people["bea"] = h.Player("bea", 0)
	if cents > 0 {
		h.Give(h.people["anne"], cents)
	}
	return &wordHouse{h, h.signIn(t, "anne"), "/instant/" + strconv.FormatInt(int64(id), 10), id}
}

// last is the unit that anne bought last, without looking at her history, which uncovers it.
func (w *wordHouse) last(t *testing.T) app.UnitView {
	t.Helper()
	rows, err := w.Store.Units(t.Context(), w.people["anne"], app.Cursor{}, 1)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d units, %v", len(rows), err)
	}
	u, err := w.Instant.Unit(t.Context(), w.people["anne"], app.UnitRef{Block: app.BlockID(rows[0].Block), Number: rows[0].Number})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// bought is how many units anne has.
func (w *wordHouse) bought(t *testing.T) int {
	t.Helper()
	rows, err := w.Store.Units(t.Context(), w.people["anne"], app.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	return len(rows)
}

// path is the page of a unit.
func path(u app.UnitView) string { return "/units/" + u.Unit.String() }

// openList writes zones as the address of a page without scripts does.
func openList(zones ...int) string {
	var parts []string
	for _, n := range zones {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ".")
}

var rack = []int{1, 2, 3, 4, 5, 6, 7}

// tileOf is the zone of the rack with the letter of a square, 0 if there is none.
func tileOf(u app.UnitView, zone int) int {
	return 1 + strings.IndexByte(string(u.Words.Face.Rack[:]), u.Words.Board.Letter(zone-8))
}

func TestArt4_1_BoardsAreOffered(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.1")
	w := newWordHouse(t, 20_00)
	checked := regexp.MustCompile(`name="board" value="(\d+)" checked`)
	for query, want := range map[string]string{"": "1", "?board=1": "1", "?board=12": "12", "?board=0": "1", "?board=13": "1",
		"?board=-1": "1", "?board=deux": "1", "?board=99999999999999999999": "1"} {
		page := w.get(w.game+query, 200)
		if got := checked.FindAllStringSubmatch(page, -1); len(got) != 1 || got[0][1] != want {
			t.Errorf("%q: preset is %v, want %s", query, got, want)
		}
		if n := strings.Count(page, `name="board"`); n != 12 {
			t.Errorf("%q offers %d boards", query, n)
		}
	}
	says(t, w.get(w.game, 200), "Cliquez ici pour choisir le plateau de jeu")
	for _, none := range []string{"-1", "13", "99999999999999999999", "deux"} {
		says(t, w.post(w.game, 422, url.Values{"board": {none}}), "Ce jeu n’a pas ce plateau", "Rien n’a été débité")
	}
	if n := w.bought(t); n != 0 {
		t.Fatalf("boards that are none bought %d units", n)
	}
	for _, tc := range []struct {
		board string
		want  int
	}{{"", 1}, {"0", 1}, {"1", 1}, {"7", 7}, {"12", 12}} {
		form := url.Values{}
		if tc.board != "" {
			form.Set("board", tc.board)
		}
		w.post(w.game, 200, form)
		if u := w.last(t); u.Words.Number != tc.want {
			t.Errorf("board %q was chosen, the unit is on board %d", tc.board, u.Words.Number)
		}
	}
}

// TestArt4_4_TheStakeIsConfirmedOnce: « Jouez » debits one stake for one unit, however often
// its form is sent, and nothing when a cent is missing.
func TestArt4_4_TheStakeIsConfirmedOnce(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.stake", "std:43")
	w := newWordHouse(t, 5_99)
	anne := w.people["anne"]
	once := url.Values{"board": {"2"}, "request": {app.NewRequestID().String()}}
	for range 3 {
		says(t, w.post(w.game, 200, once), "Unité n° 1", "Grattez ici")
	}
	once.Set("board", "3")
	says(t, w.post(w.game, 409, once), "Ce formulaire a déjà servi à autre chose")
	if n, had := w.bought(t), w.Shown(anne); n != 1 || had != 3_99 {
		t.Errorf("one confirmation bought %d units, %s is left", n, had)
	}
	if u := w.last(t); !u.Covered || u.Words.Number != 2 || u.Price != 2_00 {
		t.Errorf("the unit is %+v", u)
	}
	// With a unit in play the page leads back to it, and buying another ends it first (I6).
	says(t, w.get(w.game, 200), "Terminer l’unité en cours")
	prize := w.last(t).Prize
	w.post(w.game, 200, url.Values{})
	if had := w.Shown(anne); had != 1_99+prize || w.last(t).Unit.Number != 2 {
		t.Errorf("after two units %s is shown, want 1,99 and the prize of the first, %s", had, prize)
	}
	// Closed between the form and the click, and whoever is no player: refused, free of charge.
	w.signIn(t, "carla").post(w.game, http.StatusForbidden, url.Values{"board": {"2"}})
	had := w.Shown(anne)
	order := app.IssueOrder{Request: app.NewRequestID(), By: w.people["manon"], Issue: w.id}
	if err := w.Instant.CloseIssue(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	says(t, w.post(w.game, 422, url.Values{"board": {"2"}}), "Rien n’a été débité")
	if n := w.bought(t); n != 2 || w.Shown(anne) != had {
		t.Errorf("after the end %d units, %s is shown, was %s", n, w.Shown(anne), had)
	}
	says(t, w.post(w.game, 409, once), "Ce formulaire a déjà servi")
	w.Square()
	short := newWordHouse(t, 1_99)
	for range 2 {
		says(t, short.post(short.game, 422, url.Values{"board": {"2"}}), "Rien n’a été débité")
	}
	if n, had := short.bought(t), short.Shown(short.people["anne"]); n != 0 || had != 1_99 {
		t.Errorf("short by a cent: %d units, %s is left", n, had)
	}
}

// TestArt4_4_Manual walks a unit form by form: what may be asked of each zone and when,
// what the page says until all is uncovered, and that the last zone and no other ends it.
func TestArt4_4_Manual(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.2", "instant:4.3", "instant:4.4.manual", "instant:4.6")
	w := newWordHouse(t, 40_00)
	w.post(w.game, 200, url.Values{"board": {"5"}})
	for len(w.last(t).Words.Face.Symbols) == 0 {
		w.post(w.game, 200, url.Values{"board": {"5"}})
	}
	u := w.last(t)
	zone := func(n, with, status int) string {
		at := path(u) + "/zones/" + strconv.Itoa(n)
		if with > 0 {
			at += "?with=" + strconv.Itoa(with)
		}
		return w.get(at, status)
	}
	for _, n := range rack {
		if got := strings.TrimSpace(text(zone(n, 0, 200))); got != string(u.Words.Face.Rack[n-1]) {
			t.Errorf("under tile %d is %q, want %c", n, got, u.Words.Face.Rack[n-1])
		}
	}
	for _, n := range []int{0, -1, 57, 1000} {
		zone(n, 0, http.StatusNotFound)
	}
	toScratch := squares(u)
	for cell := range words.Side * words.Side {
		n, letter := 8+cell, u.Words.Board.Letter(cell)
		if letter == 0 || !slices.Contains(toScratch, n) {
			for with := range 9 { // no letter, or not on the rack: no tile tells it
				zone(n, with, http.StatusNotFound)
			}
			continue
		}
		for with := range 9 {
			if with != tileOf(u, n) {
				zone(n, with, http.StatusNotFound)
			}
		}
		under := zone(n, tileOf(u, n), 200)
		factor := 0
		for _, s := range u.Words.Face.Symbols {
			if s.Cell == cell {
				factor = s.Factor
			}
		}
		if want := strings.Contains(under, "data-factor=\""+strconv.Itoa(factor)+"\""); want != (factor > 0) ||
			strings.Contains(under, "data-factor") != (factor > 0) || !strings.Contains(under, ">"+string(letter)) {
			t.Errorf("under square %d is %s, want %c times %d", n, under, letter, factor)
		}
	}
	// A framed letter is told once its square is open, on the board and beside it.
	for _, s := range u.Words.Face.Symbols {
		at := path(u) + "?open=" + openList(rack...)
		if strings.Contains(w.get(at, 200), "data-factor") {
			t.Error("with the rack alone open the page tells a symbol")
		}
		if page := w.get(at+"."+strconv.Itoa(8+s.Cell), 200); strings.Count(page, "data-factor") != 2 {
			t.Errorf("with square %d open the page shows %d symbols", 8+s.Cell, strings.Count(page, "data-factor"))
		}
	}
	w.manual(t, u, toScratch)
}

// manual opens the zones of a unit one after another.
func (w *wordHouse) manual(t *testing.T, u app.UnitView, toScratch []int) {
	t.Helper()
	press := func(open []int, zone string) string {
		return w.post(path(u)+"?open="+openList(open...), 200, url.Values{"zone": {zone}})
	}
	idle := 0 // a square with a letter that is not on the rack
	for cell := range words.Side * words.Side {
		if u.Words.Board.Letter(cell) != 0 && !slices.Contains(toScratch, 8+cell) {
			idle = 8 + cell
		}
	}
	says(t, press(nil, strconv.Itoa(idle)), "ne se gratte pas")
	says(t, press(nil, strconv.Itoa(toScratch[0])), "ne se gratte pas") // its tile is not open
	says(t, press(rack, strconv.Itoa(idle)), "ne se gratte pas")
	// Squares named in the address without their tiles are not open, nor are all of them
	// and the tiles but one the end.
	says(t, press(toScratch, "1"), "Grattez ici")
	for _, missing := range rack {
		open := slices.DeleteFunc(slices.Concat(rack, toScratch), func(n int) bool { return n == missing })
		says(t, press(open, "remains"), "pas finie")
	}
	for i, missing := range toScratch {
		open := slices.Concat(rack, slices.Delete(slices.Clone(toScratch), i, i+1))
		page := press(open, "remains")
		says(t, page, "pas finie")
		if got := remaining.FindAllStringSubmatch(page, -1); len(got) != 1 || got[0][1] != strconv.Itoa(missing) {
			t.Errorf("square %d is left, the page points at %v", missing, got)
		}
	}
	if !w.last(t).Covered {
		t.Fatal("the unit ended before its last zone")
	}
	all := slices.Concat(rack, toScratch)
	page := press(all[:len(all)-1], strconv.Itoa(all[len(all)-1]))
	if w.last(t).Covered || !strings.Contains(page, "result-won") && !strings.Contains(page, "result-lost") {
		t.Error("the last zone does not end the unit")
	}
}

var remaining = regexp.MustCompile(`(?s)<scratch-zone\s+number="(\d+)"[^>]*data-remains`)

// TestArt4_4_Auto: « Auto » buys one unit and uncovers it, whatever is sent with it, and
// sent again it is the same unit (reading I7).
func TestArt4_4_Auto(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.auto", "instant:4.5", "instant:4.6")
	w := newWordHouse(t, 100_00)
	for n := 1; n <= 20; n++ {
		form := url.Values{"board": {strconv.Itoa(1 + n%12)}, "mode": {"auto"}}
		page := w.post(w.game, 200, form)
		if n%10 == 0 {
			page = w.post(w.game, 200, form) // a double click
		}
		u := w.last(t)
		if u.Covered || u.Unit.Number != int64(n) {
			t.Fatalf("« Auto » number %d left %+v", n, u)
		}
		showsResult(t, page, u)
	}
	if n := w.bought(t); n != 20 {
		t.Errorf("20 confirmations bought %d units", n)
	}
}

// showsResult fails the test unless the page of a whole unit says what it wins and why.
func showsResult(t *testing.T, page string, u app.UnitView) {
	t.Helper()
	won := regexp.MustCompile(`data-won`)
	o := u.Words.Completed
	for factor := 2; factor <= 3; factor++ { // each on its square, and beside the board
		n := 0
		for _, s := range u.Words.Face.Symbols {
			if s.Factor == factor {
				n++
			}
		}
		if got := strings.Count(page, `data-factor="`+strconv.Itoa(factor)+`"`); got != 2*n {
			t.Errorf("unit %v has %d symbols times %d, the page shows %d", u.Unit, n, factor, got)
		}
	}
	counts := 0
	if o.Factor > 1 {
		counts = 1
	}
	if got := strings.Count(page, "data-counts"); got != counts {
		t.Errorf("unit %v: %d framed letters are said to count, want %d", u.Unit, got, counts)
	}
	if u.Prize != o.Amount() {
		t.Errorf("unit %v wins %s with %+v", u.Unit, u.Prize, o)
	}
	if o.Letters == 0 {
		if says(t, page, "Pas de lot cette fois"); won.MatchString(page) {
			t.Errorf("unit %v loses, and something of it is lit up", u.Unit)
		}
		return
	}
	word := u.Words.Board.Word(o.Letters).Text
	says(t, page, "Gagné", word, strconv.Itoa(o.Letters)+" lettres")
	if o.Factor > 1 {
		says(t, page, "× "+strconv.Itoa(o.Factor))
	}
	// The word on the board, and its letters on the rack.
	if n := len(won.FindAllString(page, -1)); n != 2*o.Letters {
		t.Errorf("unit %v completes %s, and %d zones are lit up", u.Unit, word, n)
	}
}

// TestArt4_4_Interrupted: a unit that is left at once is used up, first in the history, whole
// and marked as a replay; nobody else sees it, and what was bought stays bought.
func TestArt4_4_Interrupted(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:4.4.interrupted")
	w := newWordHouse(t, 40_00)
	shown := w.Shown(w.people["anne"])
	for n := 1; n <= 12; n++ {
		w.post(w.game, 200, url.Values{"board": {"9"}})
		u := w.last(t)
		if !u.Covered {
			t.Fatalf("unit %d was never in play", n)
		}
		history := w.get("/history", 200)
		first := regexp.MustCompile(`(?s)<tbody[^>]*>.*?href="(/units/[^"]+)"`).FindStringSubmatch(history)
		if first == nil || first[1] != path(u) {
			t.Fatalf("the history begins with %v, want %s", first, path(u))
		}
		page := w.get(path(u), 200)
		says(t, page, "Revue", "la voici telle qu’elle était")
		showsResult(t, page, u)
		if shown += u.Prize - u.Price; w.Shown(w.people["anne"]) != shown {
			t.Errorf("after the history was opened %s is shown, want %s", w.Shown(w.people["anne"]), shown)
		}
		if again := w.get(path(u), 200); tags.ReplaceAllString(again, "") != tags.ReplaceAllString(page, "") {
			t.Error("a replay changes")
		}
		if strings.Contains(page, `name="zone"`) {
			t.Error("a unit that is used up can be scratched")
		}
		w.post(path(u), 200, url.Values{"zone": {"1"}}) // sent late: changes nothing
	}
	u := w.last(t)
	other := w.signIn(t, "bea")
	for _, at := range []string{path(u), path(u) + "/zones/1", path(u) + "/proof"} {
		other.get(at, http.StatusNotFound)
	}
	other.post(path(u), http.StatusNotFound, url.Values{"zone": {"all"}})
	w.Square()
}
