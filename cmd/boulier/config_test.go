package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSettings_Precedence: a flag, the environment, the settings file, the default, in this order.
func TestSettings_Precedence(t *testing.T) {
	for _, tc := range []struct {
		name, file, env string
		args            []string
		listen, refused string
	}{
		{"the default", "", "", nil, "127.0.0.1:8080", ""},
		{"the file", "listen = 'file:1'", "", nil, "file:1", ""},
		{"the environment", "listen = 'file:1'", "env:1", nil, "env:1", ""},
		{"the flag", "listen = 'file:1'", "env:1", []string{"--listen", "flag:1"}, "flag:1", ""},
		{"a list where one value belongs", "listen = ['a', 'b']", "", nil, "", "listen is a list, but takes one value"},
		{"a list where it belongs", "proxies = ['10.0.0.1', '10.0.0.2']", "", nil, "127.0.0.1:8080", ""},
		{"a key that is no flag", "listn = 'file:1'", "", nil, "", `unknown key "listn"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "boulier.toml")
			if err := os.WriteFile(file, []byte(tc.file), 0o600); err != nil {
				t.Fatal(err)
			}
			if tc.env != "" {
				t.Setenv("BOULIER_LISTEN", tc.env)
			}
			parser, err := newParser(streams{nil, io.Discard, io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			ctx, err := parser.Parse(append([]string{"--config", file, "serve", "--data", "x"}, tc.args...))
			if tc.refused != "" {
				if err == nil || !strings.Contains(err.Error(), tc.refused) {
					t.Errorf("refused with %v, want %s", err, tc.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := ctx.Model.Target.Interface().(cli).Serve.Listen; got != tc.listen {
				t.Errorf("it listens on %q, want %q", got, tc.listen)
			}
		})
	}
}

// TestSettings_NotOfADemo: what a settings file says of the data is meant for the real house.
func TestSettings_NotOfADemo(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "boulier.toml")
	if err := os.WriteFile(file, []byte("data = '/srv/house'"), 0o600); err != nil {
		t.Fatal(err)
	}
	parser, err := newParser(streams{nil, io.Discard, io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := parser.Parse([]string{"--config", file, "demo"})
	if err != nil {
		t.Fatal(err)
	}
	if got := ctx.Model.Target.Interface().(cli).Demo.Data; got != "" {
		t.Errorf("the demonstration is made in %s", got)
	}
}
