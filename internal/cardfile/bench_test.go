package cardfile

import (
	"bytes"
	"testing"
)

// BenchmarkReadCheck reads and checks a table of a million cards.
func BenchmarkReadCheck(b *testing.B) {
	var table bytes.Buffer
	if err := WriteCSV(&table, "T", sheetsOf(166_667)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := Read("t.csv", table.Bytes())
		if err != nil {
			b.Fatal(err)
		}
		if r := s.Check(Profiles["fr"]); !r.OK() || r.Sheets != 166_667 {
			b.Fatalf("%d sheets, %d cards refused", r.Sheets, len(r.Refused))
		}
	}
}
