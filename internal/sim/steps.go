package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/app/apptest"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// choose draws who does what next.
func (w *World) choose() (what string, do func() error) {
	steps := []struct {
		what   string
		weight int
		do     func() error
	}{
		{"register", 2, w.register},
		{"load", 6, w.load},
		{"pay out", 2, w.payOut},
		{"buy", 30, w.buy},
		{"uncover", 8, w.uncover},
		{"read history", 3, w.history},
		{"open an issue", 2, w.openIssue},
		{"close an issue", 1, w.closeIssue},
		{"buy cards", 20, w.buyCards},
		{"play the bingo on", 12, w.playOn},
		{"void a round", 1, w.voidRound},
		{"jump in time", 3, w.jump},
		{"do what is due", 3, w.due},
		{"ask again", 12, w.askAgain},
		{"start again", 1, w.restart},
	}
	total := 0
	for _, s := range steps {
		total += s.weight
	}
	n := w.rand.IntN(total)
	for _, s := range steps {
		if n -= s.weight; n < 0 {
			return s.what, s.do
		}
	}
	panic("unreachable")
}

// ask makes a request until it is answered, and remembers how to make it again. A violation
// is an answer; any other error is not, and fails the simulation.
func ask[T comparable](w *World, what string, id app.RequestID, do func(app.RequestID) (T, error)) (T, *regs.Violation, error) {
	var answer T
	again := func() (any, error) { return do(id) }
	err := w.insist(func() (err error) {
		answer, err = do(id)
		return err
	})
	refusal, refused := errors.AsType[*regs.Violation](err)
	if err != nil && !refused {
		return answer, nil, err
	}
	w.done = append(w.done, done{what, answer, refusal, again})
	return answer, refusal, nil
}

// somebody draws a player, 0 before the first.
func (w *World) somebody() player.ID {
	if len(w.players) == 0 {
		return 0
	}
	return w.players[w.rand.IntN(len(w.players))]
}

// somePlayers is how many players there are at most: passwords take time.
const somePlayers = 5 + guests

func (w *World) register() error {
	if len(w.players) == somePlayers {
		return nil
	}
	name := fmt.Sprintf("player%d", len(w.players))
	born := time.Date(1990+w.rand.IntN(24), 1, 2, 0, 0, 0, 0, time.UTC) // some are too young
	id, refused, err := ask(w, "register", app.NewRequestID(), func(r app.RequestID) (player.ID, error) {
		return app.People{Ground: w.ground}.Register(context.Background(), app.Registration{Request: r,
			SignIn: name, Password: "a long password", Name: name, Locale: "fr", Rules: w.rules, Born: born})
	})
	if err == nil && refused == nil {
		w.players = append(w.players, id)
	}
	return err
}

// atDesk has the cashier load an account or pay it out.
func (w *World) atDesk(what string, sign money.Cents, do func(app.Desk, app.DeskOrder) (app.DeskEntry, error)) error {
	who := w.somebody()
	if who == 0 {
		return nil
	}
	amount := money.Cents(100 + 100*w.rand.IntN(30))
	_, refused, err := ask(w, what, app.NewRequestID(), func(r app.RequestID) (int64, error) {
		e, err := do(app.Desk{Ground: w.ground}, app.DeskOrder{Request: r, Cashier: w.cashier, Player: who,
			Means: app.Cash, Amount: amount})
		return e.Number, err
	})
	switch {
	case err != nil:
		return err
	case refused == nil:
		w.money[who] += sign * amount
	case sign > 0 || w.money[who] >= amount && !refused.Is(app.ErrDrawerShort):
		return fmt.Errorf("%s EUR were refused: %w", amount, refused)
	}
	return nil
}

func (w *World) load() error {
	return w.atDesk("load", 1, func(d app.Desk, o app.DeskOrder) (app.DeskEntry, error) {
		return d.Load(context.Background(), o)
	})
}

func (w *World) payOut() error {
	return w.atDesk("pay out", -1, func(d app.Desk, o app.DeskOrder) (app.DeskEntry, error) {
		return d.PayOut(context.Background(), o)
	})
}

// someIssue draws an issue, nil before the first: the latest ones most often.
func (w *World) someIssue() *issue {
	if len(w.issues) == 0 {
		return nil
	}
	return &w.issues[max(w.rand.IntN(len(w.issues)), w.rand.IntN(len(w.issues)))]
}

func (w *World) buy() error {
	who, from := w.somebody(), w.someIssue()
	if who == 0 || from == nil {
		return nil
	}
	sold, refused, err := ask(w, "buy", app.NewRequestID(), func(r app.RequestID) (app.Sold, error) {
		return w.game.BuyUnit(context.Background(), app.Purchase{Request: r, Player: who, Issue: from.id})
	})
	const price = 200
	switch {
	case err != nil:
		return err
	case refused != nil && refused.Is(app.ErrBalanceShort) && w.money[who] >= price:
		return fmt.Errorf("somebody with %s EUR was refused: %w", w.money[who], refused)
	case refused != nil:
		w.Counts[refused.Code]++
		return nil
	}
	w.Counts["sold"]++
	unit, err := w.store.Unit(context.Background(), int64(sold.Unit.Block), sold.Unit.Number)
	if err != nil {
		return err
	}
	w.money[who] += unit.Prize - price
	if unit.SoldAt.Before(from.window.Opens) || !unit.SoldAt.Before(from.window.Closes) || from.closed {
		return fmt.Errorf("unit %s was sold at %s, outside of %v", sold.Unit, unit.SoldAt, from.window)
	}
	if unit.Player != who {
		return fmt.Errorf("unit %s was sold to person %d and is of person %d", sold.Unit, who, unit.Player)
	}
	return nil
}

func (w *World) uncover() error {
	who := w.somebody()
	if who == 0 {
		return nil
	}
	_, _, err := ask(w, "uncover", app.NewRequestID(), func(r app.RequestID) (struct{}, error) {
		return struct{}{}, w.game.Uncover(context.Background(), app.Uncovering{Request: r, Player: who})
	})
	return err
}

// history reads what somebody has bought: every unit, and after it the whole balance shows.
func (w *World) history() error {
	who := w.somebody()
	if who == 0 {
		return nil
	}
	return w.insist(func() error {
		ctx := context.Background()
		units, err := w.game.History(ctx, who, app.Cursor{}, 1000)
		if err != nil {
			return err
		}
		for _, u := range units {
			if _, err := w.game.Unit(ctx, who, u.Unit); err != nil {
				return err // its face does not show what was sold
			}
		}
		purse, err := w.ground.Purse(ctx, who)
		if err == nil && (purse.Covered != app.UnitRef{} || purse.Shown != w.money[who]) {
			err = fmt.Errorf("after the history %+v is shown of %s EUR", purse, w.money[who])
		}
		return err
	})
}

func (w *World) openIssue() error {
	opens := w.clock().Add(time.Duration(w.rand.IntN(3)) * time.Minute).Truncate(time.Microsecond)
	window := instant.Window{Opens: opens, Closes: opens.Add(time.Duration(1+w.rand.IntN(96)) * time.Hour)}
	blocks := 1 + w.rand.IntN(2)
	id, refused, err := ask(w, "open an issue", app.NewRequestID(), func(r app.RequestID) (instant.IssueID, error) {
		return w.game.OpenIssue(context.Background(), app.IssueOpening{Request: r, By: w.manager, Game: w.imported,
			Window: window, Blocks: blocks})
	})
	if err != nil || refused != nil {
		return errors.Join(err, asError(refused))
	}
	w.issues = append(w.issues, issue{id: id, window: window})
	return w.insist(func() error { return w.game.MakeWanted(context.Background()) })
}

func asError(v *regs.Violation) error {
	if v == nil {
		return nil
	}
	return v
}

func (w *World) closeIssue() error {
	which := w.someIssue()
	if which == nil {
		return nil
	}
	_, refused, err := ask(w, "close an issue", app.NewRequestID(), func(r app.RequestID) (struct{}, error) {
		return struct{}{}, w.game.CloseIssue(context.Background(),
			app.IssueOrder{Request: r, By: w.manager, Issue: which.id})
	})
	if err == nil && refused == nil {
		which.closed = true
	}
	return err
}

// jump moves the clock on, a little or by days, or back, as clocks that are set do.
func (w *World) jump() error {
	by := time.Duration(w.rand.Int64N(int64(2 * time.Hour)))
	switch w.rand.IntN(8) {
	case 0:
		by = -by / 4
	case 1:
		by *= 24
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(by)
	return nil
}

func (w *World) due() error {
	if err := w.insist(func() error {
		return app.DoDue(context.Background(), w.ground, w.game, app.NewContests(w.ground), w.bingo)
	}); err != nil {
		return err
	}
	return w.settle()
}

// askAgain makes an answered request again: by back and resubmit, a double click, a lost
// answer. It gets the first answer, whatever has changed since.
func (w *World) askAgain() error {
	if len(w.done) == 0 {
		return nil
	}
	d := w.done[w.rand.IntN(len(w.done))]
	var answer any
	err := w.insist(func() (err error) {
		answer, err = d.again()
		return err
	})
	refusal, refused := errors.AsType[*regs.Violation](err)
	switch {
	case err != nil && !refused:
		return err
	case d.refused != nil && (refusal == nil || refusal.Code != d.refused.Code),
		d.refused == nil && (refusal != nil || answer != d.answer):
		return fmt.Errorf("%s was answered %v, %v; again it is answered %v, %v", d.what, d.answer, d.refused,
			answer, err)
	}
	return nil
}

// Finish closes every issue, as its manager does, and verifies every block from its file.
func (w *World) Finish() error {
	ctx := context.Background()
	if err := w.restart(); err != nil { // which finishes whatever the faults have left
		return err
	}
	if err := w.finishBingo(); err != nil {
		return err
	}
	for _, which := range w.issues {
		err := w.game.CloseIssue(ctx, app.IssueOrder{Request: app.NewRequestID(), By: w.manager, Issue: which.id})
		if err != nil && !errors.Is(err, instant.ErrIssueClosed) {
			return err
		}
		state, _, err := w.game.Issue(ctx, which.id)
		if err != nil {
			return err
		}
		for _, block := range state.Past {
			if err := apptest.VerifyBlock(ctx, w.game, block); err != nil {
				return fmt.Errorf("block %d: %w", block, err)
			}
			w.Counts["block verified"]++
		}
	}
	return w.check()
}
