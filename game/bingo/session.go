package bingo

import (
	"slices"
	"strings"
	"time"

	"boulier/player"
	"boulier/regs"
)

// The events of a Session.
type (
	// SessionOpened begins a day of play with a programme.
	SessionOpened struct {
		Day       string // its date, to which a PIN is bound
		Programme []Proposal
		Starts    []Cursor // where the last session ended
		Pots      []Pot
		By        player.ID
	}
	// RoundStarted takes the next round of the programme.
	RoundStarted struct {
		Round  RoundID
		Number int
		Last   bool
	}
	// RoundFinished returns what the next round begins with: cursors and pots.
	RoundFinished struct {
		Round  RoundID
		Starts []Cursor
		Pots   []Pot
		Void   bool
	}
	// SessionPaused and SessionResumed stand around a pause between rounds.
	SessionPaused struct {
		By     player.ID
		Reason string
	}
	SessionResumed struct{ By player.ID }
	// LastMarked makes a round that has not begun the last of the day (reading B12).
	LastMarked struct {
		Number int
		By     player.ID
	}
	// ProgrammeChanged replaces the rounds that have not begun; it is announced to players
	// and written up for the regulator (bingo:93.11).
	ProgrammeChanged struct {
		From     int // number of the first round that changes
		Rounds   []Proposal
		Notified time.Time
		By       player.ID
	}
	// SessionClosed ends the day.
	SessionClosed struct{ By player.ID }
)

// Kind implements Event.
func (SessionOpened) Kind() string    { return "session_opened" }
func (RoundStarted) Kind() string     { return "round_started" }
func (RoundFinished) Kind() string    { return "round_finished" }
func (SessionPaused) Kind() string    { return "session_paused" }
func (SessionResumed) Kind() string   { return "session_resumed" }
func (LastMarked) Kind() string       { return "last_marked" }
func (ProgrammeChanged) Kind() string { return "programme_changed" }
func (SessionClosed) Kind() string    { return "session_closed" }

// A Session is a day of play.
type Session struct {
	Day       string
	Programme []Proposal
	Open      bool
	Paused    bool
	Playing   RoundID // 0 between rounds
	Started   int     // rounds of the programme
	Last      int     // number of the last round
	Starts    []Cursor
	Pots      []Pot
}

// What the course of a day refuses.
var (
	ErrSession   = &regs.Violation{Ref: "bingo:93.15", Code: "session_phase"}
	ErrPaused    = &regs.Violation{Ref: "bingo:93.15", Code: "session_paused"}
	ErrRunning   = &regs.Violation{Ref: "std:43", Code: "round_running"}
	ErrLastRound = &regs.Violation{Ref: "bingo:93.15", Code: "last_round"}
	ErrPotLeft   = &regs.Violation{Ref: "bingo:93.11", Code: "pot_left_behind"}
	ErrTracks    = &regs.Violation{Ref: "bingo:93.8", Code: "tracks_differ"}
)

func sameTrack(a, b Track) bool {
	return a.Price == b.Price && a.Size == b.Size && slices.Equal(a.Series, b.Series)
}

// checkProgramme refuses rounds that cannot be played, or that sell other cards than the
// rounds before: the cards go on from round to round (reading B5).
func checkProgramme(tracks []Track, pots []PotRule, list []Proposal) error {
	for _, p := range list {
		if faults := p.Faults(); len(faults) > 0 {
			return ErrProposal.With("%q: %v", p.Title, faults[0])
		}
		if !slices.EqualFunc(p.Tracks, tracks, sameTrack) || !slices.Equal(p.Pots, pots) {
			return ErrTracks.With("%q sells other cards or feeds other pots", p.Title)
		}
	}
	return nil
}

// OpenSession begins a day; without cursors the first round begins with the first cards,
// without pots with those of the last day. The
// final round of the programme is the last one (reading B12).
func (s Session) OpenSession(e SessionOpened) ([]Event, error) {
	if s.Open || s.Day == e.Day || strings.TrimSpace(e.Day) == "" {
		return nil, ErrSession.With("day %q, open %t", s.Day, s.Open)
	}
	if len(e.Programme) == 0 {
		return nil, ErrLastRound.With("no round")
	}
	first := e.Programme[0]
	if err := checkProgramme(first.Tracks, first.Pots, e.Programme); err != nil {
		return nil, err
	}
	if e.Starts == nil {
		e.Starts = slices.Repeat([]Cursor{{0, 1}}, len(first.Tracks))
	}
	if e.Pots == nil {
		var err error
		if e.Pots, err = s.carried(first.Pots); err != nil {
			return nil, err
		}
	}
	if len(e.Starts) != len(first.Tracks) || len(e.Pots) != len(first.Pots) {
		return nil, ErrTracks.With("%d cursors, %d pots", len(e.Starts), len(e.Pots))
	}
	return []Event{e}, nil
}

// carried returns what the pots of a new day begin with: what the last day left to the pot of
// the same name (reading B8). A pot that holds something is not left behind (std:46).
func (s Session) carried(rules []PotRule) ([]Pot, error) {
	pots := make([]Pot, len(rules))
	if len(s.Programme) == 0 {
		return pots, nil
	}
	for i, old := range s.Programme[0].Pots {
		k := slices.IndexFunc(rules, func(r PotRule) bool { return r.Name == old.Name })
		switch {
		case k >= 0:
			pots[k] = s.Pots[i]
		case s.Pots[i] != Pot{}:
			return nil, ErrPotLeft.With("%q holds %s EUR and %s EUR in reserve", old.Name, s.Pots[i].Amount, s.Pots[i].Reserve)
		}
	}
	return pots, nil
}

// between refuses what only happens between two rounds of an open day.
func (s Session) between() error {
	switch {
	case !s.Open:
		return ErrSession.With("day %q is closed", s.Day)
	case s.Playing != 0:
		return ErrRunning.With("round %d", s.Playing)
	}
	return nil
}

// StartRound takes the next round of the programme.
func (s Session) StartRound(id RoundID) ([]Event, error) {
	if err := s.between(); err != nil {
		return nil, err
	}
	switch {
	case s.Paused:
		return nil, ErrPaused
	case s.Started >= s.Last:
		return nil, ErrLastRound.With("round %d was the last", s.Last)
	}
	n := s.Started + 1
	return []Event{RoundStarted{id, n, n == s.Last}}, nil
}

// FinishRound takes over what a round that is over or void leaves to the next one. The cards
// go on after both; the pots are changed by a round that was played only (reading B10).
func (s Session) FinishRound(r Round, sale Sale) ([]Event, error) {
	if s.Playing == 0 || s.Playing != r.ID {
		return nil, ErrSession.With("round %d is not being played", r.ID)
	}
	if err := r.in(Over, Void); err != nil {
		return nil, err
	}
	e := RoundFinished{r.ID, s.Starts, s.Pots, r.Phase == Void}
	if sale.Tracks != nil {
		e.Starts = sale.Next()
	}
	if r.Phase == Over {
		e.Pots = r.Next
	}
	return []Event{e}, nil
}

// Pause stops play after the round that is being played.
func (s Session) Pause(by player.ID, reason string) ([]Event, error) {
	switch {
	case !s.Open || s.Paused:
		return nil, ErrSession.With("open %t, paused %t", s.Open, s.Paused)
	case strings.TrimSpace(reason) == "":
		return nil, ErrReason
	}
	return []Event{SessionPaused{by, reason}}, nil
}

// Resume ends a pause.
func (s Session) Resume(by player.ID) ([]Event, error) {
	if !s.Open || !s.Paused {
		return nil, ErrSession.With("open %t, paused %t", s.Open, s.Paused)
	}
	return []Event{SessionResumed{by}}, nil
}

// MarkLast makes a round the last of the day, before its sale opens (bingo:93.15).
func (s Session) MarkLast(number int, by player.ID) ([]Event, error) {
	switch {
	case !s.Open:
		return nil, ErrSession.With("day %q is closed", s.Day)
	case number <= s.Started || number > len(s.Programme):
		return nil, ErrLastRound.With("round %d, %d have begun of %d", number, s.Started, len(s.Programme))
	}
	return []Event{LastMarked{number, by}}, nil
}

// ChangeProgramme replaces the rounds that have not begun. Where prizes change, the
// regulator was notified five days before (reading B8).
func (s Session) ChangeProgramme(e ProgrammeChanged, at time.Time) ([]Event, error) {
	switch {
	case !s.Open:
		return nil, ErrSession.With("day %q is closed", s.Day)
	case e.From != s.Started+1 || len(e.Rounds) == 0:
		return nil, ErrLastRound.With("from round %d, %d have begun", e.From, s.Started)
	}
	before := s.Programme[min(s.Started, len(s.Programme)-1)]
	if err := checkProgramme(before.Tracks, before.Pots, e.Rounds); err != nil {
		return nil, err
	}
	for i, p := range e.Rounds {
		was := s.Programme[min(s.Started+i, len(s.Programme)-1)]
		if err := was.CheckNotice(p, e.Notified, at); err != nil {
			return nil, err
		}
	}
	return []Event{e}, nil
}

// CloseSession ends the day.
func (s Session) CloseSession(by player.ID) ([]Event, error) {
	if err := s.between(); err != nil {
		return nil, err
	}
	return []Event{SessionClosed{by}}, nil
}

// Apply returns the session after an event.
func (s Session) Apply(e Event) Session {
	switch e := e.(type) {
	case SessionOpened:
		s = Session{Day: e.Day, Programme: e.Programme, Open: true, Last: len(e.Programme),
			Starts: e.Starts, Pots: e.Pots}
	case RoundStarted:
		s.Playing, s.Started = e.Round, e.Number
	case RoundFinished:
		s.Playing, s.Starts, s.Pots = 0, e.Starts, e.Pots
	case SessionPaused:
		s.Paused = true
	case SessionResumed:
		s.Paused = false
	case LastMarked:
		s.Last = e.Number
	case ProgrammeChanged:
		s.Programme = append(slices.Clone(s.Programme[:e.From-1]), e.Rounds...)
		s.Last = len(s.Programme)
	case SessionClosed:
		s.Open, s.Paused = false, false
	}
	return s
}
