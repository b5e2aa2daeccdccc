package lotopages

import (
	"strconv"

	"boulier/game/loto"
	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/web"
	"boulier/internal/web/ui"
	"boulier/journal"
)

// lotoSheet is the report of a day: takings by desk and means, cards by series, prizes and
// winners, decisions.
func (s *Section) lotoSheet(d lotoVisit) (print.Sheet, error) {
	stocks, err := s.Loto.Stocks(d.Context(), d.LotoDay)
	if err != nil {
		return print.Sheet{}, err
	}
	settings, err := s.Ground.Settings(d.Context())
	if err != nil {
		return print.Sheet{}, err
	}
	sheet := print.Sheet{Made: d.Now(), Nothing: d.T("loto.report.nothing"), Head: print.Head{Title: d.Session.Plan.Title,
		Lines: [][2]string{{d.T("loto.report.operator"), settings.Operator},
			{d.T("loto.report.day"), d.Words.Day(d.Session.Plan.Start)},
			{d.T("loto.report.made"), d.Words.Moment(d.Now())},
			{d.T("footer.key"), s.Ground.Sealer.Fingerprint()}}}}
	sheet.Parts = []print.Part{takings(d, stocks), seriesPart(d, stocks), deskCards(d, stocks), winnerRows(d), vouchers(d)}
	decisions, err := s.decisionRows(d)
	sheet.Parts = append(sheet.Parts, decisions, numbersPart(d))
	return sheet, err
}

// winnerRows lists who won what and how ties were settled.
func winnerRows(d lotoVisit) print.Part {
	part := print.Part{Title: d.T("loto.report.prizes"), Columns: []print.Column{{Label: d.T("loto.round")},
		{Label: d.T("loto.prize")}, {Label: d.T("loto.report.winner")}, {Label: d.T("loto.report.gets")},
		{Label: d.T("loto.report.how")}, {Label: d.T("loto.report.token"), Numeric: true}}}
	for _, r := range d.Session.Results {
		for _, w := range r.Won {
			prize := d.Session.Plan.Rounds[r.Round-1].Prizes[w.Prize]
			for _, a := range w.Awards {
				gets, token := prize.Name, ""
				if a.Amount > 0 {
					gets += " " + d.Words.Amount(a.Amount)
				}
				if a.Consolation {
					gets = d.T("loto.consolation") + ": " + prize.Consolation
				}
				if a.Token != 0 {
					token = strconv.Itoa(int(a.Token))
				}
				part.Rows = append(part.Rows, []string{strconv.Itoa(r.Round), d.T("loto.stage." + strconv.Itoa(int(prize.Stage))),
					a.Serial.String(), gets, d.T("loto.how." + string(w.How)), token})
			}
		}
	}
	return part
}

// decisionRows lists corrections, disputes, exclusions and postponements with their reasons.
func (s *Section) decisionRows(d lotoVisit) (print.Part, error) {
	part := print.Part{Title: d.T("loto.report.decisions"), Columns: []print.Column{{Label: d.T("loto.report.when")},
		{Label: d.T("loto.report.what")}, {Label: d.T("loto.reason")}}}
	for after := uint64(0); ; {
		entries, err := s.Ground.Store.Stream(d.Context(), app.LotoPrefix+d.ID.String(), after, 500)
		if err != nil || len(entries) == 0 {
			return part, err
		}
		for _, e := range entries {
			after++
			leaf, err := journal.ParseLeaf(e.Leaf)
			if err != nil {
				return part, err
			}
			event, _, err := app.ReadLotoEvent(string(leaf.Kind), e.Payload)
			if err != nil {
				return part, err
			}
			if e, ok := event.(loto.ExclusionExplained); ok { // of the line before
				part.Rows[len(part.Rows)-1][2] = e.Reason
				continue
			}
			if what, why, ok := decisionOf(d, event); ok {
				part.Rows = append(part.Rows, []string{d.Words.Moment(leaf.At), what, why})
			}
		}
	}
}

// decisionOf says what was decided, and why.
func decisionOf(d lotoVisit, e loto.Event) (what, why string, ok bool) {
	switch e := e.(type) {
	case loto.CallCorrected:
		return d.T("loto.event.corrected", "Was", int(e.Was), "Now", int(e.Ball)), e.Reason, true
	case loto.CallRepeated:
		return d.T("loto.event.repeated", "Number", int(e.Ball)), e.Reason, true
	case loto.DisputeDecided:
		return e.Question, e.Decision, true
	case loto.PersonExcluded:
		return d.T("loto.event.excluded", "Amount", d.Words.Amount(e.Refund)), "", true
	case loto.DayPostponed:
		return d.T("loto.event.postponed", "Day", d.Words.Day(e.Start)), e.Reason, true
	case loto.RoundClosed:
		return d.T("loto.event.given_up"), e.Reason, e.Reason != ""
	}
	return "", "", false
}

func (s *Section) showLotoReport(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	sheet, err := s.lotoSheet(d)
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("loto.report"), Accent: ui.Loto}, lotoReportBody(d, sheet))
}

func (s *Section) lotoReportPDF(v *web.Visit) error {
	return s.lotoFile(v, "pdf", "application/pdf", print.SheetPDF)
}

func (s *Section) lotoReportCSV(v *web.Visit) error {
	return s.lotoFile(v, "csv", "text/csv; charset=utf-8", print.SheetCSV)
}

func (s *Section) lotoReportXLSX(v *web.Visit) error {
	return s.lotoFile(v, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", print.SheetXLSX)
}

func (s *Section) lotoFile(v *web.Visit, ext, kind string, write func(print.Sheet) ([]byte, error)) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	sheet, err := s.lotoSheet(d)
	if err != nil {
		return err
	}
	body, err := write(sheet)
	if err != nil {
		return err
	}
	return v.File("loto-"+d.ID.String()+"."+ext, kind, body)
}

// lotoRulesPDF is the rules of the day, for whoever wants to keep them (loto:25).
func (s *Section) lotoRulesPDF(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	sheet := print.Sheet{Made: d.Now(), Nothing: "—", Head: print.Head{Title: d.Session.Plan.Title,
		Lines: [][2]string{{d.T("loto.report.day"), dayWhen(d.Words, d.Session.Plan)}}}}
	rules := print.Part{Title: d.T("loto.rules"), Columns: []print.Column{{Label: d.T("loto.rules.what")}}}
	for _, key := range lotoRules {
		rules.Rows = append(rules.Rows, []string{d.T("loto.rule." + key)})
	}
	tariff := print.Part{Title: d.T("loto.tariff"), Columns: []print.Column{{Label: d.T("loto.report.unit")}, {Label: d.T("loto.price"), Numeric: true}}}
	for _, t := range d.Session.Plan.Tariffs {
		tariff.Rows = append(tariff.Rows, []string{d.T("loto.unit." + string(t.Unit)), d.Words.Amount(t.Price)})
	}
	prizes := print.Part{Title: d.T("loto.programme"), Columns: []print.Column{{Label: d.T("loto.round")},
		{Label: d.T("loto.prize")}, {Label: d.T("loto.consolation")}, {Label: d.T("loto.rules.note")}}}
	for i, r := range d.Session.Plan.Rounds {
		for _, p := range r.Prizes {
			name := p.Name
			if p.Amount > 0 {
				name += " " + d.Words.Amount(p.Amount)
			}
			prizes.Rows = append(prizes.Rows, []string{strconv.Itoa(i+1) + " · " + stageName(d.Context(), p.Stage), name, p.Consolation, p.Note})
		}
	}
	sheet.Parts = []print.Part{rules, tariff, prizes}
	body, err := print.SheetPDF(sheet)
	if err != nil {
		return err
	}
	return v.File("reglement-loto-"+d.ID.String()+".pdf", "application/pdf", body)
}
