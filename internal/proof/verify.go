package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"boulier/journal"
)

// timeLayout shows times to the microsecond, in UTC.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// A Report says what a file was found to prove.
type Report struct {
	Format string
	Lines  []string     // what holds, in plain English
	Key    string       // verifier key that signed it
	Head   journal.Head // the tree of its latest checkpoint
}

func (r *Report) say(format string, args ...any) {
	r.Lines = append(r.Lines, fmt.Sprintf(format, args...))
}

// ErrFormat refuses a file of no known format.
var ErrFormat = errors.New("not an exported unit, block, round, loto or journal")

// ErrSince refuses to compare what is not a journal with an older one.
var ErrSince = errors.New("only a journal can be checked against an older one: leave --since out")

// Verify checks an exported unit, closed block, round, loto or journal from its bytes alone, and
// recomputes all it states. The name is that of the file, for errors, each of which is a
// Fault. It reads a file line by line, so that a journal may have any length.
func Verify(name string, r io.Reader, o Options) (Report, error) {
	l := newLines(name, r)
	first, err := l.next()
	if errors.Is(err, io.EOF) {
		return Report{}, &Fault{name, 0, errors.New("the file is empty")}
	}
	if err != nil {
		return Report{}, err
	}
	format, err := formatOf(first)
	if err != nil {
		return Report{}, l.fault("%w", err)
	}
	if o.Since != nil && format != FormatJournal {
		return Report{}, l.fault("%w", ErrSince)
	}
	switch format {
	case FormatUnit:
		return verifyUnit(l, first, o)
	case FormatBlock:
		return verifyBlock(l, first, o)
	case FormatJournal:
		return verifyJournal(l, first, o)
	case FormatRound:
		return verifyRound(l, first, o)
	case FormatLoto:
		return verifyLoto(l, first, o)
	}
	return Report{}, l.fault("%w: format %q", ErrFormat, format)
}

// formatOf reads the format of the first line.
func formatOf(line []byte) (string, error) {
	var any struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(line, &any); err != nil {
		return "", fmt.Errorf("%w: %w", ErrFormat, jsonError(err))
	}
	return any.Format, nil
}

// ReadClaim returns the latest checkpoint of an older export, or of a file that holds a
// checkpoint only, such as one copied from a receipt. Every error is a Fault.
func ReadClaim(name string, r io.Reader) (*Claim, error) {
	l := newLines(name, r)
	first, err := l.next()
	if errors.Is(err, io.EOF) {
		return nil, &Fault{name, 0, errors.New("the file is empty")}
	}
	if err != nil {
		return nil, err
	}
	var export struct {
		Checkpoint string `json:"checkpoint"`
	}
	if len(first) > 0 && first[0] == '{' {
		if err := json.Unmarshal(first, &export); err != nil {
			return nil, l.fault("%w: %w", ErrFormat, jsonError(err))
		}
		if export.Checkpoint == "" {
			return nil, l.fault("it holds no checkpoint")
		}
		return &Claim{name, export.Checkpoint}, nil
	}
	text := string(first) + "\n"
	for len(text) <= maxLine {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return &Claim{name, text}, nil
		}
		if err != nil {
			return nil, err
		}
		text += string(line) + "\n"
	}
	return nil, &Fault{name, 0, errors.New("too long for a checkpoint")}
}
