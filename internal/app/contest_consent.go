package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"boulier/draw"
	"boulier/player"
)

func consentLetter(who player.ID) string { return "consent/" + who.String() }

// consentPath is where the link of a letter to a parent leads.
const consentPath = "/consent/"

// A consentToken names a player and the number of the link that was sent last: a later link
// makes the earlier ones void. It is signed, so that nobody can make one.
func consentToken(key draw.Secret, who player.ID, link int64) string {
	body := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(who)), uint64(link))
	return base64.RawURLEncoding.EncodeToString(append(body, consentMAC(key, body)...))
}

func consentMAC(key draw.Secret, body []byte) []byte {
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte("boulier/contest/consent/v1\n"))
	mac.Write(body)
	return mac.Sum(nil)[:16]
}

// parseConsent reads a token; ErrLink if it is not one of the house's.
func parseConsent(key draw.Secret, token string) (who player.ID, link int64, err error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != 32 || subtle.ConstantTimeCompare(raw[16:], consentMAC(key, raw[:16])) != 1 {
		return 0, 0, ErrLink.With("%d characters", len(token))
	}
	return player.ID(binary.BigEndian.Uint64(raw)), int64(binary.BigEndian.Uint64(raw[8:])), nil
}

// consentMail is the letter that asks a parent.
func (c *Contests) consentMail(key draw.Secret, who player.ID, link int64, p Profile) Letter {
	return Letter{To: p.ParentEmail, Locale: p.Locale, Kind: "consent", Path: consentPath + consentToken(key, who, link),
		Values: map[string]string{"Parent": p.Parent, "Child": p.Name()}, Rules: true}
}

// A ConsentView is what a parent who has followed the link sees.
type ConsentView struct {
	Player  player.ID
	Status  string
	Profile Profile
}

// Consent returns whom a link is about; ErrLink for one that is not, or no longer, good.
func (c *Contests) Consent(ctx context.Context, token string) (v ConsentView, err error) {
	key, err := c.linkKey(ctx)
	if err != nil {
		return v, err
	}
	who, link, err := parseConsent(key, token)
	if err != nil {
		return v, err
	}
	e, _, err := entryCell(who).Read(ctx, c.Store)
	if err != nil {
		return v, err
	}
	if e.Link != link || e.Status == EntryRemoved {
		return v, ErrLink.With("link %d of player %d, the last is %d", link, who, e.Link)
	}
	v = ConsentView{Player: who, Status: e.Status}
	v.Profile, _, err = profileCell(who).Read(ctx, c.Store)
	return v, err
}

// A ConsentAnswer is a parent's, by the link.
type ConsentAnswer struct {
	Request RequestID
	Token   string
	Given   bool // false: refused, or taken back
}

// AnswerConsent records that a parent consents, or does not (contest:3.age). A consent can be
// taken back by the same link: the child then waits again, and what was validated stays.
func (c *Contests) AnswerConsent(ctx context.Context, a ConsentAnswer) error {
	key, err := c.linkKey(ctx)
	if err != nil {
		return err
	}
	who, link, err := parseConsent(key, a.Token)
	if err != nil {
		return err
	}
	keys := Keys{Request: NewRequest(a.Request, "parent/"+who.String(), "contest/consent", []any{link, a.Given}),
		States: []string{string(entryCell(who))}}
	_, err = Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		e, err := entryCell(who).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if e.Link != link || e.Status == EntryRemoved {
			return struct{}{}, ErrLink.With("link %d of player %d, the last is %d", link, who, e.Link)
		}
		kind := "consent_given"
		switch {
		case a.Given:
			e.Consent = tx.Now()
			if e.Status == EntryParent {
				e.Status, e.Since = EntryAdmitted, tx.Now()
			}
		default:
			kind, e.Consent = "consent_refused", time.Time{}
			if e.Status == EntryAdmitted {
				e.Status, e.Since = EntryParent, tx.Now()
			}
		}
		entryCell(who).Put(tx, e)
		return struct{}{}, entryCell(who).Append(tx, kind, struct {
			Player player.ID `json:"player"`
			Link   int64     `json:"link"`
		}{who, link})
	})
	return err
}

// A ConsentReminder asks for another letter to the parent, to another address if given.
type ConsentReminder struct {
	Request RequestID
	Player  player.ID
	Parent  string
	Email   string
}

// AskParent sends the letter to the parent again; the link before is void from then on.
func (c *Contests) AskParent(ctx context.Context, r ConsentReminder) error {
	key, err := c.linkKey(ctx)
	if err != nil {
		return err
	}
	name := consentLetter(r.Player)
	keys := Keys{Request: NewRequest(r.Request, "person/"+r.Player.String(), "contest/parent", nil),
		States: []string{string(entryCell(r.Player)), string(profileCell(r.Player)), string(letterCell(name)), string(standingOf(r.Player))}}
	_, err = Do(ctx, c.Store, keys, func(tx Tx) (struct{}, error) {
		if err := requireBy(tx, r.Player, Predict); err != nil {
			return struct{}{}, err
		}
		e, err := entryCell(r.Player).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		if e.Status != EntryParent {
			return struct{}{}, ErrLink.With("the entry is %q", e.Status)
		}
		p, err := profileCell(r.Player).Get(tx)
		if err != nil {
			return struct{}{}, err
		}
		p.Parent, p.ParentEmail = r.Parent, r.Email
		if err := p.check(true); err != nil {
			return struct{}{}, err
		}
		e.Link++
		profileCell(r.Player).Put(tx, p)
		letterCell(name).Put(tx, c.consentMail(key, r.Player, e.Link, p))
		entryCell(r.Player).Put(tx, e)
		return struct{}{}, entryCell(r.Player).Append(tx, "parent_asked", struct {
			Link int64 `json:"link"`
		}{e.Link})
	})
	return err
}

// Redacted returns an e-mail address that its owner knows again and nobody else can use.
func Redacted(email string) string {
	name, domain, ok := strings.Cut(email, "@")
	if !ok || name == "" {
		return ""
	}
	return fmt.Sprintf("%c…@%s", []rune(name)[0], domain)
}
