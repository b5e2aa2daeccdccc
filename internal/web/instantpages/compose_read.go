package instantpages

import (
	"slices"
	"strconv"
	"strings"

	"boulier/game/instant"
	"boulier/game/instant/words"
	"boulier/internal/web"
)

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
