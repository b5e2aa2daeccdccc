//go:build !race

package qrscan

import "testing"

// TestRead_APhonesOwnSizeHeavy reads a photograph of twelve million dots, as it comes from a
// phone.
func TestRead_APhonesOwnSizeHeavy(t *testing.T) {
	const text = "boulier:A-123.K7QX2"
	reads(t, photograph(t, text, 30, 4000, -0.3, 5), text)
}
