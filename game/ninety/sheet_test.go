package ninety

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"runtime"
	"testing"
)

// chance is a Source for tests, the same for the same seed.
type chance struct{ *rand.ChaCha8 }

func (c chance) Uint64n(n uint64) uint64 { return rand.New(c.ChaCha8).Uint64N(n) }

// seeded returns the chance of a label.
func seeded(label string) Source {
	return chance{rand.NewChaCha8(sha256.Sum256([]byte(label)))}
}

// big returns x as a big integer.
func (x wide) big() *big.Int {
	var text [40]byte
	for i, w := range x {
		binary.BigEndian.PutUint64(text[32-8*i:], w)
	}
	return new(big.Int).SetBytes(text[:])
}

func TestTable_CountsTheSheets(t *testing.T) {
	t.Parallel()
	const want = "467711541132248468278363019351514108076722415153589853880320000000000000000000"
	if got := sheets().cols[0].states[0].total.big().String(); got != want {
		t.Errorf("the table counts %s sheets, want %s", got, want)
	}
}

func TestLayouts_Count(t *testing.T) {
	t.Parallel()
	for threes, want := range []int{1710, 639, 240, 90} {
		if got := len(french.layouts()[threes]); got != want {
			t.Errorf("%d layouts for given columns, %d of them of three, want %d", got, threes, want)
		}
	}
}

// BenchmarkTable is to take 100 ms at most, and 20 MB with all that is thrown away.
func BenchmarkTable(b *testing.B) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		newTable(french)
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/1e6, "MB")
}
