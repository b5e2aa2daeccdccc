package contestpages

import (
	"strconv"
	"strings"
	"time"

	"boulier/game/contest"
	"boulier/internal/web"
	"boulier/internal/web/pages"
)

// scaleFields are the values of the scales, by the names of their fields: those of scores, of
// sports without draws, of winners, of knockouts.
var scaleFields = []string{"outcome", "exact", "difference", "consolation", "nodraw-outcome", "nodraw-exact",
	"winner", "champion", "finalist", "semi", "quarter"}

// scalesOf are the fields of a kind of leg. Places have a field of their own, and the points of a
// quiz stand with its questions.
func scalesOf(kind contest.LegKind) []string {
	switch kind {
	case contest.LegScores:
		return scaleFields[:6]
	case contest.LegWinner:
		return scaleFields[6:7]
	case contest.LegKnockout:
		return scaleFields[7:]
	}
	return nil
}

// scaleValues are the values of a plan, by the names of their fields.
func scaleValues(p *contest.Plan) map[string]*contest.Points {
	return map[string]*contest.Points{"outcome": &p.Scores.Outcome, "exact": &p.Scores.Exact, "difference": &p.Scores.Difference,
		"consolation": &p.Scores.Consolation, "nodraw-outcome": &p.NoDraw.Outcome, "nodraw-exact": &p.NoDraw.Exact,
		"winner": &p.Winner, "champion": &p.Stages.Champion, "finalist": &p.Stages.Finalist,
		"semi": &p.Stages.SemiFinalist, "quarter": &p.Stages.QuarterFinalist}
}

// scaleTexts shows the scales of a plan in its form.
func scaleTexts(p contest.Plan) map[string]string {
	texts := map[string]string{}
	for name, value := range scaleValues(&p) {
		texts[name] = strconv.Itoa(int(*value))
	}
	if p.Scores.DrawDifference {
		texts["draw"] = "yes"
	}
	return texts
}

// scaleIn reads the scales of a form; one that does not hold them leaves the regulation's.
func scaleIn(form *web.Form, p *contest.Plan) {
	values := scaleValues(p)
	fields := scalesOf(p.Kind)
	if len(fields) == 0 || !form.Has("scale-"+fields[0]) {
		return
	}
	for _, name := range fields {
		*values[name] = contest.Points(form.Count("scale-"+name, 0, 1000))
	}
	if p.Kind == contest.LegScores {
		p.Scores.DrawDifference = form.Agreed("scale-draw", false)
	}
}

// commonOf returns the limit that all lines of several events share, if it is no event's own
// start: then it was given for the whole slip.
func commonOf(p contest.Plan) (limit time.Time, ok bool) {
	for i, f := range p.Fixtures {
		if i > 0 && !f.Limit.Equal(limit) {
			return time.Time{}, false
		}
		limit, ok = f.Limit, ok || !f.Limit.Equal(f.StartsAt)
	}
	return limit, ok && len(p.Fixtures) > 1
}

// commonLimit gives every line of a slip the same limit, never after its first event (Reading
// C17).
func (s *Section) commonLimit(v *web.Visit, form *web.Form, text string, p *contest.Plan) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	limit, err := time.ParseInLocation(pages.MinuteLayout, text, s.Ground.Zone)
	if err != nil {
		form.Wrong("common", v.T("form.date"))
		return
	}
	starts := make([]time.Time, len(p.Fixtures))
	for i, f := range p.Fixtures {
		starts[i] = f.StartsAt
	}
	if contest.CheckCommonLimit(limit, starts) != nil {
		form.Wrong("common", v.T("violation.limit_late"))
		return
	}
	for i := range p.Fixtures {
		p.Fixtures[i].Limit = limit
	}
}
