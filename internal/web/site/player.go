package site

import (
	"context"
	"math/big"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/ledger"
	"boulier/money"
)

// mountPlayer adds the pages of a player's own account.
func (s *Site) mountPlayer() {
	s.shell.Handle("GET /account", s.account, web.SignedIn)
	s.shell.Handle("GET /account/statement.csv", s.statementCSV, s.may(app.Play))
	s.shell.Handle("GET /account/statement.pdf", s.statementPDF, s.may(app.Play))
	s.shell.Handle("GET /history", s.history, s.may(app.Play))
	s.mountLimits()
	s.shell.Handle("GET /rules/accept", s.showAccept, s.may(app.Predict))
	s.shell.Handle("POST /rules/accept", s.accept, s.may(app.Predict))
}

const pageSize = 25

// account shows the balance and the statement: every movement, with the balance after it.
func (s *Site) account(v *web.Visit) error {
	if !s.plays(v.Person) {
		return v.Show(ui.View{Title: v.T("nav.account")}, staffAccountBody(v.Person))
	}
	moves, err := s.Instant.Statement(v.Context(), v.Person.ID, cursorOf(v.Query("before")), pageSize+1)
	if err != nil {
		return err
	}
	purse, err := s.Ground.Purse(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	earlier := ""
	if len(moves) > pageSize {
		moves = moves[:pageSize]
		last := moves[pageSize-1]
		earlier = "/account?before=" + cursorText(last.ID, last.Line)
	}
	later := ""
	if v.Query("before") != "" {
		later = "/account"
	}
	return v.Show(ui.View{Title: v.T("nav.account"), Accent: ui.Instant},
		accountBody(purse.Shown, statementRows(v.Words, v.Person, moves), earlier, later))
}

// cursorOf reads what cursorText wrote; anything else begins at the newest.
func cursorOf(text string) app.Cursor {
	at, line, ok := strings.Cut(text, "-")
	a, err1 := strconv.ParseInt(at, 10, 64)
	l, err2 := strconv.ParseInt(line, 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return app.Cursor{}
	}
	return app.Cursor{At: a, Line: l}
}

func cursorText(at, line int64) string {
	return strconv.FormatInt(at, 10) + "-" + strconv.FormatInt(line, 10)
}

// signed returns what a movement did to the person's account, and the balance after it.
func signed(p ui.Person, m app.Movement) (amount, after money.Cents) {
	if m.To == ledger.Path("player:"+p.ID.String()) {
		return money.Cents(m.Amount.Count), money.Cents(m.ToAfter)
	}
	return -money.Cents(m.Amount.Count), money.Cents(m.FromAfter)
}

func statementRows(words *locales.Words, p ui.Person, moves []app.Movement) [][]templ.Component {
	rows := make([][]templ.Component, 0, len(moves))
	for _, m := range moves {
		amount, after := signed(p, m)
		rows = append(rows, []templ.Component{ui.Moment(m.At), movementLabel(words.T("movement."+m.Kind), m),
			ui.Movement(amount), ui.Amount(after)})
	}
	return rows
}

// unitOfMovement is the unit that a movement is for, or the zero one.
func unitOfMovement(m app.Movement) app.UnitRef {
	ref, _ := app.ParseUnitRef(m.Ref)
	if m.Kind != "stake" && m.Kind != "prize" {
		return app.UnitRef{}
	}
	return ref
}

// history shows every unit ever bought; each can be seen again (instant:4.4.interrupted).
func (s *Site) history(v *web.Visit) error {
	units, err := s.Instant.History(v.Context(), v.Person.ID, cursorOf(v.Query("before")), pageSize+1)
	if err != nil {
		return err
	}
	earlier, later := "", ""
	if len(units) > pageSize {
		units = units[:pageSize]
		last := units[pageSize-1]
		earlier = "/history?before=" + cursorText(last.SoldAt.UnixMicro(), last.Unit.Number)
	}
	if v.Query("before") != "" {
		later = "/history"
	}
	return v.Show(ui.View{Title: v.T("nav.history"), Accent: ui.Instant}, historyBody(units, earlier, later))
}

func (s *Site) showAccept(v *web.Visit) error {
	r, err := s.Ground.CurrentRules(v.Context())
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("accept.title"), Accent: ui.Instant}, acceptBody(r, v.Query("next")))
}

// accept records that the player accepts the version in force, and goes on.
func (s *Site) accept(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	version, _ := strconv.Atoi(form.Raw("version"))
	if err := s.people.AcceptRules(v.Context(), app.RequestID(form.Request), v.Person.ID, version); err != nil {
		return err
	}
	return v.Redirect(form.Raw("next"), web.Done("rules_accepted"))
}

// returnText writes what part of the stakes goes back, in per cent with three decimals, cut
// down.
func returnText(ctx context.Context, g instant.Game) string {
	r := new(big.Rat).Mul(g.Return(), big.NewRat(100_000, 1))
	n := new(big.Int).Quo(r.Num(), r.Denom()).Int64()
	mark := "."
	if locales.From(ctx).Lang() == "fr" {
		mark = ","
	}
	text := strconv.FormatInt(n/1000, 10) + mark + strconv.FormatInt(1000+n%1000, 10)[1:]
	return ui.T(ctx, "instant.percent", "Number", text)
}

// unitLead says how a unit in play is played; one that is whole needs no word.
func unitLead(ctx context.Context, u app.UnitView) string {
	switch {
	case !u.Covered:
		return ""
	case u.Words != nil:
		return ui.T(ctx, "words.covered")
	default:
		return ui.T(ctx, "unit.covered")
	}
}
