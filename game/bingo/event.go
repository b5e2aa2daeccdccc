package bingo

import (
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/player"
)

// The events of a Round.
type (
	// RoundPlanned says what is going to be played.
	RoundPlanned struct {
		ID       RoundID
		Number   int // in the session, from 1
		Proposal Proposal
	}
	// RoundCommitted commits to the secrets that draw the balls (reading B13). No sale opens
	// before a signed checkpoint covers it. Where there is no witness, Commitment stands alone.
	RoundCommitted struct {
		Commitment string
		Witness    string // commitment of the witness
		Key        string // verifier key of the witness
		Signed     string // what the witness has signed by it
	}
	// SaleOpened begins the sale, and says whether the round is the last of the day
	// (bingo:93.1, bingo:93.15). It is the first event of the Sale, too.
	SaleOpened struct {
		Window Window
		Tracks []Track
		Starts []Cursor
		Most   int
		Last   bool
	}
	// FaultRecorded records the fault of a terminal when it happens (reading B11).
	FaultRecorded struct {
		Terminal TerminalID
		What     string
		By       player.ID
	}
	// SaleClosed announces the start: the cards sold, the prizes and the pots, before the
	// first ball (bingo:93.9, reading B8).
	SaleClosed struct {
		At      time.Time
		Cards   int
		Sales   money.Cents
		Digest  string // of the cards sold
		Faces   string // digest of their numbers
		Amounts []money.Cents
		Pots    []Pot // as they are played for
	}
	// WitnessOpened is the secret of the witness, mixed in before the first ball.
	WitnessOpened struct{ Secret string }
	// BallDrawn shows a ball; Number counts the balls of the round.
	BallDrawn struct {
		Number int
		Ball   ninety.Ball
		At     time.Time
	}
	// PrizeWon says who won a prize, or a pot, on the last ball (bingo:93.12).
	PrizeWon struct{ Win Win }
	// RoundEnded ends a round (bingo:93.13). Pots are what the next round begins with.
	RoundEnded struct {
		Reason End
		Pots   []Pot
	}
	// RoundVoided deems the round not played, on a person's order: every card is refunded,
	// prizes are taken back, pots are what they were (reading B10).
	RoundVoided struct {
		By     player.ID
		Reason string
		Refund money.Cents
		Taken  money.Cents
	}
	// SecretRevealed lets everyone draw the round again; a void round has one, too.
	SecretRevealed struct{ Secret string }
)

// Kind implements Event.
func (RoundPlanned) Kind() string   { return "round_planned" }
func (RoundCommitted) Kind() string { return "round_committed" }
func (SaleOpened) Kind() string     { return "sale_opened" }
func (FaultRecorded) Kind() string  { return "fault_recorded" }
func (SaleClosed) Kind() string     { return "sale_closed" }
func (WitnessOpened) Kind() string  { return "witness_opened" }
func (BallDrawn) Kind() string      { return "ball_drawn" }
func (PrizeWon) Kind() string       { return "prize_won" }
func (RoundEnded) Kind() string     { return "round_ended" }
func (RoundVoided) Kind() string    { return "round_voided" }
func (SecretRevealed) Kind() string { return "secret_revealed" }

// An End says why a round ended.
type End string

// The ends of a round.
const (
	Completed End = "completed" // a card is full (bingo:93.13)
	AllWon    End = "all_won"   // every combination has been won (bingo:93.13)
	NoCards   End = "no_cards"  // nobody has a card
)

// A Win is a prize or a pot that was won, shared among the winning cards.
type Win struct {
	Prize   int // index in the prizes of the proposal
	Pot     bool
	Ball    int // how many balls were out
	Amount  money.Cents
	Winners []Winner // in order of sale
}

// A Winner is a winning card and its share.
type Winner struct {
	Place  int // in the order of sale
	Serial ninety.Serial
	Player player.ID
	Price  money.Cents
	Share  money.Cents
}
