// Package snake writes values of the domain as JSON. Domain types carry no tags: their
// exported fields are written in snake_case, in alphabetical order, without spaces, and zero
// fields are left out; nothing is escaped that need not be. So a value has one text, which
// docs/verify.md relies on. A value holds no maps, whose keys would be taken for fields.
package snake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Encode writes a value.
func Encode(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return rewriteKeys(b, snakeCase, true)
}

// Decode reads a value that Encode wrote.
func Decode(b []byte, into any) error {
	plain, err := rewriteKeys(b, func(k string) string { return strings.ReplaceAll(k, "_", "") }, false)
	if err != nil {
		return err
	}
	return json.Unmarshal(plain, into)
}

// snakeCase turns "OpensAt" into "opens_at", and "ID" into "id".
func snakeCase(name string) string {
	var b strings.Builder
	before := 'A'
	for _, r := range name {
		if unicode.IsUpper(r) && !unicode.IsUpper(before) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return b.String()
}

func rewriteKeys(b []byte, key func(string) string, lean bool) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("snake: something follows the value")
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(rewrite(v, key, lean)); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

func rewrite(v any, key func(string) string, lean bool) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = rewrite(v[i], key, lean)
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			if x = rewrite(x, key, lean); !lean || !empty(x) {
				out[key(k)] = x
			}
		}
		return out
	}
	return v
}

// empty reports whether reading nothing gives the same value.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == "" || v == "0001-01-01T00:00:00Z"
	case json.Number:
		return v == "0"
	case bool:
		return !v
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	panic(fmt.Sprintf("snake: %T in JSON", v))
}
