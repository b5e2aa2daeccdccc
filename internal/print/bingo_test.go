package print

import (
	"bytes"
	"testing"
	"time"

	"boulier/regs/regstest"
)

// TestArt93_3_AccountCard: the card is one page of the size of a wallet's, and the same card
// gives the same bytes.
func TestArt93_3_AccountCard(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.3")
	c := AccountCard{Title: "Bingo", Operator: "Amicale laïque de Saint-Rémy", Label: "Compte électronique", Number: "12-1-07",
		Lines: []string{"Code sur le billet remis avec la carte."}, QR: "boulier:bingo:12-1-07",
		Made: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)}
	var one, two, other bytes.Buffer
	for _, w := range []*bytes.Buffer{&one, &two} {
		if err := WriteAccountCard(w, c); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) || !bytes.Contains(one.Bytes(), []byte("/MediaBox [0 0 242.65 153.07]")) {
		t.Errorf("the card is another, or not of its size")
	}
	c.QR = "boulier:bingo:12-2-04"
	if err := WriteAccountCard(&other, c); err != nil || bytes.Equal(one.Bytes(), other.Bytes()) {
		t.Errorf("a reissued card has another code: %v", err)
	}
	c.QR = string(make([]byte, 5000))
	if err := WriteAccountCard(&other, c); err == nil {
		t.Error("a code that is no QR code is drawn")
	}
}
