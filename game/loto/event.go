package loto

import (
	"time"

	"boulier/game/ninety"
	"boulier/money"
	"boulier/player"
)

// An Event is a fact of a Session or of a Stock.
type Event interface {
	// Kind is the stable word that names the event in a journal.
	Kind() string
}

// The events of a Session.
type (
	// Planned says what the day is to be; the last one counts.
	Planned struct{ Plan Plan }
	// DayOpened commits to the draw of every round, in their order; sales wait for the
	// signed checkpoint that covers it (reading L17).
	// Ties are those of the tokens, by round and prize.
	DayOpened struct{ Commitments, Ties []string }
	// SaleOpened begins the sale.
	SaleOpened struct{}
	// RulesRecalled says that the caller has recalled the rules and the stamp (loto:11).
	RulesRecalled struct{}
	// ControlTaken gives the calling to one person, and takes it from any other.
	ControlTaken struct{ Caller player.ID }
	// RoundOpened announces a round and fixes which cards play and the salt of its draw.
	RoundOpened struct {
		Round int // from 1
		Salt  string
		Cards int
		Upto  []SaleRef // the last sale of each desk that plays
	}
	// BallCalled shows a number to the hall; Number counts the numbers of the round.
	BallCalled struct {
		Number int
		Ball   ninety.Ball
	}
	// CallCorrected replaces the last number, which was typed wrong, or takes it back when
	// Ball is 0 (reading L14).
	CallCorrected struct {
		Number    int
		Was, Ball ninety.Ball
		Reason    string
	}
	// CallRepeated announces the last number again, which was said wrong (reading L14).
	CallRepeated struct {
		Number int
		Ball   ninety.Ball
		Reason string
	}
	// DrawStopped and DrawResumed stand around a shout that nobody stands by.
	DrawStopped struct{}
	DrawResumed struct{}
	// ClaimMade is one card claimed in a stop.
	ClaimMade struct{ Claim Claim }
	// CheckBegan closes the list of claims.
	CheckBegan struct{}
	// ClaimChecked is the verdict on a claim, by its index.
	ClaimChecked struct {
		Claim   int
		Verdict Verdict
	}
	// ClaimsRejected lets the draw go on: nobody has won (loto:17).
	ClaimsRejected struct{}
	// TieFound says that several have won.
	TieFound struct{ Tie Tie }
	// ShareAnswered is the word of the winners on sharing (reading L1).
	ShareAnswered struct{ Agreed bool }
	// TokenDrawn is one token out of the bag (loto:14).
	TokenDrawn struct{ Token Token }
	// PrizeAwarded says who receives what.
	PrizeAwarded struct {
		Awards []Award
		How    How
	}
	// PrizeHandedOver ends a stage: the next one begins, or the round is over.
	PrizeHandedOver struct{}
	// RoundClosed lets players clear (loto:17); Reason says why a stage was not won.
	RoundClosed struct{ Reason string }
	// Paused and PauseEnded stand around a break (loto:9).
	Paused struct {
		Title string
		Until time.Time
	}
	PauseEnded struct{}
	// DisputeDecided records a decision of the organizer or the caller (loto:22).
	DisputeDecided struct{ Question, Decision string }
	// PersonExcluded voids the cards of some sales and pays them back (loto:23).
	PersonExcluded struct {
		Sales  []SaleRef
		Refund money.Cents
	}
	// ExclusionExplained follows it: what is said of a person stands apart from what voids
	// cards, which everybody may check.
	ExclusionExplained struct{ Reason string }
	// DayPostponed moves the day; cards and reservations stay valid, stamps do not
	// (loto:24, reading L11).
	DayPostponed struct {
		Doors, Start time.Time
		Reason       string
	}
	// DayClosed ends the day.
	DayClosed struct{ Reason string }
)

// Kind implements Event.
func (Planned) Kind() string            { return "planned" }
func (DayOpened) Kind() string          { return "day_opened" }
func (SaleOpened) Kind() string         { return "sale_opened" }
func (RulesRecalled) Kind() string      { return "rules_recalled" }
func (ControlTaken) Kind() string       { return "control_taken" }
func (RoundOpened) Kind() string        { return "round_opened" }
func (BallCalled) Kind() string         { return "ball_called" }
func (CallCorrected) Kind() string      { return "call_corrected" }
func (CallRepeated) Kind() string       { return "call_repeated" }
func (DrawStopped) Kind() string        { return "draw_stopped" }
func (DrawResumed) Kind() string        { return "draw_resumed" }
func (ClaimMade) Kind() string          { return "claim_made" }
func (CheckBegan) Kind() string         { return "check_began" }
func (ClaimChecked) Kind() string       { return "claim_checked" }
func (ClaimsRejected) Kind() string     { return "claims_rejected" }
func (TieFound) Kind() string           { return "tie_found" }
func (ShareAnswered) Kind() string      { return "share_answered" }
func (TokenDrawn) Kind() string         { return "token_drawn" }
func (PrizeAwarded) Kind() string       { return "prize_awarded" }
func (PrizeHandedOver) Kind() string    { return "prize_handed_over" }
func (RoundClosed) Kind() string        { return "round_closed" }
func (Paused) Kind() string             { return "paused" }
func (PauseEnded) Kind() string         { return "pause_ended" }
func (DisputeDecided) Kind() string     { return "dispute_decided" }
func (PersonExcluded) Kind() string     { return "person_excluded" }
func (ExclusionExplained) Kind() string { return "exclusion_explained" }
func (DayPostponed) Kind() string       { return "day_postponed" }
func (DayClosed) Kind() string          { return "day_closed" }
