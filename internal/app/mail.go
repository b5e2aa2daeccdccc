package app

import (
	"context"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode"

	"boulier/regs"
)

// A Letter is a message by e-mail that waits to be sent. It is kept in the transaction that
// wants it sent, so that neither is without the other, and removed once it is handed over:
// it is personal, and no event.
type Letter struct {
	To     string `json:"to"`
	Locale string `json:"locale"`
	// Kind names the words: the messages mail.KIND.subject and mail.KIND.text.
	Kind   string            `json:"kind"`
	Values map[string]string `json:"values,omitempty"`
	At     time.Time         `json:"at,omitzero"`     // a moment that the words speak of
	Path   string            `json:"path,omitempty"`  // of the page that the words lead to
	Rules  bool              `json:"rules,omitempty"` // the rules are attached (contest:18)

	Tries int       `json:"tries,omitempty"`
	Next  time.Time `json:"next,omitzero"` // not before
}

// A Postman writes letters in words and hands them over; package post implements it.
type Postman interface {
	// Deliver hands a letter over. The name is the same whenever it is tried again, so
	// that a reader can drop what came twice.
	Deliver(ctx context.Context, name string, l Letter) error
}

const letterPrefix = "mail/"

// letterCell is a letter by a name that says what it is for, such as "offer/7".
func letterCell(name string) Cell[Letter] { return Cell[Letter](letterPrefix + name) }

// ErrEmail refuses what is no e-mail address.
var ErrEmail = &regs.Violation{Ref: "contest:4.register", Code: "email_shape"}

// CheckEmail returns ErrEmail unless the text is one plain address, all of which can be seen.
func CheckEmail(text string) error {
	unseen := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > 254 || strings.ContainsFunc(text, unseen) ||
		!strings.Contains(text[strings.LastIndex(text, "@"):], ".") {
		return ErrEmail.With("%d characters", len(text))
	}
	return nil
}

// The waits between tries of a letter; then it is given up, and stays to be seen.
var letterWaits = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour,
	6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

// SendLetters hands over every letter whose time has come. What cannot be handed over is
// tried again later, and keeps no other from being sent.
func (g *Ground) SendLetters(ctx context.Context) (sent int, err error) {
	if g.Postman == nil {
		return 0, nil
	}
	last := ""
	for {
		recs, err := g.Store.States(ctx, letterPrefix, last, readAtOnce)
		if err != nil {
			return sent, err
		}
		for _, rec := range recs {
			last = rec.Name
			l, err := decodeCell[Letter](rec.Body)
			if err != nil {
				return sent, fmt.Errorf("app: state %s: %w", rec.Name, err)
			}
			letter := l.(Letter)
			if letter.Tries > len(letterWaits) || g.Now().Before(letter.Next) {
				continue
			}
			ok, err := g.sendLetter(ctx, strings.TrimPrefix(rec.Name, letterPrefix), letter)
			if err != nil {
				return sent, err
			}
			if ok {
				sent++
			}
		}
		if len(recs) < readAtOnce {
			return sent, nil
		}
	}
}

func (g *Ground) sendLetter(ctx context.Context, name string, l Letter) (bool, error) {
	failed := g.Postman.Deliver(ctx, name, l)
	if failed != nil {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		g.Log.Warn("a letter could not be sent; it will be tried again", "letter", name, "try", l.Tries+1, "error", failed)
	}
	err := g.Store.Update(ctx, Keys{States: []string{string(letterCell(name))}}, func(tx Tx) error {
		now, err := letterCell(name).Get(tx)
		if err != nil || now.Tries != l.Tries || now.To == "" {
			return err
		}
		if failed == nil {
			letterCell(name).Remove(tx)
			return nil
		}
		if now.Tries < len(letterWaits) {
			now.Next = tx.Now().Add(letterWaits[now.Tries])
		}
		now.Tries++
		letterCell(name).Put(tx, now)
		return nil
	})
	return failed == nil && err == nil, err
}

// Letters counts the letters that wait, and those that were given up.
func (g *Ground) Letters(ctx context.Context) (waiting, lost int, err error) {
	last := ""
	for {
		recs, err := g.Store.States(ctx, letterPrefix, last, readAtOnce)
		if err != nil {
			return waiting, lost, err
		}
		for _, rec := range recs {
			last = rec.Name
			l, err := decodeCell[Letter](rec.Body)
			if err != nil {
				return waiting, lost, err
			}
			if l.(Letter).Tries > len(letterWaits) {
				lost++
			} else {
				waiting++
			}
		}
		if len(recs) < readAtOnce {
			return waiting, lost, nil
		}
	}
}
