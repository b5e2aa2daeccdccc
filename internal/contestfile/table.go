// Package contestfile reads the CSV files that the command line scores and ranks: results,
// predictions and points. A file is in UTF-8 with one header line that names its columns,
// in any order; a byte-order mark, CRLF ends of line and semicolons between cells, as
// spreadsheets write them, are accepted. Whatever a file should not hold is refused with
// its name and line: nothing is guessed and nothing is skipped.
package contestfile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Error is why a file is refused.
type Error struct {
	File    string
	Line    int // from 1
	Problem string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// A row is one line of a table: its cells in the order of the columns asked for, without
// the blanks around them.
type row struct {
	file  string
	line  int
	cells []string
}

// refuse returns an Error about the row, in the format of fmt.Sprintf.
func (r row) refuse(format string, args ...any) error {
	return &Error{r.file, r.line, fmt.Sprintf(format, args...)}
}

// whole returns a cell that must be a whole number from least to most.
func (r row) whole(cell int, column string, least, most int) (int, error) {
	n, err := strconv.ParseUint(r.cells[cell], 10, 31)
	if err != nil || int(n) < least || int(n) > most {
		return 0, r.refuse("%s is %q; it must be a whole number from %d to %d",
			column, r.cells[cell], least, most)
	}
	return int(n), nil
}

// filled returns an error if a cell is empty.
func (r row) filled(cell int, column string) error {
	if r.cells[cell] == "" {
		return r.refuse("%s is empty", column)
	}
	return nil
}

// A seen remembers on which line each key stood first.
type seen[K comparable] map[K]int

// once returns an error if key, called what, stood on an earlier line.
func (s seen[K]) once(r row, key K, what string) error {
	if line, twice := s[key]; twice {
		return r.refuse("%s stands on line %d already; keep one of the two", what, line)
	}
	s[key] = r.line
	return nil
}

// eachRow reads a table whose columns are exactly those given, in any order, and calls fn
// for each line under the header. It stops at the first error.
func eachRow(file string, in io.Reader, columns []string, fn func(row) error) error {
	buffered := bufio.NewReaderSize(in, 64<<10)
	if mark, _ := buffered.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		buffered.Discard(3)
	}
	reader := csv.NewReader(buffered)
	reader.ReuseRecord = true
	head, _ := buffered.Peek(4 << 10)
	head, _, _ = bytes.Cut(head, []byte("\n"))
	if bytes.ContainsRune(head, ';') && !bytes.ContainsRune(head, ',') {
		reader.Comma = ';'
	}
	header, err := reader.Read()
	if err == io.EOF {
		return &Error{file, 1, "the file is empty; its first line must be " + strings.Join(columns, ",")}
	}
	if err != nil {
		return broken(file, err)
	}
	first, _ := reader.FieldPos(0)
	places, err := order(row{file: file, line: first}, header, columns)
	if err != nil {
		return err
	}
	cells := make([]string, len(columns))
	for {
		record, err := reader.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return broken(file, err)
		}
		line, _ := reader.FieldPos(0)
		for i, place := range places {
			cells[i] = strings.TrimSpace(record[place])
			if !utf8.ValidString(cells[i]) {
				return &Error{file, line, columns[i] + " is not in UTF-8; save the file as UTF-8"}
			}
		}
		if err := fn(row{file, line, cells}); err != nil {
			return err
		}
	}
}

// order returns where each of columns stands in the header, which is row r.
func order(r row, header, columns []string) ([]int, error) {
	places := make([]int, len(columns))
	for i := range places {
		places[i] = -1
	}
	want := strings.Join(columns, ",")
	for at, name := range header {
		name = strings.TrimSpace(name)
		i := slices.Index(columns, name)
		switch {
		case i < 0:
			return nil, r.refuse("unknown column %q; the columns are %s", name, want)
		case places[i] >= 0:
			return nil, r.refuse("column %q stands twice", name)
		}
		places[i] = at
	}
	if i := slices.Index(places, -1); i >= 0 {
		return nil, r.refuse("no column %q; the columns are %s", columns[i], want)
	}
	return places, nil
}

// broken turns a failure of the CSV reader into an Error, and leaves others as they are.
func broken(file string, err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return fmt.Errorf("%s: %w", file, err)
	}
	problem := "misplaced quotation mark"
	if errors.Is(parse.Err, csv.ErrFieldCount) {
		problem = "not as many cells as the header has columns"
	}
	return &Error{file, parse.StartLine, problem}
}
