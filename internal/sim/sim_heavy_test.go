//go:build !race

package sim

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"boulier/regs/regstest"
)

// lasts is how long the simulation runs. BOULIER_SIM is another time for a longer one, such
// as 10m; BOULIER_SEED is the seed to run again.
const lasts = 4 * time.Second

// TestWorld_HoldsWhateverHappens runs worlds, each of a few hundred steps, until the time is
// over.
func TestWorld_HoldsWhateverHappens(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:1", "house:2", "house:3", "house:5", "house:6", "std:43", "std:53")
	seed, total := rand.Uint64()>>32, lasts
	if text := os.Getenv("BOULIER_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	if text := os.Getenv("BOULIER_SIM"); text != "" {
		var err error
		if total, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	for begun := time.Now(); ; seed++ {
		live(t, seed)
		if t.Failed() || time.Since(begun) >= total {
			return
		}
	}
}

// steps is how many steps a world has.
const steps = 300

// live runs one world.
func live(t *testing.T, seed uint64) {
	t.Helper()
	w, err := New(t.TempDir(), seed)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	defer func() { w.Close() }()
	for n := range steps {
		if err := w.Step(); err != nil {
			t.Errorf("BOULIER_SEED=%d, step %d: %v", seed, n, err)
			return
		}
	}
	if err := w.Finish(); err != nil {
		t.Errorf("BOULIER_SEED=%d, at the end: %v", seed, err)
	}
	t.Logf("seed %d: %v", seed, w.Counts)
}
