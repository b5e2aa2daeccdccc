package apportion

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		total   int64
		weights []int64
		want    []int64
	}{
		{"even", 900, []int64{1, 1, 1}, []int64{300, 300, 300}},
		{"odd cent to the largest remainder", 1001, []int64{100, 200, 100}, []int64{250, 501, 250}},
		{"equal remainders: the earliest", 100, []int64{1, 1, 1}, []int64{34, 33, 33}},
		{"a weight of nothing gets nothing", 7, []int64{0, 2}, []int64{0, 7}},
		{"nothing to share", 0, []int64{3, 4}, []int64{0, 0}},
		{"near the top of 64 bits", 1<<62 + 1, []int64{1 << 62, 1 << 62}, []int64{1<<61 + 1, 1 << 61}},
	} {
		if diff := cmp.Diff(tc.want, Split(tc.total, tc.weights)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// TestSplit_KeepsEveryUnit checks the two properties that the prizes rely on:
// the shares sum to the total, and none is a full unit away from its fair part.
func TestSplit_KeepsEveryUnit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(0, 1e12).Draw(t, "total")
		weights := rapid.SliceOfN(rapid.Int64Range(1, 1e5), 1, 50).Draw(t, "weights")
		var sum, all int64
		for _, w := range weights {
			all += w
		}
		for i, got := range Split(total, weights) {
			sum += got
			if fair := total * weights[i] / all; got != fair && got != fair+1 {
				t.Errorf("share %d is %d, want %d or %d", i, got, fair, fair+1)
			}
		}
		if sum != total {
			t.Errorf("the shares sum to %d, want %d", sum, total)
		}
	})
}

func TestPart(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name            string
		total, num, den int64
		want            int64
	}{
		{"a whole part", 200, 25, 100, 50},
		{"cut down, not to the nearest", 1000, 2, 3, 666},
		{"nothing of it", 5, 0, 7, 0},
		{"all of it", 5, 7, 7, 5},
		{"near the top of 64 bits", 1<<62 + 3, 1 << 62, 1 << 62, 1<<62 + 3},
	} {
		if got := Part(tc.total, tc.num, tc.den); got != tc.want {
			t.Errorf("%s: Part(%d, %d, %d) = %d, want %d", tc.name, tc.total, tc.num, tc.den, got, tc.want)
		}
	}
}
