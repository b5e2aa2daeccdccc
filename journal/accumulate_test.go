package journal

import (
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// TestAccumulator_IsTheTree compares it with the tree after each of 600 leaves.
func TestAccumulator_IsTheTree(t *testing.T) {
	t.Parallel()
	ref := reference(t, 600)
	var a Accumulator
	for n := int64(0); ; n++ {
		want, err := tlog.TreeHash(n, ref)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Head(); got != (Head{n, want}) {
			t.Fatalf("after %d leaves the head is %v, want %v", n, got, want)
		}
		if n == 600 {
			return
		}
		a.Add(leafHash(n))
	}
}
