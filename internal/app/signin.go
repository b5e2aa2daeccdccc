package app

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"boulier/player"
	"boulier/regs"
)

// What signing in refuses. Whatever is wrong with the credentials, the answer is the same.
var (
	ErrCredentials = &regs.Violation{Ref: "std:7", Code: "credentials"}
	ErrLocked      = &regs.Violation{Ref: "std:7", Code: "locked"}
)

// The lock of a sign-in name: three failures within half an hour close it until the oldest
// of them is half an hour old (std:7).
const (
	lockFailures = 3
	lockWindow   = 30 * time.Minute
)

// failures is the state of a sign-in name's failed attempts, oldest first.
type failures struct {
	At []time.Time `json:"at"`
}

// recent returns the failures that still count at a time.
func (f failures) recent(now time.Time) failures {
	var out failures
	for _, at := range f.At {
		if now.Sub(at) < lockWindow {
			out.At = append(out.At, at)
		}
	}
	return out
}

func failuresOf(folded string) Cell[failures] { return Cell[failures]("lock/" + folded) }

// accessStream tells of failed sign-ins (std:24). Its payloads hold addresses and may be
// erased.
const accessStream = "access"

// SignIn checks a name and a password and returns who it is. The address is recorded with
// a failure only. Names that exist and names that do not take the same time.
func (p People) SignIn(ctx context.Context, name, password, address string) (PersonRow, Standing, error) {
	name = Fold(name)
	if checkName(name) != nil {
		name = "-" // nobody's
	}
	row, err := p.Store.PersonBySignIn(ctx, name)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return PersonRow{}, Standing{}, err
	}
	right := CheckPassword(row.Password, password)
	keys := Keys{States: []string{string(failuresOf(name)), string(standingOf(row.ID)), accessStream}}
	var standing Standing
	admitted := false
	err = p.Store.Update(ctx, keys, func(tx Tx) (err error) {
		admitted, standing, err = p.judge(tx, name, row.ID, right, address)
		return err
	})
	switch {
	case err != nil:
		return PersonRow{}, Standing{}, err
	case !admitted:
		return PersonRow{}, Standing{}, ErrCredentials.With("for %q", name)
	}
	return row, standing, nil
}

// judge decides on an attempt. A failure is recorded, so it is not an error here; a locked
// name is ErrLocked, and leaves nothing.
func (p People) judge(tx Tx, name string, id player.ID, right bool, address string) (bool, Standing, error) {
	cell := failuresOf(name)
	f, err := cell.Get(tx)
	if err != nil {
		return false, Standing{}, err
	}
	f = f.recent(tx.Now())
	if len(f.At) >= lockFailures {
		return false, Standing{}, ErrLocked.With("%q until %s", name, f.At[0].Add(lockWindow).Format(time.RFC3339))
	}
	s, err := standingOf(id).Get(tx)
	if err != nil {
		return false, Standing{}, err
	}
	if right && s.Status == Active {
		cell.Remove(tx)
		return true, s, nil
	}
	f.At = append(f.At, tx.Now())
	cell.Put(tx, f)
	return false, s, appendTo(tx, accessStream, "sign_in_failed", struct {
		Person  player.ID `json:"person,omitempty"`
		Address string    `json:"address"`
		Count   int       `json:"count"`
	}{id, address, len(f.At)})
}

// Who returns a person with the standing, for a session that goes on.
func (p People) Who(ctx context.Context, id player.ID) (PersonRow, Standing, error) {
	row, err := p.Store.Person(ctx, id)
	if err != nil {
		return row, Standing{}, err
	}
	s, _, err := standingOf(id).Read(ctx, p.Store)
	return row, s, err
}

// A PasswordChange is a person's own.
type PasswordChange struct {
	Request  RequestID
	Person   player.ID
	Old, New string
}

// ChangePassword replaces a password that its owner knows. All sessions end.
func (p People) ChangePassword(ctx context.Context, c PasswordChange) error {
	row, err := p.Store.Person(ctx, c.Person)
	if err != nil {
		return err
	}
	if !CheckPassword(row.Password, c.Old) {
		return ErrCredentials.With("the old password of person %d", c.Person)
	}
	return p.setPassword(ctx, NewRequest(c.Request, "person/"+c.Person.String(), "password", c.Person),
		row, c.New, false, "password_changed", nil)
}

// setPassword stores a password for a person and ends all sessions.
func (p People) setPassword(ctx context.Context, request Request, row PersonRow, password string,
	mustChange bool, kind string, payload any, also ...func(Tx) error) error {
	if utf8.RuneCountInString(password) < MinPassword {
		return ErrPasswordShort.With("fewer than %d characters", MinPassword)
	}
	hash, err := HashPassword(p.Entropy, password)
	if err != nil {
		return err
	}
	row.Password = hash
	cell := standingOf(row.ID)
	keys := Keys{Request: request, States: []string{string(cell), string(failuresOf(row.SignIn))}}
	if by, ok := payload.(byStaff); ok {
		keys.States = append(keys.States, string(standingOf(by.By)))
	}
	_, err = Do(ctx, p.Store, keys, func(tx Tx) (struct{}, error) {
		for _, check := range also {
			if err := check(tx); err != nil {
				return struct{}{}, err
			}
		}
		s, err := cell.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		s.Epoch++
		s.MustChange = mustChange
		cell.Put(tx, s)
		failuresOf(row.SignIn).Remove(tx)
		tx.Save(row)
		return struct{}{}, cell.Append(tx, kind, payload)
	})
	return err
}

// byStaff is the payload of what a member of staff does to a person.
type byStaff struct {
	By       player.ID `json:"by"`
	Document string    `json:"document,omitempty"` // kind of identity document seen
}

// A Reset gives a forgotten password anew, against an identity document.
type Reset struct {
	Request  RequestID
	Cashier  player.ID
	Person   player.ID
	Document string // its kind: identity_card, passport, driving_licence, residence_permit
	Password string // a temporary one, to be changed at the next sign-in
}

// ErrStaffReset refuses a cashier who would reset the password of staff.
var ErrStaffReset = &regs.Violation{Ref: "std:51", Code: "staff_reset"}

// Documents are the identity documents that a desk accepts.
var Documents = []string{"identity_card", "passport", "driving_licence", "residence_permit"}

// ResetPassword gives a player a temporary password at a desk.
func (p People) ResetPassword(ctx context.Context, r Reset) error {
	row, err := p.Store.Person(ctx, r.Person)
	if err != nil {
		return err
	}
	request := NewRequest(r.Request, "person/"+r.Cashier.String(), "reset", []any{r.Person, r.Document})
	return p.setPassword(ctx, request, row, r.Password, true, "password_reset",
		byStaff{r.Cashier, r.Document}, func(tx Tx) error {
			clerk, err := standingOf(r.Cashier).Get(tx)
			if err != nil {
				return err
			}
			if err := require(clerk, WorkDesk); err != nil {
				return err
			}
			s, err := standingOf(r.Person).Get(tx)
			if err != nil {
				return err
			}
			if !s.Public() {
				return ErrStaffReset.With("person %d has %v", r.Person, s.Roles)
			}
			return nil
		})
}
