package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"boulier/game/contest"
	"boulier/player"
)

// DueLegReminder writes to those who have not played yet, some time before the last limit.
const DueLegReminder = "contest_leg_reminder"

// remindBefore is how long before the last limit of a leg its reminders leave.
const remindBefore = 24 * time.Hour

// remindedCell is how far the reminders of a leg have come, so that each player gets one and
// a stop of the program sends none twice.
func remindedCell(id contest.LegID) Cell[reminders] {
	return Cell[reminders]("contest/reminded/" + refOf(id))
}

type reminders struct {
	After string    `json:"after,omitempty"` // the last entry looked at
	Sent  int       `json:"sent"`
	Done  time.Time `json:"done,omitzero"`
}

// remind puts the reminders of an open leg on the clock; a leg that opens later than they would
// leave has none.
func remind(tx Tx, l LegState) {
	at := l.Closes().Add(-remindBefore)
	if l.OpensAt.Before(at) {
		tx.Save(DueRow{Kind: DueLegReminder, Ref: refOf(l.ID), At: at})
	} else {
		tx.Delete(DueRow{Kind: DueLegReminder, Ref: refOf(l.ID)})
	}
}

// remindAtOnce is how many players one transaction of reminders looks at.
const remindAtOnce = 100

// Remind writes once to each registered player who has no slip in a leg and did not refuse
// reminders. It goes on where a stop has cut it short.
func (c *Contests) Remind(ctx context.Context, id contest.LegID) error {
	l, _, err := c.Leg(ctx, id)
	if err != nil {
		return err
	}
	for {
		course, _, err := remindedCell(id).Read(ctx, c.Store)
		if err != nil {
			return err
		}
		if !course.Done.IsZero() || l.Annulled() || !l.ClosedAt.IsZero() {
			return c.Store.Update(ctx, Keys{}, func(tx Tx) error {
				tx.Delete(DueRow{Kind: DueLegReminder, Ref: refOf(id)})
				return nil
			})
		}
		recs, err := c.Store.States(ctx, entryPrefix, course.After, remindAtOnce)
		if err != nil {
			return err
		}
		later, err := c.remindSome(ctx, l, course, recs)
		if err != nil || later {
			return err
		}
	}
}

// remindSome looks at a chunk of entries in one transaction: that somebody has no slip is read
// inside it, so that nobody who has played is written to.
func (c *Contests) remindSome(ctx context.Context, l LegState, course reminders, recs []StateRecord) (later bool, err error) {
	keys := Keys{States: []string{string(remindedCell(l.ID)), string(legCell(l.ID))}}
	ids := make([]player.ID, len(recs))
	letters := make([]Cell[Letter], len(recs))
	for i, rec := range recs {
		if _, err := fmt.Sscan(strings.TrimPrefix(rec.Name, entryPrefix), &ids[i]); err != nil {
			return false, fmt.Errorf("app: state %s: %w", rec.Name, err)
		}
		letters[i] = letterCell(fmt.Sprintf("reminder/%d/%d", l.ID, ids[i]))
		keys.States = append(keys.States, string(entryCell(ids[i])), string(profileCell(ids[i])), string(slipCell(l.ID, ids[i])), string(letters[i]))
	}
	err = c.Store.Update(ctx, keys, func(tx Tx) error {
		later = false
		now, err := remindedCell(l.ID).Get(tx)
		if err != nil || now != course {
			return err // another node was first
		}
		is, err := getLeg(tx, l.ID)
		if err != nil {
			return err
		}
		if at := is.Closes().Add(-remindBefore); tx.Now().Before(at) { // it was moved meanwhile
			later = true
			tx.Save(DueRow{Kind: DueLegReminder, Ref: refOf(l.ID), At: at})
			return nil
		}
		for i, who := range ids {
			now.After = recs[i].Name
			wants, p, err := c.wantsReminder(tx, l.ID, who)
			if err != nil {
				return err
			}
			if !wants {
				continue
			}
			now.Sent++
			letters[i].Put(tx, Letter{To: p.Email, Locale: p.Locale, Kind: "reminder", At: is.Closes(), Path: fmt.Sprintf("/legs/%d", l.ID),
				Values: map[string]string{"Title": is.Title, "Name": p.Given}})
		}
		if len(recs) < remindAtOnce {
			now.Done = tx.Now()
			tx.Delete(DueRow{Kind: DueLegReminder, Ref: refOf(l.ID)})
		}
		remindedCell(l.ID).Put(tx, now)
		return nil
	})
	return later, err
}

func (c *Contests) wantsReminder(tx Tx, leg contest.LegID, who player.ID) (bool, Profile, error) {
	e, err := entryCell(who).Get(tx)
	if err != nil || e.Status != EntryAdmitted {
		return false, Profile{}, err
	}
	slip, err := slipCell(leg, who).Get(tx)
	if err != nil || slip.Version > 0 {
		return false, Profile{}, err
	}
	p, err := profileCell(who).Get(tx)
	return p.Email != "" && !p.NoReminders, p, err
}

// Reminded returns how many reminders of a leg were written, and when the last was.
func (c *Contests) Reminded(ctx context.Context, id contest.LegID) (sent int, done time.Time, err error) {
	r, _, err := remindedCell(id).Read(ctx, c.Store)
	return r.Sent, r.Done, err
}
