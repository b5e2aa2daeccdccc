//go:build !race

package cardfile

import (
	"bytes"
	"testing"
)

// TestRead_LargeHeavy refuses a hundred megabytes of rubbish, and a line of them, at once.
func TestRead_LargeHeavy(t *testing.T) {
	for name, unit := range map[string]string{"one line of numbers": "12 ", "brackets": "[", "blanks": " "} {
		data := bytes.Repeat([]byte(unit), 100<<20/len(unit))
		if _, err := Read("large", data); err == nil {
			t.Errorf("%s: 100 MB are accepted", name)
		}
	}
}
