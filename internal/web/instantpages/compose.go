package instantpages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/internal/app"
	"boulier/internal/gamefile"
	"boulier/internal/games"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// mountCompose adds the editor of word games and the simulation of blocks.
func (s *Section) mountCompose() {
	manage := s.May(app.ManageGames)
	for pattern, page := range map[string]web.Page{
		"GET /manage/games/compose":          s.showCompose,
		"POST /manage/games/compose":         s.compose,
		"POST /manage/games/{game}/simulate": s.simulateGame,
		"GET /manage/simulations/{number}":   s.showSimulation,
	} {
		s.Shell.Handle(pattern, page, manage)
	}
}

// shippedBoards are the boards that come with the program, which a game may take.
var shippedBoards = sync.OnceValue(games.Boards)

// composed is what the editor shows: the answers, and the game that they make when nothing
// is wrong with them.
type composed struct {
	form  *web.Form
	file  gamefile.File
	sound bool
	// boards are the faults of the boards that were pasted, in words.
	boards []string
	// table are the faults of a prize table that was uploaded.
	table []gamefile.Fault
	law   []instant.Warning
}

// blankBlock and blankPrice are what a new game begins with: those of the regulation
// (instant:2, instant:4.4.stake).
const (
	blankBlock = 1_500_000
	blankPrice = 200
)

// showCompose is the editor: empty, or filled with an imported game or one that was
// simulated. A game never changes once it is imported; what is saved is another.
func (s *Section) showCompose(v *web.Visit) error {
	f := gamefile.File{Game: instant.Game{Kind: instant.Words, Block: blankBlock, Price: blankPrice,
		Words: words.Rules{Symbols: words.Weights{60, 30, 10}, Boards: shippedBoards()}}}
	switch {
	case v.Query("game") != "":
		id, err := strconv.ParseInt(v.Query("game"), 10, 64)
		if err != nil {
			return web.NotFound
		}
		_, file, err := s.gameNumbered(v, id)
		if err != nil {
			return err
		}
		f = file
	case v.Query("simulation") != "":
		sim, err := s.simulation(v, v.Query("simulation"))
		if err != nil {
			return err
		}
		f = sim.File
	}
	if f.Game.Kind != instant.Words {
		return web.NotFound // the editor knows one kind of game
	}
	c := composed{form: v.Filled(answersOf(f, v.Words)), file: f, sound: len(f.Game.Table) > 0}
	return s.composeAgain(v, http.StatusOK, c)
}

// answersOf fills the form with a game.
func answersOf(f gamefile.File, say *locales.Words) url.Values {
	g := f.Game
	values := url.Values{"title": {g.Title}, "source": {f.Source}, "note": {f.Note}, "publisher": {f.Publisher},
		"rules": {f.Rules}, "block": {strconv.FormatInt(g.Block, 10)}, "price": {pages.Decimal(say, g.Price)}}
	for n, w := range g.Words.Symbols {
		values.Set(weightName(n), strconv.FormatInt(w, 10))
	}
	for name, count := range countsOf(g.Table) {
		values.Set(name, count)
	}
	var own []string
	for _, b := range g.Words.Boards {
		if i := slices.IndexFunc(shippedBoards(), func(o words.Board) bool { return o.Grid() == b.Grid() }); i >= 0 {
			values.Add("board", strconv.Itoa(i+1))
			continue
		}
		grid := b.Grid()
		own = append(own, strings.Join(grid[:], "\n"))
	}
	values.Set("own", strings.Join(own, "\n\n"))
	return values
}

// countsOf is the answers of a prize table; an outcome that it lacks has none.
func countsOf(t instant.Table) map[string]string {
	counts := map[string]string{}
	for _, o := range words.Outcomes() {
		counts[countName(o)] = "0"
	}
	for _, p := range t {
		if o, ok := words.OutcomeOf(p.Amount); ok {
			counts[countName(o)] = strconv.FormatInt(p.Count, 10)
		}
	}
	return counts
}

// countName is the field with the number of prizes of an outcome.
func countName(o words.Outcome) string { return fmt.Sprintf("count-%d-%d", o.Letters, o.Factor) }

// weightName is the field with the weight of n symbols.
func weightName(n int) string { return fmt.Sprintf("symbols-%d", n) }

func (s *Section) composeAgain(v *web.Visit, status int, c composed, notices ...ui.Notice) error {
	if c.sound {
		c.law = c.file.Game.Warnings(s.Ground.Now())
	}
	return v.ShowStatus(status, ui.View{Title: v.T("compose.title"), Accent: ui.Instant}, composeBody(c), notices...)
}

// compose checks the game of the form, fills its table from a spreadsheet, simulates it,
// or saves it as a game file.
func (s *Section) compose(v *web.Visit) error {
	form, uploads, err := v.Uploads("table", maxGameFile)
	if err != nil {
		return err
	}
	if form.Raw("do") == "table" {
		return s.fillTable(v, form, uploads)
	}
	c := readComposed(v, form)
	if !c.sound {
		return s.composeAgain(v, http.StatusUnprocessableEntity, c, form.Notice())
	}
	switch form.Raw("do") {
	case "simulate":
		return s.simulate(v, c.file, 0, func(n ui.Notice) error {
			return s.composeAgain(v, http.StatusConflict, c, n)
		})
	case "save":
		return s.saveComposed(v, c)
	}
	return s.composeAgain(v, http.StatusOK, c)
}

// saveComposed writes the game file and imports it as any other.
func (s *Section) saveComposed(v *web.Visit, c composed) error {
	id, faults, err := s.Instant.ImportGame(v.Context(), app.GameImport{Request: app.RequestID(c.form.Request),
		By: v.Person.ID, Name: c.file.Game.Title + ".toml", File: gamefile.Write(c.file)})
	if len(faults) > 0 {
		return fmt.Errorf("site: a game without fault is refused as a file: %v", faults)
	}
	if notice, refused := v.Refused(err); refused {
		return s.composeAgain(v, http.StatusUnprocessableEntity, c, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(fmt.Sprintf("/manage/games/%d", id), web.Done("game_imported"))
}

// fillTable puts the counts of a spreadsheet into the form. Nothing is kept of it.
func (s *Section) fillTable(v *web.Visit, form *web.Form, uploads []web.Upload) error {
	c := composed{form: form}
	if len(uploads) == 0 {
		form.Wrong("table", v.T("form.file"))
		return s.composeAgain(v, http.StatusUnprocessableEntity, c, form.Notice())
	}
	// The rules of a word game say which amounts can be won; all else is the form's.
	g, faults := gamefile.ParseTable(uploads[0].Name, uploads[0].Body, instant.Game{Title: uploads[0].Name,
		Kind: instant.Words, Block: instant.MaxBlock, Price: 1,
		Words: words.Rules{Symbols: words.Weights{1, 1, 1}, Boards: shippedBoards()}})
	if c.table = faults; len(faults) > 0 {
		return s.composeAgain(v, http.StatusUnprocessableEntity, c, ui.Notice{Tone: ui.Danger,
			Title: v.Words.N("manage.faults", int64(len(faults))), Text: v.T("compose.table.untouched")})
	}
	for name, count := range countsOf(g.Table) {
		form.Answer(name, count)
	}
	if read := readComposed(v, form); read.sound {
		c = read
	} else {
		c.boards = read.boards
	}
	return s.composeAgain(v, http.StatusOK, c, ui.Notice{Tone: ui.Success, Title: v.T("compose.table.filled"),
		Text: v.T("compose.table.filled.text", "File", uploads[0].Name)})
}
