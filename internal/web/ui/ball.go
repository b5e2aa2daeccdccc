package ui

import (
	"fmt"
	"strconv"
	"strings"
)

// tenOf returns the ten of a ball, 0 for 1–9 to 8 for 80–90: its colour and ring.
func tenOf(ball int) int { return min(ball/10, 8) }

// ballLabel returns the figures on a ball of 1 to 90; another number is a fault of the program.
func ballLabel(ball int) string {
	if ball < 1 || ball > 90 {
		panic(fmt.Sprintf("ui: no ball %d", ball))
	}
	return strconv.Itoa(ball)
}

// turnable reports whether the ball read upside down is another ball, so that it needs a
// line under its figures: 6 and 9, 68 and 89…
func turnable(ball int) bool {
	turned := strings.NewReplacer("6", "9", "9", "6").Replace(strconv.Itoa(ball))
	if strings.ContainsAny(turned, "23457") {
		return false
	}
	if len(turned) == 2 {
		turned = turned[1:] + turned[:1]
	}
	n, err := strconv.Atoi(turned)
	return err == nil && n != ball && n >= 1 && n <= 90
}
