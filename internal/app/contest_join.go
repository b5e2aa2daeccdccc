package app

import (
	"context"
	"slices"
	"time"

	"boulier/player"
)

// A Joining is what somebody says to register for the contests.
type Joining struct {
	Request RequestID
	Player  player.ID
	Profile Profile
	Rules   int  // the version accepted, netiquette included
	Decency bool // the netiquette is accepted
	// Namesake says that somebody else with this name and address is registered, and that
	// it is another person: who will have to prove it (Reading C21).
	Namesake bool
}

// Join registers a player for the contests (contest:4.register). An adult takes part at
// once, a minor once a parent has consented by the link that is sent (contest:3.age). Whoever
// has the name, first name and address of somebody registered is refused, or waits as a
// namesake for a decision (contest:3.one). A registration from the network of another opens
// a case file for a person to look at, and refuses nothing (Reading C21).
func (c *Contests) Join(ctx context.Context, j Joining) (status string, err error) {
	row, err := c.Store.Person(ctx, j.Player)
	if err != nil {
		return "", err
	}
	born, err := time.Parse(day, row.Born)
	if err != nil {
		return "", ErrNotPlayer.With("person %d has no birth date", j.Player)
	}
	who, network, err := c.digests(ctx, j.Profile)
	if err != nil {
		return "", err
	}
	link, err := c.linkKey(ctx)
	if err != nil {
		return "", err
	}
	request := NewRequest(j.Request, "person/"+j.Player.String(), "contest/join", []any{who, network, j.Rules, j.Decency, j.Namesake})
	return again(func() (string, error) {
		last, _, err := nextCase.Read(ctx, c.Store)
		if err != nil {
			return "", err
		}
		first := CaseID(last + 1)
		keys := Keys{Request: request, States: []string{string(entryCell(j.Player)), string(profileCell(j.Player)),
			string(whoCell(who)), string(networkCell(network)), string(nextCase), string(caseCell(first)),
			string(caseCell(first + 1)), string(standingOf(j.Player)), string(rulesCell), string(letterCell(consentLetter(j.Player)))}}
		return Do(ctx, c.Store, keys, func(tx Tx) (string, error) {
			minor := !player.Adult(born, tx.Now(), c.Zone)
			if err := requireBy(tx, j.Player, Predict); err != nil {
				return "", err
			}
			if err := c.checkJoining(tx, j, minor); err != nil {
				return "", err
			}
			was, err := entryCell(j.Player).Get(tx)
			if err != nil {
				return "", err
			}
			if was.Status != EntryNone && was.Status != EntryRemoved {
				return "", ErrRegistered.With("person %d is %s", j.Player, was.Status)
			}
			if err := c.refuseBack(tx, was); err != nil {
				return "", err
			}
			is := contestEntry{Status: EntryAdmitted, Since: tx.Now(), Rules: j.Rules, Minor: minor, Link: was.Link,
				Who: who, Network: network}
			opener := caseOpener{tx: tx, next: first}
			if err := c.meet(&opener, j, &is); err != nil {
				return "", err
			}
			if minor && is.Status == EntryAdmitted {
				is.Status = EntryParent
			}
			if minor {
				is.Link++
				letterCell(consentLetter(j.Player)).Put(tx, c.consentMail(link, j.Player, is.Link, j.Profile))
			}
			j.Profile.At = tx.Now()
			profileCell(j.Player).Put(tx, j.Profile)
			entryCell(j.Player).Put(tx, is)
			return is.Status, entryCell(j.Player).Append(tx, "contest_joined", struct {
				Player player.ID `json:"player"`
				Status string    `json:"status"`
				Rules  int       `json:"rules"`
				Minor  bool      `json:"minor,omitempty"`
			}{j.Player, is.Status, j.Rules, minor})
		})
	})
}

func (c *Contests) checkJoining(tx Tx, j Joining, minor bool) error {
	if err := j.Profile.check(minor); err != nil {
		return err
	}
	if !j.Decency {
		return ErrNetiquette
	}
	return checkRules(tx, j.Rules)
}

// refuseBack keeps whom a decision has sent away from coming back under the same account.
func (c *Contests) refuseBack(_ Tx, was contestEntry) error {
	if was.Case != 0 && was.Status == EntryRemoved {
		return ErrRegistered.With("case %d stands", was.Case)
	}
	return nil
}

// meet looks for others with the same name and address, or the same network, and notes the
// newcomer among them.
func (c *Contests) meet(o *caseOpener, j Joining, is *contestEntry) error {
	same, err := whoCell(is.Who).Get(o.tx)
	if err != nil {
		return err
	}
	if len(same) > 0 {
		if !j.Namesake {
			return ErrSamePerson.With("%d registered with this name and address", len(same))
		}
		is.Status = EntryProof
		if is.Case, err = o.open(Case{Kind: CaseNamesake, Players: append(slices.Clone(same), j.Player),
			Evidence: []Evidence{{At: o.tx.Now(), Kind: "same_identity", Text: j.Profile.Postal()}}}); err != nil {
			return err
		}
	}
	near, err := networkCell(is.Network).Get(o.tx)
	if err != nil {
		return err
	}
	if others := slices.DeleteFunc(slices.Clone(near), func(id player.ID) bool { return slices.Contains(same, id) }); len(others) > 0 {
		if _, err := o.open(Case{Kind: CaseNetwork, Players: append(others, j.Player),
			Evidence: []Evidence{{At: o.tx.Now(), Kind: "same_network", Text: j.Profile.Address}}}); err != nil {
			return err
		}
	}
	whoCell(is.Who).Put(o.tx, append(slices.Clone(same), j.Player))
	networkCell(is.Network).Put(o.tx, append(slices.Clone(near), j.Player))
	return nil
}
