package site_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
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
	says(t, c.get("/manage/bingo/proposals/2", 200), "S’applique le")
	says(t, c.post("/manage/bingo/programme", 422, url.Values{"proposal-0": {"2"}, "rounds-0": {"1"}, "do": {"change"}, "from": {"1"}}),
		"cinq jours doivent passer")

	first := h.selling(t, 1)
	says(t, c.get("/manage/bingo", 200), "Partie 1 · Partie du soir", "Cartons en vente", "Mettre en pause", "Parties 2 à 3")
	says(t, c.post("/manage/bingo/do/pause", 422, url.Values{}), "Cette réponse est nécessaire")
	says(t, c.post("/manage/bingo/do/pause", 200, url.Values{"pause": {"repas"}}), "s’arrête après la partie en cours", "En pause")
	says(t, c.post("/manage/bingo/do/close", 422, url.Values{}), "partie en cours")
	h.over(t, first.ID)
	says(t, c.get("/manage/bingo", 200), "La session est en pause", "Parties du jour")
	says(t, c.post("/manage/bingo/do/resume", 200, url.Values{}), "La session reprend")
	says(t, c.post("/manage/bingo/do/last", 200, url.Values{"last": {"2"}}), "fixée et annoncée")
	second := h.selling(t, 2)
	if !second.Last {
		t.Error("the second round is the last one")
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
