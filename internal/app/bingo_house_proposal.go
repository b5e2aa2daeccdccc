package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"boulier/game/bingo"
	"boulier/player"
	"boulier/regs"
)

// A BingoProposal is a game proposal as the house keeps it, to be played again (bingo:93.5).
type BingoProposal struct {
	ID        int64
	Versions  []BingoVersion // oldest first
	Withdrawn bool
}

// A BingoVersion is a proposal with its authorization and the times of its notice.
type BingoVersion struct {
	Proposal      bingo.Proposal
	Authorization string    // what the regulator calls its decision
	Notified      time.Time // when its prizes were notified to the regulator and announced
	Applies       time.Time // from when it can be played
	Change        bool      // whether it gives something else than what was in force
	By            player.ID
}

// At returns the version in force at a moment, the zero version if none is.
func (p BingoProposal) At(at time.Time) (v BingoVersion) {
	for _, x := range p.Versions {
		if !x.Applies.After(at) {
			v = x
		}
	}
	return v
}

// Newest returns the version that was saved last.
func (p BingoProposal) Newest() BingoVersion { return p.Versions[len(p.Versions)-1] }

// bingoProposals are all proposals of the house, in one state: what may be played at once
// depends on all that is in force.
type bingoProposals struct{ List []BingoProposal }

const bingoProposalsCell snakeCell[bingoProposals] = "bingo/proposals"

// The events of proposals.
type (
	// proposalSaved is a new proposal, or a new version of one.
	proposalSaved struct {
		ID      int64
		Version BingoVersion
	}
	// proposalWithdrawn takes one out of use.
	proposalWithdrawn struct {
		ID int64
		By player.ID
	}
)

func (proposalSaved) Kind() string     { return "proposal_saved" }
func (proposalWithdrawn) Kind() string { return "proposal_withdrawn" }

// apply returns the proposals after an event.
func (l bingoProposals) apply(e bingo.Event) bingoProposals {
	l.List = slices.Clone(l.List)
	switch e := e.(type) {
	case proposalSaved:
		if e.ID > int64(len(l.List)) {
			l.List = append(l.List, BingoProposal{ID: e.ID})
		}
		p := &l.List[e.ID-1]
		p.Versions, p.Withdrawn = append(slices.Clip(p.Versions), e.Version), false
	case proposalWithdrawn:
		l.List[e.ID-1].Withdrawn = true
	}
	return l
}

// in returns the proposals that can be played at a moment.
func (l bingoProposals) in(at time.Time) (list []bingo.Proposal) {
	for _, p := range l.List {
		if v := p.At(at); !v.Applies.IsZero() && !p.Withdrawn {
			list = append(list, v.Proposal)
		}
	}
	return list
}

// What the keeping of proposals refuses.
var (
	ErrBingoProposal      = &regs.Violation{Ref: "bingo:93.5", Code: "proposal_unknown"}
	ErrBingoAuthorization = &regs.Violation{Ref: "bingo:93.5", Code: "authorization_missing"}
	ErrBingoNoticeRuns    = &regs.Violation{Ref: "bingo:93.11", Code: "notice_runs"}
)

// SaveProposal keeps a proposal, as a new version of another if id is not 0. Where it changes
// what can be won, it is notified and announced now and applies five days later (bingo:93.11,
// reading B8).
func (b *Bingo) SaveProposal(ctx context.Context, a BingoAct, id int64, p bingo.Proposal, authorization string) (int64, error) {
	if authorization = strings.TrimSpace(authorization); authorization == "" {
		return 0, ErrBingoAuthorization
	}
	if faults := p.Faults(); len(faults) > 0 {
		return 0, faults[0]
	}
	keys := a.keys("proposal", []any{id, p, authorization}, string(bingoProposalsCell))
	return Do(ctx, b.Store, keys, func(tx Tx) (int64, error) {
		l, err := b.proposalsOf(tx, a, id)
		if err != nil {
			return 0, err
		}
		to := id
		if to == 0 {
			to = int64(len(l.List)) + 1
		} else if l.List[to-1].Newest().Applies.After(tx.Now()) {
			return 0, ErrBingoNoticeRuns.With("proposal %d applies from %s", to, l.List[to-1].Newest().Applies)
		}
		applies := p.Applies(l.in(tx.Now()), tx.Now())
		v := BingoVersion{p, authorization, l.notified(p, tx.Now()), applies, applies.After(tx.Now()), a.By}
		e := proposalSaved{to, v}
		bingoProposalsCell.Put(tx, l.apply(e))
		return to, tellBingo(tx, string(bingoProposalsCell), bingo.Event(e))
	})
}

// notified returns since when what p gives is known to the regulator: now, unless a proposal
// in force gives the same.
func (l bingoProposals) notified(p bingo.Proposal, now time.Time) time.Time {
	for _, x := range l.List {
		if v := x.At(now); !x.Withdrawn && !v.Applies.IsZero() && v.Proposal.SamePrizes(p) {
			return v.Notified
		}
	}
	return now
}

// proposalsOf returns the proposals to a manager who changes one of them, or adds one.
func (b *Bingo) proposalsOf(tx Tx, a BingoAct, id int64) (bingoProposals, error) {
	if err := requireBy(tx, a.By, ManageGames); err != nil {
		return bingoProposals{}, err
	}
	l, err := bingoProposalsCell.Get(tx)
	if err == nil && (id < 0 || id > int64(len(l.List))) {
		err = ErrBingoProposal.With("proposal %d", id)
	}
	return l, err
}

// WithdrawProposal takes a proposal out of use; what it was stays in the journal.
func (b *Bingo) WithdrawProposal(ctx context.Context, a BingoAct, id int64) error {
	keys := a.keys("proposal/withdraw", id, string(bingoProposalsCell))
	_, err := Do(ctx, b.Store, keys, func(tx Tx) (struct{}, error) {
		l, err := b.proposalsOf(tx, a, id)
		if err != nil {
			return struct{}{}, err
		}
		if id == 0 || l.List[id-1].Withdrawn {
			return struct{}{}, ErrBingoProposal.With("proposal %d", id)
		}
		e := proposalWithdrawn{id, a.By}
		bingoProposalsCell.Put(tx, l.apply(e))
		return struct{}{}, tellBingo(tx, string(bingoProposalsCell), bingo.Event(e))
	})
	return err
}

// Proposals returns the proposals, withdrawn ones too, by number.
func (b *Bingo) Proposals(ctx context.Context) ([]BingoProposal, error) {
	l, _, err := readSnake(ctx, b.Store, bingoProposalsCell)
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return l.List, err
}

// Proposal returns one of them; ErrNotFound if there is none.
func (b *Bingo) Proposal(ctx context.Context, id int64) (BingoProposal, error) {
	list, err := b.Proposals(ctx)
	if err == nil && (id < 1 || id > int64(len(list))) {
		err = ErrNotFound
	}
	if err != nil {
		return BingoProposal{}, err
	}
	return list[id-1], nil
}

// A BingoNotice is a change of what can be won, as it is announced to players and written up
// for the regulator (bingo:93.11).
type BingoNotice struct {
	ID        int64 // of the proposal
	Version   int   // from 1
	Before    bingo.Proposal
	Withdrawn bool
	BingoVersion
}

// noticeStays is how long a change stays announced once it applies.
const noticeStays = bingo.NoticeDays * 24 * time.Hour

// Notices returns the changes of prizes that players must be told of now: those that are to
// apply, and those that have applied lately. The one that applies first comes first.
func (b *Bingo) Notices(ctx context.Context, at time.Time) (list []BingoNotice, err error) {
	all, err := b.Changes(ctx)
	for _, n := range all {
		if !n.Withdrawn && at.Before(n.Applies.Add(noticeStays)) {
			list = append(list, n)
		}
	}
	slices.SortStableFunc(list, func(a, b BingoNotice) int { return a.Applies.Compare(b.Applies) })
	return list, err
}

// Changes returns every change of prizes that was notified, by proposal. A new proposal is
// one, too, unless another in force gave the same: what was in force then stands as Before.
func (b *Bingo) Changes(ctx context.Context) (list []BingoNotice, err error) {
	proposals, err := b.Proposals(ctx)
	for _, p := range proposals {
		for i, v := range p.Versions {
			if !v.Change {
				continue
			}
			n := BingoNotice{ID: p.ID, Version: i + 1, Withdrawn: p.Withdrawn, BingoVersion: v}
			if i > 0 {
				n.Before = p.Versions[i-1].Proposal
			}
			list = append(list, n)
		}
	}
	return list, err
}
