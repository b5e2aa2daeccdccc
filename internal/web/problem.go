package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"boulier/internal/web/ui"
	"boulier/regs"
)

// A Refusal is an answer of the shell that is not a page: its status says which. Its words
// are the messages problem.STATUS.title, .happened and .todo.
type Refusal struct {
	Status int
	Detail string // for the log, in English
}

func (e *Refusal) Error() string {
	return fmt.Sprintf("%d %s: %s", e.Status, http.StatusText(e.Status), e.Detail)
}

// NotFound is what a page returns when what its address names does not exist.
var NotFound = &Refusal{Status: http.StatusNotFound}

// fail turns an error into a page. A violation is an answer; whatever else a page returns
// is a fault, told by the request identifier and never shown raw.
func (v *Visit) fail(err error) {
	var violation *regs.Violation
	var refusal *Refusal
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &violation):
		v.log().Info("refused", "code", violation.Code, "clause", violation.Ref, "detail", violation.Detail)
		v.showProblem(statusOf(violation), violation)
	case errors.As(err, &large):
		v.showProblem(http.StatusRequestEntityTooLarge, nil)
	case errors.As(err, &refusal):
		if refusal.Detail != "" {
			v.log().Info("refused", "status", refusal.Status, "detail", refusal.Detail)
		}
		v.showProblem(refusal.Status, nil)
	case v.Context().Err() != nil:
		// The person has left: there is no one to tell.
	default:
		v.log().Error("failed", "error", err)
		v.showProblem(http.StatusInternalServerError, nil)
	}
}

// statusOf is the status of a refusal: 422 unless HTTP has a word of its own for it.
func statusOf(violation *regs.Violation) int {
	switch violation.Code {
	case "forbidden", "unit_of_another", "staff_cannot_play":
		return http.StatusForbidden
	case "request_reused", "already_done":
		return http.StatusConflict
	case "locked":
		return http.StatusTooManyRequests
	default:
		return http.StatusUnprocessableEntity
	}
}

// Unavailable answers a request that cannot be served now, also before its page is known.
func Unavailable(w http.ResponseWriter, r *http.Request) {
	v := visitFrom(r.Context())
	if v == nil || v.sent {
		http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
		return
	}
	v.w = w
	v.showProblem(http.StatusServiceUnavailable, nil)
}

// showProblem answers with a page that says what happened, what it means for the person's
// money, and what to do.
func (v *Visit) showProblem(status int, violation *regs.Violation) {
	if v.sent {
		return // part of another answer has left already
	}
	p := v.problem(status, violation)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		v.w.Header().Set("Retry-After", "60")
	}
	err := v.ShowStatus(status, ui.View{Title: p.Title}, ui.ProblemPage(p))
	if err != nil {
		v.log().Error("failed to show an error page", "error", err)
		http.Error(v.w, http.StatusText(status), status)
	}
}

func (v *Visit) problem(status int, violation *regs.Violation) ui.Problem {
	p := ui.Problem{
		Status: status, RequestID: v.RequestID,
		BackHref: "/", BackLabel: v.T("problem.home"),
	}
	if violation != nil {
		p.Title = v.T("problem.refused.title")
		p.Happened = v.violation(violation)
		p.Money = v.money(violation)
		p.Todo = v.T("problem.refused.todo")
		p.Clause = string(violation.Ref)
		p.BackHref, p.BackLabel = v.back(), v.T("problem.back")
		return p
	}
	of := "problem." + strconv.Itoa(status)
	if !v.Words.Has(of + ".title") {
		of = "problem.500"
	}
	p.Title, p.Happened, p.Todo = v.T(of+".title"), v.T(of+".happened"), v.T(of+".todo")
	p.Money = v.T("problem.untouched")
	if v.Words.Has(of + ".money") {
		p.Money = v.T(of + ".money")
	}
	if status == http.StatusUnauthorized {
		p.BackHref, p.BackLabel = "/signin?next="+url.QueryEscape(v.back()), v.T("problem.signin")
	}
	return p
}

// violation says in words what a clause refused: the message violation.CODE.
func (v *Visit) violation(violation *regs.Violation) string {
	key := "violation." + violation.Code
	if !v.Words.Has(key) {
		v.log().Error("a violation has no words", "code", violation.Code)
		return violation.Code
	}
	return v.T(key)
}

// Refused turns a violation into a notice, for a page that shows its form again. It
// returns false for any other error, which the page must return.
func (v *Visit) Refused(err error) (ui.Notice, bool) {
	var violation *regs.Violation
	if !errors.As(err, &violation) {
		return ui.Notice{}, false
	}
	v.log().Info("refused", "code", violation.Code, "clause", violation.Ref, "detail", violation.Detail)
	return ui.Notice{
		Tone:  ui.Danger,
		Title: v.violation(violation),
		Text:  v.money(violation),
	}, true
}

// money says what a refusal means for the person's money: nothing, unless its words say more.
func (v *Visit) money(violation *regs.Violation) string {
	if key := "violation." + violation.Code + ".money"; v.Words.Has(key) {
		return v.T(key)
	}
	return v.T("problem.untouched")
}
