package bingo

import (
	"slices"
	"testing"
	"time"

	"boulier/game/ninety"
	"boulier/regs"
	"boulier/regs/regstest"
)

// A day drives a session.
type day struct {
	t *testing.T
	Session
}

func (d *day) do(events []Event, err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range events {
		d.Session = d.Apply(e)
	}
}

func openDay(t *testing.T, rounds int) *day {
	d := &day{t: t}
	d.do(d.OpenSession(SessionOpened{Day: "2027-03-07", Programme: slices.Repeat([]Proposal{proposal()}, rounds)}))
	return d
}

func TestArt93_15_LastRound(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.15")
	d := openDay(t, 3)
	start := func(id RoundID, last bool) {
		t.Helper()
		events, err := d.StartRound(id)
		d.do(events, err)
		if e := events[0].(RoundStarted); e.Last != last {
			t.Errorf("round %d: last %t, want %t", e.Number, e.Last, last)
		}
	}
	start(1, false)
	_, err := d.MarkLast(1, 9)
	refuses(t, "a round that has begun (reading B12)", err, ErrLastRound)
	_, err = d.StartRound(2)
	refuses(t, "two rounds at once", err, ErrRunning)
	_, err = d.CloseSession(9)
	refuses(t, "the end in a round", err, ErrRunning)
	d.do(d.FinishRound(Round{ID: 1, Phase: Over}, Sale{}))
	d.do(d.MarkLast(2, 9))
	d.do(d.Pause(9, "repas"))
	_, err = d.StartRound(2)
	refuses(t, "a round in a pause", err, ErrPaused)
	d.do(d.Resume(9))
	start(2, true)
	d.do(d.FinishRound(Round{ID: 2, Phase: Over}, Sale{}))
	_, err = d.StartRound(3)
	refuses(t, "a round after the last", err, ErrLastRound)
	d.do(d.CloseSession(9))
	_, err = d.OpenSession(SessionOpened{Day: "2027-03-07", Programme: []Proposal{proposal()}})
	refuses(t, "the same day twice", err, ErrSession)
}

func TestArt93_8_CardsGoOnFromRoundToRound(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.8")
	d := openDay(t, 3)
	d.Pots = []Pot{{1_00, 0}}
	d.do(d.StartRound(1))
	h := selling(t, proposal(), d.Starts...)
	h.buy(1, 1_00, 7)
	h.close()
	_, err := d.FinishRound(h.Round, h.Sale)
	refuses(t, "another round", err, ErrSession)
	h.ID = 1
	_, err = d.FinishRound(h.Round, h.Sale)
	refuses(t, "a round that is played", err, ErrRoundPhase)
	h.do(h.Void(9, "panne", h.Sale))
	h.Next = []Pot{{9_00, 0}}
	d.do(d.FinishRound(h.Round, h.Sale))
	if d.Starts[0] != (Cursor{0, 8}) || d.Starts[1] != (Cursor{0, 1}) {
		t.Errorf("after a void the cards begin at %v", d.Starts)
	}
	if d.Pots[0].Amount != 1_00 {
		t.Errorf("a void round changed the pots: %v", d.Pots)
	}
}

func TestArt93_11_ProgrammeChanges(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.11")
	d := openDay(t, 2)
	d.do(d.StartRound(1))
	q := proposal()
	q.Prizes = []Prize{{"line", ninety.Line, 20 * Percent, 0}, BingoPrize}
	change := ProgrammeChanged{From: 2, Rounds: []Proposal{q, q}, Notified: noon}
	_, err := d.ChangeProgramme(change, noon.Add(4*24*time.Hour))
	refuses(t, "four days after the notice", err, ErrNotice)
	late := change
	late.From = 1
	_, err = d.ChangeProgramme(late, noon.AddDate(0, 0, 5))
	refuses(t, "a round that has begun", err, ErrLastRound)
	other := change
	other.Rounds = []Proposal{proposal()}
	other.Rounds[0].Tracks = other.Rounds[0].Tracks[:1]
	_, err = d.ChangeProgramme(other, noon.AddDate(0, 0, 5))
	refuses(t, "other cards", err, ErrTracks)
	d.do(d.ChangeProgramme(change, noon.AddDate(0, 0, 5)))
	if len(d.Programme) != 3 || d.Last != 3 || d.Programme[1].Prizes[0].Rate != 20*Percent {
		t.Errorf("programme of %d, last %d", len(d.Programme), d.Last)
	}
}

func TestArt93_3_Account(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.3")
	var a Account
	do := func(events []Event, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			a = a.Apply(e)
		}
	}
	right := Entry{Terminal: 4, Card: 1, Day: "2027-03-07", Right: true}
	_, err := a.Enter(right)
	refuses(t, "no account", err, ErrNoAccount)
	do(OpenAccount(5, 7, 9), nil)
	do(a.IssuePIN("2027-03-07", 9))
	refuses(t, "not entered", a.At(4), ErrTerminal)
	refuses(t, "entered nowhere", a.At(0), ErrTerminal)
	do(a.Enter(right))
	if err := a.At(4); err != nil {
		t.Error(err)
	}
	right.Terminal = 6
	do(a.Enter(right))
	refuses(t, "it has changed terminal", a.At(4), ErrTerminal)
	next := right
	next.Day = "2027-03-08"
	_, err = a.Enter(next)
	refuses(t, "the PIN of yesterday", err, ErrPINDay)
	wrong := right
	wrong.Right = false
	fail := func() {
		t.Helper()
		events, err := a.Enter(wrong)
		refuses(t, "a wrong PIN", err, ErrPIN)
		do(events, nil)
	}
	fail()
	fail()
	do(a.Enter(right)) // two failures, then right: counted anew
	fail()
	fail()
	fail()
	_, err = a.Enter(right)
	refuses(t, "after three failures", err, ErrLocked)
	do(a.IssuePIN("2027-03-07", 9))
	do(a.Enter(right))
	do(a.Leave(6))
	refuses(t, "left", a.At(6), ErrTerminal)
	do(a.Block(9, "perdue"))
	_, err = a.Enter(right)
	refuses(t, "blocked", err, ErrBlocked)
	do(a.Reissue(9))
	do(a.IssuePIN("2027-03-07", 9))
	_, err = a.Enter(right)
	refuses(t, "the lost card", err, ErrBlocked)
	right.Card = 2
	do(a.Enter(right))
}

// TestArt93_11_PotsGoOnFromDayToDay holds that what was accumulated is never lost (std:46).
func TestArt93_11_PotsGoOnFromDayToDay(t *testing.T) {
	t.Parallel()
	regstest.Covers(t, "bingo:93.11", "std:46")
	pot := PotRule{Name: "pot", Pattern: ninety.FullCard, Within: 40, Rate: 500, Keep: 7000, Cap: 15_000_00, Refill: 7000}
	other := PotRule{Name: "mini", Pattern: ninety.Line, Within: 10, Rate: 500, Keep: 10_000, Cap: 100_00}
	of := func(rules ...PotRule) []Proposal {
		p := proposal()
		p.Pots = rules
		return []Proposal{p}
	}
	closed := Session{Day: "2027-03-07", Programme: of(pot, other), Pots: []Pot{{14_000_00, 300_00}, {}}}
	richer := pot
	richer.Cap, richer.Within = 20_000_00, 42
	for _, tc := range []struct {
		name  string
		last  Session
		rules []PotRule
		want  []Pot
		err   *regs.Violation
	}{
		{"the first day of all", Session{}, []PotRule{pot}, []Pot{{}}, nil},
		{"the same pots", closed, []PotRule{pot, other}, []Pot{{14_000_00, 300_00}, {}}, nil},
		{"in another order", closed, []PotRule{other, pot}, []Pot{{}, {14_000_00, 300_00}}, nil},
		{"by other rules, under its name", closed, []PotRule{richer}, []Pot{{14_000_00, 300_00}}, nil},
		{"an empty pot is given up", closed, []PotRule{pot}, []Pot{{14_000_00, 300_00}}, nil},
		{"a pot that holds something is not", closed, []PotRule{other}, nil, ErrPotLeft},
		{"nor is a reserve", Session{Programme: of(other), Pots: []Pot{{0, 1}}}, nil, nil, ErrPotLeft},
	} {
		events, err := tc.last.OpenSession(SessionOpened{Day: "2027-03-08", Programme: of(tc.rules...)})
		if tc.err != nil {
			refuses(t, tc.name, err, tc.err)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if got := events[0].(SessionOpened).Pots; !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	for _, rules := range [][]PotRule{{pot, pot}, {{Name: " ", Pattern: ninety.Line, Within: 10, Cap: 1}}} {
		if faults := of(rules...)[0].Faults(); len(faults) != 1 || faults[0].Code != ErrProposalPot.Code {
			t.Errorf("pots %v: %v", rules, faults)
		}
	}
}
