package bingopages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/money"
	"boulier/player"
)

// mountBingoManage adds the pages from which a manager leads the bingo.
func (s *Section) mountBingoManage() {
	for pattern, page := range map[string]web.Page{
		"GET /manage/bingo":                                s.showBingoDesk,
		"POST /manage/bingo/do/{act}":                      s.bingoAct,
		"GET /manage/bingo/halls":                          s.showHalls,
		"POST /manage/bingo/halls":                         s.addHall,
		"POST /manage/bingo/terminals":                     s.addTerminal,
		"POST /manage/bingo/terminals/{terminal}/{act}":    s.terminalAct,
		"POST /manage/bingo/witness/{act}":                 s.nameWitness,
		"GET /manage/bingo/proposals":                      s.showProposals,
		"GET /manage/bingo/proposals/new":                  s.showNewProposal,
		"POST /manage/bingo/proposals":                     s.saveProposal,
		"GET /manage/bingo/proposals/{proposal}":           s.showProposal,
		"POST /manage/bingo/proposals/{proposal}":          s.saveProposal,
		"POST /manage/bingo/proposals/{proposal}/withdraw": s.withdrawProposal,
		"GET /manage/bingo/programme":                      s.showProgramme,
		"POST /manage/bingo/programme":                     s.saveProgramme,
		"GET /manage/bingo/notices/{proposal}/{version}":   s.noticePDF,
	} {
		s.Shell.Handle(pattern, page, s.May(app.ManageGames))
	}
	s.Shell.Handle("GET /bingo/faults", s.showFaults, s.May(app.TendBingo))
	s.Shell.Handle("POST /bingo/faults", s.recordFault, s.May(app.TendBingo))
	s.Shell.Handle("POST /bingo/faults/refund", s.refundFault, s.May(app.TendBingo))
}

// houseView describes a page of the house to the frame.
func houseView(title string) ui.View {
	return ui.View{Title: title, Accent: ui.Bingo}
}

// bingoTabs are the sides of the manager's work.
func bingoTabs(v *web.Visit) (out []ui.Link) {
	here := v.Request().URL.Path
	for _, l := range []struct{ href, key string }{{"/manage/bingo", "bingo.manage.session"},
		{"/manage/bingo/programme", "bingo.manage.programme"}, {"/manage/bingo/proposals", "bingo.manage.proposals"},
		{"/manage/bingo/halls", "bingo.manage.halls"}, {"/bingo/faults", "bingo.manage.faults"}} {
		current := here == l.href || l.href != "/manage/bingo" && strings.HasPrefix(here, l.href)
		current = current || l.href == "/manage/bingo/halls" && strings.HasPrefix(here, "/manage/bingo/terminals")
		out = append(out, ui.Link{Href: l.href, Label: v.T(l.key), Current: current})
	}
	return out
}

// as is the act that a form asks for, by whoever sent it.
func as(v *web.Visit, form *web.Form) app.BingoAct {
	return app.BingoAct{Request: app.RequestID(form.Request), By: v.Person.ID}
}

// A bingoDesk is the page of a running day.
type bingoDesk struct {
	bingoVisit
	tabs     []ui.Link
	plan     []planned
	notices  []app.BingoNotice
	finished []bingo.Round // of the day, latest first
}

// A planned is a part of a programme with the title of its proposal.
type planned struct {
	app.BingoPlanPart
	Title string
	From  int // number of its first round
	Waits bool
}

func (s *Section) showBingoDesk(v *web.Visit) error { return s.bingoDeskAgain(v, http.StatusOK, nil) }

func (s *Section) bingoDeskAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	b, err := s.bingoVisit(v)
	if err != nil {
		return err
	}
	d := bingoDesk{bingoVisit: b, tabs: bingoTabs(v)}
	if d.plan, err = s.bingoPlan(v); err != nil {
		return err
	}
	if d.notices, err = s.Bingo.Notices(v.Context(), v.Now()); err != nil {
		return err
	}
	started := b.Session.Started
	if b.Session.Playing != 0 {
		started--
	}
	if b.Session.Open && started > 0 {
		before := bingo.RoundID(0)
		if b.Session.Playing != 0 {
			before = b.Session.Playing
		}
		if d.finished, err = s.Bingo.Latest(v.Context(), before, started); err != nil {
			return err
		}
	}
	view := houseView(v.T("bingo.manage.title"))
	view.Live = b.live()
	return v.ShowStatus(status, view, bingoDeskBody(d, form), notices...)
}

// bingoPlan returns the plan with the titles of its proposals.
func (s *Section) bingoPlan(v *web.Visit) (list []planned, err error) {
	plan, err := s.Bingo.Plan(v.Context())
	if err != nil {
		return nil, err
	}
	from := 1
	for _, x := range plan.Parts {
		p, err := s.Bingo.Proposal(v.Context(), x.Proposal)
		if err != nil {
			return nil, err
		}
		list = append(list, planned{x, p.Newest().Proposal.Title, from, p.At(v.Now()).Applies.IsZero()})
		from += x.Rounds
	}
	return list, nil
}

// bingoAct does what a button of the session day asks for.
func (s *Section) bingoAct(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	a, act := as(v, form), v.Path("act")
	var do func(context.Context) error
	var done web.Flash
	switch act {
	case "open":
		done = web.Done("bingo_open")
		do = func(ctx context.Context) error { return s.Bingo.OpenPlanned(ctx, a) }
	case "resume":
		done = web.Done("bingo_resume")
		do = func(ctx context.Context) error { return s.Bingo.Resume(ctx, a) }
	case "close":
		done = web.Done("bingo_close")
		do = func(ctx context.Context) error { return s.Bingo.CloseSession(ctx, a) }
	case "pause":
		done = web.Done("bingo_pause")
		reason := form.Text("pause", 200)
		do = func(ctx context.Context) error { return s.Bingo.Pause(ctx, a, reason) }
	case "last":
		done = web.Done("bingo_last")
		n := int(form.Count("last", 1, app.MaxBingoRounds))
		do = func(ctx context.Context) error { return s.Bingo.MarkLast(ctx, a, n) }
	case "void":
		done = web.Done("bingo_void")
		round := bingo.RoundID(form.Count("round", 1, 1<<40))
		reason := form.Text("void", 200)
		form.Agreed("sure", true)
		do = func(ctx context.Context) error { return s.Bingo.VoidRound(ctx, a, round, reason) }
	default:
		return web.NotFound
	}
	if !form.OK() {
		return s.bingoDeskAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	err = do(v.Context())
	if notice, refused := v.Refused(err); refused {
		return s.bingoDeskAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/bingo", done)
}

// phaseName says how far a round is.
func phaseName(ctx context.Context, r bingo.Round) string {
	return ui.T(ctx, "bingo.phase."+string(r.Phase))
}

// mayMark are the rounds that can still become the last one of the day.
func (d bingoDesk) mayMark() (list []ui.Choice) {
	for n := d.Session.Started + 1; n <= len(d.Session.Programme); n++ {
		list = append(list, ui.Choice{Value: strconv.Itoa(n),
			Label: d.T("bingo.manage.round.choice", "Number", n, "Title", d.Session.Programme[n-1].Title)})
	}
	return list
}

// toCome are the rounds of the open day that have not begun, those alike together.
func (d bingoDesk) toCome() (list []planned) {
	for n := d.Session.Started + 1; n <= d.Session.Last; n++ {
		title := d.Session.Programme[n-1].Title
		if k := len(list) - 1; k >= 0 && list[k].Title == title {
			list[k].Rounds++
			continue
		}
		list = append(list, planned{app.BingoPlanPart{Rounds: 1}, title, n, false})
	}
	return list
}

// span says which rounds a part of a programme holds.
func (p planned) span(ctx context.Context) string {
	if p.Rounds == 1 {
		return ui.T(ctx, "bingo.manage.span.one", "Number", p.From)
	}
	return ui.T(ctx, "bingo.manage.span", "From", p.From, "To", p.From+p.Rounds-1)
}

func plannedRows(ctx context.Context, list []planned) (rows [][]templ.Component) {
	last := 0
	for _, p := range list {
		last = p.From + p.Rounds - 1
	}
	for _, p := range list {
		mark := ui.Text("")
		switch {
		case p.Waits:
			mark = ui.Mark(ui.Warning, ui.T(ctx, "bingo.manage.waits"))
		case p.From+p.Rounds-1 == last:
			mark = ui.Mark(ui.Info, ui.T(ctx, "bingo.manage.lastmark", "Number", last))
		}
		rows = append(rows, []templ.Component{ui.Text(p.span(ctx)), ui.Text(p.Title), mark})
	}
	return rows
}

// finishedRows are the rounds of the day that are over.
func finishedRows(ctx context.Context, list []bingo.Round) (rows [][]templ.Component) {
	for _, r := range list {
		paid := templ.Component(ui.Text(phaseName(ctx, r)))
		if r.Phase == bingo.Over {
			paid = ui.Amount(paidOf(r))
		}
		rows = append(rows, []templ.Component{bingoRoundLink(r), ui.Count(int64(r.Cards)), ui.Amount(r.Sales), paid,
			ui.Count(int64(len(r.Balls)))})
	}
	return rows
}

// stepAt says when the sale or the round goes on, in words.
func stepAt(ctx context.Context, r bingo.Round) string {
	if at := r.Due(); !at.IsZero() {
		return locales.From(ctx).Clock(at)
	}
	return "—"
}

// showFaults shows what can be done when a terminal fails in the round that runs.
func (s *Section) showFaults(v *web.Visit) error { return s.faultsAgain(v, http.StatusOK, nil) }

func (s *Section) faultsAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	b, err := s.bingoVisit(v)
	if err != nil {
		return err
	}
	terminals, err := s.Bingo.Terminals(v.Context())
	if err != nil {
		return err
	}
	var faults []faultRow
	for _, f := range b.Round.Faults {
		row := faultRow{FaultRecorded: f, Name: terminalName(terminals, f.Terminal)}
		if row.Who, err = s.buyersAt(v.Context(), b.Round.ID, f.Terminal); err != nil {
			return err
		}
		faults = append(faults, row)
	}
	var tabs []ui.Link
	if app.May(s.Who.Roles(v.Person.ID), app.ManageGames) {
		tabs = bingoTabs(v)
	}
	return v.ShowStatus(status, houseView(v.T("bingo.manage.faults")), faultsBody(b, tabs, form, terminals, faults), notices...)
}

// A faultRow is a fault with the accounts that bought at the terminal.
type faultRow struct {
	bingo.FaultRecorded
	Name string
	Who  []boughtAt
}

// A boughtAt is what an account bought at a terminal in a round.
type boughtAt struct {
	Account bingo.AccountID
	Cards   int
	Gone    int
}

// buyersAt returns the accounts that bought at a terminal in a round, in order.
func (s *Section) buyersAt(ctx context.Context, round bingo.RoundID, t bingo.TerminalID) (list []boughtAt, err error) {
	r, err := s.Bingo.Record(ctx, round)
	if err != nil {
		return nil, err
	}
	gone := map[int]int{}
	for _, e := range r.Gone {
		gone[e.Rank] += len(e.Places)
	}
	at := map[player.ID]int{}
	for _, e := range r.Sold {
		if e.Terminal != t {
			continue
		}
		i, ok := at[e.Player]
		if !ok {
			i = len(list)
			at[e.Player], list = i, append(list, boughtAt{Account: bingo.AccountID(e.Player)})
		}
		list[i].Cards += e.Count
		list[i].Gone += gone[e.Rank]
	}
	return list, nil
}

// recordFault records the fault of a terminal when it happens (reading B11).
func (s *Section) recordFault(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	round, terminal := bingo.RoundID(form.Count("round", 1, 1<<40)), bingo.TerminalID(form.Count("terminal", 1, 1<<40))
	what := form.Text("what", 200)
	if !form.OK() {
		return s.faultsAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	return s.faulted(v, form, web.Done("bingo_fault"), s.Bingo.RecordFault(v.Context(), as(v, form), round, terminal, what))
}

// refundFault refunds the cards of an account at a terminal that failed.
func (s *Section) refundFault(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	round, terminal := bingo.RoundID(form.Count("round", 1, 1<<40)), bingo.TerminalID(form.Count("terminal", 1, 1<<40))
	who := player.ID(form.Count("account", 1, 1<<40))
	if !form.OK() {
		return s.faultsAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	return s.faulted(v, form, web.Done("bingo_refunded"), s.Bingo.RefundFault(v.Context(), as(v, form), round, terminal, who))
}

func (s *Section) faulted(v *web.Visit, form *web.Form, done web.Flash, err error) error {
	if notice, refused := v.Refused(err); refused {
		return s.faultsAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	return v.Redirect("/bingo/faults", done)
}

// terminalName names a terminal with its hall.
func terminalName(list []app.BingoTerminal, id bingo.TerminalID) string {
	for _, t := range list {
		if t.ID == id {
			return t.Name + ", " + t.Hall
		}
	}
	return strconv.FormatInt(int64(id), 10)
}

// amountWords writes an amount inside a text.
func amountWords(ctx context.Context, c money.Cents) string { return locales.From(ctx).Amount(c) }

// percentOf writes a rate.
func percentOf(ctx context.Context, r bingo.Rate) string {
	return ui.T(ctx, "instant.percent", "Number", cmp.Or(rateText(locales.From(ctx), r), "0"))
}

// paidOf is what the prizes and pots of a round paid.
func paidOf(r bingo.Round) (sum money.Cents) {
	for _, w := range r.Wins {
		sum += w.Amount
	}
	return sum
}

// wonWords says on which ball a prize or a pot was won, by how many cards.
func wonWords(ctx context.Context, r bingo.Round, i int, pot bool) string {
	for _, w := range r.Wins {
		if w.Prize == i && w.Pot == pot {
			return ui.N(ctx, "bingo.manage.won", int64(len(w.Winners)), "Ball", w.Ball)
		}
	}
	return ""
}

// noticeTitle tells a change of prizes in a sentence.
func noticeTitle(ctx context.Context, n app.BingoNotice) string {
	return ui.T(ctx, "bingo.notice.announced", "Title", n.Proposal.Title, "Moment", locales.From(ctx).Moment(n.Applies))
}

// dayWords writes the date of a session day.
func dayWords(ctx context.Context, date string) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return locales.From(ctx).Day(t.Add(12 * time.Hour)) // noon, whatever the zone of the house
}
