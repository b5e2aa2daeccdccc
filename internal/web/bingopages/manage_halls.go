package bingopages

import (
	"context"
	"net/http"
	"strconv"

	"github.com/a-h/templ"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// A hallsPage is the halls with their terminals.
type hallsPage struct {
	tabs      []ui.Link
	halls     []app.BingoHall
	terminals []app.BingoTerminal
	shown     app.BingoTerminal // whose code is shown now
	code      string
	witness   app.BingoWitness
}

func (s *Section) showHalls(v *web.Visit) error {
	return s.hallsAgain(v, http.StatusOK, nil, hallsPage{})
}

func (s *Section) hallsAgain(v *web.Visit, status int, form *web.Form, p hallsPage, notices ...ui.Notice) error {
	p.tabs = bingoTabs(v)
	var err error
	if p.halls, err = s.Bingo.Halls(v.Context()); err != nil {
		return err
	}
	if p.terminals, err = s.Bingo.Terminals(v.Context()); err != nil {
		return err
	}
	if p.witness, err = s.Bingo.Witness(v.Context()); err != nil {
		return err
	}
	for _, t := range p.terminals {
		if t.ID == p.shown.ID {
			p.shown = t
		}
	}
	return v.ShowStatus(status, houseView(v.T("bingo.manage.halls")), hallsBody(p, form), notices...)
}

func (s *Section) addHall(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	name, place := form.Text("name", 60), form.Optional("place", 60)
	if !form.OK() {
		return s.hallsAgain(v, http.StatusUnprocessableEntity, form, hallsPage{}, form.Notice())
	}
	_, err = s.Bingo.AddHall(v.Context(), as(v, form), name, place)
	if notice, refused := v.Refused(err); refused {
		return s.hallsAgain(v, http.StatusUnprocessableEntity, form, hallsPage{}, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/bingo/halls", web.Done("bingo_hall"))
}

// addTerminal describes a terminal, and shows its code: this page alone, once.
func (s *Section) addTerminal(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	halls, err := s.Bingo.Halls(v.Context())
	if err != nil {
		return err
	}
	hall := form.Choice("hall", hallNames(halls)...)
	name := form.Text("terminal", 30)
	if !form.OK() {
		return s.hallsAgain(v, http.StatusUnprocessableEntity, form, hallsPage{}, form.Notice())
	}
	id, code, err := s.Bingo.AddTerminal(v.Context(), as(v, form), hall, name)
	return s.codeShown(v, form, id, code, err)
}

// codeShown answers with the code of a terminal.
func (s *Section) codeShown(v *web.Visit, form *web.Form, id bingo.TerminalID, code string, err error) error {
	if notice, refused := v.Refused(err); refused {
		return s.hallsAgain(v, http.StatusUnprocessableEntity, form, hallsPage{}, notice)
	}
	if err != nil {
		return err
	}
	if code == "" {
		return s.hallsAgain(v, http.StatusOK, nil, hallsPage{}, ui.Notice{Tone: ui.Warning,
			Title: v.T("bingo.manage.code.gone"), Text: v.T("bingo.manage.code.gone.text")})
	}
	return s.hallsAgain(v, http.StatusOK, nil, hallsPage{shown: app.BingoTerminal{ID: id}, code: code})
}

// terminalAct revokes a terminal, or gives it another code.
func (s *Section) terminalAct(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(v.Path("terminal"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	id := bingo.TerminalID(n)
	switch v.Path("act") {
	case "renew":
		code, err := s.Bingo.RenewTerminal(v.Context(), as(v, form), id)
		return s.codeShown(v, form, id, code, err)
	case "revoke":
		reason := form.Text("reason-"+v.Path("terminal"), 200)
		if !form.OK() {
			return s.hallsAgain(v, http.StatusUnprocessableEntity, form, hallsPage{}, form.Notice())
		}
		err := s.Bingo.RevokeTerminal(v.Context(), as(v, form), id, reason)
		if notice, refused := v.Refused(err); refused {
			return s.hallsAgain(v, http.StatusUnprocessableEntity, form, hallsPage{}, notice)
		}
		if err != nil {
			return err
		}
		return v.Redirect("/manage/bingo/halls", web.Done("bingo_revoked"))
	}
	return web.NotFound
}

func hallNames(halls []app.BingoHall) (list []string) {
	for _, h := range halls {
		list = append(list, hallName(h))
	}
	return list
}

// hallName names a hall with its town, as terminals do.
func hallName(h app.BingoHall) string {
	if h.Place == "" {
		return h.Name
	}
	return h.Name + ", " + h.Place
}

func hallChoices(halls []app.BingoHall) (list []ui.Choice) {
	for _, name := range hallNames(halls) {
		list = append(list, ui.Choice{Value: name, Label: name})
	}
	return list
}

// at returns the terminals of a hall.
func (p hallsPage) at(hall string) (list []app.BingoTerminal) {
	for _, t := range p.terminals {
		if t.Hall == hall {
			list = append(list, t)
		}
	}
	return list
}

// places returns the halls that have a description, then those that only terminals name.
func (p hallsPage) places() []string {
	list := hallNames(p.halls)
	seen := map[string]bool{}
	for _, name := range list {
		seen[name] = true
	}
	for _, t := range p.terminals {
		if !seen[t.Hall] {
			seen[t.Hall] = true
			list = append(list, t.Hall)
		}
	}
	return list
}

func terminalRows(ctx context.Context, form *web.Form, list []app.BingoTerminal) (rows [][]templ.Component) {
	for _, t := range list {
		mark := ui.Mark(ui.Success, ui.T(ctx, "bingo.manage.terminal.good"))
		if t.Revoked {
			mark = ui.Mark(ui.Danger, ui.T(ctx, "bingo.manage.terminal.revoked"))
		}
		rows = append(rows, []templ.Component{ui.Text(t.Name), ui.Count(int64(t.ID)), mark, terminalActs(form, t)})
	}
	return rows
}
