package bingo

import (
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/player"
	"boulier/regs"
)

// A Phase says how far a round is.
type Phase string

// The phases of a round.
const (
	Planned   Phase = "planned"
	Committed Phase = "committed" // no sale before the checkpoint
	Selling   Phase = "selling"
	Drawing   Phase = "drawing" // sale closed, start announced
	Over      Phase = "over"
	Void      Phase = "void"
)

// A Round is a « partie »: sale, draw, prizes.
type Round struct {
	ID         RoundID
	Number     int
	Proposal   Proposal
	Phase      Phase
	Last       bool // of the day (reading B12)
	Commitment string
	Witness    string // commitment of the witness, empty without one
	WitnessKey string // the key by which the witness signs
	Mixed      string // the secret of the witness, once it is open
	Secret     string // once it is revealed
	Sale       Window
	ClosedAt   time.Time
	Cards      int
	Sales      money.Cents
	Digest     string        // of the cards sold
	Faces      string        // of their numbers
	Amounts    []money.Cents // of the prizes of the proposal
	Pots       []Pot         // as they are played for
	Next       []Pot         // as the next round finds them, once this one is over
	Balls      []ninety.Ball
	DrawnAt    time.Time // of the last ball
	Wins       []Win
	Faults     []FaultRecorded
	End        End
}

// What the course of a round refuses.
var (
	ErrRoundPhase = &regs.Violation{Ref: "bingo:93.1", Code: "bingo_phase"}
	ErrProposal   = &regs.Violation{Ref: "bingo:93.5", Code: "proposal_faults"}
	ErrCommitment = &regs.Violation{Ref: "bingo:93.10", Code: "not_committed"}
	ErrStarts     = &regs.Violation{Ref: "bingo:93.8", Code: "starts_unknown"}
	ErrSaleOpen   = &regs.Violation{Ref: "bingo:93.9", Code: "sale_open"}
	ErrWitness    = &regs.Violation{Ref: "bingo:93.10", Code: "witness_closed"}
	ErrSecret     = &regs.Violation{Ref: "bingo:93.10", Code: "other_secret"}
	ErrTooSoon    = &regs.Violation{Ref: "bingo:93.10", Code: "ball_too_soon"}
	ErrBall       = &regs.Violation{Ref: "bingo:93.10", Code: "ball_unknown"}
	ErrReason     = &regs.Violation{Ref: "bingo:93.10", Code: "reason_missing"}
	ErrNoFault    = &regs.Violation{Ref: "bingo:93.10", Code: "fault_unrecorded"}
	ErrNoRefund   = &regs.Violation{Ref: "bingo:93.10", Code: "nothing_to_refund"}
)

func (r Round) in(phases ...Phase) error {
	if !slices.Contains(phases, r.Phase) {
		return ErrRoundPhase.With("the round is %q", r.Phase)
	}
	return nil
}

// Plan makes a round of a proposal.
func Plan(id RoundID, number int, p Proposal) ([]Event, error) {
	if faults := p.Faults(); len(faults) > 0 {
		return nil, ErrProposal.With("%v", faults[0])
	}
	return []Event{RoundPlanned{id, number, p}}, nil
}

// A Witness takes part in the draw of a round: its commitment, its key and what it has signed;
// zero where there is none.
type Witness struct{ Commitment, Key, Signed string }

// Commit publishes the commitments of the round's secrets (reading B13).
func (r Round) Commit(commitment string, w Witness) ([]Event, error) {
	if err := r.in(Planned); err != nil {
		return nil, err
	}
	if commitment == "" || w.Commitment == commitment {
		return nil, ErrCommitment
	}
	return []Event{RoundCommitted{commitment, w.Commitment, w.Key, w.Signed}}, nil
}

// OpenSale begins the sale from the cursors where the round before ended (bingo:93.1,
// reading B5). Whether the round is the last of the day is said here at the latest.
func (r Round) OpenSale(at time.Time, starts []Cursor, last bool) ([]Event, error) {
	if err := r.in(Committed); err != nil {
		return nil, err
	}
	p := r.Proposal
	bad := len(starts) != len(p.Tracks)
	for i, t := range p.Tracks {
		bad = bad || starts[i].Number < 1 || starts[i].Number > t.Size ||
			starts[i].Series < 0 || starts[i].Series >= len(t.Series)
	}
	if bad {
		return nil, ErrStarts.With("%v", starts)
	}
	return []Event{SaleOpened{Window{at, at.Add(p.SaleTime)}, p.Tracks, starts, p.MostCards, last}}, nil
}

// Close ends the sale once its time is over, and announces the start: cards sold, prizes,
// pots (bingo:93.9). The digests are those of Digest and Faces over all cards sold. A round
// without a card is over at once.
func (r Round) Close(at time.Time, s Sale, digest, faces string, pots []Pot) ([]Event, error) {
	if err := r.in(Selling); err != nil {
		return nil, err
	}
	if at.Before(r.Sale.Closes) {
		return nil, ErrSaleOpen.With("it is %s, the sale closes at %s", at, r.Sale.Closes)
	}
	sales := s.Takings - s.Back
	fed := make([]Pot, len(r.Proposal.Pots))
	copy(fed, pots)
	for i, rule := range r.Proposal.Pots {
		fed[i] = fed[i].Fed(rule, sales)
	}
	cards := s.Cards - s.Left
	events := []Event{SaleClosed{at, cards, sales, digest, faces, r.Proposal.Amounts(sales), fed}}
	if cards == 0 {
		events = append(events, RoundEnded{NoCards, fed})
	}
	return events, nil
}

// OpenWitness mixes in the secret of the witness, whose commitment is the one given.
func (r Round) OpenWitness(secret, commitment string) ([]Event, error) {
	if err := r.in(Drawing); err != nil {
		return nil, err
	}
	if r.Witness == "" || r.Mixed != "" || commitment != r.Witness {
		return nil, ErrSecret
	}
	return []Event{WitnessOpened{secret}}, nil
}

// DrawSalt returns the public part of the draw (reading B13), once nothing is missing of it.
func (r Round) DrawSalt() ([]byte, error) {
	if err := r.in(Drawing, Over, Void); err != nil {
		return nil, err
	}
	if r.Witness != "" && r.Mixed == "" {
		return nil, ErrWitness
	}
	digest, err := hex.DecodeString(r.Digest)
	if err != nil {
		return nil, err
	}
	witness, err := hex.DecodeString(r.Mixed)
	if err != nil {
		return nil, err
	}
	return append(digest, witness...), nil
}

// Waits reports whether the sale has closed and the witness has not opened its secret: no
// ball can be drawn before (reading B13). Only a person ends a wait that lasts, by a void.
func (r Round) Waits() bool { return r.Phase == Drawing && r.Witness != "" && r.Mixed == "" }

// Due returns when the round goes on by itself: the sale closes, or a ball is drawn; the
// zero time if nothing is due. The prizes stand a rhythm before the first ball.
func (r Round) Due() time.Time {
	switch {
	case r.Waits():
		return time.Time{}
	case r.Phase == Selling:
		return r.Sale.Closes
	case r.Phase != Drawing:
		return time.Time{}
	case len(r.Balls) == 0:
		return r.ClosedAt.Add(r.Proposal.Rhythm)
	}
	return r.DrawnAt.Add(r.Proposal.Rhythm)
}

// Draw draws a ball, and says what it wins and whether the round is over (bingo:93.10,
// bingo:93.12, bingo:93.13). Every open combination is evaluated on it over all cards, the
// line first (reading B7). The board is that of the round.
func (r Round) Draw(b ninety.Ball, board *Board, at time.Time) ([]Event, error) {
	if err := r.in(Drawing); err != nil {
		return nil, err
	}
	if r.Waits() {
		return nil, ErrWitness
	}
	if at.Before(r.Due()) {
		return nil, ErrTooSoon.With("it is %s, the ball is due at %s", at, r.Due())
	}
	if board.InPlay() == 0 {
		return []Event{RoundEnded{NoCards, r.Pots}}, nil
	}
	if err := board.draw(r.Balls, b); err != nil {
		return nil, ErrBall.With("%v", err)
	}
	n := len(r.Balls) + 1
	events := []Event{BallDrawn{n, b, at}}
	won := func(w Win) {
		events = append(events, PrizeWon{w})
		r.Wins = append(slices.Clip(r.Wins), w)
	}
	for _, i := range r.Proposal.order() {
		if r.Won(i, false) {
			continue
		}
		if winners := board.winners(r.Proposal.Prizes[i].Pattern); len(winners) > 0 {
			won(newWin(i, false, n, r.Amounts[i], winners))
		}
	}
	for i, rule := range r.Proposal.Pots {
		if n > rule.Within || r.Pots[i].Amount == 0 || r.Won(i, true) {
			continue
		}
		if winners := board.winners(rule.Pattern); len(winners) > 0 {
			won(newWin(i, true, n, r.Pots[i].Amount, winners))
		}
	}
	switch {
	case board.full():
		events = append(events, RoundEnded{Completed, r.potsAfter()})
	case r.allWon():
		events = append(events, RoundEnded{AllWon, r.potsAfter()})
	}
	return events, nil
}

// newWin shares an amount among winning cards (bingo:93.13).
func newWin(i int, pot bool, ball int, amount money.Cents, winners []Winner) Win {
	prices := make([]money.Cents, len(winners))
	for k, w := range winners {
		prices[k] = w.Price
	}
	for k, share := range SplitPrize(amount, prices) {
		winners[k].Share = share
	}
	return Win{i, pot, ball, amount, winners}
}

// Won reports whether a prize, or a pot, has been won.
func (r Round) Won(i int, pot bool) bool {
	return slices.ContainsFunc(r.Wins, func(w Win) bool { return w.Prize == i && w.Pot == pot })
}

// Open returns the patterns that can still win something, for nearness (reading B9).
func (r Round) Open() (list []ninety.Goal) {
	for _, i := range r.Proposal.order() {
		if r.Phase == Drawing && !r.Won(i, false) {
			list = append(list, r.Proposal.Prizes[i].Pattern)
		}
	}
	return list
}

func (r Round) allWon() bool {
	for i := range r.Proposal.Prizes {
		if !r.Won(i, false) {
			return false
		}
	}
	return true
}

// potsAfter returns the pots with which the next round begins.
func (r Round) potsAfter() []Pot {
	pots := slices.Clone(r.Pots)
	for i, rule := range r.Proposal.Pots {
		if r.Won(i, true) {
			pots[i] = pots[i].Won(rule)
		}
	}
	return pots
}

// Void deems the round not played (reading B10): what was paid for cards and not refunded
// yet goes back, and the prizes are taken back.
func (r Round) Void(by player.ID, reason string, s Sale) ([]Event, error) {
	if err := r.in(Planned, Committed, Selling, Drawing); err != nil {
		return nil, err
	}
	if strings.TrimSpace(reason) == "" {
		return nil, ErrReason
	}
	var taken money.Cents
	for _, w := range r.Wins {
		taken += w.Amount
	}
	return []Event{RoundVoided{by, reason, s.Takings - s.Back - s.House, taken}}, nil
}

// Reveal publishes the secret of a round that is over or void, whose commitment is the one
// given.
func (r Round) Reveal(secret, commitment string) ([]Event, error) {
	if err := r.in(Over, Void); err != nil {
		return nil, err
	}
	if r.Secret != "" || commitment != r.Commitment {
		return nil, ErrSecret
	}
	return []Event{SecretRevealed{secret}}, nil
}

// RecordFault records that a terminal fails, while the round runs (reading B11).
func (r Round) RecordFault(terminal TerminalID, what string, by player.ID) ([]Event, error) {
	if err := r.in(Selling, Drawing); err != nil {
		return nil, err
	}
	if strings.TrimSpace(what) == "" {
		return nil, ErrReason
	}
	return []Event{FaultRecorded{terminal, what, by}}, nil
}

// Refund takes the cards of a purchase out of the round, but for those that won, because
// the fault of their terminal was recorded (reading B11). Gone are the places of the purchase
// that were refunded before. The event belongs to the Sale; the prizes do not change.
func (r Round) Refund(e CardsSold, gone []int, by player.ID) ([]Event, error) {
	if err := r.in(Selling, Drawing, Over); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(r.Faults, func(f FaultRecorded) bool { return f.Terminal == e.Terminal })
	if i < 0 {
		return nil, ErrNoFault.With("terminal %d", e.Terminal)
	}
	var places []int
	for place := e.First; place < e.First+e.Count; place++ {
		if !slices.Contains(gone, place) && !r.wonBy(place) {
			places = append(places, place)
		}
	}
	if len(places) == 0 {
		return nil, ErrNoRefund.With("purchase %d", e.Rank)
	}
	return []Event{CardsRefunded{e.Rank, places, len(r.Balls), e.Price * money.Cents(len(places)),
		r.Phase != Selling, r.Faults[i].What, by}}, nil
}

func (r Round) wonBy(place int) bool {
	for _, w := range r.Wins {
		_, found := slices.BinarySearchFunc(w.Winners, place, func(a Winner, p int) int { return a.Place - p })
		if found {
			return true
		}
	}
	return false
}

// Apply returns the round after an event. Events come from the methods that decide, so
// nothing is checked again.
func (r Round) Apply(e Event) Round {
	switch e := e.(type) {
	case RoundPlanned:
		r = Round{ID: e.ID, Number: e.Number, Proposal: e.Proposal, Phase: Planned}
	case RoundCommitted:
		r.Phase, r.Commitment = Committed, e.Commitment
		r.Witness, r.WitnessKey = e.Witness, e.Key
	case SaleOpened:
		r.Phase, r.Sale, r.Last = Selling, e.Window, e.Last
	case FaultRecorded:
		r.Faults = append(slices.Clip(r.Faults), e)
	case SaleClosed:
		r.Phase, r.ClosedAt, r.Cards, r.Sales = Drawing, e.At, e.Cards, e.Sales
		r.Digest, r.Faces, r.Amounts, r.Pots = e.Digest, e.Faces, e.Amounts, e.Pots
	case WitnessOpened:
		r.Mixed = e.Secret
	case BallDrawn:
		r.Balls, r.DrawnAt = append(slices.Clip(r.Balls), e.Ball), e.At
	case PrizeWon:
		r.Wins = append(slices.Clip(r.Wins), e.Win)
	case RoundEnded:
		r.Phase, r.End, r.Next = Over, e.Reason, e.Pots
	case RoundVoided:
		r.Phase = Void
	case SecretRevealed:
		r.Secret = e.Secret
	}
	return r
}
