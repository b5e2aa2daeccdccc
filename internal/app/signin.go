package app

import (
	"context"
	"errors"
	"time"

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

// SignIn checks a name and a password and returns who it is. The address is recorded with
// a failure only. Names that exist and names that do not take the same time.
func (p People) SignIn(ctx context.Context, name, password, address string) (PersonRow, Standing, error) {
	name = Fold(name)
	if checkName(name) != nil {
		name = "-" // nobody's
	}
	var row PersonRow
	var standing Standing
	admitted, err := again(func() (admitted bool, err error) {
		proof, err := p.prove(ctx, func() (PersonRow, error) { return p.Store.PersonBySignIn(ctx, name) }, password)
		if err != nil {
			return false, err
		}
		row = proof.row
		keys := Keys{States: []string{string(failuresOf(name)), string(standingOf(row.ID)), accessStream}}
		err = p.Store.Update(ctx, keys, func(tx Tx) (err error) {
			admitted, standing, err = p.judge(tx, name, proof, address)
			return err
		})
		return admitted, err
	})
	switch {
	case err != nil:
		return PersonRow{}, Standing{}, err
	case !admitted:
		return PersonRow{}, Standing{}, ErrCredentials.With("for %q", name)
	}
	return row, standing, nil
}

// A passwordProof says whether a password was somebody's at an epoch.
type passwordProof struct {
	row   PersonRow
	epoch int // before the row was read: whoever changes a password raises it
	right bool
}

// prove checks a password, which takes long, outside any transaction.
func (p People) prove(ctx context.Context, read func() (PersonRow, error), password string) (out passwordProof, err error) {
	who, err := read()
	if err != nil && !errors.Is(err, ErrNotFound) {
		return out, err
	}
	s, _, err := standingOf(who.ID).Read(ctx, p.Store)
	if err != nil {
		return out, err
	}
	if out.row, err = read(); err != nil && !errors.Is(err, ErrNotFound) {
		return out, err
	}
	out.epoch, out.right = s.Epoch, CheckPassword(out.row.Password, password)
	return out, nil
}

// judge decides on an attempt. A failure is recorded, so it is not an error here; a locked
// name is ErrLocked, and leaves nothing; a password that was changed since is errMoved.
func (p People) judge(tx Tx, name string, proof passwordProof, address string) (bool, Standing, error) {
	cell := failuresOf(name)
	f, err := cell.Get(tx)
	if err != nil {
		return false, Standing{}, err
	}
	f = f.recent(tx.Now())
	if len(f.At) >= lockFailures {
		return false, Standing{}, ErrLocked.With("%q until %s", name, f.At[0].Add(lockWindow).Format(time.RFC3339))
	}
	s, err := standingOf(proof.row.ID).Get(tx)
	if err != nil {
		return false, Standing{}, err
	}
	if s.Epoch != proof.epoch {
		return false, Standing{}, errMoved
	}
	if proof.right && s.Status == Active {
		cell.Remove(tx)
		return true, s, nil
	}
	f.At = append(f.At, tx.Now())
	cell.Put(tx, f)
	return false, s, appendTo(tx, accessStream, "sign_in_failed", struct {
		Person  player.ID `json:"person,omitempty"`
		Address string    `json:"address"`
		Count   int       `json:"count"`
	}{proof.row.ID, address, len(f.At)})
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
	Address  string // recorded if the old password is wrong
}

// ChangePassword replaces a password that its owner knows. All sessions end. A wrong old
// password counts as a failed sign-in (std:7).
func (p People) ChangePassword(ctx context.Context, c PasswordChange) error {
	given, err := givePassword(c.Request, "person/"+c.Person.String(), "password", c.New, c.Person)
	if err != nil {
		return err
	}
	changed, err := again(func() (bool, error) {
		proof, err := p.prove(ctx, func() (PersonRow, error) { return p.Store.Person(ctx, c.Person) }, c.Old)
		if err != nil {
			return false, err
		}
		name := proof.row.SignIn
		keys := Keys{Request: given.request, States: []string{string(failuresOf(name)), string(standingOf(c.Person)), accessStream}}
		return Do(ctx, p.Store, keys, func(tx Tx) (bool, error) {
			admitted, s, err := p.judge(tx, name, proof, c.Address)
			if err != nil || !admitted {
				return false, err
			}
			s.MustChange = false
			return true, setPassword(tx, proof.row, s, given.hash, "password_changed", nil)
		})
	})
	if err == nil && !changed {
		return ErrCredentials.With("the old password of person %d", c.Person)
	}
	return err
}

// setPassword stores a password for a person and ends all sessions.
func setPassword(tx Tx, row PersonRow, s Standing, hash, kind string, payload any) error {
	s.Epoch++
	cell := standingOf(row.ID)
	cell.Put(tx, s)
	failuresOf(row.SignIn).Remove(tx)
	row.Password = hash
	tx.Save(row)
	return cell.Append(tx, kind, payload)
}
