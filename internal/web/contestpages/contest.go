package contestpages

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
	"boulier/player"
)

// mountContest adds the pages of the prediction contests that players and visitors see.
func (s *Section) mountContest() {
	s.Shell.Handle("GET /contests", s.showContests)
	s.Shell.Handle("GET /contests/{contest}", s.showContest)
	s.Shell.Handle("GET /contests/{contest}/ranking", s.contestRanking)
	s.Shell.Handle("GET /legs/{leg}", s.showLeg)
	s.Shell.Handle("GET /legs/{leg}/ranking", s.legRanking)
	s.Shell.Handle("GET /legs/{leg}/slips", s.legSlips)
	s.Shell.Handle("GET /legs/{leg}/players/{player}", s.legPlayer)
	s.Shell.Handle("GET /legs/{leg}/receipt", s.slipReceipt, s.May(app.Predict))
	s.Shell.Handle("POST /legs/{leg}", s.submitSlip, s.May(app.Predict))
	s.Shell.Handle("GET /nuggets", s.showNuggets, s.May(app.Predict))
	s.Shell.Handle("GET /nuggets/data.json", s.ownContests, s.May(app.Predict))
}

const (
	legTopicPrefix     = "contest/leg/"
	contestTopicPrefix = "contest/contest/"
	countPrefix        = "contest/count/"
)

func legTopic(id contest.LegID) string     { return fmt.Sprintf("%s%d", legTopicPrefix, id) }
func contestTopic(id contest.ID) string    { return fmt.Sprintf("%s%d", contestTopicPrefix, id) }
func legPath(id contest.LegID) string      { return fmt.Sprintf("/legs/%d", id) }
func contestPath(id contest.ID) string     { return fmt.Sprintf("/contests/%d", id) }
func legView(title string) ui.View         { return ui.View{Title: title, Accent: ui.Contest} }
func contestKey(c app.ContestState) string { return strconv.FormatInt(int64(c.ID), 10) }
func nuggetCount(n contest.Nuggets) int64  { return int64(n / contest.Nugget) }

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
func (s *Section) card(ctx context.Context, c app.ContestState, l app.LegState, number uint64, who player.ID) (k legCard, err error) {
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
func (s *Section) contestOf(ctx context.Context, c app.ContestState, who player.ID, all bool) (contestCard, error) {
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
func (s *Section) announced(ctx context.Context, who player.ID) (out []contestCard, err error) {
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

func (s *Section) showContests(v *web.Visit) error {
	list, err := s.announced(v.Context(), s.playing(v.Person))
	if err != nil {
		return err
	}
	return v.Show(legView(v.T("nav.contests")), contestsBody(list))
}

// playing is the person if it is a player, 0 otherwise.
func (s *Section) playing(p ui.Person) player.ID {
	if s.predicts(p) {
		return p.ID
	}
	return 0
}

// contestIn returns the contest that the address names, if this person may see it.
func (s *Section) contestIn(v *web.Visit) (c app.ContestState, number uint64, err error) {
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
func (s *Section) legIn(v *web.Visit) (c app.ContestState, k legCard, err error) {
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

func (s *Section) edits(p ui.Person) bool {
	return p.SignedIn() && app.May(s.Who.Roles(p.ID), app.EditContests)
}

func (s *Section) showContest(v *web.Visit) error {
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
	offers, winners, err := s.giftsGiven(v, c)
	if err != nil {
		return err
	}
	return v.Show(view, contestBody(card, page, s.playing(v.Person), offers, winners))
}

// rankPage is how many lines of a ranking a page shows.
const rankPage = 50

func (s *Section) contestRanking(v *web.Visit) error {
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

func (s *Section) legRanking(v *web.Visit) error {
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
