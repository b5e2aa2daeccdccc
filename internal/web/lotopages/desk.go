package lotopages

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// showTill is a desk at the entrance. A sale is three keys: what, how it is paid, and done.
func (s *Section) showTill(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	return s.tillAgain(http.StatusOK, d)
}

func (s *Section) tillAgain(status int, d lotoVisit, notices ...ui.Notice) error {
	t, err := s.Loto.Till(d.Context(), d.LotoDay, d.Person.ID)
	if errors.Is(err, app.ErrNotFound) {
		return d.Redirect("/desk")
	}
	if err != nil {
		return err
	}
	return d.ShowStatus(status, ui.View{Title: d.T("loto.desk"), Accent: ui.Loto}, tillBody(d, t, notices))
}

// pilesText is what the desk's piles still hold, for the module that sells while the desk is
// cut off.
func pilesText(d lotoVisit, t app.LotoTill) (string, error) {
	type pile struct {
		Unit   loto.Unit     `json:"unit"`
		Series ninety.Series `json:"series"`
		From   int           `json:"from"`
		To     int           `json:"to"`
		Size   int           `json:"size"`
	}
	list := []pile{}
	for _, p := range t.Stock.Free(d.Session.Plan) {
		list = append(list, pile{p.Unit, p.Series, p.From, p.To, p.Unit.Cards()})
	}
	b, err := json.Marshal(list)
	return string(b), err
}

// tillAct sells, takes back, stamps.
func (s *Section) tillAct(v *web.Visit) error {
	form, d, err := s.lotoForm(v)
	if err != nil {
		return err
	}
	switch v.Path("act") {
	case "sell":
		o, ok := saleOf(form, d.Session.Plan)
		if !ok {
			err = loto.ErrNotInPile.With("%q", form.Raw("scan"))
			break
		}
		o.LotoAct = d.act(form)
		_, err = s.Loto.Sell(v.Context(), o)
	case "takeback":
		err = s.Loto.TakeBackSale(v.Context(), d.act(form), whole(form, "sale"))
	case "stamp":
		_, err = s.Loto.StampCard(v.Context(), d.act(form), form.Raw("card"))
	default:
		return web.NotFound
	}
	if errors.Is(err, loto.ErrRedeemed) {
		return s.redeemedBefore(d, form.Raw("reservation"), err)
	}
	return d.asked(err, s.tillAgain, lotoPath(d.ID)+"/desk")
}

// redeemedBefore says when and where a reservation that is shown again was crossed out.
func (s *Section) redeemedBefore(d lotoVisit, code string, refusal error) error {
	r, err := s.Loto.Reservation(d.Context(), d.ID, code)
	if err != nil {
		return err
	}
	notice, _ := d.Refused(refusal)
	notice.Text = d.T("loto.reservation.used", "Moment", d.Words.Moment(r.At), "Desk", r.Desk)
	return s.tillAgain(http.StatusUnprocessableEntity, d, notice)
}

// maxPieces is how many pieces of a unit one sale holds.
const maxPieces = 50

// scannedOf returns the first cards of the pieces that were scanned, by unit, which their pile
// tells: the first of each piece, or with a last card all pieces from the one to the other.
func scannedOf(form *web.Form, plan loto.Plan) (scanned map[loto.Unit][]ninety.Serial, ok bool) {
	scanned = map[loto.Unit][]ninety.Serial{}
	texts, last := strings.Fields(form.Raw("scan")), ninety.Serial{}
	if text := strings.TrimSpace(form.Raw("last")); text != "" && (len(texts) != 1 || last.UnmarshalText([]byte(text)) != nil) {
		return nil, false
	}
	for _, text := range texts {
		var first ninety.Serial
		if first.UnmarshalText([]byte(text)) != nil {
			return nil, false
		}
		i := slices.IndexFunc(plan.Piles, func(p loto.Pile) bool {
			return p.Series == first.Series && p.From <= first.Number && first.Number <= p.To
		})
		if i < 0 {
			return nil, false
		}
		pile := plan.Piles[i]
		end := first
		if last != (ninety.Serial{}) {
			end = last
		}
		size := pile.Unit.Cards()
		first.Number -= (first.Number - pile.From) % size
		if end.Series != pile.Series || end.Number < first.Number || end.Number > pile.To || end.Number-first.Number >= maxPieces*size {
			return nil, false
		}
		for ; first.Number <= end.Number; first.Number += size {
			scanned[pile.Unit] = append(scanned[pile.Unit], first)
		}
	}
	return scanned, true
}

// saleOf reads a sale: how many of each unit, and the pieces that were scanned.
func saleOf(form *web.Form, plan loto.Plan) (o app.LotoSale, ok bool) {
	scanned, ok := scannedOf(form, plan)
	if !ok {
		return o, false
	}
	for _, u := range loto.Units {
		n := max(whole(form, string(u)), len(scanned[u]))
		if n > maxPieces {
			return o, false
		}
		for i := range n {
			item := loto.Item{Unit: u}
			if i < len(scanned[u]) {
				item.First = scanned[u][i]
			}
			o.Items = append(o.Items, item)
		}
	}
	o.Means, o.Document, o.Reservation = app.Means(form.Raw("means")), form.Raw("document"), form.Raw("reservation")
	o.Inside, o.Unstamped = form.Raw("inside") == "yes", form.Raw("stamped") != "yes"
	return o, true
}
