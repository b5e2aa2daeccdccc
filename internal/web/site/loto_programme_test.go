package site_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/regs/regstest"
)

// photograph is a picture larger than what is shown.
func photograph(t *testing.T) string {
	t.Helper()
	p := image.NewNRGBA(image.Rect(0, 0, 1600, 1200))
	for y := range 1200 {
		for x := range 1600 {
			p.Set(x, y, color.NRGBA{uint8(x / 8), uint8(y / 6), 90, 255})
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, p, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestLoto_ProgrammeBeforehand: the programme goes to a spreadsheet and back, prizes and
// partners have their pictures, a day is rehearsed and copied for another year.
func TestLoto_ProgrammeBeforehand(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:12", "loto:19", "loto:car.3")
	h := newStaffHouse(t)
	manager := h.signIn(t, "manon")
	h.plannedLoto(t, manager)
	day := func(id app.LotoID) app.LotoDay {
		d, _, err := h.Loto.Day(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}

	// Out, changed, and back.
	csv := manager.get("/manage/loto/1/programme.csv", 200)
	if !strings.Contains(csv, "étape") || !strings.Contains(csv, "carton plein") {
		t.Errorf("the programme as CSV: %s", csv)
	}
	changed := strings.Replace(csv, "20.00", "25,00", 1)
	page := manager.upload("/manage/loto/1/programme", "file", "p.csv", changed, 200, url.Values{})
	says(t, page, "25,00")
	if got := day(1).Session.Plan.Rounds; len(got) != 4 || got[0].Prizes[0].Amount != 25_00 || !got[3].Prizes[0].Car {
		t.Errorf("the programme read back: %+v", got)
	}
	before := day(1).Session.Plan.Rounds
	xlsx := manager.get("/manage/loto/1/programme.xlsx", 200)
	manager.upload("/manage/loto/1/programme", "file", "p.xlsx", xlsx, 200, url.Values{})
	if got := day(1).Session.Plan.Rounds; len(got) != len(before) || got[0].Prizes[0].Amount != 25_00 {
		t.Errorf("the workbook read back: %+v", got)
	}
	page = manager.upload("/manage/loto/1/programme", "file", "p.csv", strings.Replace(csv, "quine", "ligne", 1), 422, url.Values{})
	says(t, page, "1 erreur dans le fichier", "« ligne » : l’étape est quine")

	// Pictures: of a prize, and a partner's logo.
	says(t, manager.get("/manage/loto/1/pictures", 200), "Aucune image")
	manager.upload("/manage/loto/1/pictures", "file", "x.png", "no picture", 422, url.Values{"place": {"1/1"}})
	manager.upload("/manage/loto/1/pictures", "file", "x.jpg", photograph(t), 422, url.Values{"place": {"9/1"}})
	for _, place := range []string{"1/1", "0/0"} {
		manager.upload("/manage/loto/1/pictures", "file", "x.jpg", photograph(t), 200, url.Values{"place": {place}})
	}
	plan := day(1).Session.Plan
	name := plan.Rounds[0].Prizes[0].Picture
	if name == "" || len(plan.Partners) != 1 {
		t.Fatalf("pictures: %q, %v", name, plan.Partners)
	}
	visitor := h.signIn(t, "")
	shown := visitor.get("/pictures/loto/"+name, 200)
	if config, _, err := image.DecodeConfig(strings.NewReader(shown)); err != nil || config.Width != 960 || config.Height != 720 {
		t.Errorf("shown is %+v, %v", config, err)
	}
	visitor.get("/pictures/loto/"+strings.Repeat("0", 32), 404)
	manager.post("/manage/loto/1/rounds/1", 200, url.Values{"title": {"Autre titre"}, "s1-kind": {"voucher"},
		"s1-name": {plan.Rounds[0].Prizes[0].Name}, "s1-amount": {"25"}, "s1-smallest": {"1"}, "s1-consolation": {"Un panier"}, "s1-series-A": {"yes"}})
	if got := day(1).Session.Plan.Rounds[0]; got.Title != "Autre titre" || got.Prizes[0].Picture != name {
		t.Errorf("the picture is lost when its round changes: %+v", got)
	}

	// A rehearsal: half is sold, nobody has paid.
	page = manager.post("/manage/loto/1/rehearse", 200, url.Values{})
	says(t, page, "Répétition : Grand loto du printemps")
	r := day(2)
	stocks, err := h.Loto.Stocks(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	cards, _ := loto.Playing(stocks, []ninety.Series{"A"})
	if r.Session.Phase != loto.Open || !r.Session.Plan.Rehearsal || len(cards) < 100 || len(cards) > 140 {
		t.Errorf("the rehearsal is %q with %d cards", r.Session.Phase, len(cards))
	}
	account, err := h.Store.Account(t.Context(), "loto:2")
	if err != nil || account.Balance != 0 {
		t.Errorf("the rehearsal took %d, %v", account.Balance, err)
	}
	says(t, visitor.get("/loto/2/screen", 200), "Répétition : rien n’est à gagner")
	if d := day(1); d.Session.Phase != loto.Planning {
		t.Errorf("the day that is rehearsed is %q", d.Session.Phase)
	}

	// Another year.
	page = manager.post("/manage/loto", 200, url.Values{"title": {"Loto de l’an prochain"}, "date": {"2028-03-05"}, "doors": {"09:00"},
		"start": {"14:00"}, "from": {"1"}, "ordinary": {"A"}, "special": {"V"}, "desks": {"2"}, "rounds": {"1"}, "consolation": {"Un filet garni"}})
	says(t, page, "Le loto est préparé", "Loto de l’an prochain", "25,00")
	if got := day(3).Session.Plan; len(got.Rounds) != 4 || got.Special != "V" || got.Rounds[0].Prizes[0].Picture != name || got.Rehearsal {
		t.Errorf("the copy: %+v", got)
	}
	manager.post("/manage/loto/1/pictures/gone", 200, url.Values{"place": {"0/0"}, "partner": {plan.Partners[0]}})
	if left := day(1).Session.Plan.Partners; len(left) != 0 {
		t.Errorf("partners left: %v", left)
	}
	if r, err := manager.Get(h.url + "/pictures/loto/" + name); err != nil || r.Header.Get("Cache-Control") == "" || r.StatusCode != http.StatusOK {
		t.Errorf("the picture of the copy: %v", err)
	}
}
