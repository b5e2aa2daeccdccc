//go:build !race

package proof

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"boulier/regs/regstest"
)

// maxFlips bounds how many bytes of one export are changed: of a round or a day, which list
// every card, each so many.
const maxFlips = 1500

// TestVerify_RefusesEveryFlippedByteHeavy changes each byte of each export: by turns to
// another digit or letter, and to the other case.
func TestVerify_RefusesEveryFlippedByteHeavy(t *testing.T) {
	regstest.Covers(t, "std:52")
	files := newShop(t, nil).files(t)
	maps.Copy(files, wordFiles(t))
	maps.Copy(files, hallFiles(t))
	maps.Copy(files, lotoFiles(t))
	for name, file := range files {
		if strings.HasSuffix(name, ".txt") || name == "older.jsonl" {
			continue // they are not verified, or a part of another
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			step := 1 + len(file)/maxFlips
			for i := 0; i < len(file); i += step {
				flip := []byte{0x01, 0x20}[i/step%2]
				file[i] ^= flip
				if _, err := Verify(name, bytes.NewReader(file), Options{}); err == nil {
					t.Errorf("byte %d changed to %q and accepted", i, file[i])
				}
				file[i] ^= flip
			}
		})
	}
}
