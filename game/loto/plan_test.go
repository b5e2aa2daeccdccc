package loto

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"boulier/game/ninety"
	"boulier/regs"
	"boulier/regs/regstest"
)

// TestLoto_PlanFaults breaks a good plan in each way that the regulation forbids.
func TestLoto_PlanFaults(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:1", "loto:6", "loto:9", "loto:10", "loto:16", "loto:18", "loto:19",
		"loto:car.1", "loto:car.2", "loto:car.3", "loto:car.4")
	if faults := plan().Faults(); len(faults) > 0 {
		t.Fatalf("the plan of the tests is faulty: %v", faults)
	}
	for _, tc := range []struct {
		name  string
		spoil func(p *Plan)
		want  *regs.Violation
	}{
		{"the start before the doors", func(p *Plan) { p.Start = p.Doors.Add(-time.Minute) }, ErrPlanTimes},
		{"the start with the doors", func(p *Plan) { p.Start = p.Doors }, ErrPlanTimes},
		{"a break before the start", func(p *Plan) { p.Breaks[0].At = p.Doors }, ErrPlanTimes},
		{"one desk only", func(p *Plan) { p.Desks = p.Desks[1:2] }, ErrPlanDesks},
		{"no desk for reduced mobility", func(p *Plan) { p.Desks[1].Mobility = false }, ErrPlanDesks},
		{"no desk for the special card", func(p *Plan) { p.Desks[2].Special = false }, ErrPlanSpecialDesk},
		{"special cards at an ordinary desk", func(p *Plan) { p.Piles[4].Desk = 1 }, ErrPlanSpecialDesk},
		{"ordinary cards at the special desk", func(p *Plan) { p.Piles[0].Desk = 3 }, ErrPlanSpecialDesk},
		{"no price of the special card", func(p *Plan) { p.Tariffs = p.Tariffs[:3] }, ErrPlanTariff},
		{"a card for nothing", func(p *Plan) { p.Tariffs[0].Price = 0 }, ErrPlanTariff},
		{"two desks with one card", func(p *Plan) { p.Piles[3].From = 150 }, ErrPlanPile},
		{"half a sheet in a pile", func(p *Plan) { p.Piles[2].From = 94 }, ErrPlanPile},
		{"a pile at no desk", func(p *Plan) { p.Piles[0].Desk = 9 }, ErrPlanPile},
		{"a series that is not on sale", func(p *Plan) { p.Piles[0].Series = "B" }, ErrPlanSeries},
		{"a prize for a series not on sale", func(p *Plan) { p.Rounds[0].Prizes[0].Series = []ninety.Series{"B"} },
			ErrPlanSeries},
		{"stages out of order", func(p *Plan) { p.Rounds[0].Prizes[1].Stage = StageQuine }, ErrPlanStages},
		{"a round for nothing", func(p *Plan) { p.Rounds[0].Prizes = nil }, ErrPlanStages},
		{"a consolation left blank", func(p *Plan) { p.Rounds[2].Prizes[0].Consolation = " " }, ErrPlanConsolation},
		{"« none » for a consolation", func(p *Plan) { p.Rounds[0].Prizes[0].Consolation = "Aucune" },
			ErrPlanConsolation},
		{"the car for ordinary cards too", func(p *Plan) { p.Rounds[2].Prizes[0].Series = []ninety.Series{"A", "V"} },
			ErrPlanCar},
		{"the last three for ordinary cards only", func(p *Plan) { p.Rounds[1].Prizes[2].Series = p.Ordinary },
			ErrPlanLastThree},
		{"special cards for more than the last three", func(p *Plan) {
			p.Rounds[0].Prizes[2].Series = []ninety.Series{"A", "V"}
		}, ErrPlanLastThree},
	} {
		p := plan()
		tc.spoil(&p)
		found := false
		for _, f := range p.Faults() {
			found = found || errors.Is(f, tc.want)
		}
		if !found {
			t.Errorf("%s: %v, want %s", tc.name, p.Faults(), tc.want.Code)
		}
		h := &hall{t: t}
		h.do(h.Change(p))
		if _, err := h.OpenDay(nil, nil); err == nil {
			t.Errorf("%s: the day opens", tc.name)
		}
	}
}

func TestLotoCar4_TheOrganizerMayChooseOtherwise(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:car.4")
	p := plan()
	p.Rounds[1].Prizes[2].Series = p.Ordinary
	p.FreeSeries = true
	if faults := p.Faults(); len(faults) > 0 {
		t.Errorf("with the choice of the organizer: %v (reading L12)", faults)
	}
}

func TestLoto7_LargeStakesAreToldNotRefused(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:7.tariff")
	large := plan().LargeStakes()
	if len(large) != 1 || large[0].Unit != SheetOf6 {
		t.Errorf("large stakes %v, want the sheet of 6 at 20 EUR (reading L9)", large)
	}
}

func TestLoto_UsualPlansAreSound(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:6", "loto:7.tariff", "loto:car.1", "loto:car.5")
	o := Outline{Title: "Loto", Doors: morning, Start: morning.Add(3 * time.Hour), Desks: 3, Rounds: 4,
		Ordinary: SeriesRange{"A", 1, 600}, Special: SeriesRange{"V", 1, 300}, Voucher: "Bon d'achat",
		Car: "Voiture", Consolation: "Un lot", CarNote: "Immatriculation à la charge du gagnant", RoundTitle: "Partie"}
	p := Usual(o)
	if faults := p.Faults(); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
	car := p.Rounds[4].Prizes[0]
	if !car.Car || car.Note == "" {
		t.Errorf("the car: %+v", car)
	}
	o.Special = SeriesRange{}
	if faults := Usual(o).Faults(); len(faults) > 0 {
		t.Errorf("without a car: %v", faults)
	}
	for u, price := range map[Unit]int{OneCard: 500, SheetOf3: 1200, SheetOf6: 2000, SpecialCard: 600} {
		if got, _ := p.Price(u); int(got) != price {
			t.Errorf("%s costs %s", u, got)
		}
	}
}

// TestLoto_AnotherYear: a plan is copied for another day with other series, and the one it
// was copied from stays as it was.
func TestLoto_AnotherYear(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "loto:1", "loto:9", "loto:12", "loto:car.3")
	start := morning.Add(3 * time.Hour)
	old := Usual(Outline{Title: "2027", Doors: morning, Start: start, Desks: 2, Rounds: 3, RoundTitle: "Partie",
		Breaks:   []Break{{Title: "Repas", At: start.Add(90 * time.Minute), Length: 75 * time.Minute}},
		Ordinary: SeriesRange{"A", 1, 240}, Special: SeriesRange{"V", 1, 60},
		Voucher: "Bon", Car: "Voiture", Consolation: "Un panier", CarNote: "frais"})
	before := fmt.Sprintf("%+v", old)
	next := start.AddDate(1, 0, 0)
	now := old.Again(Outline{Title: "2028", Doors: next.Add(-time.Hour), Start: next,
		Ordinary: SeriesRange{Series: "B"}, Special: SeriesRange{Series: "W"}})
	if faults := now.Faults(); len(faults) > 0 {
		t.Errorf("the copy: %v", faults)
	}
	if now.Title != "2028" || !now.Breaks[0].At.Equal(next.Add(90*time.Minute)) || now.Special != "W" {
		t.Errorf("the copy is %+v", now)
	}
	if text := fmt.Sprintf("%+v%+v", now.Piles, now.Rounds); strings.Contains(text, "Series:A") || strings.Contains(text, "[A") ||
		strings.Contains(text, "V]") || len(now.Rounds) != len(old.Rounds) {
		t.Errorf("an old series is left: %s", text)
	}
	if fmt.Sprintf("%+v", old) != before {
		t.Error("the plan that was copied has changed")
	}
	if same := old.Again(Outline{Title: "2028", Doors: next.Add(-time.Hour), Start: next}); same.Special != "V" || same.Ordinary[0] != "A" {
		t.Errorf("without other series: %+v", same)
	}
}
