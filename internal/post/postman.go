package post

import (
	"context"
	"strings"
	"time"

	"boulier/internal/app"
	"boulier/internal/web/locales"
)

// A Postman writes letters and gives them to a carrier.
type Postman struct {
	Carrier Carrier
	From    string // the sender's address
	URL     string // of the house, before the path of a page
	Zone    *time.Location
	Now     func() time.Time
	Rules   func(words *locales.Words) string // the rules of the contests as a text (contest:18)
}

// Deliver implements app.Postman.
func (p *Postman) Deliver(ctx context.Context, name string, l app.Letter) error {
	return p.Carrier.Carry(ctx, p.write(name, l))
}

// write puts a letter in words.
func (p *Postman) write(name string, l app.Letter) Message {
	lang := l.Locale
	if lang != "en" {
		lang = "fr"
	}
	words := locales.For(lang, p.Zone)
	pairs := []any{"Link", strings.TrimSuffix(p.URL, "/") + l.Path}
	for key, value := range l.Values {
		pairs = append(pairs, key, value)
	}
	if !l.At.IsZero() {
		pairs = append(pairs, "At", words.Moment(l.At))
	}
	m := Message{ID: name, From: p.From, To: l.To, At: p.Now(),
		Subject: words.T("mail."+l.Kind+".subject", pairs...),
		Text:    words.T("mail."+l.Kind+".text", pairs...) + "\n\n" + words.T("mail.foot", "Link", p.URL)}
	if l.Rules && p.Rules != nil {
		m.Files = []File{{Name: words.T("mail.rules.file"), Kind: "text/plain; charset=utf-8", Body: []byte(p.Rules(words))}}
	}
	return m
}
