package gamefile

import (
	"bytes"
	"fmt"

	"boulier/game/instant"
)

// Write returns the game file of a game that was read without fault, such as one of a
// table from a spreadsheet: Parse reads the same game and texts from it. Totals that were
// declared are left out.
func Write(f File) []byte {
	var b bytes.Buffer
	g := f.Game
	for _, line := range [][2]string{{"title", g.Title}, {"publisher", f.Publisher},
		{"source", f.Source}, {"rules", f.Rules}, {"note", f.Note}} {
		if line[1] != "" {
			fmt.Fprintf(&b, "%s = %s\n", line[0], tomlText(line[1]))
		}
	}
	fmt.Fprintf(&b, "kind = %q\nblock = %d\nprice = %s\n", string(g.Kind), g.Block, g.Price)
	if g.Kind == instant.Words {
		w := g.Words.Symbols
		fmt.Fprintf(&b, "symbols = [%d, %d, %d]\n", w[0], w[1], w[2])
	}
	for _, p := range g.Table {
		fmt.Fprintf(&b, "\n[[prizes]]\ncount = %d\namount = %s\n", p.Count, p.Amount)
	}
	for _, board := range g.Words.Boards {
		b.WriteString("\n[[boards]]\nrows = [\n")
		for _, row := range board.Grid() {
			fmt.Fprintf(&b, "  %q,\n", row)
		}
		b.WriteString("]\n")
	}
	return b.Bytes()
}

// tomlText writes a basic string of TOML: controls are escaped by their code.
func tomlText(s string) string {
	out := []byte{'"'}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r < 0x20 || r == 0x7f:
			out = append(out, `\u`...)
			out = append(out, fmt.Sprintf("%04X", r)...)
		default:
			out = append(out, string(r)...)
		}
	}
	return string(append(out, '"'))
}
