package app

import (
	"context"
	"slices"

	"boulier/player"
	"boulier/regs"
)

// SystemPerson stands for the program itself where a person is asked for: the first
// administrator and the demonstration have nobody before them.
const SystemPerson player.ID = -1

// A NewStaff is an administrator's order to add somebody.
type NewStaff struct {
	Request  RequestID
	By       player.ID
	SignIn   string
	Name     string
	Password string // a first one, to be changed at the first sign-in
	Locale   string
	Roles    []Role
	// First is for whoever sets the house up: refused once there is an administrator.
	First bool
}

// What the care of staff refuses.
var (
	ErrSetUp       = &regs.Violation{Ref: "std:51", Code: "set_up"}
	ErrRoleUnknown = &regs.Violation{Ref: "std:51", Code: "role_unknown"}
	ErrLastAdmin   = &regs.Violation{Ref: "std:51", Code: "last_administrator"}
	ErrNotStaff    = &regs.Violation{Ref: "std:57", Code: "not_staff"}
)

// checkStaffRoles refuses roles that staff cannot have: playing is not for them (std:57).
func checkStaffRoles(roles []Role) error {
	if len(roles) == 0 {
		return ErrRoleUnknown.With("no role")
	}
	for _, r := range roles {
		if !slices.Contains(StaffRoles, r) {
			return ErrRoleUnknown.With("role %q", r)
		}
	}
	return nil
}

// AddStaff adds a person who works here.
func (p People) AddStaff(ctx context.Context, n NewStaff) (player.ID, error) {
	n.SignIn = Fold(n.SignIn)
	if err := checkName(n.SignIn); err != nil {
		return 0, err
	}
	if err := checkStaffRoles(n.Roles); err != nil {
		return 0, err
	}
	given, err := givePassword(n.Request, "person/"+n.By.String(), "staff/add", n.Password, n.SignIn, n.Name, n.Roles)
	if err != nil {
		return 0, err
	}
	return again(func() (player.ID, error) {
		id, err := nextPersonID(ctx, p.Store)
		if err != nil {
			return 0, err
		}
		keys := Keys{Request: given.request, States: []string{string(nextPerson), string(signInName(n.SignIn)),
			string(standingOf(id)), string(standingOf(n.By)), string(adminsCell)}}
		return Do(ctx, p.Store, keys, func(tx Tx) (player.ID, error) {
			if err := requireBy(tx, n.By, ManageStaff); err != nil {
				return 0, err
			}
			if admins, err := adminsCell.Get(tx); err != nil {
				return 0, err
			} else if n.First && admins > 0 {
				return 0, ErrSetUp.With("%d administrators", admins)
			}
			row := PersonRow{SignIn: n.SignIn, Name: n.Name, Password: given.hash, Locale: n.Locale}
			s := Standing{Roles: n.Roles, Status: Active, MustChange: n.By != SystemPerson}
			if err := countAdmins(tx, Standing{}, s); err != nil {
				return 0, err
			}
			return id, newPerson(tx, id, row, s, n.By.String())
		})
	})
}

// requireBy returns ErrForbidden unless the person, among the keys, may do it. The program
// itself may.
func requireBy(tx Tx, by player.ID, what Action) error {
	if by == SystemPerson {
		return nil
	}
	s, err := standingOf(by).Get(tx)
	if err != nil {
		return err
	}
	return require(s, what)
}

// adminsCell counts the active administrators, so that the last one cannot go.
const adminsCell Cell[int] = "administrators"

// countAdmins keeps that count when a standing changes.
func countAdmins(tx Tx, was, is Standing) error {
	n, err := adminsCell.Get(tx)
	if err != nil {
		return err
	}
	admin := func(s Standing) bool { return s.Status == Active && s.Is(Administrator) }
	switch {
	case admin(is) && !admin(was):
		n++
	case admin(was) && !admin(is):
		n--
	default:
		return nil
	}
	if n == 0 {
		return ErrLastAdmin.With("nobody could give roles any more")
	}
	adminsCell.Put(tx, n)
	return nil
}

// A StaffChange gives a member of staff other roles, or closes the account.
type StaffChange struct {
	Request RequestID
	By      player.ID
	Person  player.ID
	Roles   []Role
	Status  Status
}

// ChangeStaff changes what somebody may do. All sessions of the person end.
func (p People) ChangeStaff(ctx context.Context, c StaffChange) error {
	if err := checkStaffRoles(c.Roles); err != nil {
		return err
	}
	cell := standingOf(c.Person)
	keys := Keys{
		Request: NewRequest(c.Request, "person/"+c.By.String(), "staff/change", []any{c.Person, c.Roles, c.Status}),
		States:  []string{string(cell), string(standingOf(c.By)), string(adminsCell)},
	}
	_, err := Do(ctx, p.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, c.By, ManageStaff); err != nil {
			return struct{}{}, err
		}
		was, err := cell.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if len(was.Roles) == 0 || was.Public() {
			return struct{}{}, ErrNotStaff.With("person %d has %v", c.Person, was.Roles)
		}
		is := was
		is.Roles, is.Status = c.Roles, c.Status
		is.Epoch++
		if err := countAdmins(tx, was, is); err != nil {
			return struct{}{}, err
		}
		cell.Put(tx, is)
		return struct{}{}, cell.Append(tx, "standing_changed", struct {
			By     player.ID `json:"by"`
			Before Standing  `json:"before"`
			After  Standing  `json:"after"`
		}{c.By, was, is})
	})
	return err
}

// A Member is somebody of the staff, with the name.
type Member struct {
	PersonRow
	Standing
}

// Staff returns everyone who works or worked here, by identifier.
func (p People) Staff(ctx context.Context) ([]Member, error) {
	rows, err := p.Store.Staff(ctx)
	if err != nil {
		return nil, err
	}
	var out []Member
	for _, row := range rows {
		s, _, err := standingOf(row.ID).Read(ctx, p.Store)
		if err != nil {
			return nil, err
		}
		out = append(out, Member{row, s})
	}
	return out, nil
}

// Administrators returns how many people may give roles.
func (p People) Administrators(ctx context.Context) (int, error) {
	n, _, err := adminsCell.Read(ctx, p.Store)
	return n, err
}
