package app

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"boulier/draw"
	"boulier/game/bingo"
	"boulier/game/ninety"
	"boulier/ledger"
	"boulier/money"
	"boulier/player"
)

// DueBingo takes the session day a step on: a round starts, its sale opens or closes, a ball
// is drawn.
const DueBingo = "bingo"

// bingoRefundCell counts the purchases of a void round that are refunded.
func bingoRefundCell(id bingo.RoundID) Cell[int] { return Cell[int]("bingo/refund/" + number(id)) }

// refundsAtOnce is how many purchases of a void round are refunded in one transaction.
const refundsAtOnce = 200

// dayLease is how long a node that runs the session day may be silent before another takes
// the day over.
const dayLease = 5 * time.Second

// own takes the lease of the session day for this node, or prolongs it when half of it is
// over. It returns ErrLease while another node runs the day.
func (b *Bingo) own(ctx context.Context) (err error) {
	now := b.Now()
	if b.lease != (Lease{}) && b.leaseUntil.Sub(now) > dayLease/2 && b.leaseUntil.Sub(now) <= dayLease {
		return nil
	}
	b.lease, err = b.Store.Acquire(ctx, "bingo", dayLease)
	b.leaseUntil = now.Add(dayLease)
	return err
}

// Step does what is due on the session day, on the node that runs it; on others it does
// nothing. It may be called at any time, and after a stop: it goes on from what is stored.
func (b *Bingo) Step(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.own(ctx)
	if err == nil {
		err = b.step(ctx)
	}
	if errors.Is(err, ErrLease) {
		b.lease = Lease{}
		return nil // another node runs the day
	}
	return err
}

func (b *Bingo) step(ctx context.Context) error {
	_, err := again(func() (struct{}, error) {
		s, err := b.Session(ctx)
		if err != nil {
			return struct{}{}, err
		}
		if s.Playing == 0 {
			return struct{}{}, b.start(ctx)
		}
		r, _, err := b.Round(ctx, s.Playing)
		if err != nil {
			return struct{}{}, err
		}
		switch r.Phase {
		case bingo.Committed:
			err = b.openSale(ctx, r)
		case bingo.Selling:
			err = b.closeSale(ctx, r)
		case bingo.Drawing:
			err = b.drawBall(ctx, r)
		case bingo.Over:
			err = b.finish(ctx, r)
		case bingo.Void:
			err = b.refundVoid(ctx, r)
		}
		return struct{}{}, err
	})
	if errors.Is(err, bingo.ErrTooSoon) || errors.Is(err, bingo.ErrSaleOpen) {
		return nil // another step was faster
	}
	return err
}

// dueStep says when the next step is; a zero time says that none is.
func dueStep(tx Tx, at time.Time) {
	if at.IsZero() {
		tx.Delete(DueRow{Kind: DueBingo, Ref: "1"})
		return
	}
	tx.Save(DueRow{Kind: DueBingo, Ref: "1", At: at})
}

// start takes the next round of the programme and commits to its secret; nothing is due
// while the day is closed, paused or over.
func (b *Bingo) start(ctx context.Context) error {
	last, _, err := nextBingo.Read(ctx, b.Store)
	if err != nil {
		return err
	}
	id := bingo.RoundID(last + 1)
	secret, row := b.newSecret(draw.BingoRound, bingoDraw(id))
	keys := Keys{Lease: b.lease, States: []string{string(bingoSession), string(nextBingo), string(bingoRoundCell(id)), string(bingoWitness)}}
	return b.Store.Update(ctx, keys, func(tx Tx) error {
		s, err := bingoSession.Get(tx)
		if err != nil {
			return err
		}
		begun, err := s.StartRound(id)
		if err != nil {
			dueStep(tx, time.Time{})
			return nil
		}
		if n, err := nextBingo.Get(tx); err != nil || bingo.RoundID(n+1) != id {
			return moved(err)
		}
		witness, wait, err := awaitWitness(tx, id)
		if err != nil || wait {
			return err
		}
		if _, err := next(tx, nextBingo); err != nil {
			return err
		}
		for _, e := range begun {
			s = s.Apply(e)
		}
		bingoSession.Put(tx, s)
		if err := tellBingo(tx, string(bingoSession), begun...); err != nil {
			return err
		}
		events, err := bingo.Plan(id, s.Started, s.Programme[s.Started-1])
		if err != nil {
			return err
		}
		var r bingo.Round
		r = r.Apply(events[0])
		commit, err := r.Commit(draw.Commit(draw.BingoRound, bingoDraw(id), secret).String(), witness)
		if err != nil {
			return err
		}
		tx.Insert(row)
		return b.tell(tx, bingo.Round{}, append(events, commit...), tx.Now())
	})
}

// tell applies and appends events of a round, and says when the next step is due.
func (b *Bingo) tell(tx Tx, r bingo.Round, events []bingo.Event, at time.Time) error {
	for _, e := range events {
		r = r.Apply(e)
	}
	cell := bingoRoundCell(r.ID)
	cell.Put(tx, r)
	dueStep(tx, at)
	return tellBingo(tx, string(cell), events...)
}

// bingoBeforeCell is the signed checkpoint that covered the commitment of a round before its
// sale opened, in its text form.
func bingoBeforeCell(id bingo.RoundID) Cell[string] {
	return Cell[string]("bingo/before/" + number(id))
}

// openSale opens the sale once a signed checkpoint covers the commitment (house:5).
func (b *Bingo) openSale(ctx context.Context, seen bingo.Round) error {
	checkpoint, err := b.CheckpointNow(ctx)
	if err != nil {
		return fmt.Errorf("app: the commitment of round %d could not be signed: %w", seen.ID, err)
	}
	cell, sale := bingoRoundCell(seen.ID), bingoSaleCell(seen.ID)
	before := bingoBeforeCell(seen.ID)
	keys := Keys{Lease: b.lease, States: []string{string(bingoSession), string(cell), string(sale), string(before)}}
	return b.Store.Update(ctx, keys, func(tx Tx) error {
		r, err := cell.Get(tx)
		if err != nil || r.Phase != seen.Phase {
			return moved(err)
		}
		before.Put(tx, checkpoint.Note)
		s, err := bingoSession.Get(tx)
		if err != nil {
			return err
		}
		events, err := r.OpenSale(tx.Now(), s.Starts, s.Started == s.Last)
		if err != nil {
			return err
		}
		sale.Put(tx, bingo.Sale{}.Apply(events[0]))
		if err := tellBingo(tx, string(sale), events...); err != nil {
			return err
		}
		return b.tell(tx, r, events, r.Apply(events[0]).Due())
	})
}

// settleRound leaves so much in the account of a round; the house has the rest, or brings it.
func settleRound(tx Tx, id bingo.RoundID, want money.Cents) error {
	a, err := tx.Account(bingoAccountOf(id))
	if err != nil {
		return err
	}
	pool, more := bingoAccountOf(id), want-money.Cents(a.Balance)
	switch {
	case more > 0:
		return post(tx, "bingo_settle", number(id), houseBingo, pool, more)
	case more < 0:
		return post(tx, "bingo_settle", number(id), pool, houseBingo, -more)
	}
	return nil
}

// closeSale closes the sale and announces the start (bingo:93.9). What is read of the sale
// before the transaction is all of it: no purchase is written after the window.
func (b *Bingo) closeSale(ctx context.Context, seen bingo.Round) error {
	sales, _, err := b.sales(ctx, seen.ID)
	if err != nil {
		return err
	}
	sold, err := b.faces(ctx, sales)
	if err != nil {
		return err
	}
	digest, faces := bingo.Digest(slices.Values(sales)), bingo.Faces(sold)
	cell, sale := bingoRoundCell(seen.ID), bingoSaleCell(seen.ID)
	keys := Keys{Lease: b.lease, States: []string{string(bingoSession), string(cell), string(sale)},
		Accounts: []ledger.Path{bingoAccountOf(seen.ID), houseBingo}}
	err = b.Store.Update(ctx, keys, func(tx Tx) error {
		r, err := cell.Get(tx)
		if err != nil || r.Phase != seen.Phase {
			return moved(err)
		}
		s, err := sale.Get(tx)
		if err != nil {
			return err
		}
		if len(sales) != s.Ranks {
			return errMoved
		}
		day, err := bingoSession.Get(tx)
		if err != nil {
			return err
		}
		events, err := r.Close(tx.Now(), s, hex.EncodeToString(digest[:]), hex.EncodeToString(faces[:]), day.Pots)
		if err != nil {
			return err
		}
		closed := r
		for _, e := range events {
			closed = closed.Apply(e)
		}
		at, want := closed.Due(), money.Cents(0)
		if closed.Phase == bingo.Over {
			at = tx.Now()
		} else {
			for _, a := range closed.Amounts {
				want += a
			}
			for _, p := range closed.Pots {
				want += p.Amount
			}
		}
		if err := settleRound(tx, r.ID, want); err != nil {
			return err
		}
		return b.tell(tx, r, events, at)
	})
	if err == nil {
		b.sold, b.soldIn = sold, seen.ID
	}
	return err
}

// table returns the balls and the board of a round; they are made again after a stop.
func (b *Bingo) table(ctx context.Context, r bingo.Round) (*liveRound, error) {
	if b.live != nil && b.live.round == r.ID {
		return b.live, nil
	}
	salt, err := r.DrawSalt()
	if err != nil {
		return nil, err
	}
	secret, err := b.openSecret(ctx, draw.BingoRound, bingoDraw(r.ID), "server", "balls of the round")
	if err != nil {
		return nil, err
	}
	if draw.Commit(draw.BingoRound, bingoDraw(r.ID), secret).String() != r.Commitment {
		return nil, fmt.Errorf("app: the secret of round %d is not the one committed to", r.ID)
	}
	sales, gone, err := b.sales(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	if b.soldIn != r.ID {
		if b.sold, err = b.faces(ctx, sales); err != nil {
			return nil, err
		}
		b.soldIn = r.ID
	}
	live := &liveRound{r.ID, ninety.Draw(draw.NewStream(draw.BingoRound, bingoDraw(r.ID), secret, salt)),
		bingo.NewBoard(r.Proposal, b.sold)}
	for _, e := range gone {
		live.board.Leave(e.Places...)
	}
	if err := live.board.Catch(r.Balls); err != nil {
		return nil, err
	}
	b.live = live
	return live, nil
}

// drawBall draws the next ball and pays everyone who wins on it in the same transaction
// (bingo:93.10, bingo:93.12, bingo:93.13). Prizes are held until the round is over.
func (b *Bingo) drawBall(ctx context.Context, seen bingo.Round) error {
	live, err := b.table(ctx, seen)
	if err != nil {
		return err
	}
	if len(seen.Balls) >= len(live.order) {
		return fmt.Errorf("app: round %d has no ball left", seen.ID)
	}
	ball := live.order[len(seen.Balls)]
	events, err := seen.Draw(ball, live.board, b.Now())
	if err != nil {
		return err
	}
	after := seen
	for _, e := range events {
		after = after.Apply(e)
	}
	cell, sale := bingoRoundCell(seen.ID), bingoSaleCell(seen.ID)
	near, lacking := bingoNearCell(seen.ID), nearOf(after, live.board)
	keys := Keys{Lease: b.lease, States: []string{string(cell), string(sale), string(near)}, Accounts: []ledger.Path{bingoAccountOf(seen.ID), houseBingo}}
	now, all := shares(after.Wins[len(seen.Wins):]), shares(after.Wins)
	for _, x := range now {
		keys.Accounts = append(keys.Accounts, heldAccount(x.who))
	}
	if after.Phase == bingo.Over { // what is held is released
		for _, x := range all {
			keys.Accounts = append(keys.Accounts, heldAccount(x.who), playerAccount(x.who))
			keys.States = append(keys.States, string(walletOf(x.who)))
		}
	}
	err = b.Store.Update(ctx, keys, func(tx Tx) error {
		r, err := cell.Get(tx)
		if err != nil || r.Phase != seen.Phase || len(r.Balls) != len(seen.Balls) {
			return moved(err)
		}
		s, err := sale.Get(tx)
		if err != nil || s.Cards-s.Left != live.board.InPlay() {
			return moved(err)
		}
		events, err := r.Draw(ball, live.board, tx.Now())
		if err != nil {
			return err
		}
		if err := payShares(tx, "bingo_prize", r.ID, now, func(w player.ID) (ledger.Path, ledger.Path) {
			return bingoAccountOf(r.ID), heldAccount(w)
		}); err != nil {
			return err
		}
		near.Put(tx, lacking)
		at := after.Due()
		if after.Phase == bingo.Over {
			at = tx.Now()
			if err := release(tx, r.ID, all); err != nil {
				return err
			}
		}
		return b.tell(tx, r, events, at)
	})
	if err == errMoved {
		b.live = nil
	}
	return err
}

// A share is what a player has won.
type share struct {
	who    player.ID
	amount money.Cents
}

// shares adds up wins by player, in the order of the players.
func shares(wins []bingo.Win) (list []share) {
	at := map[player.ID]int{}
	for _, w := range wins {
		for _, x := range w.Winners {
			i, ok := at[x.Player]
			if !ok {
				i = len(list)
				at[x.Player], list = i, append(list, share{who: x.Player})
			}
			list[i].amount += x.Share
		}
	}
	slices.SortFunc(list, func(a, b share) int { return int(a.who - b.who) })
	return list
}

// payShares moves the shares of all, between the accounts that a player's share goes from and to.
func payShares(tx Tx, kind string, id bingo.RoundID, list []share, way func(player.ID) (from, to ledger.Path)) error {
	p := Posting{Kind: kind, Ref: number(id)}
	for _, x := range list {
		if x.amount > 0 {
			from, to := way(x.who)
			p.Moves = append(p.Moves, ledger.Movement{From: from, To: to, Amount: ledger.Euros(x.amount)})
		}
	}
	if len(p.Moves) == 0 {
		return nil
	}
	_, err := tx.Post(p)
	return err
}

// release gives winners what was held for them, and the house what nobody won.
func release(tx Tx, id bingo.RoundID, all []share) error {
	if err := payShares(tx, "bingo_release", id, all, func(w player.ID) (ledger.Path, ledger.Path) {
		return heldAccount(w), playerAccount(w)
	}); err != nil {
		return err
	}
	for _, x := range all {
		if err := touchWallet(tx, x.who); err != nil {
			return err
		}
	}
	return settleRound(tx, id, 0)
}

// finish publishes the secret of a round and lets the next one begin.
func (b *Bingo) finish(ctx context.Context, seen bingo.Round) error {
	secret, err := b.openSecret(ctx, draw.BingoRound, bingoDraw(seen.ID), "server", "publication of the round")
	if err != nil {
		return err
	}
	commitment := draw.Commit(draw.BingoRound, bingoDraw(seen.ID), secret).String()
	cell := bingoRoundCell(seen.ID)
	keys := Keys{Lease: b.lease, States: []string{string(bingoSession), string(cell), string(bingoSaleCell(seen.ID))}}
	err = b.Store.Update(ctx, keys, func(tx Tx) error {
		s, err := bingoSession.Get(tx)
		if err != nil || s.Playing != seen.ID {
			return moved(err)
		}
		r, err := cell.Get(tx)
		if err != nil {
			return err
		}
		events, err := r.Reveal(secret.Reveal(), commitment)
		if err != nil {
			return err
		}
		sale, err := bingoSaleCell(seen.ID).Get(tx)
		if err != nil {
			return err
		}
		done, err := s.FinishRound(r, sale)
		if err != nil {
			return err
		}
		bingoSession.Put(tx, s.Apply(done[0]))
		if err := tellBingo(tx, string(bingoSession), done...); err != nil {
			return err
		}
		return b.tell(tx, r, events, tx.Now())
	})
	if err == nil {
		b.live = nil
	}
	return err
}
