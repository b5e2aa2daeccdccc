package site_test

import (
	"net/url"
	"testing"

	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/player"
)

// plannedLoto makes two series and prepares a day by the pages of the organizer.
func (h *staffHouse) plannedLoto(t *testing.T, manager *client) {
	t.Helper()
	for _, series := range []ninety.Series{"A", "V"} {
		o := app.MadeSeries{Request: app.NewRequestID(), By: h.people["manon"], Name: series, Sheets: 40,
			Value: 500, Title: "Loto"}
		if err := h.Cards.Order(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Cards.MakeWanted(t.Context()); err != nil {
		t.Fatal(err)
	}
	says(t, manager.get("/manage/loto", 200), "Préparer un loto")
	page := manager.post("/manage/loto", 200, url.Values{"title": {"Grand loto du printemps"}, "date": {"2027-03-07"},
		"doors": {"08:00"}, "start": {"11:00"}, "ordinary": {"A"}, "special": {"V"}, "desks": {"2"}, "rounds": {"3"},
		"consolation": {"Un filet garni"}, "walkins": {"yes"}})
	says(t, page, "Le loto est préparé", "Grand loto du printemps", "Carton plein", "Voiture",
		"Plaque de 6 : une ligne de vente atteint 20 €")
}

// lotoDay prepares a day and opens it.
func (h *staffHouse) lotoDay(t *testing.T) app.LotoID {
	t.Helper()
	manager := h.signIn(t, "manon")
	h.plannedLoto(t, manager)
	says(t, manager.get("/manage/loto/1/rounds/1", 200), "Nature du lot")
	page := manager.post("/manage/loto/1/rounds/1", 200, url.Values{"title": {"La tablette"}, "do": {"save"},
		"s1-kind": {"object"}, "s1-name": {"Tablette"}, "s1-consolation": {"aucun"}, "s1-series-A": {"yes"}})
	says(t, page, "Tablette", "1 point empêche", "consolation")
	manager.post("/manage/loto/1/do/open", 422, url.Values{})
	page = manager.post("/manage/loto/1/rounds/1", 200, url.Values{"title": {"La tablette"}, "do": {"save"},
		"s1-kind": {"object"}, "s1-name": {"Tablette"}, "s1-consolation": {"Un jeu de cartes"}, "s1-series-A": {"yes"}})
	says(t, page, "Ouvrir les portes")
	page = manager.post("/manage/loto/1/do/open", 200, url.Values{})
	says(t, page, "Les portes sont ouvertes", "Reporter la journée")
	return 1
}

// drawer opens the drawer of a cashier.
func (h *staffHouse) drawer(t *testing.T, who player.ID, desk app.DeskID) {
	t.Helper()
	if err := h.Desk.Open(t.Context(), app.DrawerOpening{Request: app.NewRequestID(), Cashier: who, Desk: desk, Float: 50_00}); err != nil {
		t.Fatal(err)
	}
}
