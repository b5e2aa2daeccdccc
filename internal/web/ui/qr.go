package ui

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// qrPath returns the dark squares of a QR code as the path of a drawing, and its side with
// the quiet zone that readers need.
func qrPath(text string) (path string, side int, err error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", 0, err
	}
	const quiet = 4
	var b strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	return b.String(), code.Size + 2*quiet, nil
}
