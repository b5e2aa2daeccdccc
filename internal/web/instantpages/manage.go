package instantpages

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/gamefile"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
)

// mountManage adds the pages of managers: games, issues, reports. Inspectors read reports.
func (s *Section) mountManage() {
	manage := s.May(app.ManageGames)
	read := s.MayAny(app.ManageGames, app.Inspect)
	for pattern, page := range map[string]web.Page{
		"GET /manage":                       s.showManage,
		"POST /manage/games":                s.importGame,
		"POST /manage/tables":               s.importTable,
		"GET /manage/games/new":             s.showImport,
		"GET /manage/games/{game}":          s.showGame,
		"POST /manage/games/{game}/issues":  s.openIssue,
		"POST /manage/issues/{issue}/more":  s.orderBlocks,
		"POST /manage/issues/{issue}/close": s.closeIssue,
	} {
		s.Shell.Handle(pattern, page, manage)
	}
	for pattern, page := range map[string]web.Page{
		"GET /manage/issues/{issue}":     s.showReport,
		"GET /manage/issues/{issue}/csv": s.reportCSV,
		"GET /manage/issues/{issue}/pdf": s.reportPDF,
	} {
		s.Shell.Handle(pattern, page, read)
	}
	s.Shell.Handle("GET /inspect/issues", s.inspectIssues, s.May(app.Inspect))
	s.Shell.Handle("GET /blocks/{block}", s.exportBlock)
}

// A KnownGame is an imported game with its title.
type KnownGame struct {
	app.GameRecord
	Title string
}

// Games returns the imported games with their titles.
func (s *Section) Games(ctx context.Context) ([]KnownGame, error) {
	list, err := s.Instant.Games(ctx)
	if err != nil {
		return nil, err
	}
	var out []KnownGame
	for _, g := range list {
		file, err := s.Instant.GameFile(ctx, g.ID)
		if err != nil {
			return nil, err
		}
		out = append(out, KnownGame{g, file.Game.Title})
	}
	return out, nil
}

// showManage lists the issues and the games.
func (s *Section) showManage(v *web.Visit) error {
	issues, err := s.Instant.Issues(v.Context())
	if err != nil {
		return err
	}
	games, err := s.Games(v.Context())
	if err != nil {
		return err
	}
	reports, err := s.reports(v.Context(), issues)
	if err != nil {
		return err
	}
	live := ""
	for _, i := range issues[max(0, len(issues)-10):] { // a stream follows sixteen topics at most
		_, number, err := s.Instant.Issue(v.Context(), i.ID)
		if err != nil {
			return err
		}
		if live != "" {
			live += ","
		}
		live += issueTopic(i.ID) + ":" + strconv.FormatUint(number, 10)
	}
	return v.Show(ui.View{Title: v.T("manage.title"), Accent: ui.Instant, Live: live}, manageBody(reports, games, s.Ground.Now()))
}

// reports are the reports of issues, the newest first.
func (s *Section) reports(ctx context.Context, issues []app.IssueState) ([]app.IssueReport, error) {
	var list []app.IssueReport
	for _, i := range slices.Backward(issues) {
		r, err := s.Instant.Report(ctx, i.ID)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// inspectIssues lists the issues, whose reports an inspector may read whole.
func (s *Section) inspectIssues(v *web.Visit) error {
	issues, err := s.Instant.Issues(v.Context())
	if err != nil {
		return err
	}
	reports, err := s.reports(v.Context(), issues)
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("inspect.issues"), Accent: ui.Instant},
		inspectIssuesBody(pages.InspectTabs(v), reports, s.Ground.Now()))
}

func (s *Section) showImport(v *web.Visit) error { return s.importAgain(v, http.StatusOK, nil, nil) }

func (s *Section) importAgain(v *web.Visit, status int, form *web.Form, faults []gamefile.Fault, notices ...ui.Notice) error {
	return v.ShowStatus(status, ui.View{Title: v.T("manage.import"), Accent: ui.Instant}, importBody(form, faults), notices...)
}

// maxGameFile bounds a file that is uploaded, in bytes: the reader's own bound.
const maxGameFile = 4 << 20

// importGame keeps a game file, or shows what is wrong with it.
func (s *Section) importGame(v *web.Visit) error {
	form, file, err := v.Upload("file", maxGameFile)
	if err != nil {
		return err
	}
	if !form.OK() {
		return s.importAgain(v, http.StatusUnprocessableEntity, form, nil, form.Notice())
	}
	return s.keepGame(v, form, file.Name, file.Body)
}

// importTable makes a game file of a prize table straight from a spreadsheet, and keeps it.
func (s *Section) importTable(v *web.Visit) error {
	form, file, err := v.Upload("table", maxGameFile)
	if err != nil {
		return err
	}
	g := instant.Game{Title: form.Text("title", 60), Kind: instant.ThreeAlike,
		Block: form.Count("block", 1, 10_000_000), Price: form.Amount("price")}
	if !form.OK() {
		return s.importAgain(v, http.StatusUnprocessableEntity, form, nil, form.Notice())
	}
	g, faults := gamefile.ParseTable(file.Name, file.Body, g)
	if len(faults) > 0 {
		return s.faulty(v, form, faults)
	}
	return s.keepGame(v, form, file.Name, gamefile.Write(gamefile.File{Game: g, Source: form.Optional("source", 200)}))
}

func (s *Section) keepGame(v *web.Visit, form *web.Form, name string, body []byte) error {
	id, faults, err := s.Instant.ImportGame(v.Context(), app.GameImport{Request: app.RequestID(form.Request),
		By: v.Person.ID, Name: name, File: body})
	if len(faults) > 0 {
		return s.faulty(v, form, faults)
	}
	if notice, refused := v.Refused(err); refused {
		return s.importAgain(v, http.StatusUnprocessableEntity, form, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect(fmt.Sprintf("/manage/games/%d", id), web.Done("game_imported"))
}

func (s *Section) faulty(v *web.Visit, form *web.Form, faults []gamefile.Fault) error {
	return s.importAgain(v, http.StatusUnprocessableEntity, form, faults, ui.Notice{Tone: ui.Danger,
		Title: v.Words.N("manage.faults", int64(len(faults))), Text: v.T("manage.faults.text")})
}

// gameOf reads the game that the address names.
func (s *Section) gameOf(v *web.Visit) (app.GameRecord, gamefile.File, error) {
	id, err := strconv.ParseInt(v.Path("game"), 10, 64)
	if err != nil {
		return app.GameRecord{}, gamefile.File{}, web.NotFound
	}
	return s.gameNumbered(v, id)
}

func (s *Section) gameNumbered(v *web.Visit, id int64) (app.GameRecord, gamefile.File, error) {
	games, err := s.Instant.Games(v.Context())
	if err != nil {
		return app.GameRecord{}, gamefile.File{}, err
	}
	for _, g := range games {
		if g.ID == app.GameID(id) {
			file, err := s.Instant.GameFile(v.Context(), g.ID)
			return g, file, err
		}
	}
	return app.GameRecord{}, gamefile.File{}, web.NotFound
}

func (s *Section) showGame(v *web.Visit) error { return s.gameAgain(v, http.StatusOK, nil) }

func (s *Section) gameAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	rec, file, err := s.gameOf(v)
	if err != nil {
		return err
	}
	return v.ShowStatus(status, ui.View{Title: file.Game.Title, Accent: ui.Instant},
		gameBody(form, rec, file, s.Ground.Now().In(s.Ground.Zone)), notices...)
}
