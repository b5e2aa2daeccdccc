package app

import (
	"context"
	"strconv"
	"time"

	"boulier/game/contest"
	"boulier/player"
	"boulier/regs"
)

// A DisputeID identifies a dispute.
type DisputeID int64

// A Dispute is a player's objection to proclaimed results (contest:17). Its texts may be
// personal: they stand here and in no event.
type Dispute struct {
	ID     DisputeID     `json:"id"`
	Leg    contest.LegID `json:"leg"`
	Player player.ID     `json:"player"`
	At     time.Time     `json:"at"`
	Text   string        `json:"text"`

	Answer    string    `json:"answer,omitempty"`
	DecidedAt time.Time `json:"decided_at,omitzero"`
	Upheld    bool      `json:"upheld,omitempty"`
}

const (
	nextDispute   = counter("next/contest_dispute")
	disputePrefix = "contest/dispute/"
)

func disputeCell(id DisputeID) Cell[Dispute] {
	return Cell[Dispute](disputePrefix + strconv.FormatInt(int64(id), 10))
}

// The refusals of disputes.
var (
	ErrNoDispute      = &regs.Violation{Ref: "contest:17", Code: "nothing_proclaimed"}
	ErrDisputeText    = &regs.Violation{Ref: "contest:17", Code: "dispute_text"}
	ErrDisputeDecided = &regs.Violation{Ref: "contest:17", Code: "dispute_decided"}
)

// Object contests the results of a leg, within fifteen days of their proclamation
// (contest:17, Reading C19).
func (c *Contests) Object(ctx context.Context, request RequestID, who player.ID, leg contest.LegID, text string) (DisputeID, error) {
	if text == "" || len(text) > 4000 {
		return 0, ErrDisputeText.With("%d bytes", len(text))
	}
	req := NewRequest(request, "person/"+who.String(), "contest/object", []any{leg, text})
	return again(func() (DisputeID, error) {
		last, _, err := nextDispute.Read(ctx, c.Store)
		if err != nil {
			return 0, err
		}
		id := DisputeID(last + 1)
		keys := Keys{Request: req, States: []string{string(nextDispute), string(disputeCell(id)),
			string(legCell(leg)), string(standingOf(who))}}
		return Do(ctx, c.Store, keys, func(tx Tx) (DisputeID, error) {
			if err := requireBy(tx, who, Predict); err != nil {
				return 0, err
			}
			l, err := getLeg(tx, leg)
			if err != nil {
				return 0, err
			}
			if l.Proclaimed.Count == 0 {
				return 0, ErrNoDispute.With("leg %d", leg)
			}
			if err := contest.CheckDispute(l.Proclaimed.At, tx.Now(), c.Zone); err != nil {
				return 0, err
			}
			if n, err := next(tx, nextDispute); err != nil || DisputeID(n) != id {
				return 0, moved(err)
			}
			disputeCell(id).Put(tx, Dispute{ID: id, Leg: leg, Player: who, At: tx.Now(), Text: text})
			return id, disputeCell(id).Append(tx, "dispute_made", struct {
				Leg    contest.LegID `json:"leg"`
				Player player.ID     `json:"player"`
			}{leg, who})
		})
	})
}

// A Ruling is a manager's decision on a dispute, for good (contest:17). It changes no result
// by itself: a correction does, with its reason.
type Ruling struct {
	Request RequestID
	By      player.ID
	Dispute DisputeID
	Upheld  bool
	Answer  string
}

// Rule decides a dispute.
func (c *Contests) Rule(ctx context.Context, r Ruling) error {
	cell := disputeCell(r.Dispute)
	keys := Keys{Request: NewRequest(r.Request, "person/"+r.By.String(), "contest/rule", []any{r.Dispute, r.Upheld, r.Answer}),
		States: []string{string(cell), string(standingOf(r.By))}}
	_, err := Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, r.By, ManageGames); err != nil {
			return struct{}{}, err
		}
		d, err := cell.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if d.ID == 0 || !d.DecidedAt.IsZero() {
			return struct{}{}, ErrDisputeDecided.With("dispute %d", r.Dispute)
		}
		if r.Answer == "" {
			return struct{}{}, ErrDisputeText.With("an answer is needed")
		}
		d.Answer, d.Upheld, d.DecidedAt = r.Answer, r.Upheld, tx.Now()
		cell.Put(tx, d)
		return struct{}{}, cell.Append(tx, "dispute_decided", struct {
			Upheld bool      `json:"upheld"`
			By     player.ID `json:"by"`
		}{r.Upheld, r.By})
	})
	return err
}

// Disputes returns all disputes, oldest first; those of one player unless who is 0.
func (c *Contests) Disputes(ctx context.Context, who player.ID) ([]Dispute, error) {
	all, err := readCells[Dispute](ctx, c.Store, disputePrefix)
	var out []Dispute
	for _, d := range all {
		if who == 0 || d.Player == who {
			out = append(out, d)
		}
	}
	return out, err
}
