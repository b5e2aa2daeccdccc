package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"boulier/draw"
	"boulier/game/contest"
	"boulier/player"
	"boulier/regs"
)

// A Profile is the registered person (contest:4.register): what the rules ask of who wants
// to predict. It is personal: no event holds any of it, and it can be removed (contest:15).
type Profile struct {
	Given    string `json:"given"`
	Family   string `json:"family"`
	Street   string `json:"street"`
	Postcode string `json:"postcode"`
	Town     string `json:"town"`
	Email    string `json:"email"`
	Locale   string `json:"locale"`

	Parent      string    `json:"parent,omitempty"`       // who consents for a minor
	ParentEmail string    `json:"parent_email,omitempty"` // where the link goes
	Address     string    `json:"address"`                // of the network, at the registration
	At          time.Time `json:"at"`

	NoReminders bool `json:"no_reminders,omitempty"` // before the limit of a leg without a slip
}

// Name is the first name and the name.
func (p Profile) Name() string { return p.Given + " " + p.Family }

// Postal is the name and the postal address, on one line.
func (p Profile) Postal() string {
	return p.Name() + ", " + p.Street + ", " + p.Postcode + " " + p.Town
}

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

func profileCell(id player.ID) Cell[Profile] { return Cell[Profile](profilePrefix + id.String()) }

// whoCell holds the players with one name and address, networkCell those who registered from
// one address of the network. Both are named by digests under a key of the house.
func whoCell(digest string) Cell[[]player.ID] { return Cell[[]player.ID]("contest/who/" + digest) }

func networkCell(digest string) Cell[[]player.ID] {
	return Cell[[]player.ID]("contest/network/" + digest)
}

// The refusals of registrations.
var (
	ErrEntryData    = &regs.Violation{Ref: "contest:4.register", Code: "profile_incomplete"}
	ErrNetiquette   = &regs.Violation{Ref: "contest:4.register", Code: "netiquette_refused"}
	ErrRegistered   = &regs.Violation{Ref: "contest:3.one", Code: "registered_already"}
	ErrSamePerson   = &regs.Violation{Ref: "contest:3.one", Code: "same_person"}
	ErrNotEntered   = &regs.Violation{Ref: "contest:4.register", Code: "not_registered"}
	ErrParent       = &regs.Violation{Ref: "contest:3.age", Code: "parent_needed"}
	ErrNoConsentYet = &regs.Violation{Ref: "contest:3.age", Code: "consent_awaited"}
	ErrLink         = &regs.Violation{Ref: "contest:3.age", Code: "link_void"}
	ErrProofAwaited = &regs.Violation{Ref: "contest:3.one", Code: "proof_awaited"}
	ErrMultiple     = &regs.Violation{Ref: "contest:3.multiple", Code: "closed_multiple"}
	ErrSentAway     = &regs.Violation{Ref: "contest:4.conduct", Code: "contest_excluded"}
)

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

// check refuses a profile that is not complete and correct (contest:4.register).
func (p Profile) check(minor bool) error {
	for name, text := range map[string]string{"given": p.Given, "family": p.Family, "street": p.Street,
		"postcode": p.Postcode, "town": p.Town} {
		if n := len([]rune(text)); n == 0 || n > 120 || strings.ContainsFunc(text, unicode.IsControl) {
			return ErrEntryData.With("%s has %d characters", name, n)
		}
	}
	if !strings.ContainsFunc(p.Given, unicode.IsLetter) || !strings.ContainsFunc(p.Family, unicode.IsLetter) {
		return ErrEntryData.With("a name without a letter")
	}
	if err := CheckEmail(p.Email); err != nil {
		return err
	}
	if !minor {
		return nil
	}
	if p.Parent == "" || len([]rune(p.Parent)) > 120 || strings.ContainsFunc(p.Parent, unicode.IsControl) {
		return ErrParent.With("the parent has no name")
	}
	if err := CheckEmail(p.ParentEmail); err != nil {
		return err
	}
	if strings.EqualFold(p.ParentEmail, p.Email) {
		return ErrParent.With("the address of the parent is the player's own")
	}
	return nil
}

// NormalName returns what two spellings of one name or address have in common (Reading
// C21): letters and digits alone, in lower case, without accents, a space between words.
func NormalName(text string) string {
	var b strings.Builder
	gap := false
	plain := strings.NewReplacer("œ", "oe", "æ", "ae", "ß", "ss").Replace(strings.ToLower(text))
	for _, r := range norm.NFKD.String(plain) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = true
		}
	}
	return b.String()
}

// peopleKey returns the key of the digests of names, addresses and networks: without it
// nobody can try whose they are.
func (c *Contests) peopleKey(ctx context.Context) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.people == nil {
		key, err := c.houseKey(ctx, "contest/people", "key", "digests of names and addresses")
		if err != nil {
			return nil, err
		}
		c.people = &key
	}
	return c.people[:], nil
}

// digests returns the digests of who somebody is, and of where the registration came from.
func (c *Contests) digests(ctx context.Context, p Profile) (who, network string, err error) {
	key, err := c.peopleKey(ctx)
	if err != nil {
		return "", "", err
	}
	of := func(kind string, parts ...string) string {
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s\n%s", kind, strings.Join(parts, "\n"))
		return hex.EncodeToString(mac.Sum(nil)[:16])
	}
	return of("who", NormalName(p.Given), NormalName(p.Family), NormalName(p.Street+" "+p.Postcode), NormalName(p.Town)),
		of("network", p.Address), nil
}

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

// linkKey is the key that signs the links to parents.
func (c *Contests) linkKey(ctx context.Context) (draw.Secret, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.links == nil {
		key, err := c.houseKey(ctx, "contest/links", "key", "links for the consent of parents")
		if err != nil {
			return draw.Secret{}, err
		}
		c.links = &key
	}
	return *c.links, nil
}
