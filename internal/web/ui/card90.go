package ui

import "fmt"

// A CardFace is a card of the 90-ball games as Card90 shows it.
type CardFace struct {
	Serial string
	Title  string
	Value  string
	Rows   [3][9]int // 0 is a blank
}

// tenLabel names a column by the numbers that stand in it.
func tenLabel(ten int) string {
	switch ten {
	case 0:
		return "1–9"
	case 8:
		return "80–90"
	}
	return fmt.Sprintf("%d0–%d9", ten, ten)
}
