package app

import (
	"context"
	"time"

	"boulier/player"
)

// People registers persons and lets them sign in.
type People struct{ *Ground }

// A Registration is what somebody who wants to play says.
type Registration struct {
	Request  RequestID
	SignIn   string
	Password string
	Name     string // shown to others
	Born     time.Time
	Locale   string
	Rules    int // the version accepted
	// Contests says that the account is wanted for the contests, where a minor may have one
	// that plays for no money (contest:3.age).
	Contests bool
	// By is the cashier who opens the account at a desk, 0 for the player alone.
	By player.ID
}

// Register makes an account for a player: an adult (std:5) who accepts the rules in force
// (instant:5, std:6), or a minor who will only predict. It returns the new identifier.
func (p People) Register(ctx context.Context, r Registration) (player.ID, error) {
	r.SignIn = Fold(r.SignIn)
	if err := checkName(r.SignIn); err != nil {
		return 0, err
	}
	given, err := givePassword(r.Request, "register/"+r.SignIn, "register", r.Password,
		r.SignIn, r.Name, r.Born.Format(day), r.Locale, r.Rules, r.By, r.Contests)
	if err != nil {
		return 0, err
	}
	return again(func() (player.ID, error) {
		id, err := nextPersonID(ctx, p.Store)
		if err != nil {
			return 0, err
		}
		by := "self"
		states := []string{string(nextPerson), string(signInName(r.SignIn)), string(standingOf(id)), string(rulesCell)}
		if r.By != 0 {
			by = r.By.String()
			states = append(states, string(standingOf(r.By)))
		}
		return Do(ctx, p.Store, Keys{Request: given.request, States: states}, func(tx Tx) (player.ID, error) {
			if r.By != 0 {
				clerk, err := standingOf(r.By).Get(tx)
				if err != nil {
					return 0, err
				}
				if err := require(clerk, WorkDesk); err != nil {
					return 0, err
				}
			}
			role := Player
			if !player.Adult(r.Born, tx.Now(), p.Zone) {
				if role = Junior; !r.Contests || r.By != 0 || r.Born.After(tx.Now()) {
					return 0, ErrUnderAge.With("born %s", r.Born.Format(day))
				}
			}
			if err := checkRules(tx, r.Rules); err != nil {
				return 0, err
			}
			row := PersonRow{SignIn: r.SignIn, Name: r.Name, Password: given.hash,
				Born: r.Born.Format(day), Locale: r.Locale}
			s := Standing{Roles: []Role{role}, Status: Active, Rules: r.Rules, MustChange: r.By != 0}
			return id, newPerson(tx, id, row, s, by)
		})
	})
}

// AcceptRules records that a player accepts the version in force (instant:5, std:6).
func (p People) AcceptRules(ctx context.Context, request RequestID, who player.ID, version int) error {
	cell := standingOf(who)
	keys := Keys{
		Request: NewRequest(request, "person/"+who.String(), "accept_rules", version),
		States:  []string{string(cell), string(rulesCell)},
	}
	_, err := Do(ctx, p.Store, keys, func(tx Tx) (struct{}, error) {
		s, err := cell.Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if err := checkRules(tx, version); err != nil {
			return struct{}{}, err
		}
		s.Rules = version
		cell.Put(tx, s)
		return struct{}{}, cell.Append(tx, "rules_accepted", struct {
			Version int `json:"version"`
		}{version})
	})
	return err
}
