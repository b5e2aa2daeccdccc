package site_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/internal/proof"
	"boulier/regs/regstest"
)

// TestStd51_WhoMayOpenWhichPage asks for the pages of work as each role and as nobody.
func TestStd51_WhoMayOpenWhichPage(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:51")
	h := newStaffHouse(t)
	h.OnSale(h.people["manon"], apptest.SmallGame)
	pages := map[string]string{ // page, who may
		"/manage/bingo": "manon", "/manage/bingo/halls": "manon", "/manage/bingo/proposals": "manon", "/manage/bingo/proposals/new": "manon",
		"/manage/bingo/programme": "manon", "/bingo/faults": "manon carla", "/inspect/bingo": "manon ines", "/desk/bingo": "carla", "/desk/bingo/idle": "carla", "/desk/bingo/find?account=anne": "carla",
		"/desk": "carla", "/desk/new": "carla", "/desk/players/5": "carla",
		"/manage": "manon", "/manage/series": "manon", "/manage/series/new": "manon", "/manage/cards": "manon", "/manage/games/new": "manon", "/manage/games/1": "manon",
		"/manage/issues/1": "manon ines", "/manage/issues/1/csv": "manon ines", "/manage/issues/1/pdf": "manon ines",
		"/manage/days": "manon ines", "/manage/days.csv": "manon ines",
		"/admin": "ada", "/admin/staff/new": "ada", "/admin/staff/2": "ada", "/admin/play": "ada", "/admin/keys": "ada",
		"/admin/backups": "ada", "/admin/settings": "ada",
		"/inspect": "ines", "/inspect/streams": "ines", "/inspect/stream?name=rules": "ines", "/inspect/accounts": "ines",
		"/inspect/issues": "ines", "/inspect/journal.jsonl": "ines", "/inspect/checkpoint": "ines",
	}
	for _, who := range []string{"ada", "manon", "carla", "ines", "anne", ""} {
		c := h.signIn(t, who)
		for page, allowed := range pages {
			want := http.StatusForbidden
			switch {
			case who == "":
				want = http.StatusUnauthorized
			case strings.Contains(" "+allowed+" ", " "+who+" "):
				want = http.StatusOK
			}
			c.get(page, want)
		}
	}
}

// TestDesk_ADayByForms is the cashier's day in forms without scripts, with its mistakes.
func TestDesk_ADayByForms(t *testing.T) {
	t.Parallel()
	h := newStaffHouse(t)
	c := h.signIn(t, "carla")
	says(t, c.get("/desk", 200), "Ouvrir un tiroir")
	c.post("/desk/open", 422, url.Values{"desk": {"1"}, "float": {"x"}})
	says(t, c.post("/desk/open", 200, url.Values{"desk": {"1"}, "float": {"20"}}), "le tiroir est ouvert", "20,00")
	says(t, c.get("/desk/find?name=nobody", 404), "Aucun joueur")
	says(t, c.get("/desk/find?name=Anne", 200), "anne · joueur 5", "Créditer")
	says(t, c.post("/desk/players/5/load", 422, url.Values{"load": {"12"}, "means": {"cheque"}}), "pièce d’identité")
	form := url.Values{"load": {"12,50"}, "means": {"cash"}}
	for range 2 { // the same form twice: one entry
		says(t, c.post("/desk/players/5/load", 200, form), "Reçu 1-1", "12,50", h.Vault.Fingerprint())
	}
	says(t, c.post("/desk/players/5/payout", 422, url.Values{"payout": {"12,51"}}), "ne contient pas ce montant")
	says(t, c.post("/desk/players/5/payout", 200, url.Values{"payout": {"2,50"}}), "Reçu 1-2", "Rendez 2,50")
	says(t, c.post("/desk/undo", 422, url.Values{"number": {"1"}}), "Seule la dernière")
	says(t, c.post("/desk/undo", 200, url.Values{"number": {"2"}}), "Annulation de 1-2")
	c.get("/desk/receipts/1/9", 404)
	c.get("/desk/receipts/2/1", 404)
	says(t, c.get("/desk/close", 200), "Attendu : 32,50")
	says(t, c.post("/desk/close", 422, url.Values{"cash": {"32,50"}, "card": {""}, "cheque": {"0"}}), "montant en euros")
	says(t, c.post("/desk/close", 200, url.Values{"cash": {"32,40"}, "card": {"0"}, "cheque": {"0"}}),
		"Tiroir fermé", "−0,10", "juste")
	says(t, c.get("/desk", 200), "Ouvrir un tiroir")
	h.Square()
}

func TestDesk_AccountsAndPasswords(t *testing.T) {
	t.Parallel()
	h := newStaffHouse(t)
	c := h.signIn(t, "carla")
	form := url.Values{"name": {"bob"}, "display": {"Bob"}, "born": {"2015-01-01"}, "temporary": {"abcd-efgh-jkmn"},
		"rules": {"yes"}, "version": {"1"}}
	says(t, c.post("/desk/new", 422, form), "adultes")
	form.Set("born", "1990-01-01")
	form.Del("request")
	says(t, c.post("/desk/new", 200, form), "Le compte est ouvert", "bob · joueur 8")
	form.Del("request")
	says(t, c.post("/desk/new", 422, form), "déjà pris")
	reset := url.Values{"temporary": {"pqrs-tuvw-xyz2"}, "document": {"library_card"}}
	says(t, c.post("/desk/players/8/password", 422, reset), "réponses proposées")
	reset.Set("document", "passport")
	says(t, c.post("/desk/players/8/password", 200, reset), "mot de passe provisoire est donné")
	if _, _, err := h.People.SignIn(t.Context(), "bob", "pqrs-tuvw-xyz2", "::1"); err != nil {
		t.Error(err)
	}
	c.get("/desk/players/1/password", 404) // not a player
}

// upload sends a file with a form.
func (c *client) upload(path, field, name, body string, status int, more url.Values) string {
	c.t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	w.WriteField("request", app.NewRequestID().String())
	for key := range more {
		w.WriteField(key, more.Get(key))
	}
	part, err := w.CreateFormFile(field, name)
	if err != nil {
		c.t.Fatal(err)
	}
	io.WriteString(part, body)
	w.Close()
	r, err := c.Post(c.h.url+path, w.FormDataContentType(), &b)
	return c.read("POST "+path, r, err, status)
}

// TestManage_FromAFileToAClosedIssue imports games, opens an issue, sells, reports, closes.
func TestManage_FromAFileToAClosedIssue(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "instant:2", "instant:3", "std:21", "std:26")
	h := newStaffHouse(t)
	c := h.signIn(t, "manon")
	says(t, c.get("/manage", 200), "Aucune émission", "Aucun jeu")
	faulty := strings.Replace(apptest.SmallGame, "price = 2.00", "price = -2", 1)
	says(t, c.upload("/manage/games", "file", "faux.toml", faulty, 422, nil), "faute", "faux.toml, ligne 4", "price")
	says(t, c.upload("/manage/games", "file", "vide.toml", "", 422, nil), "pas vide")
	says(t, c.upload("/manage/games", "file", "petit.toml", apptest.SmallGame, 200, nil), "Petit jeu", "120,833 %", "29,00")
	table := url.Values{"title": {"Du tableur"}, "block": {"12"}, "price": {"2"}, "source": {"moi"}}
	says(t, c.upload("/manage/tables", "table", "t.csv", "count;amount\n1;15\n2;4,00\n3;2\n", 200, table), "Du tableur", "moi")
	says(t, c.upload("/manage/tables", "table", "t.csv", "count;amount\n1;15\n2;x\n3;2\n", 422, table), "t.csv, ligne 3")

	dates := url.Values{"opens": {"2026-12-01T11:00"}, "closes": {"2026-12-01T10:00"}, "blocks": {"1"}}
	says(t, c.post("/manage/games/1/issues", 422, dates), "La clôture doit venir après")
	dates.Del("request")
	dates.Set("closes", "2026-12-08T11:00")
	says(t, c.post("/manage/games/1/issues", 200, dates), "Petit jeu", "Émission 1")
	for { // the block is made behind the answer
		if issue, _, err := h.Instant.Issue(t.Context(), 1); err != nil || issue.Current != 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	anne := h.people["anne"]
	h.Give(anne, 1000)
	for range 5 {
		if _, err := h.Instant.BuyUnit(t.Context(), app.Purchase{Request: app.NewRequestID(), Player: anne, Issue: 1}); err != nil {
			t.Fatal(err)
		}
	}
	page := c.get("/manage/issues/1", 200)
	says(t, page, "10,00", "Bloc 1")
	if strings.Contains(page, "Lots donnés, bloc") || strings.Contains(c.get("/manage/issues/1?given=1", 200), "Lots donnés, bloc") {
		t.Error("a manager sees the prizes given of an open block (reading I8)")
	}
	says(t, h.signIn(t, "ines").get("/manage/issues/1?given=1", 200), "Lots donnés, bloc 1")
	says(t, c.post("/manage/issues/1/more", 200, url.Values{"blocks": {"1"}}), "se préparent")
	c.get("/blocks/1", 422)
	says(t, c.post("/manage/issues/1/close", 200, url.Values{}), "fermée par ordre", "Lots donnés, bloc 1")
	c.post("/manage/issues/1/close", 422, url.Values{})
	block := h.signIn(t, "").get("/blocks/1", 200)
	if _, err := proof.Verify("block.jsonl", strings.NewReader(block), proof.Options{Key: h.Vault.VerifierKey()}); err != nil {
		t.Error(err)
	}
	sheet := c.get("/manage/issues/1/csv", 200)
	for _, want := range []string{"Petit jeu, émission 1", "Maison;", "Période;", "Établi;", "\n1;", ";5;7;10,00;"} {
		if !strings.Contains(sheet, want) {
			t.Errorf("the spreadsheet lacks %q:\n%s", want, sheet)
		}
	}
	if pdf := c.get("/manage/issues/1/pdf", 200); !strings.HasPrefix(pdf, "%PDF-") {
		t.Errorf("not a PDF: %.20q", pdf)
	}
	says(t, c.get("/manage/days?day=2026-11-30", 200), "Aucune activité")
	if day := c.get("/manage/days.csv?day=2026-11-30", 200); !strings.Contains(day, "Aucune activité") {
		t.Errorf("an empty day: %s", day)
	}
}

func TestAdmin_PeopleKeysAndSuspension(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:4", "std:51", "std:53")
	h := newStaffHouse(t)
	h.OnSale(h.people["manon"], apptest.SmallGame)
	c := h.signIn(t, "ada")
	add := url.Values{"name": {"denis"}, "display": {"Denis"}, "temporary": {"abcd-efgh-jkmn"}}
	says(t, c.post("/admin/staff/new", 422, add), "au moins un rôle")
	add.Set("role_cashier", "yes")
	add.Del("request")
	says(t, c.post("/admin/staff/new", 200, add), "La personne est ajoutée", "denis")
	says(t, c.post("/admin/staff/6", 200, url.Values{"role_manager": {"yes"}, "closed": {"yes"}}), "fermé", "Responsable des jeux")
	says(t, c.post("/admin/staff/1", 422, url.Values{"role_manager": {"yes"}}), "au moins un administrateur")
	c.get("/admin/staff/5", 404) // a player
	off := url.Values{"off": {"yes"}, "target": {"player"}, "player": {"nobody"}, "reason": {"enquête"}}
	says(t, c.post("/admin/play", 422, off), "Aucun joueur")
	off.Set("player", "anne")
	off.Del("request")
	says(t, c.post("/admin/play", 200, off), "C’est suspendu", "enquête", "anne (5)", "ada (1)")
	says(t, c.post("/admin/play", 422, url.Values{"target": {"player/5"}}), "Cette réponse est nécessaire")
	says(t, c.post("/admin/play", 200, url.Values{"target": {"player/5"}, "reason": {"fini"}}), "de nouveau ouvert", "Rien n’est suspendu")
	says(t, c.get("/admin/keys", 200), h.Vault.Fingerprint(), "test.example")
	says(t, c.post("/admin/keys", 200, url.Values{}), "0002")
	says(t, c.post("/admin/backups", 200, url.Values{}), "1 copie", "1.2 Mo")
	says(t, c.post("/admin/settings", 422, url.Values{"desks": {"0"}}), "de 1 à 99")
	says(t, c.post("/admin/settings", 200, url.Values{"operator": {"Amicale"}, "desks": {"2"}}), "gardés")
}

func TestInspect_EverythingAndNothingChanged(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:52")
	h := newStaffHouse(t)
	issue := h.OnSale(h.people["manon"], apptest.SmallGame)
	h.Give(h.people["anne"], 1000)
	if _, err := h.Instant.BuyUnit(t.Context(), app.Purchase{Request: app.NewRequestID(), Player: h.people["anne"], Issue: issue}); err != nil {
		t.Fatal(err)
	}
	c := h.signIn(t, "ines")
	file := c.get("/inspect/journal.jsonl", 200)
	if _, err := proof.Verify("journal.jsonl", strings.NewReader(file), proof.Options{Key: h.Vault.VerifierKey()}); err != nil {
		t.Error(err)
	}
	says(t, c.get("/inspect", 200), h.Vault.Fingerprint(), "Grand livre en EUR : juste", "journal_exported")
	says(t, c.get("/inspect/streams?prefix=instant/", 200), "instant/issue/1", "instant/sales/1")
	says(t, c.get("/inspect/stream?name=instant/sales/1", 200), "unit_sold", `"stake": 200`)
	c.get("/inspect/stream?name=nothing", 404)
	says(t, c.get("/inspect/accounts", 200), "instant:1", "Détenu pour les joueurs")
	says(t, c.get("/inspect/account?path=player:5", 200), "Mise", "Chargement")
	c.get("/inspect/account?path=nothing", 404)
	says(t, c.get("/inspect/issues", 200), "Petit jeu")
}
