package loto

import (
	"errors"
	"fmt"
	"testing"
)

// TestPicture: prizes and partners have pictures until the day is closed, whatever was sold.
func TestPicture(t *testing.T) {
	t.Parallel()
	s := Session{Plan: Plan{Rounds: []Round{{Prizes: []Prize{{Stage: StageQuine}, {Stage: StageFullCard}}}}}, Phase: Open}
	must := func(events []Event, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			s = s.Apply(e)
		}
	}
	before := s.Plan.Rounds[0].Prizes
	must(s.Picture(1, 2, "a"))
	must(s.Picture(0, 0, "logo"))
	must(s.Picture(0, 0, "logo")) // once
	if s.Plan.Rounds[0].Prizes[1].Picture != "a" || len(s.Plan.Partners) != 1 || before[1].Picture != "" {
		t.Errorf("%+v, before %+v", s.Plan, before)
	}
	for i := 1; i < maxPartners; i++ {
		must(s.Picture(0, 0, fmt.Sprint("logo", i)))
	}
	for _, at := range [][2]int{{0, 0}, {2, 1}, {1, 3}, {1, 0}, {-1, 1}, {0, 1}} {
		if _, err := s.Picture(at[0], at[1], "more"); !errors.Is(err, ErrPicturePlace) {
			t.Errorf("a picture at %v: %v", at, err)
		}
	}
	must(s.RemovePicture(0, 0, "logo"))
	must(s.RemovePicture(0, 0, "none"))
	must(s.RemovePicture(1, 2, ""))
	if s.Plan.Rounds[0].Prizes[1].Picture != "" || len(s.Plan.Partners) != maxPartners-1 {
		t.Errorf("after they were removed: %+v", s.Plan)
	}
	s.Phase = Closed
	if _, err := s.Picture(1, 1, "a"); !errors.Is(err, ErrDayPhase) {
		t.Errorf("a picture once the day is closed: %v", err)
	}
}
