package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"boulier/draw"
	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/journal"
	"boulier/ledger"
	"boulier/player"
	"boulier/regs"
)

// Bingo runs the interconnected bingo: one central server, one session at a time.
type Bingo struct {
	*Ground
	Cards *Cards

	mu         sync.Mutex
	lease      Lease      // under which this node runs the day
	leaseUntil time.Time  // when it lapses
	live       *liveRound // the round that is being drawn, in this process

	sold   []bingo.Sold // the cards of the round whose sale was closed last
	soldIn bingo.RoundID
}

// A liveRound is what a draw needs besides the state: made again after a stop.
type liveRound struct {
	round bingo.RoundID
	order []ninety.Ball
	board *bingo.Board
}

// NewBingo returns the bingo of a house.
func NewBingo(g *Ground, c *Cards) *Bingo { return &Bingo{Ground: g, Cards: c} }

// The names of states, which are streams and topics, too. Sales stand in a stream of their
// own, which no screen follows.
const (
	bingoSession       snakeCell[bingo.Session] = "bingo/session"
	nextBingo          counter                  = "next/bingo"
	nextBingoTerminal  counter                  = "next/bingo/terminal"
	BingoRoundPrefix                            = "bingo/round/"
	bingoTerminalRoot                           = "bingo/terminal/"
	bingoCodeRoot                               = "bingo/code/"
	bingoAccountPrefix                          = "bingo/account/"
)

func bingoRoundCell(id bingo.RoundID) snakeCell[bingo.Round] {
	return snakeCell[bingo.Round](BingoRoundPrefix + number(id))
}

func bingoSaleCell(id bingo.RoundID) snakeCell[bingo.Sale] {
	return snakeCell[bingo.Sale]("bingo/sale/" + number(id))
}

// bingoHandCell is what a player holds in a round.
func bingoHandCell(id bingo.RoundID, who player.ID) snakeCell[BingoHand] {
	return snakeCell[BingoHand]("bingo/hand/" + number(id) + "/" + who.String())
}

// A BingoHand is the purchases of a player in a round, and the places that were refunded.
type BingoHand struct {
	Bought []bingo.CardsSold
	Gone   []int
}

// Cards returns how many cards were bought.
func (h BingoHand) Cards() (n int) {
	for _, e := range h.Bought {
		n += e.Count
	}
	return n
}

func number[N ~int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// bingoAccountOf holds the money of a round: zero once it is over.
func bingoAccountOf(id bingo.RoundID) ledger.Path { return ledger.Path("bingo:" + number(id)) }

// heldAccount holds the prizes of a running round: they are the player's, and cannot be
// staked or withdrawn before it ends (reading B10).
func heldAccount(who player.ID) ledger.Path { return ledger.Path("player:" + who.String() + ":held") }

// houseBingo is what rounds leave to the house or take from it: the part of the sales that
// no prize has, what pots hold, refunds that the house bears.
const houseBingo ledger.Path = "house:bingo"

// What the bingo refuses besides what its rules do.
var (
	ErrBingoRound    = &regs.Violation{Ref: "bingo:93.1", Code: "bingo_round_unknown"}
	ErrBingoTerminal = &regs.Violation{Ref: "bingo:93.3", Code: "terminal_unknown"}
	ErrBingoCards    = &regs.Violation{Ref: "bingo:93.8", Code: "bingo_cards_unregistered"}
)

// A BingoAct is who does something.
type BingoAct struct {
	Request RequestID
	By      player.ID
}

// keys names what an act touches.
func (a BingoAct) keys(name string, params any, states ...string) Keys {
	keys := Keys{States: append(states, string(standingOf(a.By)))}
	if a.Request != (RequestID{}) {
		keys.Request = NewRequest(a.Request, "person/"+a.By.String(), "bingo/"+name, params)
	}
	return keys
}

// tellBingo appends events to a stream.
func tellBingo[E bingo.Event](tx Tx, stream string, events ...E) error {
	_, err := tellNumbered(tx, stream, events...)
	return err
}

// tellNumbered is tellBingo for whoever needs the number of the last event.
func tellNumbered[E bingo.Event](tx Tx, stream string, events ...E) (number uint64, err error) {
	for _, e := range events {
		body, err := encodeSnake(e)
		if err != nil {
			return 0, err
		}
		if number, err = tx.Append(stream, e.Kind(), body); err != nil {
			return 0, err
		}
	}
	return number, nil
}

// Session returns the session day.
func (b *Bingo) Session(ctx context.Context) (bingo.Session, error) {
	s, _, err := readSnake(ctx, b.Store, bingoSession)
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return s, err
}

// Round returns a round and the number of its last event; ErrNotFound if there is none.
func (b *Bingo) Round(ctx context.Context, id bingo.RoundID) (bingo.Round, uint64, error) {
	return readSnake(ctx, b.Store, bingoRoundCell(id))
}

// Sale returns the state of a round's sale.
func (b *Bingo) Sale(ctx context.Context, id bingo.RoundID) (bingo.Sale, error) {
	s, _, err := readSnake(ctx, b.Store, bingoSaleCell(id))
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return s, err
}

// Hand returns what a player holds in a round: a terminal receives its own cards only.
func (b *Bingo) Hand(ctx context.Context, id bingo.RoundID, who player.ID) (BingoHand, error) {
	h, _, err := readSnake(ctx, b.Store, bingoHandCell(id, who))
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return h, err
}

// onSession runs one act of a manager on the session day.
func (b *Bingo) onSession(ctx context.Context, a BingoAct, name string, params any,
	decide func(now time.Time, s bingo.Session) ([]bingo.Event, error)) error {
	_, err := Do(ctx, b.Store, a.keys(name, params, string(bingoSession), string(bingoDaysCell)), func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, a.By, ManageGames); err != nil {
			return struct{}{}, err
		}
		s, err := bingoSession.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		events, err := decide(tx.Now(), s)
		if err != nil {
			return struct{}{}, err
		}
		for _, e := range events {
			s = s.Apply(e)
		}
		bingoSession.Put(tx, s)
		number, err := tellNumbered(tx, string(bingoSession), events...)
		if err != nil {
			return struct{}{}, err
		}
		if opened, ok := events[0].(bingo.SessionOpened); ok {
			if err := noteDay(tx, opened.Day, number); err != nil {
				return struct{}{}, err
			}
		}
		if s.Open && !s.Paused && s.Playing == 0 && s.Started < s.Last {
			tx.Save(DueRow{Kind: DueBingo, Ref: "1", At: tx.Now()})
		}
		return struct{}{}, nil
	})
	return err
}

// OpenSession begins a day of play: its programme goes round by round from now on, from
// the first card of each series.
func (b *Bingo) OpenSession(ctx context.Context, a BingoAct, programme []bingo.Proposal) error {
	for _, p := range programme {
		for _, t := range p.Tracks {
			for _, name := range t.Series {
				s, _, err := seriesCell(name).Read(ctx, b.Store)
				if err != nil {
					return err
				}
				if !s.Registered || !s.Lined || s.First > 1 || s.Last < t.Size {
					return ErrBingoCards.With("%d cards of series %s", t.Size, name)
				}
			}
		}
	}
	return b.onSession(ctx, a, "open", programme, func(now time.Time, s bingo.Session) ([]bingo.Event, error) {
		return s.OpenSession(bingo.SessionOpened{Day: now.In(b.Zone).Format(day), Programme: programme, By: a.By})
	})
}

// Pause stops play after the round that is being played; Resume goes on.
func (b *Bingo) Pause(ctx context.Context, a BingoAct, reason string) error {
	return b.onSession(ctx, a, "pause", reason, func(_ time.Time, s bingo.Session) ([]bingo.Event, error) {
		return s.Pause(a.By, reason)
	})
}

// Resume ends a pause.
func (b *Bingo) Resume(ctx context.Context, a BingoAct) error {
	return b.onSession(ctx, a, "resume", nil, func(_ time.Time, s bingo.Session) ([]bingo.Event, error) {
		return s.Resume(a.By)
	})
}

// MarkLast makes a round that has not begun the last of the day (bingo:93.15).
func (b *Bingo) MarkLast(ctx context.Context, a BingoAct, round int) error {
	return b.onSession(ctx, a, "last", round, func(_ time.Time, s bingo.Session) ([]bingo.Event, error) {
		return s.MarkLast(round, a.By)
	})
}

// ChangeProgramme replaces the rounds that have not begun (bingo:93.11).
func (b *Bingo) ChangeProgramme(ctx context.Context, a BingoAct, from int, rounds []bingo.Proposal, notified time.Time) error {
	return b.onSession(ctx, a, "programme", []any{from, rounds, notified}, func(now time.Time, s bingo.Session) ([]bingo.Event, error) {
		return s.ChangeProgramme(bingo.ProgrammeChanged{From: from, Rounds: rounds, Notified: notified, By: a.By}, now)
	})
}

// CloseSession ends the day.
func (b *Bingo) CloseSession(ctx context.Context, a BingoAct) error {
	return b.onSession(ctx, a, "close", nil, func(_ time.Time, s bingo.Session) ([]bingo.Event, error) {
		return s.CloseSession(a.By)
	})
}

// A BingoTerminal is a terminal of a hall.
type BingoTerminal struct {
	ID      bingo.TerminalID
	Hall    string
	Name    string
	Code    string // the digest of the code that authorizes it
	Revoked bool
}

func bingoTerminalCell(id bingo.TerminalID) snakeCell[BingoTerminal] {
	return snakeCell[BingoTerminal](bingoTerminalRoot + number(id))
}

// bingoCodeCell finds a terminal by its code, of which only a digest is kept.
func bingoCodeCell(code string) Cell[bingo.TerminalID] {
	return Cell[bingo.TerminalID](bingoCodeRoot + bingoCodeDigest(code))
}

// AddTerminal describes a terminal of a hall and returns the code that authorizes it. The
// code is shown this once: a repeated request returns the terminal without it.
func (b *Bingo) AddTerminal(ctx context.Context, a BingoAct, hall, name string) (bingo.TerminalID, string, error) {
	code, fresh := b.newCode(), false
	id, err := again(func() (bingo.TerminalID, error) {
		last, _, err := nextBingoTerminal.Read(ctx, b.Store)
		if err != nil {
			return 0, err
		}
		id := bingo.TerminalID(last + 1)
		keys := a.keys("terminal", []any{hall, name}, string(nextBingoTerminal), string(bingoTerminalCell(id)),
			string(bingoCodeCell(code)))
		return Do(ctx, b.Store, keys, func(tx Tx) (bingo.TerminalID, error) {
			if err := requireBy(tx, a.By, ManageGames); err != nil {
				return 0, err
			}
			if n, err := next(tx, nextBingoTerminal); err != nil || bingo.TerminalID(n) != id {
				return 0, moved(err)
			}
			fresh = true
			bingoTerminalCell(id).Put(tx, BingoTerminal{ID: id, Hall: hall, Name: name, Code: bingoCodeDigest(code)})
			bingoCodeCell(code).Put(tx, id)
			return id, appendTo(tx, string(bingoTerminalCell(id)), "terminal_added", struct {
				Hall string    `json:"hall"`
				Name string    `json:"name"`
				By   player.ID `json:"by"`
			}{hall, name, a.By})
		})
	})
	if !fresh {
		code = ""
	}
	return id, code, err
}

// Terminal returns the terminal that a code authorizes.
func (b *Bingo) Terminal(ctx context.Context, code string) (BingoTerminal, error) {
	id, _, err := bingoCodeCell(code).Read(ctx, b.Store)
	if err != nil {
		return BingoTerminal{}, err
	}
	if id == 0 {
		return BingoTerminal{}, ErrBingoTerminal
	}
	t, _, err := readSnake(ctx, b.Store, bingoTerminalCell(id))
	if err == nil && (t.Revoked || t.Code != bingoCodeDigest(code)) {
		return BingoTerminal{}, ErrBingoTerminal.With("terminal %d has another code, or none", id)
	}
	return t, err
}

// sales returns the sale of a round from its stream.
func (b *Bingo) sales(ctx context.Context, id bingo.RoundID) (sold []bingo.CardsSold, gone []bingo.CardsRefunded, err error) {
	err = b.eachEvent(ctx, string(bingoSaleCell(id)), 0, func(l journal.Leaf, payload []byte) error {
		switch string(l.Kind) {
		case bingo.CardsSold{}.Kind():
			var e bingo.CardsSold
			if err := decodeSnake(payload, &e); err != nil {
				return err
			}
			sold = append(sold, e)
		case bingo.CardsRefunded{}.Kind():
			var e bingo.CardsRefunded
			if err := decodeSnake(payload, &e); err != nil {
				return err
			}
			gone = append(gone, e)
		}
		return nil
	})
	return sold, gone, err
}

// faces returns the cards of a sale in its order. Purchases one after another have cards one
// after another, so each track is read in long runs.
func (b *Bingo) faces(ctx context.Context, sales []bingo.CardsSold) ([]bingo.Sold, error) {
	var runs []bingo.Run
	open := map[ninety.Series]int{} // the last run of each series
	for _, e := range sales {
		for _, r := range e.Runs {
			if k, ok := open[r.Series]; ok && runs[k].To+1 == r.From {
				runs[k].To = r.To
				continue
			}
			open[r.Series] = len(runs)
			runs = append(runs, r)
		}
	}
	cards := map[ninety.Serial]ninety.Card{}
	for _, r := range runs {
		for row, err := range b.Cards.between(ctx, r.Series, r.From, r.To) {
			if err != nil {
				return nil, err
			}
			cards[row.Serial()] = row.Card()
		}
	}
	list := make([]bingo.Sold, 0, len(cards))
	for _, e := range sales {
		for serial := range e.Serials() {
			card, ok := cards[serial]
			if !ok {
				return nil, fmt.Errorf("app: purchase %d has card %s, which is not stored", e.Rank, serial)
			}
			list = append(list, bingo.Sold{Serial: serial, Card: card, Player: e.Player, Price: e.Price})
		}
	}
	return list, nil
}

// Audit checks a finished round by the second implementation.
func (b *Bingo) Audit(ctx context.Context, id bingo.RoundID) error {
	r, _, err := b.Round(ctx, id)
	if err != nil {
		return err
	}
	sale, err := b.Sale(ctx, id)
	if err != nil {
		return err
	}
	sales, gone, err := b.sales(ctx, id)
	if err != nil {
		return err
	}
	sold, err := b.faces(ctx, sales)
	if err != nil {
		return err
	}
	return bingo.Audit(r, sale, sold, sales, gone)
}

// bingoDraw names the draw of a round.
func bingoDraw(id bingo.RoundID) draw.ID { return draw.ID(number(id)) }
