package cardfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// FuzzRead holds that a file is read, and means the same when its cards are written as a
// table, or is refused by one error that names the file and one of its lines.
func FuzzRead(f *testing.F) {
	coded := "code,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27\n1,"
	for _, seed := range []string{
		coded + strings.Join(one, ","), coded + "1,16,,31",
		"4 15 29 37 36 32 47 45 53 51 67 78 77 87 85\n",
		"4 15 29 37 36 32 47 45 53 51 67 78 77\n", // 13 numbers
		"0 15 29 37 36 32 47 45 53 51 67 78 77 87 91\n4 4 29 37 36 32 47 45 53 51 67 78 77 87 85",
		" 1   --   22   33   42   56   --   --   --\n-----\n",
		"\xff\xfe1\x00;\x00", "[1,0,26,null,-1,\"\"]", "[[3, -1, 20, -1, 40, -1, 61, -1, 89]]",
		`{"series":"A","sheets":[{"number":1,"cards":[{"number":1,"rows":[[0,0,0,0,0,0,0,0,1]]}]}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read("f", data)
		if err != nil {
			var e *Error
			last := 1 + bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r"))
			if !errors.As(err, &e) || e.File != "f" || e.Line < 1 || e.Line > last || e.Text == "" {
				t.Fatalf("an error without its place: %#v", err)
			}
			return
		}
		s.Check(Profiles["fr"]) // whatever the cards are, they can be judged
		var table strings.Builder
		for i := range s.Cards {
			c := &s.Cards[i]
			places := c.Numbers
			for _, row := range c.Grid {
				if s.Lined {
					places = append(places, row[:]...)
				}
			}
			fmt.Fprintln(&table, strings.Trim(fmt.Sprint(places), "[]"))
		}
		again, err := Read("again", []byte(table.String()))
		if err != nil {
			t.Fatalf("what it means is refused: %v\n%s", err, table.String())
		}
		for i := range s.Cards {
			if a, b := s.Cards[i], again.Cards[i]; a.Grid != b.Grid || !bytes.Equal(bytesOf(a), bytesOf(b)) {
				t.Fatalf("card %d is %+v, then %+v", i, a, b)
			}
		}
	})
}

// bytesOf returns the numbers of a card without rows.
func bytesOf(c Card) (b []byte) {
	for _, n := range c.Numbers {
		b = append(b, byte(n))
	}
	return b
}
