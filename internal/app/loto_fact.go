package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/proof"
	"boulier/money"
	"boulier/player"
)

// The rules of the loto know no JSON. The state of a day, which is written with every number,
// has the names of their fields in snake_case and nothing else; package snake, which events
// are written with, sorts them and takes three times as long.

// encodeFact returns v as JSON with its names in snake_case. Types of the rules hold no maps.
func encodeFact(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return renamed(b, snakeName), nil
}

// decodeFact reads what encodeFact wrote: names are matched whatever their case.
func decodeFact(b []byte, into any) error {
	return json.Unmarshal(renamed(b, func(name string) string { return strings.ReplaceAll(name, "_", "") }), into)
}

// renamed returns compact JSON with its names changed; texts are left alone.
func renamed(b []byte, change func(string) string) []byte {
	var out bytes.Buffer
	out.Grow(len(b) + len(b)/8)
	for i := 0; i < len(b); i++ {
		if b[i] != '"' {
			out.WriteByte(b[i])
			continue
		}
		end := i + 1
		for end < len(b) && b[end] != '"' {
			if b[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(b) {
			out.Write(b[i:])
			break
		}
		text := string(b[i+1 : end])
		if end+1 < len(b) && b[end+1] == ':' {
			text = change(text)
		}
		out.WriteString(`"` + text + `"`)
		i = end
	}
	return out.Bytes()
}

// snakeName returns an exported name in snake_case.
func snakeName(name string) string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) {
			if i > 0 {
				out.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		out.WriteRune(r)
	}
	return out.String()
}

// ReadLotoEvent reads an event of the loto from its kind and payload. The event is nil for
// a kind that is not of the rules, such as the secrets of a round.
func ReadLotoEvent(kind string, payload []byte) (e loto.Event, by player.ID, err error) {
	if e, by, err = proof.DecodeLoto(kind, payload); err != nil {
		err = fmt.Errorf("app: %w", err)
	}
	return e, by, err
}

// appendLoto adds events of the loto to the stream of a cell.
func appendLoto[T any](tx Tx, cell Cell[T], by player.ID, events []loto.Event) error {
	for _, e := range events {
		payload, err := proof.EncodeLoto(by, e)
		if err != nil {
			return err
		}
		if _, err := tx.Append(string(cell), e.Kind(), payload); err != nil {
			return err
		}
	}
	return nil
}

// LotoDay is a day as it is stored.
type LotoDay struct {
	ID      LotoID
	Session loto.Session
	Made    time.Time
	Told    string      // kind of the last event
	Ball    ninety.Ball // of the last event, if it is a call
	Alone   bool        // the last event was the only one of its commit
}

// lotoDayFields has the fields of a LotoDay and none of its methods.
type lotoDayFields LotoDay

// MarshalJSON implements json.Marshaler.
func (d LotoDay) MarshalJSON() ([]byte, error) { return encodeFact(lotoDayFields(d)) }

// UnmarshalJSON implements json.Unmarshaler.
func (d *LotoDay) UnmarshalJSON(b []byte) error { return decodeFact(b, (*lotoDayFields)(d)) }

// lotoStock is the stock of a desk as it is stored: a lot is one short text, since there
// are thousands and all are written again with each sale.
type lotoStock struct{ loto.Stock }

type storedStock struct {
	Desk  int             `json:"desk"`
	Sales int             `json:"sales"`
	Last  json.RawMessage `json:"last"`
	Taken json.RawMessage `json:"taken"`
	Lots  []string        `json:"lots"` // sale unit series from price at day void
}

// MarshalJSON implements json.Marshaler.
func (s lotoStock) MarshalJSON() ([]byte, error) {
	out := storedStock{Desk: s.Desk, Sales: s.Sales, Lots: make([]string, len(s.Lots))}
	var err error
	if out.Last, err = encodeFact(s.Last); err != nil {
		return nil, err
	}
	if out.Taken, err = encodeFact(s.Taken); err != nil {
		return nil, err
	}
	for i, l := range s.Lots {
		out.Lots[i] = writeLot(l)
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *lotoStock) UnmarshalJSON(b []byte) error {
	var in storedStock
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	s.Stock = loto.Stock{Desk: in.Desk, Sales: in.Sales}
	if err := decodeFact(in.Last, &s.Last); err != nil {
		return err
	}
	if err := decodeFact(in.Taken, &s.Taken); err != nil {
		return err
	}
	for _, text := range in.Lots {
		l, err := readLot(text)
		if err != nil {
			return err
		}
		s.Lots = append(s.Lots, l)
	}
	return nil
}

func writeLot(l loto.Lot) string {
	void := "0"
	if l.Void {
		void = "1"
	}
	return strings.Join([]string{strconv.Itoa(l.Sale), string(l.Unit), string(l.Series), strconv.Itoa(l.From),
		strconv.FormatInt(int64(l.Price), 10), strconv.FormatInt(l.At.UnixMicro(), 10), strconv.Itoa(l.Day), void}, " ")
}

// readLot reads what writeLot wrote.
func readLot(text string) (loto.Lot, error) {
	f := strings.Split(text, " ")
	if len(f) != 8 || loto.Unit(f[1]).Cards() == 0 || !ninety.Series(f[2]).Valid() {
		return loto.Lot{}, fmt.Errorf("app: %q is no lot", text)
	}
	var n [6]int64
	for i, k := range []int{0, 3, 4, 5, 6, 7} {
		var err error
		if n[i], err = strconv.ParseInt(f[k], 10, 64); err != nil {
			return loto.Lot{}, fmt.Errorf("app: %q is no lot: %w", text, err)
		}
	}
	return loto.Lot{Sale: int(n[0]), Unit: loto.Unit(f[1]), Series: ninety.Series(f[2]), From: int(n[1]),
		Price: money.Cents(n[2]), At: time.UnixMicro(n[3]).UTC(), Day: int(n[4]), Void: n[5] == 1}, nil
}
