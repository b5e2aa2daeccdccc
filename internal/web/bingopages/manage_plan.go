package bingopages

import (
	"net/http"
	"strconv"
	"strings"

	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// planRows is how many parts the form of a programme asks for.
const planRows = 8

// A programmePage is the programme of the next day, or of the rest of an open one.
type programmePage struct {
	bingoVisit
	tabs    []ui.Link
	choices []ui.Choice
	list    []planned
}

func (s *Section) showProgramme(v *web.Visit) error { return s.programmeAgain(v, http.StatusOK, nil) }

func (s *Section) programmeAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	b, err := s.bingoVisit(v)
	if err != nil {
		return err
	}
	p := programmePage{bingoVisit: b, tabs: bingoTabs(v), choices: []ui.Choice{{Value: "", Label: v.T("bingo.manage.plan.none")}}}
	if p.list, err = s.bingoPlan(v); err != nil {
		return err
	}
	proposals, err := s.Bingo.Proposals(v.Context())
	if err != nil {
		return err
	}
	for _, x := range proposals {
		if !x.Withdrawn {
			p.choices = append(p.choices, ui.Choice{Value: strconv.FormatInt(x.ID, 10), Label: x.Newest().Proposal.Title})
		}
	}
	return v.ShowStatus(status, houseView(v.T("bingo.manage.programme")), programmeBody(p, form), notices...)
}

// value is an answer of the plan as it is kept.
func (p programmePage) value(i int) (proposal, rounds string) {
	if i >= len(p.list) {
		return "", ""
	}
	return strconv.FormatInt(p.list[i].Proposal, 10), strconv.Itoa(p.list[i].Rounds)
}

// saveProgramme keeps the programme; with an open day it can take the place of the rounds that
// have not begun.
func (s *Section) saveProgramme(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	var plan app.BingoPlan
	for i := range planRows {
		if strings.TrimSpace(form.Raw(numbered("proposal", i))) == "" {
			continue
		}
		plan.Parts = append(plan.Parts, app.BingoPlanPart{Proposal: form.Count(numbered("proposal", i), 1, 1<<40),
			Rounds: int(form.Count(numbered("rounds", i), 1, app.MaxBingoRounds))})
	}
	if !form.OK() {
		return s.programmeAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	done := web.Done("bingo_plan")
	if form.Raw("do") == "change" {
		done = web.Done("bingo_changed")
		err = s.Bingo.ChangePlanned(v.Context(), as(v, form), int(form.Count("from", 1, app.MaxBingoRounds+1)), plan)
	} else {
		err = s.Bingo.SavePlan(v.Context(), as(v, form), plan)
	}
	if notice, refused := v.Refused(err); refused {
		return s.programmeAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/bingo", done)
}
