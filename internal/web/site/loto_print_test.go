package site_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"boulier/internal/app"
	"boulier/internal/qrscan"
	"boulier/regs/regstest"
)

// paper is a PDF as people see it: the words of its pages, and a picture of the first.
func paper(t *testing.T, pdf string) (words string, picture []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "paper.pdf")
	if err := os.WriteFile(file, []byte(pdf), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("pdftotext", "-layout", file, "-").Output()
	if err != nil {
		t.Fatalf("pdftotext: %v", err)
	}
	if out, err := exec.Command("pdftoppm", "-png", "-r", "110", "-singlefile", file, file).CombinedOutput(); err != nil {
		t.Fatalf("pdftoppm: %v: %s", err, out)
	}
	if picture, err = os.ReadFile(file + ".png"); err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("BOULIER_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "loto-paper-"+filepath.Base(t.Name())+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(strings.Fields(string(text)), " "), picture
}

// TestLoto_WhatIsPrinted reads each print of a day as people do, and the code of a
// reservation as a phone does.
func TestLoto_WhatIsPrinted(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:6", "loto:11", "loto:25", "loto:car.2", "loto:18")
	h := newStaffHouse(t)
	manager := h.signIn(t, "manon")
	h.plannedLoto(t, manager)
	code, err := h.Loto.Reserve(t.Context(), app.LotoAct{Request: app.NewRequestID(), By: h.people["manon"], Day: 1}, "Famille Le Goff")
	if err != nil {
		t.Fatal(err)
	}
	says(t, manager.get("/manage/loto/1/prints", 200), "Affiches des caisses", "Carnet du meneur")
	for name, tc := range map[string]struct {
		path string
		want []string
	}{
		"signs": {"/manage/loto/1/signs.pdf", []string{"Mobilité réduite", "Caisse réservée aux personnes à mobilité réduite",
			"Carte spéciale", "6,00 €", "Plaque de 6", "20,00 €", "Grand loto du printemps"}},
		"book": {"/manage/loto/1/book.pdf", []string{"un carton non tamponné est nul", "Partie 1", "Carton plein", "100,00 €",
			"Un filet garni", "Ordre de sortie", "90", "Voiture"}},
		"blank":        {"/manage/loto/1/callsheet.pdf", []string{"Feuille de tirage", "Quine", "Carton plein", "90"}},
		"reservations": {"/manage/loto/1/reservations.pdf", []string{"Famille Le Goff", code}},
		"rules": {"/loto/1/rules.pdf", []string{"Qui se manifeste après le début du contrôle n’est pas retenu.",
			"les plus grands pions partagent.", "Un filet garni", "5,00 €", "Les frais d’immatriculation"}},
	} {
		t.Run(name, func(t *testing.T) {
			words, picture := paper(t, manager.get(tc.path, 200))
			for _, w := range tc.want {
				if !strings.Contains(words, w) {
					t.Errorf("it does not say %q: %s", w, words)
				}
			}
			if strings.Contains(words, "…") {
				t.Errorf("something is cut: %s", words)
			}
			if name == "reservations" {
				if got, err := qrscan.Read(picture); err != nil || app.ReservationCode(got) != code {
					t.Errorf("the code reads %q, %v", got, err)
				}
			}
		})
	}
	if book := manager.get("/manage/loto/1/reservations.xlsx", 200); !strings.HasPrefix(book, "PK") {
		t.Error("the list of the door is no workbook")
	}
}
