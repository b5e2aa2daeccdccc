package bingopages

import (
	"cmp"
	"errors"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/snake"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
	"boulier/money"
)

// mountBingoInspect adds what an inspector reads of the bingo, and a manager, too: it changes
// nothing.
func (s *Section) mountBingoInspect() {
	read := web.Allowed(func(p ui.Person) bool {
		roles := s.Who.Roles(p.ID)
		return app.May(roles, app.ManageGames) || app.May(roles, app.Inspect)
	})
	for pattern, page := range map[string]web.Page{
		"GET /inspect/bingo":                       s.showBingoDays,
		"GET /inspect/bingo/days/{day}":            s.showBingoDay,
		"GET /inspect/bingo/days/{day}/{file}":     s.bingoDayFile,
		"GET /inspect/bingo/rounds/{round}":        s.showBingoRecord,
		"GET /inspect/bingo/rounds/{round}/{file}": s.bingoRecordFile,
	} {
		s.Shell.Handle(pattern, page, read)
	}
}

func recordPath(id bingo.RoundID) string {
	return "/inspect/bingo/rounds/" + strconv.FormatInt(int64(id), 10)
}

func bingoDayPath(day string) string { return "/inspect/bingo/days/" + day }

// daysShown is how many days of play the first page lists.
const daysShown = 60

// showBingoDays lists the days of play, and the round that runs.
func (s *Section) showBingoDays(v *web.Visit) error {
	b, err := s.bingoVisit(v)
	if err != nil {
		return err
	}
	names, err := s.Bingo.Days(v.Context())
	if err != nil {
		return err
	}
	var rows [][]templ.Component
	for _, name := range names[:min(len(names), daysShown)] {
		d, err := s.Bingo.Day(v.Context(), name)
		if err != nil {
			return err
		}
		rows = append(rows, []templ.Component{bingoDayLink(v.Words.Day(d.OpenedAt), name), ui.Count(int64(len(d.Rounds))), dayState(d)})
	}
	view := houseView(v.T("bingo.inspect.title"))
	view.Live = b.live()
	return v.Show(view, bingoDaysBody(b, s.readerTabs(v), rows))
}

// readerTabs are the sides of the inspection for an inspector; a manager comes from elsewhere.
func (s *Section) readerTabs(v *web.Visit) []ui.Link {
	if app.May(s.Who.Roles(v.Person.ID), app.Inspect) {
		return pages.InspectTabs(v)
	}
	return nil
}

// bingoDay reads the day that the address names, with its rounds.
func (s *Section) bingoDay(v *web.Visit) (d app.BingoDay, rounds []app.BingoRecord, err error) {
	d, err = s.Bingo.Day(v.Context(), v.Path("day"))
	if errors.Is(err, app.ErrNotFound) {
		return d, nil, web.NotFound
	}
	if err != nil {
		return d, nil, err
	}
	for _, r := range d.Rounds {
		record, err := s.Bingo.Record(v.Context(), r.ID)
		if err != nil {
			return d, nil, err
		}
		rounds = append(rounds, record)
	}
	return d, rounds, nil
}

// showBingoDay shows the minutes of a day.
func (s *Section) showBingoDay(v *web.Visit) error {
	d, rounds, err := s.bingoDay(v)
	if err != nil {
		return err
	}
	sheet, err := s.minutesSheet(v, d, rounds)
	if err != nil {
		return err
	}
	return v.Show(houseView(sheet.Head.Title), bingoDayBody(s.readerTabs(v), d, rounds, sheet))
}

// bingoDayFile gives the minutes of a day, or its report for the regulator.
func (s *Section) bingoDayFile(v *web.Visit) error {
	d, rounds, err := s.bingoDay(v)
	if err != nil {
		return err
	}
	if v.Path("file") == "day.jsonl" {
		return s.bingoLines(v, "bingo-"+d.Day+".jsonl", "boulier-bingo-day/v1", append([]any{d}, recordLines(rounds)...))
	}
	if sheet, err := s.minutesSheet(v, d, rounds); err != nil {
		return err
	} else if done, err := sheetFile(v, sheet, "minutes", "bingo-proces-verbal-"+d.Day); done || err != nil {
		return err
	}
	sheet, err := s.reportSheet(v, d, rounds)
	if err != nil {
		return err
	}
	done, err := sheetFile(v, sheet, "report", "bingo-rapport-"+d.Day)
	if !done && err == nil {
		return web.NotFound
	}
	return err
}

// sheetFile answers with a sheet if the file asked for is one of its forms: name.pdf, name.csv
// or name.xlsx.
func sheetFile(v *web.Visit, sheet print.Sheet, name, as string) (done bool, err error) {
	for ext, form := range map[string]struct {
		kind  string
		write func(print.Sheet) ([]byte, error)
	}{
		"pdf":  {"application/pdf", print.SheetPDF},
		"csv":  {"text/csv; charset=utf-8", print.SheetCSV},
		"xlsx": {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", print.SheetXLSX},
	} {
		if v.Path("file") != name+"."+ext {
			continue
		}
		body, err := form.write(sheet)
		if err != nil {
			return true, err
		}
		return true, v.File(as+"."+ext, form.kind, body)
	}
	return false, nil
}

// record reads the round that the address names.
func (s *Section) record(v *web.Visit) (app.BingoRecord, error) {
	id, err := strconv.ParseInt(v.Path("round"), 10, 64)
	if err != nil {
		return app.BingoRecord{}, web.NotFound
	}
	r, err := s.Bingo.Record(v.Context(), bingo.RoundID(id))
	if errors.Is(err, app.ErrNotFound) {
		err = web.NotFound
	}
	return r, err
}

// showBingoRecord shows a round whole, and says whether the second implementation finds the
// same.
func (s *Section) showBingoRecord(v *web.Visit) error {
	r, err := s.record(v)
	if err != nil {
		return err
	}
	sheet, err := s.recordSheet(v, r)
	if err != nil {
		return err
	}
	checked := auditNotice(v, r, nil)
	if r.Round.Phase == bingo.Over && r.Round.Secret != "" {
		checked = auditNotice(v, r, s.Bingo.Audit(v.Context(), r.Round.ID))
	}
	return v.Show(houseView(sheet.Head.Title), bingoRecordBody(s.readerTabs(v), r, sheet, checked))
}

// auditNotice says whether a round was found right by the second implementation.
func auditNotice(v *web.Visit, r app.BingoRecord, wrong error) ui.Notice {
	switch {
	case wrong != nil:
		return ui.Notice{Tone: ui.Danger, Title: v.T("bingo.inspect.wrong"), Text: wrong.Error()}
	case r.Round.Phase == bingo.Void:
		return ui.Notice{Tone: ui.Warning, Title: v.T("bingo.void"), Text: v.T("bingo.void.text")}
	case r.Round.Secret == "":
		return ui.Notice{Tone: ui.Info, Title: v.T("bingo.inspect.running")}
	}
	return ui.Notice{Tone: ui.Success, Title: v.T("bingo.inspect.right"), Text: v.T("bingo.inspect.right.text")}
}

// bingoRecordFile gives a round as a file, or what proves it.
func (s *Section) bingoRecordFile(v *web.Visit) error {
	r, err := s.record(v)
	if err != nil {
		return err
	}
	number := strconv.FormatInt(int64(r.Round.ID), 10)
	switch v.Path("file") {
	case "proof.jsonl":
		return v.Cut(s.Bingo.ExportRound(v.Context(), r.Round.ID, pages.StreamTo(v, "bingo-"+number+".jsonl")))
	case "round.jsonl":
		return s.bingoLines(v, "bingo-partie-"+number+".jsonl", "boulier-bingo-round/v1", recordLines([]app.BingoRecord{r}))
	}
	sheet, err := s.recordSheet(v, r)
	if err != nil {
		return err
	}
	done, err := sheetFile(v, sheet, "round", "bingo-partie-"+number)
	if !done && err == nil {
		return web.NotFound
	}
	return err
}

// recordLines are the lines of rounds: each round, then its purchases and refunds in order.
func recordLines(list []app.BingoRecord) (lines []any) {
	for _, r := range list {
		lines = append(lines, struct {
			Round bingo.Round
			Sale  bingo.Sale
		}{r.Round, r.Sale})
		for _, e := range r.Sold {
			lines = append(lines, struct {
				Round bingo.RoundID
				At    time.Time
				Sold  bingo.CardsSold
			}{r.Round.ID, e.At, e.CardsSold})
		}
		for _, e := range r.Gone {
			lines = append(lines, struct {
				Round    bingo.RoundID
				Refunded bingo.CardsRefunded
			}{r.Round.ID, e})
		}
		for _, m := range r.Moves {
			lines = append(lines, struct {
				Round    bingo.RoundID
				At       time.Time
				Kind     string
				From, To string
				Amount   money.Cents
			}{r.Round.ID, m.At, m.Kind, string(m.From), string(m.To), money.Cents(m.Amount.Count)})
		}
	}
	return lines
}

// bingoLines answers with JSON lines, the first with the format and the checkpoint that covers
// all of it.
func (s *Section) bingoLines(v *web.Visit, name, format string, lines []any) error {
	c, err := s.Ground.CheckpointNow(v.Context())
	if err != nil {
		return err
	}
	first := struct {
		Format, Checkpoint, Key string
		Made                    time.Time
	}{format, c.Note, s.Ground.Sealer.VerifierKey(), v.Now()}
	w := pages.StreamTo(v, name)()
	for _, line := range append([]any{first}, lines...) {
		b, err := snake.Encode(line)
		if err == nil {
			_, err = w.Write(append(b, '\n'))
		}
		if err != nil {
			return v.Cut(err)
		}
	}
	return nil
}

// bingoSheetHead begins a paper of the bingo: whose it is, what it is of, made when, and the
// signed checkpoint that covers it (std:26).
func (s *Section) bingoSheetHead(v *web.Visit, title string, lines [][2]string) (print.Sheet, error) {
	settings, err := s.Ground.Settings(v.Context())
	if err != nil {
		return print.Sheet{}, err
	}
	if _, err := s.Ground.CheckpointNow(v.Context()); err != nil {
		return print.Sheet{}, err
	}
	head, _, err := s.Inspection.Head(v.Context())
	if err != nil {
		return print.Sheet{}, err
	}
	operator := cmp.Or(settings.Operator, v.T("brand.name"))
	if settings.Address != "" {
		operator += ", " + settings.Address
	}
	all := append([][2]string{{v.T("statement.operator"), operator}}, lines...)
	all = append(all, [2]string{v.T("statement.made"), v.Words.Moment(v.Now())},
		[2]string{v.T("statement.checkpoint"), v.T("statement.checkpoint.value", "Size", v.Words.Count(head.Size), "Root", head.Root.String())},
		[2]string{v.T("footer.key"), s.Ground.Sealer.Fingerprint()})
	return print.Sheet{Head: print.Head{Title: title, Lines: all}, Made: v.Now(), Nothing: v.T("report.nothing")}, nil
}
