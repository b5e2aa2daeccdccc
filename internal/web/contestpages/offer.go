package contestpages

import (
	"net/http"
	"slices"
	"strconv"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
	"boulier/player"
)

// mountOffer adds the special gifts: the offer to a player, the manager's side, who won.
func (s *Section) mountOffer() {
	s.Shell.Handle("GET /offers/{offer}", s.showOffer, s.May(app.Predict))
	s.Shell.Handle("POST /offers/{offer}", s.answerOffer, s.May(app.Predict))
	manage := s.May(app.ManageGames)
	s.Shell.Handle("GET /manage/contests/{contest}/offers", s.showOffers, manage)
	s.Shell.Handle("POST /manage/contests/{contest}/offers", s.offerGift, manage)
	s.Shell.Handle("POST /manage/offers/{offer}", s.stepOffer, manage)
}

// offerIn returns the offer that the address names, to its player alone.
func (s *Section) offerIn(v *web.Visit) (app.Offer, error) {
	all, err := s.Contests.Offers(v.Context(), v.Person.ID)
	if err != nil {
		return app.Offer{}, err
	}
	for _, o := range all {
		if strconv.FormatInt(int64(o.ID), 10) == v.Path("offer") {
			return o, nil
		}
	}
	return app.Offer{}, web.NotFound
}

func (s *Section) showOffer(v *web.Visit) error { return s.offerAgain(v, http.StatusOK) }

func (s *Section) offerAgain(v *web.Visit, status int, notices ...ui.Notice) error {
	o, err := s.offerIn(v)
	if err != nil {
		return err
	}
	c, _, err := s.Contests.Contest(v.Context(), o.Contest)
	if err != nil {
		return err
	}
	e, err := s.Contests.Entry(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	return v.ShowStatus(status, legView(o.Title), offerBody(c, o, e), notices...)
}

func (s *Section) answerOffer(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	o, err := s.offerIn(v)
	if err != nil {
		return err
	}
	a := app.OfferAnswer{Request: app.RequestID(form.Request), Player: v.Person.ID, Offer: o.ID, Accept: form.Raw("answer") == "yes"}
	if a.Publish = form.Agreed("publish", false); a.Accept && !a.Publish {
		return s.offerAgain(v, http.StatusUnprocessableEntity, ui.Notice{Tone: ui.Danger, Title: v.T("offer.publish.missing"), Text: v.T("offer.publish.rule")})
	}
	status, err := s.Contests.AnswerOffer(v.Context(), a)
	if notice, refused := v.Refused(err); refused {
		return s.offerAgain(v, http.StatusUnprocessableEntity, notice)
	}
	if err != nil {
		return err
	}
	said := web.Done("offer_accepted")
	if status == app.OfferRefused {
		said = web.Done("offer_refused")
	}
	return v.Redirect("/offers/"+v.Path("offer"), said)
}

// An offersPage is the special gifts of a contest, with what became of them.
type offersPage struct {
	contestCard
	offers  []app.Offer
	winners map[app.OfferID]app.Winner
	names   map[player.ID]string
}

func (s *Section) showOffers(v *web.Visit) error { return s.offersAgain(v, http.StatusOK) }

func (s *Section) offersAgain(v *web.Visit, status int, notices ...ui.Notice) error {
	c, _, err := s.contestIn(v)
	if err != nil {
		return err
	}
	p := offersPage{winners: map[app.OfferID]app.Winner{}}
	if p.contestCard, err = s.contestOf(v.Context(), c, 0, true); err != nil {
		return err
	}
	if p.offers, p.winners, err = s.giftsGiven(v, c); err != nil {
		return err
	}
	var ids []player.ID
	for _, o := range p.offers {
		ids = append(ids, o.Player)
	}
	if p.names, err = s.Contests.Names(v.Context(), ids); err != nil {
		return err
	}
	return v.ShowStatus(status, legView(v.T("offer.list")), offersBody(p), notices...)
}

// giftsGiven returns the offers of a contest, newest first, and who accepted them.
func (s *Section) giftsGiven(v *web.Visit, c app.ContestState) ([]app.Offer, map[app.OfferID]app.Winner, error) {
	if len(c.Gifts) == 0 {
		return nil, nil, nil
	}
	all, err := s.Contests.Offers(v.Context(), 0)
	if err != nil {
		return nil, nil, err
	}
	all = slices.DeleteFunc(all, func(o app.Offer) bool { return o.Contest != c.ID })
	slices.Reverse(all)
	winners := map[app.OfferID]app.Winner{}
	for _, o := range all {
		w, err := s.Contests.Winner(v.Context(), o.ID)
		if err != nil {
			return nil, nil, err
		}
		if w.Given != "" {
			winners[o.ID] = w
		}
	}
	return all, winners, nil
}

func (s *Section) offerGift(v *web.Visit) error {
	form, o, err := s.contestForm(v)
	if err != nil {
		return err
	}
	gift := int(form.Count("gift", 0, 1000))
	if !form.OK() {
		return web.NotFound
	}
	err = s.Contests.OfferGifts(v.Context(), o, gift)
	if notice, refused := v.Refused(err); refused {
		return s.offersAgain(v, http.StatusUnprocessableEntity, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(manageContestPath(o.Contest)+"/offers", web.Done("gift_offered"))
}

func (s *Section) stepOffer(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(v.Path("offer"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	all, err := s.Contests.Offers(v.Context(), 0)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(o app.Offer) bool { return o.ID == app.OfferID(id) })
	if at < 0 {
		return web.NotFound
	}
	err = s.Contests.StepOffer(v.Context(), app.RequestID(form.Request), v.Person.ID, app.OfferID(id), form.Raw("status"))
	if notice, refused := v.Refused(err); refused {
		return v.ShowStatus(http.StatusUnprocessableEntity, legView(v.T("offer.list")), offerRefusedBody(all[at]), notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(manageContestPath(all[at].Contest)+"/offers", web.Done("offer_stepped"))
}
