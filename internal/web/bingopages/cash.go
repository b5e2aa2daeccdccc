package bingopages

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
	"boulier/player"
)

// mountBingoCash adds the pages of the central cash desk: electronic accounts, their cards
// and PINs. Money goes through the drawer of the cashier.
func (s *Section) mountBingoCash() {
	const account = "/desk/bingo/accounts/{account}"
	for pattern, page := range map[string]web.Page{
		"GET /desk/bingo":                   s.showBingoCash,
		"GET /desk/bingo/find":              s.findAccount,
		"POST /desk/bingo/open":             s.openAccount,
		"GET /desk/bingo/idle":              s.showIdle,
		"GET " + account:                    s.showBingoAccount,
		"POST " + account + "/load":         s.loadAccount,
		"POST " + account + "/payout":       s.payOutAccount,
		"POST " + account + "/pin":          s.issuePIN,
		"POST " + account + "/block":        s.blockAccount,
		"POST " + account + "/reissue":      s.reissueCard,
		"GET " + account + "/card.pdf":      s.accountCardPDF,
		"GET " + account + "/statement":     s.showAccountMoves,
		"GET " + account + "/movements.csv": s.accountCSV,
		"GET " + account + "/movements.pdf": s.accountPDF,
	} {
		s.Shell.Handle(pattern, page, s.May(app.WorkDesk))
	}
}

// cashTabs are the sides of the desk of the bingo.
func cashTabs(v *web.Visit) (out []ui.Link) {
	here := v.Request().URL.Path
	for _, l := range []struct{ href, key string }{{"/desk/bingo", "bingo.cash.accounts"}, {"/desk/bingo/idle", "bingo.cash.idle"},
		{"/bingo/faults", "bingo.manage.faults"}, {"/desk", "desk.title"}} {
		out = append(out, ui.Link{Href: l.href, Label: v.T(l.key), Current: here == l.href})
	}
	return out
}

func (s *Section) showBingoCash(v *web.Visit) error { return s.cashAgain(v, http.StatusOK, nil) }

func (s *Section) cashAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	d, err := s.Drawer(v)
	if err != nil {
		return err
	}
	return v.ShowStatus(status, houseView(v.T("bingo.cash.title")), bingoCashBody(cashTabs(v), form, d), notices...)
}

// findAccount leads to an account: a card that is scanned, a number, or a sign-in name. A
// player who has none yet is asked whether to open one.
func (s *Section) findAccount(v *web.Visit) error {
	id, err := s.Bingo.FindAccount(v.Context(), v.Query("account"))
	if errors.Is(err, bingo.ErrNoAccount) {
		c, unknown := s.Desk.Find(v.Context(), v.Query("account"))
		if unknown == nil {
			return v.ShowStatus(http.StatusOK, houseView(c.Name), openForBody(cashTabs(v), c, s.Rules))
		}
	}
	if notice, refused := v.Refused(err); refused {
		return s.cashAgain(v, http.StatusNotFound, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(AccountPath(id))
}

// AccountPath is the page of an electronic account.
func AccountPath(id bingo.AccountID) string {
	return "/desk/bingo/accounts/" + strconv.FormatInt(int64(id), 10)
}

// another is a second request of the same form: what it asks for is done once, too.
func another(form *web.Form) app.RequestID {
	id := form.Request
	id[len(id)-1] ^= 1
	return app.RequestID(id)
}

// openAccount opens an electronic account, and gives its card and PIN (bingo:93.2). Without a
// player it is anonymous: the cashier has seen that the person is of age.
func (s *Section) openAccount(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	var of player.ID
	if form.Raw("player") != "" {
		of = player.ID(form.Count("player", 1, 1<<40))
	} else {
		form.Agreed("adult", true)
	}
	if !form.OK() {
		return s.cashAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	id, err := s.Bingo.OpenAccount(v.Context(), as(v, form), of)
	if notice, refused := v.Refused(err); refused {
		return s.cashAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return s.pinShown(v, id, another(form))
}

// A slip is what is handed over with a card: shown this once.
type slip struct {
	app.BingoPurse
	PIN      string
	Day      time.Time
	Operator string
	Issued   time.Time
}

// card is what stands on the account's good card.
func (p slip) card() app.BingoCard { return app.BingoCard{Account: p.ID, Card: p.Card} }

// pinShown gives the account a PIN for the day, and shows it with the card, this once.
func (s *Section) pinShown(v *web.Visit, id bingo.AccountID, request app.RequestID) error {
	pin, err := s.Bingo.IssuePIN(v.Context(), app.BingoAct{Request: request, By: v.Person.ID}, id)
	if notice, refused := v.Refused(err); refused {
		return s.accountAgain(v, id, http.StatusUnprocessableEntity, nil, notice)
	}
	if err != nil {
		return err
	}
	if pin == "" {
		return s.accountAgain(v, id, http.StatusOK, nil, ui.Notice{Tone: ui.Warning, Title: v.T("bingo.cash.pin.gone"),
			Text: v.T("bingo.cash.pin.gone.text")})
	}
	p := slip{PIN: pin, Issued: v.Now()}
	if p.BingoPurse, err = s.Bingo.Purse(v.Context(), id); err != nil {
		return err
	}
	if p.Day, err = time.ParseInLocation(time.DateOnly, p.BingoPurse.Day, s.Ground.Zone); err != nil {
		return err
	}
	settings, err := s.Ground.Settings(v.Context())
	if err != nil {
		return err
	}
	p.Operator = settings.Operator
	return v.Show(houseView(v.T("bingo.cash.slip")), slipBody(p))
}

// bingoAccountOf reads which account the address names.
func (s *Section) bingoAccountOf(v *web.Visit) (bingo.AccountID, error) {
	n, err := strconv.ParseInt(v.Path("account"), 10, 64)
	if err != nil || n < 1 {
		return 0, web.NotFound
	}
	_, err = s.Bingo.Account(v.Context(), bingo.AccountID(n))
	if errors.Is(err, app.ErrNotFound) {
		err = web.NotFound
	}
	return bingo.AccountID(n), err
}

// A cashAccount is an account as its page shows it.
type cashAccount struct {
	app.BingoPurse
	tabs      []ui.Link
	drawer    *app.DrawerView
	terminals []app.BingoTerminal
	day       string // for which a PIN would be given now
	closed    bool   // the player's account is closed
}

func (s *Section) showBingoAccount(v *web.Visit) error {
	id, err := s.bingoAccountOf(v)
	if err != nil {
		return err
	}
	return s.accountAgain(v, id, http.StatusOK, nil)
}

func (s *Section) accountAgain(v *web.Visit, id bingo.AccountID, status int, form *web.Form, notices ...ui.Notice) error {
	a := cashAccount{tabs: cashTabs(v)}
	var err error
	if a.BingoPurse, err = s.Bingo.Purse(v.Context(), id); err != nil {
		return err
	}
	if a.drawer, err = s.Drawer(v); err != nil {
		return err
	}
	if a.terminals, err = s.Bingo.Terminals(v.Context()); err != nil {
		return err
	}
	if a.day, err = s.Bingo.PINDay(v.Context()); err != nil {
		return err
	}
	c, err := s.Desk.Client(v.Context(), a.Player)
	if err == nil {
		a.closed = c.Status != app.Active
	} else if !errors.Is(err, app.ErrPlayerUnknown) {
		return err
	}
	return v.ShowStatus(status, houseView(holderName(v.Words, a.BingoPurse)), bingoAccountBody(a, form), notices...)
}

// holderName names an account: its player, or its number.
func holderName(w *locales.Words, p app.BingoPurse) string {
	if p.Anonymous() {
		return w.T("bingo.cash.anonymous", "Number", int64(p.ID))
	}
	return p.Name
}

// loadAccount loads money that is handed over (bingo:93.2).
func (s *Section) loadAccount(v *web.Visit) error {
	return s.atDrawer(v, s.Desk.Load, func(form *web.Form, o *app.DeskOrder) {
		o.Amount, o.Means = form.Amount("load"), app.Means(form.Choice("means", "cash", "card", "cheque"))
		o.Document = form.Raw("document")
		if o.Means == app.Cheque && o.Document == "" {
			form.Wrong("document", v.T("violation.document_missing"))
		}
	})
}

// payOutAccount exchanges credits for cash, all of them or a part, or has the bank pay them
// (bingo:93.14).
func (s *Section) payOutAccount(v *web.Visit) error {
	return s.atDrawer(v, s.Desk.PayOut, func(form *web.Form, o *app.DeskOrder) {
		if form.Raw("all") != "" {
			form.Answer("payout", form.Raw("all"))
		}
		o.Amount = form.Amount("payout")
		pages.ReadPayOut(v, form, o)
	})
}

// atDrawer does what the form asks for with the money of an account, and shows the receipt.
func (s *Section) atDrawer(v *web.Visit, do pages.EnterFunc, read func(*web.Form, *app.DeskOrder)) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	id, err := s.bingoAccountOf(v)
	if err != nil {
		return err
	}
	o := app.DeskOrder{Request: app.RequestID(form.Request), Cashier: v.Person.ID, Player: player.ID(id)}
	read(form, &o)
	if !form.OK() {
		return s.accountAgain(v, id, http.StatusUnprocessableEntity, form, form.Notice())
	}
	e, err := do(v.Context(), o)
	if notice, refused := v.Refused(err); refused {
		if errors.Is(err, app.ErrBalanceShort) {
			notice.Title = v.T("desk.payout.short")
		}
		return s.accountAgain(v, id, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(pages.ReceiptPath(e))
}

// issuePIN gives the account a new PIN.
func (s *Section) issuePIN(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	id, err := s.bingoAccountOf(v)
	if err != nil {
		return err
	}
	return s.pinShown(v, id, app.RequestID(form.Request))
}

// blockAccount makes a lost card worthless.
func (s *Section) blockAccount(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	id, err := s.bingoAccountOf(v)
	if err != nil {
		return err
	}
	reason := form.Text("reason", 200)
	if !form.OK() {
		return s.accountAgain(v, id, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = s.Bingo.BlockAccount(v.Context(), as(v, form), id, reason)
	if notice, refused := v.Refused(err); refused {
		return s.accountAgain(v, id, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(AccountPath(id), web.Done("bingo_blocked"))
}

// reissueCard makes a new card for a blocked account, with a new PIN.
func (s *Section) reissueCard(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	id, err := s.bingoAccountOf(v)
	if err != nil {
		return err
	}
	err = s.Bingo.ReissueCard(v.Context(), as(v, form), id)
	if notice, refused := v.Refused(err); refused {
		return s.accountAgain(v, id, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return s.pinShown(v, id, another(form))
}

// accountCardPDF is the card of the account, without its PIN.
func (s *Section) accountCardPDF(v *web.Visit) error {
	id, err := s.bingoAccountOf(v)
	if err != nil {
		return err
	}
	a, err := s.Bingo.Account(v.Context(), id)
	if err != nil {
		return err
	}
	settings, err := s.Ground.Settings(v.Context())
	if err != nil {
		return err
	}
	card := app.BingoCard{Account: id, Card: a.Card}
	var out bytes.Buffer
	err = print.WriteAccountCard(&out, print.AccountCard{Title: v.T("bingo.title"), Operator: cmp.Or(settings.Operator, v.T("brand.name")),
		Label: v.T("bingo.cash.card"), Number: card.String(), QR: card.QR(), Made: v.Now(),
		Lines: []string{v.T("bingo.cash.card.use"), v.T("bingo.cash.card.lost")}})
	if err != nil {
		return err
	}
	return v.File("bingo-carte-"+card.String()+".pdf", "application/pdf", out.Bytes())
}

// holder is whose movements are written.
func (s *Section) holder(v *web.Visit) (ui.Person, error) {
	id, err := s.bingoAccountOf(v)
	if err != nil {
		return ui.Person{}, err
	}
	p, err := s.Bingo.Purse(v.Context(), id)
	return ui.Person{ID: p.Player, Name: holderName(v.Words, p)}, err
}

func (s *Section) accountCSV(v *web.Visit) error {
	who, err := s.holder(v)
	if err != nil {
		return err
	}
	return s.StatementAsCSV(v, who)
}

func (s *Section) accountPDF(v *web.Visit) error {
	who, err := s.holder(v)
	if err != nil {
		return err
	}
	return s.StatementAsPDF(v, who)
}

// showAccountMoves shows the movements of an account, newest first (bingo:93.7).
func (s *Section) showAccountMoves(v *web.Visit) error {
	who, err := s.holder(v)
	if err != nil {
		return err
	}
	moves, err := s.Instant.Statement(v.Context(), who.ID, pages.CursorOf(v.Query("before")), pages.PageSize+1)
	if err != nil {
		return err
	}
	earlier, later := "", ""
	at := AccountPath(bingo.AccountID(who.ID)) + "/statement"
	if len(moves) > pages.PageSize {
		moves = moves[:pages.PageSize]
		earlier = at + "?before=" + pages.CursorText(moves[pages.PageSize-1].ID, moves[pages.PageSize-1].Line)
	}
	if v.Query("before") != "" {
		later = at
	}
	return v.Show(houseView(v.T("account.statement")), accountMovesBody(cashTabs(v), who, pages.StatementRows(v.Words, who, moves), earlier, later))
}

// idleDays is how long an account rests before it is listed, unless asked otherwise.
const idleDays = 30

// showIdle lists accounts that hold money and have not been used for long.
func (s *Section) showIdle(v *web.Visit) error {
	days, err := strconv.Atoi(v.Query("days"))
	if err != nil || days < 0 || days > 3650 {
		days = idleDays
	}
	list, err := s.Bingo.Idle(v.Context(), v.Now().AddDate(0, 0, -days))
	if err != nil {
		return err
	}
	return v.Show(houseView(v.T("bingo.cash.idle")), idleBody(cashTabs(v), list, days))
}

func idleRows(w *locales.Words, list []app.BingoPurse) (rows [][]templ.Component) {
	for _, p := range list {
		rows = append(rows, []templ.Component{accountLinkTo(p, holderName(w, p)), ui.Moment(p.MovedAt), cardMark(p.BingoAccount), ui.Amount(p.Balance)})
	}
	return rows
}
