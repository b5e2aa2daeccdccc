package lotopages

import (
	"cmp"
	"slices"
	"strconv"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/print"
	"boulier/internal/web/pages"
	"boulier/money"
)

// takings is what came in by desk and means, refunds counted off.
func takings(d lotoVisit, stocks []loto.Stock) print.Part {
	part := print.Part{Title: d.T("loto.report.takings"), Columns: []print.Column{{Label: d.T("loto.report.desk")}}}
	for _, m := range loto.AllMeans {
		part.Columns = append(part.Columns, print.Column{Label: d.T("loto.means." + string(m)), Numeric: true})
	}
	part.Columns = append(part.Columns, print.Column{Label: d.T("loto.report.total"), Numeric: true})
	all := map[loto.Means]money.Cents{}
	row := func(name string, of map[loto.Means]money.Cents) {
		cells, sum := []string{name}, money.Cents(0)
		for _, m := range loto.AllMeans {
			cells = append(cells, pages.Decimal(d.Words, of[m]))
			sum += of[m]
		}
		part.Rows = append(part.Rows, append(cells, pages.Decimal(d.Words, sum)))
	}
	for _, st := range stocks {
		of := map[loto.Means]money.Cents{}
		for _, t := range st.Taken {
			of[t.Means] += t.Amount
			all[t.Means] += t.Amount
		}
		row(strconv.Itoa(st.Desk), of)
	}
	row(d.T("loto.report.total"), all)
	return part
}

// A cardCount is how many pieces were sold, and what became of them.
type cardCount struct{ sold, free, void, bare, cards int }

func (c *cardCount) add(d lotoVisit, l loto.Lot) {
	if l.Price == 0 {
		c.free++
	} else {
		c.sold++
	}
	if l.Void {
		c.void++
	}
	if l.Day != d.Session.Day {
		c.bare++
	}
	c.cards += l.Unit.Cards()
}

// cells are the counts as a row has them.
func (c cardCount) cells() (cells []string) {
	for _, n := range []int{c.sold, c.free, c.void, c.bare, c.cards} {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells
}

// countColumns are the columns of a table of counts, after those that say of what.
func countColumns(d lotoVisit, of ...string) (list []print.Column) {
	for _, label := range of {
		list = append(list, print.Column{Label: label})
	}
	for _, key := range []string{"sold", "free", "void", "unstamped", "count"} {
		list = append(list, print.Column{Label: d.T("loto.report." + key), Numeric: true})
	}
	return list
}

// seriesPart counts the cards sold by series and unit, of all desks.
func seriesPart(d lotoVisit, stocks []loto.Stock) print.Part {
	part := print.Part{Title: d.T("loto.report.series"), Columns: countColumns(d, d.T("loto.series"), d.T("loto.report.unit"))}
	type key struct {
		series ninety.Series
		unit   int // its place in the tariff
	}
	counts := map[key]*cardCount{}
	for _, st := range stocks {
		for _, l := range st.Lots {
			k := key{l.Series, slices.Index(loto.Units, l.Unit)}
			if counts[k] == nil {
				counts[k] = &cardCount{}
			}
			counts[k].add(d, l)
		}
	}
	var keys []key
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.series, b.series), a.unit-b.unit) })
	for _, k := range keys {
		part.Rows = append(part.Rows, append([]string{string(k.series), d.T("loto.unit." + string(loto.Units[k.unit]))}, counts[k].cells()...))
	}
	return part
}

// deskCards counts the pieces that each desk has sold.
func deskCards(d lotoVisit, stocks []loto.Stock) print.Part {
	part := print.Part{Title: d.T("loto.report.cards"), Columns: countColumns(d, d.T("loto.report.desk"), d.T("loto.report.unit"))}
	for _, st := range stocks {
		for _, u := range loto.Units {
			var c cardCount
			for _, l := range st.Lots {
				if l.Unit == u {
					c.add(d, l)
				}
			}
			if c.sold+c.free > 0 {
				part.Rows = append(part.Rows, append([]string{strconv.Itoa(st.Desk), d.T("loto.unit." + string(u))}, c.cells()...))
			}
		}
	}
	return part
}

// vouchers counts the vouchers that were handed out, by their amounts.
func vouchers(d lotoVisit) print.Part {
	part := print.Part{Title: d.T("loto.report.vouchers"), Columns: []print.Column{{Label: d.T("loto.report.voucher"), Numeric: true},
		{Label: d.T("loto.report.handed"), Numeric: true}, {Label: d.T("loto.report.total"), Numeric: true}}}
	counts, number, sum := map[money.Cents]int{}, 0, money.Cents(0)
	for _, r := range d.Session.Results {
		for _, w := range r.Won {
			for _, a := range w.Awards {
				if d.Session.Plan.Rounds[r.Round-1].Prizes[w.Prize].Kind == loto.Voucher && !a.Consolation {
					counts[a.Amount]++
					number, sum = number+1, sum+a.Amount
				}
			}
		}
	}
	var amounts []money.Cents
	for a := range counts {
		amounts = append(amounts, a)
	}
	slices.Sort(amounts)
	for _, a := range amounts {
		part.Rows = append(part.Rows, []string{pages.Decimal(d.Words, a), strconv.Itoa(counts[a]), pages.Decimal(d.Words, a*money.Cents(counts[a]))})
	}
	if number > 0 {
		part.Rows = append(part.Rows, []string{d.T("loto.report.total"), strconv.Itoa(number), pages.Decimal(d.Words, sum)})
	}
	return part
}

// numbersPart lists the numbers of each round in the order in which they were called.
func numbersPart(d lotoVisit) print.Part {
	part := print.Part{Title: d.T("loto.report.numbers"), Columns: []print.Column{{Label: d.T("loto.round")},
		{Label: d.T("loto.report.playing"), Numeric: true}, {Label: d.T("loto.book.order")}}}
	for _, r := range d.Session.Results {
		part.Rows = append(part.Rows, []string{roundTitle(d.Context(), r.Round, d.Session.Plan.Rounds[r.Round-1]), strconv.Itoa(r.Cards), ballList(r.Calls)})
	}
	return part
}
