package site_test

import (
	"bytes"
	"image"
	"image/png"
	"net/url"
	"strings"
	"testing"
	"time"

	"boulier/regs/regstest"
)

// waitSeries asks for the page of a series until its cards are made.
func waitSeries(c *client, name string) string {
	c.t.Helper()
	for range 600 {
		page := c.get("/manage/series/"+name, 200)
		if strings.Contains(text(page), "Enregistrée") {
			return page
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.t.Fatalf("series %s is never made", name)
	return ""
}

// TestArt10_SeriesByForms is the manager's work on cards in forms without scripts.
func TestArt10_SeriesByForms(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:10")
	h := newStaffHouse(t)
	c := h.signIn(t, "manon")
	says(t, c.get("/manage/series", 200), "Aucune série")
	order := url.Values{"name": {"a"}, "title": {"Loto du club"}, "value": {"5.00"}, "sheets": {"4"}}
	c.post("/manage/series/new", 422, url.Values{"name": {"A"}, "title": {"Loto"}, "value": {"x"}, "sheets": {"0"}})
	says(t, c.post("/manage/series/new", 422, url.Values{"name": {"9A"}, "title": {"Loto"}, "value": {"0"}, "sheets": {"1"}}),
		"capitales et chiffres")
	says(t, c.post("/manage/series/new", 200, order), "Série A commandée")
	says(t, waitSeries(c, "A"), "Loto du club", "5,00", "1 à 24", "Engagement de la graine")
	order.Del("request")
	says(t, c.post("/manage/series/new", 422, order), "porte déjà ce nom")

	pdf := c.upload("/manage/series/A/print", "logos", "", "", 200, url.Values{"from": {"1"}, "to": {"7"}, "layout": {"3"}})
	if !strings.HasPrefix(pdf, "%PDF") {
		t.Errorf("the print is no PDF: %.40q", pdf)
	}
	says(t, c.get("/manage/series/A", 200), "déjà imprimés", "1 à 7")
	c.upload("/manage/series/A/print", "logos", "", "", 422, url.Values{"from": {"1"}, "to": {"25"}, "layout": {"3"}})
	c.upload("/manage/series/A/print", "logos", "", "", 422, url.Values{"from": {"7"}, "to": {"1"}, "layout": {"3"}})
	c.upload("/manage/series/A/print", "logos", "", "", 422, url.Values{"from": {"1"}, "to": {"7"}, "layout": {"4"}})
	c.upload("/manage/series/B/print", "logos", "", "", 404, url.Values{"from": {"1"}, "to": {"7"}, "layout": {"3"}})
	c.get("/manage/series/B", 404)

	var logo bytes.Buffer
	if err := png.Encode(&logo, image.NewGray16(image.Rect(0, 0, 300, 100))); err != nil {
		t.Fatal(err)
	}
	cards := url.Values{"from": {"1"}, "to": {"7"}, "layout": {"3"}}
	with := c.upload("/manage/series/A/print", "logos", "logo.png", logo.String(), 200, cards)
	if n := strings.Count(with, "/Subtype /Image"); n < 1 || len(with) <= len(pdf) {
		t.Errorf("the print holds no logo: %d pictures, %d bytes, %d without", n, len(with), len(pdf))
	}
	says(t, c.upload("/manage/series/A/print", "logos", "logo.png", "not a picture", 422, cards), "Un logo ne peut pas")

	says(t, c.post("/manage/cards", 200, url.Values{"serial": {"a 7"}}), "Carton A-7", "Code non vérifié")
	says(t, c.post("/manage/cards", 200, url.Values{"serial": {"A-7"}, "code": {"0000-0000"}}), "Le code est faux")
	says(t, c.post("/manage/cards", 200, url.Values{"serial": {"A-7 0000-0000"}}), "Le code est faux")
	says(t, c.post("/manage/cards", 404, url.Values{"serial": {"A-25"}}), "Aucun carton enregistré")
	c.post("/manage/cards", 422, url.Values{"serial": {""}})
}

// TestArt10_SeriesFromAFile sends the files of printers, good and bad.
func TestArt10_SeriesFromAFile(t *testing.T) {
	t.Parallel()
	h := newStaffHouse(t)
	c := h.signIn(t, "manon")
	more := url.Values{"p-name": {"b"}, "p-title": {"Loto"}, "p-value": {"0"}, "p-profile": {"free"}}
	const good = "4 15 29 37 36 32 47 45 53 51 67 78 77 87 85\n"
	says(t, c.upload("/manage/series/import", "file", "faux.txt", good+"1 2\n", 422, more),
		"1 faute dans le fichier", "faux.txt, ligne 2", "ne se lit pas")
	says(t, c.upload("/manage/series/import", "file", "faux.txt", good+good, 422, more),
		"faux.txt, ligne 2", "Ce carton existe déjà")
	c.upload("/manage/series/import", "file", "vide.txt", "", 422, more)
	says(t, c.upload("/manage/series/import", "file", "bon.txt", good, 200, more), "Série B enregistrée",
		"carton plein", "bon.txt")
	says(t, c.upload("/manage/series/import", "file", "bon.txt", good, 422, more), "porte déjà ce nom")
	says(t, c.post("/manage/cards", 200, url.Values{"serial": {"B-1"}}), "Carton B-1", "carton plein")
}
