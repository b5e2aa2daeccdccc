package instant

import (
	"fmt"

	"boulier/money"
)

// Limits of a game. They bound memory (two bytes a unit) and the state of a block.
const (
	MaxBlock = 50_000_000 // units of a block
	MaxLines = 64         // lines of a table
)

// A Fault is one thing wrong with a game. Where says what to correct, as game files
// name it: title, kind, block, price, prizes, prizes_total, value_total, symbols, boards,
// or of one line of the table count, amount or line_total.
type Fault struct {
	Code  string // stable and machine-readable
	Line  int    // line of the table or number of the board, from 1; 0 for the whole
	Where string // the field to correct
	Text  string // what is wrong and what to do, in English
}

func (f Fault) Error() string {
	switch {
	case f.Line > 0 && f.Where == "boards":
		return fmt.Sprintf("board %d: %s", f.Line, f.Text)
	case f.Line > 0:
		return fmt.Sprintf("prize line %d: %s", f.Line, f.Text)
	}
	return f.Text
}

// faults gathers what Check finds.
type faults []Fault

func (fs *faults) add(code string, line int, where, format string, args ...any) {
	*fs = append(*fs, Fault{code, line, where, fmt.Sprintf(format, args...)})
}

// Check returns every fault of the game; none means that an issue of it may be opened
// (instant:3, reading I1): counts and amounts are positive, the sums are those declared,
// the prizes fit the block, and every outcome has a face.
//
// A game without a face is a bare table: any positive amounts will do.
func (g Game) Check() []Fault {
	var fs faults
	if g.Kind != NoFace {
		g.checkProduct(&fs)
	}
	if g.Block < 1 {
		fs.add("block_not_positive", 0, "block", "the block has %d units: give at least 1", g.Block)
	}
	if g.Price < 1 {
		fs.add("price_not_positive", 0, "price", "the price is %s EUR: give at least 0.01", g.Price)
	}
	if _, err := g.Price.Times(g.Block); err != nil {
		fs.add("stakes_overflow", 0, "price",
			"block × price is out of range: give a smaller block or price")
	}
	if len(g.Table) == 0 {
		fs.add("no_prizes", 0, "prizes", "the table has no line: add at least one prize")
	}
	for i, p := range g.Table {
		g.checkLine(&fs, i, p)
	}
	g.checkTotals(&fs)
	switch g.Kind {
	case ThreeAlike:
		g.checkThreeAlike(&fs)
	case Words:
		g.checkWords(&fs)
	}
	return fs
}

// checkProduct finds what a bare table may lack but a game that is sold may not.
func (g Game) checkProduct(fs *faults) {
	if g.Title == "" {
		fs.add("no_title", 0, "title", "the game has no title: give one")
	}
	if g.Kind != ThreeAlike && g.Kind != Words {
		fs.add("unknown_kind", 0, "kind", "there is no kind of face %q: write %q or %q", g.Kind,
			ThreeAlike, Words)
	}
	if g.Block > MaxBlock {
		fs.add("block_too_large", 0, "block",
			"the block has %d units: give at most %d, and open several blocks", g.Block, MaxBlock)
	}
	if len(g.Table) > MaxLines {
		fs.add("too_many_lines", 0, "prizes",
			"the table has %d lines: keep at most %d", len(g.Table), MaxLines)
	}
}

// checkLine finds the faults of line i+1 by itself.
func (g Game) checkLine(fs *faults, i int, p Prize) {
	line := i + 1
	if p.Count < 1 {
		fs.add("count_not_positive", line, "count",
			"the count is %d: give at least 1 or remove the line", p.Count)
	}
	if p.Amount < 1 {
		fs.add("amount_not_positive", line, "amount",
			"the amount is %s EUR: give at least 0.01 or remove the line", p.Amount)
	}
	total, err := p.Amount.Times(p.Count)
	if err != nil {
		fs.add("line_overflow", line, "amount",
			"count × amount is out of range: check both")
		return
	}
	if i < len(g.Declared.Lines) && g.Declared.Lines[i] != nil && *g.Declared.Lines[i] != total {
		fs.add("line_total_differs", line, "line_total",
			"%d × %s is %s EUR, but the line total says %s: correct the one that is wrong",
			p.Count, p.Amount, total, *g.Declared.Lines[i])
	}
}

// checkTotals finds sums that differ from those declared, and prizes beyond the block.
func (g Game) checkTotals(fs *faults) {
	prizes, err := g.Table.Prizes()
	if err != nil {
		fs.add("prizes_overflow", 0, "prizes", "%v: check the counts", err)
	} else {
		if d := g.Declared.Prizes; d != nil && *d != prizes {
			fs.add("prizes_total_differs", 0, "prizes_total",
				"the counts sum to %d prizes, but %d are declared: correct the one that is wrong",
				prizes, *d)
		}
		if prizes > g.Block && g.Block > 0 {
			fs.add("more_prizes_than_units", 0, "block",
				"%d prizes do not fit a block of %d units: give a larger block or fewer prizes",
				prizes, g.Block)
		}
	}
	value, err := g.Table.Value()
	if err != nil {
		fs.add("value_overflow", 0, "prizes", "the value of the prizes is out of range: check the lines")
	} else if d := g.Declared.Value; d != nil && *d != value {
		fs.add("value_total_differs", 0, "value_total",
			"the prizes are worth %s EUR, but %s are declared: correct the one that is wrong",
			value, *d)
	}
}

// checkThreeAlike finds amounts that the face could not tell apart, and a table of
// which no face could lose: six zones hold each amount at most twice, so that a losing
// face needs three amounts, and so does a winning one.
func (g Game) checkThreeAlike(fs *faults) {
	amounts := g.checkAmounts(fs)
	if amounts < minAmounts && len(g.Table) > 0 {
		fs.add("too_few_amounts", 0, "prizes",
			"the table has %d different amounts, and no face could lose: give at least %d",
			amounts, minAmounts)
	}
}

// checkAmounts finds amounts of two lines, and returns how many different ones there are.
func (g Game) checkAmounts(fs *faults) int {
	first := map[money.Cents]int{}
	for i, p := range g.Table {
		if j, seen := first[p.Amount]; seen {
			fs.add("amount_twice", i+1, "amount",
				"%s EUR is also the amount of prize line %d: join the two lines", p.Amount, j)
			continue
		}
		first[p.Amount] = i + 1
	}
	return len(first)
}

// minAmounts is the least number of amounts for a losing face of six zones to exist.
const minAmounts = zones / 2
