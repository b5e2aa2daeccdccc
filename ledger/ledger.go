// Package ledger holds the rules of the double-entry ledger: accounts named by a path,
// each in one unit with a floor, and movements that take from one account and give to
// another, so that the balances of each unit always sum to zero.
//
// It is pure: where balances are kept is the business of package internal/store. Vouchers
// and objects are registers, not money, and never stand here.
package ledger

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"boulier/money"
)

// A Path names an account, its parts joined by colons: "player:9", "desk:1:cash".
type Path string

// A Unit is what an account counts.
type Unit string

// The units of the ledger. Nuggets are not money and never become money (contest:12).
const (
	EUR     Unit = "EUR" // in cents
	Nuggets Unit = "NUG" // in hundredths
)

// An Amount is a count of a unit: cents of EUR, hundredths of nuggets.
type Amount struct {
	Unit  Unit
	Count int64
}

// Euros returns c as an amount.
func Euros(c money.Cents) Amount { return Amount{EUR, int64(c)} }

// NoFloor is the floor of an account that may owe without bound.
const NoFloor = math.MinInt64

// An Account is the state of one account.
type Account struct {
	Path    Path
	Unit    Unit
	Floor   int64  // the least balance allowed, or NoFloor
	Balance int64  // in the unit's smallest part
	Moves   uint64 // how many movements have touched it
}

// Open returns the account of a path before its first movement: empty, in the unit of its
// path, with the floor of its kind. Who may not owe has floor 0; outside things (drawers,
// bank, house) have none, for they run negative by what they hold. An issue's floor
// (instant:ISSUE) is lowered to minus the tables of its open blocks when they open.
func Open(path Path) Account {
	a := Account{Path: path, Unit: EUR}
	kind, rest, _ := strings.Cut(string(path), ":")
	switch kind {
	case "desk", "bank", "house":
		a.Floor = NoFloor
	case "contest":
		a.Unit = Nuggets
	}
	if strings.Contains(":"+rest+":", ":nuggets:") {
		a.Unit = Nuggets
	}
	return a
}

// A Movement takes a positive amount from one account and gives it to another. It is both
// postings at once, so a transaction made of movements cannot fail to sum to zero.
type Movement struct {
	From, To Path
	Amount   Amount
}

// The errors of Move, besides *Short.
var (
	ErrNotPositive = errors.New("ledger: not_positive: a movement needs an amount above zero")
	ErrUnit        = errors.New("ledger: unit_mismatch: a movement keeps one unit")
	ErrSameAccount = errors.New("ledger: same_account: a movement needs two accounts")
	ErrOverflow    = errors.New("ledger: overflow: the balance leaves 64 bits")
)

// Short is the error of a movement that would take an account below its floor.
type Short struct {
	Path    Path
	Missing int64 // how much more the account would need
}

func (s *Short) Error() string {
	return fmt.Sprintf("ledger: insufficient_funds: %s lacks %d", s.Path, s.Missing)
}

// Move carries out m on the two accounts that it names, in order of a transaction's
// movements: the floor holds after each of them, so a stake is never paid from its own
// prize (std:14). On an error neither account has changed.
func Move(from, to *Account, m Movement) error {
	switch {
	case m.Amount.Count <= 0:
		return ErrNotPositive
	case from.Path == to.Path:
		return ErrSameAccount
	case from.Unit != m.Amount.Unit || to.Unit != m.Amount.Unit:
		return ErrUnit
	case from.Balance < math.MinInt64+m.Amount.Count || to.Balance > math.MaxInt64-m.Amount.Count:
		return ErrOverflow
	}
	left := from.Balance - m.Amount.Count
	if from.Floor != NoFloor && left < from.Floor {
		return &Short{from.Path, from.Floor - left}
	}
	from.Balance = left
	to.Balance += m.Amount.Count
	from.Moves++
	to.Moves++
	return nil
}
