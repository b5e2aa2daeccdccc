package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"boulier/draw"
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
