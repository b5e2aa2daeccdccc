package post

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/smtp"
	"os"
	"path/filepath"
	"time"
)

// A Carrier takes a message out of the house.
type Carrier interface {
	Carry(ctx context.Context, m Message) error
}

// Outbox writes each message as a file of its own into a folder: what a house without a
// mail server has to send, for somebody to look at or to send by other means.
type Outbox string

// Carry implements Carrier. The file appears whole or not at all; the same message again
// replaces it.
func (o Outbox) Carry(_ context.Context, m Message) error {
	body, err := m.Bytes()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(string(o), 0o700); err != nil {
		return fmt.Errorf("post: the outbox: %w", err)
	}
	name := filepath.Join(string(o), safe(m.ID)+".eml")
	if err := os.WriteFile(name+".part", body, 0o600); err != nil {
		return fmt.Errorf("post: the outbox: %w", err)
	}
	return os.Rename(name+".part", name)
}

// SMTP hands messages to a mail server, under TLS from the start (port 465) or from
// STARTTLS on. A password is never sent in the clear.
type SMTP struct {
	Server         string // host:port
	User, Password string // empty: the server asks for none
}

// carryLimit is how long one message may take.
const carryLimit = 30 * time.Second

// ErrPlain refuses a server that would read the password in the clear.
var ErrPlain = errors.New("post: the mail server offers no TLS: the password is not sent")

// Carry implements Carrier.
func (s SMTP) Carry(ctx context.Context, m Message) error {
	body, err := m.Bytes()
	if err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(s.Server)
	if err != nil {
		return fmt.Errorf("post: the mail server: %w", err)
	}
	ctx, end := context.WithTimeout(ctx, carryLimit)
	defer end()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.Server)
	if err != nil {
		return fmt.Errorf("post: the mail server: %w", err)
	}
	defer conn.Close()
	if until, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(until); err != nil {
			return err
		}
	}
	secure := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	if port == "465" {
		conn = tls.Client(conn, secure)
	}
	c, err := smtp.NewClient(conn, host)
	if err != nil {
		return fmt.Errorf("post: the mail server: %w", err)
	}
	defer c.Close()
	if ok, _ := c.Extension("STARTTLS"); ok && port != "465" {
		if err := c.StartTLS(secure); err != nil {
			return fmt.Errorf("post: the mail server: %w", err)
		}
	}
	if s.User != "" {
		if _, ok := c.TLSConnectionState(); !ok {
			return ErrPlain
		}
		if err := c.Auth(smtp.PlainAuth("", s.User, s.Password, host)); err != nil {
			return fmt.Errorf("post: the mail server: %w", err)
		}
	}
	return hand(c, m, body)
}

// hand hands one message over in an open conversation.
func hand(c *smtp.Client, m Message, body []byte) error {
	from, err := mail.ParseAddress(m.From)
	if err != nil {
		return err
	}
	to, err := mail.ParseAddress(m.To)
	if err != nil {
		return err
	}
	if err := c.Mail(from.Address); err != nil {
		return fmt.Errorf("post: the mail server refuses the sender: %w", err)
	}
	if err := c.Rcpt(to.Address); err != nil {
		return fmt.Errorf("post: the mail server refuses the receiver: %w", err)
	}
	w, err := c.Data()
	if err != nil {
		return fmt.Errorf("post: the mail server: %w", err)
	}
	if _, err := w.Write(body); err != nil {
		return fmt.Errorf("post: the mail server: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("post: the mail server: %w", err)
	}
	return c.Quit()
}
