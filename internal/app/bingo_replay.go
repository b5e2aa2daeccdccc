package app

import (
	"context"
	"fmt"

	"boulier/game/bingo"
	"boulier/journal"
)

// bingoKinds are the events of rounds, sales and the session day, by their names.
var bingoKinds = func() map[string]bingo.Event {
	kinds := map[string]bingo.Event{}
	for _, e := range []bingo.Event{bingo.RoundPlanned{}, bingo.RoundCommitted{}, bingo.SaleOpened{},
		bingo.FaultRecorded{}, bingo.SaleClosed{}, bingo.WitnessOpened{}, bingo.BallDrawn{}, bingo.PrizeWon{},
		bingo.RoundEnded{}, bingo.RoundVoided{}, bingo.SecretRevealed{}, bingo.CardsSold{},
		bingo.CardsRefunded{}, bingo.SessionOpened{}, bingo.RoundStarted{}, bingo.RoundFinished{},
		bingo.SessionPaused{}, bingo.SessionResumed{}, bingo.LastMarked{}, bingo.ProgrammeChanged{},
		bingo.SessionClosed{}, bingo.AccountOpened{}, bingo.PINIssued{}, bingo.AccountEntered{},
		bingo.AccountLeft{}, bingo.PINFailed{}, bingo.AccountBlocked{}, bingo.CardReissued{},
		proposalSaved{}, proposalWithdrawn{}, planSaved{}} {
		kinds[e.Kind()] = e
	}
	return kinds
}()

// folds calls apply with the events of a stream.
func (b *Bingo) folds(ctx context.Context, stream string, apply func(bingo.Event)) error {
	return b.eachEvent(ctx, stream, 0, func(l journal.Leaf, payload []byte) error {
		e, err := factOf(bingoKinds, string(l.Kind), payload)
		if err == nil && e != nil {
			apply(e)
		}
		return err
	})
}

// ReplayRound folds the events of a round and its sale, and returns an error unless they lead
// to what is stored (house:6). Nothing is decided meanwhile.
func (b *Bingo) ReplayRound(ctx context.Context, id bingo.RoundID) error {
	stored, _, err := b.Round(ctx, id)
	if err != nil {
		return err
	}
	sale, err := b.Sale(ctx, id)
	if err != nil {
		return err
	}
	var r bingo.Round
	if err := b.folds(ctx, string(bingoRoundCell(id)), func(e bingo.Event) { r = r.Apply(e) }); err != nil {
		return err
	}
	var s bingo.Sale
	if err := b.folds(ctx, string(bingoSaleCell(id)), func(e bingo.Event) { s = s.Apply(e) }); err != nil {
		return err
	}
	if err := sameState(fmt.Sprintf("round %d", id), r, stored); err != nil {
		return err
	}
	return sameState(fmt.Sprintf("the sale of round %d", id), s, sale)
}

// ReplaySession is the same of the session day.
func (b *Bingo) ReplaySession(ctx context.Context) error {
	stored, err := b.Session(ctx)
	if err != nil {
		return err
	}
	var day bingo.Session
	if err := b.folds(ctx, string(bingoSession), func(e bingo.Event) { day = day.Apply(e) }); err != nil {
		return err
	}
	return sameState("the session day", day, stored)
}

// ReplayHouse folds the events of the proposals and of the plan, and returns an error unless
// they lead to what is stored (house:6).
func (b *Bingo) ReplayHouse(ctx context.Context) error {
	stored, err := b.Proposals(ctx)
	if err != nil {
		return err
	}
	plan, err := b.Plan(ctx)
	if err != nil {
		return err
	}
	var l bingoProposals
	if err := b.folds(ctx, string(bingoProposalsCell), func(e bingo.Event) { l = l.apply(e) }); err != nil {
		return err
	}
	var p BingoPlan
	if err := b.folds(ctx, string(bingoPlanCell), func(e bingo.Event) { p = e.(planSaved).Plan }); err != nil {
		return err
	}
	if err := sameState("the proposals", l.List, stored); err != nil {
		return err
	}
	return sameState("the plan", p, plan)
}

// ReadBingoEvent reads an event of the bingo as a stream of the journal holds it; nil for one
// of another kind.
func ReadBingoEvent(kind string, payload []byte) (bingo.Event, error) {
	return factOf(bingoKinds, kind, payload)
}
