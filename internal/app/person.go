package app

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"boulier/player"
	"boulier/regs"
)

// A Status says whether a person may act.
type Status string

// The statuses of a person.
const (
	Active Status = "active"
	Closed Status = "closed" // at the person's wish or by the house; can withdraw at a desk
)

// A Standing is what the house knows of a person under the identifier alone: the state of
// the stream person/ID. What is personal stands in the PersonRow.
type Standing struct {
	Roles      []Role `json:"roles"`
	Status     Status `json:"status"`
	Rules      int    `json:"rules"`       // the version accepted, 0 for none
	Epoch      int    `json:"epoch"`       // raised when every session must end
	MustChange bool   `json:"must_change"` // the password was given by somebody else
	TestOnly   bool   `json:"test,omitempty"`
}

// Is reports whether the person has the role.
func (s Standing) Is(r Role) bool {
	for _, own := range s.Roles {
		if own == r {
			return true
		}
	}
	return false
}

// Public reports whether the person is of the public, who play, and not of the staff.
func (s Standing) Public() bool { return s.Is(Player) || s.Is(Junior) }

func standingOf(id player.ID) Cell[Standing] { return Cell[Standing]("person/" + id.String()) }

// signInName is the state that makes a sign-in name unique: it holds the person's ID.
func signInName(folded string) Cell[int64] { return Cell[int64]("signin/" + folded) }

const nextPerson counter = "next/person"

// Fold returns the form of a sign-in name under which it is unique: without spaces around,
// in lower case.
func Fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// What registration refuses.
var (
	ErrUnderAge      = &regs.Violation{Ref: "std:5", Code: "under_age"}
	ErrNameTaken     = &regs.Violation{Ref: "std:5", Code: "name_taken"}
	ErrNameShape     = &regs.Violation{Ref: "std:5", Code: "name_shape"}
	ErrPasswordShort = &regs.Violation{Ref: "std:51", Code: "password_short"}
	ErrRulesVersion  = &regs.Violation{Ref: "instant:5", Code: "rules_version"}
	ErrNoRole        = &regs.Violation{Ref: "std:57", Code: "role_mix"}
)

// MinPassword is the least length of a password in characters.
const MinPassword = 10

// checkName refuses what cannot be a sign-in name: 2 to 40 letters, digits and . _ - @ +.
func checkName(folded string) error {
	n := 0
	for _, r := range folded {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-@+", r) {
			return ErrNameShape.With("%q is not allowed in a sign-in name", r)
		}
		n++
	}
	if n < 2 || n > 40 {
		return ErrNameShape.With("a sign-in name has 2 to 40 characters, this one has %d", n)
	}
	return nil
}

// personRegistered is the event of a new person; nothing personal is in it.
type personRegistered struct {
	Person player.ID `json:"person"`
	Roles  []Role    `json:"roles"`
	Rules  int       `json:"rules"`
	By     string    `json:"by"` // "self", or the person who did it
}

// newPerson inserts a person inside a transaction whose keys name signin/NAME and
// next/person. The identifier is not known beforehand, so the standing is written under
// the counter's next number, which the keys must name as well.
func newPerson(tx Tx, want player.ID, row PersonRow, s Standing, by string) error {
	name := signInName(row.SignIn)
	taken, err := name.Get(tx)
	if err != nil {
		return err
	}
	if taken != 0 {
		return ErrNameTaken.With("person %d has it", taken)
	}
	id, err := next(tx, nextPerson)
	if err != nil {
		return err
	}
	if player.ID(id) != want {
		return errMoved
	}
	row.ID, row.CreatedAt = want, tx.Now()
	name.Put(tx, id)
	standingOf(want).Put(tx, s)
	tx.Insert(row)
	return standingOf(want).Append(tx, "person_registered", personRegistered{want, s.Roles, s.Rules, by})
}

// errMoved tells that the keys of a transaction were drawn from a state that has moved on:
// the use case asks again. It never leaves the package.
var errMoved = fmt.Errorf("app: the state moved on, draw the keys again")

// again runs a use case until its keys fit, at most a few times.
func again[T any](run func() (T, error)) (T, error) {
	for try := 0; ; try++ {
		v, err := run()
		if err == nil || try == 8 || err != errMoved {
			return v, err
		}
	}
}

// nextPersonID returns the identifier that the next new person will have, if nobody else
// registers meanwhile.
func nextPersonID(ctx context.Context, r Reader) (player.ID, error) {
	n, _, err := nextPerson.Read(ctx, r)
	return player.ID(n + 1), err
}

// day is the form of a date in rows and forms.
const day = time.DateOnly
