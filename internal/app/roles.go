package app

import (
	"slices"

	"boulier/regs"
)

// A Role is what somebody may do here.
type Role string

// The roles. Player excludes all others: staff cannot play (std:57).
const (
	Administrator Role = "administrator"
	Manager       Role = "manager"
	Editor        Role = "editor"
	Cashier       Role = "cashier"
	Caller        Role = "caller"
	Checker       Role = "checker"
	Inspector     Role = "inspector"
	Player        Role = "player"
	Junior        Role = "junior" // a minor: contests only, with a parent's consent (contest:3.age)
)

// StaffRoles are the roles that an administrator can give.
var StaffRoles = []Role{Administrator, Manager, Editor, Cashier, Caller, Checker, Inspector}

// An Action is something that only some roles may do.
type Action string

// The actions.
const (
	Play         Action = "play"          // buy, see one's own history
	Predict      Action = "predict"       // take part in contests, which cost nothing
	ManageStaff  Action = "manage_staff"  // people and roles
	ManageHouse  Action = "manage_house"  // keys, settings, backup
	ManageGames  Action = "manage_games"  // import, open, close, report
	EditContests Action = "edit_contests" // build legs, enter results
	WorkDesk     Action = "work_desk"     // open accounts, load, pay out, reset passwords
	TendBingo    Action = "tend_bingo"    // record faults of terminals, refund their cards
	Inspect      Action = "inspect"       // see and export the journal and every movement
	CallLoto     Action = "call_loto"     // call numbers, decide disputes, hand prizes over
	CheckLoto    Action = "check_loto"    // look at claimed cards
	InspectGiven Action = "inspect_given" // see prizes given of an open block (reading I8)
)

// allowed is the one table of who may do what.
var allowed = map[Role][]Action{
	Administrator: {ManageStaff, ManageHouse},
	Manager:       {ManageGames, EditContests, CallLoto, CheckLoto, TendBingo},
	Caller:        {CallLoto, CheckLoto},
	Checker:       {CheckLoto},
	Editor:        {EditContests},
	Cashier:       {WorkDesk, TendBingo},
	Inspector:     {Inspect, InspectGiven},
	Player:        {Play, Predict},
	Junior:        {Predict},
}

// May reports whether one of the roles may do it.
func May(roles []Role, what Action) bool {
	for _, r := range roles {
		if slices.Contains(allowed[r], what) {
			return true
		}
	}
	return false
}

// ErrForbidden refuses what the person's roles do not allow.
var ErrForbidden = &regs.Violation{Ref: "std:51", Code: "forbidden"}

// require returns ErrForbidden unless the person in the transaction may do it.
func require(s Standing, what Action) error {
	if s.Status != Active || !May(s.Roles, what) {
		return ErrForbidden.With("%v may not %s (status %s)", s.Roles, what, s.Status)
	}
	return nil
}
