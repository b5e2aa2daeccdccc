package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// parsed returns the command line of serve with a settings file.
func parsed(t *testing.T, file string) (cli, error) {
	t.Helper()
	parser, err := newParser(streams{nil, io.Discard, io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse([]string{"serve", "--data", "d", "--config", file})
	return *parser.Model.Target.Addr().Interface().(*cli), err
}

// FuzzSettings holds that a settings file is refused by one error, with the file and the line
// of what is no TOML, the file and the key of what no flag takes; that one which is taken gives
// each flag what stands there; and that texts reach their flags letter by letter, also in a list.
func FuzzSettings(f *testing.F) {
	f.Add([]byte("node = 7\nlan = true\norigin = 'hall' # ours\nproxies = ['192.0.2.1', '10.0.0.0/8']\n"), "a,b", `c\`)
	f.Add([]byte("node = 'x'"), "", "")
	f.Add([]byte("listen =\n"), "${data}", ",")
	f.Add([]byte("\n\nnode = 1\nnode = 2"), "--help", "~")
	f.Add([]byte("nodes = 1"), "a", "b")
	f.Add([]byte("config = 'x'"), "a", "b")
	f.Add([]byte("proxies = [1, ['a']]"), "\n", "\x00")
	f.Add([]byte("origin = ['a', 'b']"), "@", "'")
	f.Add([]byte("data = {}\nkeys = 1979-05-27"), "é", "\u2028")
	f.Add([]byte("\xff\xfe= 1"), "\xff", "b")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, a, b string) {
		file := filepath.Join(dir, "boulier.toml")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := parsed(t, file)
		var values map[string]any
		if wrong := toml.Unmarshal(data, &values); wrong != nil {
			var place toml.ParseError
			if !errors.As(wrong, &place) {
				place.Position.Line = 1
			}
			if err == nil || !strings.HasPrefix(err.Error(), "settings file "+file+": ") ||
				!strings.Contains(err.Error(), fmt.Sprint("line ", place.Position.Line)) {
				t.Errorf("%q is refused with %v", data, err)
			}
			return
		}
		if err != nil {
			named := func(key string) bool {
				return strings.Contains(err.Error(), "--"+key+": ") || strings.Contains(err.Error(), fmt.Sprintf("%q", key))
			}
			if !slices.ContainsFunc(slices.Collect(maps.Keys(values)), named) {
				t.Errorf("%q is refused with %v", data, err)
			}
		} else if text, ok := values["origin"].(string); ok && got.Serve.Origin != text {
			t.Errorf("%q gives the origin %q", data, got.Serve.Origin)
		}
		if !utf8.ValidString(a + b) {
			return
		}
		var text bytes.Buffer
		if err := toml.NewEncoder(&text).Encode(map[string]any{"origin": a, "proxies": []string{a, b}}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := parsed(t, file); err != nil || got.Serve.Origin != a || !slices.Equal(got.Serve.Proxies, []string{a, b}) {
			t.Errorf("%s gives %q and %q (%v)", &text, got.Serve.Origin, got.Serve.Proxies, err)
		}
	})
}
