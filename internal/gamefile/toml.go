package gamefile

import (
	"crypto/sha256"
	"errors"
	"strings"

	"github.com/BurntSushi/toml"

	"boulier/game/instant"
	"boulier/money"
)

// Parse reads a game file. It has title, kind (three-alike unless said otherwise), block,
// price, [[prizes]] with count, amount and perhaps line_total, perhaps prizes_total and
// value_total, and perhaps the texts publisher, source, rules and note; a word game also has
// symbols and [[boards]]. Amounts are in euros, as a number or as text. A key that is none
// of these is a fault.
//
// It returns the file, or every fault.
func Parse(name string, data []byte) (File, []Fault) {
	fs := newFaults(name)
	if len(data) > maxBytes {
		fs.add(1, "too_large", "the file has more than %d MB: is it a game file?", maxBytes>>20)
		return File{}, fs.list
	}
	var doc map[string]any
	if _, err := toml.Decode(string(data), &doc); err != nil {
		var at toml.ParseError
		line := 1
		text := err.Error()
		if errors.As(err, &at) {
			line, text = max(at.Position.Line, 1), at.Message
		}
		fs.add(line, "bad_toml", "this is not TOML (%s): mend the line; each is written as name = value, "+
			"texts between quotation marks", strings.TrimSpace(text))
		return File{}, fs.list
	}
	found, keys := findPlaces(string(data))
	r := &reader{fs, doc, found}
	r.refuseUnknown(keys)
	f := File{Digest: sha256.Sum256(data)}
	f.Game = instant.Game{Kind: instant.ThreeAlike}
	f.Game.Title = r.text("title", true)
	if _, ok := doc["kind"]; ok {
		f.Game.Kind = instant.Kind(r.text("kind", true))
		if at := (field{0, "kind"}); f.Game.Kind == instant.NoFace && !r.bad[at] {
			r.fail(at, child("", "kind"), "unknown_kind",
				"kind is empty: write %q or %q", instant.ThreeAlike, instant.Words)
		}
	}
	f.Publisher, f.Source = r.text("publisher", false), r.text("source", false)
	f.Rules, f.Note = r.text("rules", false), r.text("note", false)
	top := scope{"", 0, doc, 1}
	if n := r.whole(top, "block", true); n != nil {
		f.Game.Block = *n
	}
	if c := r.amount(top, "price", true); c != nil {
		f.Game.Price = *c
	}
	f.Game.Declared.Prizes = r.whole(top, "prizes_total", false)
	f.Game.Declared.Value = r.amount(top, "value_total", false)
	r.prizes(&f.Game)
	r.words(&f.Game)
	fs.check(f.Game, r.lineOf)
	if len(fs.list) > 0 {
		return File{}, fs.sorted()
	}
	return f, nil
}

// known lists the keys of a game file, and of one of its prizes.
var (
	known = []string{"title", "kind", "block", "price", "prizes", "prizes_total",
		"value_total", "publisher", "source", "rules", "note", "symbols", "boards"}
	knownOfPrize = []string{"count", "amount", "line_total"}
)

// A reader takes values out of a decoded document.
type reader struct {
	*faults
	doc   map[string]any
	found places
}

// A scope is the table that values are read from: its path, the prize line it is (0 for
// the document), its content, and the line where it begins.
type scope struct {
	path  string
	prize int
	table map[string]any
	line  int
}

// refuseUnknown adds a fault for each key that no game file has; one for a whole table.
func (r *reader) refuseUnknown(keys []string) {
	allowed := map[string]bool{}
	for _, key := range known {
		allowed[child("", key)] = true
	}
	for list, keys := range map[string][]string{"prizes": knownOfPrize, "boards": {"rows"}} {
		for i := range tables(r.doc[list]) {
			path := element(child("", list), i)
			allowed[path] = true
			for _, key := range keys {
				allowed[child(path, key)] = true
			}
		}
	}
	refused := ""
	for _, path := range keys {
		within := refused != "" && strings.HasPrefix(path, refused)
		if !allowed[path] && !within && !r.insideKnown(path) {
			r.add(r.found[path].line, "unknown_key",
				"there is no key %s in a game file: correct its name or remove it",
				strings.TrimPrefix(path, "."))
			refused = path
		}
	}
}

// insideKnown reports whether the path is a part of a known key that should have been a
// plain value: the fault is then that of the value.
func (r *reader) insideKnown(path string) bool {
	for _, key := range known {
		rest, ok := strings.CutPrefix(path, child("", key))
		list := key == "prizes" || key == "boards"
		if ok && rest != "" && (!list || len(tables(r.doc[key])) == 0 || rowOfBoard.MatchString(path)) {
			return true
		}
	}
	return false
}

// fail adds a fault of a field, and keeps the rules from repeating it.
func (r *reader) fail(at field, path, code, format string, args ...any) {
	r.bad[at] = true
	r.add(max(r.found[path].line, 1), code, format, args...)
}

// missing adds the fault of a key that must be there.
func (r *reader) missing(in scope, key string) {
	r.bad[field{in.prize, key}] = true
	r.add(in.line, "missing_key", "%s is missing: add it", key)
}

// text returns a text of the document.
func (r *reader) text(key string, required bool) string {
	v, ok := r.doc[key]
	if !ok {
		if required {
			r.missing(scope{line: 1}, key)
		}
		return ""
	}
	s, ok := v.(string)
	if !ok {
		r.fail(field{0, key}, child("", key), "not_text",
			"%s is not text: write it between quotation marks", key)
	}
	return s
}

// whole returns a whole number, or nil if it is not there.
func (r *reader) whole(in scope, key string, required bool) *int64 {
	v, ok := in.table[key]
	if !ok {
		if required {
			r.missing(in, key)
		}
		return nil
	}
	n, ok := v.(int64)
	if !ok {
		r.fail(field{in.prize, key}, child(in.path, key), "not_whole",
			"%s is not a whole number: write digits only, such as 1500000", key)
		return nil
	}
	return &n
}

// amount returns an amount of euros, or nil if it is not there. Numbers are read as they
// are written, since a float does not hold cents.
func (r *reader) amount(in scope, key string, required bool) *money.Cents {
	v, ok := in.table[key]
	if !ok {
		if required {
			r.missing(in, key)
		}
		return nil
	}
	path := child(in.path, key)
	written := ""
	switch v := v.(type) {
	case string:
		written = strings.TrimSpace(v)
	case int64, float64:
		written = strings.TrimPrefix(strings.ReplaceAll(r.found[path].raw, "_", ""), "+")
	}
	c, err := money.Parse(written)
	if err != nil {
		r.fail(field{in.prize, key}, path, "not_amount",
			"%s is not an amount in euros: write it as 2.00, with two decimals at most", key)
		return nil
	}
	return &c
}

// tables returns the tables of an array of tables, nil for anything else.
func tables(v any) []map[string]any {
	switch v := v.(type) {
	case []map[string]any:
		return v
	case []any:
		var list []map[string]any
		for _, e := range v {
			table, ok := e.(map[string]any)
			if !ok {
				return nil
			}
			list = append(list, table)
		}
		return list
	}
	return nil
}

// prizes reads the prize table.
func (r *reader) prizes(g *instant.Game) {
	v, ok := r.doc["prizes"]
	list := tables(v)
	if !ok {
		r.missing(scope{line: 1}, "prizes")
		return
	}
	if list == nil {
		r.fail(field{0, "prizes"}, child("", "prizes"), "not_prizes",
			"prizes is not a list of tables: write [[prizes]] and count and amount under it")
		return
	}
	for i, table := range list {
		path := element(child("", "prizes"), i)
		in := scope{path, i + 1, table, max(r.found[path].line, 1)}
		var p instant.Prize
		if n := r.whole(in, "count", true); n != nil {
			p.Count = *n
		}
		if c := r.amount(in, "amount", true); c != nil {
			p.Amount = *c
		}
		g.Table = append(g.Table, p)
		g.Declared.Lines = append(g.Declared.Lines, r.amount(in, "line_total", false))
	}
}

// lineOf returns the line where a field is written, or where it is missed.
func (r *reader) lineOf(at field) int {
	path := child("", at.name)
	if at.line > 0 && at.name == "boards" {
		return max(r.found[element(path, at.line-1)].line, 1)
	}
	if at.line > 0 {
		prize := element(child("", "prizes"), at.line-1)
		path = child(prize, at.name)
		if _, ok := r.found[path]; !ok {
			path = prize
		}
	}
	if (at.name == "prizes" || at.name == "boards") && r.found[path].line == 0 {
		path = element(path, 0)
	}
	return max(r.found[path].line, 1)
}
