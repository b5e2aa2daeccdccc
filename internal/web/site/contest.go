package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/player"
)

// mountContest adds the pages of the prediction contests that players and visitors see.
func (s *Site) mountContest() {
	s.shell.Handle("GET /contests", s.showContests)
	s.shell.Handle("GET /contests/{contest}", s.showContest)
	s.shell.Handle("GET /contests/{contest}/ranking", s.contestRanking)
	s.shell.Handle("GET /legs/{leg}", s.showLeg)
	s.shell.Handle("GET /legs/{leg}/ranking", s.legRanking)
	s.shell.Handle("GET /legs/{leg}/slips", s.legSlips)
	s.shell.Handle("GET /legs/{leg}/players/{player}", s.legPlayer)
	s.shell.Handle("GET /legs/{leg}/receipt", s.slipReceipt, s.may(app.Play))
	s.shell.Handle("POST /legs/{leg}", s.submitSlip, s.may(app.Play))
	s.shell.Handle("GET /nuggets", s.showNuggets, s.may(app.Play))
	s.shell.Handle("GET /nuggets/data.json", s.ownContests, s.may(app.Play))
}

const (
	legTopicPrefix     = "contest/leg/"
	contestTopicPrefix = "contest/contest/"
	countPrefix        = "contest/count/"
)

func legTopic(id contest.LegID) string    { return fmt.Sprintf("%s%d", legTopicPrefix, id) }
func contestTopic(id contest.ID) string   { return fmt.Sprintf("%s%d", contestTopicPrefix, id) }
func legPath(id contest.LegID) string     { return fmt.Sprintf("/legs/%d", id) }
func contestPath(id contest.ID) string    { return fmt.Sprintf("/contests/%d", id) }
func legView(title string) ui.View        { return ui.View{Title: title, Accent: ui.Contest} }
func accountOf(id contest.LegID) string   { return strconv.FormatInt(int64(id), 10) }
func nuggetCount(n contest.Nuggets) int64 { return int64(n / contest.Nugget) }

// A contestCard is a contest with its legs as a page shows them.
type contestCard struct {
	app.ContestState
	legs []legCard
}

// A legCard is a leg with what a list shows of it.
type legCard struct {
	app.LegState
	state  contest.State
	slips  int
	pot    contest.Nuggets
	number uint64       // of its last event
	own    *app.Slip    // of who looks
	points *app.RankRow // likewise, once it is ranked
	limit  time.Time    // the next one that passes, zero for none
}

// card gathers what is shown of a leg to somebody.
func (s *Site) card(ctx context.Context, c app.ContestState, l app.LegState, number uint64, who player.ID) (k legCard, err error) {
	now := s.Ground.Now()
	k = legCard{LegState: l, number: number, state: l.State(now, s.Ground.Zone)}
	if k.slips, err = s.Contests.Slips(ctx, l.ID); err != nil {
		return k, err
	}
	k.pot = c.Terms.Pots.Leg(k.slips)
	if l.Proclaimed.Count > 0 {
		k.pot = l.Proclaimed.Pot
	}
	for _, f := range l.Fixtures {
		if now.Before(f.Limit) && (k.limit.IsZero() || f.Limit.Before(k.limit)) {
			k.limit = f.Limit
		}
	}
	if who == 0 {
		return k, nil
	}
	slip, err := s.Contests.Slip(ctx, l, who, who)
	if errors.Is(err, app.ErrNotFound) {
		return k, nil
	}
	k.own = &slip
	if err == nil && l.ShownRun() > 0 {
		row, rankErr := s.Ground.Store.RankOf(ctx, app.LegScope(l, l.ShownRun()), who)
		if rankErr == nil {
			k.points = &row
		} else if !errors.Is(rankErr, app.ErrNotFound) {
			err = rankErr
		}
	}
	return k, err
}

// contestOf gathers a contest with its published legs; all of them for who edits.
func (s *Site) contestOf(ctx context.Context, c app.ContestState, who player.ID, all bool) (contestCard, error) {
	out := contestCard{ContestState: c}
	for _, id := range c.Legs {
		l, n, err := s.Contests.Leg(ctx, id)
		if err != nil {
			return out, err
		}
		if l.OpensAt.IsZero() && !all {
			continue
		}
		k, err := s.card(ctx, c, l, n, who)
		if err != nil {
			return out, err
		}
		out.legs = append(out.legs, k)
	}
	return out, nil
}

// announced gathers the contests that everybody sees, newest first.
func (s *Site) announced(ctx context.Context, who player.ID) (out []contestCard, err error) {
	if s.Contests == nil {
		return nil, nil
	}
	all, err := s.Contests.Contests(ctx)
	if err != nil {
		return nil, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].OpensAt.IsZero() {
			continue
		}
		c, err := s.contestOf(ctx, all[i], who, false)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func (s *Site) showContests(v *web.Visit) error {
	list, err := s.announced(v.Context(), s.playing(v.Person))
	if err != nil {
		return err
	}
	return v.Show(legView(v.T("nav.contests")), contestsBody(list))
}

// playing is the person if it is a player, 0 otherwise.
func (s *Site) playing(p ui.Person) player.ID {
	if s.plays(p) {
		return p.ID
	}
	return 0
}

// contestIn returns the contest that the address names, if this person may see it.
func (s *Site) contestIn(v *web.Visit) (c app.ContestState, number uint64, err error) {
	id, err := strconv.ParseInt(v.Path("contest"), 10, 64)
	if err != nil {
		return c, 0, web.NotFound
	}
	c, number, err = s.Contests.Contest(v.Context(), contest.ID(id))
	if errors.Is(err, app.ErrNotFound) || err == nil && c.OpensAt.IsZero() && !s.edits(v.Person) {
		return c, 0, web.NotFound
	}
	return c, number, err
}

// legIn returns the leg that the address names, with its contest, if this person may see it.
func (s *Site) legIn(v *web.Visit) (c app.ContestState, k legCard, err error) {
	id, err := strconv.ParseInt(v.Path("leg"), 10, 64)
	if err != nil {
		return c, k, web.NotFound
	}
	l, number, err := s.Contests.Leg(v.Context(), contest.LegID(id))
	if errors.Is(err, app.ErrNotFound) || err == nil && l.OpensAt.IsZero() && !s.edits(v.Person) {
		return c, k, web.NotFound
	}
	if err != nil {
		return c, k, err
	}
	if c, _, err = s.Contests.Contest(v.Context(), l.Contest); err != nil {
		return c, k, err
	}
	k, err = s.card(v.Context(), c, l, number, s.playing(v.Person))
	return c, k, err
}

func (s *Site) edits(p ui.Person) bool {
	return p.SignedIn() && app.May(s.who.roles(p.ID), app.EditContests)
}

func (s *Site) showContest(v *web.Visit) error {
	c, number, err := s.contestIn(v)
	if err != nil {
		return err
	}
	card, err := s.contestOf(v.Context(), c, s.playing(v.Person), false)
	if err != nil {
		return err
	}
	page, err := s.Contests.ContestRanking(v.Context(), c, 0, 10, v.Person.ID)
	if err != nil {
		return err
	}
	live := []string{fmt.Sprintf("%s:%d", contestTopic(c.ID), number)}
	for _, k := range card.legs {
		live = append(live, fmt.Sprintf("%s:%d", legTopic(k.ID), k.number))
	}
	view := legView(c.Title)
	view.Live = strings.Join(live[:min(len(live), 20)], ",")
	return v.Show(view, contestBody(card, page, v.Person.ID))
}

// rankPage is how many lines of a ranking a page shows.
const rankPage = 50

func (s *Site) contestRanking(v *web.Visit) error {
	c, number, err := s.contestIn(v)
	if err != nil {
		return err
	}
	after, _ := strconv.ParseInt(v.Query("after"), 10, 64)
	page, err := s.Contests.ContestRanking(v.Context(), c, after, rankPage, v.Person.ID)
	if err != nil {
		return err
	}
	view := legView(v.T("contest.ranking.of", "Title", c.Title))
	view.Live = fmt.Sprintf("%s:%d", contestTopic(c.ID), number)
	return v.Show(view, rankingBody(c.Title, contestPath(c.ID), contestTopic(c.ID), "", page, after, v.Person.ID))
}

func (s *Site) legRanking(v *web.Visit) error {
	c, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	after, _ := strconv.ParseInt(v.Query("after"), 10, 64)
	page, err := s.Contests.LegRanking(v.Context(), k.LegState, after, rankPage, v.Person.ID)
	if err != nil {
		return err
	}
	view := legView(v.T("contest.ranking.of", "Title", k.Title))
	view.Live = fmt.Sprintf("%s:%d", legTopic(k.ID), k.number)
	return v.Show(view, rankingBody(c.Title+" · "+k.Title, legPath(k.ID), legTopic(k.ID), legPath(k.ID)+"/players/", page, after, v.Person.ID))
}

// showLeg is the page of a leg: its slip while it is open, its results afterwards.
func (s *Site) showLeg(v *web.Visit) error {
	c, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	return s.legAgain(v, c, k, http.StatusOK, nil)
}

// A legPage is all that the page of a leg shows.
type legPage struct {
	contest app.ContestState
	legCard
	lines        []lineView
	typed        *web.Form // the slip that came back
	page         app.RankPage
	now          time.Time
	plays        bool
	viewer       ui.Person
	spend        time.Time // from when its nuggets are free
	disputeUntil time.Time
}

// open reports whether some line can still be filled in or changed.
func (p legPage) open() bool { return p.state == contest.Open }

func (s *Site) legAgain(v *web.Visit, c app.ContestState, k legCard, status int, form *web.Form, notices ...ui.Notice) error {
	p := legPage{contest: c, legCard: k, typed: form, now: s.Ground.Now(), plays: s.plays(v.Person), viewer: v.Person}
	var picks []contest.Pick
	if k.own != nil {
		picks = k.own.Picks
	}
	p.lines = linesOf(k.LegState, picks, p.now)
	var err error
	if k.ShownRun() > 0 {
		if p.page, err = s.Contests.LegRanking(v.Context(), k.LegState, 0, 10, v.Person.ID); err != nil {
			return err
		}
	}
	if k.Proclaimed.Count > 0 {
		p.spend = s.Contests.SpendableAt(c, k.Proclaimed)
		p.disputeUntil = contest.DaysAfter(k.Proclaimed.At, contest.DisputeDays, s.Ground.Zone)
	}
	view := legView(k.Title)
	view.Live = fmt.Sprintf("%s:%d", legTopic(k.ID), k.number)
	return v.ShowStatus(status, view, legBody(p), notices...)
}

// A lineView is one line of a slip as a page shows it.
type lineView struct {
	index   int
	fixture contest.Fixture
	limit   time.Time
	locked  bool
	pick    contest.Pick
	award   contest.Award
	worth   contest.Points // the most that the line can earn
}

// linesOf shows the lines of a leg with a slip, which may be nil. Points are told once
// there is a result.
func linesOf(l app.LegState, picks []contest.Pick, now time.Time) []lineView {
	limits := l.Limits()
	lines := make([]lineView, len(limits))
	var awards []contest.Award
	if len(picks) == len(lines) && len(l.Endings) == len(l.Fixtures) {
		awards = l.Awards(picks, l.Endings)
	}
	for i, limit := range limits {
		lines[i] = lineView{index: i, fixture: l.Fixtures[l.FixtureOf(i)], limit: limit, locked: !now.Before(limit), worth: worthOf(l.Plan, i)}
		if i < len(picks) {
			lines[i].pick = picks[i]
		}
		if awards != nil {
			lines[i].award = awards[i]
		}
	}
	return lines
}

// worthOf is the most that a line can earn.
func worthOf(p contest.Plan, line int) contest.Points {
	switch p.Kind {
	case contest.LegNames:
		return p.Places.Value(line + 1)
	case contest.LegKnockout:
		return p.Stages.Value(contest.KnockoutLines[line])
	case contest.LegWinner:
		return p.Winner
	case contest.LegQuiz:
		return p.Fixtures[line].Points
	}
	sc := p.ScaleOf(line)
	return sc.Outcome + sc.Exact
}

// submitSlip validates a slip. Lines whose limit has passed are those that the house has,
// unless the form holds something else: then the rule refuses and the page says so.
func (s *Site) submitSlip(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	c, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	if k.OpensAt.IsZero() {
		return web.NotFound
	}
	picks := make([]contest.Pick, k.Lines())
	for i := range picks {
		picks[i] = pickIn(form, k.LegState, i)
	}
	receipt, err := s.Contests.Submit(v.Context(), app.Submission{Request: app.RequestID(form.Request),
		Player: v.Person.ID, Leg: k.ID, Picks: picks})
	if errors.Is(err, app.ErrRulesVersion) {
		return v.Redirect("/rules/accept?next=" + legPath(k.ID))
	}
	if notice, refused := v.Refused(err); refused {
		notice.Text = v.T("slip.untouched")
		return s.legAgain(v, c, k, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	said := web.Done("slip_in", "At", v.Words.Moment(receipt.At), "Version", strconv.Itoa(receipt.Version))
	if !receipt.Changed {
		said = web.Done("slip_same", "At", v.Words.Moment(receipt.At), "Version", strconv.Itoa(receipt.Version))
	}
	return v.Redirect(legPath(k.ID), said)
}

// pickIn reads a line of the form, or keeps the line that the house has if the form has none.
func pickIn(form *web.Form, l legStated, i int) contest.Pick {
	name := "line" + strconv.Itoa(i)
	if l.Kind == contest.LegScores {
		if !form.Has(name+"h") && !form.Has(name+"a") {
			return contest.Pick(form.Raw(name + "kept"))
		}
		h, a := strings.TrimSpace(form.Raw(name+"h")), strings.TrimSpace(form.Raw(name+"a"))
		if h == "" && a == "" {
			return ""
		}
		return contest.Pick(h + "-" + a)
	}
	if !form.Has(name) {
		return contest.Pick(form.Raw(name + "kept"))
	}
	return contest.Pick(strings.TrimSpace(form.Raw(name)))
}

type legStated = app.LegState

// slipReceipt is the receipt of a slip, to print: it proves that the player was in time.
func (s *Site) slipReceipt(v *web.Visit) error {
	c, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	if k.own == nil {
		return web.NotFound
	}
	return v.Show(legView(v.T("slip.receipt")), slipReceiptBody(c, k, s.Ground.Sealer.Fingerprint()))
}

// slipsPage is how many slips a page shows.
const slipsPage = 25

// legSlips shows everybody's slips, each line once its limit has passed (Reading C25).
func (s *Site) legSlips(v *web.Visit) error {
	c, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	after, _ := strconv.ParseInt(v.Query("after"), 10, 64)
	slips, err := s.Contests.AllSlips(v.Context(), k.LegState, player.ID(after), v.Person.ID, slipsPage+1)
	if err != nil {
		return err
	}
	next := ""
	if len(slips) > slipsPage {
		slips = slips[:slipsPage]
		next = fmt.Sprintf("%s/slips?after=%d", legPath(k.ID), slips[slipsPage-1].Player)
	}
	ids := make([]player.ID, len(slips))
	for i, slip := range slips {
		ids[i] = slip.Player
	}
	names, err := s.Ground.Store.Names(v.Context(), ids)
	if err != nil {
		return err
	}
	return v.Show(legView(v.T("slips.of", "Title", k.Title)), slipsBody(c, k, slips, names, next, s.Ground.Now()))
}

// legPlayer shows a player's slip with the points of every line and the sentence of the
// rule that gave them.
func (s *Site) legPlayer(v *web.Visit) error {
	c, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(v.Path("player"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	who := player.ID(id)
	slip, err := s.Contests.Slip(v.Context(), k.LegState, who, v.Person.ID)
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	names, err := s.Ground.Store.Names(v.Context(), []player.ID{who})
	if err != nil {
		return err
	}
	lines := linesOf(k.LegState, slip.Picks, s.Ground.Now())
	var row *app.RankRow
	if k.ShownRun() > 0 {
		r, err := s.Ground.Store.RankOf(v.Context(), app.LegScope(k.LegState, k.ShownRun()), who)
		if err == nil {
			row = &r
		} else if !errors.Is(err, app.ErrNotFound) {
			return err
		}
	}
	return v.Show(legView(nameOf(v.Context(), names, who)), legPlayerBody(c, k, slip, lines, row, nameOf(v.Context(), names, who)))
}

// nameOf is the name shown of a player, or a word for an account that is gone (Reading C23).
func nameOf(ctx context.Context, names map[player.ID]string, id player.ID) string {
	if n := names[id]; n != "" {
		return n
	}
	return ui.T(ctx, "contest.anonymous", "Number", int64(id))
}

// showNuggets is the statement of a player's nuggets.
func (s *Site) showNuggets(v *web.Visit) error {
	p, err := s.Contests.Nuggets(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	return v.Show(legView(v.T("nuggets.title")), nuggetsBody(p))
}

// ownContests gives a player all that the contests hold of them (contest:15).
func (s *Site) ownContests(v *web.Visit) error {
	own, err := s.Contests.Own(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	body, err := json.MarshalIndent(own, "", "  ")
	if err != nil {
		return err
	}
	return v.File("boulier-concours.json", "application/json", append(body, '\n'))
}

// nuggetsText writes an amount of nuggets: « 13,25 pépites ».
func nuggetsText(ctx context.Context, n contest.Nuggets) string {
	whole, sign := int64(n/contest.Nugget), ""
	if n < 0 {
		whole, sign = -whole, "−"
	}
	text := sign + locales.From(ctx).Count(whole)
	if part := max(n, -n) % contest.Nugget; part != 0 {
		text += decimalMark(ctx) + fmt.Sprintf("%02d", part)
	}
	return ui.T(ctx, "nuggets.amount", "Number", text)
}

// stateTone is how a state looks.
func stateTone(s contest.State) ui.Tone {
	switch s {
	case contest.Open:
		return ui.Success
	case contest.Closed, contest.Provisional:
		return ui.Warning
	case contest.Cancelled:
		return ui.Danger
	default:
		return ui.Info
	}
}

func fixtureName(ctx context.Context, p contest.Plan, f contest.Fixture) string {
	switch p.Kind {
	case contest.LegQuiz:
		return f.Question
	case contest.LegNames, contest.LegKnockout:
		return p.Title
	}
	return ui.T(ctx, "contest.versus", "Home", f.Home, "Away", f.Away)
}

// lineName names a line of a slip.
func lineName(ctx context.Context, p contest.Plan, line int) string {
	switch p.Kind {
	case contest.LegNames:
		return ui.T(ctx, "contest.place", "Place", line+1)
	case contest.LegKnockout:
		return ui.T(ctx, "contest.stage."+stageKey(contest.KnockoutLines[line]))
	}
	return fixtureName(ctx, p, p.Fixtures[line])
}

func stageKey(s contest.Stage) string {
	return [...]string{"none", "winner", "finalist", "semi", "quarter"}[s]
}

// pickText writes what a line predicts.
func pickText(ctx context.Context, p contest.Plan, line int, pick contest.Pick) string {
	if pick == "" {
		return "—"
	}
	if p.Kind == contest.LegWinner {
		f := p.Fixtures[line]
		switch pick {
		case "1":
			return ui.T(ctx, "contest.pick.home", "Side", f.Home)
		case "2":
			return ui.T(ctx, "contest.pick.away", "Side", f.Away)
		}
		return ui.T(ctx, "contest.pick.draw")
	}
	return strings.Replace(string(pick), "-", "–", btoi(p.Kind == contest.LegScores))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// endingText writes how a fixture ended.
func endingText(ctx context.Context, p contest.Plan, i int, e contest.Ending) string {
	switch e.Status {
	case contest.Awaited:
		return ui.T(ctx, "contest.awaited")
	case contest.Void:
		return ui.T(ctx, "contest.void")
	}
	switch p.Kind {
	case contest.LegNames:
		var parts []string
		for _, x := range e.Places {
			parts = append(parts, fmt.Sprintf("%d. %s", x.Place, x.Name))
		}
		return strings.Join(parts, " · ")
	case contest.LegKnockout:
		var parts []string
		for _, x := range e.Stages {
			parts = append(parts, ui.T(ctx, "contest.reached", "Stage", ui.T(ctx, "contest.stage."+stageKey(x.Stage)), "Name", string(x.Name)))
		}
		return strings.Join(parts, " · ")
	case contest.LegQuiz:
		var parts []string
		for _, a := range e.Accepted {
			parts = append(parts, string(a))
		}
		return strings.Join(parts, " / ")
	}
	score := fmt.Sprintf("%d–%d", e.Score.Home, e.Score.Away)
	if e.Status == contest.Retired {
		side := p.Fixtures[i].Home
		if e.Winner == contest.AwayWin {
			side = p.Fixtures[i].Away
		}
		return ui.T(ctx, "contest.retired", "Score", score, "Side", side)
	}
	return score
}

// ruleText is the sentence of the rule that gave the points of a line.
func ruleText(ctx context.Context, a contest.Award) string {
	return ui.T(ctx, "rule."+a.Rule.String(), "Base", int(a.Base), "Other", int(a.Other), "Points", int(a.Points))
}

// typed is what a box of a slip shows: what was sent, when the form came back.
func (p legPage) value(name, kept string) string {
	if p.typed != nil && p.typed.Has(name) {
		return p.typed.Raw(name)
	}
	return kept
}

// side returns one half of a score that was predicted.
func side(pick contest.Pick, i int) string {
	parts := strings.Split(string(pick), "-")
	if len(parts) != 2 {
		return ""
	}
	return parts[i]
}
