package server

import (
	"context"
	"path/filepath"
	"time"

	"boulier/internal/post"
	"boulier/internal/web/pages"
)

// Mail says how e-mails leave the house. The zero Mail writes them as files.
type Mail struct {
	URL            string // of the house, for links; the address listened on when empty
	Server         string // host:port; files in Data/outbox when empty
	User, Password string
	From           string
}

// defaultFrom is who files of the outbox come from when nobody said.
const defaultFrom = "boulier@localhost.localdomain"

// postman writes letters and hands them to the mail server or the outbox. The address of
// the house is known once it listens.
func (s *Server) postman(c Config) *post.Postman {
	p := &post.Postman{Carrier: post.Outbox(filepath.Join(c.Data, "outbox")), From: c.Mail.From, URL: c.Mail.URL,
		Zone: s.Ground.Zone, Now: s.Ground.Now, Rules: pages.ContestRulesText}
	if c.Mail.Server != "" {
		p.Carrier = post.SMTP{Server: c.Mail.Server, User: c.Mail.User, Password: c.Mail.Password}
	}
	if p.From == "" {
		p.From = defaultFrom
	}
	if p.URL == "" {
		p.URL = "http://" + c.Listen
	}
	return p
}

// lettersEvery is how often letters that wait are looked for.
const lettersEvery = 2 * time.Second

// letters sends what waits to be sent: in a loop of its own, so that a mail server that
// hangs keeps no ball from being drawn.
func (s *Server) letters(ctx context.Context) {
	tick := time.NewTicker(lettersEvery)
	defer tick.Stop()
	for {
		if _, err := s.Ground.SendLetters(ctx); err != nil && ctx.Err() == nil {
			s.config.Log.Error("letters could not be sent; they wait", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
