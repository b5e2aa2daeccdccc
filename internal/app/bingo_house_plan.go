package app

import (
	"context"
	"errors"
	"time"

	"boulier/game/bingo"
	"boulier/player"
	"boulier/regs"
)

// MaxBingoRounds bounds the rounds of a programme.
const MaxBingoRounds = 200

// A BingoPlan is the programme that the manager prepares for a day of play; it stays for the
// next one. Its final round is the last one of the day (reading B12).
type BingoPlan struct{ Parts []BingoPlanPart }

// A BingoPlanPart is a proposal played so many rounds in a row.
type BingoPlanPart struct {
	Proposal int64
	Rounds   int
}

// Rounds returns how many rounds the plan has.
func (p BingoPlan) Rounds() (n int) {
	for _, x := range p.Parts {
		n += x.Rounds
	}
	return n
}

const bingoPlanCell snakeCell[BingoPlan] = "bingo/plan"

// planSaved is the event of a plan.
type planSaved struct {
	Plan BingoPlan
	By   player.ID
}

func (planSaved) Kind() string { return "plan_saved" }

// What plans refuse.
var (
	ErrBingoPlan       = &regs.Violation{Ref: "bingo:93.15", Code: "plan_rounds"}
	ErrBingoNotInForce = &regs.Violation{Ref: "bingo:93.11", Code: "proposal_waits"}
)

// SavePlan keeps the programme of the next day.
func (b *Bingo) SavePlan(ctx context.Context, a BingoAct, p BingoPlan) error {
	for _, x := range p.Parts {
		if x.Rounds < 1 {
			return ErrBingoPlan.With("%d rounds of proposal %d", x.Rounds, x.Proposal)
		}
	}
	if n := p.Rounds(); n > MaxBingoRounds {
		return ErrBingoPlan.With("%d rounds, %d at most", n, MaxBingoRounds)
	}
	keys := a.keys("plan", p, string(bingoPlanCell), string(bingoProposalsCell))
	_, err := Do(ctx, b.Store, keys, func(tx Tx) (struct{}, error) {
		l, err := b.proposalsOf(tx, a, 0)
		if err != nil {
			return struct{}{}, err
		}
		for _, x := range p.Parts {
			if x.Proposal < 1 || x.Proposal > int64(len(l.List)) || l.List[x.Proposal-1].Withdrawn {
				return struct{}{}, ErrBingoProposal.With("proposal %d", x.Proposal)
			}
		}
		bingoPlanCell.Put(tx, p)
		return struct{}{}, tellBingo(tx, string(bingoPlanCell), bingo.Event(planSaved{p, a.By}))
	})
	return err
}

// Plan returns the programme of the next day.
func (b *Bingo) Plan(ctx context.Context) (BingoPlan, error) {
	p, _, err := readSnake(ctx, b.Store, bingoPlanCell)
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return p, err
}

// programme returns the proposals of a plan as they are in force at a moment, and since when
// all they give was notified.
func (b *Bingo) programme(ctx context.Context, p BingoPlan, at time.Time) (list []bingo.Proposal, notified time.Time, err error) {
	for _, x := range p.Parts {
		proposal, err := b.Proposal(ctx, x.Proposal)
		if errors.Is(err, ErrNotFound) || err == nil && proposal.Withdrawn {
			return nil, notified, ErrBingoProposal.With("proposal %d", x.Proposal)
		}
		if err != nil {
			return nil, notified, err
		}
		v := proposal.At(at)
		if v.Applies.IsZero() {
			return nil, notified, ErrBingoNotInForce.With("proposal %d applies from %s", x.Proposal, proposal.Newest().Applies)
		}
		if v.Notified.After(notified) {
			notified = v.Notified
		}
		for range x.Rounds {
			list = append(list, v.Proposal)
		}
	}
	return list, notified, nil
}

// OpenPlanned begins a day of play with the plan, each proposal as it is in force now
// (bingo:93.11).
func (b *Bingo) OpenPlanned(ctx context.Context, a BingoAct) error {
	p, err := b.Plan(ctx)
	if err != nil {
		return err
	}
	programme, _, err := b.programme(ctx, p, b.Now())
	if err != nil {
		return err
	}
	return b.OpenSession(ctx, a, programme)
}

// ChangePlanned replaces the rounds of the open day that have not begun. What changes the
// prizes was notified five days before (bingo:93.11, reading B8).
func (b *Bingo) ChangePlanned(ctx context.Context, a BingoAct, from int, p BingoPlan) error {
	if p.Rounds() < 1 || p.Rounds() > MaxBingoRounds {
		return ErrBingoPlan.With("%d rounds", p.Rounds())
	}
	rounds, notified, err := b.programme(ctx, p, b.Now())
	if err != nil {
		return err
	}
	return b.ChangeProgramme(ctx, a, from, rounds, notified)
}
