package app

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"boulier/draw"
	"boulier/game/loto"
	"boulier/game/ninety"
	"boulier/player"
	"boulier/regs"
)

// A LotoID is the number of a day of hall loto, from 1.
type LotoID int64

func (id LotoID) String() string { return strconv.FormatInt(int64(id), 10) }

// A LotoState is a day: the state of the stream loto/day/ID, which holds its facts.
type LotoState struct {
	ID LotoID
	loto.Session
	By   player.ID // who made it
	At   time.Time
	Last LotoFact
}

// A LotoFact is the latest fact of a day, as screens that follow it are told.
type LotoFact struct {
	Number uint64 // in the stream
	Kind   string
	Data   json.RawMessage // of a number that is called; empty for others
}

// The names of what a day keeps.
const (
	nextLoto       counter = "next/loto"
	LotoDayPrefix          = "loto/day/"
	lotoStockRoot          = "loto/stock/"
	lotoTicketRoot         = "loto/reservation/"
)

func lotoCell(id LotoID) Cell[LotoState] { return Cell[LotoState](LotoDayPrefix + id.String()) }

// stockCell is what a desk has sold on a day, and the stream of its sales.
func stockCell(id LotoID, desk int) Cell[loto.Stock] {
	return Cell[loto.Stock](lotoStockRoot + id.String() + "/" + strconv.Itoa(desk))
}

// reservationCell is a « billet de réservation » of a day.
func reservationCell(id LotoID, code string) Cell[loto.Reservation] {
	return Cell[loto.Reservation](lotoTicketRoot + id.String() + "/" + code)
}

// Loto runs the days of hall loto.
type Loto struct {
	*Ground
	Cards *Cards
	Desk  Desk

	mu    sync.Mutex
	balls map[string][]ninety.Ball // by use and identifier of the draw and its salt
}

// NewLoto returns the days of a house.
func NewLoto(g *Ground, cards *Cards) *Loto {
	return &Loto{Ground: g, Cards: cards, Desk: Desk{g}, balls: map[string][]ninety.Ball{}}
}

// ErrLotoUnknown refuses a day that does not exist.
var ErrLotoUnknown = &regs.Violation{Ref: "loto:1", Code: "loto_unknown"}

// A LotoOrder is somebody's order to a day.
type LotoOrder struct {
	Request RequestID
	By      player.ID
	Day     LotoID
}

// Day returns a day; ErrNotFound if there is none.
func (l *Loto) Day(ctx context.Context, id LotoID) (LotoState, uint64, error) {
	s, n, err := lotoCell(id).Read(ctx, l.Store)
	if err == nil && s.ID == 0 {
		err = ErrNotFound
	}
	return s, n, err
}

// Days returns all days, oldest first.
func (l *Loto) Days(ctx context.Context) ([]LotoState, error) {
	return readCells[LotoState](ctx, l.Store, LotoDayPrefix)
}

// Stocks returns what each desk of a day has sold, in the order of the plan's desks.
func (l *Loto) Stocks(ctx context.Context, s LotoState) (list []loto.Stock, err error) {
	for _, d := range s.Plan.Desks {
		st, _, err := stockCell(s.ID, d.Number).Read(ctx, l.Store)
		if err != nil {
			return nil, err
		}
		st.Desk = d.Number
		list = append(list, st)
	}
	return list, nil
}

// stockNames are the states of every desk of a plan.
func stockNames(id LotoID, p loto.Plan) (names []string) {
	for _, d := range p.Desks {
		names = append(names, string(stockCell(id, d.Number)))
	}
	return names
}

// stocksIn reads them inside a transaction whose keys name them.
func stocksIn(tx Tx, id LotoID, p loto.Plan) (list []loto.Stock, err error) {
	for _, d := range p.Desks {
		st, err := stockCell(id, d.Number).Get(tx)
		if err != nil {
			return nil, err
		}
		st.Desk = d.Number
		list = append(list, st)
	}
	return list, nil
}

// A decision says what happens on a day; it runs inside a transaction.
type decision func(tx Tx, s LotoState) ([]loto.Event, error)

// change carries out an order to a day: who may, what the rules decide, the facts. More
// are the states besides the day that decide reads.
func (l *Loto) change(ctx context.Context, o LotoOrder, name string, params any, need Action,
	more []string, decide decision) (LotoState, error) {
	cell := lotoCell(o.Day)
	keys := Keys{States: append([]string{string(cell), string(standingOf(o.By))}, more...)}
	if o.Request != (RequestID{}) {
		keys.Request = NewRequest(o.Request, "person/"+o.By.String(), "loto/"+name, []any{o.Day, params})
	}
	return Do(ctx, l.Store, keys, func(tx Tx) (LotoState, error) {
		if err := requireBy(tx, o.By, need); err != nil {
			return LotoState{}, err
		}
		s, err := cell.Get(tx)
		if err != nil {
			return s, err
		}
		if s.ID == 0 {
			return s, ErrLotoUnknown.With("day %d", o.Day)
		}
		events, err := decide(tx, s)
		if err != nil {
			return s, err
		}
		return s, tellDay(tx, &s, events)
	})
}

// tellDay applies events to a day and journals them.
func tellDay(tx Tx, s *LotoState, events []loto.Event) error {
	cell := lotoCell(s.ID)
	for _, e := range events {
		s.Session = s.Apply(e)
		n, err := appendNumbered(tx, string(cell), e.Kind(), e)
		if err != nil {
			return err
		}
		s.Last = LotoFact{Number: n, Kind: e.Kind()}
		if e, ok := e.(loto.BallCalled); ok {
			s.Last.Data, _ = json.Marshal(e)
		}
	}
	if len(events) > 0 {
		cell.Put(tx, *s)
	}
	return nil
}

// asCaller lets only who holds the controls of the day do something.
func asCaller(by player.ID, decide decision) decision {
	return func(tx Tx, s LotoState) ([]loto.Event, error) {
		if s.Caller != by {
			return nil, loto.ErrNotCaller.With("person %d calls", s.Caller)
		}
		return decide(tx, s)
	}
}

// The draws of a day are named by its number, the round and, for tokens, the stage.
func lotoRoundID(day LotoID, round int) draw.ID { return draw.ID(fmt.Sprintf("%d/%d", day, round)) }

func lotoTieID(day LotoID, round int, stage loto.Stage) draw.ID {
	return draw.ID(fmt.Sprintf("%d/%d/%d", day, round, stage))
}

// drawn returns the ninety numbers of a draw of a day in their order. The secret is opened
// once a process, and the journal says so.
func (l *Loto) drawn(ctx context.Context, use draw.Use, id draw.ID, salt string) ([]ninety.Ball, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := string(use) + "\n" + string(id) + "\n" + salt
	if order, ok := l.balls[name]; ok {
		return order, nil
	}
	public, err := hex.DecodeString(salt)
	if err != nil {
		return nil, fmt.Errorf("app: the salt of %s %s: %w", use, id, err)
	}
	secret, err := l.openSecret(ctx, use, id, "server", "draw")
	if err != nil {
		return nil, err
	}
	l.balls[name] = ninety.Draw(draw.NewStream(use, id, secret, public))
	return l.balls[name], nil
}

// LotoEvent reads a fact of a day or of a desk's stock as it is journaled; nil for one that
// the rules of the game do not know.
func LotoEvent(kind string, payload []byte) (loto.Event, error) {
	e, ok := lotoEvents[kind]
	if !ok {
		return nil, nil
	}
	return e(payload)
}

func decodeLoto[E loto.Event](payload []byte) (loto.Event, error) {
	var e E
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, fmt.Errorf("app: a %s: %w", e.Kind(), err)
	}
	return e, nil
}

// lotoEvents are the readers of facts, by kind.
var lotoEvents = map[string]func([]byte) (loto.Event, error){
	"planned": decodeLoto[loto.Planned], "day_opened": decodeLoto[loto.DayOpened],
	"sale_opened": decodeLoto[loto.SaleOpened], "rules_recalled": decodeLoto[loto.RulesRecalled],
	"control_taken": decodeLoto[loto.ControlTaken], "round_opened": decodeLoto[loto.RoundOpened],
	"ball_called": decodeLoto[loto.BallCalled], "call_corrected": decodeLoto[loto.CallCorrected],
	"call_repeated": decodeLoto[loto.CallRepeated], "draw_stopped": decodeLoto[loto.DrawStopped],
	"draw_resumed": decodeLoto[loto.DrawResumed], "claim_made": decodeLoto[loto.ClaimMade],
	"check_began": decodeLoto[loto.CheckBegan], "claim_checked": decodeLoto[loto.ClaimChecked],
	"claims_rejected": decodeLoto[loto.ClaimsRejected], "tie_found": decodeLoto[loto.TieFound],
	"share_answered": decodeLoto[loto.ShareAnswered], "token_drawn": decodeLoto[loto.TokenDrawn],
	"prize_awarded": decodeLoto[loto.PrizeAwarded], "prize_handed_over": decodeLoto[loto.PrizeHandedOver],
	"round_closed": decodeLoto[loto.RoundClosed], "paused": decodeLoto[loto.Paused],
	"pause_ended": decodeLoto[loto.PauseEnded], "dispute_decided": decodeLoto[loto.DisputeDecided],
	"person_excluded": decodeLoto[loto.PersonExcluded], "day_postponed": decodeLoto[loto.DayPostponed],
	"day_closed": decodeLoto[loto.DayClosed],
	"cards_sold": decodeLoto[loto.CardsSold], "sale_taken_back": decodeLoto[loto.SaleTakenBack],
	"cards_stamped": decodeLoto[loto.CardsStamped], "cards_voided": decodeLoto[loto.CardsVoided],
}
