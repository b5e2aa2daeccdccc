package site

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
func (s *Site) mountCompose() {
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
func (s *Site) showCompose(v *web.Visit) error {
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

func (s *Site) composeAgain(v *web.Visit, status int, c composed, notices ...ui.Notice) error {
	if c.sound {
		c.law = c.file.Game.Warnings(s.Ground.Now())
	}
	return v.ShowStatus(status, ui.View{Title: v.T("compose.title"), Accent: ui.Instant}, composeBody(c), notices...)
}

// compose checks the game of the form, fills its table from a spreadsheet, simulates it,
// or saves it as a game file.
func (s *Site) compose(v *web.Visit) error {
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
func (s *Site) saveComposed(v *web.Visit, c composed) error {
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
func (s *Site) fillTable(v *web.Visit, form *web.Form, uploads []web.Upload) error {
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

// readComposed reads the game of the form; what is wrong is said at its field.
func readComposed(v *web.Visit, form *web.Form) composed {
	c := composed{form: form}
	g := instant.Game{Kind: instant.Words, Title: form.Text("title", 60),
		Block: form.Count("block", 1, instant.MaxBlock), Price: form.Amount("price")}
	c.file.Source, c.file.Note = form.Optional("source", 200), form.Optional("note", 200)
	c.file.Publisher, c.file.Rules = form.Optional("publisher", 200), form.Optional("rules", 2000)
	for n := range g.Words.Symbols {
		g.Words.Symbols[n] = form.Count(weightName(n), 0, instant.MaxWeight)
	}
	var names []string // of the fields of the lines
	for _, o := range slices.Backward(words.Outcomes()) {
		name := countName(o)
		if n := form.Count(name, 0, instant.MaxBlock); n > 0 {
			g.Table = append(g.Table, instant.Prize{Count: n, Amount: o.Amount()})
			names = append(names, name)
		}
	}
	g.Words.Boards = chosenBoards(form)
	own, faults := pastedBoards(v, form.Raw("own"))
	if c.boards = faults; len(faults) > 0 {
		form.Wrong("own", v.Words.N("compose.own.faults", int64(len(faults))))
	}
	g.Words.Boards = append(g.Words.Boards, own...)
	c.file.Game = g
	if form.OK() {
		for _, f := range g.Check() {
			form.Wrong(fieldOf(f, names), gameFault(v, f))
		}
	}
	c.sound = form.OK()
	return c
}

// fieldOf is the field where a fault of the game is mended.
func fieldOf(f instant.Fault, names []string) string {
	switch {
	case f.Where == "boards":
		return "own"
	case f.Code == "weight_of_one":
		return weightName(1)
	case f.Where == "symbols":
		return weightName(0)
	case f.Line > 0:
		return names[f.Line-1]
	case f.Where == "prizes":
		return "counts"
	}
	return f.Where
}

// gameFault says a fault of a game: the message compose.fault.CODE.
func gameFault(v *web.Visit, f instant.Fault) string {
	key := "compose.fault." + f.Code
	if !v.Words.Has(key) {
		return f.Text
	}
	return v.T(key, "Board", f.Line, "Max", instant.MaxBoards)
}

// chosenBoards are the shipped boards that are ticked, in their order.
func chosenBoards(form *web.Form) []words.Board {
	ticked := form.All("board")
	var list []words.Board
	for i, b := range shippedBoards() {
		if slices.Contains(ticked, strconv.Itoa(i+1)) {
			list = append(list, b)
		}
	}
	return list
}

// pastedBoards reads boards written as rows, a blank line between two, and says each fault
// of each board in words.
func pastedBoards(v *web.Visit, text string) (list []words.Board, faults []string) {
	var rows []string
	number := 0
	end := func() {
		if len(rows) == 0 {
			return
		}
		number++
		if len(rows) != words.Side {
			faults = append(faults, v.T("compose.own.rows", "Board", number, "Rows", len(rows)))
		} else {
			b, wrong := words.ParseBoard(words.Grid(rows))
			for _, f := range wrong {
				faults = append(faults, boardFault(v, number, f, rows))
			}
			if len(wrong) == 0 {
				list = append(list, b)
			}
		}
		rows = nil
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		if line = strings.ToUpper(strings.TrimSpace(line)); line == "" {
			end()
			continue
		}
		rows = append(rows, line)
	}
	end()
	return list, faults
}

// boardFault says where a board is at fault, and how: the message compose.board.CODE.
func boardFault(v *web.Visit, number int, f words.Fault, rows []string) string {
	what := f.Text
	if key := "compose.board." + f.Code; v.Words.Has(key) {
		what = v.T(key)
	}
	if f.Row == 0 {
		return v.T("compose.own.whole", "Board", number, "What", what)
	}
	return v.T("compose.own.row", "Board", number, "Row", f.Row, "Text", rows[f.Row-1], "What", what)
}
