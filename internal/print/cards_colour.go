package print

import (
	"errors"
	"hash/fnv"
	"strconv"
	"strings"

	"boulier/game/ninety"
)

// A Colour is the colour of a series.
type Colour struct{ R, G, B uint8 }

// named are the colours that people may ask for by name, in the order in which series
// take them. White text is legible on each (contrast of 4.5 or more).
var named = []struct {
	name string
	Colour
}{
	{"bottle", Colour{0x0f, 0x5c, 0x44}}, {"ultramarine", Colour{0x2b, 0x3a, 0xa8}},
	{"persimmon", Colour{0xb8, 0x3a, 0x12}}, {"plum", Colour{0x7a, 0x2a, 0x63}},
	{"petrol", Colour{0x0b, 0x5a, 0x73}}, {"ochre", Colour{0x85, 0x5a, 0x00}},
	{"brick", Colour{0x8e, 0x24, 0x2c}}, {"slate", Colour{0x3f, 0x4a, 0x57}},
}

// ErrColour refuses a colour that is neither named nor written as six digits.
var ErrColour = errors.New("print: a colour is six hexadecimal digits, or one of " + names())

// names lists the named colours.
func names() string {
	var list []string
	for _, n := range named {
		list = append(list, n.name)
	}
	return strings.Join(list, ", ")
}

// SeriesColour returns the colour of a series for which none was chosen: always the same
// for the same series, and different for A, B, C and so on to H.
func SeriesColour(s ninety.Series) Colour {
	if len(s) == 1 {
		return named[int(s[0]-'A')%len(named)].Colour
	}
	h := fnv.New32a()
	h.Write([]byte(s))
	return named[h.Sum32()%uint32(len(named))].Colour
}

// ParseColour reads a colour by name or as « #0f5c44 ».
func ParseColour(text string) (Colour, error) {
	for _, n := range named {
		if n.name == strings.ToLower(text) {
			return n.Colour, nil
		}
	}
	digits := strings.TrimPrefix(text, "#")
	rgb, err := strconv.ParseUint(digits, 16, 24)
	if err != nil || len(digits) != 6 {
		return Colour{}, ErrColour
	}
	return Colour{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb)}, nil
}

// tint returns the colour mixed with white, for the blank places of a card.
func (c Colour) tint() Colour {
	mix := func(v uint8) uint8 { return uint8((int(v) + 4*255) / 5) }
	return Colour{mix(c.R), mix(c.G), mix(c.B)}
}
