package bingopages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
	"boulier/money"
	"boulier/player"
)

// mountBingoTerminal adds the page of a terminal: a browser that was authorized by a code,
// in which a player presents an electronic account (bingo:93.3).
func (s *Section) mountBingoTerminal() {
	s.Shell.Handle("GET "+terminalPath, s.showTerminal)
	s.Shell.Handle("POST "+terminalPath+"/authorize", s.authorizeTerminal)
	s.Shell.Handle("POST "+terminalPath+"/enter", s.enterTerminal)
	s.Shell.Handle("POST "+terminalPath+"/leave", s.leaveTerminal)
	s.Shell.Handle("POST "+terminalPath+"/buy", s.buyCards)
	s.Shell.Handle("GET "+terminalPath+"/movements", s.showTerminalMoves)
}

const (
	terminalPath = "/bingo/terminal"
	// terminalCookie keeps the code of the terminal in its browser.
	terminalCookie  = "boulier_terminal"
	terminalKeptFor = 400 * 24 * 3600 // seconds: as long as browsers keep a cookie
)

// A Demo is what the demonstration gives to whoever tries a terminal: its code, and an
// account with its PIN.
type Demo struct {
	Code string
	Card app.BingoCard
	PIN  string
}

// tryBingo is what the demonstration lends; nil elsewhere, and until it is ready.
func (s *Section) tryBingo() *Demo {
	if s.lent == nil {
		return nil
	}
	return s.lent()
}

// A terminalVisit is a visit at a terminal.
type terminalVisit struct {
	bingoVisit
	Terminal app.BingoTerminal // the zero one: this browser is none
	Account  app.BingoAccount  // the zero one: no account is presented here
	Moved    bool              // the account that was here is at another terminal now
	Purse    app.Purse
	Hand     app.BingoHand
	Cards    []cardView // nearest first
	Near     app.BingoNear
	Earned   money.Cents // what the account has won in the round
	Earlier  money.Cents // and in the round before it
	Try      *Demo
}

// A cardView is a card of the player with how near it is.
type cardView struct {
	app.HeldCard
	Missing []int // numbers, by prize of the round; 0 when it has reached it
	Won     money.Cents
}

// terminal reads who is at which terminal, and what they hold.
func (s *Section) terminal(v *web.Visit) (t terminalVisit, err error) {
	if t.bingoVisit, err = s.bingoVisit(v); err != nil {
		return t, err
	}
	t.Try = s.tryBingo()
	code := v.Kept(terminalCookie)
	if code == "" {
		return t, nil
	}
	t.Terminal, err = s.Bingo.Terminal(v.Context(), code)
	if errors.Is(err, bingo.ErrTerminal) || errors.Is(err, app.ErrBingoTerminal) {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	id := bingo.AccountID(s.Sessions.GetInt64(v.Context(), pages.AccountKey))
	if id == 0 {
		return t, nil
	}
	x, err := s.Bingo.Account(v.Context(), id)
	if err != nil {
		return t, err
	}
	if x.At(t.Terminal.ID) != nil {
		t.Moved = true
		s.Sessions.Remove(v.Context(), pages.AccountKey)
		return t, nil
	}
	t.Account = x
	return t, s.holding(&t)
}

// holding reads the money and the cards of the account that is presented.
func (s *Section) holding(t *terminalVisit) (err error) {
	ctx, who := t.Context(), t.Account.Player
	if t.Purse, err = s.Ground.Purse(ctx, who); err != nil || t.Round.ID == 0 {
		return err
	}
	t.Earned, t.Earlier = earned(t.Round, who), earned(t.Before, who)
	if t.Hand, err = s.Bingo.Hand(ctx, t.Round.ID, who); err != nil {
		return err
	}
	if t.Near, err = s.Bingo.Near(ctx, t.Round.ID); err != nil {
		return err
	}
	held, err := s.Bingo.Faces(ctx, t.Hand)
	if err != nil {
		return err
	}
	t.Cards = cardViews(t.Round, held)
	return nil
}

// earned is what a player has won in a round.
func earned(r bingo.Round, who player.ID) (sum money.Cents) {
	for _, w := range r.Wins {
		for _, x := range w.Winners {
			if x.Player == who {
				sum += x.Share
			}
		}
	}
	return sum
}

// cardViews returns cards with what they lack and have won: those nearest to the prize that
// is next to be won first.
func cardViews(r bingo.Round, held []app.HeldCard) []cardView {
	drawn := ninety.BallSet{}.With(r.Balls...)
	won := map[int]money.Cents{}
	for _, w := range r.Wins {
		for _, x := range w.Winners {
			won[x.Place] += x.Share
		}
	}
	list := make([]cardView, len(held))
	for i, h := range held {
		list[i] = cardView{HeldCard: h, Won: won[h.Place]}
		for _, p := range r.Proposal.Prizes {
			list[i].Missing = append(list[i].Missing, p.Pattern.Missing(h.Card, drawn))
		}
	}
	order := openPrizes(r)
	slices.SortStableFunc(list, func(a, b cardView) int {
		for _, i := range order {
			if c := cmp.Compare(a.Missing[i], b.Missing[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	return list
}

// openPrizes are the prizes of a round that are still to be won, in the order in which one
// ball awards them.
func openPrizes(r bingo.Round) (list []int) {
	open := r.Open()
	for _, g := range open {
		i := slices.IndexFunc(r.Proposal.Prizes, func(p bingo.Prize) bool { return p.Pattern == g })
		list = append(list, i)
	}
	return list
}

// TerminalWallet is the live topic of the account that is presented at this terminal, or "".
func (s *Section) TerminalWallet(ctx context.Context) string {
	if id := s.Sessions.GetInt64(ctx, pages.AccountKey); id != 0 {
		return pages.WalletTopic(player.ID(id))
	}
	return ""
}

// live is the cursor of the terminal: the round, the day, and the money of its account.
func (t terminalVisit) live() string {
	if t.Account.ID == 0 {
		return t.bingoVisit.live()
	}
	return t.bingoVisit.live() + "," + pages.WalletTopic(t.Account.Player) + ":" + strconv.FormatInt(t.Purse.Version, 10)
}

func (t terminalVisit) frame() ui.View {
	view := t.view(t.T("bingo.terminal.title"), true)
	view.Live = t.live()
	if t.Terminal.ID == 0 {
		view.Live, view.Bare = "", false
	}
	return view
}

// showTerminal shows the terminal as it stands.
func (s *Section) showTerminal(v *web.Visit) error {
	t, err := s.terminal(v)
	if err != nil {
		return err
	}
	return v.Show(t.frame(), terminalBody(t, nil))
}

// authorizeTerminal makes this browser the terminal that a code was given for.
func (s *Section) authorizeTerminal(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	code := strings.Join(strings.Fields(form.Text("code", 100)), "") // it is shown in groups
	if try := s.tryBingo(); try != nil && form.Raw("demo") != "" {
		code = try.Code
	} else if !form.OK() {
		return s.terminalAgain(v, form, form.Notice())
	}
	if !s.Tries.Allow(v.Address.String()) {
		return &web.Refusal{Status: http.StatusTooManyRequests}
	}
	_, err = s.Bingo.Terminal(v.Context(), code)
	if notice, refused := v.Refused(err); refused {
		return s.terminalAgain(v, form, notice)
	}
	if err != nil {
		return err
	}
	v.Keep(terminalCookie, code, terminalKeptFor)
	return v.Redirect(terminalPath)
}

func (s *Section) terminalAgain(v *web.Visit, form *web.Form, notice ui.Notice) error {
	t, err := s.terminal(v)
	if err != nil {
		return err
	}
	view := t.frame()
	view.Live = "" // the address is the form's
	return v.ShowStatus(http.StatusUnprocessableEntity, view, terminalBody(t, form), notice)
}

// enterTerminal presents an account: its card and its PIN (bingo:93.3).
func (s *Section) enterTerminal(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	t, err := s.terminal(v)
	if err != nil {
		return err
	}
	if t.Terminal.ID == 0 {
		return v.Redirect(terminalPath)
	}
	card, ok := app.ParseBingoCard(form.Text("card", 200))
	if !ok {
		form.Wrong("card", v.T("bingo.enter.card.wrong"))
	}
	pin := form.Secret("pin", 20)
	if !form.OK() {
		return s.terminalAgain(v, form, form.Notice())
	}
	err = s.Bingo.Enter(v.Context(), app.BingoEntry{Terminal: t.Terminal.ID, Account: card.Account, Card: card.Card, PIN: pin})
	if notice, refused := v.Refused(err); refused {
		return s.terminalAgain(v, form, notice)
	}
	if err != nil {
		return err
	}
	s.Sessions.Put(v.Context(), pages.AccountKey, int64(card.Account))
	return v.Redirect(terminalPath)
}

// leaveTerminal takes the account out; whoever comes next sees nothing of it.
func (s *Section) leaveTerminal(v *web.Visit) error {
	if _, err := v.Form(); err != nil {
		return err
	}
	t, err := s.terminal(v)
	if err != nil {
		return err
	}
	if t.Account.ID != 0 {
		if err := s.Bingo.Leave(v.Context(), t.Account.ID, t.Terminal.ID); err != nil {
			return err
		}
		s.Sessions.Remove(v.Context(), pages.AccountKey)
	}
	return v.Redirect(terminalPath, web.Done("bingo_left"))
}

// buyCards asks the central server for cards (bingo:93.4, bingo:93.6).
func (s *Section) buyCards(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	t, err := s.terminal(v)
	if err != nil {
		return err
	}
	if t.Account.ID == 0 {
		return v.Redirect(terminalPath)
	}
	round, _ := strconv.ParseInt(form.Raw("round"), 10, 64)
	price, _ := strconv.ParseInt(form.Raw("price"), 10, 64)
	count, _ := strconv.Atoi(form.Raw("count"))
	sold, err := s.Bingo.BuyCards(v.Context(), app.BingoPurchase{Request: app.RequestID(form.Request),
		Account: t.Account.ID, Terminal: t.Terminal.ID, Round: bingo.RoundID(round), Price: money.Cents(price), Count: count})
	if flash, refused := v.RefusedFlash(err); refused {
		return v.Redirect(terminalPath, flash)
	}
	if err != nil {
		return err
	}
	return v.Redirect(terminalPath, web.Done("bingo_bought", "Cards", v.Words.N("bingo.cards", int64(sold.Count)),
		"Serials", runsText(sold), "Amount", v.Words.Amount(sold.Price*money.Cents(sold.Count))))
}

// runsText names the cards of an allocation, such as "A-12 → A-17".
func runsText(e bingo.CardsSold) (text string) {
	for i, r := range e.Runs {
		if i > 0 {
			text += ", "
		}
		text += ninety.Serial{Series: r.Series, Number: r.From}.String()
		if r.To > r.From {
			text += " → " + ninety.Serial{Series: r.Series, Number: r.To}.String()
		}
	}
	return text
}

// movesShown is how many movements a terminal prints.
const movesShown = 50

// showTerminalMoves shows the movements of the account, to be printed (bingo:93.7).
func (s *Section) showTerminalMoves(v *web.Visit) error {
	t, err := s.terminal(v)
	if err != nil {
		return err
	}
	if t.Account.ID == 0 {
		return v.Redirect(terminalPath)
	}
	before := v.Query("before")
	moves, err := s.Instant.Statement(v.Context(), t.Account.Player, pages.CursorOf(before), movesShown+1)
	if err != nil {
		return err
	}
	earlier := ""
	if len(moves) > movesShown {
		moves = moves[:movesShown]
		last := moves[movesShown-1]
		earlier = terminalPath + "/movements?before=" + url.QueryEscape(pages.CursorText(last.ID, last.Line))
	}
	view := t.view(v.T("bingo.moves"), true)
	view.Live = ""
	return v.Show(view, terminalMovesBody(t, pages.StatementRows(v.Words, ui.Person{ID: t.Account.Player}, moves), earlier))
}
