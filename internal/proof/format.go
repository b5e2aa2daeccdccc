package proof

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// The formats of exported files, as their first field says.
const (
	FormatUnit    = "boulier/unit/v1"
	FormatBlock   = "boulier/block/v1"
	FormatJournal = "boulier/journal/v1"
	FormatRound   = "boulier/round/v1"
	FormatLoto    = "boulier/loto/v1"
)

// maxLine bounds a line of any file, in bytes.
const maxLine = 1 << 20

// A Hash is 32 bytes, in files 64 lower-case hexadecimal digits.
type Hash [32]byte

// MarshalText returns 64 lower-case hexadecimal digits.
func (h Hash) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

// UnmarshalText reads 64 lower-case hexadecimal digits.
func (h *Hash) UnmarshalText(text []byte) error { return decodeHex(h[:], text) }

// A Salt is that of a payload of the journal, in files 32 hexadecimal digits.
type Salt [16]byte

// MarshalText returns 32 lower-case hexadecimal digits.
func (s Salt) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

// UnmarshalText reads 32 lower-case hexadecimal digits.
func (s *Salt) UnmarshalText(text []byte) error { return decodeHex(s[:], text) }

// decodeHex reads as many digits as fill dst.
func decodeHex(dst, text []byte) error {
	if len(text) != 2*len(dst) {
		return fmt.Errorf("%d hexadecimal digits expected, not %d", 2*len(dst), len(text))
	}
	_, err := hex.Decode(dst, text)
	return err
}

// Path is a Merkle proof: hashes of 32 bytes, in files hexadecimal digits.
type Path []byte

// MarshalText returns lower-case hexadecimal digits.
func (p Path) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, p), nil }

// UnmarshalText reads hexadecimal digits; at most 64 hashes, which no tree exceeds.
func (p *Path) UnmarshalText(text []byte) error {
	if len(text)%64 != 0 || len(text) > 64*64 {
		return fmt.Errorf("a proof of %d hexadecimal digits", len(text))
	}
	*p = make([]byte, len(text)/2)
	return decodeHex(*p, text)
}

// encode returns v in the canonical form: fields in the order of the documentation, no
// space, nothing escaped that need not be.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// errCanonical refuses JSON that means something but is written otherwise.
var errCanonical = errors.New("not in the canonical form: a byte was added, lost or changed")

// decode reads v from its canonical form and refuses anything else.
func decode(text []byte, v any) error {
	if !utf8.Valid(text) {
		return errors.New("not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return jsonError(err)
	}
	again, err := encode(v)
	if err != nil {
		return jsonError(err)
	}
	if !bytes.Equal(again, text) {
		return errCanonical
	}
	return nil
}

// jsonError words an error of encoding/json for people who do not read Go.
func jsonError(err error) error {
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typed):
		return fmt.Errorf("field %q: a %s is not expected here", typed.Field, typed.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the JSON ends too early")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// A Fault says what does not hold, and where.
type Fault struct {
	File string
	Line int // from 1; 0 for the file as a whole
	Err  error
}

// Error gives file, line and what does not hold.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return fmt.Sprintf("%s: %v", f.File, f.Err)
	}
	return fmt.Sprintf("%s:%d: %v", f.File, f.Line, f.Err)
}

// Unwrap returns what does not hold.
func (f *Fault) Unwrap() error { return f.Err }
