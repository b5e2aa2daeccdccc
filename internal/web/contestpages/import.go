package contestpages

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boulier/game/contest"
	"boulier/internal/fixturefile"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// matchesIn reads an uploaded file of matches.
func (s *Section) matchesIn(v *web.Visit) (*web.Form, []fixturefile.Match, error) {
	form, file, err := v.Upload("file", maxFixtureFile)
	if err != nil {
		return nil, nil, err
	}
	if !form.OK() {
		return form, nil, nil
	}
	m := fixturefile.Mapping{Home: form.Optional("map-home", 40), Away: form.Optional("map-away", 40),
		Date: form.Optional("map-date", 40), Time: form.Optional("map-time", 40), Score: form.Optional("map-score", 40)}
	matches, err := fixturefile.Read(file.Body, m, s.Ground.Zone)
	if errors.Is(err, fixturefile.ErrFile) {
		form.Wrong("file", v.T("leg.import.wrong", "Error", err.Error()))
		err = nil
	}
	return form, matches, err
}

// importFixtures shows the matches of a file in the form of the leg: a proposal, which
// counts only once it is saved.
func (s *Section) importFixtures(v *web.Visit) error {
	form, matches, err := s.matchesIn(v)
	if err != nil {
		return err
	}
	_, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	from, _ := time.ParseInLocation(time.DateOnly, form.Raw("from"), s.Ground.Zone)
	to, _ := time.ParseInLocation(time.DateOnly, form.Raw("to"), s.Ground.Zone)
	view := s.viewOf(k.Plan)
	view.rows = nil
	for _, m := range matches {
		if !from.IsZero() && m.StartsAt.Before(from) || !to.IsZero() && !m.StartsAt.Before(to.AddDate(0, 0, 1)) {
			continue
		}
		if len(view.rows) == contest.MaxFixtures {
			form.Wrong("file", v.T("leg.import.many", "Max", contest.MaxFixtures))
			break
		}
		view.rows = append(view.rows, rowView{home: m.Home, away: m.Away, starts: s.minuteText(m.StartsAt),
			format: contest.DrawAllowed.String(), doubts: m.Doubts})
	}
	if !form.OK() || len(view.rows) == 0 {
		if form.OK() {
			form.Wrong("file", v.T("leg.import.none"))
		}
		return s.manageLegAgain(v, http.StatusUnprocessableEntity, form, nil, nil, form.Notice())
	}
	return s.manageLegAgain(v, http.StatusOK, nil, &view, nil, ui.Notice{Tone: ui.Warning,
		Title: v.Words.N("leg.import.proposal", int64(len(view.rows))), Text: v.T("leg.import.proposal.text")})
}

// importResults proposes the scores of a file for the matches of the leg, by the names of
// both sides; nothing counts before it is confirmed.
func (s *Section) importResults(v *web.Visit) error {
	form, matches, err := s.matchesIn(v)
	if err != nil {
		return err
	}
	_, k, err := s.legIn(v)
	if err != nil {
		return err
	}
	views, found := endingViews(k.LegState), 0
	for i, f := range k.Fixtures {
		for _, m := range matches {
			score := k.Count.Score(m.Ninety, m.Extra)
			if !strings.EqualFold(m.Home, f.Home) || !strings.EqualFold(m.Away, f.Away) || score == contest.NoScore ||
				m.StartsAt.Sub(f.StartsAt).Abs() > 36*time.Hour {
				continue
			}
			views[i] = endingView{status: "played", home: strconv.Itoa(int(score.Home)), away: strconv.Itoa(int(score.Away)),
				proposed: true, doubts: m.Doubts}
			found++
		}
	}
	if form.OK() && found == 0 {
		form.Wrong("file", v.T("leg.import.nomatch"))
	}
	if !form.OK() {
		return s.manageLegAgain(v, http.StatusUnprocessableEntity, form, nil, nil, form.Notice())
	}
	return s.manageLegAgain(v, http.StatusOK, nil, nil, views, ui.Notice{Tone: ui.Warning,
		Title: v.Words.N("results.proposal", int64(found)), Text: v.T("leg.import.proposal.text")})
}
