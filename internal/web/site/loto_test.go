package site_test

import (
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"boulier/game/loto"
	"boulier/internal/proof"
	"boulier/regs/regstest"
)

// TestLoto25_RulesForEverybody: the rules of a day are on its page, and are downloaded
// without signing in, in the language of whoever asks.
func TestLoto25_RulesForEverybody(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:25", "loto:car.5")
	h := newStaffHouse(t)
	h.lotoDay(t)
	visitor := h.signIn(t, "")
	says(t, visitor.get("/", 200), "Loto en salle", "Grand loto du printemps", "En cours")
	page := visitor.get("/loto/1", 200)
	says(t, page, "Télécharger le règlement", "un carton non tamponné est nul", "Les frais d’immatriculation sont à la charge du gagnant.")
	if !strings.Contains(page, `href="/loto/1/rules.pdf"`) {
		t.Error("no link to the rules")
	}
	if pdf := visitor.get("/loto/1/rules.pdf", 200); !strings.HasPrefix(pdf, "%PDF") || len(pdf) < 5000 {
		t.Errorf("the rules are %d bytes: %.20q", len(pdf), pdf)
	}
}

// TestLoto_WhoMayDoWhat: each page is for its role.
func TestLoto_WhoMayDoWhat(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:22", "std:51")
	h := newStaffHouse(t)
	h.lotoDay(t)
	for _, tc := range []struct {
		who, path string
		want      int
	}{
		{"", "/loto/1/screen", 200}, {"", "/loto/1/call", 401}, {"anne", "/loto/1/call", 403},
		{"chloe", "/loto/1/call", 403}, {"chloe", "/loto/1/check", 200}, {"cali", "/loto/1/call", 200},
		{"carla", "/loto/1/check", 403}, {"carla", "/loto/1/desk", 200}, {"cali", "/manage/loto/1", 403},
		{"manon", "/loto/1/call", 200}, {"", "/loto/2", 404}, {"", "/loto/1/r/23456789", 404},
	} {
		h.signIn(t, tc.who).get(tc.path, tc.want)
	}
	h.signIn(t, "chloe").post("/loto/1/call/control", 403, url.Values{})
	caller := h.signIn(t, "cali")
	says(t, caller.post("/loto/1/call/next", 422, url.Values{"seen": {"0"}}), "Un autre poste mène le jeu")
	caller.post("/loto/1/call/control", 200, url.Values{})
	says(t, caller.post("/loto/1/call/round", 422, url.Values{"round": {"1"}}), "Rappelez d’abord les règles")
	caller.post("/loto/1/call/nonsense", 404, url.Values{})
}

// TestLoto24_TheCallerPostpones: whoever calls moves the day between two rounds, and the page
// says what lacks; nobody else does so from there.
func TestLoto24_TheCallerPostpones(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:24")
	h := newStaffHouse(t)
	day := h.lotoDay(t)
	caller, manager := h.signIn(t, "cali"), h.signIn(t, "manon")
	to := url.Values{"date": {"2027-04-11"}, "doors": {"08:00"}, "start": {"11:00"}, "reason": {"Inondation"}}
	says(t, caller.post("/loto/1/call/postpone", 422, to), "Un autre poste mène le jeu")
	caller.post("/loto/1/call/control", 200, url.Values{})
	says(t, manager.post("/loto/1/call/postpone", 422, to), "Un autre poste mène le jeu")
	caller.post("/loto/1/call/recall", 200, url.Values{})
	for _, lacks := range []string{"date", "doors", "start", "reason"} {
		form := maps.Clone(to)
		form.Del(lacks)
		form.Del("request")
		caller.post("/loto/1/call/postpone", 422, form)
	}
	caller.post("/loto/1/call/round", 200, url.Values{"round": {"1"}})
	to.Del("request")
	caller.post("/loto/1/call/postpone", 422, to) // a round is being played
	caller.post("/loto/1/call/close", 200, url.Values{"reason": {"Inondation"}})
	to.Del("request")
	caller.post("/loto/1/call/postpone", 200, to)
	d, _, err := h.Loto.Day(t.Context(), day)
	if err != nil {
		t.Fatal(err)
	}
	if p := d.Session.Plan; d.Session.Phase != loto.Planning || p.Doors.In(h.Ground.Zone).Format("01-02 15:04") != "04-11 08:00" {
		t.Errorf("postponed to %s, the day is %q", p.Doors, d.Session.Phase)
	}
	says(t, manager.get("/manage/loto/1/report", 200), "Inondation")
}

// TestLoto_TakenOver: who takes the calling over does so by a key of its own, so that no stray
// space bar takes it; an exclusion says what is to be paid back, for each purchase of the person.
func TestLoto_TakenOver(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:23", "std:51")
	h := newStaffHouse(t)
	h.lotoDay(t)
	h.drawer(t, h.people["carla"], 1)
	desk, caller, manager := h.signIn(t, "carla"), h.signIn(t, "cali"), h.signIn(t, "manon")
	for range 2 {
		desk.post("/loto/1/desk/sell", 200, url.Values{"sheet6": {"1"}, "means": {"cash"}, "inside": {"yes"}, "stamped": {"yes"}})
	}
	if page := caller.get("/loto/1/call", 200); !strings.Contains(page, `data-key=" "`) {
		t.Error("nobody calls, and the space bar does not take the calling")
	}
	caller.post("/loto/1/call/control", 200, url.Values{})
	if page := manager.get("/loto/1/call", 200); strings.Contains(page, `data-key=" "`) || !strings.Contains(page, `data-key="t"`) {
		t.Error("the space bar takes the calling from another")
	}
	manager.post("/loto/1/call/control", 200, url.Values{})
	says(t, caller.post("/loto/1/call/recall", 422, url.Values{}), "Un autre poste mène le jeu")
	out := url.Values{"card": {"A-3, A-9"}, "desk": {"1"}, "reason": {"Bruit"}}
	says(t, manager.post("/loto/1/call/exclude", 200, out), "rendez 40,00", "caisse 1")
	says(t, manager.post("/loto/1/call/dispute", 200, url.Values{"question": {"Deux mains"}, "decision": {"Les deux"}}), "La décision est consignée")
	says(t, manager.get("/manage/loto/1/report", 200), "Exclusion, 40,00", "Bruit", "Cartons par série")
}

// TestLoto_AProofForEverybody: whoever comes has the file that proves a round once it is closed,
// and that of the day once it is over.
func TestLoto_AProofForEverybody(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "house:5", "loto:12")
	h := newStaffHouse(t)
	h.lotoDay(t)
	caller, manager, visitor := h.signIn(t, "cali"), h.signIn(t, "manon"), h.signIn(t, "")
	caller.post("/loto/1/call/control", 200, url.Values{})
	caller.post("/loto/1/call/recall", 200, url.Values{})
	caller.post("/loto/1/call/round", 200, url.Values{"round": {"1"}})
	caller.post("/loto/1/call/next", 200, url.Values{"seen": {"0"}})
	says(t, visitor.get("/loto/1", 200), "La première preuve sera ici")
	says(t, visitor.get("/loto/1/proof/1", 422), "Cette partie n’est pas terminée")
	caller.post("/loto/1/call/close", 200, url.Values{"reason": {"Inondation"}})
	says(t, visitor.get("/loto/1", 200), "Jusqu’à : Partie 1")
	check := func(address, want string) {
		t.Helper()
		r, err := proof.Verify("loto.jsonl", strings.NewReader(visitor.get(address, 200)), proof.Options{Key: h.Ground.Sealer.VerifierKey()})
		if err != nil || !strings.Contains(strings.Join(r.Lines, "\n"), want) {
			t.Errorf("%s: %v, %q", address, err, r.Lines)
		}
	}
	check("/loto/1/proof/1", "the order of its 1 numbers follows from it")
	for address, status := range map[string]int{"/loto/1/proof/2": 422, "/loto/1/proof/0": 404, "/loto/1/proof/x": 404,
		"/loto/1/proof.jsonl": 422, "/loto/9/proof.jsonl": 404} {
		visitor.get(address, status)
	}
	manager.post("/manage/loto/1/do/close", 200, url.Values{"reason": {"Inondation"}})
	says(t, visitor.get("/loto/1", 200), "Télécharger la preuve de la journée")
	check("/loto/1/proof.jsonl", "1 of")
}

// TestLoto_ReservationAtTheDoor: a reservation gives a free card once; the second time the
// page says when and where the first was.
func TestLoto_ReservationAtTheDoor(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:4", "loto:5")
	h := newStaffHouse(t)
	h.lotoDay(t)
	h.drawer(t, h.people["carla"], 1)
	manager, desk, visitor := h.signIn(t, "manon"), h.signIn(t, "carla"), h.signIn(t, "")
	visitor.post("/loto/1/reserve", 422, url.Values{"holder": {"Camille"}}) // none is taken online
	page := manager.post("/manage/loto/1/reservations", 200, url.Values{"holder": {"Famille Le Goff"}})
	says(t, page, "Pas encore utilisé")
	_, code, _ := strings.Cut(page, "<figcaption>")
	code, _, _ = strings.Cut(code, "</figcaption>")
	sale := url.Values{"card": {"1"}, "means": {"cash"}, "reservation": {code}, "stamped": {"yes"}}
	says(t, desk.post("/loto/1/desk/sell", 200, sale), "Vente 1", "offert", "5,00")
	sale.Del("request")
	says(t, desk.post("/loto/1/desk/sell", 422, sale), "déjà barré", "Barré le", "caisse 1")
	says(t, manager.get("/loto/1/r/"+code, 200), "Barré le", "caisse 1")
	says(t, desk.post("/loto/1/desk/sell", 422, url.Values{"card": {"1"}, "means": {"cheque"}, "inside": {"yes"}}), "pièce d’identité")
	says(t, desk.post("/loto/1/desk/sell", 422, url.Values{"special": {"1"}, "means": {"cash"}, "inside": {"yes"}}), "ne vend pas cela")
	says(t, desk.post("/loto/1/desk/takeback", 200, url.Values{"sale": {"1"}}), "Vente des cartons")
	scan := func(status int, first, last string) string {
		return desk.post("/loto/1/desk/sell", status, url.Values{"scan": {first}, "last": {last}, "means": {"cash"}, "inside": {"yes"}, "stamped": {"yes"}})
	}
	says(t, scan(200, "A-13", "A-30"), "Vente 2", "A-13 → A-18", "A-25 → A-30", "60,00") // three sheets of six
	for _, wrong := range [][2]string{{"A-13 A-19", "A-30"}, {"A-31", "A-30"}, {"A-31", "V-3"}, {"A-31", "A-200"}, {"A-31", "x"}} {
		says(t, scan(422, wrong[0], wrong[1]), "pas confié à cette caisse")
	}
	says(t, manager.get("/loto/1/r/"+code, 200), "Pas encore utilisé")
}

// rowsOf answers the rows of a form: their name and cells, then what each row says; « _ » is
// an empty answer. The only cell of a role is the series.
func rowsOf(form url.Values, cells string, rows ...string) {
	names := strings.Fields(cells)
	for i, row := range rows {
		for k, word := range strings.Fields(row) {
			switch {
			case len(names) == 1 && k == 0:
				form.Set(names[0]+"-"+word, strings.Fields(row)[1])
			case len(names) > 1 && word != "_":
				form.Set(fmt.Sprintf("%s-%d-%s", names[0], i, names[k+1]), word)
			}
		}
	}
}

// TestLoto_PlanInRows: breaks, desks and piles are rows that are added and removed by a button,
// without scripts; nothing is saved by that. What is wrong is said at its row.
func TestLoto_PlanInRows(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:6", "loto:7.tariff", "loto:9")
	h := newStaffHouse(t)
	manager := h.signIn(t, "manon")
	h.plannedLoto(t, manager)
	says(t, manager.get("/manage/loto/1", 200), "Pauses", "Ajouter une pause", "Caisses", "Cartons confiés aux caisses")
	plan := func() loto.Plan {
		d, _, err := h.Loto.Day(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		return d.Session.Plan
	}
	before := plan()
	form := url.Values{"title": {"Grand loto"}, "date": {"2027-03-07"}, "doors": {"08:00"}, "start": {"11:00"}, "online": {"0"},
		"price-card": {"5,50"}, "price-special": {"6"}}
	rowsOf(form, "role", "A ordinary", "V special")
	rowsOf(form, "break title at minutes", "Repas 12:30 75")
	rowsOf(form, "desk number mobility special", "1", "2 yes", "3 _ yes")
	rowsOf(form, "pile desk unit series from to", "1 card A 1 60", "2 card A 61 90", "3 special V 1 60")
	post := func(status int, pressed string, change url.Values) string {
		sent := maps.Clone(form)
		maps.Copy(sent, change)
		sent.Set("rows", pressed)
		return manager.post("/manage/loto/1/plan", status, sent)
	}
	page := post(200, "desk-add", nil)
	if !strings.Contains(page, `name="desk-3-number"`) || strings.Contains(page, `name="desk-4-number"`) {
		t.Error("no desk is added")
	}
	says(t, page, "Rien n’est enregistré")
	page = post(200, "pile-gone-0", nil)
	if strings.Contains(page, `name="pile-2-desk"`) || !regexp.MustCompile(`name="pile-0-from"[^>]*value="61"`).MatchString(page) {
		t.Error("the first pile is not removed")
	}
	if got := plan(); !reflect.DeepEqual(got, before) {
		t.Errorf("a row saved the plan: %+v", got)
	}
	says(t, post(422, "", url.Values{"pile-1-to": {"beaucoup"}}), "nombre entier")
	says(t, post(422, "", url.Values{"break-0-at": {"midi"}}), "heure")
	says(t, post(422, "", url.Values{"role-A": {"special"}}), "Une seule série")
	says(t, post(200, "", url.Values{"pile-1-from": {"55"}}), "Caisse 2, Carton, cartons A-55 à A-60")
	post(200, "", url.Values{"break-1-title": {""}, "break-1-at": {""}, "break-1-minutes": {""}})
	got := plan()
	if len(got.Desks) != 3 || !got.Desks[1].Mobility || !got.Desks[2].Special || len(got.Piles) != 3 || got.Piles[1].From != 61 ||
		len(got.Breaks) != 1 || got.Breaks[0].Length != 75*time.Minute || got.Breaks[0].At.In(h.Ground.Zone).Format("15:04") != "12:30" {
		t.Errorf("saved: %+v", got)
	}
	if price, ok := got.Price(loto.OneCard); !ok || price != 5_50 || len(got.Tariffs) != 2 {
		t.Errorf("the tariff: %+v", got.Tariffs)
	}
	if !regexp.MustCompile(`name="price-card"[^>]*value="5,50"`).MatchString(manager.get("/manage/loto/1", 200)) {
		t.Error("the price is not in the language of the reader")
	}
}

// TestLoto2_ReservedOnline: whoever comes to the public page reserves there, once a form, as
// long as there are any, and gets a page with a code that the door takes.
func TestLoto2_ReservedOnline(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:2", "loto:4", "house:2")
	h := newStaffHouse(t)
	manager, visitor := h.signIn(t, "manon"), h.signIn(t, "")
	h.plannedLoto(t, manager)
	settings := url.Values{"title": {"Grand loto"}, "date": {"2027-03-07"}, "doors": {"08:00"}, "start": {"11:00"}, "online": {"2"},
		"price-card": {"5"}, "price-sheet3": {"12,00"}, "price-sheet6": {"20"}, "price-special": {"6"}}
	rowsOf(settings, "role", "A ordinary", "V special")
	rowsOf(settings, "desk number mobility special", "1", "2 yes", "3 _ yes")
	rowsOf(settings, "pile desk unit series from to", "1 sheet6 A 1 60", "2 card A 61 90", "3 special V 1 60")
	manager.post("/manage/loto/1/plan", 200, settings)
	manager.post("/manage/loto/1/do/open", 200, url.Values{})
	says(t, visitor.get("/loto/1", 200), "Réserver")
	visitor.post("/loto/1/reserve", 422, url.Values{"holder": {" "}})
	form := url.Values{"holder": {"Famille Le Goff"}}
	page := visitor.post("/loto/1/reserve", 200, form)
	says(t, page, "Pas encore utilisé")
	if again := visitor.post("/loto/1/reserve", 200, form); codeOn(again) != codeOn(page) {
		t.Error("the same form makes a second reservation")
	}
	visitor.post("/loto/1/reserve", 200, url.Values{"holder": {"Camille"}})
	says(t, visitor.post("/loto/1/reserve", 422, url.Values{"holder": {"Trop tard"}}), "complet")
	says(t, manager.get("/manage/loto/1/reservations", 200), "Famille Le Goff", "Camille")
	h.drawer(t, h.people["carla"], 1)
	desk := h.signIn(t, "carla")
	desk.post("/loto/1/desk/sell", 422, url.Values{"sheet6": {"1"}, "means": {"cash"}, "stamped": {"yes"}})
	says(t, desk.post("/loto/1/desk/sell", 422, url.Values{"sheet6": {"1"}, "means": {"cash"}, "reservation": {codeOn(page)}}), "ne vend pas cela")
}

// codeOn is the code of the reservation that a page shows.
func codeOn(page string) string {
	_, code, _ := strings.Cut(page, "<figcaption>")
	code, _, _ = strings.Cut(code, "</figcaption>")
	return code
}
