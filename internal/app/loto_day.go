package app

import (
	"context"
	"fmt"
	"time"

	"boulier/draw"
	"boulier/game/loto"

	"boulier/regs"
)

// A LotoPlanning is an organizer's plan of a day; a Day of 0 makes a new one.
type LotoPlanning struct {
	LotoOrder
	Plan loto.Plan
}

// Plan makes a day, or changes the plan of one that has not opened. A plan may have faults
// until the day opens.
func (l *Loto) Plan(ctx context.Context, o LotoPlanning) (LotoID, error) {
	if o.Day != 0 {
		s, err := l.change(ctx, o.LotoOrder, "plan", o.Plan, ManageGames, nil,
			func(_ Tx, s LotoState) ([]loto.Event, error) { return s.Change(o.Plan) })
		return s.ID, err
	}
	request := NewRequest(o.Request, "person/"+o.By.String(), "loto/make", o.Plan)
	return again(func() (LotoID, error) {
		last, _, err := nextLoto.Read(ctx, l.Store)
		if err != nil {
			return 0, err
		}
		id := LotoID(last + 1)
		keys := Keys{Request: request,
			States: []string{string(nextLoto), string(lotoCell(id)), string(standingOf(o.By))}}
		return Do(ctx, l.Store, keys, func(tx Tx) (LotoID, error) {
			if err := requireBy(tx, o.By, ManageGames); err != nil {
				return 0, err
			}
			if n, err := next(tx, nextLoto); err != nil || LotoID(n) != id {
				return 0, moved(err)
			}
			s := LotoState{ID: id, By: o.By, At: tx.Now()}
			events, err := s.Change(o.Plan)
			if err != nil {
				return 0, err
			}
			return id, tellDay(tx, &s, events)
		})
	})
}

// Faults returns what keeps a day from opening: what the rules say of its plan, and piles of
// cards that are not registered.
func (l *Loto) Faults(ctx context.Context, p loto.Plan) ([]*regs.Violation, error) {
	all := p.Faults()
	for _, q := range p.Piles {
		s, _, err := seriesCell(q.Series).Read(ctx, l.Store)
		if err != nil {
			return nil, err
		}
		if !s.Registered || q.From < s.First || q.To > s.Last {
			all = append(all, loto.ErrPlanPile.With("cards %s %d to %d are not registered", q.Series, q.From, q.To))
		}
	}
	return all, nil
}

// OpenDay commits to every draw of the day, has the commitments signed, and opens the sale.
func (l *Loto) OpenDay(ctx context.Context, o LotoOrder) error {
	s, _, err := l.Day(ctx, o.Day)
	if err != nil {
		return err
	}
	faults, err := l.Faults(ctx, s.Plan)
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return faults[0]
	}
	var event loto.DayOpened
	var rows []Row
	commit := func(use draw.Use, id draw.ID) string {
		secret, row := l.newSecret(use, id)
		rows = append(rows, row)
		return draw.Commit(use, id, secret).String()
	}
	for i, r := range s.Plan.Rounds {
		of := ""
		if !r.Cage {
			of = commit(draw.LotoRound, lotoRoundID(o.Day, i+1))
		}
		event.Commitments = append(event.Commitments, of)
		for _, p := range r.Prizes {
			if of = ""; !r.Cage {
				of = commit(draw.LotoTie, lotoTieID(o.Day, i+1, p.Stage))
			}
			event.Ties = append(event.Ties, of)
		}
	}
	_, err = l.change(ctx, o, "open", nil, ManageGames, nil, func(tx Tx, now LotoState) ([]loto.Event, error) {
		events, err := now.OpenDay(event.Commitments, event.Ties)
		if err == nil && len(now.Commitments) == 0 { // a postponed day keeps its secrets
			tx.Insert(rows...)
		}
		return events, err
	})
	if err != nil {
		return err
	}
	return l.openSale(ctx, o.Day)
}

// openSale has the commitments of a day covered by a signed checkpoint, then opens the sale.
func (l *Loto) openSale(ctx context.Context, id LotoID) error {
	if _, err := l.CheckpointNow(ctx); err != nil {
		return err
	}
	_, err := l.change(ctx, LotoOrder{By: SystemPerson, Day: id}, "sale", nil, ManageGames, nil,
		func(_ Tx, s LotoState) ([]loto.Event, error) {
			if s.Phase != loto.Opening {
				return nil, nil
			}
			return s.OpenSale()
		})
	return err
}

// Resume finishes what a stop of the program may have left: a day that waits for its
// checkpoint, secrets of closed days that are not revealed.
func (l *Loto) Resume(ctx context.Context) error {
	days, err := l.Days(ctx)
	if err != nil {
		return err
	}
	for _, s := range days {
		switch s.Phase {
		case loto.Opening:
			err = l.openSale(ctx, s.ID)
		case loto.Closed:
			err = l.revealAll(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A LotoPostponement moves a day (loto:24).
type LotoPostponement struct {
	LotoOrder
	Doors, Start time.Time
	Reason       string
}

// Postpone moves the day: cards and reservations stay valid, stamps do not (reading L11).
func (l *Loto) Postpone(ctx context.Context, o LotoPostponement) error {
	_, err := l.change(ctx, o.LotoOrder, "postpone", []any{o.Doors.UnixMicro(), o.Start.UnixMicro(), o.Reason},
		ManageGames, nil, func(tx Tx, s LotoState) ([]loto.Event, error) {
			return s.Postpone(o.Doors, o.Start, tx.Now(), o.Reason)
		})
	return err
}

// CloseDay ends the day and reveals every secret of it that is left.
func (l *Loto) CloseDay(ctx context.Context, o LotoOrder, reason string) error {
	s, err := l.change(ctx, o, "close", reason, ManageGames, nil,
		func(_ Tx, s LotoState) ([]loto.Event, error) { return s.CloseDay(reason) })
	if err != nil {
		return err
	}
	return l.revealAll(ctx, s)
}

// lotoRevealed is the event of a secret that everyone may know.
type lotoRevealed struct {
	Use        string `json:"use"`
	ID         string `json:"id"`
	Commitment string `json:"commitment"`
	Secret     string `json:"secret"`
	Salt       string `json:"salt,omitempty"`
}

// revealedCell remembers that the secrets of a round are revealed; it is also the stream
// that says them.
func revealedCell(id LotoID, round int) Cell[bool] {
	return Cell[bool](fmt.Sprintf("loto/revealed/%d/%d", id, round))
}

// revealAll reveals what the rounds of a closed day have not revealed.
func (l *Loto) revealAll(ctx context.Context, s LotoState) error {
	for i := range s.Plan.Rounds {
		if err := l.revealRound(ctx, s, i+1); err != nil {
			return err
		}
	}
	return nil
}

// revealRound reveals the secrets of a round: it is played, or never will be.
func (l *Loto) revealRound(ctx context.Context, s LotoState, round int) error {
	cell := revealedCell(s.ID, round)
	if done, _, err := cell.Read(ctx, l.Store); err != nil || done || s.Plan.Rounds[round-1].Cage ||
		len(s.Commitments) == 0 {
		return err
	}
	salts := map[loto.Stage]string{}
	salt := ""
	for _, r := range s.Results {
		if r.Round == round {
			salt = r.Salt
			for _, w := range r.Won {
				salts[s.Plan.Rounds[round-1].Prizes[w.Prize].Stage] = w.Tie.Salt
			}
		}
	}
	var list []lotoRevealed
	add := func(use draw.Use, id draw.ID, salt string) error {
		secret, err := l.openSecret(ctx, use, id, "server", "reveal")
		if err != nil {
			return err
		}
		list = append(list, lotoRevealed{string(use), string(id), draw.Commit(use, id, secret).String(),
			secret.Reveal(), salt})
		return nil
	}
	if err := add(draw.LotoRound, lotoRoundID(s.ID, round), salt); err != nil {
		return err
	}
	for _, p := range s.Plan.Rounds[round-1].Prizes {
		if err := add(draw.LotoTie, lotoTieID(s.ID, round, p.Stage), salts[p.Stage]); err != nil {
			return err
		}
	}
	return l.Store.Update(ctx, Keys{States: []string{string(cell)}}, func(tx Tx) error {
		if done, err := cell.Get(tx); err != nil || done {
			return err
		}
		for _, e := range list {
			if err := cell.Append(tx, "secret_revealed", e); err != nil {
				return err
			}
		}
		cell.Put(tx, true)
		return nil
	})
}

// A LotoDispute is a dispute and how it was decided (loto:22).
type LotoDispute struct {
	LotoOrder
	Question, Decision string
}

// Decide records a decision of the organizer or the caller. Its words stand in the journal's
// erasable part.
func (l *Loto) Decide(ctx context.Context, o LotoDispute) error {
	_, err := l.change(ctx, o.LotoOrder, "dispute", []any{o.Question, o.Decision}, CallLoto, nil,
		func(_ Tx, s LotoState) ([]loto.Event, error) { return s.Decide(o.Question, o.Decision) })
	return err
}

// TakeControl gives the controls of the day to whoever asks; the one who had them loses them.
func (l *Loto) TakeControl(ctx context.Context, o LotoOrder) error {
	_, err := l.change(ctx, o, "control", nil, CallLoto, nil,
		func(_ Tx, s LotoState) ([]loto.Event, error) { return s.TakeControl(o.By) })
	return err
}
