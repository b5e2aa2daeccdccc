package server

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"

	"boulier/internal/app"
)

// prepareSetup draws the one-time token while nobody administers the house. It lives in
// memory only: a restart draws another.
func (s *Server) prepareSetup(ctx context.Context) error {
	admins, err := s.People.Administrators(ctx)
	if err != nil || admins > 0 || s.config.Demo {
		return err
	}
	token := rand.Text()
	s.setup.Store(&token)
	return nil
}

// SetupLink is the page where the first administrator is made, empty once there is one.
func (s *Server) SetupLink() string {
	token := s.setup.Load()
	if token == nil || s.setUp.Load() {
		return ""
	}
	return fmt.Sprintf("%s/setup/%s", s.URL(), *token)
}

// takeSetup makes the first administrator for whoever has the token, once; n is nil for who
// only looks. The same form pressed twice is answered twice alike.
func (s *Server) takeSetup(ctx context.Context, token string, n *app.NewStaff) (bool, error) {
	want := s.setup.Load()
	if want == nil || subtle.ConstantTimeCompare([]byte(token), []byte(*want)) != 1 {
		return false, nil
	}
	if n == nil {
		return !s.setUp.Load(), nil
	}
	n.By, n.Roles, n.First = app.SystemPerson, []app.Role{app.Administrator}, true
	_, err := s.People.AddStaff(ctx, *n)
	if err == nil || errors.Is(err, app.ErrSetUp) { // by another press, or on another node
		s.setUp.Store(true)
	}
	return true, err
}
