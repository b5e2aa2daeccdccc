package apptest

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"

	"boulier/game/bingo"
	"boulier/game/instant"
	"boulier/internal/app"
	"boulier/internal/snake"
	"boulier/internal/store"
	"boulier/ledger"
	"boulier/player"
)

// Migrate makes the tables of an empty PostgreSQL database, for pgtest.New.
func Migrate(dsn string) error {
	s, err := store.Open(context.Background(), store.Config{URL: dsn, Now: (&Clock{}).Now, Entropy: app.RandomBytes})
	if err != nil {
		return err
	}
	return s.Close()
}

// firstOfCrowd is the identifier of the first player of a crowd, far from all others.
const firstOfCrowd = 1_000_000

// Crowd returns n players with so much money each. They have no password, which would take
// longer than all that a test of a crowd does: nobody of a crowd signs in.
func (h *House) Crowd(n int, cents int64) []player.ID {
	h.T.Helper()
	crowd := make([]player.ID, n)
	failed := make([]error, n)
	var all sync.WaitGroup
	for k := range crowd {
		crowd[k] = player.ID(firstOfCrowd + k)
		all.Go(func() { failed[k] = h.addToCrowd(crowd[k], cents) })
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		h.T.Fatal(err)
	}
	return crowd
}

func (h *House) addToCrowd(id player.ID, cents int64) error {
	state, own := "person/"+id.String(), ledger.Path("player:"+id.String())
	keys := app.Keys{States: []string{state, app.EntryState(id)}, Accounts: []ledger.Path{"bank", own}}
	return h.Store.Update(context.Background(), keys, func(tx app.Tx) error {
		tx.Put(state, app.Standing{Roles: []app.Role{app.Player}, Status: app.Active, Rules: h.Rules},
			func(v any) ([]byte, error) { return json.Marshal(v) })
		app.AdmitPuppet(tx, id, h.Rules)
		if cents == 0 {
			return nil
		}
		_, err := tx.Post(app.Posting{Kind: "load", Moves: []ledger.Movement{
			{From: "bank", To: own, Amount: ledger.Amount{Unit: ledger.EUR, Count: cents}}}})
		return err
	})
}

// SellAtOnce sells so many units of an issue to a crowd, each of whom buys again as soon as
// answered. It calls sold, from many goroutines, after each sale.
func (h *House) SellAtOnce(crowd []player.ID, issue instant.IssueID, units int,
	sold func(buyer int, s app.Sold)) error {
	failed := make([]error, len(crowd))
	var left atomic.Int64
	left.Store(int64(units))
	var all sync.WaitGroup
	for k, who := range crowd {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				s, err := h.Instant.BuyUnit(context.Background(),
					app.Purchase{Request: app.NewRequestID(), Player: who, Issue: issue})
				if err != nil {
					failed[k] = err
					return
				}
				sold(k, s)
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// Seat gives a crowd electronic accounts of their own numbers, entered at a terminal of the
// bingo, as they would be after the desk and the PIN.
func (h *House) Seat(crowd []player.ID, at bingo.TerminalID) {
	h.T.Helper()
	failed := make([]error, len(crowd))
	var all sync.WaitGroup
	for k, who := range crowd {
		all.Go(func() {
			state := "bingo/account/" + who.String()
			failed[k] = h.Store.Update(context.Background(), app.Keys{States: []string{state}}, func(tx app.Tx) error {
				tx.Put(state, app.BingoAccount{Account: bingo.Account{ID: bingo.AccountID(who), Player: who,
					Card: 1, Terminal: at}}, snake.Encode)
				return nil
			})
		})
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		h.T.Fatal(err)
	}
}
