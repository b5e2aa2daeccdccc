package cardfile

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"boulier/game/ninety"
)

// decode returns the file as UTF-8 without a mark at its head.
func (r *reader) decode(data []byte) ([]byte, error) {
	if len(data) > maxSize {
		return nil, r.fail("the file is larger than %d MB: split it", maxSize>>20)
	}
	if text, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		data = text
	}
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		order, data = binary.LittleEndian, data[2:]
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		order, data = binary.BigEndian, data[2:]
	case len(data) > 1 && data[0] != 0 && data[1] == 0: // text of cards starts in ASCII
		order = binary.LittleEndian
	case len(data) > 1 && data[0] == 0 && data[1] != 0:
		order = binary.BigEndian
	}
	if order != nil {
		if len(data)%2 == 1 {
			return nil, r.fail("the file starts as UTF-16 and ends in half a character: copy it again")
		}
		units := make([]uint16, len(data)/2)
		for i := range units {
			units[i] = order.Uint16(data[2*i:])
		}
		return []byte(string(utf16.Decode(units))), nil
	}
	if bad := firstInvalid(data); bad >= 0 {
		r.line += bytes.Count(data[:bad], []byte("\n"))
		return nil, r.fail("byte %#x is no UTF-8 text: save the file as UTF-8 or UTF-16", data[bad])
	}
	return data, nil
}

// firstInvalid returns where data stops being UTF-8 text, or -1. A NUL is no text.
func firstInvalid(data []byte) int {
	if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
		return -1
	}
	for i := 0; i < len(data); {
		c, n := utf8.DecodeRune(data[i:])
		if c == 0 || c == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// firstByte returns the first byte that is no white space, or 0.
func firstByte(text []byte) byte {
	if rest := bytes.TrimLeft(text, " \t\r\n"); len(rest) > 0 {
		return rest[0]
	}
	return 0
}

// maxLine bounds a line: a card and its names take some hundred characters.
const maxLine = 1 << 14

// lines reads a text of lines: a table with a header, or rows, or cards.
func (r *reader) lines(text []byte) error {
	var table *header
	started := false
	for len(text) > 0 {
		var line string
		line, text = cutLine(text)
		if len(line) > maxLine {
			return r.fail("a line of more than %d characters shows no card", maxLine)
		}
		if trimmed := strings.TrimSpace(line); trimmed != "" {
			fields := split(line)
			// Under a header only a line that starts like it can be another.
			var h *header
			if table == nil || strings.EqualFold(fields[0], table.first) {
				h = newHeader(fields)
			}
			if h != nil {
				if started {
					return r.fail("a second header: keep one table in a file")
				}
				table, started = h, true
			} else if err := r.textLine(trimmed, fields, table, &started); err != nil {
				return err
			}
		}
		r.line++
	}
	if r.line > 1 {
		r.line-- // errors at the end belong to the last line
	}
	return r.end()
}

// textLine reads one line that is not blank and no header.
func (r *reader) textLine(line string, fields []string, table *header, started *bool) error {
	if table != nil {
		return r.tableLine(fields, table)
	}
	if decoration(line) {
		return nil
	}
	*started = true
	places, err := r.places(fields)
	if err != nil {
		return err
	}
	return r.add(places, Card{})
}

// cutLine returns the first line of text without its end, and the rest.
func cutLine(text []byte) (line string, rest []byte) {
	window := text[:min(len(text), maxLine+1)] // longer lines are refused
	i := bytes.IndexAny(window, "\r\n")
	if i < 0 {
		return string(window), text[len(window):]
	}
	end := i + 1
	if text[i] == '\r' && end < len(text) && text[end] == '\n' {
		end++
	}
	return string(text[:i]), text[end:]
}

// decoration reports whether a line between cards shows none: a rule, or a title, which
// starts with a letter.
func decoration(line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	if 'A' <= first && first <= 'Z' || 'a' <= first && first <= 'z' || first >= utf8.RuneSelf {
		return true
	}
	return strings.Trim(line, "-=_*#+|. ") == "" && !strings.ContainsAny(strings.TrimSpace(line), " \t,;")
}

// split returns the fields of a line, parted by the first of these that it has: semicolon,
// tab, comma, bar, spaces.
func split(line string) []string {
	for _, by := range []string{";", "\t", ",", "|"} {
		if strings.Contains(line, by) {
			if by == "|" { // the frame of a printed card
				line = strings.Trim(strings.TrimSpace(line), "|")
			}
			fields := strings.Split(line, by)
			for i, f := range fields {
				fields[i] = strings.Trim(strings.TrimSpace(f), `"`)
			}
			return fields
		}
	}
	return strings.Fields(line)
}

// places reads numbers and blanks.
func (r *reader) places(fields []string) ([]ninety.Ball, error) {
	places := make([]ninety.Ball, 0, shapeCard)
	for _, f := range fields {
		b, ok := place(f)
		if !ok {
			return nil, r.fail("%q is neither a number nor a blank", clip(f))
		}
		places = append(places, b)
	}
	return places, nil
}

// place reads one number up to 255, or a blank as 0.
func place(f string) (b ninety.Ball, ok bool) {
	f = strings.TrimSpace(f)
	if strings.Trim(f, "-._") == "" || f == "-1" || strings.EqualFold(f, "null") {
		return 0, true
	}
	if len(f) > 3 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(f) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return ninety.Ball(n), n <= 255
}

// clip shortens what a message quotes.
func clip(text string) string {
	if len(text) > 24 {
		return strings.ToValidUTF8(text[:24], "") + "…"
	}
	return text
}
