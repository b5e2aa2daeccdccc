package instantpages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// openIssue opens an issue; its blocks are made behind it.
func (s *Section) openIssue(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	rec, _, err := s.gameOf(v)
	if err != nil {
		return err
	}
	o := app.IssueOpening{Request: app.RequestID(form.Request), By: v.Person.ID, Game: rec.ID,
		Window: instant.Window{Opens: s.Minute(v, form, "opens"), Closes: s.Minute(v, form, "closes")},
		Blocks: int(form.Count("blocks", 1, app.MaxBlocks))}
	if !form.OK() {
		return s.gameAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	id, err := s.Instant.OpenIssue(v.Context(), o)
	if notice, refused := v.Refused(err); refused {
		return s.gameAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	s.makeWanted(v.Context())
	return v.Redirect(issuePath(id), web.Done("issue_opened"))
}

// makeWanted makes the blocks that are wanted behind the request that wants them.
func (s *Section) makeWanted(ctx context.Context) {
	go func() {
		if err := s.Instant.MakeWanted(context.WithoutCancel(ctx)); err != nil {
			s.Ground.Log.Error("blocks could not be made; they are tried again within a minute", "error", err)
		}
	}()
}

func issuePath(id instant.IssueID) string { return fmt.Sprintf("/manage/issues/%d", id) }

// orderBlocks asks for more blocks of an issue.
func (s *Section) orderBlocks(v *web.Visit) error {
	form, o, err := s.issueOrder(v)
	if err != nil {
		return err
	}
	n := form.Count("blocks", 1, app.MaxBlocks)
	if !form.OK() {
		return s.reportAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	if err := s.Instant.OrderBlocks(v.Context(), o, int(n)); err != nil {
		return s.orderRefused(v, form, err)
	}
	s.makeWanted(v.Context())
	return v.Redirect(issuePath(o.Issue), web.Done("blocks_ordered"))
}

// closeIssue ends an issue before its date.
func (s *Section) closeIssue(v *web.Visit) error {
	form, o, err := s.issueOrder(v)
	if err != nil {
		return err
	}
	if err := s.Instant.CloseIssue(v.Context(), o); err != nil {
		return s.orderRefused(v, form, err)
	}
	return v.Redirect(issuePath(o.Issue), web.Done("issue_closed"))
}

func (s *Section) orderRefused(v *web.Visit, form *web.Form, err error) error {
	if notice, refused := v.Refused(err); refused {
		return s.reportAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	return err
}

// issueOrder reads an order about the issue that the address names.
func (s *Section) issueOrder(v *web.Visit) (*web.Form, app.IssueOrder, error) {
	form, err := v.Form()
	if err != nil {
		return nil, app.IssueOrder{}, err
	}
	id, err := strconv.ParseInt(v.Path("issue"), 10, 64)
	if err != nil {
		return nil, app.IssueOrder{}, web.NotFound
	}
	return form, app.IssueOrder{Request: app.RequestID(form.Request), By: v.Person.ID, Issue: instant.IssueID(id)}, nil
}

// reportOf reads the report of the issue that the address names. Inspectors may ask for the
// prizes given, and are recorded when they do (reading I8).
func (s *Section) reportOf(v *web.Visit) (app.IssueReport, error) {
	id, err := strconv.ParseInt(v.Path("issue"), 10, 64)
	if err != nil {
		return app.IssueReport{}, web.NotFound
	}
	var r app.IssueReport
	if v.Query("given") != "" && s.Can(v, app.InspectGiven) {
		r, err = s.Instant.ReportGiven(v.Context(), app.GivenLook{By: v.Person.ID, Issue: instant.IssueID(id)})
	} else {
		r, err = s.Instant.Report(v.Context(), instant.IssueID(id))
	}
	if errors.Is(err, app.ErrNotFound) {
		return r, web.NotFound
	}
	return r, err
}

func (s *Section) showReport(v *web.Visit) error { return s.reportAgain(v, http.StatusOK, nil) }

func (s *Section) reportAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	r, err := s.reportOf(v)
	if err != nil {
		return err
	}
	issue, number, err := s.Instant.Issue(v.Context(), r.Issue)
	if err != nil {
		return err
	}
	settings, err := s.Ground.Settings(v.Context())
	if err != nil {
		return err
	}
	page := issuePage{IssueReport: r, wanted: issue.Wanted, operator: settings.Operator, now: s.Ground.Now(),
		manages: s.Can(v, app.ManageGames), inspects: s.Can(v, app.InspectGiven)}
	live := issueTopic(r.Issue) + ":" + strconv.FormatUint(number, 10)
	for _, b := range r.Blocks {
		if b.Status == instant.BlockOpen {
			live += "," + blockTopic(b.Block) + ":0"
		}
	}
	return v.ShowStatus(status, ui.View{Title: r.Title, Accent: ui.Instant, Live: live}, reportBody(form, page), notices...)
}

// exportBlock gives an ended block to anyone, for boulier verify.
func (s *Section) exportBlock(v *web.Visit) error {
	id, err := strconv.ParseInt(v.Path("block"), 10, 64)
	if err != nil {
		return web.NotFound
	}
	err = s.Instant.ExportBlock(v.Context(), app.BlockID(id), pages.StreamTo(v, "boulier-bloc-"+v.Path("block")+".jsonl"))
	if errors.Is(err, app.ErrNotFound) {
		return web.NotFound
	}
	return v.Cut(err)
}
