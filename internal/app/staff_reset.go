package app

import (
	"context"

	"boulier/player"
)

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
	row, err := p.Store.Person(ctx, r.Person)
	if err != nil {
		return err
	}
	request := NewRequest(r.Request, "person/"+r.By.String(), "staff/reset", r.Person)
	return p.setPassword(ctx, request, row, r.Password, true, "password_reset", byStaff{By: r.By},
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
