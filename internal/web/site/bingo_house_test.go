package site_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/player"
	"boulier/regs/regstest"
)

// usualRound are the answers of a proposal.
func usualRound(change ...string) url.Values {
	v := url.Values{"title": {"Partie du soir"}, "authorization": {"CRAJ 2026-118"}, "max": {"2"}, "most": {"24"},
		"sale": {"60"}, "rhythm": {"3"}, "price-0": {"1"}, "series-0": {"a b"}, "size-0": {"60"},
		"rate-0": {"10"}, "rate-1": {"60"}}
	for i := 0; i < len(change); i += 2 {
		v.Set(change[i], change[i+1])
	}
	return v
}

// bingoDay prepares a bingo by the pages of the manager, and opens its day.
func (h *staffHouse) bingoDay(t *testing.T) (codes []string) {
	t.Helper()
	for _, series := range []ninety.Series{"A", "B"} {
		if err := h.Cards.Order(t.Context(), app.MadeSeries{Request: app.NewRequestID(), By: h.people["manon"], Name: series,
			Sheets: 10, Value: 100, Title: "Bingo"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Cards.MakeWanted(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := h.signIn(t, "manon")
	says(t, c.get("/manage/bingo", 200), "La session est fermée", "Le programme est vide")
	says(t, c.get("/manage/bingo/halls", 200), "Ajouter une salle")
	says(t, c.post("/manage/bingo/halls", 200, url.Values{"name": {"Salle des fêtes"}, "place": {"Saint-Rémy"}}), "La salle est ajoutée")
	says(t, c.post("/manage/bingo/halls", 422, url.Values{"name": {"Salle des fêtes"}, "place": {"Saint-Rémy"}}), "seule à porter")
	for _, name := range []string{"T1", "T2"} {
		form := url.Values{"hall": {"Salle des fêtes, Saint-Rémy"}, "terminal": {name}}
		page := c.post("/manage/bingo/terminals", 200, form)
		says(t, page, "Code de "+name)
		code := strings.ReplaceAll(shownCode.FindStringSubmatch(page)[1], " ", "")
		if got, err := h.Bingo.Terminal(t.Context(), code); err != nil || got.Name != name {
			t.Fatalf("the code %q gives %+v, %v", code, got, err)
		}
		codes = append(codes, code)
		says(t, c.post("/manage/bingo/terminals", 200, form), "a déjà été montré") // the form sent again
	}
	says(t, c.post("/manage/bingo/proposals", 200, usualRound()), "elle peut se jouer", "Partie du soir", "En vigueur")
	says(t, c.get("/manage/bingo/programme", 200), "Partie du soir")
	says(t, c.post("/manage/bingo/programme", 200, url.Values{"proposal-0": {"1"}, "rounds-0": {"3"}, "do": {"save"}}),
		"Le programme est enregistré", "Parties 1 à 3", "La 3 est la dernière")
	says(t, c.post("/manage/bingo/do/open", 200, url.Values{}), "La session est ouverte")
	return codes
}

var shownCode = regexp.MustCompile(`(?s)class="code-large">.*?<code class="code">([0-9a-f ]+)</code>`)

// due lets the bingo do what is due.
func (h *staffHouse) due(t *testing.T) {
	t.Helper()
	if err := app.DoDue(t.Context(), h.Ground, h.Instant, h.Contests, h.Bingo); err != nil {
		t.Fatal(err)
	}
}

// bingoUntil lets the clock go on until the round that is played, or was last, is as wished.
func (h *staffHouse) bingoUntil(t *testing.T, wished func(s bingo.Session, r bingo.Round) bool) bingo.Round {
	t.Helper()
	var last bingo.RoundID
	for range 400 {
		s, err := h.Bingo.Session(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var r bingo.Round
		if s.Playing != 0 {
			last = s.Playing
		}
		if last != 0 {
			if r, _, err = h.Bingo.Round(t.Context(), last); err != nil {
				t.Fatal(err)
			}
		}
		if wished(s, r) {
			return r
		}
		if at := r.Due(); at.After(h.Now()) {
			h.Clock.Move(at.Sub(h.Now()))
		}
		h.due(t)
	}
	t.Fatal("the bingo never is as wished")
	return bingo.Round{}
}

// selling brings the day to the open sale of a round of this number.
func (h *staffHouse) selling(t *testing.T, number int) bingo.Round {
	t.Helper()
	return h.bingoUntil(t, func(s bingo.Session, r bingo.Round) bool { return r.Number == number && r.Phase == bingo.Selling })
}

// over brings a round to its end and lets its secret be published.
func (h *staffHouse) over(t *testing.T, id bingo.RoundID) bingo.Round {
	t.Helper()
	return h.bingoUntil(t, func(s bingo.Session, r bingo.Round) bool { return r.ID == id && r.Secret != "" })
}

// TestBingo_TheManagersDay leads a day by forms: proposals and their faults, a change of
// prizes that is announced, pause, last round, void, faults, end.
func TestBingo_TheManagersDay(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.5", "bingo:93.11", "bingo:93.15")
	h := newStaffHouse(t)
	codes := h.bingoDay(t)
	c := h.signIn(t, "manon")
	for _, tc := range []struct {
		says   string
		change []string
	}{
		{"Chaque prix de carton doit être positif", []string{"price-0", "2,01"}},
		{"Cette réponse est nécessaire", []string{"authorization", ""}},
		{"au moins 70 % des ventes", []string{"rate-1", "50"}},
		{"Donnez une part des ventes ou un montant", []string{"amount-1", "50"}},
		{"Écrivez une part de 0 à 100", []string{"rate-0", "101"}},
		{"Cochez au moins une place", []string{"goal-2", "drawn", "name-2", "croix", "rate-2", "5"}},
		{"un nombre de boules de 1 à 90", []string{"pot-0", "Or", "within-0", "40", "feed-0", "10", "keep-0", "70", "cap-0", "x"}},
	} {
		page := c.post("/manage/bingo/proposals", 422, usualRound(tc.change...))
		if tc.change[0] == "pot-0" {
			says(t, page, "Vérifiez")
			continue
		}
		says(t, page, tc.says)
	}
	// Other prizes are a change: announced at once, played five days later.
	rich := usualRound("title", "Partie riche", "goal-2", "drawn", "name-2", "Coins", "rate-2", "5,5",
		"cell-2-0", "yes", "cell-2-4", "yes", "cell-2-10", "yes", "cell-2-14", "yes")
	says(t, c.post("/manage/bingo/proposals", 200, rich), "se joueront dès le", "Partie riche", "Coins 5,5 %", "Notification (PDF)")
	if p, err := h.Bingo.Proposal(t.Context(), 2); err != nil || p.Newest().Proposal.Prizes[1].Pattern != 1|1<<4|1<<10|1<<14 {
		t.Errorf("the drawn pattern is %+v, %v", p.Newest().Proposal.Prizes, err)
	}
	if pdf := c.get("/manage/bingo/notices/2/1", 200); !strings.HasPrefix(pdf, "%PDF") {
		t.Errorf("the notice is %.20q", pdf)
	}
	c.get("/manage/bingo/notices/1/1", 404)
	says(t, c.get("/manage/bingo", 200), "Les lots de « Partie riche » changent le")
	says(t, h.signIn(t, "").get("/bingo", 200), "Les lots de « Partie riche » changent le", "Coins 5,5 %")
	terminal := h.signIn(t, "")
	terminal.post("/bingo/terminal/authorize", 200, url.Values{"code": {codes[0]}})
	says(t, terminal.get("/bingo/terminal", 200), "Les lots de « Partie riche » changent le")
	says(t, c.get("/manage/bingo/proposals/2", 200), "S’applique le")
	says(t, c.post("/manage/bingo/programme", 422, url.Values{"proposal-0": {"2"}, "rounds-0": {"1"}, "do": {"change"}, "from": {"1"}}),
		"cinq jours doivent passer")

	first := h.selling(t, 1)
	// In the sale, too, in the hall and at the terminal (bingo:93.11).
	says(t, h.signIn(t, "").get("/bingo/hall", 200), "Les lots de « Partie riche » changent le", "Coins 5,5 %")
	says(t, terminal.get("/bingo/terminal", 200), "Les lots de « Partie riche » changent le")
	if page := terminal.get("/bingo/terminal", 200); strings.Contains(page, "data-last-mark>") {
		t.Error("the first round of three is announced as the last one")
	}
	says(t, c.get("/manage/bingo", 200), "Partie 1 · Partie du soir", "Cartons en vente", "Mettre en pause", "Parties 2 à 3")
	says(t, c.post("/manage/bingo/do/pause", 422, url.Values{}), "Cette réponse est nécessaire")
	says(t, c.post("/manage/bingo/do/pause", 200, url.Values{"pause": {"repas"}}), "s’arrête après la partie en cours", "En pause")
	says(t, c.post("/manage/bingo/do/close", 422, url.Values{}), "partie en cours")
	h.over(t, first.ID)
	says(t, c.get("/manage/bingo", 200), "La session est en pause", "Parties du jour")
	says(t, c.post("/manage/bingo/do/resume", 200, url.Values{}), "La session reprend")
	says(t, c.post("/manage/bingo/do/last", 200, url.Values{"last": {"2"}}), "fixée et annoncée")
	second := h.selling(t, 2)
	if page := terminal.get("/bingo/terminal", 200); !second.Last || !strings.Contains(page, "data-last-mark>") {
		t.Error("the terminal does not say that this is the last round (bingo:93.15)")
	}
	if page := h.signIn(t, "").get("/bingo/hall", 200); !strings.Contains(page, "data-last-mark>") {
		t.Error("the screen of the hall does not say that this is the last round")
	}
	says(t, c.get("/manage/bingo", 200), "Dernière partie")

	cashier := h.signIn(t, "carla")
	says(t, cashier.get("/bingo/faults", 200), "Inscrire une panne", "T1")
	says(t, cashier.post("/bingo/faults", 200, url.Values{"round": {"2"}, "terminal": {"1"}, "what": {"écran noir"}}), "La panne est inscrite", "écran noir", "Personne n’y a acheté")
	says(t, cashier.post("/bingo/faults/refund", 422, url.Values{"round": {"2"}, "terminal": {"1"}, "account": {"5"}}), "rien à rembourser")
	void := url.Values{"round": {"2"}, "void": {"panne de courant"}}
	says(t, c.post("/manage/bingo/do/void", 422, void), "Cette réponse est nécessaire")
	void = url.Values{"round": {"2"}, "void": {"panne de courant"}, "sure": {"yes"}}
	says(t, c.post("/manage/bingo/do/void", 200, void), "remboursés un à un")
	h.bingoUntil(t, func(s bingo.Session, r bingo.Round) bool { return s.Playing == 0 })
	says(t, c.get("/manage/bingo", 200), "Toutes les parties sont jouées", "Annulée et remboursée")
	says(t, c.post("/manage/bingo/do/close", 200, url.Values{}), "La session est fermée")
	c.post("/manage/bingo/do/nonsense", 404, url.Values{})

	says(t, c.post("/manage/bingo/terminals/1/revoke", 422, url.Values{}), "Cette réponse est nécessaire")
	says(t, c.post("/manage/bingo/terminals/1/revoke", 200, url.Values{"reason-1": {"volé"}}), "n’est plus autorisé", "Retiré")
	if _, err := h.Bingo.Terminal(t.Context(), codes[0]); err == nil {
		t.Error("the code of a revoked terminal is good")
	}
	says(t, c.post("/manage/bingo/terminals/1/renew", 200, url.Values{}), "Code de T1", "Autorisé")
	c.post("/manage/bingo/terminals/1/nonsense", 404, url.Values{})
	says(t, c.post("/manage/bingo/proposals/2/withdraw", 200, url.Values{}), "La proposition est retirée", "Retirée")
	h.Clock.Move(24 * time.Hour)
	says(t, c.post("/manage/bingo/do/open", 200, url.Values{}), "La session est ouverte")
}

var shownPIN = regexp.MustCompile(`class="slip-pin">([0-9]{6})<`)

// TestBingo_TheCashiersDay opens accounts, loads, pays out, blocks and reissues, with its
// mistakes, by forms without scripts.
func TestBingo_TheCashiersDay(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.2", "bingo:93.3", "bingo:93.4", "bingo:93.6", "bingo:93.7", "bingo:93.14", "std:57")
	h := newStaffHouse(t)
	codes := h.bingoDay(t)
	c := h.signIn(t, "carla")
	says(t, c.get("/desk/bingo", 200), "Le tiroir est fermé", "Ouvrir un compte anonyme")
	h.drawer(t, h.people["carla"], 1)
	says(t, c.post("/desk/bingo/open", 422, url.Values{}), "Cette réponse est nécessaire")
	form := url.Values{"adult": {"yes"}}
	page := c.post("/desk/bingo/open", 200, form)
	says(t, page, "8-1-", "Vaut pour la carte 8-1-", "mardi 1 décembre 2026")
	pin := shownPIN.FindStringSubmatch(page)[1]
	again := c.post("/desk/bingo/open", 200, form) // the same form: the same account, no PIN
	says(t, again, "Ce code a déjà été montré", "Compte anonyme 8")
	enter := func(card int, pin string) error {
		return h.Bingo.Enter(t.Context(), app.BingoEntry{Terminal: 1, Account: 8, Card: card, PIN: pin})
	}
	if err := enter(1, pin); err != nil {
		t.Errorf("the PIN that was shown: %v", err)
	}
	card := app.BingoCard{Account: 8, Card: 1}
	says(t, c.get("/desk/bingo/find?account="+url.QueryEscape(card.QR()), 200), "Compte anonyme 8", "Vaut aujourd’hui", "T1, Salle des fêtes")
	says(t, c.get("/desk/bingo/find?account=8", 200), "Compte anonyme 8")
	says(t, c.get("/desk/bingo/find?account=99", 404), "n’est pas connu")
	says(t, c.get("/desk/bingo/find?account=anne", 200), "Ouvrir son compte électronique", "anne")
	says(t, c.get("/desk/bingo/find?account=manon", 404), "n’est pas connu") // staff
	says(t, c.post("/desk/bingo/open", 422, url.Values{"player": {"2"}}), "Aucun joueur")
	says(t, c.post("/desk/bingo/open", 200, url.Values{"player": {"5"}}), "5-1-")
	says(t, c.get("/desk/bingo/find?account=anne", 200), "Compte 5", "anne")

	at := "/desk/bingo/accounts/8"
	says(t, c.post(at+"/load", 422, url.Values{"load": {"20"}, "means": {"cheque"}}), "pièce d’identité")
	says(t, c.post(at+"/load", 200, url.Values{"load": {"20"}, "means": {"cash"}}), "Reçu 1-1", "Compte anonyme 8", "20,00")
	says(t, c.get("/desk", 200), "Compte anonyme 8")
	says(t, c.get("/desk/players/8", 200), "Compte anonyme 8", "Rendre de l’argent") // where a receipt leads
	says(t, c.post(at+"/payout", 422, url.Values{"payout": {"20,01"}}), "ne contient pas ce montant")
	says(t, c.post(at+"/payout", 200, url.Values{"payout": {"5"}}), "Rendez 5,00")

	// The player buys at the terminal, which says what was acquired (bingo:93.6); one EUR more
	// than there is buys nothing (reading B2).
	round := h.selling(t, 1)
	ada := h.signIn(t, "")
	ada.post("/bingo/terminal/authorize", 200, url.Values{"code": {codes[0]}})
	ada.post("/bingo/terminal/enter", 200, url.Values{"card": {card.QR()}, "pin": {pin}})
	bought := url.Values{"round": {strconv.FormatInt(int64(round.ID), 10)}, "price": {"100"}, "count": {"16"}}
	says(t, ada.post("/bingo/terminal/buy", 200, bought), "Vos crédits ne suffisent pas", "15,00")
	bought = url.Values{"round": {strconv.FormatInt(int64(round.ID), 10)}, "price": {"100"}, "count": {"6"}}
	for range 2 { // the same form twice: one purchase
		says(t, ada.post("/bingo/terminal/buy", 200, bought), "6 cartons", "A-1 → A-6", "6,00", "9,00")
	}
	if sale, err := h.Bingo.Sale(t.Context(), round.ID); err != nil || sale.Cards != 6 {
		t.Errorf("%d cards are sold, %v", sale.Cards, err)
	}
	won := h.bingoUntil(t, func(_ bingo.Session, r bingo.Round) bool { return len(r.Wins) == 1 })
	says(t, c.get(at, 200), "Gains en attente 0,60")
	says(t, c.post(at+"/payout", 422, url.Values{"payout": {"9,01"}}), "ne contient pas ce montant") // the prize is held
	h.over(t, won.ID)
	says(t, c.get(at, 200), "13,20", "Gains en attente 0,00")
	says(t, c.get(at+"/statement", 200), "Cartons de bingo", "Lot de bingo", "Chargement", "Retrait")
	if pdf := c.get(at+"/movements.pdf", 200); !strings.HasPrefix(pdf, "%PDF") {
		t.Errorf("the statement is %.20q", pdf)
	}
	if sheet := c.get(at+"/movements.csv", 200); !strings.Contains(sheet, "Cartons de bingo;1-1;-6,00") {
		t.Errorf("the spreadsheet is %s", sheet)
	}
	if pdf := c.get(at+"/card.pdf", 200); !strings.HasPrefix(pdf, "%PDF") {
		t.Errorf("the card is %.20q", pdf)
	}

	for range bingo.PINTrials {
		if enter(1, "000000") == nil {
			t.Error("a wrong PIN is good")
		}
	}
	says(t, c.get(at, 200), "Verrouillé après trois codes faux")
	page = c.post(at+"/pin", 200, url.Values{})
	if err := enter(1, shownPIN.FindStringSubmatch(page)[1]); err != nil {
		t.Errorf("a new PIN lifts the lock: %v", err)
	}
	says(t, c.post(at+"/block", 422, url.Values{}), "Cette réponse est nécessaire")
	says(t, c.post(at+"/block", 200, url.Values{"reason": {"perdue"}}), "La carte est bloquée", "Bloquée", "Donner une nouvelle carte")
	says(t, c.post(at+"/pin", 422, url.Values{}), "bloqué")
	page = c.post(at+"/reissue", 200, url.Values{})
	says(t, page, "8-2-")
	says(t, c.post(at+"/reissue", 422, url.Values{}), "n’est pas connu")
	if err := enter(1, shownPIN.FindStringSubmatch(page)[1]); err == nil {
		t.Error("the lost card is good")
	}
	if err := enter(2, shownPIN.FindStringSubmatch(page)[1]); err != nil {
		t.Errorf("the new card: %v", err)
	}
	says(t, c.get("/desk/bingo/find?account="+card.String(), 404), "Ce compte est bloqué")

	says(t, c.get("/desk/bingo/idle", 200), "Aucun compte au repos")
	h.bingoUntil(t, func(s bingo.Session, _ bingo.Round) bool { return s.Started == 3 && s.Playing == 0 })
	h.signIn(t, "manon").post("/manage/bingo/do/close", 200, url.Values{})
	h.Clock.Move(31 * 24 * time.Hour)
	says(t, c.get("/desk/bingo/idle", 200), "Compte anonyme 8", "13,20", "Dû aux titulaires")
	says(t, c.get(at, 200), "Aucun pour cette journée")
	says(t, c.post(at+"/payout", 200, url.Values{"payout": {""}, "all": {"13.20"}}), "Rendez 13,20")
	says(t, c.get("/desk/bingo/idle?days=0", 200), "Aucun compte au repos")
	c.get("/desk/bingo/accounts/99", 404)
	c.get("/desk/bingo/accounts/x/card.pdf", 404)
	h.Square()
}

// TestBingo_TheInspectorReads: every round with its cards in order, balls, winners, shares and
// money; minutes, report, proof; on paper and as data, changing nothing.
func TestBingo_TheInspectorReads(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.6", "bingo:93.7", "bingo:93.13", "std:26")
	h := newStaffHouse(t)
	h.bingoDay(t)
	h.drawer(t, h.people["carla"], 1)
	var accounts []bingo.AccountID
	for i := range 2 {
		id, err := h.Bingo.OpenAccount(t.Context(), app.BingoAct{Request: app.NewRequestID(), By: h.people["carla"]}, 0)
		if err != nil {
			t.Fatal(err)
		}
		h.Give(player.ID(id), 50_00)
		pin, err := h.Bingo.IssuePIN(t.Context(), app.BingoAct{Request: app.NewRequestID(), By: h.people["carla"]}, id)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Bingo.Enter(t.Context(), app.BingoEntry{Terminal: bingo.TerminalID(i + 1), Account: id, Card: 1, PIN: pin}); err != nil {
			t.Fatal(err)
		}
		accounts = append(accounts, id)
	}
	first := h.selling(t, 1)
	for k := range 4 {
		if _, err := h.Bingo.BuyCards(t.Context(), app.BingoPurchase{Request: app.NewRequestID(), Account: accounts[k%2],
			Terminal: bingo.TerminalID(k%2 + 1), Round: first.ID, Price: 1_00, Count: 3}); err != nil {
			t.Fatal(err)
		}
	}
	c := h.signIn(t, "ines")
	says(t, c.get("/inspect/bingo", 200), "En ce moment", "Partie 1 · Partie du soir", "Session ouverte")
	says(t, c.get("/inspect/bingo/rounds/1", 200), "son secret n’est pas encore publié", "Cartons dans l’ordre de vente", "A-1 → A-3", "A-10 → A-12")
	c.get("/inspect/bingo/rounds/1/proof.jsonl", 422)
	won := h.over(t, first.ID)
	page := c.get("/inspect/bingo/rounds/1", 200)
	says(t, page, "Partie contrôlée : tout concorde", won.Secret, won.Digest, "12,00", "8,40", "3,60")
	for _, w := range won.Wins {
		says(t, page, w.Winners[0].Serial.String())
	}
	proof := c.get("/inspect/bingo/rounds/1/proof.jsonl", 200)
	if !strings.Contains(proof, won.Secret) {
		t.Error("the proof has no secret")
	}
	second := h.selling(t, 2)
	manager := h.signIn(t, "manon")
	manager.post("/bingo/faults", 200, url.Values{"round": {"2"}, "terminal": {"1"}, "what": {"écran noir"}})
	manager.post("/manage/bingo/do/void", 200, url.Values{"round": {"2"}, "void": {"panne de courant"}, "sure": {"yes"}})
	h.over(t, second.ID)
	says(t, c.get("/inspect/bingo/rounds/2", 200), "Partie annulée", "panne de courant", "écran noir", "Incidents")
	h.bingoUntil(t, func(s bingo.Session, _ bingo.Round) bool { return s.Started == 3 && s.Playing == 0 })
	manager.post("/manage/bingo/do/close", 200, url.Values{})

	day := "/inspect/bingo/days/2026-12-01"
	says(t, c.get("/inspect/bingo", 200), "Session close", "mardi 1 décembre 2026")
	says(t, c.get(day, 200), "Procès-verbal du mardi 1 décembre 2026", "Annulée et remboursée", "programme de 3 parties", "8,40")
	for file, want := range map[string]string{"minutes.pdf": "%PDF", "report.pdf": "%PDF", "minutes.xlsx": "PK", "minutes.csv": "\ufeffProcès-verbal",
		"report.csv": "\ufeffRapport", "day.jsonl": `{"checkpoint":"`} {
		if got := c.get(day+"/"+file, 200); !strings.HasPrefix(got, want) {
			t.Errorf("%s begins with %.30q", file, got)
		}
	}
	says(t, c.get(day+"/report.csv", 200), "A-1 → A-12", "T1;Salle des fêtes, Saint-Rémy;6")
	lines := strings.Split(strings.TrimSpace(c.get("/inspect/bingo/rounds/1/round.jsonl", 200)), "\n")
	if len(lines) < 2+4+4 || !strings.Contains(lines[0], `"format":"boulier-bingo-round/v1"`) || !strings.Contains(lines[2], `"rank":1`) {
		t.Errorf("the data are %d lines: %.200s", len(lines), lines[0])
	}
	for _, l := range lines {
		if !json.Valid([]byte(l)) {
			t.Errorf("not JSON: %s", l)
		}
	}
	for _, file := range []string{"round.pdf", "round.csv", "round.xlsx"} {
		c.get("/inspect/bingo/rounds/1/"+file, 200)
	}
	for _, path := range []string{"/inspect/bingo/rounds/9", "/inspect/bingo/rounds/x", "/inspect/bingo/rounds/1/x.pdf", day + "/x.pdf", "/inspect/bingo/days/2026-12-02"} {
		c.get(path, 404)
	}
	h.Square()
}
