package app

import (
	"context"

	"boulier/player"
	"boulier/regs"
)

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
	given, err := givePassword(r.Request, "person/"+r.Cashier.String(), "reset", r.Password, r.Person, r.Document)
	if err != nil {
		return err
	}
	return p.resetPassword(ctx, given, r.Person,
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

// A StaffReset gives a member of staff a temporary password.
type StaffReset struct {
	Request  RequestID
	By       player.ID
	Person   player.ID
	Password string // to be changed at the next sign-in
}

// ResetStaffPassword gives a member of staff a temporary password, by order of an
// administrator (std:51). The desk does it for players, against an identity document.
func (p People) ResetStaffPassword(ctx context.Context, r StaffReset) error {
	given, err := givePassword(r.Request, "person/"+r.By.String(), "staff/reset", r.Password, r.Person)
	if err != nil {
		return err
	}
	return p.resetPassword(ctx, given, r.Person, byStaff{By: r.By},
		func(tx Tx) error {
			if err := requireBy(tx, r.By, ManageStaff); err != nil {
				return err
			}
			s, err := standingOf(r.Person).Get(tx)
			if err != nil {
				return err
			}
			if s.Public() {
				return ErrNotStaff.With("person %d plays", r.Person)
			}
			return nil
		})
}

// resetPassword gives somebody a temporary password, by staff who are allowed to.
func (p People) resetPassword(ctx context.Context, given givenPassword, who player.ID, by byStaff, allowed func(Tx) error) error {
	row, err := p.Store.Person(ctx, who)
	if err != nil {
		return err
	}
	keys := Keys{Request: given.request,
		States: []string{string(standingOf(who)), string(failuresOf(row.SignIn)), string(standingOf(by.By))}}
	_, err = Do(ctx, p.Store, keys, func(tx Tx) (struct{}, error) {
		if err := allowed(tx); err != nil {
			return struct{}{}, err
		}
		s, err := standingOf(who).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		s.MustChange = true
		return struct{}{}, setPassword(tx, row, s, given.hash, "password_reset", by)
	})
	return err
}
