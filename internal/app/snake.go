package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// Domain types carry no JSON tags. encodeSnake writes the exported fields of such a value
// as JSON in snake_case, and decodeSnake reads that again. A value holds no maps, whose
// keys would be taken for fields; zero fields are left out.

func encodeSnake(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return rewriteKeys(b, snakeCase, true)
}

func decodeSnake(b []byte, into any) error {
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
	return json.Marshal(rewrite(v, key, lean))
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
	panic(fmt.Sprintf("app: %T in JSON", v))
}

// A snakeCell is a named state of a domain type, kept as encodeSnake writes it.
type snakeCell[T any] string

func (c snakeCell[T]) decode(b []byte) (any, error) {
	var v T
	err := decodeSnake(b, &v)
	return v, err
}

// Get returns the state as it stands in the transaction.
func (c snakeCell[T]) Get(tx Tx) (T, error) {
	var none T
	v, err := tx.Get(string(c), c.decode)
	if err != nil || v == nil {
		return none, err
	}
	return v.(T), nil
}

// Put replaces the state.
func (c snakeCell[T]) Put(tx Tx, v T) { tx.Put(string(c), v, encodeSnake) }
