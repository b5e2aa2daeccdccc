package cardfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"boulier/game/ninety"
)

// json reads a JSON document: arrays in arrays down to numbers and blanks, or the object
// that cards make writes. It goes through the document once and keeps only its cards.
func (r *reader) json(text []byte) error {
	j := &jsonReader{reader: r, text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	j.dec.UseNumber()
	var err error
	if firstByte(text) == '[' {
		err = j.array(0)
	} else {
		err = j.object("document")
	}
	if err == nil {
		if _, end := j.dec.Token(); !errors.Is(end, io.EOF) {
			j.here()
			return r.fail("there is something after the end of the JSON document")
		}
		j.here()
		err = r.end()
	}
	return err
}

// jsonReader reads the tokens of a document and knows the line it is at.
type jsonReader struct {
	*reader
	text    []byte
	dec     *json.Decoder
	counted int64 // the line is that of this offset
	sheet   int   // the sheet being read
	code    string
}

// here sets the line to that of the last token.
func (j *jsonReader) here() {
	if at := j.dec.InputOffset(); at > j.counted {
		j.line += bytes.Count(j.text[j.counted:at], []byte("\n"))
		j.counted = at
	}
}

// token returns the next token, or an error at its line.
func (j *jsonReader) token() (json.Token, error) {
	t, err := j.dec.Token()
	j.here()
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		if at := min(max(syntax.Offset-1, j.counted), int64(len(j.text))); at > j.counted {
			j.line += bytes.Count(j.text[j.counted:at], []byte("\n"))
		}
		return nil, j.fail("no JSON: %v", err)
	case err != nil:
		j.line += bytes.Count(bytes.TrimRight(j.text[j.counted:], "\n"), []byte("\n"))
		return nil, j.fail("the JSON document ends too early")
	}
	return t, nil
}

// maxDepth bounds arrays in arrays: sheets of cards of rows of numbers have 4.
const maxDepth = 6

// array reads an array whose opening bracket comes next: of arrays, or of numbers and
// blanks.
func (j *jsonReader) array(depth int) error {
	if err := j.open('[', depth); err != nil {
		return err
	}
	return j.elements(depth)
}

// open takes an opening bracket or brace.
func (j *jsonReader) open(want json.Delim, depth int) error {
	t, err := j.token()
	if err != nil {
		return err
	}
	if t != want || depth > maxDepth {
		return j.fail("no %v is expected here", t)
	}
	return nil
}

// elements reads the rest of an array after its bracket.
func (j *jsonReader) elements(depth int) error {
	line := 0
	var places []ninety.Ball
	for {
		t, err := j.token()
		switch {
		case err != nil:
			return err
		case t == json.Delim(']'):
			return j.places(places, depth, line)
		case t == json.Delim('['):
			if places != nil || depth >= maxDepth {
				return j.fail("numbers and arrays are mixed, or too deep")
			}
			if err := j.elements(depth + 1); err != nil {
				return err
			}
			continue
		}
		b, ok := jsonPlace(t)
		if !ok {
			return j.fail("%s is neither a number of a card nor a blank", clip(text(t)))
		}
		if line == 0 {
			line = j.line
		}
		places = append(places, b)
	}
}

// places takes the numbers of an array. At the top of the document they are cards of 27
// one after the other; below, each array is a row or a card.
func (j *jsonReader) places(places []ninety.Ball, depth, line int) error {
	if len(places) == 0 {
		return nil
	}
	if depth > 0 || len(places) == int(shapeNoRow) {
		return j.add(places, Card{Code: j.code, Sheet: j.sheet})
	}
	if len(places)%int(shapeCard) != 0 {
		j.line = line
		return j.fail("%d numbers and blanks do not make cards of 27", len(places))
	}
	for ; len(places) > 0; places = places[shapeCard:] {
		if err := j.add(places[:shapeCard], Card{}); err != nil {
			return err
		}
	}
	return nil
}

// jsonPlace reads a number or a blank.
func jsonPlace(t json.Token) (ninety.Ball, bool) {
	switch t := t.(type) {
	case nil:
		return 0, true
	case json.Number:
		return place(t.String())
	case string:
		return place(t)
	}
	return 0, false
}

// text returns a token as it reads.
func text(t json.Token) string {
	b, err := json.Marshal(t)
	if err != nil {
		return "this"
	}
	return string(b)
}

// The objects of what cards make writes, and the arrays that hold the next.
var inside = map[string]struct{ key, object string }{
	"document": {"sheets", "sheet"},
	"sheet":    {"cards", "card"},
	"card":     {"rows", ""},
}

// object reads an object of that kind, whose brace comes next.
func (j *jsonReader) object(kind string) error {
	if err := j.open('{', 0); err != nil {
		return err
	}
	return j.members(kind)
}

// members reads the rest of an object after its brace. Keys that are not known are
// refused: they might change the meaning.
func (j *jsonReader) members(kind string) error {
	for {
		t, err := j.token()
		if err != nil {
			return err
		}
		if t == json.Delim('}') {
			return nil
		}
		key, _ := t.(string)
		switch {
		case key == "series" && kind == "document" || key == "number" && kind != "document":
			if err := j.name(kind); err != nil {
				return err
			}
		case key == inside[kind].key && kind == "card":
			if err := j.array(1); err != nil {
				return err
			}
			if err := j.end(); err != nil { // rows of one card are not those of the next
				return err
			}
		case key == inside[kind].key:
			if err := j.objects(inside[kind].object); err != nil {
				return err
			}
		default:
			return j.fail("%q is not a key of a %s", clip(key), kind)
		}
	}
}

// objects reads an array of objects.
func (j *jsonReader) objects(kind string) error {
	if err := j.open('[', 0); err != nil {
		return err
	}
	for j.dec.More() {
		if err := j.object(kind); err != nil {
			return err
		}
	}
	_, err := j.token()
	return err
}

// name reads the value that names an object.
func (j *jsonReader) name(kind string) error {
	t, err := j.token()
	if err != nil {
		return err
	}
	if s, ok := t.(string); ok && kind == "document" {
		j.join(s)
		return nil
	}
	number, _ := t.(json.Number)
	n, err := strconv.Atoi(number.String())
	if err != nil || n < 1 || kind == "document" {
		return j.fail("%s does not name a %s", clip(text(t)), kind)
	}
	if kind == "card" {
		j.code = number.String()
	} else {
		j.sheet = n
	}
	return nil
}
