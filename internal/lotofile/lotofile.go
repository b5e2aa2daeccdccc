// Package lotofile reads and writes the programme of a day of loto as a table of a
// spreadsheet: one row a prize, its rounds in order. A table is accepted whole or refused with
// every fault, each with its row and what is wrong.
package lotofile

import (
	"slices"
	"strconv"
	"strings"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/spreadsheet"
	"boulier/money"
)

// maxRows bounds a programme: a day has no hundreds of rounds.
const maxRows = 600

// The columns, in the order in which they are written.
const (
	colRound = iota
	colTitle
	colCage
	colStage
	colKind
	colPrize
	colAmount
	colSmallest
	colSeries
	colConsolation
	colNote
	columns
)

// names are the columns by language, as they are written; either language is read.
var names = map[string][columns]string{
	"fr": {"partie", "titre", "boulier réel", "étape", "nature", "lot", "montant", "plus petit bon",
		"séries", "consolation", "mention"},
	"en": {"round", "title", "real cage", "stage", "kind", "prize", "amount", "smallest voucher",
		"series", "consolation", "note"},
}

// The words of the stages and kinds, as they are written; either language is read.
var (
	stages = map[string][3]string{"fr": {"quine", "deux lignes", "carton plein"}, "en": {"line", "two lines", "full card"}}
	kinds  = map[string][3]string{"fr": {"bon", "objet", "voiture"}, "en": {"voucher", "object", "car"}}
	yes    = map[string]string{"fr": "oui", "en": "yes"}
)

// A Fault is one thing wrong with a table. Code is stable, for the words of a page; Cell is
// what stands there.
type Fault struct {
	Line int
	Code string
	Cell string
}

// The codes of faults besides those of package spreadsheet.
const (
	FaultEmpty   = "empty"
	FaultColumns = "columns"  // Cell names the one that is missing
	FaultRound   = "round"    // not the number of a round, or not in order
	FaultStage   = "stage"    // none of the three
	FaultKind    = "kind"     // none of the three
	FaultAmount  = "amount"   // not an amount
	FaultMissing = "missing"  // Cell names the column that is empty
	FaultLong    = "too_long" // more rows than a programme has
)

// Read returns the rounds of a programme, or everything that is wrong with the table. Rows
// before the one that names the columns are left alone. What makes a sound programme is
// decided by the rules.
func Read(data []byte) (rounds []loto.Round, faults []Fault) {
	rows, fault := spreadsheet.Read(data)
	if fault != nil {
		return nil, []Fault{{fault.Line, fault.Code, fault.Text}}
	}
	head, at := header(rows)
	switch {
	case head < 0:
		return nil, []Fault{{1, FaultEmpty, ""}}
	case missing(at) != "":
		return nil, []Fault{{rows[head].Line, FaultColumns, missing(at)}}
	case len(rows)-head > maxRows:
		return nil, []Fault{{rows[head].Line, FaultLong, strconv.Itoa(len(rows) - head)}}
	}
	for _, r := range rows[head+1:] {
		cells := cellsOf(r, at)
		prize, wrong := prizeOf(cells)
		for _, w := range wrong {
			faults = append(faults, Fault{r.Line, w.Code, w.Cell})
		}
		n, err := strconv.Atoi(cells[colRound])
		switch {
		case err == nil && n == len(rounds)+1:
			rounds = append(rounds, loto.Round{Title: cells[colTitle], Cage: isYes(cells[colCage])})
		case err != nil || n != len(rounds) || n == 0:
			faults = append(faults, Fault{r.Line, FaultRound, cells[colRound]})
			continue
		}
		last := &rounds[len(rounds)-1]
		last.Prizes = append(last.Prizes, prize)
	}
	if len(rounds) == 0 && len(faults) == 0 {
		faults = []Fault{{rows[head].Line, FaultEmpty, ""}}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return rounds, nil
}

// header finds the row that names the columns, and where each stands; −1 for none.
func header(rows []spreadsheet.Row) (int, [columns]int) {
	var at [columns]int
	for i, r := range rows {
		found := 0
		for c := range at {
			at[c] = slices.IndexFunc(r.Cells, func(cell string) bool {
				name := strings.ToLower(cell)
				return name == names["fr"][c] || name == names["en"][c]
			})
			if at[c] >= 0 {
				found++
			}
		}
		if found > 2 { // no row of prizes has three such cells
			return i, at
		}
	}
	return -1, at
}

// missing names the first column that is not there and must be; empty if all are.
func missing(at [columns]int) string {
	for c, i := range at {
		if i < 0 && c != colTitle && c != colCage && c != colNote {
			return names["fr"][c]
		}
	}
	return ""
}

func cellsOf(r spreadsheet.Row, at [columns]int) (cells [columns]string) {
	for c, i := range at {
		if i >= 0 && i < len(r.Cells) {
			cells[c] = unquoted(r.Cells[i])
		}
	}
	return cells
}

// unquoted takes away the apostrophe that keeps a spreadsheet from calculating.
func unquoted(cell string) string {
	if len(cell) > 1 && cell[0] == '\'' && strings.ContainsRune("=+-@", rune(cell[1])) {
		return cell[1:]
	}
	return cell
}

func isYes(cell string) bool {
	cell = strings.ToLower(cell)
	return cell == yes["fr"] || cell == yes["en"] || cell == "x" || cell == "1"
}

// among returns which of the words a cell is, in either language; −1 for none.
func among(words map[string][3]string, cell string) int {
	cell = strings.ToLower(cell)
	for _, list := range words {
		if i := slices.Index(list[:], cell); i >= 0 {
			return i
		}
	}
	return -1
}

// prizeOf reads the prize of a row.
func prizeOf(cells [columns]string) (p loto.Prize, faults []Fault) {
	stage, kind := among(stages, cells[colStage]), among(kinds, cells[colKind])
	if stage < 0 {
		faults = append(faults, Fault{Code: FaultStage, Cell: cells[colStage]})
	}
	if kind < 0 {
		faults = append(faults, Fault{Code: FaultKind, Cell: cells[colKind]})
	}
	for _, c := range []int{colPrize, colSeries, colConsolation} {
		if cells[c] == "" {
			faults = append(faults, Fault{Code: FaultMissing, Cell: names["fr"][c]})
		}
	}
	p = loto.Prize{Stage: loto.Stage(stage + 1), Kind: loto.Object, Car: kind == 2, Name: cells[colPrize],
		Consolation: cells[colConsolation], Note: cells[colNote]}
	if kind == 0 {
		p.Kind, p.Smallest = loto.Voucher, 1_00
	}
	for c, into := range map[int]*money.Cents{colAmount: &p.Amount, colSmallest: &p.Smallest} {
		if cells[c] == "" || c == colSmallest && kind != 0 {
			continue
		}
		text := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(cells[c], "€"), "EUR"))
		amount, err := money.Parse(text)
		if err != nil || amount < 0 {
			faults = append(faults, Fault{Code: FaultAmount, Cell: cells[c]})
			continue
		}
		*into = amount
	}
	for _, name := range strings.FieldsFunc(cells[colSeries], func(r rune) bool { return r == ',' || r == ' ' || r == '+' }) {
		p.Series = append(p.Series, ninety.Series(strings.ToUpper(name)))
	}
	return p, faults
}

// Table returns the columns and rows of a programme in a language, fr or en.
func Table(rounds []loto.Round, lang string) (head []string, rows [][]string) {
	if _, ok := names[lang]; !ok {
		lang = "fr"
	}
	for i, r := range rounds {
		for _, p := range r.Prizes {
			cells := [columns]string{colRound: strconv.Itoa(i + 1), colTitle: r.Title, colPrize: p.Name,
				colConsolation: p.Consolation, colNote: p.Note}
			if r.Cage {
				cells[colCage] = yes[lang]
			}
			if p.Stage.Valid() {
				cells[colStage] = stages[lang][p.Stage-1]
			}
			switch {
			case p.Car:
				cells[colKind] = kinds[lang][2]
			case p.Kind == loto.Voucher:
				cells[colKind], cells[colSmallest] = kinds[lang][0], p.Smallest.String()
			default:
				cells[colKind] = kinds[lang][1]
			}
			if p.Amount > 0 {
				cells[colAmount] = p.Amount.String()
			}
			var series []string
			for _, s := range p.Series {
				series = append(series, string(s))
			}
			cells[colSeries] = strings.Join(series, " ")
			rows = append(rows, cells[:])
		}
	}
	all := names[lang]
	return all[:], rows
}
