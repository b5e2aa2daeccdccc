package app

import (
	"context"
	"time"

	"boulier/game/contest"
	"boulier/player"
)

// The statuses of an entry.
const (
	EntryNone     = ""         // never registered
	EntryParent   = "parent"   // a minor who waits for a parent's consent (contest:3.age)
	EntryProof    = "proof"    // a namesake who is to prove who it is (Reading C21)
	EntryAdmitted = "admitted" // predictions count
	EntryClosed   = "closed"   // one of several accounts of a person (contest:3.multiple)
	EntryExcluded = "excluded" // for its conduct (contest:4.conduct)
	EntryRemoved  = "removed"  // at its wish, personal data and all (contest:15)
)

// A contestEntry says under the identifier alone whether somebody takes part in the contests:
// the state of the stream contest/entry/ID.
type contestEntry struct {
	Status  string    `json:"status"`
	Since   time.Time `json:"since"`
	Rules   int       `json:"rules"`             // the version accepted, with the netiquette
	Minor   bool      `json:"minor,omitempty"`   // born less than eighteen years before
	Consent time.Time `json:"consent,omitzero"`  // a parent's
	Link    int64     `json:"link,omitempty"`    // the number of the link that is good for a consent
	Case    CaseID    `json:"case,omitempty"`    // of the decision, with its proof
	Who     string    `json:"who,omitempty"`     // digest of name and address; none once removed
	Network string    `json:"network,omitempty"` // digest of the address of the network
}

const (
	entryPrefix   = "contest/entry/"
	profilePrefix = "contest/profile/"
)

func entryCell(id player.ID) Cell[contestEntry] {
	return Cell[contestEntry](entryPrefix + id.String())
}

// check returns ErrNotEntered or another refusal unless the entry takes part.
func (e contestEntry) check() error {
	switch e.Status {
	case EntryAdmitted:
		return nil
	case EntryParent:
		return ErrNoConsentYet
	case EntryProof:
		return ErrProofAwaited
	case EntryClosed:
		return ErrMultiple
	case EntryExcluded:
		return ErrSentAway
	}
	return ErrNotEntered
}

// An EntryView is what the house has of somebody's registration, for that person.
type EntryView struct {
	Status  string
	Since   time.Time
	Consent time.Time
	Minor   bool
	Profile Profile
	Cases   []Case // those that name the person, with their proof (contest:3.multiple)
}

// Entry returns somebody's registration; its status is empty if there is none.
func (c *Contests) Entry(ctx context.Context, who player.ID) (v EntryView, err error) {
	e, _, err := entryCell(who).Read(ctx, c.Store)
	if err != nil {
		return v, err
	}
	v.Status, v.Since, v.Consent, v.Minor = e.Status, e.Since, e.Consent, e.Minor
	if v.Profile, _, err = profileCell(who).Read(ctx, c.Store); err != nil {
		return v, err
	}
	if e.Case != 0 {
		file, _, err := caseCell(e.Case).Read(ctx, c.Store)
		if err != nil {
			return v, err
		}
		v.Cases = append(v.Cases, file)
	}
	return v, nil
}

// departure is the departure that a status stands for.
func departure(status string) contest.Departure {
	switch status {
	case EntryClosed:
		return contest.ClosedMultiple
	case EntryExcluded:
		return contest.Excluded
	case EntryRemoved:
		return contest.LeftAtWish
	}
	return contest.Stays
}
