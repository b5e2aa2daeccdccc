package site

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/bingopages"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
	"boulier/player"
)

// mountDesk adds the pages of a cash desk. All is done by keyboard: each page puts the
// cursor where the next word is typed.
func (s *Site) mountDesk() {
	for pattern, page := range map[string]web.Page{
		"GET /desk":                            s.showDesk,
		"POST /desk/open":                      s.openDrawer,
		"GET /desk/find":                       s.findPlayer,
		"GET /desk/players/{player}":           s.showClient,
		"POST /desk/players/{player}/load":     s.load,
		"POST /desk/players/{player}/payout":   s.payOut,
		"GET /desk/players/{player}/password":  s.showReset,
		"POST /desk/players/{player}/password": s.resetPassword,
		"GET /desk/new":                        s.showNewPlayer,
		"POST /desk/new":                       s.newPlayer,
		"GET /desk/receipts/{desk}/{number}":   s.receipt,
		"POST /desk/undo":                      s.undo,
		"GET /desk/close":                      s.showClose,
		"POST /desk/close":                     s.closeDrawer,
		"GET /desk/drawers/{desk}":             s.showDrawer,
	} {
		s.Shell.Handle(pattern, page, s.May(app.WorkDesk))
	}
}

// showDesk shows the open drawer, or the form that opens one.
func (s *Site) showDesk(v *web.Visit) error { return s.deskAgain(v, http.StatusOK, nil) }

func (s *Site) deskAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	d, err := s.Drawer(v)
	if err != nil {
		return err
	}
	if d == nil {
		settings, err := s.Ground.Settings(v.Context())
		if err != nil {
			return err
		}
		return v.ShowStatus(status, ui.View{Title: v.T("desk.title")}, openBody(form, deskChoices(v, settings.Desks)),
			notices...)
	}
	clients, err := s.clientNames(v, d.Entries)
	if err != nil {
		return err
	}
	return v.ShowStatus(status, ui.View{Title: v.T("desk.title")}, deskBody(form, d, clients), notices...)
}

func deskChoices(v *web.Visit, desks int64) (out []ui.Choice) {
	for n := range desks {
		number := strconv.FormatInt(n+1, 10)
		out = append(out, ui.Choice{Value: number, Label: v.T("desk.number", "Number", number)})
	}
	return out
}

// clientNames are the names of the players of some entries.
func (s *Site) clientNames(v *web.Visit, entries []app.DeskEntry) (map[player.ID]string, error) {
	known, out := s.names(), map[player.ID]string{}
	for _, e := range entries {
		name, err := known.of(v.Context(), e.Player)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(name, nobody) {
			name = v.T("bingo.cash.anonymous", "Number", e.Player.String())
		}
		out[e.Player] = name
	}
	return out, nil
}

func (s *Site) openDrawer(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	o := app.DrawerOpening{Request: app.RequestID(form.Request), Cashier: v.Person.ID,
		Desk: app.DeskID(form.Count("desk", 1, int64(app.MaxDesks))), Float: amountOrNone(v, form, "float")}
	if !form.OK() {
		return s.deskAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.Desk.Open(v.Context(), o)
	if notice, refused := v.Refused(err); refused {
		return s.deskAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/desk", web.Done("drawer_opened", "Number", o.Desk.String()))
}

// findPlayer leads to the player of a sign-in name.
func (s *Site) findPlayer(v *web.Visit) error {
	c, err := s.Desk.Find(v.Context(), v.Query("name"))
	if notice, refused := v.Refused(err); refused {
		return s.deskAgain(v, http.StatusNotFound, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/desk/players/" + c.ID.String())
}

// clientOf reads the player that the address names.
func (s *Site) clientOf(v *web.Visit) (app.Client, error) {
	id, err := strconv.ParseInt(v.Path("player"), 10, 64)
	if err != nil {
		return app.Client{}, web.NotFound
	}
	c, err := s.Desk.Client(v.Context(), player.ID(id))
	if errors.Is(err, app.ErrPlayerUnknown) {
		return c, web.NotFound
	}
	return c, err
}

// showClient shows a player; an anonymous account has a page of its own.
func (s *Site) showClient(v *web.Visit) error {
	if c, err := s.clientOf(v); err == nil && c.SignIn == "" {
		return v.Redirect(bingopages.AccountPath(bingo.AccountID(c.ID)))
	}
	return s.clientAgain(v, http.StatusOK, nil)
}

func (s *Site) clientAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	c, err := s.clientOf(v)
	if err != nil {
		return err
	}
	d, err := s.Drawer(v)
	if err != nil {
		return err
	}
	return v.ShowStatus(status, ui.View{Title: c.Name}, clientBody(form, c, d), notices...)
}

func (s *Site) load(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	c, err := s.clientOf(v)
	if err != nil {
		return err
	}
	o := app.DeskOrder{Request: app.RequestID(form.Request), Cashier: v.Person.ID, Player: c.ID,
		Amount: form.Amount("load"), Means: app.Means(form.Choice("means", "cash", "card", "cheque")),
		Document: form.Raw("document")}
	if o.Means == app.Cheque && o.Document == "" {
		form.Wrong("document", v.T("violation.document_missing"))
	}
	return s.entered(v, form, o, s.Desk.Load)
}

func (s *Site) payOut(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	c, err := s.clientOf(v)
	if err != nil {
		return err
	}
	o := app.DeskOrder{Request: app.RequestID(form.Request), Cashier: v.Person.ID, Player: c.ID, Amount: form.Amount("payout")}
	pages.ReadPayOut(v, form, &o)
	return s.entered(v, form, o, s.Desk.PayOut)
}

// entered does what the form asks for, and shows the receipt or the form again.
func (s *Site) entered(v *web.Visit, form *web.Form, o app.DeskOrder, do pages.EnterFunc) error {
	if !form.OK() {
		return s.clientAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	e, err := do(v.Context(), o)
	if notice, refused := v.Refused(err); refused {
		if errors.Is(err, app.ErrBalanceShort) {
			notice.Title = v.T("desk.payout.short")
		}
		return s.clientAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(pages.ReceiptPath(e))
}

// receipt shows the paper of an entry.
func (s *Site) receipt(v *web.Visit) error {
	desk, err1 := strconv.ParseInt(v.Path("desk"), 10, 64)
	number, err2 := strconv.ParseInt(v.Path("number"), 10, 64)
	if err1 != nil || err2 != nil {
		return web.NotFound
	}
	r, err := s.Desk.Receipt(v.Context(), v.Person.ID, app.DeskID(desk), number)
	if errors.Is(err, app.ErrNotFound) || errors.Is(err, app.ErrDrawerHeld) {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	d, err := s.Drawer(v)
	if err != nil {
		return err
	}
	last := d != nil && d.Desk == r.Desk && d.Undoable == r.Number
	return v.Show(ui.View{Title: v.T("receipt.title", "Number", r.Ref())}, receiptBody(r, last))
}

func (s *Site) undo(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	number, err := strconv.ParseInt(form.Raw("number"), 10, 64)
	if err != nil {
		return &web.Refusal{Status: http.StatusBadRequest, Detail: "no number of an entry"}
	}
	e, err := s.Desk.Undo(v.Context(), app.UndoOrder{Request: app.RequestID(form.Request),
		Cashier: v.Person.ID, Number: number})
	if notice, refused := v.Refused(err); refused {
		return s.deskAgain(v, http.StatusUnprocessableEntity, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(pages.ReceiptPath(e))
}

func (s *Site) showClose(v *web.Visit) error { return s.closeAgain(v, http.StatusOK, nil) }

func (s *Site) closeAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	d, err := s.Drawer(v)
	if err != nil {
		return err
	}
	if d == nil {
		return v.Redirect("/desk")
	}
	return v.ShowStatus(status, ui.View{Title: v.T("drawer.close")}, closeBody(form, d), notices...)
}

func (s *Site) closeDrawer(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	c := app.DrawerClosing{Request: app.RequestID(form.Request), Cashier: v.Person.ID}
	c.Counted = app.Count{Cash: amountOrNone(v, form, "cash"), Card: amountOrNone(v, form, "card"),
		Cheque: amountOrNone(v, form, "cheque")}
	if !form.OK() {
		return s.closeAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	r, err := s.Desk.Close(v.Context(), c)
	if notice, refused := v.Refused(err); refused {
		return s.closeAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/desk/drawers/"+r.Desk.String(), web.Done("drawer_closed"))
}

// showDrawer shows the drawer closed last at a desk, to the cashier who held it.
func (s *Site) showDrawer(v *web.Visit) error {
	desk, err := strconv.ParseInt(v.Path("desk"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	r, err := s.Desk.LastDrawer(v.Context(), app.DeskID(desk))
	if errors.Is(err, app.ErrNotFound) || err == nil && r.Cashier != v.Person.ID {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	settings, err := s.Ground.Settings(v.Context())
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("drawer.report")}, drawerBody(r, settings.Operator, v.Person.Name))
}
