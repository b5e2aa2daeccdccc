package contest

import "boulier/regs"

// A Name is a participant as the list of its leg spells it; "" is an empty line.
type Name string

// A PlaceScale holds the points of the first places of a classification, first place
// first.
type PlaceScale []Points

// The regulation's three scales of the type « 6 noms » (contest:6.names).
var (
	SixPlaces     = PlaceScale{10, 8, 6, 4, 2, 1}
	FourPlaces    = PlaceScale{8, 4, 2, 1}
	FourTwoThirds = PlaceScale{8, 4, 2, 2} // third and fourth are not separated, as in judo
)

// MaxPlaces is the most places that a leg may ask for (contest:6.names).
const MaxPlaces = 6

// ErrPlacesIllegal refuses a scale of places (contest:6.names, Reading C3).
var ErrPlacesIllegal = &regs.Violation{Ref: "contest:6.names", Code: "places_illegal"}

// Check returns ErrPlacesIllegal unless s has one to six values, none above the one
// before it, from 0 to 1000 points and the first above 0 (Reading C3).
func (s PlaceScale) Check() error {
	if len(s) == 0 || len(s) > MaxPlaces {
		return ErrPlacesIllegal.With("%d places, not 1 to %d", len(s), MaxPlaces)
	}
	for i, p := range s {
		if p < 0 || p > maxScalePoints {
			return ErrPlacesIllegal.With("%d is not between 0 and %d points", p, maxScalePoints)
		}
		if i > 0 && p > s[i-1] {
			return ErrPlacesIllegal.With("place %d is worth more than place %d", i+1, i)
		}
	}
	if s[0] == 0 {
		return ErrPlacesIllegal.With("the first place is worth nothing")
	}
	return nil
}

// Value returns what a place is worth, places counting from 1. Place 0 (retired,
// disqualified, not classified) and places beyond the scale are worth 0 (Reading C2).
func (s PlaceScale) Value(place int) Points {
	if place < 1 || place > len(s) {
		return 0
	}
	return s[place-1]
}

// Awards returns what each line of a slip earns: the lesser of the value of the place
// predicted and of the place taken (contest:6.names). The slip holds the names in the
// order of the places predicted, one a place of the scale; places holds the official
// place of each name classified. In a dead heat each holds the place that is officially
// his, so that two second places leave no third (Reading C4). A nil map means no result
// yet. It panics if the slip is longer than the scale.
func (s PlaceScale) Awards(slip []Name, places map[Name]int) []Award {
	if len(slip) > len(s) {
		panic("contest: more names than places")
	}
	awards := make([]Award, len(slip))
	for i, name := range slip {
		place := places[name]
		switch {
		case places == nil:
			awards[i] = Award{Rule: NotPlayedYet}
		case name == "":
			awards[i] = Award{Rule: EmptyLine}
		case s.Value(place) == 0:
			awards[i] = lesser(PlaceUnscored, s.Value(i+1), 0)
		default:
			awards[i] = lesser(PlaceHeld, s.Value(i+1), s.Value(place))
		}
	}
	return awards
}
