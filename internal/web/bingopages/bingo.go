package bingopages

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// mountBingo adds the pages of the interconnected bingo.
func (s *Section) mountBingo() {
	s.Shell.Handle("GET /bingo", s.showBingo)
	s.Shell.Handle("GET /bingo/rounds/{round}", s.showBingoRound)
	s.Shell.Handle("GET /bingo/rounds/{round}/proof.jsonl", s.bingoProof)
	s.Shell.Handle("GET /bingo/hall", s.showBingoHall)
	s.mountBingoTerminal()
}

// A bingoVisit is a visit of the bingo as it stands.
type bingoVisit struct {
	*web.Visit
	app.BingoView
	demo    bool
	notices []app.BingoNotice // changes of prizes, to be told (bingo:93.11)
}

// bingoVisit reads how the bingo stands; the zero view where there is none.
func (s *Section) bingoVisit(v *web.Visit) (bingoVisit, error) {
	if s.Bingo == nil {
		return bingoVisit{Visit: v}, nil
	}
	view, err := s.Bingo.Look(v.Context())
	s.day.CompareAndSwap(nil, &view.Session) // after a start, until the day goes on
	if err != nil {
		return bingoVisit{Visit: v}, err
	}
	notices, err := s.Bingo.Notices(v.Context(), v.Now())
	return bingoVisit{v, view, s.Demo, notices}, err
}

// live is the cursor of a page that follows the day and the round that is on.
func (b bingoVisit) live() string {
	at := app.BingoSessionTopic + ":" + strconv.FormatUint(b.Events, 10)
	if b.Round.ID != 0 {
		at = app.BingoTopic(b.Round.ID) + ":" + strconv.FormatUint(b.Told, 10) + "," + at
	}
	return at
}

// way is where somebody who wants to play goes.
func (b bingoVisit) way() string {
	if b.demo {
		return terminalPath
	}
	return "/bingo"
}

// view describes a page of the bingo to the frame.
func (b bingoVisit) view(title string, bare bool) ui.View {
	return ui.View{Title: title, Accent: ui.Bingo, Live: b.live(), Bare: bare}
}

// resultsShown is how many rounds the page of the bingo lists.
const resultsShown = 20

// showBingo shows what can be played now, the rules and the last results.
func (s *Section) showBingo(v *web.Visit) error {
	b, err := s.bingoVisit(v)
	if err != nil {
		return err
	}
	before, _ := strconv.ParseInt(v.Query("before"), 10, 64)
	rounds, err := s.Bingo.Latest(v.Context(), bingo.RoundID(max(0, before)), resultsShown)
	if err != nil {
		return err
	}
	halls, err := s.Bingo.Halls(v.Context())
	if err != nil {
		return err
	}
	return v.Show(b.view(v.T("bingo.title"), false), bingoBody(b, rounds, halls))
}

// showBingoRound shows a round: its course, who won, and what proves its balls.
func (s *Section) showBingoRound(v *web.Visit) error {
	id, err := strconv.ParseInt(v.Path("round"), 10, 64)
	if err != nil || id < 1 {
		return web.NotFound
	}
	r, _, err := s.Bingo.Round(v.Context(), bingo.RoundID(id))
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("bingo.round", "Number", r.Number), Accent: ui.Bingo},
		bingoRoundBody(r))
}

// bingoProof gives anyone the file that proves a round: it does not say who bought what.
func (s *Section) bingoProof(v *web.Visit) error {
	id, err := strconv.ParseInt(v.Path("round"), 10, 64)
	if err != nil || id < 1 {
		return web.NotFound
	}
	err = s.Bingo.ExportRound(v.Context(), bingo.RoundID(id), pages.StreamTo(v, "bingo-"+v.Path("round")+".jsonl"))
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	return v.Cut(err)
}

func bingoRoundPath(id bingo.RoundID) string {
	return "/bingo/rounds/" + strconv.FormatInt(int64(id), 10)
}

// patternName names a winning combination: the usual ones in words, another as it is called
// in the proposal.
func patternName(ctx context.Context, g ninety.Goal, name string) string {
	switch g {
	case ninety.Line:
		return ui.T(ctx, "bingo.prize.line")
	case ninety.TwoLines:
		return ui.T(ctx, "bingo.prize.lines")
	case ninety.FullCard:
		return ui.T(ctx, "bingo.prize.bingo")
	}
	return name
}

// prizeName names a prize of a proposal.
func prizeName(ctx context.Context, p bingo.Prize) string { return patternName(ctx, p.Pattern, p.Name) }

// winName names what was won: a prize, or a pot.
func winName(ctx context.Context, p bingo.Proposal, w bingo.Win) string {
	if w.Pot {
		return ui.T(ctx, "bingo.pot", "Name", p.Pots[w.Prize].Name)
	}
	return prizeName(ctx, p.Prizes[w.Prize])
}

// bingoLead says in a sentence where the bingo stands.
func bingoLead(ctx context.Context, b bingoVisit) string {
	w := locales.From(ctx)
	switch r := b.Round; {
	case !b.Session.Open:
		return ui.T(ctx, "bingo.lead.closed")
	case r.Phase == bingo.Selling:
		return ui.T(ctx, "bingo.lead.selling", "Number", r.Number, "Time", w.Clock(r.Sale.Closes))
	case r.Phase == bingo.Drawing:
		return ui.T(ctx, "bingo.lead.drawing", "Number", r.Number)
	case b.Session.Paused:
		return ui.T(ctx, "bingo.lead.paused")
	}
	return ui.T(ctx, "bingo.lead.soon")
}

// milliseconds writes a moment for scripts, which count down to it.
func milliseconds(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// bingoResults are the rows of the rounds that were played.
func bingoResults(ctx context.Context, rounds []bingo.Round) (rows [][]templ.Component) {
	for _, r := range rounds {
		if r.Phase != bingo.Over && r.Phase != bingo.Void {
			continue
		}
		rows = append(rows, []templ.Component{bingoRoundLink(r), ui.Moment(r.Sale.Opens), ui.Count(int64(r.Cards)),
			ui.Count(int64(len(r.Balls))), winsPart(r)})
	}
	return rows
}

// bingoTitle names a round.
func bingoTitle(ctx context.Context, r bingo.Round) string {
	return ui.T(ctx, "bingo.round", "Number", r.Number)
}

// cards is how many cards of the round are sold so far.
func (b bingoVisit) cards() int { return b.Sale.Cards - b.Sale.Left }

func ballNumbers(balls []ninety.Ball) []int {
	list := make([]int, len(balls))
	for i, b := range balls {
		list[i] = int(b)
	}
	return list
}

// winnersShown is how many winning cards of a prize the page of a round lists.
const winnersShown = 200

func bingoWinnerRows(w bingo.Win) (rows [][]templ.Component) {
	for _, x := range w.Winners[:min(len(w.Winners), winnersShown)] {
		rows = append(rows, []templ.Component{ui.Text(x.Serial.String()), ui.Amount(x.Price), ui.Amount(x.Share)})
	}
	return rows
}

// proofFacts is what a round published: before the sale, at its end, and afterwards.
func proofFacts(ctx context.Context, r bingo.Round) []ui.Fact {
	code := func(s, none string) templ.Component {
		if s == "" {
			return ui.Text(ui.T(ctx, none))
		}
		return ui.Code(s)
	}
	mixed := "bingo.proof.later"
	if r.Witness == "" {
		mixed = "bingo.proof.nowitness"
	}
	return []ui.Fact{
		{Label: ui.T(ctx, "bingo.proof.commitment"), Value: code(r.Commitment, "bingo.proof.later")},
		{Label: ui.T(ctx, "bingo.proof.witness"), Value: code(r.Witness, "bingo.proof.nowitness")},
		{Label: ui.T(ctx, "bingo.proof.mixed"), Value: code(r.Mixed, mixed)},
		{Label: ui.T(ctx, "bingo.proof.faces"), Value: code(r.Faces, "bingo.proof.later")},
		{Label: ui.T(ctx, "bingo.proof.digest"), Value: code(r.Digest, "bingo.proof.later")},
		{Label: ui.T(ctx, "bingo.proof.secret"), Value: code(r.Secret, "bingo.proof.later")},
	}
}
