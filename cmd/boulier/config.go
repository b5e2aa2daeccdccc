package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
)

func makeFolder(dir string) error { return os.MkdirAll(dir, 0o700) }

// settings are the values of a TOML file, for the flags that neither the command line nor
// the environment gives. A key is the name of a flag; a key that is no flag of any command
// is refused.
type settings map[string]any

// loadSettings reads a settings file for kong.
func loadSettings(r io.Reader) (kong.Resolver, error) {
	s := settings{}
	if _, err := toml.NewDecoder(r).Decode(&s); err != nil {
		return nil, fmt.Errorf("settings file: %w", err)
	}
	return s, nil
}

// Validate implements kong.Resolver.
func (s settings) Validate(app *kong.Application) error {
	known := map[string]bool{}
	var walk func(*kong.Node)
	walk = func(n *kong.Node) {
		for _, f := range n.Flags {
			known[f.Name] = true
		}
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(app.Node)
	for key := range s {
		if !known[key] || key == "config" || key == "help" {
			return fmt.Errorf("settings file: unknown key %q", key)
		}
	}
	return nil
}

// Resolve implements kong.Resolver.
func (s settings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	v, ok := s[flag.Name]
	if !ok {
		return nil, nil
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case bool, int64:
		return fmt.Sprint(v), nil
	case []any:
		parts := make([]string, len(v))
		for i, p := range v {
			text, ok := p.(string)
			if !ok {
				return nil, fmt.Errorf("settings file: %s is not a list of texts", flag.Name)
			}
			parts[i] = text
		}
		return strings.Join(parts, ","), nil
	}
	return nil, fmt.Errorf("settings file: %s has a value of a kind that no flag takes", flag.Name)
}
