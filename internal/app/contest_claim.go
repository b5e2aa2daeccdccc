package app

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boulier/game/contest"
	"boulier/player"
	"boulier/regs"
)

// A ClaimID identifies a claim for connection costs.
type ClaimID int64

// What a claim must hold besides name, address and dates (contest:14).
var ClaimPieces = []string{"bank", "identity", "bill", "per_use", "stamp"}

// A Claim is a claim for connection costs that came by post, as a manager has read it: a case
// file, not money (contest:14, Reading C24).
type Claim struct {
	ID       ClaimID    `json:"id"`
	Contest  contest.ID `json:"contest"`
	Player   player.ID  `json:"player"`
	PostedOn string     `json:"posted_on"` // the postmark, 2006-01-02
	At       time.Time  `json:"at"`        // when it was recorded
	By       player.ID  `json:"by"`
	Slips    int        `json:"slips"`   // validated in the seven days before the postmark
	Minutes  int        `json:"minutes"` // of local call, plus the postage
	Accepted bool       `json:"accepted"`
	Missing  []string   `json:"missing,omitempty"` // what an incomplete claim lacks
}

const (
	nextClaim   = counter("next/contest_claim")
	claimPrefix = "contest/claim/"
)

func claimCell(id ClaimID) Cell[Claim] {
	return Cell[Claim](claimPrefix + strconv.FormatInt(int64(id), 10))
}

// refundCell holds the claim that a name and address was refunded for in a contest.
func refundCell(id contest.ID, who string) Cell[ClaimID] {
	return Cell[ClaimID](fmt.Sprintf("contest/refund/%d/%s", id, who))
}

// The refusals of claims.
var (
	ErrClaimTwice   = &regs.Violation{Ref: "contest:14", Code: "claim_twice"}
	ErrClaimPieces  = &regs.Violation{Ref: "contest:14", Code: "claim_pieces"}
	ErrClaimNothing = &regs.Violation{Ref: "contest:14", Code: "claim_nothing"}
)

// A PlayedSlip says when a slip was last validated.
type PlayedSlip struct {
	Leg   contest.LegID
	Title string
	At    time.Time
}

// PlayedSlips returns the slips of a player in a contest with the times of play.
func (c *Contests) PlayedSlips(ctx context.Context, s ContestState, who player.ID) ([]PlayedSlip, error) {
	legs, err := c.Legs(ctx, s)
	if err != nil {
		return nil, err
	}
	var out []PlayedSlip
	for _, l := range legs {
		slip, _, err := slipCell(l.ID, who).Read(ctx, c.Store)
		if err != nil {
			return nil, err
		}
		if slip.Version > 0 {
			out = append(out, PlayedSlip{l.ID, l.Title, slip.ChangedAt})
		}
	}
	return out, nil
}

// A ClaimLetter is a claim as a manager reads it from the letter.
type ClaimLetter struct {
	Request  RequestID
	By       player.ID
	Contest  contest.ID
	Player   player.ID
	PostedOn time.Time // the postmark: a date
	Pieces   []string  // of ClaimPieces, those that are there
}

// RecordClaim records a claim for connection costs. An incomplete one is recorded as not
// considered; a complete one is refunded once for a name and address in a contest, two minutes
// for each started three slips that were validated at most seven days before the postmark
// (contest:14, Reading C24).
func (c *Contests) RecordClaim(ctx context.Context, l ClaimLetter) (Claim, error) {
	s, _, err := c.Contest(ctx, l.Contest)
	if err != nil {
		return Claim{}, err
	}
	slips, err := c.PlayedSlips(ctx, s, l.Player)
	if err != nil {
		return Claim{}, err
	}
	e, _, err := entryCell(l.Player).Read(ctx, c.Store)
	if err != nil {
		return Claim{}, err
	}
	if e.Who == "" {
		return Claim{}, ErrNotEntered.With("player %d", l.Player)
	}
	refund := refundCell(l.Contest, e.Who)
	posted := l.PostedOn.Format(day)
	request := NewRequest(l.Request, "person/"+l.By.String(), "contest/claim", []any{l.Contest, l.Player, posted, l.Pieces})
	return again(func() (Claim, error) {
		last, _, err := nextClaim.Read(ctx, c.Store)
		if err != nil {
			return Claim{}, err
		}
		id := ClaimID(last + 1)
		keys := Keys{Request: request, States: []string{string(nextClaim), string(claimCell(id)), string(refund), string(standingOf(l.By))}}
		return Do(ctx, c.Store, keys, func(tx Tx) (Claim, error) {
			if err := requireBy(tx, l.By, ManageGames); err != nil {
				return Claim{}, err
			}
			is := Claim{ID: id, Contest: l.Contest, Player: l.Player, PostedOn: posted, At: tx.Now(), By: l.By}
			if err := is.weigh(slips, l, tx.Now(), c.Zone); err != nil {
				return Claim{}, err
			}
			before, err := refund.Get(tx)
			if err != nil {
				return Claim{}, err
			}
			if is.Accepted && before != 0 {
				return Claim{}, ErrClaimTwice.With("claim %d", before)
			}
			if n, err := next(tx, nextClaim); err != nil || ClaimID(n) != id {
				return Claim{}, moved(err)
			}
			if is.Accepted {
				refund.Put(tx, id)
			}
			claimCell(id).Put(tx, is)
			return is, claimCell(id).Append(tx, "claim_recorded", is)
		})
	})
}

// weigh says what a claim is worth, or what it lacks.
func (k *Claim) weigh(slips []PlayedSlip, l ClaimLetter, at time.Time, loc *time.Location) error {
	if l.PostedOn.After(at.AddDate(0, 0, 1)) {
		return contest.ErrClaimLate.With("posted on %s, which is to come", k.PostedOn)
	}
	if len(slips) == 0 {
		return ErrClaimNothing.With("player %d validated nothing in contest %d", l.Player, l.Contest)
	}
	var late error
	for _, p := range slips {
		if err := contest.CheckClaim(p.At, l.PostedOn, loc); err != nil {
			late = err
			continue
		}
		k.Slips++
	}
	if k.Slips == 0 {
		return late
	}
	there := " " + strings.Join(l.Pieces, " ") + " "
	for _, piece := range ClaimPieces {
		if !strings.Contains(there, " "+piece+" ") {
			k.Missing = append(k.Missing, piece)
		}
	}
	if k.Accepted = len(k.Missing) == 0; k.Accepted {
		k.Minutes = contest.ConnectionMinutes(k.Slips)
	}
	return nil
}

// Claims returns all claims, oldest first; those of one player unless who is 0.
func (c *Contests) Claims(ctx context.Context, who player.ID) ([]Claim, error) {
	all, err := readCells[Claim](ctx, c.Store, claimPrefix)
	var out []Claim
	for _, k := range all {
		if who == 0 || k.Player == who {
			out = append(out, k)
		}
	}
	return out, err
}
