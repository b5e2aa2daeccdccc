package site

import (
	"context"
	"math/big"
	"strconv"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// mountPlayer adds the pages of a player's own account.
func (s *Site) mountPlayer() {
	s.Shell.Handle("GET /account", s.account, web.SignedIn)
	s.Shell.Handle("GET /account/statement.csv", s.statementCSV, s.May(app.Play))
	s.Shell.Handle("GET /account/statement.pdf", s.statementPDF, s.May(app.Play))
	s.Shell.Handle("GET /history", s.history, s.May(app.Play))
	s.mountLimits()
	s.Shell.Handle("GET /rules/accept", s.showAccept, s.May(app.Predict))
	s.Shell.Handle("POST /rules/accept", s.accept, s.May(app.Predict))
}

// account shows the balance and the statement: every movement, with the balance after it.
func (s *Site) account(v *web.Visit) error {
	if !s.plays(v.Person) {
		return v.Show(ui.View{Title: v.T("nav.account")}, staffAccountBody(v.Person))
	}
	moves, err := s.Instant.Statement(v.Context(), v.Person.ID, pages.CursorOf(v.Query("before")), pages.PageSize+1)
	if err != nil {
		return err
	}
	purse, err := s.Ground.Purse(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	earlier := ""
	if len(moves) > pages.PageSize {
		moves = moves[:pages.PageSize]
		last := moves[pages.PageSize-1]
		earlier = "/account?before=" + pages.CursorText(last.ID, last.Line)
	}
	later := ""
	if v.Query("before") != "" {
		later = "/account"
	}
	return v.Show(ui.View{Title: v.T("nav.account"), Accent: ui.Instant},
		accountBody(purse.Shown, pages.StatementRows(v.Words, v.Person, moves), earlier, later))
}

// history shows every unit ever bought; each can be seen again (instant:4.4.interrupted).
func (s *Site) history(v *web.Visit) error {
	units, err := s.Instant.History(v.Context(), v.Person.ID, pages.CursorOf(v.Query("before")), pages.PageSize+1)
	if err != nil {
		return err
	}
	earlier, later := "", ""
	if len(units) > pages.PageSize {
		units = units[:pages.PageSize]
		last := units[pages.PageSize-1]
		earlier = "/history?before=" + pages.CursorText(last.SoldAt.UnixMicro(), last.Unit.Number)
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
	if err := s.People.AcceptRules(v.Context(), app.RequestID(form.Request), v.Person.ID, version); err != nil {
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

// wallet is what the header shows of a player's money.
func (s *Site) wallet(ctx context.Context, p ui.Person) (*ui.Wallet, error) {
	if !s.plays(p) || s.Who.MustChange(p.ID) {
		return nil, nil
	}
	purse, err := s.Ground.Purse(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	return &ui.Wallet{Balance: purse.Shown, Topic: pages.WalletTopic(p.ID), Number: purse.Version}, nil
}

// statementCSV gives the statement as a spreadsheet.
func (s *Site) statementCSV(v *web.Visit) error { return s.StatementAsCSV(v, v.Person) }

// statementPDF gives the statement on paper, with a checkpoint that covers all of it.
func (s *Site) statementPDF(v *web.Visit) error { return s.StatementAsPDF(v, v.Person) }
