package draw

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"boulier/regs/regstest"

	"pgregory.net/rapid"
)

// secretOf returns a fixed secret for tests.
func secretOf(text string) Secret { return sha256.Sum256([]byte(text)) }

// streamOf returns a stream of chosen words, to reach the edges of Uint64n by name.
func streamOf(words ...uint64) *Stream {
	s := NewStream("test", "words", Secret{}, nil)
	s.next = len(s.buf) - 8*len(words)
	for i, w := range words {
		for k := range 8 {
			s.buf[s.next+8*i+k] = byte(w >> (8 * k))
		}
	}
	return s
}

func TestUses_AreUnambiguousWithTheirID(t *testing.T) {
	t.Parallel()
	for _, a := range Uses() {
		if strings.ContainsAny(string(a), "\n") || a == "" {
			t.Errorf("use %q has a line feed or is empty", a)
		}
		for _, b := range Uses() {
			if a != b && strings.HasPrefix(string(b), string(a)+"/") {
				t.Errorf("use %q is a prefix of %q", a, b)
			}
		}
	}
}

func TestSecret_IsNeverPrinted(t *testing.T) {
	t.Parallel()
	s := secretOf("printed")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%X", "%q", "%d"} {
		if got := fmt.Sprintf(verb, s); got != "[sealed]" {
			t.Errorf("%s prints %q", verb, got)
		}
	}
	back, err := ParseSecret(s.Reveal())
	if err != nil || back != s {
		t.Errorf("ParseSecret(Reveal()) = %v, %v", back.Reveal(), err)
	}
}

func TestParseHash(t *testing.T) {
	t.Parallel()
	good := strings.Repeat("0a", 32)
	for _, tc := range []struct {
		name, text string
		ok         bool
	}{
		{"64 lower-case digits", good, true},
		{"one digit short", good[1:], false},
		{"one digit more", good + "0", false},
		{"a capital, for one value has one text", strings.ToUpper(good), false},
		{"not a digit", "g" + good[1:], false},
		{"empty", "", false},
	} {
		h, err := ParseHash(tc.text)
		if (err == nil) != tc.ok {
			t.Errorf("%s: %v", tc.name, err)
		}
		if tc.ok && h.String() != tc.text {
			t.Errorf("%s: read back %q", tc.name, h)
		}
	}
}

func TestCommit_ChangesWithEachPart(t *testing.T) {
	t.Parallel()
	base := Commit(InstantBlock, "b1", secretOf("a"))
	for name, other := range map[string]Commitment{
		"use":    Commit(BingoRound, "b1", secretOf("a")),
		"id":     Commit(InstantBlock, "b2", secretOf("a")),
		"secret": Commit(InstantBlock, "b1", secretOf("b")),
	} {
		if other == base {
			t.Errorf("another %s gives the same commitment", name)
		}
	}
}

func TestStd28_Uint64n(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:28")
	const top = math.MaxUint64
	for _, tc := range []struct {
		name  string
		n     uint64
		words []uint64
		want  uint64
	}{
		{"one value takes one word", 1, []uint64{top}, 0},
		{"the smallest word is 0 for a power of two: nothing to reject", 2, []uint64{0}, 0},
		{"the upper half of the words is 1", 2, []uint64{1 << 63}, 1},
		{"2⁶⁴ mod 3 is 1: the word 0 is thrown away", 3, []uint64{0, top}, 2},
		{"2⁶⁴ mod 3 is 1: the word 1 is kept", 3, []uint64{1, top}, 0},
		{"2⁶⁴ mod 90 is 16: the low half 0 is thrown away", 90, []uint64{0, top}, 89},
		{"n above 2⁶³: nearly half the words are thrown away", 1<<63 + 1, []uint64{2, 1}, 0},
		{"the largest n keeps all words but 0", top, []uint64{0, top}, top - 1},
	} {
		if got := streamOf(tc.words...).Uint64n(tc.n); got != tc.want {
			t.Errorf("%s: got %d, want %d", tc.name, got, tc.want)
		}
	}
}

// TestUint64n_IsExactlyUniform counts on words of 8 bits what Uint64n does on 64: each
// value is reached by the same number of words. Then it checks the real function against
// the definition on 128 bits.
func TestUint64n_IsExactlyUniform(t *testing.T) {
	t.Parallel()
	for n := uint64(1); n <= 256; n++ {
		count := make([]int, n)
		for x := range uint64(256) {
			if x*n%256 >= 256%n {
				count[x*n/256]++
			}
		}
		if slices.Min(count) != slices.Max(count) || count[0] == 0 {
			t.Errorf("n = %d: between %d and %d words", n, slices.Min(count), slices.Max(count))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64Range(2, math.MaxUint64).Draw(t, "n")
		x := rapid.Uint64().Draw(t, "x")
		// The last word is never thrown away, since its low half is 2⁶⁴ − n.
		want := n - 1
		if high, low := bits.Mul64(x, n); low >= (math.MaxUint64%n+1)%n {
			want = high
		}
		if got := streamOf(x, math.MaxUint64).Uint64n(n); got != want {
			t.Errorf("Uint64n(%d) of the word %d is %d, want %d", n, x, got, want)
		}
	})
}

func TestUint64n_RefusesZero(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("Uint64n(0) returned")
		}
	}()
	streamOf(1).Uint64n(0)
}

// TestStream_ReadsOneKeystream checks that reads of any sizes and words give the same
// bytes as one long read, across the ends of the buffer.
func TestStream_ReadsOneKeystream(t *testing.T) {
	t.Parallel()
	whole := make([]byte, 1<<14)
	_, _ = NewStream(BingoRound, "r", secretOf("k"), nil).Read(whole)
	rapid.Check(t, func(t *rapid.T) {
		s := NewStream(BingoRound, "r", secretOf("k"), nil)
		var got []byte
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1500), 1, 10).Draw(t, "sizes") {
			p := make([]byte, n)
			_, _ = s.Read(p)
			got = append(got, p...)
			w := s.Uint64()
			for k := range 8 {
				got = append(got, byte(w>>(8*k)))
			}
		}
		if !bytes.Equal(got, whole[:len(got)]) {
			t.Error("the reads differ from one long read")
		}
	})
}

func TestSeeds_AreTheKeystream(t *testing.T) {
	t.Parallel()
	s := NewStream(InstantSeeds, "b", secretOf("k"), []byte("salt"))
	seeds := NewSeeds(InstantSeeds, "b", secretOf("k"), []byte("salt"))
	for i := range uint64(300) {
		var want Seed
		_, _ = s.Read(want[:])
		if got := seeds.At(i); got != want {
			t.Fatalf("seed %d is %x, want %x", i, got, want)
		}
	}
}

// TestShuffle_KeepsEveryElement checks on any list that a shuffle only moves elements.
func TestShuffle_KeepsEveryElement(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(rapid.Int()).Draw(t, "list")
		id := ID(rapid.String().Draw(t, "id"))
		got := slices.Clone(list)
		Shuffle(NewStream(LotoRound, id, secretOf("k"), nil), got)
		slices.Sort(list)
		slices.Sort(got)
		if !slices.Equal(list, got) {
			t.Error("an element was lost or made")
		}
	})
}

// choices replays every sequence of answers a shuffle can get.
type choices struct{ left uint64 }

func (c *choices) Uint64n(n uint64) uint64 {
	v := c.left % n
	c.left /= n
	return v
}

// TestStd30_ShuffleReachesEveryOrderOnce runs a shuffle of five elements on each of the
// 5·4·3·2 sequences of draws: every order comes exactly once.
func TestStd30_ShuffleReachesEveryOrderOnce(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:28", "std:30")
	seen := map[[5]int]int{}
	for i := range uint64(120) {
		list := [5]int{0, 1, 2, 3, 4}
		Shuffle(&choices{i}, list[:])
		seen[list]++
	}
	if len(seen) != 120 {
		t.Errorf("%d orders of 120 were reached", len(seen))
	}
}

// TestStd31_StreamsAreIndependent checks that a change of any part gives another stream.
func TestStd31_StreamsAreIndependent(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:31")
	base := NewStream(InstantOrder, "b", secretOf("k"), []byte("salt")).Uint64()
	for name, s := range map[string]*Stream{
		"use":    NewStream(InstantSeeds, "b", secretOf("k"), []byte("salt")),
		"id":     NewStream(InstantOrder, "c", secretOf("k"), []byte("salt")),
		"secret": NewStream(InstantOrder, "b", secretOf("l"), []byte("salt")),
		"salt":   NewStream(InstantOrder, "b", secretOf("k"), []byte("tlas")),
	} {
		if s.Uint64() == base {
			t.Errorf("another %s gives the same stream", name)
		}
	}
}

// TestStd29_Order90IsUniform counts where each of 90 balls falls over 9 000 draws under
// fixed secrets: chi-square on the 8 100 cells, one place and one ball being fixed.
func TestStd29_Order90IsUniform(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:29")
	const draws = 9000
	var cell [90][90]int
	for d := range draws {
		var balls [90]int
		for i := range balls {
			balls[i] = i
		}
		Shuffle(NewStream(BingoRound, ID(fmt.Sprint(d)), secretOf("chi"), nil), balls[:])
		for place, ball := range balls {
			cell[place][ball]++
		}
	}
	var chi float64
	for _, row := range cell {
		for _, n := range row {
			chi += float64((n-draws/90)*(n-draws/90)) / (draws / 90)
		}
	}
	// Both margins are fixed: 89² degrees of freedom. 99 % of fair generators are within
	// 2.58 standard deviations of the mean.
	free := 89.0 * 89.0
	if dev := math.Abs(chi-free) / math.Sqrt(2*free); dev > 2.58 {
		t.Errorf("chi-square %.0f for %.0f degrees of freedom: %.2f deviations", chi, free, dev)
	}
}
