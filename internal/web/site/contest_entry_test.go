package site_test

import (
	"net/url"
	"strings"
	"testing"

	"boulier/internal/app/apptest"
	"boulier/regs/regstest"
)

// TestEntry_ByForms registers for the contests in forms: an adult, the same person again, a
// minor whose parent follows the link of the letter, and whom a manager sends away.
func TestEntry_ByForms(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "contest:3.age", "contest:3.multiple", "contest:4.register")
	h := newStaffHouse(t)
	m, p := h.signIn(t, "manon"), h.signIn(t, "anne")
	h.Player("berthe", 0)
	form := func(change ...string) url.Values {
		v := url.Values{"given": {"Anne"}, "family": {"Martin"}, "street": {"1 rue du Bac"}, "postcode": {"69001"}, "town": {"Lyon"},
			"email": {"anne@example.org"}, "rules": {"yes"}, "version": {"1"}, "netiquette": {"yes"}}
		for i := 0; i+1 < len(change); i += 2 {
			v.Set(change[i], change[i+1])
		}
		return v
	}
	says(t, p.get("/entry", 200), "règles de bonne conduite", "personne d’autre que l’organisateur")
	says(t, p.get("/contests/rules", 200), "Règlement des concours", "contest:14", "Courtoisie")
	says(t, p.post("/entry", 422, form("email", "anne", "town", "", "rules", "")), "n’est pas complète")
	says(t, p.post("/entry", 200, form()), "Vous êtes inscrit aux concours", "1 rue du Bac, 69001 Lyon")
	b := h.signIn(t, "berthe")
	says(t, b.post("/entry", 422, form("given", "ANNE", "email", "b@example.org")), "un compte par personne", "Je suis une autre personne")
	says(t, b.post("/entry", 200, form("given", "ANNE", "email", "b@example.org", "namesake", "yes")), "attend un justificatif")
	m.get("/entry", 403)
	p.get("/manage/cases", 403)
	says(t, m.get("/manage/cases/1", 200), "même nom et même adresse", "berthe", "anne@example.org")
	says(t, m.post("/manage/cases/1", 422, url.Values{"away": {"99"}, "reason": {"x"}}), "ne conviennent pas")
	says(t, m.post("/manage/cases/1", 200, url.Values{"reason": {"pièce d’identité vue"}}), "Dossier 1 décidé")
	says(t, b.get("/entry", 200), "Vous êtes inscrit aux concours")

	kid := h.signIn(t, "")
	says(t, kid.get("/register?for=contests", 200), "ouverts aux mineurs")
	account := url.Values{"name": {"leo"}, "password": {password}, "display": {"Léo"}, "born": {"2012-01-02"}, "rules": {"yes"}, "version": {"1"}}
	says(t, kid.post("/register", 422, account), "18 ans")
	account.Del("request")
	account.Set("for", "contests")
	says(t, kid.post("/register", 200, account), "Nom du parent")
	kid.get("/account/limits", 403) // nothing that is about money
	says(t, kid.post("/entry", 200, form("given", "Léo", "email", "leo@example.org", "parent", "Zoé", "parent-email", "zoe@example.org")),
		"z…@example.org")
	var box apptest.Box
	h.Post(&box)
	link := ""
	for name, l := range box.Letters {
		if strings.HasPrefix(name, "consent/") {
			link = l.Path
		}
	}
	zoe := h.signIn(t, "")
	says(t, zoe.get("/consent/x", 404), "pas ou plus valable")
	says(t, zoe.get(link, 200), "Léo Martin", "jamais contre de l’argent")
	zoe.post(link, 422, url.Values{"consent": {"yes"}})
	says(t, zoe.post(link, 200, url.Values{"consent": {"yes"}, "parent": {"yes"}}), "Vous avez donné votre accord")
	says(t, kid.get("/entry", 200), "Vous êtes inscrit aux concours", "Accord du parent")
	says(t, m.post("/manage/cases", 422, url.Values{"kind": {"conduct"}, "players": {"nobody"}, "text": {"x"}}), "Personne ne se connecte")
	says(t, m.post("/manage/cases", 200, url.Values{"kind": {"conduct"}, "players": {"leo"}, "text": {"injures le 1er décembre"}}), "participation terminée")
	says(t, kid.get("/entry", 200), "exclu des concours", "injures le 1er décembre")
	h.Sound()
}
