package contestpages

import (
	"errors"
	"net/http"
	"strconv"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
	"boulier/player"
)

// mountLeague adds the private leagues of friends.
func (s *Section) mountLeague() {
	play := s.May(app.Predict)
	s.Shell.Handle("GET /leagues", s.showLeagues, play)
	s.Shell.Handle("POST /leagues", s.createLeague, play)
	s.Shell.Handle("GET /leagues/{league}", s.showLeague, play)
	s.Shell.Handle("POST /leagues/{league}/join", s.joinLeague, play)
	s.Shell.Handle("POST /leagues/{league}/leave", s.leaveLeague, play)
	s.Shell.Handle("POST /leagues/{league}/link", s.renewLink, play)
}

func leaguePath(id app.LeagueID) string { return "/leagues/" + strconv.FormatInt(int64(id), 10) }

func (s *Section) showLeagues(v *web.Visit) error { return s.leaguesAgain(v, http.StatusOK, nil) }

func (s *Section) leaguesAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	list, err := s.Contests.Leagues(v.Context(), v.Person.ID)
	if err != nil {
		return err
	}
	return v.ShowStatus(status, legView(v.T("league.list")), leaguesBody(form, list), notices...)
}

func (s *Section) createLeague(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	name := form.Text("league", 60)
	if !form.OK() {
		return s.leaguesAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	id, err := s.Contests.CreateLeague(v.Context(), app.LeagueOrder{Request: app.RequestID(form.Request), By: v.Person.ID}, name)
	if notice, refused := v.Refused(err); refused {
		return s.leaguesAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(leaguePath(id), web.Done("league_created", "Name", name))
}

// A leaguePage is a league as a member, or somebody invited, sees it.
type leaguePage struct {
	app.League
	viewer   player.ID
	token    string // that the visitor came with
	names    map[player.ID]string
	rankings []leagueRanking
}

type leagueRanking struct {
	contest app.ContestState
	page    app.RankPage
}

func (p leaguePage) member() bool { return p.has(p.viewer) }

func (p leaguePage) has(who player.ID) bool {
	for _, m := range p.Members {
		if m == who {
			return true
		}
	}
	return false
}

func (s *Section) showLeague(v *web.Visit) error {
	return s.leagueAgain(v, http.StatusOK, v.Query("invited"))
}

func (s *Section) leagueAgain(v *web.Visit, status int, token string, notices ...ui.Notice) error {
	id, err := strconv.ParseInt(v.Path("league"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	l, err := s.Contests.League(v.Context(), app.LeagueID(id), v.Person.ID, token)
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	if err != nil {
		return err
	}
	p := leaguePage{League: l, viewer: v.Person.ID, token: token}
	if p.names, err = s.Contests.Names(v.Context(), l.Members); err != nil {
		return err
	}
	if p.member() {
		all, err := s.Contests.Contests(v.Context())
		if err != nil {
			return err
		}
		for i := len(all) - 1; i >= 0; i-- {
			if all[i].Shown.Run == 0 {
				continue
			}
			page, err := s.Contests.LeagueRanking(v.Context(), l, all[i])
			if err != nil {
				return err
			}
			p.rankings = append(p.rankings, leagueRanking{all[i], page})
		}
	}
	return v.ShowStatus(status, legView(l.Name), leagueBody(p), notices...)
}

// leagueForm reads a form about the league of the address.
func (s *Section) leagueForm(v *web.Visit) (*web.Form, app.LeagueOrder, error) {
	form, err := v.Form()
	if err != nil {
		return nil, app.LeagueOrder{}, err
	}
	id, err := strconv.ParseInt(v.Path("league"), 10, 64)
	if err != nil {
		return nil, app.LeagueOrder{}, web.NotFound
	}
	return form, app.LeagueOrder{Request: app.RequestID(form.Request), By: v.Person.ID, League: app.LeagueID(id)}, nil
}

func (s *Section) joinLeague(v *web.Visit) error {
	form, o, err := s.leagueForm(v)
	if err != nil {
		return err
	}
	token := form.Raw("invited")
	err = s.Contests.JoinLeague(v.Context(), o, token)
	if errors.Is(err, app.ErrLeagueUnknown) {
		return web.NotFound
	}
	if errors.Is(err, app.ErrNotEntered) {
		return v.Redirect("/entry?next=" + leaguePath(o.League) + "%3Finvited%3D" + token)
	}
	if notice, refused := v.Refused(err); refused {
		return s.leagueAgain(v, http.StatusUnprocessableEntity, token, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(leaguePath(o.League), web.Done("league_joined"))
}

func (s *Section) leaveLeague(v *web.Visit) error {
	form, o, err := s.leagueForm(v)
	if err != nil {
		return err
	}
	who := o.By
	if form.Has("player") {
		n, err := strconv.ParseInt(form.Raw("player"), 10, 64)
		if err != nil {
			return web.NotFound
		}
		who = player.ID(n)
	}
	err = s.Contests.LeaveLeague(v.Context(), o, who)
	if errors.Is(err, app.ErrLeagueUnknown) {
		return web.NotFound
	}
	if notice, refused := v.Refused(err); refused {
		return s.leagueAgain(v, http.StatusUnprocessableEntity, "", notice)
	}
	if err != nil {
		return err
	}
	if who == o.By {
		return v.Redirect("/leagues", web.Done("league_left"))
	}
	return v.Redirect(leaguePath(o.League), web.Done("league_sent_away"))
}

func (s *Section) renewLink(v *web.Visit) error {
	_, o, err := s.leagueForm(v)
	if err != nil {
		return err
	}
	err = s.Contests.RenewLink(v.Context(), o)
	if notice, refused := v.Refused(err); refused {
		return s.leagueAgain(v, http.StatusUnprocessableEntity, "", notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(leaguePath(o.League), web.Done("league_link"))
}
