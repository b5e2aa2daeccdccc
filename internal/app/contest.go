package app

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"boulier/draw"
	"boulier/game/contest"
	"boulier/ledger"
	"boulier/player"
	"boulier/regs"
)

// Contests runs the prediction contests: legs are built, slips validated, results entered,
// pots shared, gifts given. What is decided is decided by package contest.
type Contests struct {
	*Ground

	working sync.Mutex // one long work at a time on this node

	mu  sync.Mutex
	key *draw.Secret // of the digests of requests that hold predictions, once opened

	people *draw.Secret // of the digests of names and addresses, likewise
	links  *draw.Secret // of the links to parents, likewise
}

// NewContests returns the contests of a house.
func NewContests(g *Ground) *Contests { return &Contests{Ground: g} }

// A ContestState is a contest as it is stored.
type ContestState struct {
	contest.Contest
	ID contest.ID
	By player.ID
}

// A LegState is a leg as it is stored.
type LegState struct {
	contest.Leg
	ID      contest.LegID
	Contest contest.ID
	Number  int // in its contest, from 1
}

// Path of the pot of the leg.
func (l LegState) pot() ledger.Path {
	return ledger.Path(fmt.Sprintf("contest:%d:%d", l.Contest, l.ID))
}

func (c ContestState) pot() ledger.Path { return ledger.Path(fmt.Sprintf("contest:%d", c.ID)) }

const (
	nextContest counter = "next/contest"
	nextLeg     counter = "next/contest_leg"

	contestPrefix = "contest/contest/"
	legPrefix     = "contest/leg/"
)

func contestCell(id contest.ID) snakeCell[ContestState] {
	return snakeCell[ContestState](contestPrefix + strconv.FormatInt(int64(id), 10))
}

func legCell(id contest.LegID) snakeCell[LegState] {
	return snakeCell[LegState](legPrefix + strconv.FormatInt(int64(id), 10))
}

// countCell counts the slips of a leg: one a player, however often it is changed (Reading
// C14).
func countCell(id contest.LegID) Cell[int] {
	return Cell[int]("contest/count/" + strconv.FormatInt(int64(id), 10))
}

// What nuggets come from and go to outside players and pots.
const (
	houseNuggets   ledger.Path = "house:nuggets:issued"      // what pots are made of
	houseRemainder ledger.Path = "house:nuggets:remainder"   // what no rank gets (Readings C15, C16)
	houseSpent     ledger.Path = "house:nuggets:spent"       // on gifts
	houseMissing   ledger.Path = "house:nuggets:uncollected" // corrections that a spent balance could not give back
)

func freeNuggets(id player.ID) ledger.Path {
	return ledger.Path("player:" + id.String() + ":nuggets")
}

func pendingNuggets(id player.ID) ledger.Path {
	return ledger.Path("player:" + id.String() + ":nuggets:pending")
}

// The refusals of orders to contests that are the platform's own.
var (
	ErrContestUnknown = &regs.Violation{Ref: "contest:13", Code: "contest_unknown"}
	ErrLegUnknown     = &regs.Violation{Ref: "contest:13", Code: "leg_unknown"}
	ErrLegBusy        = &regs.Violation{Ref: "contest:7", Code: "leg_busy"}
)

// legKinds and contestKinds give each fact its stable name in the journal.
var legKinds = map[string]contest.LegEvent{
	"leg_drafted": contest.LegDrafted{}, "leg_published": contest.LegPublished{},
	"limit_moved": contest.LimitMoved{}, "leg_closed": contest.LegClosed{},
	"results_entered": contest.ResultsEntered{}, "leg_scored": contest.LegScored{},
	"leg_proclaimed": contest.LegProclaimed{}, "leg_finished": contest.LegFinished{},
	"leg_annulled": contest.LegAnnulled{},
}

var contestKinds = map[string]contest.ContestEvent{
	"contest_created": contest.ContestCreated{}, "leg_added": contest.LegAdded{},
	"gift_announced": contest.GiftAnnounced{}, "contest_announced": contest.ContestAnnounced{},
	"contest_ranked": contest.ContestRanked{}, "contest_proclaimed": contest.ContestProclaimed{},
	"contest_finished": contest.ContestFinished{},
}

// kindOf returns the name of a fact.
func kindOf[E any](kinds map[string]E, e any) string {
	for name, zero := range kinds {
		if reflect.TypeOf(zero) == reflect.TypeOf(e) {
			return name
		}
	}
	panic(fmt.Sprintf("app: a fact %T without a name", e))
}

// factOf reads a fact that was written under a name; nil for one of another kind.
func factOf[E any](kinds map[string]E, kind string, payload []byte) (e E, err error) {
	zero, ok := kinds[kind]
	if !ok {
		return e, nil
	}
	v := reflect.New(reflect.TypeOf(zero))
	if err := decodeSnake(payload, v.Interface()); err != nil {
		return e, fmt.Errorf("app: a fact %s: %w", kind, err)
	}
	return v.Elem().Interface().(E), nil
}

// tell writes a fact with who did it, and applies it.
func (l *LegState) tell(tx Tx, by player.ID, e contest.LegEvent) error {
	l.Leg = l.Apply(e)
	legCell(l.ID).Put(tx, *l)
	return appendFact(tx, string(legCell(l.ID)), kindOf(legKinds, e), by, e)
}

func (c *ContestState) tell(tx Tx, by player.ID, e contest.ContestEvent) error {
	c.Contest = c.Apply(e)
	contestCell(c.ID).Put(tx, *c)
	return appendFact(tx, string(contestCell(c.ID)), kindOf(contestKinds, e), by, e)
}

// appendFact writes the fields of a fact and the person behind it, 0 for the clock.
func appendFact(tx Tx, stream, kind string, by player.ID, fact any) error {
	body, err := encodeSnake(fact)
	if err != nil {
		return err
	}
	who, _ := encodeSnake(struct{ By player.ID }{by})
	if len(body) > 2 && len(who) > 2 {
		body = append(append(body[:len(body)-1], ','), who[1:]...)
	} else if len(body) == 2 {
		body = who
	}
	_, err = tx.Append(stream, kind, body)
	return err
}

// getLeg returns a leg among the keys.
func getLeg(tx Tx, id contest.LegID) (LegState, error) {
	l, err := legCell(id).Get(tx)
	if err == nil && l.ID == 0 {
		err = ErrLegUnknown.With("leg %d", id)
	}
	return l, err
}

func getContest(tx Tx, id contest.ID) (ContestState, error) {
	c, err := contestCell(id).Get(tx)
	if err == nil && c.ID == 0 {
		err = ErrContestUnknown.With("contest %d", id)
	}
	return c, err
}

// Leg returns a leg and the number of its last event; ErrNotFound if there is none.
func (c *Contests) Leg(ctx context.Context, id contest.LegID) (LegState, uint64, error) {
	return readSnake(ctx, c.Store, legCell(id))
}

// Contest returns a contest and the number of its last event; ErrNotFound if there is none.
func (c *Contests) Contest(ctx context.Context, id contest.ID) (ContestState, uint64, error) {
	return readSnake(ctx, c.Store, contestCell(id))
}

func readSnake[T any](ctx context.Context, r Reader, cell snakeCell[T]) (v T, number uint64, err error) {
	rec, err := r.State(ctx, string(cell))
	if err != nil {
		return v, 0, err
	}
	if len(rec.Body) == 0 {
		return v, 0, ErrNotFound
	}
	return v, rec.Number, decodeSnake(rec.Body, &v)
}

// Contests returns all contests, oldest first.
func (c *Contests) Contests(ctx context.Context) ([]ContestState, error) {
	return readNumbered(ctx, c.Store, contestPrefix, func(b []byte) (s ContestState, err error) {
		err = decodeSnake(b, &s)
		return s, err
	})
}

// Legs returns the legs of a contest, in their order.
func (c *Contests) Legs(ctx context.Context, s ContestState) ([]LegState, error) {
	legs := make([]LegState, 0, len(s.Legs))
	for _, id := range s.Legs {
		l, _, err := c.Leg(ctx, id)
		if err != nil {
			return nil, err
		}
		legs = append(legs, l)
	}
	return legs, nil
}

// Slips returns how many players have a slip in a leg (contest:8.leg).
func (c *Contests) Slips(ctx context.Context, id contest.LegID) (int, error) {
	n, _, err := countCell(id).Read(ctx, c.Store)
	return n, err
}

// requestKey returns the key of the digests of requests that hold predictions: without it
// anybody who reads the table of requests could try the few slips there are (Reading C25).
func (c *Contests) requestKey(ctx context.Context) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.key == nil {
		key, err := c.houseKey(ctx, "contest/requests", "key", "digests of requests to validate a slip")
		if err != nil {
			return nil, err
		}
		c.key = &key
	}
	return c.key[:], nil
}

// parseRef reads a reference such as "leg/7".
func parseRef(ref string) (kind string, n int64, err error) {
	kind, number, ok := strings.Cut(ref, "/")
	n, err = strconv.ParseInt(number, 10, 64)
	if !ok || err != nil {
		return "", 0, errors.New("app: not a reference: " + ref)
	}
	return kind, n, nil
}
