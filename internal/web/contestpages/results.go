package contestpages

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"boulier/game/contest"
	"boulier/internal/app"
	"boulier/internal/fixturefile"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// An endingView is how a fixture ended as its form holds it.
type endingView struct {
	status, home, away, winner, text string
	names                            [8]string
	accepted                         []string
	proposed                         bool // by a file, not confirmed yet
	doubts                           []fixturefile.Doubt
}

var statuses = []string{"awaited", "played", "retired", "void"}

// endingViews shows the endings of a leg in their form.
func endingViews(l app.LegState) []endingView {
	out := make([]endingView, len(l.Fixtures))
	for i := range out {
		out[i].status = statuses[0]
		if i >= len(l.Endings) {
			continue
		}
		e := l.Endings[i]
		out[i].status = statuses[e.Status]
		if e.Status == contest.Played || e.Status == contest.Retired {
			out[i].home, out[i].away = strconv.Itoa(int(e.Score.Home)), strconv.Itoa(int(e.Score.Away))
		}
		out[i].winner = string(e.Winner.Pick())
		var text []string
		for _, p := range e.Places {
			text = append(text, fmt.Sprintf("%d %s", p.Place, p.Name))
		}
		out[i].text = strings.Join(text, "\n")
		next := map[contest.Stage]int{contest.Champion: 0, contest.Finalist: 1, contest.SemiFinalist: 2, contest.QuarterFinalist: 4}
		for _, r := range e.Stages {
			out[i].names[next[r.Stage]] = string(r.Name)
			next[r.Stage]++
		}
		for _, a := range e.Accepted {
			out[i].accepted = append(out[i].accepted, string(a))
		}
	}
	return out
}

// endingsIn reads the form of results.
func endingsIn(v *web.Visit, form *web.Form, l app.LegState) ([]contest.Ending, []endingView) {
	views, out := make([]endingView, len(l.Fixtures)), make([]contest.Ending, len(l.Fixtures))
	for i := range out {
		name := func(n string) string { return fmt.Sprintf("%s%d", n, i) }
		view := endingView{status: form.Choice(name("status"), statuses...), home: form.Raw(name("home")), away: form.Raw(name("away")),
			winner: form.Raw(name("winner")), text: form.Raw(name("places")), accepted: form.All(name("accepted"))}
		for n := range view.names {
			view.names[n] = strings.TrimSpace(form.Raw(fmt.Sprintf("stage%d-%d", i, n)))
		}
		views[i] = view
		e := contest.Ending{Status: contest.Status(max(0, slices.Index(statuses, view.status)))}
		if e.Status == contest.Played || e.Status == contest.Retired {
			readEnding(v, form, l, i, view, &e)
		}
		out[i] = e
	}
	return out, views
}

func readEnding(v *web.Visit, form *web.Form, l app.LegState, i int, view endingView, e *contest.Ending) {
	switch l.Kind {
	case contest.LegNames:
		for line := range strings.Lines(view.text) {
			if strings.TrimSpace(line) == "" {
				continue
			}
			place, name, _ := strings.Cut(strings.TrimSpace(line), " ")
			n, err := strconv.Atoi(strings.TrimSuffix(place, "."))
			if err != nil {
				form.Wrong(fmt.Sprintf("places%d", i), v.T("results.places.wrong", "Line", line))
			}
			e.Places = append(e.Places, contest.Placed{Name: contest.Name(strings.TrimSpace(name)), Place: n})
		}
	case contest.LegKnockout:
		for n, name := range view.names {
			e.Stages = append(e.Stages, contest.Reached{Name: contest.Name(name), Stage: contest.KnockoutLines[n]})
		}
	case contest.LegQuiz:
		for _, a := range view.accepted {
			if a = strings.TrimSpace(a); a != "" {
				e.Accepted = append(e.Accepted, contest.Answer(a))
			}
		}
	default:
		e.Score = contest.Score{Home: int8(form.Count(fmt.Sprintf("home%d", i), 0, contest.MaxCount)),
			Away: int8(form.Count(fmt.Sprintf("away%d", i), 0, contest.MaxCount))}
		if e.Status == contest.Retired {
			e.Winner, _ = contest.ParseOutcome(contest.Pick(view.winner))
		}
	}
}

func (s *Section) enterResults(v *web.Visit) error {
	form, k, o, err := s.legForm(v)
	if err != nil {
		return err
	}
	endings, views := endingsIn(v, form, k.LegState)
	reason := form.Optional("results-reason", 200)
	again := func(n ui.Notice) error {
		return s.manageLegAgain(v, http.StatusUnprocessableEntity, form, nil, views, n)
	}
	if !form.OK() {
		return again(form.Notice())
	}
	err = s.Contests.EnterResults(v.Context(), o, endings, reason, form.Agreed("decided", false))
	if notice, refused := v.Refused(err); refused {
		return again(notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(manageLegPath(o.Leg), web.Done("results_entered"))
}
