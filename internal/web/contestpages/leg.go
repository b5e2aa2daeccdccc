package contestpages

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
	"boulier/internal/web/ui"
	"boulier/player"
)

// showLeg is the page of a leg: its slip while it is open, its results afterwards.
func (s *Section) showLeg(v *web.Visit) error {
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
	entered      bool // registered for the contests
	viewer       ui.Person
	spend        time.Time // from when its nuggets are free
	disputeUntil time.Time
}

// open reports whether some line can still be filled in or changed.
func (p legPage) open() bool { return p.state == contest.Open }

func (s *Section) legAgain(v *web.Visit, c app.ContestState, k legCard, status int, form *web.Form, notices ...ui.Notice) error {
	p := legPage{contest: c, legCard: k, typed: form, now: s.Ground.Now(), plays: s.predicts(v.Person), viewer: v.Person}
	var picks []contest.Pick
	if k.own != nil {
		picks = k.own.Picks
	}
	p.lines = linesOf(k.LegState, picks, p.now)
	entry, err := s.Contests.Entry(v.Context(), s.playing(v.Person))
	if err != nil {
		return err
	}
	p.entered = entry.Status == app.EntryAdmitted
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
func (s *Section) submitSlip(v *web.Visit) error {
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
func pickIn(form *web.Form, l app.LegState, i int) contest.Pick {
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

// slipReceipt is the receipt of a slip, to print: it proves that the player was in time.
func (s *Section) slipReceipt(v *web.Visit) error {
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
func (s *Section) legSlips(v *web.Visit) error {
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
	names, err := s.Contests.Names(v.Context(), ids)
	if err != nil {
		return err
	}
	return v.Show(legView(v.T("slips.of", "Title", k.Title)), slipsBody(c, k, slips, names, next, s.Ground.Now()))
}

// legPlayer shows a player's slip with the points of every line and the sentence of the
// rule that gave them.
func (s *Section) legPlayer(v *web.Visit) error {
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
	names, err := s.Contests.Names(v.Context(), []player.ID{who})
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
func (s *Section) showNuggets(v *web.Visit) error {
	p, err := s.Contests.Nuggets(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	return v.Show(legView(v.T("nuggets.title")), nuggetsBody(p))
}

// ownContests gives a player all that the contests hold of them (contest:15).
func (s *Section) ownContests(v *web.Visit) error {
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

// value is what a box of a slip shows: what was sent, when the form came back.
func (p legPage) value(name, kept string) string {
	if p.typed != nil && p.typed.Has(name) {
		return p.typed.Raw(name)
	}
	return kept
}
