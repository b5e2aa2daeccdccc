package bingo

import (
	"boulier/player"
	"boulier/regs"
)

// An AccountID names an electronic account: what stands on its card (bingo:93.3).
type AccountID int64

// PINTrials is how many wrong PINs lock an account.
const PINTrials = 3

// What an account refuses.
var (
	ErrNoAccount = &regs.Violation{Ref: "bingo:93.3", Code: "account_unknown"}
	ErrBlocked   = &regs.Violation{Ref: "bingo:93.3", Code: "account_blocked"}
	ErrLocked    = &regs.Violation{Ref: "bingo:93.3", Code: "account_locked"}
	ErrPINDay    = &regs.Violation{Ref: "bingo:93.3", Code: "pin_expired"}
	ErrPIN       = &regs.Violation{Ref: "bingo:93.3", Code: "pin_wrong"}
)

// The events of an Account. PINs and their digests stand elsewhere.
type (
	// AccountOpened makes an account, with the wallet of a player; Issue counts its cards.
	AccountOpened struct {
		ID     AccountID
		Player player.ID
		By     player.ID
	}
	// PINIssued gives a PIN that holds for a session day, and lifts the lock of wrong ones.
	PINIssued struct {
		Day string
		By  player.ID
	}
	// AccountEntered presents the account at a terminal; it leaves any other (bingo:93.3).
	AccountEntered struct{ Terminal TerminalID }
	// AccountLeft takes it out.
	AccountLeft struct{ Terminal TerminalID }
	// PINFailed is a wrong PIN; Failures counts them since the last right one.
	PINFailed struct {
		Terminal TerminalID
		Failures int
	}
	// AccountBlocked makes a lost card worthless; CardReissued makes a new one.
	AccountBlocked struct {
		By     player.ID
		Reason string
	}
	CardReissued struct {
		Card int
		By   player.ID
	}
)

// Kind implements Event.
func (AccountOpened) Kind() string  { return "account_opened" }
func (PINIssued) Kind() string      { return "pin_issued" }
func (AccountEntered) Kind() string { return "account_entered" }
func (AccountLeft) Kind() string    { return "account_left" }
func (PINFailed) Kind() string      { return "pin_failed" }
func (AccountBlocked) Kind() string { return "account_blocked" }
func (CardReissued) Kind() string   { return "card_reissued" }

// An Account is an electronic account as a terminal sees it; its credits are a wallet of the
// ledger.
type Account struct {
	ID       AccountID
	Player   player.ID
	Card     int    // which card is good, from 1
	Day      string // for which the PIN holds
	Failures int
	Blocked  bool
	Terminal TerminalID // where it is entered, 0 if nowhere
}

// An Entry is an account presented at a terminal.
type Entry struct {
	Terminal TerminalID
	Card     int    // read from the card
	Day      string // of the session
	Right    bool   // whether the PIN is
}

// OpenAccount makes an account.
func OpenAccount(id AccountID, of, by player.ID) []Event { return []Event{AccountOpened{id, of, by}} }

// known refuses an account that does not exist, a card that was replaced, one that is blocked.
func (a Account) known(card int) error {
	switch {
	case a.ID == 0:
		return ErrNoAccount
	case a.Blocked, card != a.Card:
		return ErrBlocked.With("card %d, good is %d", card, a.Card)
	}
	return nil
}

// IssuePIN binds a new PIN to a session day.
func (a Account) IssuePIN(day string, by player.ID) ([]Event, error) {
	if err := a.known(a.Card); err != nil {
		return nil, err
	}
	return []Event{PINIssued{day, by}}, nil
}

// Enter presents the account at a terminal (bingo:93.3). A wrong PIN is refused and is a fact
// as well: the events come with the violation. Three of them lock the account until a cashier
// gives a new PIN.
func (a Account) Enter(e Entry) ([]Event, error) {
	if err := a.known(e.Card); err != nil {
		return nil, err
	}
	switch {
	case a.Failures >= PINTrials:
		return nil, ErrLocked
	case a.Day != e.Day:
		return nil, ErrPINDay.With("the PIN is of %q, the session of %q", a.Day, e.Day)
	case !e.Right:
		return []Event{PINFailed{e.Terminal, a.Failures + 1}},
			ErrPIN.With("%d of %d", a.Failures+1, PINTrials)
	}
	return []Event{AccountEntered{e.Terminal}}, nil
}

// At refuses whatever is asked from a terminal in which the account is not entered.
func (a Account) At(t TerminalID) error {
	if err := a.known(a.Card); err != nil {
		return err
	}
	if t == 0 || a.Terminal != t {
		return ErrTerminal.With("asked at terminal %d, entered at %d", t, a.Terminal)
	}
	return nil
}

// Leave takes the account out of a terminal.
func (a Account) Leave(t TerminalID) ([]Event, error) {
	if err := a.At(t); err != nil {
		return nil, err
	}
	return []Event{AccountLeft{t}}, nil
}

// Block makes the card worthless, until a new one is made.
func (a Account) Block(by player.ID, reason string) ([]Event, error) {
	if err := a.known(a.Card); err != nil {
		return nil, err
	}
	return []Event{AccountBlocked{by, reason}}, nil
}

// Reissue makes a new card for a blocked account; it needs a new PIN.
func (a Account) Reissue(by player.ID) ([]Event, error) {
	if a.ID == 0 || !a.Blocked {
		return nil, ErrNoAccount.With("account %d is not blocked", a.ID)
	}
	return []Event{CardReissued{a.Card + 1, by}}, nil
}

// Apply returns the account after an event.
func (a Account) Apply(e Event) Account {
	switch e := e.(type) {
	case AccountOpened:
		a = Account{ID: e.ID, Player: e.Player, Card: 1}
	case PINIssued:
		a.Day, a.Failures = e.Day, 0
	case AccountEntered:
		a.Terminal, a.Failures = e.Terminal, 0
	case AccountLeft:
		a.Terminal = 0
	case PINFailed:
		a.Failures = e.Failures
	case AccountBlocked:
		a.Blocked, a.Terminal = true, 0
	case CardReissued:
		a.Card, a.Blocked, a.Day, a.Failures = e.Card, false, "", 0
	}
	return a
}
