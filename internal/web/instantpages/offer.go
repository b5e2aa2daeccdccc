package instantpages

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/gamefile"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/money"
)

// mountInstant adds the pages of players.
func (s *Section) mountInstant() {
	s.Shell.Handle("GET /instant/{issue}", s.showIssue)
	s.Shell.Handle("POST /instant/{issue}", s.buy, s.May(app.Play))
	s.Shell.Handle("GET /units/{unit}", s.showUnit, s.May(app.Play))
	s.Shell.Handle("POST /units/{unit}", s.uncover, s.May(app.Play))
	s.Shell.Handle("GET /units/{unit}/zones/{zone}", s.showZone, s.May(app.Play))
	s.Shell.Handle("GET /units/{unit}/proof", s.unitProof, s.May(app.Play))
	s.Shell.Handle("GET /history", s.history, s.May(app.Play))
}

// An offer is an issue as the home page shows it.
type offer struct {
	app.IssueState
	File   gamefile.File
	Number uint64 // of the last event of the issue
}

// onSale reports whether a unit can be bought now.
func (o offer) onSale() bool { return o.Current != 0 && !o.Closed }

// preparing reports whether a first block is still to come.
func (o offer) preparing() bool { return o.Current == 0 && !o.Closed && len(o.Past) < o.Wanted }

// offers returns the issues that are not closed, newest first.
func (s *Section) offers(ctx context.Context) ([]offer, error) {
	issues, err := s.Instant.Issues(ctx)
	if err != nil {
		return nil, err
	}
	var out []offer
	for _, issue := range slices.Backward(issues) {
		if issue.Closed || !issue.Opened || !s.Ground.Now().Before(issue.Window.Closes) {
			continue
		}
		o, err := s.offer(ctx, issue.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

func (s *Section) offer(ctx context.Context, id instant.IssueID) (offer, error) {
	issue, number, err := s.Instant.Issue(ctx, id)
	if err != nil {
		return offer{}, err
	}
	file, err := s.Instant.GameFile(ctx, issue.Game)
	return offer{issue, file, number}, err
}

// liveOf is the cursor of the issues that a page shows.
func liveOf(offers []offer) string {
	parts := make([]string, len(offers))
	for i, o := range offers {
		parts[i] = issueTopic(o.ID) + ":" + strconv.FormatUint(o.Number, 10)
	}
	return strings.Join(parts, ",")
}

// issueOf reads the issue that the address names.
func (s *Section) issueOf(v *web.Visit) (offer, error) {
	id, err := strconv.ParseInt(v.Path("issue"), 10, 64)
	if err != nil {
		return offer{}, web.NotFound
	}
	o, err := s.offer(v.Context(), instant.IssueID(id))
	if errors.Is(err, app.ErrNotFound) {
		return o, web.NotFound
	}
	return o, err
}

// showIssue shows a game with its price, its whole table and its rules.
func (s *Section) showIssue(v *web.Visit) error {
	o, err := s.issueOf(v)
	if err != nil {
		return err
	}
	var inPlay app.UnitRef
	if s.Plays(v.Person) {
		purse, err := s.Ground.Purse(v.Context(), v.Person.ID)
		if err != nil {
			return err
		}
		inPlay = purse.Covered
	}
	board, err := strconv.Atoi(v.Query("board"))
	if err != nil || board < 1 || board > len(o.File.Game.Words.Boards) {
		board = 1 // the preset one
	}
	return v.Show(ui.View{Title: o.Title, Accent: ui.Instant, Live: liveOf([]offer{o})},
		issueBody(v.Person, o, inPlay, s.Plays(v.Person), board))
}

// buy confirms the stake of one unit (instant:4.4.stake). The unit is the answer: the same
// form sent again leads to the same unit.
func (s *Section) buy(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(v.Path("issue"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	board := 0 // the preset one, or none
	if text := form.Raw("board"); text != "" {
		if board, err = strconv.Atoi(text); err != nil {
			return app.ErrBoardUnknown.With("board %q", text)
		}
	}
	sold, err := s.Instant.BuyUnit(v.Context(), app.Purchase{Request: app.RequestID(form.Request),
		Player: v.Person.ID, Issue: instant.IssueID(id), Board: board})
	if errors.Is(err, app.ErrRulesVersion) {
		return v.Redirect("/rules/accept?next=/instant/" + strconv.FormatInt(id, 10))
	}
	if err != nil {
		return err
	}
	if form.Raw("mode") == "auto" {
		return s.uncoverAll(v, form, sold.Unit)
	}
	return v.Redirect("/units/" + sold.Unit.String())
}

// gameFacts are what a player can read of a game beside its table.
func gameFacts(ctx context.Context, o offer) []ui.Fact {
	facts := []ui.Fact{
		{Label: ui.T(ctx, "instant.price"), Value: ui.Amount(o.File.Game.Price)},
		{Label: ui.T(ctx, "instant.block"), Value: ui.Count(o.File.Game.Block), Note: ui.T(ctx, "instant.block.note")},
		{Label: ui.T(ctx, "instant.return"), Value: ui.Text(returnText(ctx, o.File.Game)), Note: ui.T(ctx, "instant.return.note")},
		{Label: ui.T(ctx, "instant.closes"), Value: ui.Moment(o.Window.Closes)},
		{Label: ui.T(ctx, "instant.source"), Value: ui.Text(o.File.Source)},
	}
	if o.File.Publisher != "" {
		facts = append(facts, ui.Fact{Label: ui.T(ctx, "compose.publisher"), Value: ui.Text(o.File.Publisher)})
	}
	return facts
}

// prizeRows is the table of prizes as it is published: largest first.
func prizeRows(g instant.Game) [][]templ.Component {
	rows := make([][]templ.Component, 0, len(g.Table))
	for _, p := range g.Table {
		rows = append(rows, []templ.Component{ui.Amount(p.Amount), ui.Count(p.Count)})
	}
	return rows
}

// winners is how many units of a block win.
func winners(g instant.Game) (n int64) {
	for _, p := range g.Table {
		n += p.Count
	}
	return n
}

// topPrize is the largest prize of a game.
func topPrize(o offer) money.Cents {
	var top money.Cents
	for _, p := range o.File.Game.Table {
		top = max(top, p.Amount)
	}
	return top
}

// returnText writes what part of the stakes goes back, in per cent with three decimals, cut
// down.
func returnText(ctx context.Context, g instant.Game) string {
	return ui.T(ctx, "instant.percent", "Number", rat(locales.From(ctx), g.Return(), 100, 3))
}
