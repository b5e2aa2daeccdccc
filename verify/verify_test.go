package verify

import (
	"strings"
	"testing"
)

// TestModules_DependOnNothing holds that the modules of the browser import only each other.
func TestModules_DependOnNothing(t *testing.T) {
	t.Parallel()
	entries, err := Modules.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := Modules.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			_, from, imports := strings.Cut(line, ` from "`)
			if !imports || strings.HasPrefix(strings.TrimSpace(line), "*") {
				continue
			}
			name, _, _ := strings.Cut(from, `"`)
			if _, err := Modules.Open(strings.TrimPrefix(name, "./")); err != nil {
				t.Errorf("%s imports %s, which the browser does not get", e.Name(), name)
			}
		}
		if strings.Contains(string(text), "crypto.subtle") || strings.Contains(string(text), "fetch(") {
			t.Errorf("%s leans on its surroundings", e.Name())
		}
	}
}
