package contestpages

import (
	"errors"
	"net/http"
	"slices"
	"strconv"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
	"boulier/player"
)

// mountShop adds the gift shop and the disputes, on both sides of the counter.
func (s *Section) mountShop() {
	s.Shell.Handle("GET /shop", s.showShop)
	s.Shell.Handle("POST /shop/{gift}", s.acquireGift, s.May(app.Predict))
	s.Shell.Handle("GET /legs/{leg}/dispute", s.showDispute, s.May(app.Predict))
	s.Shell.Handle("POST /legs/{leg}/dispute", s.makeDispute, s.May(app.Predict))
	manage := s.May(app.ManageGames)
	s.Shell.Handle("GET /manage/gifts", s.showGifts, manage)
	s.Shell.Handle("POST /manage/gifts", s.setGift, manage)
	s.Shell.Handle("GET /shop/pictures/{digest}", s.giftPicture)
	s.Shell.Handle("POST /manage/gifts/{gift}/picture", s.setGiftPicture, manage)
	s.Shell.Handle("POST /manage/orders/{order}", s.stepOrder, manage)
	s.Shell.Handle("GET /manage/disputes", s.showDisputes, manage)
	s.Shell.Handle("POST /manage/disputes/{dispute}", s.ruleDispute, manage)
}

// A shopPage is the shop as somebody sees it.
type shopPage struct {
	gifts  []app.ShopGift
	orders []app.GiftOrder
	purse  app.NuggetPurse
	plays  bool
}

func (s *Section) showShop(v *web.Visit) error { return s.shopAgain(v, http.StatusOK) }

func (s *Section) shopAgain(v *web.Visit, status int, notices ...ui.Notice) (err error) {
	p := shopPage{plays: s.predicts(v.Person)}
	if p.gifts, err = s.Contests.Gifts(v.Context(), false); err != nil {
		return err
	}
	if p.plays {
		if p.purse, err = s.Contests.Nuggets(v.Context(), v.Person.ID); err != nil {
			return err
		}
		if p.orders, err = s.Contests.Orders(v.Context(), v.Person.ID); err != nil {
			return err
		}
		slices.Reverse(p.orders)
	}
	return v.ShowStatus(status, legView(v.T("shop.title")), shopBody(p), notices...)
}

func (s *Section) acquireGift(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	gift, err := strconv.ParseInt(v.Path("gift"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	shown, err := contest.ParseNuggets(form.Raw("shown"))
	if err != nil {
		return &web.Refusal{Status: http.StatusBadRequest, Detail: err.Error()}
	}
	delivery := form.Text("delivery", 300)
	if !form.OK() {
		return s.shopAgain(v, http.StatusUnprocessableEntity, ui.Notice{Tone: ui.Danger, Title: v.T("shop.delivery.missing"), Text: v.T("shop.untouched")})
	}
	id, err := s.Contests.Acquire(v.Context(), app.Acquisition{Request: app.RequestID(form.Request), Player: v.Person.ID,
		Gift: app.GiftID(gift), Shown: shown, Delivery: delivery, Publish: form.Agreed("publish", false)})
	if notice, refused := v.Refused(err); refused {
		notice.Text = v.T("shop.untouched")
		return s.shopAgain(v, http.StatusUnprocessableEntity, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/shop", web.Done("gift_ordered", "Number", strconv.FormatInt(int64(id), 10)))
}

func (s *Section) showGifts(v *web.Visit) error { return s.giftsAgain(v, http.StatusOK, nil) }

func (s *Section) giftsAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	gifts, err := s.Contests.Gifts(v.Context(), true)
	if err != nil {
		return err
	}
	orders, err := s.Contests.Orders(v.Context(), 0)
	if err != nil {
		return err
	}
	slices.Reverse(orders)
	deliveries := map[app.OrderID]string{}
	for _, o := range orders {
		if deliveries[o.ID], err = s.Contests.Delivery(v.Context(), o.ID); err != nil {
			return err
		}
	}
	return v.ShowStatus(status, legView(v.T("shop.manage")), giftsBody(form, gifts, orders, deliveries), notices...)
}

func (s *Section) setGift(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	g := app.ShopGift{Title: form.Text("title", 80), Text: form.Optional("text", 300),
		Price: contest.Nuggets(form.Count("price", 1, 1_000_000)) * contest.Nugget,
		Stock: int(form.Count("stock", 0, 1_000_000)), Withdrawn: form.Agreed("withdrawn", false)}
	if id := form.Raw("gift"); id != "" {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return web.NotFound
		}
		g.ID = app.GiftID(n)
	}
	if !form.OK() {
		return s.giftsAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	_, err = s.Contests.SetGift(v.Context(), app.GiftChange{Request: app.RequestID(form.Request), By: v.Person.ID, Gift: g})
	if notice, refused := v.Refused(err); refused {
		return s.giftsAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/gifts", web.Done("gift_set", "Title", g.Title))
}

// setGiftPicture gives a gift its picture, or takes it away when no file comes.
func (s *Section) setGiftPicture(v *web.Visit) error {
	form, files, err := v.Uploads("picture", app.MaxLotoPicture)
	if err != nil {
		return err
	}
	gift, err := strconv.ParseInt(v.Path("gift"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	o := app.GiftPicture{Request: app.RequestID(form.Request), By: v.Person.ID, Gift: app.GiftID(gift)}
	if len(files) > 0 {
		o.File = files[0].Body
	}
	err = s.Contests.SetGiftPicture(v.Context(), o)
	if notice, refused := v.Refused(err); refused {
		return s.giftsAgain(v, http.StatusUnprocessableEntity, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/gifts", web.Done("gift_pictured"))
}

func (s *Section) giftPicture(v *web.Visit) error {
	p, err := s.Contests.GiftPicture(v.Context(), v.Path("digest"))
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	return v.Picture(p.Kind, p.Body)
}

func (s *Section) stepOrder(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(v.Path("order"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	err = s.Contests.Step(v.Context(), app.OrderStep{Request: app.RequestID(form.Request), By: v.Person.ID,
		Order: app.OrderID(id), Status: form.Raw("status")})
	if notice, refused := v.Refused(err); refused {
		return s.giftsAgain(v, http.StatusUnprocessableEntity, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/gifts", web.Done("order_stepped", "Number", strconv.FormatInt(id, 10)))
}

func (s *Section) showDispute(v *web.Visit) error { return s.disputeAgain(v, http.StatusOK, nil) }

func (s *Section) disputeAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	_, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	all, err := s.Contests.Disputes(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(all, func(d app.Dispute) bool { return d.Leg != k.ID })
	return v.ShowStatus(status, legView(v.T("dispute.open")), disputeBody(form, k, own), notices...)
}

func (s *Section) makeDispute(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	_, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	text := form.Text("text", 2000)
	if !form.OK() {
		return s.disputeAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	id, err := s.Contests.Object(v.Context(), app.RequestID(form.Request), v.Person.ID, k.ID, text)
	if notice, refused := v.Refused(err); refused {
		return s.disputeAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(legPath(k.ID)+"/dispute", web.Done("dispute_made", "Number", strconv.FormatInt(int64(id), 10)))
}

func (s *Section) showDisputes(v *web.Visit) error { return s.disputesAgain(v, http.StatusOK) }

func (s *Section) disputesAgain(v *web.Visit, status int, notices ...ui.Notice) error {
	all, err := s.Contests.Disputes(v.Context(), 0)
	if err != nil {
		return err
	}
	slices.Reverse(all)
	var ids []player.ID
	for _, d := range all {
		ids = append(ids, d.Player)
	}
	names, err := s.Contests.Names(v.Context(), ids)
	if err != nil {
		return err
	}
	return v.ShowStatus(status, legView(v.T("dispute.list")), disputesBody(all, names), notices...)
}

func (s *Section) ruleDispute(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(v.Path("dispute"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	err = s.Contests.Rule(v.Context(), app.Ruling{Request: app.RequestID(form.Request), By: v.Person.ID,
		Dispute: app.DisputeID(id), Upheld: form.Raw("upheld") == "yes", Answer: form.Optional("answer", 2000)})
	if notice, refused := v.Refused(err); refused {
		return s.disputesAgain(v, http.StatusUnprocessableEntity, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/disputes", web.Done("dispute_decided", "Number", strconv.FormatInt(id, 10)))
}
