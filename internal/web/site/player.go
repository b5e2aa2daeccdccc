package site

import (
	"context"
	"strconv"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// mountPlayer adds the pages of a player's own account.
func (s *Site) mountPlayer() {
	s.Shell.Handle("GET /account", s.account, web.SignedIn)
	s.Shell.Handle("GET /account/statement.csv", s.statementCSV, s.May(app.Play))
	s.Shell.Handle("GET /account/statement.pdf", s.statementPDF, s.May(app.Play))
	s.mountLimits()
	s.Shell.Handle("GET /rules/accept", s.showAccept, s.May(app.Predict))
	s.Shell.Handle("POST /rules/accept", s.accept, s.May(app.Predict))
}

// account shows the balance and the statement: every movement, with the balance after it.
func (s *Site) account(v *web.Visit) error {
	if !s.Plays(v.Person) {
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

// wallet is what the header shows of a player's money.
func (s *Site) wallet(ctx context.Context, p ui.Person) (*ui.Wallet, error) {
	if !s.Plays(p) || s.Who.MustChange(p.ID) {
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
