package lotopages

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"

	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/web"
)

// boardPage is the page for the worst day: the bare board and the check of a card, from one
// file that needs no server. It is opened from a disk, so that it brings its style and script.
//
//go:embed board.html
var boardPage []byte

// lotoBoard sends the board of a day with the cards sold so far.
func (s *Section) lotoBoard(v *web.Visit) error {
	d, err := s.loto(v)
	if err != nil {
		return err
	}
	stocks, err := s.Loto.Stocks(v.Context(), d.LotoDay)
	if err != nil {
		return err
	}
	plan := d.Session.Plan
	sold, _ := loto.Playing(stocks, append(slices.Clip(plan.Ordinary), plan.Special))
	cards := map[string][3][]int{}
	err = s.Loto.Faces(v.Context(), sold, func(serial ninety.Serial, c ninety.Card) {
		var lines [3][]int
		for i, l := range c.Lines {
			for b := range l.All() {
				lines[i] = append(lines[i], int(b))
			}
		}
		cards[serial.String()] = lines
	})
	if err != nil {
		return err
	}
	words := map[string]string{}
	for _, key := range []string{"number", "show", "serial", "check", "clear", "wrong", "out", "sure", "unsold", "lines", "among", "notamong"} {
		words[key] = v.T("loto.file." + key)
	}
	data, err := json.Marshal(map[string]any{"id": d.ID.String(), "lang": v.Words.Lang(), "title": plan.Title, "words": words, "cards": cards})
	if err != nil {
		return err
	}
	return v.File("board.html", "text/html; charset=utf-8", bytes.Replace(boardPage, []byte("{{data}}"), data, 1))
}
