package site

import (
	"context"
	"strings"

	"boulier/internal/web"
	"boulier/internal/web/locales"
	"boulier/internal/web/ui"
	"boulier/money"
	"boulier/player"
)

// amountOrNone reads an amount that may be zero, such as what was counted.
func amountOrNone(v *web.Visit, f *web.Form, name string) money.Cents {
	c, err := money.Parse(strings.TrimSpace(f.Raw(name)))
	if err != nil || c < 0 {
		f.Wrong(name, v.T("form.amount"))
		return 0
	}
	return c
}

// letters are those of a temporary password: none is taken for another when it is read out.
const letters = "abcdefghjkmnpqrstuvwxyz23456789"

// temporaryPassword makes a password to be read out and changed at the next sign-in.
func (s *Site) temporaryPassword() string {
	var b strings.Builder
	for n := 0; n < 12; {
		var draw [1]byte
		s.Ground.Entropy(draw[:])
		if int(draw[0]) >= 256-256%len(letters) {
			continue // so that each letter is as likely
		}
		if n > 0 && n%4 == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(letters[int(draw[0])%len(letters)])
		n++
	}
	return b.String()
}

// temporary is the question for a temporary password: one is proposed, and the form holds
// it, so that a form sent twice gives the same.
func (s *Site) temporary(v *web.Visit, form *web.Form) ui.Field {
	f := form.Field(ui.Field{Name: "temporary", Label: v.T("desk.temporary"), Hint: v.T("desk.temporary.hint"),
		Required: true, Autocomplete: "off", MaxLength: 100})
	if form == nil {
		f.Value = s.temporaryPassword()
	}
	return f
}

// choices are the answers of a question whose words are messages.
func choices(v *web.Visit, prefix string, values []string) []ui.Choice {
	out := make([]ui.Choice, len(values))
	for i, value := range values {
		out[i] = ui.Choice{Value: value, Label: v.T(prefix + value)}
	}
	return out
}

// names returns the names of people, read once each.
type names struct {
	s    *Site
	kept map[player.ID]string
}

// nobody stands where there is no name.
const nobody = "—"

func (s *Site) names() names { return names{s, map[player.ID]string{}} }

// of returns a person's name with the identifier; the program itself has neither.
func (n names) of(ctx context.Context, id player.ID) (string, error) {
	if name, ok := n.kept[id]; ok {
		return name, nil
	}
	name, err := n.s.Ground.NameOf(ctx, id)
	if err != nil {
		return "", err
	}
	if name == "" {
		name = nobody
	}
	n.kept[id] = name + " (" + id.String() + ")"
	return n.kept[id], nil
}

// signedText writes what came in or went out, with its sign.
func signedText(ctx context.Context, c money.Cents) string {
	text := locales.From(ctx).Amount(c)
	if c > 0 {
		return "+" + text
	}
	return text
}
