package loto

import (
	"slices"

	"boulier/regs"
)

// maxPartners is how many logos stand under the board and are still seen.
const maxPartners = 12

// Pictured shows a picture with a prize, or a partner's logo where Round is 0; Name is empty
// for a prize that has none any more. Gone takes a partner's logo away.
type Pictured struct {
	Round, Prize int // from 1
	Name         string
	Gone         bool
}

// Kind implements Event.
func (Pictured) Kind() string { return "pictured" }

// ErrPicturePlace refuses a picture of what is not in the programme.
var ErrPicturePlace = &regs.Violation{Ref: "loto:12", Code: "picture_place"}

// Picture puts a picture in its place until the day is closed: it changes nothing of what
// players have paid for.
func (s Session) Picture(round, prize int, name string) ([]Event, error) {
	if err := s.picturable(round, prize); err != nil {
		return nil, err
	}
	if round == 0 && slices.Contains(s.Plan.Partners, name) {
		return nil, nil
	}
	if round == 0 && len(s.Plan.Partners) == maxPartners {
		return nil, ErrPicturePlace.With("%d partners", maxPartners)
	}
	return []Event{Pictured{Round: round, Prize: prize, Name: name}}, nil
}

// RemovePicture takes a picture away; a partner's is named.
func (s Session) RemovePicture(round, prize int, partner string) ([]Event, error) {
	if err := s.picturable(round, prize); err != nil {
		return nil, err
	}
	if round == 0 && !slices.Contains(s.Plan.Partners, partner) {
		return nil, nil
	}
	if round == 0 {
		return []Event{Pictured{Name: partner, Gone: true}}, nil
	}
	return []Event{Pictured{Round: round, Prize: prize}}, nil
}

func (s Session) picturable(round, prize int) error {
	if s.Phase == Closed {
		return ErrDayPhase.With("the day is %s", s.Phase)
	}
	if round == 0 && prize == 0 {
		return nil
	}
	if round < 1 || round > len(s.Plan.Rounds) || prize < 1 || prize > len(s.Plan.Rounds[round-1].Prizes) {
		return ErrPicturePlace.With("prize %d of round %d", prize, round)
	}
	return nil
}

// pictured is Apply for a picture.
func (p Plan) pictured(e Pictured) Plan {
	switch {
	case e.Round == 0 && e.Gone:
		p.Partners = slices.DeleteFunc(slices.Clone(p.Partners), func(n string) bool { return n == e.Name })
	case e.Round == 0:
		p.Partners = append(slices.Clip(p.Partners), e.Name)
	default:
		p.Rounds = slices.Clone(p.Rounds)
		r := &p.Rounds[e.Round-1]
		r.Prizes = slices.Clone(r.Prizes)
		r.Prizes[e.Prize-1].Picture = e.Name
	}
	return p
}
