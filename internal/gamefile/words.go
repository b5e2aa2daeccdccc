package gamefile

import (
	"regexp"

	"boulier/game/instant"
	"boulier/game/instant/words"
)

// rowOfBoard is the path of a row of a board.
var rowOfBoard = regexp.MustCompile(`^\."boards"\[\d+\]\."rows"\[\d+\]$`)

// words reads what a word game has beside its table: symbols, the weights of 0, 1 and 2 of
// them, and the boards. A game of another kind has neither.
func (r *reader) words(g *instant.Game) {
	if g.Kind != instant.Words {
		for _, key := range []string{"symbols", "boards"} {
			if _, ok := r.doc[key]; ok && !r.bad[field{0, "kind"}] {
				r.fail(field{0, key}, r.pathOf(key), "key_of_another_kind",
					"%s is for games of kind %q: remove it, or write that kind", key, instant.Words)
			}
		}
		return
	}
	r.symbols(g)
	v, ok := r.doc["boards"]
	list := tables(v)
	switch {
	case !ok:
		r.missing(scope{line: 1}, "boards")
		return
	case list == nil:
		r.fail(field{0, "boards"}, child("", "boards"), "not_boards",
			"boards is not a list of tables: write [[boards]] and rows under it")
		return
	}
	for i, table := range list {
		r.board(g, element(child("", "boards"), i), i+1, table)
	}
}

// pathOf returns the path of a key, or of its first table where it is a list of them.
func (r *reader) pathOf(key string) string {
	path := child("", key)
	if r.found[path].line == 0 {
		return element(path, 0)
	}
	return path
}

// symbols reads the weights.
func (r *reader) symbols(g *instant.Game) {
	v, ok := r.doc["symbols"]
	if !ok {
		r.missing(scope{line: 1}, "symbols")
		return
	}
	list, _ := v.([]any)
	sound := len(list) == len(g.Words.Symbols)
	for n := 0; sound && n < len(list); n++ {
		g.Words.Symbols[n], sound = list[n].(int64)
	}
	if !sound {
		r.fail(field{0, "symbols"}, child("", "symbols"), "not_weights",
			"symbols is not three whole numbers: write the weights of 0, 1 and 2 symbols, "+
				"such as [60, 30, 10]")
	}
}

// board reads one board.
func (r *reader) board(g *instant.Game, path string, number int, table map[string]any) {
	rows := child(path, "rows")
	v, ok := table["rows"]
	if !ok {
		r.bad[field{number, "boards"}] = true
		r.add(max(r.found[path].line, 1), "missing_key", "rows is missing: add it")
		return
	}
	var grid words.Grid
	list, _ := v.([]any)
	sound := len(list) == len(grid)
	for i := 0; sound && i < len(list); i++ {
		grid[i], sound = list[i].(string)
	}
	if !sound {
		r.fail(field{number, "boards"}, rows, "not_rows",
			"rows is not seven texts: write seven rows of seven letters or dots")
		return
	}
	b, faults := words.ParseBoard(grid)
	for _, f := range faults {
		at := rows
		if f.Row > 0 {
			at = element(rows, f.Row-1)
		}
		r.fail(field{number, "boards"}, at, f.Code, "board %d: %s", number, f.Text)
	}
	if len(faults) == 0 {
		g.Words.Boards = append(g.Words.Boards, b)
	}
}
