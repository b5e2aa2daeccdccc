package gamefile

import (
	"fmt"
	"strconv"
	"strings"
)

// A place is where a value of a TOML document stands, and how it is written: the library
// that decodes the document keeps neither, and an amount must not pass through a float.
type place struct {
	line int
	raw  string // as written; only for what is not a table or an array
}

// places maps the path of each key, table and element of the document to its place. Paths
// are quoted keys after dots and indices in brackets: ."prizes"[0]."count".
type places map[string]place

// child returns the path of a key under a path.
func child(path, key string) string { return path + "." + strconv.Quote(key) }

// element returns the path of an element of an array.
func element(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// findPlaces walks through a document that the TOML library has accepted, so that it
// need not tell right from wrong: it follows keys, strings and brackets.
func findPlaces(text string) (found places, keys []string) {
	text = strings.TrimPrefix(text, "\ufeff")
	w := &walker{text: text, line: 1, found: places{}, lists: map[string]int{}}
	table := ""
	for w.skipBlank(); w.i < len(w.text); w.skipBlank() {
		switch {
		case strings.HasPrefix(w.text[w.i:], "[["):
			w.i += 2
			path := w.header()
			w.i++ // the second closing bracket
			table = element(path, w.lists[path])
			w.lists[path]++
			w.record(table, w.line, "")
		case w.text[w.i] == '[':
			w.i++
			table = w.header()
			w.record(table, w.line, "")
		default:
			w.pair(table)
		}
	}
	return w.found, w.keys
}

// A walker is at byte i of the text, on a line counted from 1.
type walker struct {
	text    string
	i, line int
	found   places
	keys    []string       // paths in the order of the document
	lists   map[string]int // elements so far of each array of tables
}

func (w *walker) record(path string, line int, raw string) {
	if _, seen := w.found[path]; !seen {
		w.found[path] = place{line, raw}
		w.keys = append(w.keys, path)
	}
}

// peek returns the byte at hand, 0 at the end.
func (w *walker) peek() byte {
	if w.i < len(w.text) {
		return w.text[w.i]
	}
	return 0
}

// skipSpace skips spaces within a line.
func (w *walker) skipSpace() {
	for w.peek() == ' ' || w.peek() == '\t' {
		w.i++
	}
}

// skipBlank skips spaces, comments and ends of lines.
func (w *walker) skipBlank() {
	for w.i < len(w.text) {
		switch w.text[w.i] {
		case '\n':
			w.line++
		case '#':
			for w.i+1 < len(w.text) && w.text[w.i+1] != '\n' {
				w.i++
			}
		case ' ', '\t', '\r':
		default:
			return
		}
		w.i++
	}
}

// header reads the key of a table header and its closing bracket, and returns the path:
// a key that names an array of tables means the last of its elements.
func (w *walker) header() string {
	path := ""
	keys := w.dotted()
	w.i++ // the closing bracket
	for i, key := range keys {
		path = child(path, key)
		if n := w.lists[path]; n > 0 && i < len(keys)-1 {
			path = element(path, n-1)
		}
	}
	return path
}

// dotted reads keys joined by dots.
func (w *walker) dotted() (keys []string) {
	for {
		w.skipSpace()
		switch w.peek() {
		case '"', '\'':
			keys = append(keys, w.quoted())
		default:
			start := w.i
			for w.i < len(w.text) && !strings.ContainsRune(" \t.=]", rune(w.text[w.i])) {
				w.i++
			}
			keys = append(keys, w.text[start:w.i])
		}
		w.skipSpace()
		if w.peek() != '.' {
			return keys
		}
		w.i++
	}
}

// pair reads a key, the equals sign and a value.
func (w *walker) pair(table string) {
	line := w.line
	path := table
	for _, key := range w.dotted() {
		path = child(path, key)
	}
	w.i++ // the equals sign
	w.skipSpace()
	w.value(path, line)
}

// value reads a value whose key stands on the given line.
func (w *walker) value(path string, line int) {
	start := w.i
	switch w.peek() {
	case '"', '\'':
		w.quoted()
		w.record(path, line, w.text[start:w.i])
	case '[':
		w.record(path, line, "")
		w.list(']', func(i int) { w.value(element(path, i), w.line) })
	case '{':
		w.record(path, line, "")
		w.list('}', func(int) { w.pair(path) })
	default:
		for w.i < len(w.text) && !strings.ContainsRune(",]}#\r\n", rune(w.text[w.i])) {
			w.i++
		}
		w.record(path, line, strings.TrimSpace(w.text[start:w.i]))
	}
}

// list reads the items between brackets, set apart by commas.
func (w *walker) list(closing byte, item func(i int)) {
	w.i++ // the opening bracket
	for i := 0; ; i++ {
		w.skipBlank()
		if w.peek() != closing && w.i < len(w.text) {
			item(i)
			w.skipBlank()
		}
		if w.peek() != ',' {
			w.i++ // the closing bracket
			return
		}
		w.i++
	}
}

// quoted reads a string in any of the four notations and returns its content, with the
// escapes of a basic one-line string resolved as far as keys need.
func (w *walker) quoted() string {
	mark := w.text[w.i : w.i+1]
	long := strings.Repeat(mark, 3)
	if strings.HasPrefix(w.text[w.i:], long) {
		return w.quotedLong(mark, long)
	}
	start := w.i
	for w.i++; w.i < len(w.text) && w.text[w.i:w.i+1] != mark; w.i++ {
		if mark == `"` && w.text[w.i] == '\\' {
			w.i++
		}
	}
	w.i = min(w.i+1, len(w.text))
	if mark == `'` {
		return w.text[start+1 : w.i-1]
	}
	return unescape(w.text[start+1 : w.i-1])
}

// quotedLong skips a string of several lines. The closing marks may follow one or two
// marks of the content.
func (w *walker) quotedLong(mark, long string) string {
	start := w.i
	for w.i += 3; w.i < len(w.text) && !strings.HasPrefix(w.text[w.i:], long); w.i++ {
		if mark == `"` && w.text[w.i] == '\\' {
			w.i++
		}
		if w.peek() == '\n' {
			w.line++
		}
	}
	w.i = min(w.i+3, len(w.text))
	for w.peek() == mark[0] {
		w.i++
	}
	return w.text[start:w.i]
}

// unescape resolves the escapes of a basic string.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i]]
		if digits > 0 && i+digits < len(s) {
			n, _ := strconv.ParseUint(s[i+1:i+1+digits], 16, 32) // accepted by the library
			b.WriteRune(rune(n))
			i += digits
			continue
		}
		if j := strings.IndexByte("btnfre", s[i]); j >= 0 {
			b.WriteByte("\b\t\n\f\r\x1b"[j])
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
