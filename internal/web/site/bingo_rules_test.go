package site_test

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/web/pages"
	"boulier/player"
	"boulier/regs"
	"boulier/regs/regstest"
)

// TestBingo_TheRules holds that the rules which players accept state every clause of the bingo,
// and each reading that was chosen there, for whoever reads them.
func TestBingo_TheRules(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "std:6", "std:38", "std:47")
	stated, texts := map[string][]string{}, string(pages.RulesTexts())
	for _, part := range pages.BingoRuleParts {
		for ref := range strings.SplitSeq(part.Clauses, ", ") {
			stated[ref] = append(stated[ref], strings.Split(part.Readings, ", ")...)
		}
		if strings.Count(texts, part.Clauses+"\n"+part.Readings+"\n") < 2 { // in both languages
			t.Errorf("the part %s is in no version of the rules", part.Key)
		}
	}
	for _, c := range regs.All() {
		if c.Ref.Game() != "bingo" {
			continue
		}
		readings, ok := stated[string(c.Ref)]
		if !ok {
			t.Errorf("no part of the rules states %s", c.Ref)
		}
		for _, r := range c.Readings {
			if !slices.Contains(readings, r) {
				t.Errorf("the rules state %s without the reading %s", c.Ref, r)
			}
		}
	}
	h := newStaffHouse(t)
	h.bingoDay(t)
	stranger := h.signIn(t, "")
	says(t, stranger.get("/rules", 200), "Bingo interconnecté", "Au moins 70 % des ventes", "selon leur prix, au centime près",
		"bingo:93.13", "B6", "Règlement des concours")
	says(t, stranger.get("/bingo", 200), "Salle des fêtes, Saint-Rémy", "par chèque ou par virement, jamais en nature")
}

// TestReadingB16_APhoneIsNoTerminal holds that a player with an account and its PIN, signed in
// on a browser that no manager has authorized, sees what everybody sees and buys nothing.
func TestReadingB16_APhoneIsNoTerminal(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.3")
	h := newStaffHouse(t)
	codes := h.bingoDay(t)
	anne := h.people["anne"]
	cashier := app.BingoAct{Request: app.NewRequestID(), By: h.people["carla"]}
	id, err := h.Bingo.OpenAccount(t.Context(), cashier, anne)
	if err != nil {
		t.Fatal(err)
	}
	h.Give(anne, 10_00)
	cashier.Request = app.NewRequestID()
	pin, err := h.Bingo.IssuePIN(t.Context(), cashier, id)
	if err != nil {
		t.Fatal(err)
	}
	round := h.selling(t, 1)
	enter := url.Values{"card": {app.BingoCard{Account: id, Card: 1}.QR()}, "pin": {pin}}
	buy := url.Values{"round": {strconv.FormatInt(int64(round.ID), 10)}, "price": {"100"}, "count": {"2"}}
	phone := h.signIn(t, "anne")
	says(t, phone.get("/bingo/terminal", 200), "ce navigateur n’en est pas un", "Code du terminal")
	phone.post("/bingo/terminal/enter", 200, enter)
	says(t, phone.post("/bingo/terminal/buy", 200, buy), "Code du terminal")
	says(t, phone.get("/bingo", 200), "Cartons en vente", "Un téléphone personnel n’est pas un terminal")
	if sale, err := h.Bingo.Sale(t.Context(), round.ID); err != nil || sale.Cards != 0 || h.Shown(player.ID(id)) != 10_00 {
		t.Errorf("a phone has bought %d cards, %v", sale.Cards, err)
	}
	terminal := h.signIn(t, "") // the same person in the hall
	terminal.post("/bingo/terminal/authorize", 200, url.Values{"code": {codes[0]}})
	terminal.post("/bingo/terminal/enter", 200, enter)
	says(t, terminal.post("/bingo/terminal/buy", 200, buy), "2 cartons", "8,00")
	says(t, phone.get("/account", 200), "8,00")
}

// TestBingo_PaidByTheBank pays an account by cheque and by transfer by the forms of the desk:
// an identity document and the number are asked for, the receipt says both, the drawer stays.
func TestBingo_PaidByTheBank(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.14")
	h := newStaffHouse(t)
	h.bingoDay(t)
	h.drawer(t, h.people["carla"], 1)
	c := h.signIn(t, "carla")
	c.post("/desk/bingo/open", 200, url.Values{"adult": {"yes"}})
	at := "/desk/bingo/accounts/8"
	c.post(at+"/load", 200, url.Values{"load": {"900"}, "means": {"cash"}})
	says(t, c.get(at, 200), "Par chèque ou par virement")
	drawer := func() app.Count {
		d, err := h.Desk.Drawer(t.Context(), h.people["carla"])
		if err != nil {
			t.Fatal(err)
		}
		return d.Due
	}
	due := drawer()
	bank := func(change ...string) url.Values {
		v := url.Values{"payout": {"500"}, "by": {"bank"}, "paid": {"transfer"}, "seen": {"passport"}, "reference": {"V-2026-17"}}
		for i := 0; i < len(change); i += 2 {
			v.Set(change[i], change[i+1])
		}
		return v
	}
	for _, tc := range []struct{ name, value, says string }{
		{"seen", "", "Un chèque ou un virement demande une pièce"},
		{"reference", "", "Cette réponse est nécessaire"},
		{"reference", "FR7630006000011234567890189", "trop long"},
		{"paid", "", "Vérifiez"},
		{"paid", "card", "Vérifiez"},
		{"payout", "900,01", "ne contient pas ce montant"},
	} {
		says(t, c.post(at+"/payout", 422, bank(tc.name, tc.value)), tc.says)
	}
	for _, path := range []string{at + "/payout", "/desk/players/8/payout"} { // the enter key in a field of the bank's part
		says(t, c.post(path, 422, bank("by", "")), "Rien n’est payé")
	}
	says(t, c.post(at+"/payout", 200, bank()), "500,00", "Virement", "V-2026-17", "Passeport", "400,00")
	says(t, c.post("/desk/players/8/payout", 200, bank("payout", "150", "paid", "cheque", "reference", "7001")), "150,00", "Chèque", "7001", "250,00")
	if drawer() != due {
		t.Errorf("the drawer is due %+v, was %+v", drawer(), due)
	}
	says(t, c.get(at+"/statement", 200), "500,00", "150,00")
	h.Clock.Move(time.Minute)
	says(t, h.signIn(t, "manon").get("/manage/days", 200), "Virement", "500,00")
	h.Square()
}
