package post

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"time"
)

// A Message is an e-mail, ready to be written down.
type Message struct {
	ID            string // unique: the same message again has the same
	From, To      string // addresses
	Subject, Text string
	At            time.Time
	Files         []File
}

// A File is attached to a message.
type File struct {
	Name, Kind string
	Body       []byte
}

// boundary parts a message from its files. It holds a character that neither of the two
// encodings below can produce at the start of a line.
const boundary = "=_boulier_part"

// Bytes returns the message in the form of RFC 5322. No value can add a header: addresses
// are parsed, and words are encoded.
func (m Message) Bytes() ([]byte, error) {
	from, err := mail.ParseAddress(m.From)
	if err != nil {
		return nil, fmt.Errorf("post: the sender %q: %w", m.From, err)
	}
	to, err := mail.ParseAddress(m.To)
	if err != nil {
		return nil, fmt.Errorf("post: the receiver: %w", err)
	}
	domain := from.Address[strings.LastIndex(from.Address, "@")+1:]
	var b bytes.Buffer
	header := func(name, value string) { fmt.Fprintf(&b, "%s: %s\r\n", name, value) }
	header("From", from.String())
	header("To", to.String())
	header("Subject", mime.QEncoding.Encode("utf-8", m.Subject))
	header("Date", m.At.Format(time.RFC1123Z))
	header("Message-ID", "<"+safe(m.ID)+"@"+domain+">")
	header("Auto-Submitted", "auto-generated")
	header("MIME-Version", "1.0")
	if len(m.Files) == 0 {
		return m.text(&b)
	}
	header("Content-Type", `multipart/mixed; boundary="`+boundary+`"`)
	b.WriteString("\r\n--" + boundary + "\r\n")
	if _, err := m.text(&b); err != nil {
		return nil, err
	}
	for _, f := range m.Files {
		b.WriteString("\r\n--" + boundary + "\r\n")
		header("Content-Type", f.Kind)
		header("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": safe(f.Name)}))
		header("Content-Transfer-Encoding", "base64")
		b.WriteString("\r\n")
		for text := base64.StdEncoding.EncodeToString(f.Body); text != ""; {
			n := min(76, len(text))
			b.WriteString(text[:n] + "\r\n")
			text = text[n:]
		}
	}
	b.WriteString("--" + boundary + "--\r\n")
	return b.Bytes(), nil
}

// text writes the words with their own headers.
func (m Message) text(b *bytes.Buffer) ([]byte, error) {
	b.WriteString("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
	w := quotedprintable.NewWriter(b)
	if _, err := w.Write([]byte(strings.ReplaceAll(m.Text, "\n", "\r\n"))); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	b.WriteString("\r\n")
	return b.Bytes(), nil
}

// safe leaves of a name what can stand in a file name and in a header.
func safe(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, name)
}
