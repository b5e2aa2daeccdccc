package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
)

func makeFolder(dir string) error { return os.MkdirAll(dir, 0o700) }

// settings are the values of a TOML file, for the flags that neither the command line nor
// the environment gives. A key is the name of a flag; a key that is no flag of any command
// is refused.
type settings struct {
	file   string
	values map[string]any
}

// loadSettings reads a settings file for kong.
func loadSettings(r io.Reader) (kong.Resolver, error) {
	s := settings{values: map[string]any{}}
	if f, ok := r.(*os.File); ok {
		s.file = " " + f.Name()
	}
	if _, err := toml.NewDecoder(r).Decode(&s.values); err != nil {
		return nil, s.fault("%w", err)
	}
	return s, nil
}

func (s settings) fault(format string, args ...any) error {
	return fmt.Errorf("settings file%s: "+format, append([]any{s.file}, args...)...)
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
	for _, key := range slices.Sorted(maps.Keys(s.values)) {
		if !known[key] || key == "config" || key == "help" {
			return s.fault("unknown key %q", key)
		}
	}
	return nil
}

// isSet reports whether the environment has a variable, if only an empty one.
func isSet(variable string) bool {
	_, set := os.LookupEnv(variable)
	return set
}

// Resolve implements kong.Resolver. The environment comes before the file, and kong has read
// it already.
func (s settings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	v, ok := s.values[flag.Name]
	if !ok || flag.Tag.Get("settings") == "-" || slices.ContainsFunc(flag.Tag.Envs, isSet) {
		return nil, nil
	}
	if _, list := v.([]any); list && !flag.IsSlice() {
		return nil, s.fault("%s is a list, but takes one value", flag.Name)
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case bool, int64:
		return fmt.Sprint(v), nil
	case []any:
		for _, p := range v {
			if _, ok := p.(string); !ok {
				return nil, s.fault("%s is not a list of texts", flag.Name)
			}
		}
		return v, nil // as a list, for a text may hold a comma
	}
	return nil, s.fault("%s has a value of a kind that no flag takes", flag.Name)
}
