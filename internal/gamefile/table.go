package gamefile

import (
	"slices"
	"strings"

	"boulier/game/instant"
	"boulier/internal/spreadsheet"
	"boulier/money"
)

// ParseTable reads a prize table straight from a spreadsheet, XLSX (its first sheet) or
// CSV, into game g, which brings its block, its price and perhaps its totals. Columns are
// named by the first row, in any order and case: count, amount, perhaps line_total, whose
// cells may be empty. CSV may have commas or semicolons, decimal points or commas, spaces
// between thousands, an euro sign, a byte order mark, and any ends of lines.
//
// It returns the game, or every fault. Faults of the whole are given at the first row.
func ParseTable(name string, data []byte, g instant.Game) (instant.Game, []Fault) {
	fs := newFaults(name)
	rows := readRows(fs, data)
	if len(fs.list) > 0 {
		return instant.Game{}, fs.list
	}
	columns, width := readHeader(fs, rows[0])
	_, counts := columns["count"]
	if _, amounts := columns["amount"]; !counts || !amounts { // nothing can be said of the rows
		return instant.Game{}, fs.list
	}
	g.Table, g.Declared.Lines = nil, nil
	var lines []int // of the file, by line of the table
	for _, row := range rows[1:] {
		lines = append(lines, row.Line)
		readPrize(fs, &g, columns, width, row)
	}
	fs.check(g, func(at field) int {
		if at.line > 0 {
			return lines[at.line-1]
		}
		return rows[0].Line
	})
	if len(fs.list) > 0 {
		return instant.Game{}, fs.sorted()
	}
	return g, nil
}

// row is a row of the table.
type row = spreadsheet.Row

// readRows returns the rows that are not empty, at least one unless it adds a fault.
func readRows(fs *faults, data []byte) []row {
	if len(data) > maxBytes {
		fs.add(1, "too_large", "the file has more than %d MB: is it a prize table?", maxBytes>>20)
		return nil
	}
	rows, fault := spreadsheet.Read(data)
	switch {
	case fault != nil:
		fs.add(fault.Line, fault.Code, "%s", fault.Text)
	case len(rows) == 0:
		fs.add(1, "empty",
			"the file is empty: its first row must be count,amount or count,amount,line_total")
	}
	return rows
}

// readHeader returns the index of each column by its name, and how many cells have a name.
func readHeader(fs *faults, header row) (columns map[string]int, width int) {
	columns = map[string]int{}
	for i, cell := range header.Cells {
		name := strings.ToLower(cell)
		if name != "" {
			width = i + 1
		}
		_, twice := columns[name]
		switch {
		case name == "":
		case !slices.Contains(knownOfPrize, name):
			fs.add(header.Line, "unknown_column",
				"there is no column %q in a prize table: name it count, amount or line_total, or remove it",
				cell)
		case twice:
			fs.add(header.Line, "column_twice", "the column %q stands twice: remove one", name)
		default:
			columns[name] = i
		}
	}
	for _, name := range []string{"count", "amount"} {
		if _, ok := columns[name]; !ok {
			fs.add(header.Line, "missing_column",
				"there is no column %s: name the columns in the first row, such as count,amount", name)
		}
	}
	return columns, width
}

// readPrize adds the prize of a row to the table.
func readPrize(fs *faults, g *instant.Game, columns map[string]int, width int, r row) {
	line := len(g.Table) + 1
	var p instant.Prize
	var total *money.Cents
	beyond := r.Cells[min(width, len(r.Cells)):]
	if slices.ContainsFunc(beyond, func(cell string) bool { return cell != "" }) {
		fs.bad[field{line, "count"}], fs.bad[field{line, "amount"}] = true, true
		fs.add(r.Line, "too_many_cells", "the row has more cells than the first row has names: "+
			"with decimal commas, set cells apart by semicolons or put amounts between quotation marks")
	} else {
		n := readCell(fs, columns, r, line, "count")
		if n != nil && *n%100 != 0 {
			fs.bad[field{line, "count"}] = true
			fs.add(r.Line, "not_whole", "the count is not a whole number: write digits only")
		} else if n != nil {
			p.Count = int64(*n / 100)
		}
		if c := readCell(fs, columns, r, line, "amount"); c != nil {
			p.Amount = *c
		}
		if i, ok := columns["line_total"]; ok && i < len(r.Cells) && r.Cells[i] != "" {
			total = readCell(fs, columns, r, line, "line_total")
		}
	}
	g.Table = append(g.Table, p)
	g.Declared.Lines = append(g.Declared.Lines, total)
}

// readCell returns the number in a cell in hundredths, or nil after adding a fault.
func readCell(fs *faults, columns map[string]int, r row, line int, name string) *money.Cents {
	cell := ""
	if i := columns[name]; i < len(r.Cells) {
		cell = r.Cells[i]
	}
	number := cell
	if name != "count" {
		number = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(cell, "€"), "EUR"))
	}
	c, err := money.Parse(number)
	if err == nil {
		return &c
	}
	fs.bad[field{line, name}] = true
	switch {
	case cell == "":
		fs.add(r.Line, "missing_cell", "the %s is missing: fill the cell or remove the row", name)
	case name == "count":
		fs.add(r.Line, "not_whole",
			"the count %q is not a whole number: write digits only, such as 1500", cell)
	default:
		fs.add(r.Line, "not_amount",
			"the %s %q is not an amount in euros: write it as 2.00, with two decimals at most", name, cell)
	}
	return nil
}
