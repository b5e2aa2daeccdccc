package app

import (
	"context"
	"strconv"
	"time"

	"boulier/game/contest"
	"boulier/player"
)

// DueLegCloses counts the slips of a leg at its last limit, DueLegFinal and
// DueContestFinal end the days for disputes (contest:17).
const (
	DueLegCloses    = "contest_leg_closes"
	DueLegFinal     = "contest_leg_final"
	DueContestFinal = "contest_final"
)

// A ContestOrder names who asks for something about a contest, and for it once.
type ContestOrder struct {
	Request RequestID
	By      player.ID
	Contest contest.ID
}

// A LegOrder names who asks for something about a leg, and for it once.
type LegOrder struct {
	Request RequestID
	By      player.ID
	Leg     contest.LegID
}

// CreateContest begins a contest, which only its editors see.
func (c *Contests) CreateContest(ctx context.Context, o ContestOrder, title, organizer string, terms contest.Terms) (contest.ID, error) {
	request := NewRequest(o.Request, "person/"+o.By.String(), "contest/create", []any{title, organizer, terms})
	return again(func() (contest.ID, error) {
		last, _, err := nextContest.Read(ctx, c.Store)
		if err != nil {
			return 0, err
		}
		id := contest.ID(last + 1)
		keys := Keys{Request: request,
			States: []string{string(nextContest), string(contestCell(id)), string(standingOf(o.By))}}
		return Do(ctx, c.Store, keys, func(tx Tx) (contest.ID, error) {
			if err := requireBy(tx, o.By, EditContests); err != nil {
				return 0, err
			}
			e, err := contest.Create(title, organizer, terms)
			if err != nil {
				return 0, err
			}
			if n, err := next(tx, nextContest); err != nil || contest.ID(n) != id {
				return 0, moved(err)
			}
			s := ContestState{ID: id, By: o.By}
			return id, s.tell(tx, o.By, e)
		})
	})
}

// AddLeg adds a leg to a contest, as a draft (contest:13).
func (c *Contests) AddLeg(ctx context.Context, o ContestOrder, p contest.Plan) (contest.LegID, error) {
	request := NewRequest(o.Request, "person/"+o.By.String(), "contest/leg", []any{o.Contest, p})
	return again(func() (contest.LegID, error) {
		last, _, err := nextLeg.Read(ctx, c.Store)
		if err != nil {
			return 0, err
		}
		id := contest.LegID(last + 1)
		keys := Keys{Request: request, States: []string{string(nextLeg), string(legCell(id)),
			string(contestCell(o.Contest)), string(standingOf(o.By))}}
		return Do(ctx, c.Store, keys, func(tx Tx) (contest.LegID, error) {
			if err := requireBy(tx, o.By, EditContests); err != nil {
				return 0, err
			}
			s, err := getContest(tx, o.Contest)
			if err != nil {
				return 0, err
			}
			added, err := s.AddLeg(id)
			if err != nil {
				return 0, err
			}
			if n, err := next(tx, nextLeg); err != nil || contest.LegID(n) != id {
				return 0, moved(err)
			}
			if err := s.tell(tx, o.By, added); err != nil {
				return 0, err
			}
			l := LegState{ID: id, Contest: o.Contest, Number: len(s.Legs)}
			drafted, err := l.Draft(p)
			if err != nil {
				return 0, err
			}
			return id, l.tell(tx, o.By, drafted)
		})
	})
}

// onContest carries out an order to a contest by who may do what.
func (c *Contests) onContest(ctx context.Context, o ContestOrder, action string, params any, may Action,
	decide func(tx Tx, s ContestState) (contest.ContestEvent, error)) error {
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "contest/"+action, []any{o.Contest, params}),
		States: []string{string(contestCell(o.Contest)), string(standingOf(o.By))}}
	_, err := Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, o.By, may); err != nil {
			return struct{}{}, err
		}
		s, err := getContest(tx, o.Contest)
		if err != nil {
			return struct{}{}, err
		}
		e, err := decide(tx, s)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.tell(tx, o.By, e)
	})
	return err
}

// AnnounceGift puts up a special gift before the contest opens (contest:11).
func (c *Contests) AnnounceGift(ctx context.Context, o ContestOrder, g contest.SpecialGift) error {
	return c.onContest(ctx, o, "gift", g, ManageGames, func(tx Tx, s ContestState) (contest.ContestEvent, error) {
		return s.AnnounceGift(g, tx.Now())
	})
}

// Announce shows a contest to everybody, and opens it from a time on.
func (c *Contests) Announce(ctx context.Context, o ContestOrder, opensAt time.Time) error {
	return c.onContest(ctx, o, "announce", opensAt.UnixMicro(), ManageGames,
		func(tx Tx, s ContestState) (contest.ContestEvent, error) { return s.Announce(opensAt, tx.Now()) })
}

// onLeg carries out an order to a leg. A leg whose proclamation is under way takes none.
func (c *Contests) onLeg(ctx context.Context, o LegOrder, action string, params any, may Action,
	decide func(tx Tx, l LegState) (contest.LegEvent, error)) error {
	keys := Keys{Request: NewRequest(o.Request, "person/"+o.By.String(), "leg/"+action, []any{o.Leg, params}),
		States: []string{string(legCell(o.Leg)), string(jobCell(legSubject(o.Leg))), string(standingOf(o.By))}}
	_, err := Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, o.By, may); err != nil {
			return struct{}{}, err
		}
		l, err := getLeg(tx, o.Leg)
		if err != nil {
			return struct{}{}, err
		}
		if err := notBusy(tx, legSubject(o.Leg)); err != nil {
			return struct{}{}, err
		}
		e, err := decide(tx, l)
		if err != nil {
			return struct{}{}, err
		}
		if err := l.tell(tx, o.By, e); err != nil {
			return struct{}{}, err
		}
		if !l.OpensAt.IsZero() && l.ClosedAt.IsZero() && !l.Annulled() {
			tx.Save(DueRow{Kind: DueLegCloses, Ref: refOf(l.ID), At: l.Closes()})
			remind(tx, l)
		}
		return struct{}{}, nil
	})
	return err
}

func refOf(id contest.LegID) string { return strconv.FormatInt(int64(id), 10) }

// DraftLeg replaces the plan of a leg that is not published.
func (c *Contests) DraftLeg(ctx context.Context, o LegOrder, p contest.Plan) error {
	return c.onLeg(ctx, o, "draft", p, EditContests,
		func(_ Tx, l LegState) (contest.LegEvent, error) { return l.Draft(p) })
}

// PublishLeg opens a leg for slips, at once or at a later time; never before its contest.
func (c *Contests) PublishLeg(ctx context.Context, o LegOrder, opensAt time.Time) error {
	l, _, err := c.Leg(ctx, o.Leg)
	if err != nil {
		return err
	}
	s, _, err := c.Contest(ctx, l.Contest)
	if err != nil {
		return err
	}
	return c.onLeg(ctx, o, "publish", opensAt.UnixMicro(), ManageGames,
		func(tx Tx, l LegState) (contest.LegEvent, error) {
			if s.OpensAt.IsZero() { // once set it never changes
				return nil, contest.ErrContestDraft.With("contest %d", s.ID)
			}
			for _, earliest := range []time.Time{s.OpensAt, tx.Now()} {
				if opensAt.Before(earliest) {
					opensAt = earliest
				}
			}
			return l.Publish(opensAt)
		})
}

// MoveLimit gives a fixture another start and limit (contest:13).
func (c *Contests) MoveLimit(ctx context.Context, o LegOrder, fixture int, startsAt, limit time.Time, reason string) error {
	return c.onLeg(ctx, o, "limit", []any{fixture, startsAt.UnixMicro(), limit.UnixMicro(), reason}, ManageGames,
		func(tx Tx, l LegState) (contest.LegEvent, error) {
			return l.MoveLimit(fixture, startsAt, limit, reason, tx.Now())
		})
}

// EnterResults makes a new version of the endings of a leg and computes its ranking anew.
// A correction of proclaimed results is paid by Proclaim, which books the difference.
func (c *Contests) EnterResults(ctx context.Context, o LegOrder, endings []contest.Ending, reason string, decided bool) error {
	l, _, err := c.Leg(ctx, o.Leg)
	if err != nil {
		return err
	}
	may := EditContests
	if l.Proclaimed.Count > 0 {
		may = ManageGames // who proclaims corrects
	}
	err = c.onLeg(ctx, o, "results", []any{endings, reason, decided}, may,
		func(tx Tx, l LegState) (contest.LegEvent, error) {
			if l.Proclaimed.Count > 0 {
				if err := requireBy(tx, o.By, ManageGames); err != nil {
					return nil, err
				}
			}
			if !l.ClosedAt.IsZero() {
				scoreLater(tx, l.ID)
			}
			return l.Enter(endings, reason, decided, tx.Now(), c.Zone)
		})
	if err != nil {
		return err
	}
	return c.Score(ctx, o.Leg)
}
