package lotopages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// mountLoto adds the pages of a day of hall loto.
func (s *Section) mountLoto() {
	for pattern, page := range map[string]web.Page{
		"GET /loto/{day}":          s.showLoto,
		"GET /loto/{day}/screen":   s.showHall,
		"GET /loto/{day}/r/{code}": s.showReservation,
		"POST /loto/{day}/reserve": s.reserveOnline,

		"GET /loto/{day}/proof.jsonl":   s.lotoProof,
		"GET /loto/{day}/proof/{round}": s.lotoProof,
	} {
		s.Shell.Handle(pattern, page)
	}
	s.Shell.Handle("GET /loto/{day}/call", s.showCaller, s.May(app.CallLoto))
	s.Shell.Handle("POST /loto/{day}/call/{act}", s.callerAct, s.May(app.CallLoto))
	s.Shell.Handle("GET /loto/{day}/check", s.showChecker, s.May(app.CheckLoto))
	s.Shell.Handle("POST /loto/{day}/check", s.checkerAct, s.May(app.CheckLoto))
	s.Shell.Handle("GET /loto/{day}/check/photo", s.showChecker, s.May(app.CheckLoto)) // read again after a photograph
	s.Shell.Handle("POST /loto/{day}/check/code", s.checkerCode, s.May(app.CheckLoto))
	s.Shell.Handle("POST /loto/{day}/check/photo", s.checkerPhoto, s.May(app.CheckLoto))
	s.Shell.Handle("GET /loto/{day}/desk", s.showTill, s.May(app.WorkDesk))
	s.Shell.Handle("POST /loto/{day}/desk/{act}", s.tillAct, s.May(app.WorkDesk))
	s.Shell.Handle("GET /screen", s.showScreen)
	s.Shell.Handle("POST /loto/{day}/screens", s.approveScreen, s.May(app.CallLoto))
	s.mountLotoManage()
}

func lotoPath(id app.LotoID) string { return "/loto/" + id.String() }

func lotoTopic(id app.LotoID) string { return app.LotoPrefix + id.String() }

// A lotoVisit is a visit of a day.
type lotoVisit struct {
	*web.Visit
	app.LotoDay
	number uint64 // of the last event
}

// live is the cursor of a page that follows the day.
func (d lotoVisit) live() string {
	return lotoTopic(d.ID) + ":" + strconv.FormatUint(d.number, 10)
}

// view describes a page of the day to the frame.
func (d lotoVisit) view(title string, bare bool) ui.View {
	return ui.View{Title: title, Accent: ui.Loto, Live: d.live(), Bare: bare}
}

// loto reads the day that the address names.
func (s *Section) loto(v *web.Visit) (lotoVisit, error) {
	id, err := strconv.ParseInt(v.Path("day"), 10, 64)
	if err != nil {
		return lotoVisit{}, web.NotFound
	}
	d, n, err := s.Loto.Day(v.Context(), app.LotoID(id))
	if errors.Is(err, app.ErrNotFound) {
		return lotoVisit{}, web.NotFound
	}
	return lotoVisit{v, d, n}, err
}

// lotoForm reads the form that was sent about a day.
func (s *Section) lotoForm(v *web.Visit) (*web.Form, lotoVisit, error) {
	form, err := v.Form()
	if err != nil {
		return nil, lotoVisit{}, err
	}
	d, err := s.loto(v)
	return form, d, err
}

// act is who acts, from the form that was sent.
func (d lotoVisit) act(form *web.Form) app.LotoAct {
	return app.LotoAct{Request: app.RequestID(form.Request), By: d.Person.ID, Day: d.ID}
}

// showLoto shows where the day is to whoever comes, and to staff their pages.
func (s *Section) showLoto(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	return s.lotoAgain(http.StatusOK, d, nil)
}

func (s *Section) lotoAgain(status int, d lotoVisit, form *web.Form, notices ...ui.Notice) error {
	return d.ShowStatus(status, d.view(d.Session.Plan.Title, false),
		lotoBody(d, form, s.Who.Roles(d.Person.ID)), notices...)
}

// lotoProof gives anyone the file that proves a day up to a round that is closed, or all of it
// once it is over: it does not say who bought what.
func (s *Section) lotoProof(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	round, name := 0, "loto-"+d.ID.String()
	if text := v.Path("round"); text != "" {
		if round, err = strconv.Atoi(text); err != nil || round < 1 {
			return web.NotFound
		}
		name += "-" + strconv.Itoa(round)
	}
	return v.Cut(s.Loto.Export(v.Context(), d.ID, round, pages.StreamTo(v, name+".jsonl")))
}

// reserveOnline makes a reservation for whoever asks, and leads to its page with the code.
func (s *Section) reserveOnline(v *web.Visit) error {
	form, d, err := s.lotoForm(v)
	if err != nil {
		return err
	}
	holder := form.Text("holder", 80)
	if !form.OK() {
		return s.lotoAgain(http.StatusUnprocessableEntity, d, form, form.Notice())
	}
	code, err := s.Loto.ReserveOnline(v.Context(), d.act(form), v.Address.String(), holder)
	if notice, refused := v.Refused(err); refused {
		return s.lotoAgain(http.StatusUnprocessableEntity, d, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(lotoPath(d.ID) + "/r/" + code)
}

// showHall is the screen of the hall; nobody signs in for what everybody sees.
func (s *Section) showHall(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	return v.Show(d.view(d.Session.Plan.Title, true), hallBody(d))
}

// showReservation is what was sent to whoever reserved: a code to be shown at the door.
func (s *Section) showReservation(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	r, err := s.Loto.Reservation(v.Context(), d.ID, v.Path("code"))
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("loto.reservation"), Accent: ui.Loto}, reservationBody(d, r))
}

// numbersOf reads numbers from 1 to 90 that a text holds, in order.
func numbersOf(text string) (list []ninety.Ball, ok bool) {
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.ParseUint(f, 10, 8)
		if err != nil || !ninety.Ball(n).Valid() {
			return nil, false
		}
		list = append(list, ninety.Ball(n))
	}
	return list, true
}

// claimOf reads a claim as it is typed: a serial, and after a colon the numbers of its lines
// for a card that the house may not know.
func claimOf(text string) (c app.LotoClaim, ok bool) {
	serial, numbers, typed := strings.Cut(text, ":")
	c.Serial = strings.TrimSpace(serial)
	if !typed {
		return c, c.Serial != ""
	}
	list, ok := numbersOf(numbers)
	if !ok || len(list) == 0 || len(list)%5 != 0 {
		return c, false
	}
	for len(list) > 0 {
		c.Typed, list = append(c.Typed, list[:5]), list[5:]
	}
	return c, c.Serial != ""
}

// lotoFacts are the data of a fact of a day: the number that was called, nothing else, for
// whatever else is read from the page again.
func lotoFacts(ball ninety.Ball) json.RawMessage {
	if ball == 0 {
		return json.RawMessage("{}")
	}
	return fmt.Appendf(nil, `{"ball":%d}`, ball)
}

// Changed passes what a commit has done to a day to the screens that follow it, at once.
func (s *Section) Changed(state app.Changed) {
	d, ok := state.Value.(app.LotoDay)
	if !ok || !d.Alone {
		s.Hub.Renew(state.Name)
		return
	}
	s.Hub.Publish(state.Name, int64(state.Number), d.Told, lotoFacts(d.Ball))
}

// Missed reads the facts of a day that a stream has missed.
func (s *Section) Missed(ctx context.Context, topic string, after int64, max int) ([]web.Fact, error) {
	return s.House.Missed(ctx, topic, after, max, func(kind string, payload []byte) ([]byte, error) {
		if kind != (loto.BallCalled{}).Kind() {
			return lotoFacts(0), nil
		}
		event, _, err := app.ReadLotoEvent(kind, payload)
		if err != nil {
			return nil, err
		}
		return lotoFacts(event.(loto.BallCalled).Ball), nil
	})
}

// asked shows a page again after an act: the answer to a form is the page as it is now, with
// what was refused at its head.
func (d lotoVisit) asked(err error, again func(status int, d lotoVisit, notices ...ui.Notice) error, to string) error {
	if notice, refused := d.Refused(err); refused {
		return again(http.StatusUnprocessableEntity, d, notice)
	}
	if err != nil {
		return err
	}
	return d.Redirect(to)
}
