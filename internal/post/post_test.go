package post

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boulier/internal/app"
	"boulier/internal/web/locales"
)

var sentAt = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

func letter() app.Letter {
	return app.Letter{To: "parent@example.org", Locale: "fr", Kind: "consent", Path: "/consent/x", Rules: true,
		Values: map[string]string{"Parent": "Zoé", "Child": "Léo"}}
}

func postman(c Carrier) *Postman {
	return &Postman{Carrier: c, From: "club@example.org", URL: "https://club.example.org/", Zone: time.UTC,
		Now: func() time.Time { return sentAt }, Rules: func(*locales.Words) string { return "les règles" }}
}

// TestOutbox_WholeMessage: the file holds the words, the link and the attached rules, and the
// same letter again is the same file.
func TestOutbox_WholeMessage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := postman(Outbox(filepath.Join(folder, "outbox")))
	for range 2 {
		if err := p.Deliver(t.Context(), "consent/9", letter()); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(filepath.Join(folder, "outbox"))
	if err != nil || len(files) != 1 || files[0].Name() != "consent-9.eml" {
		t.Fatalf("the outbox holds %v (%v)", files, err)
	}
	f, err := os.Open(filepath.Join(folder, "outbox", "consent-9.eml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := mail.ReadMessage(f)
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || !strings.Contains(subject, "Léo") || m.Header.Get("Message-ID") != "<consent-9@example.org>" {
		t.Errorf("subject %q, identifier %q (%v)", subject, m.Header.Get("Message-ID"), err)
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	first, err := parts.NextPart() // reads quoted-printable by itself
	if err != nil {
		t.Fatal(err)
	}
	words, err := io.ReadAll(first)
	if err != nil || !strings.Contains(string(words), "https://club.example.org/consent/x") || !strings.Contains(string(words), "Zoé") {
		t.Errorf("the words are %q (%v)", words, err)
	}
	if second, err := parts.NextPart(); err != nil || second.FileName() != "reglement-des-concours.txt" {
		t.Errorf("the second part is %v (%v)", second, err)
	}
	if _, err := parts.NextPart(); !errors.Is(err, io.EOF) {
		t.Errorf("after two parts: %v", err)
	}
}

// TestMessage_NoInjectedHeader: no value adds a header or another receiver.
func TestMessage_NoInjectedHeader(t *testing.T) {
	t.Parallel()
	m := Message{ID: "a\r\nBcc: x@y.z", From: "club@example.org", To: "a@example.org", At: sentAt,
		Subject: "hé\r\nBcc: x@y.z", Text: "é\n.\nfin"}
	body, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	got, err := mail.ReadMessage(strings.NewReader(string(body)))
	if err != nil || got.Header.Get("Bcc") != "" {
		t.Errorf("Bcc is %q (%v)", got.Header.Get("Bcc"), err)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(got.Body))
	if err != nil || !strings.HasPrefix(string(text), "é\r\n.\r\nfin") {
		t.Errorf("the text is %q (%v)", text, err)
	}
	m.To = "a@example.org\r\nBcc: x@y.z"
	if _, err := m.Bytes(); err == nil {
		t.Error("a receiver of two lines is taken")
	}
}

// FuzzMessage: whatever the words are, what is written is read again, with its own headers.
func FuzzMessage(f *testing.F) {
	f.Add("sujet", "texte\n.\n", "nom")
	f.Add("é\r\nTo: b@c.d", "--=_boulier_part--", "..")
	f.Fuzz(func(t *testing.T, subject, text, name string) {
		m := Message{ID: name, From: "club@example.org", To: "a@example.org", At: sentAt, Subject: subject, Text: text,
			Files: []File{{Name: name, Kind: "text/plain", Body: []byte(text)}}}
		body, err := m.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		got, err := mail.ReadMessage(strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Header) != 8 || got.Header.Get("To") != "<a@example.org>" {
			t.Errorf("headers are %v", got.Header)
		}
		parts := multipart.NewReader(got.Body, boundary)
		n := 0
		for {
			if _, err := parts.NextPart(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != 2 {
			t.Errorf("%d parts", n)
		}
	})
}

// TestSMTP_Conversation: a message is handed over whole; a server without TLS never sees the
// password; one that refuses is an error, so that the letter is tried again.
func TestSMTP_Conversation(t *testing.T) {
	t.Parallel()
	server := fakeServer(t)
	p := postman(SMTP{Server: server.address})
	if err := p.Deliver(t.Context(), "consent/9", letter()); err != nil {
		t.Fatal(err)
	}
	said := <-server.said
	for _, want := range []string{"MAIL FROM:<club@example.org>", "RCPT TO:<parent@example.org>", "Subject: ", "reglement-des-concours.txt"} {
		if !strings.Contains(said, want) {
			t.Errorf("the server did not hear %q", want)
		}
	}
	p.Carrier = SMTP{Server: server.address, User: "club", Password: "secret"}
	if err := p.Deliver(t.Context(), "consent/9", letter()); !errors.Is(err, ErrPlain) {
		t.Errorf("a password in the clear: %v", err)
	}
	if said := <-server.said; strings.Contains(said, "AUTH") {
		t.Error("the server was asked for a sign-in in the clear")
	}
	refused := letter()
	refused.To = "nobody@example.org"
	p.Carrier = SMTP{Server: server.address}
	if err := p.Deliver(t.Context(), "consent/9", refused); err == nil {
		t.Error("a refused receiver is no error")
	}
	<-server.said
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Deliver(ctx, "consent/9", letter()); err == nil {
		t.Error("a letter is sent after the end")
	}
}

type smtpServer struct {
	address string
	said    chan string // what each client said
}

// fakeServer answers as the simplest of mail servers does.
func fakeServer(t *testing.T) smtpServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s := smtpServer{l.Addr().String(), make(chan string, 8)}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				s.said <- converse(conn)
			}()
		}
	}()
	return s
}

func converse(conn net.Conn) string {
	var said strings.Builder
	r := textproto.NewReader(bufio.NewReader(conn))
	answer := func(line string) { io.WriteString(conn, line+"\r\n") }
	answer("220 here")
	for {
		line, err := r.ReadLine()
		if err != nil {
			return said.String()
		}
		said.WriteString(line + "\n")
		switch {
		case strings.HasPrefix(line, "RCPT TO:<nobody"):
			answer("550 unknown")
		case line == "DATA":
			answer("354 go on")
			lines, err := r.ReadDotLines()
			if err != nil {
				return said.String()
			}
			said.WriteString(strings.Join(lines, "\n"))
			answer("250 kept")
		case line == "QUIT":
			answer("221 bye")
			return said.String()
		default:
			answer("250 fine")
		}
	}
}
