package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"boulier/draw"
	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/internal/proof"
	"boulier/ledger"
	"boulier/player"
	"boulier/regs"
)

// A LotoID is the number of a day of loto, from 1.
type LotoID int64

func (id LotoID) String() string { return strconv.FormatInt(int64(id), 10) }

// Loto runs the hall loto.
type Loto struct {
	*Ground
	Cards *Cards

	mu      sync.Mutex
	orders  map[draw.ID][]ninety.Ball // of the rounds opened by this process
	winners winnersIndex              // of the round that was asked about last
}

// NewLoto returns the lotos of a house.
func NewLoto(g *Ground, c *Cards) *Loto {
	return &Loto{Ground: g, Cards: c, orders: map[draw.ID][]ninety.Ball{}}
}

// LotoPrefix begins the names of the states of days, which are their streams and topics.
const LotoPrefix = "loto/day/"

const nextLoto counter = "next/loto"

func lotoCell(id LotoID) Cell[LotoDay] { return Cell[LotoDay](LotoPrefix + id.String()) }

func stockCell(id LotoID, desk int) Cell[lotoStock] {
	return Cell[lotoStock]("loto/stock/" + id.String() + "/" + strconv.Itoa(desk))
}

// lotoAccount holds what came in for a day; what is bought for prizes is not its business.
func lotoAccount(id LotoID) ledger.Path { return ledger.Path("loto:" + id.String()) }

// roundID and tieID name the draws of a day; both numbers are from 1.
func roundID(id LotoID, round int) draw.ID {
	return draw.ID(fmt.Sprintf("%d/%d", id, round))
}

func tieID(id LotoID, round, prize int) draw.ID {
	return draw.ID(fmt.Sprintf("%d/%d/%d", id, round, prize))
}

// ErrLotoUnknown refuses what is asked of a day that there is not.
var ErrLotoUnknown = &regs.Violation{Ref: "loto:1", Code: "loto_unknown"}

// Day returns a day and the number of its last event; ErrNotFound if there is none.
func (l *Loto) Day(ctx context.Context, id LotoID) (LotoDay, uint64, error) {
	d, n, err := lotoCell(id).Read(ctx, l.Store)
	if err == nil && d.ID == 0 {
		err = ErrNotFound
	}
	return d, n, err
}

// Days returns every day by its number.
func (l *Loto) Days(ctx context.Context) ([]LotoDay, error) {
	return readCells[LotoDay](ctx, l.Store, LotoPrefix)
}

// Stocks returns what each desk of a day has sold, by the plan's order.
func (l *Loto) Stocks(ctx context.Context, d LotoDay) (list []loto.Stock, err error) {
	for _, desk := range d.Session.Plan.Desks {
		s, _, err := stockCell(d.ID, desk.Number).Read(ctx, l.Store)
		if err != nil {
			return nil, err
		}
		s.Desk = desk.Number
		list = append(list, s.Stock)
	}
	return list, nil
}

// A LotoAct is who does something to a day; every page sends one.
type LotoAct struct {
	Request RequestID
	By      player.ID
	Day     LotoID
}

// A lotoDo is what an act does, inside the transaction.
type lotoDo struct {
	name   string
	params any // what is asked for, besides the day
	may    Action
	caller bool // only whoever controls the calling may
	states []string
	money  []ledger.Path
	decide func(tx Tx, s loto.Session) ([]loto.Event, error)
	// after, if any, does what the events bring with them.
	after func(tx Tx, d LotoDay, events []loto.Event) error
}

// act runs one act of the day once: read, decide, apply, append.
func (l *Loto) act(ctx context.Context, a LotoAct, do lotoDo) error {
	cell := lotoCell(a.Day)
	keys := Keys{States: append(do.states, string(cell), string(standingOf(a.By))), Accounts: do.money}
	if a.Request != (RequestID{}) {
		keys.Request = NewRequest(a.Request, "person/"+a.By.String(), "loto/"+do.name, []any{a.Day, do.params})
	}
	_, err := Do(ctx, l.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, a.By, do.may); err != nil {
			return struct{}{}, err
		}
		d, err := cell.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if d.ID == 0 {
			return struct{}{}, ErrLotoUnknown.With("day %d", a.Day)
		}
		if do.caller && d.Session.Caller != a.By {
			return struct{}{}, loto.ErrNotCaller.With("person %d controls the calling", d.Session.Caller)
		}
		events, err := do.decide(tx, d.Session)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, l.keep(tx, a, d, events, do.after)
	})
	return err
}

// keep applies and appends events.
func (l *Loto) keep(tx Tx, a LotoAct, d LotoDay, events []loto.Event,
	after func(Tx, LotoDay, []loto.Event) error) error {
	cell := lotoCell(a.Day)
	for _, e := range events {
		d.Session = d.Session.Apply(e)
		d.Told, d.Ball, d.Alone = e.Kind(), 0, len(events) == 1
		if call, ok := e.(loto.BallCalled); ok {
			d.Ball = call.Ball
		}
	}
	if len(events) > 0 {
		cell.Put(tx, d)
	}
	if err := appendLoto(tx, cell, a.By, events); err != nil || after == nil {
		return err
	}
	return after(tx, d, events)
}

// simple is an act without effects outside the day.
func (l *Loto) simple(ctx context.Context, a LotoAct, name string, params any, may Action, caller bool,
	decide func(now time.Time, s loto.Session) ([]loto.Event, error)) error {
	return l.act(ctx, a, lotoDo{name: name, params: params, may: may, caller: caller,
		decide: func(tx Tx, s loto.Session) ([]loto.Event, error) { return decide(tx.Now(), s) }})
}

// A NewLotoDay is a manager's wish for a day.
type NewLotoDay struct {
	Request RequestID
	By      player.ID
	Plan    loto.Plan
}

// Create makes a day with its first plan.
func (l *Loto) Create(ctx context.Context, n NewLotoDay) (LotoID, error) {
	request := NewRequest(n.Request, "person/"+n.By.String(), "loto/create", n.Plan)
	return again(func() (LotoID, error) {
		last, _, err := nextLoto.Read(ctx, l.Store)
		if err != nil {
			return 0, err
		}
		id := LotoID(last + 1)
		cell := lotoCell(id)
		keys := Keys{Request: request, States: []string{string(nextLoto), string(cell), string(standingOf(n.By))}}
		return Do(ctx, l.Store, keys, func(tx Tx) (LotoID, error) {
			if err := requireBy(tx, n.By, ManageGames); err != nil {
				return 0, err
			}
			if got, err := next(tx, nextLoto); err != nil || LotoID(got) != id {
				return 0, moved(err)
			}
			return id, l.keep(tx, LotoAct{By: n.By, Day: id}, LotoDay{ID: id, Made: tx.Now()},
				[]loto.Event{loto.Planned{Plan: inUTC(n.Plan)}}, nil)
		})
	})
}

// ChangePlan replaces the plan of a day that has not opened.
func (l *Loto) ChangePlan(ctx context.Context, a LotoAct, p loto.Plan) error {
	return l.simple(ctx, a, "plan", p, ManageGames, false,
		func(_ time.Time, s loto.Session) ([]loto.Event, error) { return s.Change(inUTC(p)) })
}

// inUTC returns a plan whose times have no other zone: what is journaled has one text.
func inUTC(p loto.Plan) loto.Plan {
	p.Doors, p.Start, p.Breaks = p.Doors.UTC(), p.Start.UTC(), slices.Clone(p.Breaks)
	for i := range p.Breaks {
		p.Breaks[i].At = p.Breaks[i].At.UTC()
	}
	return p
}

// OpenDay commits to every draw of the day, has the commitments signed, and opens the doors
// and the sale (reading L17). An opening that was cut off between the two goes on.
func (l *Loto) OpenDay(ctx context.Context, a LotoAct) error {
	d, _, err := l.Day(ctx, a.Day)
	if err != nil {
		return err
	}
	if d.Session.Phase != loto.Opening {
		faults, err := l.Faults(ctx, d.Session.Plan)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return faults[0].Violation
		}
		if err := l.commitDay(ctx, a, d); err != nil {
			return err
		}
	}
	return l.openSale(ctx, a.By, a.Day)
}

// lotoBeforeCell is the signed checkpoint that covered the commitments of a day before its
// sale opened for the first time, in its text form.
func lotoBeforeCell(id LotoID) Cell[string] { return Cell[string]("loto/before/" + id.String()) }

// openSale opens the sale once a signed checkpoint covers the commitments.
func (l *Loto) openSale(ctx context.Context, by player.ID, id LotoID) error {
	checkpoint, err := l.CheckpointNow(ctx)
	if err != nil {
		return fmt.Errorf("app: the commitments of the day could not be signed: %w", err)
	}
	before := lotoBeforeCell(id)
	return l.act(ctx, LotoAct{By: by, Day: id}, lotoDo{name: "sale", may: ManageGames, states: []string{string(before)},
		decide: func(tx Tx, s loto.Session) ([]loto.Event, error) {
			if s.Phase == loto.Open {
				return nil, nil // a repeated request
			}
			if s.Day == 1 { // a day that was postponed keeps its first one
				before.Put(tx, checkpoint.Note)
			}
			return s.OpenSale()
		}})
}

// FinishOpening opens the sale of the days that the program was stopped while opening.
func (l *Loto) FinishOpening(ctx context.Context) error {
	days, err := l.Days(ctx)
	if err != nil {
		return err
	}
	for _, d := range days {
		if d.Session.Phase == loto.Opening {
			if err := l.openSale(ctx, SystemPerson, d.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// Faults returns what keeps a day from opening: what the rules say of its plan, and piles of
// cards that are not registered.
func (l *Loto) Faults(ctx context.Context, p loto.Plan) ([]loto.Fault, error) {
	all := p.Faults()
	for _, q := range p.Piles {
		s, _, err := seriesCell(q.Series).Read(ctx, l.Store)
		if err != nil {
			return nil, err
		}
		if !s.Registered || q.From < s.First || q.To > s.Last {
			all = append(all, loto.Fault{Violation: loto.ErrPlanPile.With("cards %s %d to %d are not registered", q.Series, q.From, q.To),
				At: loto.Place{Desk: q.Desk, Unit: q.Unit, Series: q.Series, From: q.From, To: q.To}})
		}
	}
	return all, nil
}

// commitDay draws and seals the secrets of a day that opens for the first time.
func (l *Loto) commitDay(ctx context.Context, a LotoAct, d LotoDay) error {
	var rows []Row
	var rounds, ties []string
	secret := func(use draw.Use, id draw.ID) string {
		s, row := l.newSecret(use, id)
		rows = append(rows, row)
		return draw.Commit(use, id, s).String()
	}
	for i, r := range d.Session.Plan.Rounds {
		if r.Cage { // nothing is drawn by the program, and nothing can be proved
			rounds, ties = append(rounds, ""), append(ties, make([]string, len(r.Prizes))...)
			continue
		}
		rounds = append(rounds, secret(draw.LotoRound, roundID(a.Day, i+1)))
		for k := range r.Prizes {
			ties = append(ties, secret(draw.LotoTie, tieID(a.Day, i+1, k+1)))
		}
	}
	err := l.act(ctx, a, lotoDo{name: "open", may: ManageGames,
		decide: func(tx Tx, s loto.Session) ([]loto.Event, error) {
			if len(s.Plan.Rounds) != len(d.Session.Plan.Rounds) {
				return nil, errMoved
			}
			first := len(s.Commitments) == 0
			events, err := s.OpenDay(rounds, ties)
			if err == nil && first {
				tx.Insert(rows...)
			}
			return events, err
		}})
	if errors.Is(err, errMoved) {
		return loto.ErrPlanFaults.With("the plan was changed while the day opened: open it again")
	}
	return err
}

// reveal opens the secrets of some rounds for their publication.
func (l *Loto) reveal(ctx context.Context, d LotoDay, rounds ...int) (list []proof.LotoSecrets, err error) {
	for _, n := range rounds {
		r := d.Session.Plan.Rounds[n-1]
		if r.Cage || len(d.Session.Commitments) == 0 {
			continue
		}
		s, err := l.openSecret(ctx, draw.LotoRound, roundID(d.ID, n), "server", "publication of the round")
		if err != nil {
			return nil, err
		}
		out := proof.LotoSecrets{Round: n, Secret: s.Reveal()}
		for k := range r.Prizes {
			t, err := l.openSecret(ctx, draw.LotoTie, tieID(d.ID, n, k+1), "server", "publication of the round")
			if err != nil {
				return nil, err
			}
			out.Ties = append(out.Ties, t.Reveal())
		}
		list = append(list, out)
	}
	return list, nil
}

// publish appends revealed secrets to the stream of the day.
func publish(list []proof.LotoSecrets) func(Tx, LotoDay, []loto.Event) error {
	return func(tx Tx, d LotoDay, _ []loto.Event) error {
		cell := lotoCell(d.ID)
		for _, s := range list {
			body, err := encodeSnake(s)
			if err != nil {
				return err
			}
			if _, err := tx.Append(string(cell), string(proof.KindSecrets), body); err != nil {
				return err
			}
		}
		if len(list) > 0 {
			d.Alone = false
			cell.Put(tx, d)
		}
		return nil
	}
}

// CloseDay ends the day and publishes the secrets of the rounds that were not played.
func (l *Loto) CloseDay(ctx context.Context, a LotoAct, reason string) error {
	d, _, err := l.Day(ctx, a.Day)
	if err != nil {
		return err
	}
	if _, err := d.Session.CloseDay(reason); err != nil {
		return err // nothing is opened for an act that is refused
	}
	var rest []int
	for n := len(d.Session.Results) + 1; n <= len(d.Session.Plan.Rounds); n++ {
		rest = append(rest, n)
	}
	list, err := l.reveal(ctx, d, rest...)
	if err != nil {
		return err
	}
	return l.act(ctx, a, lotoDo{name: "close", params: reason, may: ManageGames, after: publish(list),
		decide: func(_ Tx, s loto.Session) ([]loto.Event, error) {
			if len(s.Results) != len(d.Session.Results) {
				return nil, loto.ErrRoundOrder.With("a round was played meanwhile")
			}
			return s.CloseDay(reason)
		}})
}

// A Postponement moves a day (loto:24).
type Postponement struct {
	Doors, Start time.Time
	Reason       string
}

// Postpone moves a day: cards and reservations stay valid, cards are stamped again.
func (l *Loto) Postpone(ctx context.Context, a LotoAct, p Postponement) error {
	return l.postpone(ctx, a, p, ManageGames, false)
}

// PostponeByCaller is Postpone for the one who controls the calling, between two rounds.
func (l *Loto) PostponeByCaller(ctx context.Context, a LotoAct, p Postponement) error {
	return l.postpone(ctx, a, p, CallLoto, true)
}

func (l *Loto) postpone(ctx context.Context, a LotoAct, p Postponement, may Action, caller bool) error {
	return l.simple(ctx, a, "postpone", p, may, caller,
		func(now time.Time, s loto.Session) ([]loto.Event, error) {
			return s.Postpone(p.Doors.UTC(), p.Start.UTC(), now, p.Reason)
		})
}

// digestOf is the salt of a draw: the SHA-256 of its lines, and its text.
func digestOf(lines []byte) ([]byte, string) {
	sum := sha256.Sum256(lines)
	return sum[:], hex.EncodeToString(sum[:])
}
