package proof

import (
	"strings"
	"testing"

	"boulier/regs/regstest"

	"golang.org/x/mod/sumdb/note"
)

func TestArt93_10_OpenWitness(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.10")
	mine, other := newBook(t, "witness.example", 3), newBook(t, "other.example", 4)
	commitment := strings.Repeat("0a", 32)
	sign := func(text string, by *book) string {
		signed, err := note.Sign(&note.Note{Text: text}, by.signer)
		if err != nil {
			t.Fatal(err)
		}
		return string(signed)
	}
	good := sign(WitnessText(17, commitment), mine)
	id, w, err := OpenWitness(good, mine.key)
	if err != nil || id != 17 || w.Commitment != commitment || w.Key != mine.key || w.Signed != good {
		t.Errorf("%d, %+v, %v", id, w, err)
	}
	if err := CheckWitness(17, w); err != nil {
		t.Error(err)
	}
	if err := CheckWitness(18, w); err == nil {
		t.Error("of another round, and it holds")
	}
	for _, tc := range []struct{ name, signed string }{
		{"signed by another", sign(WitnessText(17, commitment), other)},
		{"unsigned", WitnessText(17, commitment)},
		{"a zero before the round", sign(strings.Replace(WitnessText(17, commitment), "17", "017", 1), mine)},
		{"a line more", sign(WitnessText(17, commitment)+"more\n", mine)},
		{"capitals", sign(strings.ToUpper(WitnessText(17, commitment)), mine)},
		{"another round", strings.Replace(good, "17", "18", 1)},
		{"too long", good + strings.Repeat("x", maxWitness)},
	} {
		if _, _, err := OpenWitness(tc.signed, mine.key); err == nil {
			t.Errorf("%s: accepted", tc.name)
		}
	}
	if _, _, err := OpenWitness(good, "x"); err == nil {
		t.Error("a key that is none")
	}
}

// FuzzOpenWitness checks that nothing but what the witness has signed is taken for it.
func FuzzOpenWitness(f *testing.F) {
	mine := newBook(f, "witness.example", 3)
	signed, err := note.Sign(&note.Note{Text: WitnessText(17, strings.Repeat("0a", 32))}, mine.signer)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(signed))
	f.Add("boulier/witness/v1\nround 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if id, _, err := OpenWitness(text, mine.key); err == nil && (text != string(signed) || id != 17) {
			t.Errorf("%q is taken for round %d", text, id)
		}
	})
}
