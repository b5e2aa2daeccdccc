package bingopages

import (
	"context"
	"encoding/json"
	"strings"

	"boulier/game/bingo"
	"boulier/internal/app"
	"boulier/internal/web"
	"boulier/internal/web/pages"
	"boulier/money"
)

// Prefix begins the names of all that is of the bingo.
const Prefix = "bingo/"

// Changed passes what a commit has done to the bingo to the screens that follow it:
// rounds and the day by their facts, sales and nearness by gauges of the round, an announcement
// by a gauge of the day, where an account is by a gauge of its money.
func (s *Section) Changed(state app.Changed) {
	switch {
	case strings.HasPrefix(state.Name, app.BingoRoundPrefix):
		s.Hub.Renew(state.Name)
	case state.Name == app.BingoSessionTopic:
		if day, ok := state.Value.(bingo.Session); ok {
			s.day.Store(&day)
		}
		s.Hub.Renew(state.Name)
	case strings.HasPrefix(state.Name, app.BingoAccountPrefix):
		if a, ok := state.Value.(app.BingoAccount); ok { // the terminal that it has left lets go of it
			s.Hub.Gauge(pages.WalletTopic(a.Player), "seat", bingoJSON(map[string]bingo.TerminalID{"terminal": a.Terminal}))
		}
	case state.Name == app.BingoProposalsState:
		s.Hub.Gauge(app.BingoSessionTopic, "notice", json.RawMessage("{}")) // screens look again
	case strings.HasPrefix(state.Name, app.BingoSalePrefix):
		if sale, ok := state.Value.(bingo.Sale); ok {
			topic := app.BingoRoundPrefix + strings.TrimPrefix(state.Name, app.BingoSalePrefix)
			s.Hub.Gauge(topic, "sold", soldData(sale, s.day.Load()))
		}
	case strings.HasPrefix(state.Name, app.BingoNearPrefix):
		if n, ok := state.Value.(app.BingoNear); ok {
			topic := app.BingoRoundPrefix + strings.TrimPrefix(state.Name, app.BingoNearPrefix)
			s.Hub.Renew(topic) // the ball that it goes with
			s.Hub.Gauge(topic, "near", bingoJSON(n))
		}
	}
}

// bingoJSON writes data that cannot fail.
func bingoJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // numbers and texts only
	}
	return b
}

// soldData are the data of the gauge « sold »: the cards sold so far, and what the prizes and
// pots would be if the sale closed now.
func soldData(sale bingo.Sale, day *bingo.Session) json.RawMessage {
	data := struct {
		Cards   int           `json:"cards"`
		Amounts []money.Cents `json:"amounts"`
		Pots    []money.Cents `json:"pots"`
	}{Cards: sale.Cards - sale.Left}
	if day != nil && day.Started > 0 {
		p := day.Programme[day.Started-1]
		data.Amounts = p.Amounts(sale.Takings - sale.Back)
		data.Pots = potAmounts(fedPots(p, day.Pots, sale))
	}
	return bingoJSON(data)
}

// winnersTold is how many winning cards a fact names; a screen that has won asks for its own.
const winnersTold = 6

// bingoFact are the data of a fact of a round or of the day: what screens show of it.
func bingoFact(kind string, payload []byte) ([]byte, error) {
	event, err := app.ReadBingoEvent(kind, payload)
	if err != nil {
		return nil, err
	}
	switch e := event.(type) {
	case bingo.SaleOpened:
		return bingoJSON(struct {
			Closes int64 `json:"closes"`
			Last   bool  `json:"last"`
		}{e.Window.Closes.UnixMilli(), e.Last}), nil
	case bingo.SaleClosed:
		return bingoJSON(struct {
			Cards   int           `json:"cards"`
			Amounts []money.Cents `json:"amounts"`
			Pots    []money.Cents `json:"pots"`
		}{e.Cards, e.Amounts, potAmounts(e.Pots)}), nil
	case bingo.BallDrawn:
		return bingoJSON(struct {
			Ball   int   `json:"ball"`
			Number int   `json:"number"`
			At     int64 `json:"at"` // microseconds
		}{int(e.Ball), e.Number, e.At.UnixMicro()}), nil
	case bingo.PrizeWon:
		return bingoJSON(wonData(e.Win)), nil
	case bingo.RoundEnded:
		return bingoJSON(struct {
			Reason bingo.End `json:"reason"`
		}{e.Reason}), nil
	}
	return []byte("{}"), nil
}

// A wonFact is what a fact says of a win.
type wonFact struct {
	Prize   int         `json:"prize"`
	Pot     bool        `json:"pot"`
	Ball    int         `json:"ball"`
	Amount  money.Cents `json:"amount"`
	Winners int         `json:"winners"`
	Serials []string    `json:"serials"`
}

func wonData(w bingo.Win) wonFact {
	f := wonFact{Prize: w.Prize, Pot: w.Pot, Ball: w.Ball, Amount: w.Amount, Winners: len(w.Winners)}
	for _, x := range w.Winners[:min(len(w.Winners), winnersTold)] {
		f.Serials = append(f.Serials, x.Serial.String())
	}
	return f
}

func potAmounts(pots []bingo.Pot) []money.Cents {
	list := make([]money.Cents, len(pots))
	for i, p := range pots {
		list[i] = p.Amount
	}
	return list
}

// Missed reads the facts of a round or of the day that a stream has missed.
func (s *Section) Missed(ctx context.Context, topic string, after int64, max int) ([]web.Fact, error) {
	return s.House.Missed(ctx, topic, after, max, bingoFact)
}
