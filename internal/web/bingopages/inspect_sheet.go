package bingopages

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/print"
	"boulier/internal/web"
	"boulier/money"
)

// reported is the prize from which a round is reported to the regulator by itself.
const reported money.Cents = 15_000_00

// recordSheet is a round whole: prizes to the cent, balls, money, cards in order of sale.
func (s *Section) recordSheet(v *web.Visit, r app.BingoRecord) (print.Sheet, error) {
	title := v.T("bingo.inspect.round.title", "Number", r.Round.Number, "ID", int64(r.Round.ID))
	later := func(text string) string {
		if text == "" {
			return v.T("bingo.proof.later")
		}
		return text
	}
	lines := [][2]string{{v.T("bingo.manage.proposal"), r.Round.Proposal.Title}, {v.T("bingo.phase"), v.T("bingo.phase." + string(r.Round.Phase))}}
	if !r.Round.Sale.Opens.IsZero() {
		lines = append(lines, [2]string{v.T("bingo.inspect.sale"), v.T("bingo.inspect.sale.value",
			"From", v.Words.Moment(r.Round.Sale.Opens), "To", v.Words.Clock(r.Round.Sale.Closes))})
	}
	lines = append(lines, [2]string{v.T("bingo.inspect.last"), yesNo(v, r.Round.Last)},
		[2]string{v.T("bingo.proof.commitment"), later(r.Round.Commitment)}, [2]string{v.T("bingo.proof.digest"), later(r.Round.Digest)},
		[2]string{v.T("bingo.proof.secret"), later(r.Round.Secret)})
	sheet, err := s.bingoSheetHead(v, title, lines)
	if err != nil {
		return sheet, err
	}
	terminals, err := s.Bingo.Terminals(v.Context())
	if err != nil {
		return sheet, err
	}
	sheet.Parts = []print.Part{winsPartOf(v, r), ballsPart(v, r), moneyPart(v, []app.BingoRecord{r}),
		s.soldPart(v, r, terminals), gonePart(v, r), s.incidentsPart(v, r, terminals)}
	return sheet, nil
}

func yesNo(v *web.Visit, yes bool) string {
	if yes {
		return v.T("bingo.inspect.yes")
	}
	return v.T("bingo.inspect.no")
}

// winsPartOf lists who won what, each share to the cent (bingo:93.13).
func winsPartOf(v *web.Visit, r app.BingoRecord) print.Part {
	part := print.Part{Title: v.T("bingo.inspect.wins"), Columns: []print.Column{{Label: v.T("bingo.inspect.prize")},
		{Label: v.T("bingo.inspect.ball"), Numeric: true}, {Label: v.T("bingo.card")}, {Label: v.T("bingo.inspect.account"), Numeric: true},
		{Label: v.T("bingo.price"), Numeric: true}, {Label: v.T("bingo.share"), Numeric: true}, {Label: v.T("bingo.inspect.whole"), Numeric: true}}}
	for _, w := range r.Round.Wins {
		for i, x := range w.Winners {
			whole := ""
			if i == 0 {
				whole = v.Words.Amount(w.Amount)
			}
			part.Rows = append(part.Rows, []string{winName(v.Context(), r.Round.Proposal, w), strconv.Itoa(w.Ball), x.Serial.String(),
				x.Player.String(), v.Words.Amount(x.Price), v.Words.Amount(x.Share), whole})
		}
	}
	return part
}

// ballsPart lists the balls as they came, ten a line.
func ballsPart(v *web.Visit, r app.BingoRecord) print.Part {
	part := print.Part{Title: v.T("bingo.sequence"), Columns: []print.Column{{Label: v.T("bingo.inspect.rank")}, {Label: v.T("bingo.result.balls")},
		{Label: v.T("bingo.inspect.time")}}}
	var at []time.Time
	for _, f := range r.Facts {
		if _, ok := f.Event.(bingo.BallDrawn); ok {
			at = append(at, f.At)
		}
	}
	for from := 0; from < len(r.Round.Balls); from += 10 {
		to := min(from+10, len(r.Round.Balls))
		var balls []string
		for _, b := range r.Round.Balls[from:to] {
			balls = append(balls, strconv.Itoa(int(b)))
		}
		when := ""
		if to <= len(at) {
			when = v.Words.Clock(at[from]) + "–" + v.Words.Clock(at[to-1])
		}
		part.Rows = append(part.Rows, []string{fmt.Sprintf("%d–%d", from+1, to), strings.Join(balls, " "), when})
	}
	return part
}

// moneyPart is what rounds took and paid, from the ledger.
func moneyPart(v *web.Visit, list []app.BingoRecord) print.Part {
	part := print.Part{Title: v.T("bingo.inspect.money"), Columns: []print.Column{{Label: v.T("day.line")}, {Label: v.T("statement.amount"), Numeric: true}}}
	var stakes, back, borne, prizes, house money.Cents
	for _, r := range list {
		stakes += r.Flow("bingo_stake")
		back -= r.Flow("bingo_refund")
		borne += r.Sale.House
		prizes += r.Prizes()
		house -= r.Flow("bingo_settle")
	}
	for _, line := range []struct {
		key    string
		amount money.Cents
	}{{"bingo.inspect.stakes", stakes}, {"bingo.inspect.back", back}, {"bingo.inspect.paid", prizes},
		{"bingo.inspect.house", house}, {"bingo.inspect.borne", borne}} {
		part.Rows = append(part.Rows, []string{v.T(line.key), v.Words.Amount(line.amount)})
	}
	return part
}

// soldPart lists the cards in the order of sale, at times to the millisecond.
func (s *Section) soldPart(v *web.Visit, r app.BingoRecord, terminals []app.BingoTerminal) print.Part {
	part := print.Part{Title: v.T("bingo.inspect.sold"), Columns: []print.Column{{Label: v.T("bingo.inspect.rank"), Numeric: true},
		{Label: v.T("bingo.inspect.time")}, {Label: v.T("bingo.inspect.account"), Numeric: true}, {Label: v.T("bingo.manage.terminal")},
		{Label: v.T("bingo.inspect.cards")}, {Label: v.T("bingo.inspect.count"), Numeric: true}, {Label: v.T("bingo.price"), Numeric: true}}}
	for _, e := range r.Sold {
		part.Rows = append(part.Rows, []string{strconv.Itoa(e.Rank), e.At.In(s.Ground.Zone).Format("15:04:05.000"), e.Player.String(), terminalName(terminals, e.Terminal),
			runsText(e.CardsSold), strconv.Itoa(e.Count), v.Words.Amount(e.Price)})
	}
	return part
}

// gonePart lists cards that left the round.
func gonePart(v *web.Visit, r app.BingoRecord) print.Part {
	part := print.Part{Title: v.T("bingo.inspect.gone"), Columns: []print.Column{{Label: v.T("bingo.inspect.rank"), Numeric: true},
		{Label: v.T("bingo.inspect.count"), Numeric: true}, {Label: v.T("bingo.inspect.reason")}, {Label: v.T("bingo.inspect.bearer")},
		{Label: v.T("statement.amount"), Numeric: true}}}
	for _, e := range r.Gone {
		bearer := v.T("bingo.inspect.sales")
		if e.House {
			bearer = v.T("bingo.inspect.house.short")
		}
		part.Rows = append(part.Rows, []string{strconv.Itoa(e.Rank), strconv.Itoa(len(e.Places)), e.Reason, bearer, v.Words.Amount(e.Amount)})
	}
	return part
}

// incidentsPart lists faults and the voiding of a round, with who decided.
func (s *Section) incidentsPart(v *web.Visit, r app.BingoRecord, terminals []app.BingoTerminal) print.Part {
	part := print.Part{Title: v.T("bingo.inspect.incidents"), Columns: []print.Column{{Label: v.T("statement.when")},
		{Label: v.T("bingo.inspect.what")}, {Label: v.T("bingo.inspect.reason")}, {Label: v.T("bingo.inspect.who")}}}
	for _, f := range r.Facts {
		switch e := f.Event.(type) {
		case bingo.FaultRecorded:
			part.Rows = append(part.Rows, []string{v.Words.Moment(f.At), v.T("bingo.inspect.fault", "Terminal", terminalName(terminals, e.Terminal)),
				e.What, e.By.String()})
		case bingo.RoundVoided:
			part.Rows = append(part.Rows, []string{v.Words.Moment(f.At), v.T("bingo.inspect.voided", "Refund", v.Words.Amount(e.Refund),
				"Taken", v.Words.Amount(e.Taken)), e.Reason, e.By.String()})
		}
	}
	return part
}

// minutesSheet is the minutes of a session: its opening, a line a round, its closing.
func (s *Section) minutesSheet(v *web.Visit, d app.BingoDay, rounds []app.BingoRecord) (print.Sheet, error) {
	closed := v.T("bingo.inspect.open")
	if !d.ClosedAt.IsZero() {
		closed = v.Words.Moment(d.ClosedAt)
	}
	sheet, err := s.bingoSheetHead(v, v.T("bingo.inspect.minutes", "Day", v.Words.Day(d.OpenedAt)), [][2]string{
		{v.T("bingo.inspect.opened"), v.Words.Moment(d.OpenedAt)}, {v.T("bingo.inspect.closed"), closed}})
	if err != nil {
		return sheet, err
	}
	lines := print.Part{Title: v.T("bingo.manage.rounds.label"), Columns: []print.Column{{Label: v.T("bingo.result.round"), Numeric: true},
		{Label: v.T("bingo.inspect.time")}, {Label: v.T("bingo.result.cards"), Numeric: true}, {Label: v.T("bingo.sales"), Numeric: true},
		{Label: v.T("bingo.result.balls"), Numeric: true}, {Label: v.T("bingo.result.wins")}, {Label: v.T("bingo.manage.paid"), Numeric: true},
		{Label: v.T("bingo.manage.state")}}}
	for _, r := range rounds {
		state := v.T("bingo.phase." + string(r.Round.Phase))
		if r.Round.Last {
			state += " · " + v.T("bingo.manage.last")
		}
		lines.Rows = append(lines.Rows, []string{strconv.Itoa(r.Round.Number), v.Words.Clock(r.Round.Sale.Opens), strconv.Itoa(r.Round.Cards),
			v.Words.Amount(r.Round.Sales), strconv.Itoa(len(r.Round.Balls)), winsText(v, r), v.Words.Amount(r.Prizes()), state})
	}
	sheet.Parts = []print.Part{lines, moneyPart(v, rounds), s.coursePart(v, d)}
	return sheet, nil
}

// winsText writes what was won in a round, and by which cards.
func winsText(v *web.Visit, r app.BingoRecord) string {
	var out []string
	for _, w := range r.Round.Wins {
		var cards []string
		for _, x := range w.Winners[:min(len(w.Winners), 6)] {
			cards = append(cards, x.Serial.String())
		}
		if more := len(w.Winners) - len(cards); more > 0 {
			cards = append(cards, v.T("bingo.inspect.more", "Count", more))
		}
		out = append(out, winName(v.Context(), r.Round.Proposal, w)+" : "+strings.Join(cards, ", "))
	}
	return strings.Join(out, " ; ")
}

// coursePart is what people decided in the day.
func (s *Section) coursePart(v *web.Visit, d app.BingoDay) print.Part {
	part := print.Part{Title: v.T("bingo.inspect.course"), Columns: []print.Column{{Label: v.T("statement.when")},
		{Label: v.T("bingo.inspect.what")}, {Label: v.T("bingo.inspect.reason")}, {Label: v.T("bingo.inspect.who")}}}
	for _, f := range d.Facts {
		var what, why, who string
		switch e := f.Event.(type) {
		case bingo.SessionOpened:
			what, who = v.T("bingo.inspect.course.opened", "Count", len(e.Programme)), e.By.String()
		case bingo.SessionPaused:
			what, why, who = v.T("bingo.manage.pause"), e.Reason, e.By.String()
		case bingo.SessionResumed:
			what, who = v.T("bingo.manage.resume"), e.By.String()
		case bingo.LastMarked:
			what, who = v.T("bingo.inspect.course.last", "Number", e.Number), e.By.String()
		case bingo.ProgrammeChanged:
			what, who = v.T("bingo.inspect.course.changed", "Number", e.From, "Moment", v.Words.Moment(e.Notified)), e.By.String()
		case bingo.SessionClosed:
			what, who = v.T("bingo.manage.close"), e.By.String()
		default:
			continue
		}
		part.Rows = append(part.Rows, []string{v.Words.Moment(f.At), what, why, who})
	}
	return part
}

// reportSheet is the daily report to the regulator: cards bought, winning cards, balls, rounds
// and terminals.
func (s *Section) reportSheet(v *web.Visit, d app.BingoDay, rounds []app.BingoRecord) (print.Sheet, error) {
	sheet, err := s.bingoSheetHead(v, v.T("bingo.inspect.report", "Day", v.Words.Day(d.OpenedAt)), [][2]string{
		{v.T("bingo.manage.rounds.label"), strconv.Itoa(len(rounds))}})
	if err != nil {
		return sheet, err
	}
	terminals, err := s.Bingo.Terminals(v.Context())
	if err != nil {
		return sheet, err
	}
	cards := print.Part{Title: v.T("bingo.inspect.bought"), Columns: []print.Column{{Label: v.T("bingo.result.round"), Numeric: true},
		{Label: v.T("bingo.inspect.cards")}, {Label: v.T("bingo.inspect.count"), Numeric: true}, {Label: v.T("bingo.price"), Numeric: true},
		{Label: v.T("bingo.inspect.value"), Numeric: true}}}
	wins := print.Part{Title: v.T("bingo.inspect.wins"), Columns: []print.Column{{Label: v.T("bingo.result.round"), Numeric: true},
		{Label: v.T("bingo.inspect.prize")}, {Label: v.T("bingo.inspect.ball"), Numeric: true}, {Label: v.T("bingo.card")},
		{Label: v.T("bingo.share"), Numeric: true}, {Label: v.T("bingo.inspect.remark")}}}
	balls := print.Part{Title: v.T("bingo.sequence"), Columns: []print.Column{{Label: v.T("bingo.result.round"), Numeric: true}, {Label: v.T("bingo.result.balls")}}}
	sold := map[bingo.TerminalID]int{}
	for _, r := range rounds {
		n := strconv.Itoa(r.Round.Number)
		for _, e := range joined(r.Sold) {
			cards.Rows = append(cards.Rows, []string{n, runsText(e), strconv.Itoa(e.Count), v.Words.Amount(e.Price),
				v.Words.Amount(e.Price * money.Cents(e.Count))})
		}
		for _, e := range r.Sold {
			sold[e.Terminal] += e.Count
		}
		for _, w := range r.Round.Wins {
			remark := ""
			if w.Amount >= reported {
				remark = v.T("bingo.inspect.reported")
			}
			for _, x := range w.Winners {
				wins.Rows = append(wins.Rows, []string{n, winName(v.Context(), r.Round.Proposal, w), strconv.Itoa(w.Ball), x.Serial.String(),
					v.Words.Amount(x.Share), remark})
			}
		}
		var out []string
		for _, b := range r.Round.Balls {
			out = append(out, strconv.Itoa(int(b)))
		}
		if len(out) > 0 {
			balls.Rows = append(balls.Rows, []string{n, strings.Join(out, " ")})
		}
	}
	used := print.Part{Title: v.T("bingo.inspect.terminals"), Columns: []print.Column{{Label: v.T("bingo.manage.number"), Numeric: true},
		{Label: v.T("bingo.manage.terminal")}, {Label: v.T("bingo.manage.hall")}, {Label: v.T("bingo.result.cards"), Numeric: true}}}
	for _, t := range terminals {
		used.Rows = append(used.Rows, []string{strconv.FormatInt(int64(t.ID), 10), t.Name, t.Hall, strconv.Itoa(sold[t.ID])})
	}
	sheet.Parts = []print.Part{cards, wins, balls, moneyPart(v, rounds), used}
	return sheet, nil
}

// joined are the cards of a round by price, with following numbers together.
func joined(list []app.BingoSold) (out []bingo.CardsSold) {
	at := map[money.Cents]int{}
	for _, e := range list {
		i, ok := at[e.Price]
		if !ok {
			i = len(out)
			at[e.Price], out = i, append(out, bingo.CardsSold{Price: e.Price})
		}
		out[i].Count += e.Count
		for _, r := range e.Runs {
			if k := len(out[i].Runs) - 1; k >= 0 && out[i].Runs[k].Series == r.Series && out[i].Runs[k].To+1 == r.From {
				out[i].Runs[k].To = r.To
				continue
			}
			out[i].Runs = append(out[i].Runs, r)
		}
	}
	return out
}
