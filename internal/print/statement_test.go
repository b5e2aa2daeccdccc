package print

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"boulier/money"
	"boulier/regs/regstest"
)

func statementOf(lines ...StatementLine) Statement {
	return Statement{Title: "Relevé", Made: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC),
		Head:    [][2]string{{"Opérateur", "Boulier"}, {"Joueur", "Camille, 7"}},
		Columns: [5]string{"Numéro", "Date", "Mouvement", "Montant", "Solde après"},
		Opening: 10_00, Lines: lines, Before: "Solde avant", Total: "Ensemble", Empty: "Aucun mouvement",
		Page: "Page", Amount: func(c money.Cents) string { return c.String() + " €" }}
}

func TestStatement_AddsUpOrIsNotWritten(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:15")
	for _, tc := range []struct {
		name  string
		lines []StatementLine
		wrong string
	}{
		{"a stake and a prize", []StatementLine{{"1-1", "", "Mise", -2_00, 8_00}, {"1-2", "", "Lot", 5_00, 13_00}}, ""},
		{"no movement", nil, ""},
		{"a cent is missing", []StatementLine{{"1-1", "", "Mise", -2_00, 8_00}, {"1-2", "", "Lot", 4_99, 13_00}}, "line 2"},
		{"the first line does not follow", []StatementLine{{"1-1", "", "Mise", -2_00, 7_00}}, "line 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := WriteStatement(&out, statementOf(tc.lines...))
			if tc.wrong == "" && (err != nil || !bytes.HasPrefix(out.Bytes(), []byte("%PDF-"))) {
				t.Errorf("got %d bytes, %v", out.Len(), err)
			}
			if tc.wrong != "" && (err == nil || !strings.Contains(err.Error(), tc.wrong) || out.Len() > 0) {
				t.Errorf("got %d bytes, error %v, want %q", out.Len(), err, tc.wrong)
			}
		})
	}
}

// TestStatement_TurnsPages: a long statement has the pages that its lines need, and the
// same statement gives the same bytes.
func TestStatement_TurnsPages(t *testing.T) {
	t.Parallel()
	var lines []StatementLine
	balance := money.Cents(10_00)
	for range 200 {
		balance += 1_00
		lines = append(lines, StatementLine{"1-1", "01/12/2026 10:00 CET", "Lot", 1_00, balance})
	}
	var one, two bytes.Buffer
	if err := WriteStatement(&one, statementOf(lines...)); err != nil {
		t.Fatal(err)
	}
	if err := WriteStatement(&two, statementOf(lines...)); err != nil {
		t.Fatal(err)
	}
	if pages := bytes.Count(one.Bytes(), []byte("/Type /Page\n")); pages < 5 || pages > 6 {
		t.Errorf("200 lines took %d pages", pages)
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("the same statement gave other bytes")
	}
}
