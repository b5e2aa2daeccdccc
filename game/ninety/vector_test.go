package ninety_test

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"boulier/draw"
	"boulier/game/ninety"
)

// sheetText returns the numbers of a sheet, line by line and card by card, the lines parted
// by slashes.
func sheetText(s *ninety.Sheet) string {
	var lines []string
	for _, c := range s {
		for _, row := range c.Grid() {
			var numbers []string
			for _, b := range row {
				if b != 0 {
					numbers = append(numbers, fmt.Sprint(b))
				}
			}
			lines = append(lines, strings.Join(numbers, " "))
		}
	}
	return strings.Join(lines, "/")
}

// TestVectors makes the sheets of testdata/sheets.txt again: a series must come out of its
// seed the same in every version. Each line holds a series, a seed, the number of a sheet,
// its 18 lines, and the SHA-256 of the texts of all sheets up to it, one a line.
func TestVectors(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/sheets.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	checked := 0
	for in := bufio.NewScanner(f); in.Scan(); {
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		var series, seed, digest string
		var number int
		if _, err := fmt.Sscan(in.Text(), &series, &seed, &number, &digest); err != nil {
			t.Fatalf("%q: %v", in.Text(), err)
		}
		_, want, _ := strings.Cut(in.Text(), digest+" ")
		secret, err := draw.ParseSecret(seed)
		if err != nil {
			t.Fatal(err)
		}
		src := draw.NewStream(draw.NinetySheets, draw.ID(series), secret, nil)
		hash := sha256.New()
		var s ninety.Sheet
		for range number {
			s.Deal(src)
			fmt.Fprintln(hash, sheetText(&s))
		}
		if got := sheetText(&s); got != want {
			t.Errorf("sheet %d of %s is\n%s, want\n%s", number, series, got, want)
		}
		if got := fmt.Sprintf("%x", hash.Sum(nil)); got != digest {
			t.Errorf("the sheets of %s up to %d have the digest %s, want %s", series, number, got, digest)
		}
		checked++
	}
	if checked < 4 {
		t.Errorf("only %d vectors", checked)
	}
}
