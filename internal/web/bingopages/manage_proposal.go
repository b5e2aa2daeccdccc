package bingopages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/pages"
	"boulier/internal/web/ui"
	"boulier/money"
)

// How many prices, further prizes and pots the form of a proposal asks for.
const (
	trackFields = 3
	extraPrizes = 3
	potFields   = 2
)

// A proposalsPage is the proposals of the house.
type proposalsPage struct {
	tabs    []ui.Link
	list    []app.BingoProposal
	notices []app.BingoNotice
	now     time.Time
}

func (s *Section) showProposals(v *web.Visit) error {
	p := proposalsPage{tabs: bingoTabs(v), now: v.Now()}
	var err error
	if p.list, err = s.Bingo.Proposals(v.Context()); err != nil {
		return err
	}
	if p.notices, err = s.Bingo.Changes(v.Context()); err != nil {
		return err
	}
	slices.Reverse(p.notices)
	return v.Show(houseView(v.T("bingo.manage.proposals")), proposalsBody(p))
}

func (p proposalsPage) rows(ctx context.Context) (rows [][]templ.Component) {
	for _, x := range p.list {
		v := x.At(p.now)
		mark := ui.Mark(ui.Success, ui.T(ctx, "bingo.manage.inforce"))
		switch {
		case x.Withdrawn:
			mark = ui.Mark(ui.Info, ui.T(ctx, "bingo.manage.withdrawn"))
		case x.Newest().Applies.After(p.now):
			mark = waitsMark(x.Newest())
		}
		if v.Applies.IsZero() {
			v = x.Newest()
		}
		rows = append(rows, []templ.Component{proposalLink(x), ui.Text(pricesText(ctx, v.Proposal)), ui.Text(prizesText(ctx, v.Proposal)), mark})
	}
	return rows
}

// A proposalPage is one proposal with the form that makes a version of it.
type proposalPage struct {
	*web.Visit
	tabs []ui.Link
	id   int64 // 0 for a new one
	app.BingoProposal
	series []app.SeriesState
}

func (s *Section) showNewProposal(v *web.Visit) error {
	return s.proposalAgain(v, http.StatusOK, nil)
}

func (s *Section) showProposal(v *web.Visit) error { return s.proposalAgain(v, http.StatusOK, nil) }

// proposalPage reads the proposal that the address names, none for a new one.
func (s *Section) proposalPage(v *web.Visit) (p proposalPage, err error) {
	p = proposalPage{Visit: v, tabs: bingoTabs(v)}
	if p.series, err = s.Cards.AllSeries(v.Context()); err != nil || v.Path("proposal") == "" {
		return p, err
	}
	if p.id, err = strconv.ParseInt(v.Path("proposal"), 10, 64); err != nil {
		return p, web.NotFound
	}
	p.BingoProposal, err = s.Bingo.Proposal(v.Context(), p.id)
	if errors.Is(err, app.ErrNotFound) {
		return p, web.NotFound
	}
	return p, err
}

func (s *Section) proposalAgain(v *web.Visit, status int, form *web.Form, notices ...ui.Notice) error {
	p, err := s.proposalPage(v)
	if err != nil {
		return err
	}
	title := v.T("bingo.manage.proposal.new")
	if p.id != 0 {
		title = p.Newest().Proposal.Title
	}
	if form == nil {
		form = v.Filled(p.answers())
	}
	return v.ShowStatus(status, houseView(title), proposalBody(p, title, form), notices...)
}

// answers fills the form with the newest version, or with a usual round.
func (p proposalPage) answers() url.Values {
	if p.id != 0 {
		a := proposalAnswers(p.Words, p.Newest().Proposal)
		a.Set("authorization", p.Newest().Authorization)
		return a
	}
	return proposalAnswers(p.Words, p.usual())
}

// usual is a round as most are: one price, a line, a bingo, cards of the first series that
// is registered with lines.
func (p proposalPage) usual() bingo.Proposal {
	q := bingo.Proposal{MaxPrice: 2_00, MostCards: 24, SaleTime: 2 * time.Minute, Rhythm: 4 * time.Second,
		Prizes: []bingo.Prize{bingo.LinePrize, bingo.BingoPrize}}
	for _, s := range p.series {
		if s.Registered && s.Lined {
			q.Tracks = []bingo.Track{{Price: 1_00, Series: []ninety.Series{s.Name}, Size: s.Last}}
			break
		}
	}
	return q
}

// proposalAnswers writes a proposal as the answers of its form.
func proposalAnswers(words *locales.Words, p bingo.Proposal) url.Values {
	a := url.Values{"title": {p.Title}, "max": {pages.AmountText(words, p.MaxPrice)}, "most": {strconv.Itoa(p.MostCards)},
		"sale": {strconv.Itoa(int(p.SaleTime / time.Second))}, "rhythm": {hundredths(words, int64(p.Rhythm/rhythmUnit))}}
	for i, t := range p.Tracks {
		var names []string
		for _, s := range t.Series {
			names = append(names, string(s))
		}
		a.Set(numbered("price", i), pages.AmountText(words, t.Price))
		a.Set(numbered("series", i), strings.Join(names, " "))
		a.Set(numbered("size", i), strconv.Itoa(t.Size))
	}
	n := 2
	for _, z := range p.Prizes {
		i := n
		switch z.Pattern {
		case ninety.Line:
			i = 0
		case ninety.FullCard:
			i = 1
		default:
			n++
			a.Set(numbered("name", i), z.Name)
			a.Set(numbered("goal", i), goalText(z.Pattern))
			for bit := range 15 {
				if z.Pattern.Valid() && z.Pattern < ninety.Line && z.Pattern>>bit&1 == 1 {
					a.Set(cellField(i, bit), "yes")
				}
			}
		}
		a.Set(numbered("rate", i), rateText(words, z.Rate))
		a.Set(numbered("amount", i), pages.AmountText(words, z.Amount))
	}
	for i, r := range p.Pots {
		a.Set(numbered("pot", i), r.Name)
		a.Set(numbered("potgoal", i), goalText(r.Pattern))
		a.Set(numbered("within", i), strconv.Itoa(r.Within))
		a.Set(numbered("feed", i), rateText(words, r.Rate))
		a.Set(numbered("keep", i), rateText(words, r.Keep))
		a.Set(numbered("cap", i), pages.AmountText(words, r.Cap))
		a.Set(numbered("refill", i), rateText(words, r.Refill))
	}
	return a
}

func numbered(name string, i int) string { return name + "-" + strconv.Itoa(i) }

// asked reports whether any of these questions has an answer, or a wrong one.
func asked(form *web.Form, names ...string) bool {
	for _, name := range names {
		if form.Raw(name) != "" || form.Field(ui.Field{Name: name}).Error != "" {
			return true
		}
	}
	return false
}

func cellField(i, bit int) string { return numbered("cell-"+strconv.Itoa(i), bit) }

// The answers that name a pattern.
const (
	goalLine     = "line"
	goalTwoLines = "lines"
	goalFull     = "bingo"
	goalDrawn    = "drawn"
)

func goalText(g ninety.Goal) string {
	switch g {
	case ninety.Line:
		return goalLine
	case ninety.TwoLines:
		return goalTwoLines
	case ninety.FullCard:
		return goalFull
	}
	return goalDrawn
}

// rateText writes a rate in percent.
func rateText(words *locales.Words, r bingo.Rate) string {
	if r == 0 {
		return ""
	}
	return hundredths(words, int64(r))
}

// hundredths writes a number of hundredths with no more decimals than it has.
func hundredths(words *locales.Words, n int64) string {
	return strings.TrimRight(strings.TrimRight(pages.Decimal(words, money.Cents(n)), "0"), ".,")
}

// The rhythm of the balls is asked for in seconds with up to two decimals.
const (
	rhythmUnit    = time.Second / 100
	rhythmFastest = 500 * time.Millisecond
	rhythmSlowest = 2 * time.Minute
)

// rhythmOf reads the time between two balls.
func rhythmOf(v *web.Visit, form *web.Form) time.Duration {
	c, err := money.Parse(strings.TrimSpace(form.Raw("rhythm")))
	d := time.Duration(c) * rhythmUnit
	if err != nil || d < rhythmFastest || d > rhythmSlowest {
		form.Wrong("rhythm", v.T("bingo.manage.rhythm.wrong"))
		return rhythmFastest
	}
	return d
}

// rateOf reads a rate in percent, with up to two decimals; 0 where nothing is answered.
func rateOf(v *web.Visit, form *web.Form, name string) bingo.Rate {
	text := strings.TrimSpace(form.Raw(name))
	if text == "" {
		return 0
	}
	c, err := money.Parse(text)
	if err != nil || c < 0 || c > money.Cents(bingo.Whole) {
		form.Wrong(name, v.T("bingo.manage.rate.wrong"))
		return 0
	}
	return bingo.Rate(c)
}

// amountOrZero is Amount for an answer that may be empty.
func amountOrZero(form *web.Form, name string) money.Cents {
	if strings.TrimSpace(form.Raw(name)) == "" {
		return 0
	}
	return form.Amount(name)
}

// proposalOf reads a proposal from its form.
func (s *Section) proposalOf(v *web.Visit, form *web.Form) (p bingo.Proposal) {
	p.Title, p.MaxPrice = form.Text("title", 60), form.Amount("max")
	p.MostCards = int(form.Count("most", 1, bingo.MaxPurchase))
	p.SaleTime = time.Duration(form.Count("sale", 10, 3600)) * time.Second
	p.Rhythm = rhythmOf(v, form)
	for i := range trackFields {
		if i > 0 && strings.TrimSpace(form.Raw(numbered("price", i))) == "" {
			continue
		}
		t := bingo.Track{Price: form.Amount(numbered("price", i)), Size: int(form.Count(numbered("size", i), 1, 10_000_000))}
		for _, name := range strings.Fields(strings.ToUpper(form.Text(numbered("series", i), 80))) {
			t.Series = append(t.Series, ninety.Series(name))
		}
		p.Tracks = append(p.Tracks, t)
	}
	prize := func(row int, name string, g ninety.Goal) {
		z := bingo.Prize{Name: name, Pattern: g, Rate: rateOf(v, form, numbered("rate", row)),
			Amount: amountOrZero(form, numbered("amount", row))}
		if (z.Rate == 0) == (z.Amount == 0) {
			form.Wrong(numbered("rate", row), v.T("bingo.manage.prize.one"))
		}
		p.Prizes = append(p.Prizes, z)
	}
	prize(0, bingo.LinePrize.Name, ninety.Line)
	for row := 2; row < 2+extraPrizes; row++ {
		if form.Raw(numbered("goal", row)) != "" {
			prize(row, form.Text(numbered("name", row), 40), goalOf(v, form, numbered("goal", row), row))
		}
	}
	prize(1, bingo.BingoPrize.Name, ninety.FullCard)
	p.Pots = potsOf(v, form)
	return p
}

func potsOf(v *web.Visit, form *web.Form) (list []bingo.PotRule) {
	for i := range potFields {
		if strings.TrimSpace(form.Raw(numbered("pot", i))) == "" {
			continue
		}
		list = append(list, bingo.PotRule{Name: form.Text(numbered("pot", i), 40), Pattern: goalOf(v, form, numbered("potgoal", i), -1),
			Within: int(form.Count(numbered("within", i), 1, 90)), Rate: rateOf(v, form, numbered("feed", i)),
			Keep: rateOf(v, form, numbered("keep", i)), Cap: form.Amount(numbered("cap", i)), Refill: rateOf(v, form, numbered("refill", i))})
	}
	return list
}

// goalOf reads a pattern: a usual one, or the cells that are ticked in row i.
func goalOf(v *web.Visit, form *web.Form, name string, i int) (g ninety.Goal) {
	switch form.Raw(name) {
	case goalLine:
		return ninety.Line
	case goalTwoLines:
		return ninety.TwoLines
	case goalFull:
		return ninety.FullCard
	}
	for bit := range 15 {
		if i >= 0 && form.Raw(cellField(i, bit)) == "yes" {
			g |= 1 << bit
		}
	}
	if g == 0 {
		form.Wrong(name, v.T("bingo.manage.goal.empty"))
	}
	return g
}

// saveProposal keeps a new proposal, or a new version of one.
func (s *Section) saveProposal(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	page, err := s.proposalPage(v)
	if err != nil {
		return err
	}
	p, authorization := s.proposalOf(v, form), form.Text("authorization", 80)
	for _, f := range p.Faults() {
		if name := faultField(f); name != "" {
			form.Wrong(name, v.T("violation."+f.Code))
		}
	}
	if !form.OK() {
		return s.proposalAgain(v, http.StatusUnprocessableEntity, form, form.Notice())
	}
	id, err := s.Bingo.SaveProposal(v.Context(), as(v, form), page.id, p, authorization)
	if notice, refused := v.Refused(err); refused {
		return s.proposalAgain(v, http.StatusUnprocessableEntity, form, notice)
	}
	if err != nil {
		return err
	}
	saved, err := s.Bingo.Proposal(v.Context(), id)
	if err != nil {
		return err
	}
	if at := saved.Newest(); at.Change {
		return v.Redirect("/manage/bingo/proposals", web.Done("bingo_announced", "Moment", v.Words.Moment(at.Applies)))
	}
	return v.Redirect("/manage/bingo/proposals", web.Done("bingo_proposal"))
}

// faultField is the question that a fault of a proposal is shown beside.
func faultField(f error) string {
	for name, of := range map[string]error{"price-0": bingo.ErrProposalPrice, "series-0": bingo.ErrProposalSeries,
		"sale": bingo.ErrProposalTimes, "most": bingo.ErrProposalCards, "goal-2": bingo.ErrProposalPrizes,
		"rate-1": bingo.ErrProposalRates, "within-0": bingo.ErrProposalPot} {
		if errors.Is(f, of) {
			return name
		}
	}
	return ""
}

func (s *Section) withdrawProposal(v *web.Visit) error {
	form, err := v.Form()
	if err != nil {
		return err
	}
	page, err := s.proposalPage(v)
	if err != nil {
		return err
	}
	err = s.Bingo.WithdrawProposal(v.Context(), as(v, form), page.id)
	if notice, refused := v.Refused(err); refused {
		return s.proposalAgain(v, http.StatusUnprocessableEntity, nil, notice)
	}
	if err != nil {
		return err
	}
	return v.Redirect("/manage/bingo/proposals", web.Done("bingo_withdrawn"))
}

// pricesText writes the prices of a proposal.
func pricesText(ctx context.Context, p bingo.Proposal) string {
	var out []string
	for _, t := range p.Tracks {
		out = append(out, amountWords(ctx, t.Price))
	}
	return strings.Join(out, " · ")
}

// prizesText writes what a proposal gives.
func prizesText(ctx context.Context, p bingo.Proposal) string {
	var out []string
	for _, z := range p.Prizes {
		out = append(out, prizeName(ctx, z)+" "+worthText(ctx, z))
	}
	for _, r := range p.Pots {
		out = append(out, ui.T(ctx, "bingo.pot", "Name", r.Name))
	}
	return strings.Join(out, " · ")
}

// worthText writes what a prize is worth: a part of the sales, or an amount.
func worthText(ctx context.Context, z bingo.Prize) string {
	if z.Amount > 0 {
		return amountWords(ctx, z.Amount)
	}
	return percentOf(ctx, z.Rate)
}

// noticePDF writes a change of prizes up for the regulator (bingo:93.11).
func (s *Section) noticePDF(v *web.Visit) error {
	id, err1 := strconv.ParseInt(v.Path("proposal"), 10, 64)
	version, err2 := strconv.Atoi(v.Path("version"))
	all, err := s.Bingo.Changes(v.Context())
	if err != nil {
		return err
	}
	for _, n := range all {
		if err1 != nil || err2 != nil || n.ID != id || n.Version != version {
			continue
		}
		sheet, err := s.noticeSheet(v, n)
		if err != nil {
			return err
		}
		body, err := print.SheetPDF(sheet)
		if err != nil {
			return err
		}
		return v.File("bingo-modification-"+v.Path("proposal")+"-"+v.Path("version")+".pdf", "application/pdf", body)
	}
	return web.NotFound
}

// noticeSheet is the notification: what could be won, what can be, and from when.
func (s *Section) noticeSheet(v *web.Visit, n app.BingoNotice) (print.Sheet, error) {
	sheet, err := s.bingoSheetHead(v, v.T("bingo.notice.title"), [][2]string{
		{v.T("bingo.manage.proposal"), n.Proposal.Title},
		{v.T("bingo.manage.authorization"), n.Authorization},
		{v.T("bingo.notice.notified"), v.Words.Moment(n.Notified)},
		{v.T("bingo.notice.applies"), v.Words.Moment(n.Applies)}})
	if err != nil {
		return sheet, err
	}
	if len(n.Before.Prizes) > 0 {
		sheet.Parts = append(sheet.Parts, wonPart(v, v.T("bingo.notice.before"), n.Before))
	}
	sheet.Parts = append(sheet.Parts, wonPart(v, v.T("bingo.notice.after"), n.Proposal))
	return sheet, nil
}

// wonPart is the table of what a proposal gives.
func wonPart(v *web.Visit, title string, p bingo.Proposal) print.Part {
	ctx := v.Context()
	part := print.Part{Title: title, Columns: []print.Column{{Label: v.T("bingo.manage.goal")},
		{Label: v.T("bingo.manage.name")}, {Label: v.T("bingo.manage.worth"), Numeric: true}}}
	for _, z := range p.Prizes {
		part.Rows = append(part.Rows, []string{goalWords(ctx, z.Pattern), prizeName(ctx, z), worthText(ctx, z)})
	}
	for _, r := range p.Pots {
		part.Rows = append(part.Rows, []string{v.T("bingo.manage.pot.goal", "Goal", goalWords(ctx, r.Pattern), "Balls", r.Within),
			v.T("bingo.pot", "Name", r.Name), v.T("bingo.manage.pot.worth", "Rate", percentOf(ctx, r.Rate), "Cap", amountWords(ctx, r.Cap))})
	}
	return part
}

// goalWords writes a pattern: a usual one by its name, a drawn one by its places.
func goalWords(ctx context.Context, g ninety.Goal) string {
	if name := patternName(ctx, g, ""); name != "" {
		return name
	}
	var lines []string
	for line := range 3 {
		var places []string
		for k := range 5 {
			if g>>(5*line+k)&1 == 1 {
				places = append(places, strconv.Itoa(k+1))
			}
		}
		if len(places) > 0 {
			lines = append(lines, ui.T(ctx, "bingo.manage.goal.line", "Line", line+1, "Places", strings.Join(places, ", ")))
		}
	}
	return strings.Join(lines, " ; ")
}
