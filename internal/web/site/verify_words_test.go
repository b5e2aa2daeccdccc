package site_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVerify_EveryStepHasWords holds that whatever the verifier of the browser says, or finds
// broken, stands on its page in words.
func TestVerify_EveryStepHasWords(t *testing.T) {
	t.Parallel()
	h := newStaffHouse(t)
	page := h.signIn(t, "").get("/verify", 200)
	files, err := filepath.Glob("../../../verify/*.mjs")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	step := regexp.MustCompile(`say\("(\w+)"|need\([^;]*?,\s*"([a-z]+)",`)
	seen := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range step.FindAllStringSubmatch(string(text), -1) {
			name := found[1] + found[2]
			if seen++; !strings.Contains(page, `data-word="`+name+`"`) {
				t.Errorf("%s says %q, for which the page has no words", filepath.Base(file), name)
			}
		}
	}
	if seen < 80 {
		t.Errorf("%d steps are found", seen)
	}
}
