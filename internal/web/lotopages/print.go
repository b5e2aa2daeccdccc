package lotopages

import (
	"slices"
	"strconv"
	"strings"

	"boulier/game/loto"
	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/web"
	"boulier/internal/web/ui"
)

// mountLotoPrint adds what is printed for a day.
func (s *Section) mountLotoPrint() {
	manage := s.May(app.ManageGames)
	for pattern, page := range map[string]web.Page{
		"GET /manage/loto/{day}/prints":            s.showPrints,
		"GET /manage/loto/{day}/signs.pdf":         s.signsPDF,
		"GET /manage/loto/{day}/book.pdf":          s.bookPDF,
		"GET /manage/loto/{day}/callsheet.pdf":     s.callSheetPDF,
		"GET /manage/loto/{day}/reservations.pdf":  s.reservationsPDF,
		"GET /manage/loto/{day}/reservations.xlsx": s.reservationsXLSX,
	} {
		s.Shell.Handle(pattern, page, manage)
	}
}

func (s *Section) showPrints(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	return v.Show(ui.View{Title: v.T("loto.prints"), Accent: ui.Loto}, printsBody(d))
}

// pdf sends a document of the day.
func (d lotoVisit) pdf(name string, body []byte, err error) error {
	if err != nil {
		return err
	}
	return d.File(name+"-"+d.ID.String()+".pdf", "application/pdf", body)
}

// signsPDF is a sign for each desk: whom it is for, what it sells at which price (loto:6,
// loto:car.2).
func (s *Section) signsPDF(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	p := d.Session.Plan
	var signs []print.Sign
	for _, desk := range p.Desks {
		sign := print.Sign{Kicker: p.Title, Title: v.T("desk.number", "Number", strconv.Itoa(desk.Number))}
		var lines []string
		if whom := deskSign(v.Context(), desk); whom != "" {
			lines = append(lines, whom)
		}
		for _, t := range p.Tariffs {
			if (t.Unit == loto.SpecialCard) == desk.Special {
				lines = append(lines, v.T("loto.sign.price", "Unit", v.T("loto.unit."+string(t.Unit)), "Price", v.Words.Amount(t.Price)))
			}
		}
		if desk.Special {
			sign.Title = v.T("loto.sign.special")
		}
		if desk.Mobility {
			sign.Title = v.T("loto.sign.mobility")
		}
		sign.Text = strings.Join(lines, "\n")
		signs = append(signs, sign)
	}
	body, err := print.Signs(p.Title, v.Now(), signs)
	return d.pdf("affiches", body, err)
}

// callBook is the caller's book without its pages.
func (d lotoVisit) callBook() print.CallBook {
	return print.CallBook{Title: d.Session.Plan.Title, Lead: dayWhen(d.Words, d.Session.Plan), Made: d.Now(), RulesTitle: d.T("loto.recall.text"),
		Labels: print.CallLabels{Stage: d.T("loto.sheet.stage.label"), Prize: d.T("loto.prize"), Series: d.T("loto.series"),
			Consolation: d.T("loto.consolation"), Winner: d.T("loto.winners"), Board: d.T("loto.board"), Order: d.T("loto.book.order"),
			Remarks: d.T("loto.book.remarks"), Signature: d.T("loto.book.signature")}}
}

// bookPDF is the caller's book: the rules to recall, then a page a round.
func (s *Section) bookPDF(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	b := d.callBook()
	for _, key := range lotoRules {
		b.Rules = append(b.Rules, v.T("loto.rule."+key))
	}
	for i, r := range d.Session.Plan.Rounds {
		page := print.CallPage{Title: roundTitle(v.Context(), i+1, r), Note: v.T("loto.book.drawn")}
		if r.Cage {
			page.Note = v.T("loto.book.cage")
		}
		for _, p := range r.Prizes {
			page.Prizes = append(page.Prizes, d.callPrize(p))
		}
		b.Pages = append(b.Pages, page)
	}
	body, err := b.Write()
	return d.pdf("carnet", body, err)
}

// callPrize is a prize in the words of the book.
func (d lotoVisit) callPrize(p loto.Prize) print.CallPrize {
	name := p.Name
	if p.Amount > 0 {
		name += " " + d.Words.Amount(p.Amount)
	}
	if p.Note != "" {
		name += " (" + p.Note + ")"
	}
	var series []string
	for _, s := range p.Series {
		series = append(series, string(s))
	}
	return print.CallPrize{Stage: stageName(d.Context(), p.Stage), Prize: name, Series: strings.Join(series, " "), Consolation: p.Consolation}
}

// callSheetPDF is a blank page of the book, for the day the computer fails.
func (s *Section) callSheetPDF(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	b := d.callBook()
	page := print.CallPage{Title: v.T("loto.book.blank"), Note: v.T("loto.book.cage")}
	for stage := loto.StageQuine; stage.Valid(); stage++ {
		page.Prizes = append(page.Prizes, print.CallPrize{Stage: stageName(v.Context(), stage)})
	}
	b.Pages = []print.CallPage{page}
	body, err := b.Write()
	return d.pdf("feuille", body, err)
}

// byHolder returns the reservations of a day by the names they were made in.
func (s *Section) byHolder(d lotoVisit) ([]app.LotoReservation, error) {
	list, err := s.Loto.Reservations(d.Context(), d.ID)
	slices.SortStableFunc(list, func(a, b app.LotoReservation) int {
		return strings.Compare(strings.ToLower(a.Holder), strings.ToLower(b.Holder))
	})
	return list, err
}

// reservationsPDF prints the reservations with their codes, ten to a page.
func (s *Section) reservationsPDF(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	list, err := s.byHolder(d)
	if err != nil {
		return err
	}
	var tickets []print.Ticket
	for _, r := range list {
		tickets = append(tickets, print.Ticket{Title: d.Session.Plan.Title, When: dayWhen(v.Words, d.Session.Plan), Holder: r.Holder,
			Code: r.Code, QR: reservationQR(d, r), Text: v.T("loto.reservation.text")})
	}
	body, err := print.Tickets(d.Session.Plan.Title, v.Now(), tickets)
	return d.pdf("reservations", body, err)
}

// reservationsXLSX lists the reservations for the door without a scanner.
func (s *Section) reservationsXLSX(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	list, err := s.byHolder(d)
	if err != nil {
		return err
	}
	part := print.Part{Title: v.T("loto.reservations"), Columns: []print.Column{{Label: v.T("loto.holder")},
		{Label: v.T("loto.reservation.code")}, {Label: v.T("loto.reservation.crossed")}}}
	for _, r := range list {
		crossed := ""
		if r.Sale != 0 {
			crossed = v.T("loto.reservation.used", "Moment", v.Words.Moment(r.At), "Desk", r.Desk)
		}
		part.Rows = append(part.Rows, []string{r.Holder, r.Code, crossed})
	}
	body, err := print.SheetXLSX(print.Sheet{Made: v.Now(), Nothing: v.T("loto.reservations.empty"),
		Head: print.Head{Title: d.Session.Plan.Title}, Parts: []print.Part{part}})
	if err != nil {
		return err
	}
	return v.File("reservations-"+d.ID.String()+".xlsx", xlsxKind, body)
}

// reservationQR is what the code of a reservation says.
func reservationQR(d lotoVisit, r app.LotoReservation) string {
	return "boulier:" + lotoPath(d.ID) + "/r/" + r.Code
}
